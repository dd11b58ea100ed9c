"""Comparing values: =, !=, is, is a, <, <=, >, >=, in and not in."""

from __future__ import annotations

from rulelang.model.constant import fold
from rulelang.model.convert import convert, element_of, expect, join, loosely, plain
from rulelang.model.expressions import as_number, broken, expression
from rulelang.model.ir import E
from rulelang.model.logic import negation
from rulelang.model.scope import Context, Scope, none_of
from rulelang.model.types import (
    SWITCH,
    BagOf,
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
)
from rulelang.syntax.trees import Syntax


def _alike(s: Scope, c: Context, x: Syntax, left: Syntax, right: Syntax) -> tuple[E, E] | None:
    a = expression(s, c, left)
    b = expression(s, c, right, a.type)
    if isinstance(a.type, Wrong) or isinstance(b.type, Wrong):
        return None
    kind = join(s, a.type, b.type)
    if kind is None:
        s.wrong(x.place, "wrong-type", f"a {describe(a.type)} and a {describe(b.type)} are never alike")
        return None
    for one, other in ((a, b), (b, a)):
        literal = one.op == "const" and isinstance(one.type, Number) and one.type.low == one.type.high
        span = plain(other.type)
        if literal and isinstance(span, Number) and other.op != "const" and not span.low <= one.data <= span.high:
            s.faults.add(one.place, "out-of-range", f"{one.data} is never reached: the other side is {describe(span)}")
    if not isinstance(kind, (Nothing, Empty)):
        a, b = loosely(s, c, a, kind), loosely(s, c, b, kind)
    return a, b


def _equal(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    both = _alike(s, c, x, *x.parts)
    return broken(x) if both is None else fold(E("eq", SWITCH, _constant_last(both), None, x.place))


def _unequal(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    both = _alike(s, c, x, *x.parts)
    return broken(x) if both is None else fold(E("ne", SWITCH, _constant_last(both), None, x.place))


def _constant_last(both: tuple[E, E]) -> tuple[E, E]:
    return (both[1], both[0]) if both[0].op == "const" and both[1].op != "const" else both


ORDER = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def _compare(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    left, op, right = x.parts
    if op == "!=":
        return _unequal(s, c, Syntax("unequal", (left, right), x.place), want)
    a, b = expression(s, c, left), expression(s, c, right)
    if isinstance(plain(a.type), Named) and plain(a.type) == plain(b.type) and plain(a.type) != s.cell:
        a, b = (E("need", plain(e.type), (e,), None, e.place) if isinstance(e.type, Maybe) else e for e in (a, b))
    else:
        a, b = as_number(s, c, a), as_number(s, c, b)
    name = ORDER[op]
    if a.op == "const" and b.op != "const":
        a, b, name = b, a, TURNED[name]
    return fold(E(name, SWITCH, (a, b), None, x.place))


def _is_a(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    value, name = x.parts
    e = expression(s, c, value)
    kind = plain(e.type)
    if isinstance(kind, Wrong):
        return e
    if isinstance(kind, Named):
        for part, first, count in kind.parts:
            if part == name:
                s.used.add(name)
                return E("is_part", SWITCH, (e,), (first, count), x.place)
        if kind.name == name:
            return E("ne", SWITCH, (e, none_of(x.place)), None, x.place)
        return s.wrong(x.place, "unknown-name", f"a {kind.name} is never a {name}",
                       f"its parts are: {', '.join(p for p, _, _ in kind.parts)}" if kind.parts else "")
    return s.wrong(x.place, "wrong-type", f"`is a` asks for a part of a union, and this is a {describe(e.type)}")


def _in(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    held = expression(s, c, x.parts[1])
    e = expression(s, c, x.parts[0], element_of(held.type))
    if isinstance(held.type, Empty):
        return fold(E("const", SWITCH, (), False, x.place))
    if isinstance(held.type, Line) and s.cell is not None:
        held = expect(s, c, held, SetOf(s.cell), "this")
    of = element_of(held.type)
    if of is None or isinstance(e.type, Wrong):
        return e if isinstance(e.type, Wrong) else held if isinstance(held.type, Wrong) else s.wrong(
            held.place, "wrong-type", f"`in` asks for a set, and this is a {describe(held.type)}")
    if isinstance(of, Number) and isinstance(plain(e.type), Number):
        member: E | None = e
    elif isinstance(held.type, ListOf) and isinstance(of, (SetOf, Line)):
        member = convert(s, c, e, of)
    else:
        member = convert(s, c, e, Maybe(of))
        if isinstance(held.type, SetOf) and isinstance(of, Named) and isinstance(plain(e.type), Named) \
                and plain(e.type) != of and any(p == of.name for p, _, _ in plain(e.type).parts):  # type: ignore[union-attr]
            held = expect(s, c, held, SetOf(plain(e.type)), "this")
            member = e
    if member is None:
        return s.wrong(x.place, "wrong-type", f"a {describe(e.type)} is never in a {describe(held.type)}")
    op = {SetOf: "in", BagOf: "in_bag"}.get(type(held.type), "in_list")
    return E(op, SWITCH, (member, held), None, x.place)


def _not_in(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    return negation(_in(s, c, x, want))


FORMS = {"equal": _equal, "unequal": _unequal, "compare": _compare, "is_a": _is_a, "in_": _in, "not_in": _not_in}
