"""Sets and bags: `{a, b}`, within, meets, holds, without, also in."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.model.constant import fold
from rulelang.model.convert import MOST_IN_A_BAG, MOST_IN_A_SET, contains, element_of, expect, plain
from rulelang.model.expressions import broken, expression
from rulelang.model.ir import E
from rulelang.model.join import join, loosely
from rulelang.model.scope import Context, Scope
from rulelang.model.types import (
    EMPTY,
    SWITCH,
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
    describe,
    is_scalar,
    size_of,
)
from rulelang.syntax.trees import Syntax


def _set_of(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    of = element_of(want) if want is not None else None
    elements = [expression(s, c, a, of) for a in x.parts[0]]
    if any(isinstance(e.type, Wrong) for e in elements):
        return broken(x)
    kind = _common(s, elements, x)
    if isinstance(kind, Wrong):
        return broken(x)
    if isinstance(kind, Nothing):
        return E("const", EMPTY, (), None, x.place)
    if of is not None and (contains(of, kind) or (isinstance(plain(of), Named) and isinstance(kind, Named)
                           and join(s, plain(of), kind) == plain(of))):
        kind = plain(of)
    if not is_scalar(kind):
        return s.wrong(x.place, "wrong-type", f"a set cannot hold {a_(kind)}")
    if size_of(kind) > MOST_IN_A_SET:
        return s.wrong(x.place, "too-large", f"a set of {describe(kind)} is too large",
                       f"{MOST_IN_A_SET:,} values at most, from the lowest to the highest")
    parts = tuple([loosely(s, c, e, Maybe(kind) if isinstance(e.type, (Maybe, Nothing)) else kind) for e in elements])
    if isinstance(want, BagOf):
        return fold(E("bag_of", BagOf(kind, len(parts), want.component), parts, None, x.place))
    return fold(E("set_of", SetOf(kind), parts, None, x.place))


def _common(s: Scope, elements: list[E], x: Syntax) -> Type:
    """The type of all elements of a literal; WRONG with a fault if they have none in common."""
    kind: Type = Nothing()
    for e in elements:
        if element_of(e.type) is not None or isinstance(e.type, (Line, Empty)):
            return s.wrong(e.place, "wrong-type", "a set holds single values, and this is a set itself",
                           "join sets with `+`").type
        if isinstance(e.type, Nothing):
            continue
        both = plain(e.type) if isinstance(kind, Nothing) else join(s, kind, plain(e.type))
        if both is None:
            return s.wrong(x.place, "wrong-type", "the values of a set must be of one kind, and these are "
                           f"{a_(kind)} and {a_(plain(e.type))}").type
        kind = plain(both)
    return kind


def _sets(s: Scope, c: Context, x: Syntax) -> tuple[E, E] | None:
    """Both sides as sets, or both as bags if one is a bag."""
    a = expression(s, c, x.parts[0])
    b = expression(s, c, x.parts[1], a.type)
    if isinstance(a.type, Wrong) or isinstance(b.type, Wrong):
        return None
    kind = join(s, a.type, b.type)
    if kind is not None and is_scalar(kind):
        kind = SetOf(plain(kind)) if size_of(plain(kind)) <= MOST_IN_A_SET else None
    if isinstance(kind, Line) and s.cell is not None:
        kind = SetOf(s.cell)
    if kind is None or element_of(kind) is None:
        s.wrong(x.place, "wrong-type", f"two sets are wanted here: these are {a_(a.type)} and {a_(b.type)}")
        return None
    if isinstance(kind, (ListOf, DeckOf)) and _fits(kind.of):
        kind = BagOf(plain(kind.of), MOST_IN_A_BAG)
    if isinstance(kind, (ListOf, DeckOf)):
        return a, b
    made = expect(s, c, a, kind, "this"), expect(s, c, b, kind, "this")
    return None if any(isinstance(e.type, Wrong) for e in made) else made


def _fits(of: Type) -> bool:
    """Whether a set or bag can be of that."""
    return is_scalar(plain(of)) and size_of(plain(of)) <= MOST_IN_A_SET


def _between_sets(name: str, for_bags: str | None, result: Type | None) -> Callable[..., E]:
    def form(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
        both = _sets(s, c, x)
        if both is None:
            return broken(x)
        kind = both[0].type
        op = name
        if isinstance(kind, BagOf):
            if for_bags is None:
                return s.wrong(x.place, "wrong-type", f"`{name}` asks for sets, and these are bags",
                               "say `holds` for bags, or `kinds of`")
            op = for_bags
        elif not isinstance(kind, SetOf):
            return s.wrong(x.place, "wrong-type", f"sets are wanted here, and this is {a_(kind)}")
        args = both[::-1] if op == "holds" and name == "within" else both
        made = fold(E(op, kind if result is None else result, args, None, x.place))
        return _common_range(x, made) if name == "both" else made
    return form


def _common_range(x: Syntax, made: E) -> E:
    """The common part of two sets of numbers, as a set of the numbers that both may hold."""
    if made.op != "both" or not isinstance(made.type, SetOf) or not isinstance(made.type.of, Number):
        return made
    spans = [_span(a) for a in made.args]
    low, high = max(span.low for span in spans), min(span.high for span in spans)
    wide = made.type.of
    if low > high or (low, high) == (wide.low, wide.high):
        return made
    return E("lift", SetOf(Number(low, high)), (made,), wide.low - low, x.place)


def _span(e: E) -> Number:
    """The range of a set before it was widened to be joined with another."""
    while e.op == "lift" and isinstance(e.args[0].type, SetOf):
        e = e.args[0]
    kind = e.type
    assert isinstance(kind, SetOf) and isinstance(kind.of, Number)
    if e.op == "const" and e.data:
        return Number(kind.of.low + (e.data & -e.data).bit_length() - 1, kind.of.low + e.data.bit_length() - 1)
    return kind.of


def _holds(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    a = expression(s, c, x.parts[0])
    if isinstance(a.type, Wrong):
        return a
    if isinstance(a.type, (DeckOf, ListOf)) and _fits(a.type.of):
        a = expect(s, c, a, BagOf(plain(a.type.of), MOST_IN_A_BAG), "this")
    if not isinstance(a.type, (SetOf, BagOf)):
        return s.wrong(a.place, "wrong-type", f"`holds` asks a bag, and this is {a_(a.type)}")
    b = expression(s, c, x.parts[1], a.type)
    kind = join(s, a.type, b.type)
    if kind is not None and not isinstance(kind, (SetOf, BagOf)):
        kind = None
    if kind is None:
        return b if isinstance(b.type, Wrong) else s.wrong(
            b.place, "wrong-type", f"what {a_(a.type)} holds cannot be {a_(b.type)}")
    if isinstance(kind, BagOf):
        kind = BagOf(kind.of, kind.most)
    a, b = expect(s, c, a, kind, "this"), expect(s, c, b, kind, "what it holds")
    if isinstance(a.type, Wrong) or isinstance(b.type, Wrong):
        return broken(x)
    return fold(E("within", SWITCH, (b, a), None, x.place)) if isinstance(kind, SetOf) else \
        E("holds", SWITCH, (a, b), None, x.place)


FORMS = {
    "set_of": _set_of, "holds": _holds,
    "within": _between_sets("within", "holds", SWITCH), "meets": _between_sets("meets", None, SWITCH),
    "without": _between_sets("without", "minus", None), "both": _between_sets("both", "bag_both", None),
}
