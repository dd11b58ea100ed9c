"""Calculating with whole numbers, each result with its range; `+` joins sets and bags too; `a..b`."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.model.constant import fold
from rulelang.model.convert import element_of, expect, join, plain
from rulelang.model.expressions import as_number, broken, expression, number
from rulelang.model.ir import E
from rulelang.model.scope import Context, Scope, key
from rulelang.model.types import (
    WRONG,
    BagOf,
    DeckOf,
    Line,
    ListOf,
    Number,
    SetOf,
    Switch,
    Type,
    Wrong,
    describe,
    is_scalar,
)
from rulelang.source.diagnostic import Place
from rulelang.syntax.trees import Syntax


def _plus(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    a = expression(s, c, x.parts[0], want)
    b = expression(s, c, x.parts[1], want)
    if any(isinstance(e.type, Wrong) for e in (a, b)):
        return broken(x)
    if _is_number(s, a) and _is_number(s, b):
        return arithmetic("add", as_number(s, c, a), as_number(s, c, b), x.place)
    kind = join(s, a.type, b.type)
    if isinstance(kind, Line) and s.cell is not None:
        kind = SetOf(s.cell)
    if kind is not None and is_scalar(kind):
        kind = SetOf(plain(kind)) if not isinstance(plain(kind), (Number, Switch)) else None
    if isinstance(kind, ListOf) and isinstance(a.type, ListOf) and isinstance(b.type, ListOf):
        return fold(E("join_lists", kind, (a, b), None, x.place))
    if isinstance(kind, (SetOf, BagOf)):
        op = "plus" if isinstance(kind, BagOf) else "union"
        return fold(E(op, kind, (expect(s, c, a, kind, "this"), expect(s, c, b, kind, "this")), None, x.place))
    if isinstance(kind, DeckOf) or isinstance(a.type, DeckOf):
        return E("deck_plus", a.type, (a, expect(s, c, b, ListOf(element_of(a.type) or WRONG), "this")), None, x.place)
    return s.wrong(x.place, "wrong-type",
                   f"`+` joins two numbers or two sets: these are a {describe(a.type)} and a {describe(b.type)}")


def _is_number(s: Scope, e: E) -> bool:
    numbered = s.board is not None and s.board.numbered
    return isinstance(plain(e.type), Number) or (numbered and e.type == s.cell)


def arithmetic(op: str, a: E, b: E, place: Place) -> E:
    """A calculation with the range of its result."""
    if not isinstance(a.type, Number) or not isinstance(b.type, Number):
        return E("const", WRONG, (), None, place)
    (l1, h1), (l2, h2) = (a.type.low, a.type.high), (b.type.low, b.type.high)
    if op == "add":
        low, high = l1 + l2, h1 + h2
    elif op == "sub":
        low, high = l1 - h2, h1 - l2
    elif op == "mul":
        corners = [p * q for p in (l1, h1) for q in (l2, h2)]
        low, high = min(corners), max(corners)
    elif op == "div":
        corners = [p // q for p in (l1, h1) for q in {l2, h2, 1, -1} if q and l2 <= q <= h2]
        low, high = (min(corners), max(corners)) if corners else (0, 0)
    else:
        span = max(abs(l2), abs(h2))
        low, high = (0, max(0, h2 - 1)) if l2 > 0 else (1 - span, max(0, span - 1))
    return fold(E(op, Number(low, high), (a, b), None, place))


def _calculate(op: str) -> Callable[..., E]:
    def form(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
        a, b = number(s, c, x.parts[0]), number(s, c, x.parts[1])
        if op in ("div", "mod") and b.op == "const" and b.data == 0:
            return s.wrong(b.place, "division-by-zero", "nothing can be divided by 0")
        if op == "sub" and isinstance(a.type, Number) and isinstance(b.type, Number) and key(a) == key(b):
            return E("const", Number(0, 0), (), 0, x.place)
        return arithmetic(op, a, b, x.place)
    return form


def _negate(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    a = number(s, c, x.parts[0])
    return a if not isinstance(a.type, Number) else fold(
        E("neg", Number(-a.type.high, -a.type.low), (a,), None, x.place))


def _range(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    a, b = number(s, c, x.parts[0]), number(s, c, x.parts[1])
    if not isinstance(a.type, Number) or not isinstance(b.type, Number):
        return broken(x)
    low, high = min(a.type.low, b.type.high), max(a.type.low, b.type.high)
    if high - low > 4096:
        return s.wrong(x.place, "too-large", f"a set of up to {high - low + 1} numbers is too large", "4,096 at most")
    return fold(E("range", SetOf(Number(low, high)), (a, b), None, x.place))


FORMS = {
    "plus": _plus, "minus": _calculate("sub"), "times": _calculate("mul"), "over": _calculate("div"),
    "mod": _calculate("mod"), "negate": _negate, "range": _range,
}
