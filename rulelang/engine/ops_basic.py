"""Makers of closures for single values: constants, locals, logic, comparison and numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

from rulelang.engine.compiler import Compiler, maker
from rulelang.engine.core import Core, Fn
from rulelang.engine.faults import fault
from rulelang.model.ir import E
from rulelang.model.types import Maybe, Switch


@maker("const", "option")
def _const(c: Compiler, e: E) -> Fn:
    value = e.data if e.op == "const" else c.game.settings[e.data]
    return lambda rt: value


@maker("local")
def _local(c: Compiler, e: E) -> Fn:
    slot = e.data
    return lambda rt: rt.s[slot]


@maker("me")
def _me(c: Compiler, e: E) -> Fn:
    return lambda rt: rt.me


@maker("turns")
def _turns(c: Compiler, e: E) -> Fn:
    return lambda rt: rt.turns


@maker("rounds")
def _rounds(c: Compiler, e: E) -> Fn:
    return lambda rt: rt.rounds


@maker("legal_moves")
def _legal_moves(c: Compiler, e: E) -> Fn:
    return lambda rt: c.count_moves(rt)


@maker("need")
def _need(c: Compiler, e: E) -> Fn:
    value, place = c.fn(e.args[0]), e.place

    def need(rt: Core) -> Any:
        x = value(rt)
        if x is None:
            raise fault(place, "nothing-there", "a value is needed here, and there is none",
                        "ask first: `… is not none`")
        return x

    return need


@maker("fit")
def _fit(c: Compiler, e: E) -> Fn:
    value, place = c.fn(e.args[0]), e.place
    low, high = e.data
    told = c.in_the_open(e)

    def fit(rt: Core) -> Any:
        x = value(rt)
        if x is None or not low <= x <= high:
            shown = "it" if not told else "none" if x is None else x
            raise fault(place, "out-of-range", f"a value leaves its range: {shown} is not in {low}..{high}")
        return x

    return fit


@maker("recode", "number_of")
def _recode(c: Compiler, e: E) -> Fn:
    value, table = c.fn(e.args[0]), e.data

    def recode(rt: Core) -> Any:
        x = value(rt)
        return None if x is None else table[x]

    return recode


@maker("cell_of")
def _cell_of(c: Compiler, e: E) -> Fn:
    value, table, place = c.fn(e.args[0]), e.data, e.place
    told = c.in_the_open(e)

    def cell_of(rt: Core) -> Any:
        x = value(rt)
        if x is None:
            return None
        found = table[x] if 0 <= x < len(table) else None
        if found is None:
            raise fault(place, "no-such-cell", f"the board has no cell {x if told else 'of that number'}")
        return found

    return cell_of


@maker("and")
def _and(c: Compiler, e: E) -> Fn:
    parts = [c.fn(a) for a in e.args]
    if len(parts) == 3:
        one, two, three = parts
        return lambda rt: one(rt) and two(rt) and three(rt)
    return reduce(_both, parts)


def _both(one: Fn, two: Fn) -> Fn:
    return lambda rt: one(rt) and two(rt)


@maker("or")
def _or(c: Compiler, e: E) -> Fn:
    parts = [c.fn(a) for a in e.args]
    if len(parts) == 3:
        one, two, three = parts
        return lambda rt: one(rt) or two(rt) or three(rt)
    return reduce(_either, parts)


def _either(one: Fn, two: Fn) -> Fn:
    return lambda rt: one(rt) or two(rt)


@maker("not")
def _not(c: Compiler, e: E) -> Fn:
    value = c.fn(e.args[0])
    return lambda rt: not value(rt)


@maker("if")
def _if(c: Compiler, e: E) -> Fn:
    fixed, chosen = c.constant(e.args[0])
    if fixed:
        return c.fn(e.args[1] if chosen else e.args[2])
    asked, then, otherwise = (c.fn(a) for a in e.args)
    return lambda rt: then(rt) if asked(rt) else otherwise(rt)


@maker("eq", "ne")
def _equal(c: Compiler, e: E) -> Fn:
    one, two = e.args
    if c.constant(one)[0]:
        one, two = two, one
    fixed, value = c.constant(two)
    a = c.fn(one)
    equal = e.op == "eq"
    if fixed:
        if value is None:
            return (lambda rt: a(rt) is None) if equal else (lambda rt: a(rt) is not None)
        return (lambda rt: a(rt) == value) if equal else (lambda rt: a(rt) != value)
    b = c.fn(two)
    return (lambda rt: a(rt) == b(rt)) if equal else (lambda rt: a(rt) != b(rt))


def _binary(operation: Callable[[Any, Any], Any]) -> Callable[[Compiler, E], Fn]:
    def make(c: Compiler, e: E) -> Fn:
        a, b = c.fn(e.args[0]), c.fn(e.args[1])
        fixed, value = c.constant(e.args[1])
        if fixed:
            return lambda rt: operation(a(rt), value)
        return lambda rt: operation(a(rt), b(rt))

    return make


maker("lt")(_binary(operator.lt))
maker("le")(_binary(operator.le))
maker("gt")(_binary(operator.gt))
maker("ge")(_binary(operator.ge))
maker("mul")(_binary(operator.mul))


@maker("add")
def _add(c: Compiler, e: E) -> Fn:
    a, b = c.fn(e.args[0]), c.fn(e.args[1])
    fixed, value = c.constant(e.args[1])
    if fixed:
        return lambda rt: a(rt) + value
    return lambda rt: a(rt) + b(rt)


@maker("sub")
def _sub(c: Compiler, e: E) -> Fn:
    a, b = c.fn(e.args[0]), c.fn(e.args[1])
    fixed, value = c.constant(e.args[1])
    if fixed:
        return lambda rt: a(rt) - value
    return lambda rt: a(rt) - b(rt)


@maker("neg")
def _neg(c: Compiler, e: E) -> Fn:
    a = c.fn(e.args[0])
    return lambda rt: -a(rt)


@maker("div", "mod")
def _divide(c: Compiler, e: E) -> Fn:
    a, b, place = c.fn(e.args[0]), c.fn(e.args[1]), e.place
    floor = e.op == "div"

    def divide(rt: Core) -> int:
        x, y = a(rt), b(rt)
        if y == 0:
            raise fault(place, "division-by-zero", "this divides by 0",
                        "say what is to come then: `… if n > 0 else 0`")
        return int(x // y if floor else x % y)

    return divide


@maker("field")
def _field(c: Compiler, e: E) -> Fn:
    value = c.fn(e.args[0])
    divisor, size, offset = e.data
    switch = isinstance(e.type.of if isinstance(e.type, Maybe) else e.type, Switch)

    def field(rt: Core) -> Any:
        x = value(rt)
        if x is None:
            return None
        found = x // divisor % size
        return bool(found) if switch else found + offset

    return field


@maker("record")
def _record(c: Compiler, e: E) -> Fn:
    parts = [(c.fn(a), size) for a, size in zip(e.args, e.data, strict=True)]

    def record(rt: Core) -> Any:
        total = 0
        for part, size in parts:
            total = total * size + int(part(rt))
        return total

    return record


@maker("is_part")
def _is_part(c: Compiler, e: E) -> Fn:
    value = c.fn(e.args[0])
    first, count = e.data

    def is_part(rt: Core) -> bool:
        x = value(rt)
        return x is not None and first <= x < first + count

    return is_part


@maker("next_seat")
def _next_seat(c: Compiler, e: E) -> Fn:
    seat, step, seats = c.fn(e.args[0]), e.data, c.machine.seats

    def next_seat(rt: Core) -> Any:
        x = seat(rt)
        return None if x is None else (x + step) % seats

    return next_seat


@maker("opponent")
def _opponent(c: Compiler, e: E) -> Fn:
    seat = c.fn(e.args[0])

    def opponent(rt: Core) -> Any:
        x = seat(rt)
        return None if x is None else 1 - x

    return opponent
