"""From one type to another: the conversions that a rules file need not write, put into the tree as operations."""

from __future__ import annotations

from rulelang.model.constant import fold
from rulelang.model.ir import E
from rulelang.model.scope import Context, Scope, key
from rulelang.model.types import (
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
    Record,
    SetOf,
    Type,
    Wrong,
    describe,
    empty_of,
    is_scalar,
    size_of,
)


def plain(kind: Type) -> Type:
    """The type without `or none`."""
    return kind.of if isinstance(kind, Maybe) else kind


def element_of(kind: Type) -> Type | None:
    """What a collection holds, or None if the type is no collection."""
    match kind:
        case SetOf(of) | BagOf(of) | DeckOf(of) | ListOf(of):
            return of
    return None


def known_there(c: Context, e: E) -> bool:
    """Whether the rules have asked here that `e` is not none."""
    return ("ne", None, (key(e), ("const", None, ()))) in c.truths


def convert(s: Scope, c: Context, e: E, to: Type, index: bool = False) -> E | None:
    """`e` as a value of the type `to`, or None if it cannot be one. `index`: a declared `or none` must be asked for
    before (a fault is noted), as for a place in the state."""
    kind = e.type
    if kind == to or isinstance(kind, Wrong) or isinstance(to, Wrong):
        return e
    if isinstance(to, Maybe):
        return _to_maybe(s, c, e, to)
    if isinstance(kind, Maybe) and element_of(to) is None:
        if index and not kind.partial and not known_there(c, e):
            s.faults.add(e.place, "may-be-none", f"this may be none here, and there is nothing at none ({describe(kind)})",
                         "ask first: `… is not none and …`, or choose it with a `where`")
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
        case DeckOf(of, most):
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
            return _to_named(s, e, to.of)
        return None
    inner = convert(s, c, e, to.of)
    return None if inner is None else E(inner.op, to, inner.args, inner.data, inner.place)


def _to_number(s: Scope, e: E, to: Number) -> E | None:
    kind = e.type
    if isinstance(kind, Number):
        if to.low <= kind.low and kind.high <= to.high:
            return e
        if kind.high < to.low or to.high < kind.low:
            s.faults.add(e.place, "out-of-range", f"{_range(kind)} is never within {to.low}..{to.high}")
            return E("const", WRONG, (), None, e.place)
        return fold(E("fit", to, (e,), (to.low, to.high), e.place))
    if kind == s.cell and s.board is not None and s.board.numbered:
        numbers = tuple(int(name) for name in s.board.names)
        found = E("number_of", Number(min(numbers), max(numbers)), (e,), numbers, e.place)
        return _to_number(s, found, to)
    return None


def _range(kind: Number) -> str:
    return str(kind.low) if kind.low == kind.high else f"{kind.low}..{kind.high}"


def _to_named(s: Scope, e: E, to: Named) -> E | None:
    kind = plain(e.type)
    maybe = isinstance(e.type, Maybe)
    if isinstance(kind, Number) and to == s.cell and s.board is not None and s.board.numbered:
        at = {int(name): i for i, name in enumerate(s.board.names)}
        table = tuple(at.get(n) for n in range(max(at) + 1))
        if e.op == "const" and at.get(e.data) is None:
            s.faults.add(e.place, "unknown-name", f"there is no cell {e.data} on this board")
            return E("const", WRONG, (), None, e.place)
        return fold(E("cell_of", to, (e,), table, e.place))
    if not isinstance(kind, Named):
        return None
    for name, first, count in to.parts:
        if name == kind.name and count == len(kind.members):
            made = E("recode", Maybe(to) if maybe else to, (e,), tuple(range(first, first + count)), e.place)
            return fold(made)
    for name, first, count in kind.parts:
        if name == to.name and count == len(to.members):
            table = tuple(i - first if first <= i < first + count else None for i in range(len(kind.members)))
            back = E("recode", Maybe(to, partial=True), (e,), table, e.place)
            return E("need", to, (back,), None, e.place)
    return None


