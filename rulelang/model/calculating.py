"""Calculating with whole numbers, each result with its range; `+` joins sets and bags too; `a..b`."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.model.constant import fold
from rulelang.model.convert import MOST_IN_A_SET, element_of, expect, has_numbers, plain
from rulelang.model.expressions import as_number, broken, expression, number
from rulelang.model.ir import E
from rulelang.model.join import join
from rulelang.model.scope import Context, Scope, key
from rulelang.model.types import (
    WRONG,
    BagOf,
    DeckOf,
    Line,
    ListOf,
    Named,
    Number,
    Record,
    SetOf,
    Type,
    Wrong,
    a_,
    describe,
    is_scalar,
)
from rulelang.source.diagnostic import Place
from rulelang.syntax.trees import Syntax

MOST = (1 << 63) - 1


def _plus(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    a = expression(s, c, x.parts[0], want)
    b = expression(s, c, x.parts[1], want)
    if any(isinstance(e.type, Wrong) for e in (a, b)):
        return broken(x)
    if _is_number(s, a) and _is_number(s, b):
        return arithmetic(s, "add", as_number(s, c, a), as_number(s, c, b), x.place)
    if isinstance(a.type, DeckOf):
        b = expect(s, c, b, ListOf(a.type.of), "this")
        return b if isinstance(b.type, Wrong) else E("deck_plus", a.type, (a, b), None, x.place)
    kind = join(s, a.type, b.type)
    if isinstance(kind, Line) and s.cell is not None:
        kind = SetOf(s.cell)
    if kind is not None and is_scalar(kind):
        kind = SetOf(plain(kind)) if isinstance(plain(kind), (Named, Record)) else None
    if isinstance(kind, ListOf) and isinstance(a.type, ListOf) and isinstance(b.type, ListOf):
        return fold(E("join_lists", kind, (a, b), None, x.place))
    if isinstance(kind, (SetOf, BagOf)):
        op = "plus" if isinstance(kind, BagOf) else "union"
        a, b = expect(s, c, a, kind, "this"), expect(s, c, b, kind, "this")
        if isinstance(a.type, Wrong) or isinstance(b.type, Wrong):
            return broken(x)
        return fold(E(op, kind, (a, b), None, x.place))
    return s.wrong(x.place, "wrong-type",
                   f"`+` joins two numbers or two sets: these are {a_(a.type)} and {a_(b.type)}")


def _is_number(s: Scope, e: E) -> bool:
    return isinstance(plain(e.type), Number) or has_numbers(s, plain(e.type))


def arithmetic(s: Scope, op: str, a: E, b: E, place: Place) -> E:
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
        low, high = (0, max(0, h2 - 1)) if l2 > 0 else (min(0, 1 - span), max(0, span - 1))
    return ranged(s, op, low, high, (a, b), place)


def ranged(s: Scope, op: str, low: int, high: int, args: tuple[E, ...], place: Place) -> E:
    """A number between two bounds; a fault if these are too far out for any machine to count with."""
    if low >= -MOST and high <= MOST:
        return fold(E(op, Number(low, high), args, None, place))
    return s.wrong(place, "too-large", "this may become larger than any number that can be counted with",
                   "numbers have 64 bits: keep the parts in the state, each with a range of its own")


def _calculate(op: str) -> Callable[..., E]:
    def form(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
        a, b = expression(s, c, x.parts[0]), expression(s, c, x.parts[1])
        if op == "sub" and element_of(a.type) is not None:
            return s.wrong(x.place, "wrong-type", "`-` is for numbers, and this is " + a_(a.type),
                           "what is taken out of a set or bag is said with `without`")
        a, b = as_number(s, c, a), as_number(s, c, b)
        if op in ("div", "mod") and b.op == "const" and b.data == 0:
            return s.wrong(b.place, "division-by-zero", "nothing can be divided by 0",
                           "divide by another number, or say what is to come instead")
        if op == "sub" and isinstance(a.type, Number) and isinstance(b.type, Number) and key(a) == key(b):
            return E("const", Number(0, 0), (), 0, x.place)
        return arithmetic(s, op, a, b, x.place)
    return form


def _negate(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    a = number(s, c, x.parts[0])
    return a if not isinstance(a.type, Number) else ranged(s, "neg", -a.type.high, -a.type.low, (a,), x.place)


def _range(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    a, b = number(s, c, x.parts[0]), number(s, c, x.parts[1])
    if not isinstance(a.type, Number) or not isinstance(b.type, Number):
        return broken(x)
    low, high = min(a.type.low, b.type.high), max(a.type.low, b.type.high)
    if high - low >= MOST_IN_A_SET:
        return s.wrong(x.place, "too-large", f"a set of up to {high - low + 1:,} numbers is too large",
                       f"{MOST_IN_A_SET:,} at most")
    if a.type.low > b.type.high:
        s.faults.add(x.place, "empty-range", f"from {_ends(a.type)} to {_ends(b.type)} there is nothing",
                     "the lower end stands first", severity="warning")
    return fold(E("range", SetOf(Number(low, high)), (a, b), None, x.place))


def _ends(kind: Number) -> str:
    return str(kind.low) if kind.low == kind.high else describe(kind)


FORMS = {
    "plus": _plus, "minus": _calculate("sub"), "times": _calculate("mul"), "over": _calculate("div"),
    "mod": _calculate("mod"), "negate": _negate, "range": _range,
}
