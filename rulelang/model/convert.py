"""From one type to another: the conversions that a rules file need not write, put into the tree as operations."""

from __future__ import annotations

from dataclasses import replace

from rulelang.model.constant import fold
from rulelang.model.ir import E
from rulelang.model.scope import DOUBT, Context, Scope, key
from rulelang.model.types import (
    SWITCH,
    WRONG,
    BagOf,
    DeckOf,
    Empty,
    Line,
    ListOf,
    Maybe,
    Named,
    Nothing,
    Number,
    SetOf,
    Type,
    Wrong,
    a_,
    bits,
    describe,
    empty_of,
    is_scalar,
    size_of,
    value_at,
)

MOST_COUNTED = 1 << 26          # turns of a game, moves in a position: more than any has
MOST_IN_A_SET = 4096      # as many values may a set or bag tell apart
MOST_IN_A_BAG = 65535     # as many may be in a bag or deck


def plain(kind: Type) -> Type:
    """The type without `or none`."""
    return kind.of if isinstance(kind, Maybe) else kind


def has_numbers(s: Scope, kind: Type) -> bool:
    """Whether a type is that of the cells, and these are numbered: a number goes for a cell and the other way."""
    return s.board is not None and s.board.numbered and kind == s.cell


def number_of_cell(s: Scope, e: E) -> E:
    """The number of a cell, none of none."""
    assert s.board is not None
    numbers = tuple([int(name) for name in s.board.names])
    kind: Type = Number(min(numbers), max(numbers))
    return E("number_of", replace(e.type, of=kind) if isinstance(e.type, Maybe) else kind, (e,), numbers, e.place)


def element_of(kind: Type) -> Type | None:
    """What a collection holds, or None if the type is no collection."""
    match kind:
        case SetOf(of) | BagOf(of) | DeckOf(of) | ListOf(of):
            return of
    return None


def known_there(c: Context, e: E) -> bool:
    """Whether the rules have asked here that `e` is not none."""
    return ("ne", None, (key(e), ("const", None, ()))) in c.truths or DOUBT in c.truths


def convert(s: Scope, c: Context, e: E, to: Type, index: bool = False) -> E | None:
    """`e` as a value of the type `to`, or None if it cannot be one. `index`: a declared `or none` must be asked for
    before (a fault is noted), as for a place in the state."""
    kind = e.type
    if kind == to or isinstance(kind, Wrong) or isinstance(to, Wrong):
        return e
    if isinstance(to, Maybe):
        return _to_maybe(s, c, e, to)
    if isinstance(kind, Maybe) and (element_of(to) is None or not is_scalar(kind.of)):
        if index and not kind.partial and not known_there(c, e):
            s.faults.add(e.place, "may-be-none", "this may be none here, and there is nothing at none",
                         f"it is {a_(kind)}: ask first, `… is not none and …`, or choose it with a `where`")
        there = E("need", kind.of, (e,), None, e.place)
        return convert(s, c, there, to, index)
    if isinstance(kind, Nothing):
        return fold(E("const", to, (), empty_of(to), e.place)) if element_of(to) is not None else None
    if isinstance(kind, Empty):
        return E("const", to, (), empty_of(to), e.place) if element_of(to) is not None or isinstance(to, Line) else None
    match to:
        case Number():
            return _to_number(s, e, to)
        case Named():
            return _to_named(s, e, to)
        case SetOf():
            return _to_set(s, c, e, to)
        case BagOf():
            return _to_bag(s, c, e, to)
        case DeckOf(of, _):
            held = _to_list(s, c, e, of)
            return None if held is None else E("deck_plus", to, (E("const", to, (), (), e.place), held), None, e.place)
        case ListOf(of):
            return _to_list(s, c, e, of)
    return None