def _to_set(s: Scope, c: Context, e: E, to: SetOf) -> E | None:
    kind = e.type
    match kind:
        case Line():
            return fold(E("cells", to, (e,), None, e.place)) if to.of == s.cell else None
        case SetOf(of):
            return recode_set(s, e, of, to)
        case BagOf(of):
            return _to_set(s, c, E("kinds", SetOf(of), (e,), None, e.place), to)
        case ListOf(of):
            bag = _to_bag(s, c, e, BagOf(to.of, 1 << 30))
            return None if bag is None else E("kinds", to, (bag,), None, e.place)
    if is_scalar(kind):
        inner = convert(s, c, e, Maybe(to.of) if isinstance(kind, Maybe) else to.of)
        return None if inner is None else fold(E("one", to, (inner,), None, e.place))
    return None


def recode_set(s: Scope, e: E, of: Type, to: SetOf) -> E | None:
    """A set of one range or part as a set of another."""
    if of == to.of:
        return E(e.op, to, e.args, e.data, e.place)
    if isinstance(of, Number) and isinstance(to.of, Number):
        return fold(E("lift", to, (e,), of.low - to.of.low, e.place)) if of.low != to.of.low or of.high > to.of.high \
            else E(e.op, to, e.args, e.data, e.place)
    if isinstance(of, Number) and to.of == s.cell and s.board is not None and s.board.numbered:
        at = {int(name): i for i, name in enumerate(s.board.names)}
        return fold(E("recode_set", to, (e,), tuple(at.get(of.low + i) for i in range(size_of(of))), e.place))
    if isinstance(of, Named) and isinstance(to.of, Named):
        for name, first, count in to.of.parts:
            if name == of.name:
                return fold(E("recode_set", to, (e,), tuple(range(first, first + count)), e.place))
    return None


def _to_bag(s: Scope, c: Context, e: E, to: BagOf) -> E | None:
    kind = e.type
    match kind:
        case BagOf(of):
            if of == to.of:
                return E(e.op, to, e.args, e.data, e.place)
            if isinstance(of, Number) and isinstance(to.of, Number):
                values = E("bag_list", ListOf(of), (e,), None, e.place)
                return E("list_bag", to, (values,), None, e.place)
            return None
        case SetOf(of):
            same = recode_set(s, e, of, SetOf(to.of))
            return None if same is None else fold(E("as_bag", to, (same,), None, e.place))
        case ListOf(of):
            fits = plain(of) == to.of or (isinstance(plain(of), Number) and isinstance(to.of, Number))
            return E("list_bag", to, (e,), None, e.place) if fits else None
        case DeckOf(of):
            return E("list_bag", to, (e,), None, e.place) if of == to.of else None
    if is_scalar(kind):
        inner = convert(s, c, e, Maybe(to.of) if isinstance(kind, Maybe) else to.of)
        return None if inner is None else fold(E("one_bag", to, (inner,), None, e.place))
    return None


def _to_list(s: Scope, c: Context, e: E, of: Type) -> E | None:
    kind = e.type
    match kind:
        case ListOf(held) if plain(held) == plain(of):
            return e
        case BagOf(held) | DeckOf(held) | SetOf(held) if held == of:
            return E("bag_list", ListOf(of), (e,), None, e.place)
    return None


def expect(s: Scope, c: Context, e: E, to: Type, what: str, index: bool = False) -> E:
    """`e` as a `to`; a fault that says what was wanted otherwise."""
    made = convert(s, c, e, to, index)
    if made is None:
        return s.wrong(e.place, "wrong-type", f"{what} must be {_a(to)}, and this is {_a(e.type)}")
    return made


def _a(kind: Type) -> str:
    text = describe(kind)
    if text[0].isdigit() or text[0] == "-":
        return f"a number {text}"
    return text if text in ("none", "empty") else f"a {text}" if text[0] not in "aeiou" else f"an {text}"


