"""Makers of closures for single values: constants, locals, the state, logic, comparison and numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from rulelang.engine.compiler import Compiler, costly, maker
from rulelang.engine.core import Core, Fn
from rulelang.engine.faults import fault
from rulelang.engine.values import contains, indexer, lowest_of
from rulelang.model.ir import E
from rulelang.model.types import Maybe, Switch, Type, size_of

_MISSING: Any = object()
_MOST_KEPT = 50_000


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


@maker("times")
def _times(c: Compiler, e: E) -> Fn:
    number = e.data
    key = position_key(c, number)
    return lambda rt: rt.notes[number].get(key(rt), 0)


def position_key(c: Compiler, number: int) -> Callable[[Core], Any]:
    """What a position of that number is now: the values of its variables, and who acts."""
    position = c.game.positions[number]
    stretches = [(c.fields[n].offset, c.fields[n].offset + c.fields[n].length) for n in position.variables]
    with_me = position.with_me

    def key(rt: Core) -> Any:
        v = rt.v
        found: list[Any] = [rt.me] if with_me else []
        for start, end in stretches:
            found += v[start:end]
        return tuple(found)

    return key


def index_fn(c: Compiler, e: E, kind: Type, name: str) -> tuple[Fn, bool]:
    """The closure that gives the number of an index, and whether it can never lie outside."""
    inside = contains(kind, e.type) or (isinstance(e.type, Maybe) and contains(kind, e.type.of))
    value = c.fn(e)
    low = lowest_of(kind)
    size = size_of(kind)
    place = e.place
    if inside and not isinstance(e.type, Maybe):
        if low == 0:
            return value, True
        if low is not None:
            return (lambda rt: value(rt) - low), True
    number = indexer(kind)

    def tested(rt: Core) -> int:
        x = value(rt)
        if x is None and not isinstance(kind, Maybe):
            raise fault(place, "nothing-there", f"there is nothing at none of `{name}`")
        i = number(x)
        if not 0 <= i < size:
            raise fault(place, "no-such-entry", f"`{name}` has no entry at {x}")
        return i

    return tested, False


def entry_fn(c: Compiler, variable: int, indices: tuple[E, ...]) -> Fn:
    """The closure that gives the flat place of a variable's entry."""
    field = c.fields[variable]
    offset = field.offset
    parts: list[tuple[Fn, int]] = []
    for e, kind, stride in zip(indices, field.index_types, field.strides, strict=True):
        fixed, value = c.constant(e)
        if fixed and value is not None and 0 <= indexer(kind)(value) < size_of(kind):
            offset += indexer(kind)(value) * stride
        else:
            parts.append((index_fn(c, e, kind, field.name)[0], stride))
    if not parts:
        return lambda rt: offset
    if len(parts) == 1:
        one, stride = parts[0]
        if stride == 1:
            return lambda rt: offset + one(rt)
        return lambda rt: offset + one(rt) * stride
    if len(parts) == 2:
        (first, a), (second, b) = parts
        return lambda rt: offset + first(rt) * a + second(rt) * b
    return lambda rt: offset + sum(f(rt) * stride for f, stride in parts)


@maker("get")
def _get(c: Compiler, e: E) -> Fn:
    field = c.fields[e.data]
    offset = field.offset
    if not e.args:
        return lambda rt: rt.v[offset]
    if len(e.args) == 1:
        only, kind = e.args[0], field.index_types[0]
        low = lowest_of(kind)
        if only.op == "local" and low is not None and contains(kind, only.type):
            slot, base = only.data, offset - low
            return lambda rt: rt.v[base + rt.s[slot]]
        if only.op == "me" and low == 0:
            return lambda rt: rt.v[offset + rt.me]
    place = entry_fn(c, e.data, e.args)
    fixed = all(c.constant(a)[0] for a in e.args)
    if fixed:
        try:
            at = place(c.scratch())
        except Exception as problem:                  # the fault belongs to the moment of play
            raised = problem

            def fail(rt: Core) -> Any:
                raise raised

            return fail
        return lambda rt: rt.v[at]
    return lambda rt: rt.v[place(rt)]


@maker("layer")
def _layer(c: Compiler, e: E) -> Fn:
    field = c.fields[e.data]
    start, end = field.offset, field.offset + field.length
    return lambda rt: tuple(rt.v[start:end])


@maker("need")
def _need(c: Compiler, e: E) -> Fn:
    value, place = c.fn(e.args[0]), e.place

    def need(rt: Core) -> Any:
        x = value(rt)
        if x is None:
            raise fault(place, "nothing-there", "a value is needed here, and there is none")
        return x

    return need


@maker("fit")
def _fit(c: Compiler, e: E) -> Fn:
    value, place = c.fn(e.args[0]), e.place
    low, high = e.data

    def fit(rt: Core) -> Any:
        x = value(rt)
        if x is None or not low <= x <= high:
            raise fault(place, "out-of-range", f"a value leaves its range: {'none' if x is None else x} is not in {low}..{high}")
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

    def cell_of(rt: Core) -> Any:
        x = value(rt)
        if x is None:
            return None
        found = table[x] if 0 <= x < len(table) else None
        if found is None:
            raise fault(place, "no-such-cell", f"the board has no cell {x}")
        return found

    return cell_of