def _to_maybe(s: Scope, c: Context, e: E, to: Maybe) -> E | None:
    kind = e.type
    if isinstance(kind, Nothing):
        return E("const", to, (), None, e.place)
    if isinstance(kind, Maybe):
        if kind.of == to.of:
            return E(e.op, to, e.args, e.data, e.place)
        if isinstance(kind.of, Number) and isinstance(to.of, Number):
            return e                           # a write tests the range
        if isinstance(kind.of, Named) and isinstance(to.of, Named):
            return recoded(e, kind.of, to.of, maybe=True)
        if isinstance(kind.of, Number) and has_numbers(s, to.of):
            return _cell_of_number(s, e, to)
        if has_numbers(s, kind.of) and isinstance(to.of, Number):
            return number_of_cell(s, e)
        return None
    inner = convert(s, c, e, to.of)
    return None if inner is None or isinstance(inner.type, Wrong) else E(inner.op, to, inner.args, inner.data, e.place)


def _to_number(s: Scope, e: E, to: Number) -> E | None:
    kind = e.type
    if isinstance(kind, Number):
        if to.low <= kind.low and kind.high <= to.high:
            return e
        if kind.high < to.low or to.high < kind.low:
            return s.wrong(e.place, "out-of-range", f"{_range(kind)} is never within {to.low}..{to.high}")
        return fold(E("fit", to, (e,), (to.low, to.high), e.place))
    return _to_number(s, number_of_cell(s, e), to) if has_numbers(s, kind) else None


def _range(kind: Number) -> str:
    return str(kind.low) if kind.low == kind.high else f"{kind.low}..{kind.high}"


# ------------------------------------------------------------------------------------------------ names


def stretch_of(union: Named, part: Named) -> int | None:
    """Where the members of a part stand among those of a union; None if it is no part of it."""
    for _, first, count in union.parts:
        if count == len(part.members) and union.members[first:first + count] == part.members:
            return first
    return None


def _to_named(s: Scope, e: E, to: Named) -> E | None:
    kind = e.type
    if isinstance(kind, Number) and has_numbers(s, to):
        found = _cell_of_number(s, e, to)
        if e.op == "const" and found.op != "const":
            return s.wrong(e.place, "unknown-name", f"there is no cell {e.data} on this board")
        return found
    return recoded(e, kind, to, maybe=False) if isinstance(kind, Named) else None


def _cell_of_number(s: Scope, e: E, to: Type) -> E:
    assert s.board is not None
    at = {int(name): i for i, name in enumerate(s.board.names)}
    return fold(E("cell_of", to, (e,), tuple([at.get(n) for n in range(max(at) + 1)]), e.place))


def cell_if_there(s: Scope, e: E) -> E:
    """The cell of a number, or none if there is no such cell."""
    assert s.board is not None and s.cell is not None
    numbers = [int(name) for name in s.board.names]
    every = SetOf(Number(0, max(numbers)))
    cells = E("const", every, (), sum(1 << n for n in numbers))
    there = E("in", SWITCH, (e, cells), None, e.place)
    kind = Maybe(s.cell, partial=True)
    return E("if", kind, (there, _cell_of_number(s, e, kind), E("const", kind, (), None)), None, e.place)


def recoded(e: E, kind: Named, to: Named, maybe: bool) -> E | None:
    """A name as one of a union that it is part of, or a union's as one of its part (none, or a fault, if it is not)."""
    first = stretch_of(to, kind)
    if first is not None:
        table: tuple[int | None, ...] = tuple(range(first, first + len(kind.members)))
        return fold(E("recode", Maybe(to) if maybe else to, (e,), table, e.place))
    first = stretch_of(kind, to)
    if first is None:
        return None
    table = tuple([i - first if 0 <= i - first < len(to.members) else None for i in range(len(kind.members))])
    back = E("recode", Maybe(to, partial=True), (e,), table, e.place)
    return back if maybe else fold(E("need", to, (fold(back),), None, e.place))


# ------------------------------------------------------------------------------------------------ collections