def as_set(s: Scope, c: Context, e: E) -> E:
    """A collection as something to go through: sets, lines, lists and decks as they are, bags as lists."""
    kind = e.type
    if isinstance(kind, BagOf):
        return E("bag_list", ListOf(kind.of), (e,), None, e.place)
    if isinstance(kind, Empty):
        return E("const", ListOf(WRONG), (), (), e.place)
    if isinstance(kind, (SetOf, Line, ListOf, DeckOf, Wrong)):
        return e
    if is_scalar(kind):
        return fold(E("one", SetOf(plain(kind)), (e,), None, e.place))
    return s.wrong(e.place, "wrong-type", f"a set is wanted here, and this is {_a(kind)}")


def domain_element(s: Scope, e: E) -> Type:
    """What a quantifier over `e` binds."""
    if isinstance(e.type, Line):
        return s.cell if s.cell is not None else WRONG
    found = element_of(e.type)
    return WRONG if found is None else found


def join(s: Scope, a: Type, b: Type) -> Type | None:
    """The type that holds values of both, or None."""
    if a == b or isinstance(b, Wrong):
        return a
    if isinstance(a, Wrong):
        return b
    if isinstance(a, Nothing):
        return b if isinstance(b, Maybe) or element_of(b) is not None else Maybe(b)
    if isinstance(b, Nothing):
        return join(s, b, a)
    if isinstance(a, Maybe) or isinstance(b, Maybe):
        if element_of(a) is not None or element_of(b) is not None:
            return a if element_of(a) is not None else b
        inner = join(s, plain(a), plain(b))
        declared = any(isinstance(t, Maybe) and not t.partial for t in (a, b))
        return None if inner is None else Maybe(inner, partial=not declared)
    match a, b:
        case (Number(l1, h1), Number(l2, h2)):
            return Number(min(l1, l2), max(h1, h2))
        case (Empty(), _):
            return b if element_of(b) is not None or isinstance(b, Line) else None
        case (_, Empty()):
            return join(s, b, a)
        case (Named(), Named()):
            if any(name == b.name for name, _, _ in a.parts):
                return a
            if any(name == a.name for name, _, _ in b.parts):
                return b
            return None
        case (Number(), Named()) if b == s.cell and s.board is not None and s.board.numbered:
            return b
        case (Named(), Number()):
            return join(s, b, a)
        case (SetOf(x), SetOf(y)):
            inner = join(s, x, y)
            return None if inner is None else SetOf(inner)
        case (Line(), SetOf()):
            return b if b.of == s.cell else None
        case (SetOf(), Line()):
            return join(s, b, a)
        case (Line(), Line()):
            return SetOf(s.cell) if s.cell is not None else None
        case (BagOf(x, m, comp), BagOf(y, n, _)):
            inner = join(s, x, y)
            return None if inner is None else BagOf(inner, m + n, comp)
        case (BagOf(x, m, comp), SetOf(y)) | (SetOf(y), BagOf(x, m, comp)):
            inner = join(s, x, y)
            return None if inner is None else BagOf(inner, m + size_of(inner), comp)
        case (ListOf(x), ListOf(y)):
            inner = join(s, x, y)
            return None if inner is None else ListOf(inner)
        case (ListOf(x), SetOf(y)) | (SetOf(y), ListOf(x)):
            return SetOf(y) if plain(x) == y else None
        case (BagOf(x), ListOf()) :
            return a
        case (ListOf(), BagOf()):
            return b
        case (SetOf(x), _) if is_scalar(b):
            inner = join(s, x, b)
            return None if inner is None else SetOf(inner)
        case (_, SetOf()) if is_scalar(a):
            return join(s, b, a)
        case (BagOf(x), _) if is_scalar(b):
            return a if join(s, x, b) is not None else None
        case (Record(), Record()):
            return None
    return None


def loosely(s: Scope, c: Context, e: E, kind: Type) -> E:
    """`e` within a joined type; ranges need no test there."""
    if isinstance(plain(kind), Number) and isinstance(plain(e.type), (Number, Nothing)):
        return e
    made = convert(s, c, e, kind)
    return e if made is None else made
