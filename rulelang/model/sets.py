"""Sets and bags: `{a, b}`, within, meets, holds, without, also in."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.model.constant import fold
from rulelang.model.convert import element_of, expect, join, loosely, plain
from rulelang.model.expressions import broken, expression
from rulelang.model.ir import E
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
    describe,
    is_scalar,
)
from rulelang.syntax.trees import Syntax


def _set_of(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    of = element_of(want) if want is not None else None
    elements = [expression(s, c, a, of) for a in x.parts[0]]
    if any(isinstance(e.type, Wrong) for e in elements):
        return broken(x)
    kind: Type | None = None
    for e in elements:
        held = element_of(e.type)
        if held is not None or isinstance(e.type, Line):
            return s.wrong(e.place, "wrong-type", "a set holds single values, and this is a set itself",
                           "join sets with `+`")
        kind = plain(e.type) if kind is None else None if (j := join(s, kind, plain(e.type))) is None else plain(j)
        if kind is None:
            return s.wrong(x.place, "wrong-type", "the values of a set must be of one kind")
    if isinstance(kind, (Nothing, Empty)) or kind is None:
        return E("const", EMPTY, (), None, x.place)
    if of is not None and not isinstance(of, Wrong) and (
        isinstance(of, Number) and isinstance(kind, Number) and of.low <= kind.low and kind.high <= of.high
        or isinstance(of, Named) and isinstance(kind, Named)
    ):
        kind = plain(of)
    if not is_scalar(kind):
        return s.wrong(x.place, "wrong-type", f"a set cannot hold a {describe(kind)}")
    parts = tuple(loosely(s, c, e, Maybe(kind) if isinstance(e.type, (Maybe, Nothing)) else kind) for e in elements)
    if isinstance(want, BagOf):
        return E("bag_of", BagOf(kind, len(parts), want.component), parts, None, x.place)
    return fold(E("set_of", SetOf(kind), parts, None, x.place))


def _sets(s: Scope, c: Context, x: Syntax) -> tuple[E, E] | None:
    """Both sides as sets, or both as bags if one is a bag."""
    a = expression(s, c, x.parts[0])
    b = expression(s, c, x.parts[1], a.type)
    kind = join(s, a.type, b.type)
    if kind is not None and is_scalar(kind) and not isinstance(kind, Wrong):
        kind = SetOf(plain(kind))
    if isinstance(kind, Line) and s.cell is not None:
        kind = SetOf(s.cell)
    if isinstance(kind, Wrong):
        return None
    if kind is None or element_of(kind) is None:
        s.wrong(x.place, "wrong-type", f"two sets are wanted here: these are a {describe(a.type)} and a {describe(b.type)}")
        return None
    if isinstance(kind, ListOf):
        return a, b
    return expect(s, c, a, kind, "this"), expect(s, c, b, kind, "this")


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
        elif isinstance(kind, (ListOf, DeckOf)):
            return s.wrong(x.place, "wrong-type", f"sets are wanted here, and this is a {describe(kind)}")
        args = both[::-1] if op == "holds" and name == "within" else both
        return fold(E(op, kind if result is None else result, args, None, x.place))
    return form


def _holds(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    a = expression(s, c, x.parts[0])
    if isinstance(a.type, SetOf):
        b = expect(s, c, expression(s, c, x.parts[1], a.type), a.type, "this")
        return fold(E("within", SWITCH, (b, a), None, x.place))
    if not isinstance(a.type, BagOf):
        return a if isinstance(a.type, Wrong) else s.wrong(
            a.place, "wrong-type", f"`holds` asks a bag, and this is a {describe(a.type)}")
    b = expression(s, c, x.parts[1], BagOf(a.type.of, a.type.most))
    return E("holds", SWITCH, (a, expect(s, c, b, BagOf(a.type.of, a.type.most), "what it holds")), None, x.place)


FORMS = {
    "set_of": _set_of, "holds": _holds,
    "within": _between_sets("within", "holds", SWITCH), "meets": _between_sets("meets", None, SWITCH),
    "without": _between_sets("without", "minus", None), "both": _between_sets("both", "bag_both", None),
}
