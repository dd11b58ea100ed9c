"""Layers as sets: where a variable over cells holds a value, one of several, or a part of one.

A layer has a set for each value, for each value of each part of a record, or one for a switch (see `storage`); what is
asked of it here is one of these sets, or few of them joined.
"""

from __future__ import annotations

from typing import Any

from rulelang.engine.values import contains
from rulelang.model.ir import E
from rulelang.model.types import Maybe, Named, Switch, Type
from rulelang.native.emitter import Emitter, inside
from rulelang.native.shapes import SetShape, index_text
from rulelang.native.storage import Store
from rulelang.native.text import Fn


def layer(x: Emitter, var: int, of: Type) -> Store | None:
    """The store of a variable that is a layer over the values of a type."""
    store = x.stores[var]
    if not store.boards or not alike(store.field.index_types[0], of):
        return None
    return store


def alike(one: Type, other: Type) -> bool:
    """Whether equal bits stand for equal values of both types."""
    if one == other:
        return True
    if isinstance(one, Named) and isinstance(other, Named):
        return one.members == other.members
    return False


def holding(x: Emitter, fn: Fn, store: Store, other: E) -> str:
    """Where a layer holds a value."""
    shape, held = store.shape, f"{fn.state}->{store.name}"
    fixed, value = x.c.constant(other)
    if isinstance(store.kind, Switch):
        on = f"{held}_on"
        if fixed:
            return shape.zero if value is None else on if value else shape.inverse(on)
        return shape.choose(x.value(fn, other), on, shape.inverse(on))
    if store.parts:
        if fixed:
            if value is None:
                return f"{held}_none" if store.maybe else shape.zero
            return _record(store, held, int(value))
        v = fn.atom("num", x.value(fn, other))
        found = ""
        for suffix, divisor, size in store.parts:
            one = f"{held}_{suffix}[{v} / {divisor} % {size}]"
            found = shape.both(found, one) if found else one
        none = f"{held}_none" if store.maybe else shape.zero
        return shape.choose(f"{v} == NONE", none, found)
    if fixed:
        if value is None:
            return f"{held}_is[{store.values}]" if store.maybe else shape.zero
        at = int(value) - store.low
        return f"{held}_is[{at}]" if 0 <= at < store.values else shape.zero
    v = fn.atom("num", x.value(fn, other))
    if inside(store.kind, other):
        return f"{held}_is[{index_text(store.kind, v)}]"
    place = v if store.low == 0 else f"({v} - ({store.low}))"
    if isinstance(other.type, Maybe) and contains(store.inner, other.type.of):
        return shape.choose(f"{v} == NONE", shape.zero, f"{held}_is[{place}]")
    test = shape.choose(f"(u64)(i64){place} < {store.values}u", f"{held}_is[{place}]")
    return shape.choose(f"{v} == NONE", f"{held}_is[{store.values}]", test) if store.maybe else test


def _record(store: Store, held: str, value: int) -> str:
    found = ""
    for suffix, divisor, size in store.parts:
        one = f"{held}_{suffix}[{value // divisor % size}]"
        found = store.shape.both(found, one) if found else one
    return found


def part_holding(x: Emitter, fn: Fn, store: Store, about: E, other: E) -> str | None:
    """Where a part of what a layer holds is a value."""
    divisor, size, offset = about.data
    suffix = next((name for name, d, n in store.parts if (d, n) == (divisor, size)), None)
    if suffix is None:
        return None
    shape, held = store.shape, f"{fn.state}->{store.name}"
    none = f"{held}_none" if store.maybe else shape.zero
    fixed, value = x.c.constant(other)
    if fixed:
        if value is None:
            return none
        at = int(value) - offset
        return f"{held}_{suffix}[{at}]" if 0 <= at < size else shape.zero
    v = fn.atom("num", x.value(fn, other))
    at_text = v if not offset else f"({v} - ({offset}))"
    part_type = about.type.of if isinstance(about.type, Maybe) else about.type
    plain = f"{held}_{suffix}[{at_text}]"
    other_inner = other.type.of if isinstance(other.type, Maybe) else other.type
    if not contains(part_type, other_inner):
        plain = shape.choose(f"(u64)(i64){at_text} < {size}u", plain)
    return shape.choose(f"{v} == NONE", none, plain) if isinstance(other.type, Maybe) else plain


def value_board(store: Store, held: str, value: Any) -> str:
    """Where a layer holds a value that is known."""
    if isinstance(store.kind, Switch):
        return f"{held}_on" if value else store.shape.inverse(f"{held}_on")
    if store.parts:
        return f"{held}_none" if value is None else _record(store, held, value)
    return f"{held}_is[{store.values if value is None else value - store.low}]"


def union_of(store: Store, held: str, wanted: list[Any], values: list[Any]) -> str:
    """Where a layer holds one of the wanted values, out of all that it may hold."""
    shape = store.shape
    if not wanted:
        return shape.zero
    if len(wanted) == len(values):
        return shape.const(shape.every)
    if store.parts:
        for suffix, divisor, size in store.parts:
            chosen = {v // divisor % size for v in wanted if v is not None}
            if {v for v in values if v is not None and v // divisor % size in chosen} == {v for v in wanted if v is not None}:
                boards = [f"{held}_{suffix}[{n}]" for n in sorted(chosen)]
                others = [f"{held}_{suffix}[{n}]" for n in range(size) if n not in chosen]
                if None in wanted:
                    boards.append(f"{held}_none")
                elif store.maybe:
                    others.append(f"{held}_none")
                return _fewer(shape, boards, others)
    yes = [value_board(store, held, v) for v in wanted]
    no = [value_board(store, held, v) for v in values if v not in wanted]
    return _fewer(shape, yes, no)


def part_board(store: Store, held: str, wanted: list[Any], every: list[Any]) -> str | None:
    """The set of a layer that tells some values from the others of a few, if one does."""
    for suffix, divisor, size in store.parts:
        for n in range(size):
            if [v for v in every if v is not None and v // divisor % size == n] == wanted:
                return f"{held}_{suffix}[{n}]"
    return None


def _fewer(shape: SetShape, yes: list[str], no: list[str]) -> str:
    """The union of the first, or what is left by the second."""
    parts = yes if len(yes) <= len(no) + 1 else no
    found = parts[0] if parts else shape.zero
    for other in parts[1:]:
        found = shape.union(found, other)
    return found if parts is yes else shape.inverse(found)
