"""Makers of closures for what is kept by index: the state's variables, constant tables, the history of positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.engine.compiler import Compiler, maker
from rulelang.engine.core import Core, Fn
from rulelang.engine.faults import fault
from rulelang.engine.values import contains, indexer, lowest_of
from rulelang.model.ir import E
from rulelang.model.types import Maybe, Type, size_of


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
    told = c.in_the_open(e)

    def tested(rt: Core) -> int:
        x = value(rt)
        if x is None and not isinstance(kind, Maybe):
            raise fault(place, "nothing-there", f"there is nothing at none of `{name}`")
        i = number(x)
        if not 0 <= i < size:
            raise fault(place, "no-such-entry", f"`{name}` has no entry {f'at {x}' if told else 'there'}")
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


@maker("table")
def _table(c: Compiler, e: E) -> Fn:
    table = c.game.tables[e.data]
    values = table.values
    sizes = [size_of(kind) for kind in table.index_types]
    parts = [(c.fn(a), indexer(kind), size, a.place, c.in_the_open(a))
             for a, kind, size in zip(e.args, table.index_types, sizes, strict=True)]

    def look(rt: Core) -> Any:
        place = 0
        for part, number, size, where, told in parts:
            x = part(rt)
            if x is None:
                return None
            i = number(x)
            if not 0 <= i < size:
                raise fault(where, "no-such-entry", f"`{table.name}` has no entry {f'at {x}' if told else 'there'}")
            place = place * size + i
        return values[place]

    if len(parts) == 1 and lowest_of(table.index_types[0]) == 0 and contains(table.index_types[0], e.args[0].type):
        only = parts[0][0]
        return lambda rt: values[only(rt)]
    return look