def _to_set(s: Scope, c: Context, e: E, to: SetOf) -> E | None:
    kind = e.type
    match kind:
        case Line():
            return fold(E("cells", to, (e,), None, e.place)) if to.of == s.cell else None
        case SetOf(of):
            return _recoded_set(s, e, of, to)
        case BagOf(of):
            return _to_set(s, c, E("kinds", SetOf(of), (e,), None, e.place), to)
        case DeckOf() | ListOf():
            return _within("kinds", to, _to_bag(s, c, e, BagOf(to.of, 1 << 30)))
    if is_scalar(kind):
        return _within("one", to, convert(s, c, e, Maybe(to.of) if isinstance(kind, Maybe) else to.of))
    return None


def _within(op: str, to: Type, inner: E | None) -> E | None:
    """The operation on what has been converted, if it could be."""
    return inner if inner is None or isinstance(inner.type, Wrong) else fold(E(op, to, (inner,), None, inner.place))


def _recoded_set(s: Scope, e: E, of: Type, to: SetOf) -> E | None:
    """A set of one range or part as a set of another."""
    if of == to.of:
        return E(e.op, to, e.args, e.data, e.place)
    if isinstance(of, Number) and isinstance(to.of, Number):
        if not contains(to.of, of):
            return _narrowed(s, e, to.of)
        return E(e.op, to, e.args, e.data, e.place) if of.low == to.of.low and of.high == to.of.high \
            else fold(E("lift", to, (e,), of.low - to.of.low, e.place))
    if isinstance(of, Number) and has_numbers(s, to.of):
        assert s.board is not None
        at = {int(name): i for i, name in enumerate(s.board.names)}
        return fold(E("recode_set", to, (e,), tuple([at.get(of.low + i) for i in range(size_of(of))]), e.place))
    if isinstance(of, Named) and isinstance(to.of, Named):
        first = stretch_of(to.of, of)
        if first is not None:
            return fold(E("recode_set", to, (e,), tuple(range(first, first + len(of.members))), e.place))
    return None


def contains(wide: Type, narrow: Type) -> bool:
    """Whether one type of numbers holds all of another."""
    return isinstance(wide, Number) and isinstance(narrow, Number) and wide.low <= narrow.low \
        and narrow.high <= wide.high


def _narrowed(s: Scope, e: E, to: Number) -> E | None:
    """A collection of numbers, each of which is tested to be within a narrower range; a fault where that cannot be."""
    kind = e.type
    of = element_of(kind)
    assert isinstance(of, Number)
    if of.high < to.low or to.high < of.low:
        return s.wrong(e.place, "out-of-range", f"{_range(of)} is never within {_range(to)}")
    made: Type = replace(kind, of=to)  # type: ignore[call-arg]
    parts: tuple[E | None, ...] | None = None
    match e.op:
        case "const" if isinstance(kind, SetOf):
            values = [value_at(of, i) for i in bits(e.data)]
            outside = [n for n in values if not to.low <= n <= to.high]
            if not outside:
                return E("const", SetOf(to), (), sum(1 << n - to.low for n in values), e.place)
            return s.wrong(e.place, "out-of-range", f"{outside[0]} is never within {_range(to)}")
        case "set_of" | "bag_of" | "one" | "one_bag":
            parts = tuple([_to_number(s, a, to) for a in e.args])
        case "copies":
            parts = (e.args[0], _to_number(s, e.args[1], to))
        case "for":
            parts = (*e.args[:2], _to_number(s, e.args[2], to))
        case "union" | "plus" | "join_lists":
            parts = tuple([a if contains(to, element_of(a.type) or WRONG) else _narrowed(s, a, to) for a in e.args])
        case "if":
            parts = (e.args[0], *[_narrowed(s, a, to) for a in e.args[1:]])
    if parts is None or any(part is None for part in parts):
        return s.wrong(e.place, "out-of-range", f"this may hold {_range(of)}, and only {_range(to)} has room here",
                       f"keep what has room: `… also in {_range(to)}`")
    return E(e.op, made, tuple([part for part in parts if part is not None]), e.data, e.place)