@maker("and")
def _and(c: Compiler, e: E) -> Fn:
    parts = [c.fn(a) for a in e.args]
    if len(parts) == 2:
        one, two = parts
        return lambda rt: one(rt) and two(rt)

    def every(rt: Core) -> bool:
        for part in parts:
            if not part(rt):
                return False
        return True

    return every


@maker("or")
def _or(c: Compiler, e: E) -> Fn:
    parts = [c.fn(a) for a in e.args]
    if len(parts) == 2:
        one, two = parts
        return lambda rt: one(rt) or two(rt)

    def some(rt: Core) -> bool:
        for part in parts:
            if part(rt):
                return True
        return False

    return some


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
            raise fault(place, "division-by-zero", "this divides by 0")
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


@maker("table")
def _table(c: Compiler, e: E) -> Fn:
    table = c.game.tables[e.data]
    values = table.values
    sizes = [size_of(kind) for kind in table.index_types]
    parts = [(c.fn(a), indexer(kind), size, a.place)
             for a, kind, size in zip(e.args, table.index_types, sizes, strict=True)]

    def look(rt: Core) -> Any:
        place = 0
        for part, number, size, where in parts:
            x = part(rt)
            if x is None:
                return None
            i = number(x)
            if not 0 <= i < size:
                raise fault(where, "no-such-entry", f"`{table.name}` has no entry at {x}")
            place = place * size + i
        return values[place]

    if len(parts) == 1 and lowest_of(table.index_types[0]) == 0 and contains(table.index_types[0], e.args[0].type):
        only = parts[0][0]
        return lambda rt: values[only(rt)]
    return look


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


@maker("call")
def _call(c: Compiler, e: E) -> Fn:
    define = c.game.defines[e.data]
    if c.coverage is not None:
        count = c.coverage.counter(define.place, f"define {define.name}", "ran")
        return _counted(_call_define(c, e), count)
    return _call_define(c, e)


def _counted(made: Fn, count: Callable[[], None]) -> Fn:
    def counted(rt: Core) -> Any:
        count()
        return made(rt)

    return counted


def _call_define(c: Compiler, e: E) -> Fn:
    define = c.game.defines[e.data]
    args = [c.fn(a) for a in e.args]
    slots = define.slots
    body = c.fn(define.body)
    facts = c.depends.define(e.data)
    if facts.course or not costly(c.simple(define.body)):
        return _plain_call(args, slots, body)
    if facts.static:
        return _static_call(args, slots, body)
    known = c.memory.place(facts.reads) if facts.reads else -1
    if known < 0:
        return _plain_call(args, slots, body)
    return _kept_call(args, slots, body, known, facts.me)


def _plain_call(args: list[Fn], slots: tuple[int, ...], body: Fn) -> Fn:
    if not args:
        return body
    if len(args) == 1:
        only, slot = args[0], slots[0]

        def one(rt: Core) -> Any:
            rt.s[slot] = only(rt)
            return body(rt)

        return one

    def several(rt: Core) -> Any:
        values = [arg(rt) for arg in args]
        s = rt.s
        for slot, value in zip(slots, values, strict=True):
            s[slot] = value
        return body(rt)

    return several


def _static_call(args: list[Fn], slots: tuple[int, ...], body: Fn) -> Fn:
    table: dict[Any, Any] = {}

    def static(rt: Core) -> Any:
        values = tuple([arg(rt) for arg in args])
        found = table.get(values, _MISSING)
        if found is _MISSING:
            s = rt.s
            for slot, value in zip(slots, values, strict=True):
                s[slot] = value
            if len(table) > _MOST_KEPT:
                table.clear()
            found = table[values] = body(rt)
        return found

    return static


def _kept_call(args: list[Fn], slots: tuple[int, ...], body: Fn, place: int, with_me: bool) -> Fn:
    """A call whose answers are remembered at a place of the core's memo."""
    if not args:
        def none(rt: Core) -> Any:
            known = rt.memo[place]
            if known is None:
                known = rt.memo[place] = {}
            key = rt.me if with_me else 0
            found = known.get(key, _MISSING)
            if found is _MISSING:
                found = known[key] = body(rt)
            return found

        return none
    if len(args) == 1 and not with_me:
        only, slot = args[0], slots[0]

        def one(rt: Core) -> Any:
            x = only(rt)
            known = rt.memo[place]
            if known is None:
                known = rt.memo[place] = {}
            found = known.get(x, _MISSING)
            if found is _MISSING:
                rt.s[slot] = x
                found = known[x] = body(rt)
            return found

        return one

    def several(rt: Core) -> Any:
        values = [arg(rt) for arg in args]
        key = (rt.me, *values) if with_me else tuple(values)
        known = rt.memo[place]
        if known is None:
            known = rt.memo[place] = {}
        found = known.get(key, _MISSING)
        if found is _MISSING:
            s = rt.s
            for slot, value in zip(slots, values, strict=True):
                s[slot] = value
            found = known[key] = body(rt)
        return found

    return several