def _to_bag(s: Scope, c: Context, e: E, to: BagOf) -> E | None:
    kind = e.type
    match kind:
        case BagOf(of):
            if of == to.of:
                return E(e.op, to, e.args, e.data, e.place)
            if isinstance(of, Number) and isinstance(to.of, Number):
                narrow = e if contains(to.of, of) else _narrowed(s, e, to.of)
                if narrow is None or isinstance(narrow.type, Wrong) or element_of(narrow.type) == to.of:
                    return narrow
                values = E("bag_list", ListOf(of), (narrow,), None, e.place)
                return E("list_bag", to, (values,), None, e.place)
            return None
        case SetOf(of):
            return _within("as_bag", to, _recoded_set(s, e, of, SetOf(to.of)))
        case ListOf() | DeckOf():
            return _within("list_bag", to, _to_list(s, c, e, to.of))
    if is_scalar(kind):
        return _within("one_bag", to, convert(s, c, e, Maybe(to.of) if isinstance(kind, Maybe) else to.of))
    return None


def _to_list(s: Scope, c: Context, e: E, of: Type) -> E | None:
    """A collection as a list in order; of numbers, each within the range that is wanted."""
    held = element_of(e.type)
    if held is None and is_scalar(e.type) and is_scalar(of) and size_of(of) <= MOST_IN_A_SET:
        return _within("bag_list", ListOf(of), _to_bag(s, c, e, BagOf(of, 1)))
    if held is None or isinstance(held, Wrong) or (isinstance(e.type, ListOf) and plain(held) == plain(of)):
        return e if held is not None else None
    if isinstance(held, Number) and isinstance(of, Number) and not contains(of, held):
        narrow = _narrowed(s, e, of)
        return narrow if narrow is None or isinstance(narrow.type, Wrong) else _to_list(s, c, narrow, of)
    if held != of and not contains(of, held):
        return None
    return e if isinstance(e.type, ListOf) else E("bag_list", ListOf(held), (e,), None, e.place)


# ------------------------------------------------------------------------------------------------ what was wanted


def expect(s: Scope, c: Context, e: E, to: Type, what: str, index: bool = False) -> E:
    """`e` as a `to`; a fault that says what was wanted otherwise."""
    made = convert(s, c, e, to, index)
    if made is None:
        return s.wrong(e.place, "wrong-type", f"{what} must be {a_(to)}, and this is {a_(e.type)}")
    return made


def as_set(s: Scope, c: Context, e: E) -> E:
    """A collection as something to go through: sets, lines, lists and decks as they are, bags as lists."""
    kind = e.type
    if isinstance(kind, BagOf):
        return E("bag_list", ListOf(kind.of), (e,), None, e.place)
    if isinstance(kind, Empty):
        return s.wrong(e.place, "never", "`empty` has nothing in it to go through or to choose from",
                       "name the set that may be empty")
    if isinstance(kind, (SetOf, Line, ListOf, DeckOf, Wrong)):
        return e
    if is_scalar(kind):
        if size_of(plain(kind)) > MOST_IN_A_SET:
            return s.wrong(e.place, "too-large", f"a set of {describe(plain(kind))} is too large",
                           f"{MOST_IN_A_SET:,} values at most")
        return fold(E("one", SetOf(plain(kind)), (e,), None, e.place))
    return s.wrong(e.place, "wrong-type", f"a set is wanted here, and this is {a_(kind)}")


def domain_element(s: Scope, e: E) -> Type:
    """What a quantifier over `e` binds."""
    if isinstance(e.type, Line):
        return s.cell if s.cell is not None else WRONG
    found = element_of(e.type)
    return WRONG if found is None else found
