"""Makers of closures for what goes through a collection: where, for, some, every, no, no two, first, last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.engine.compiler import Compiler, maker
from rulelang.engine.core import Core, Fn
from rulelang.engine.filters import Filter
from rulelang.engine.values import lowest_of, members, values_in
from rulelang.model.ir import TRUE, E
from rulelang.model.types import SetOf, Type, value_at

Walk = Callable[[Core], Any]


def filtered(c: Compiler, domain: E, where: E, slot: int) -> Walk:
    """The mask of a set's values that meet a condition."""
    held = c.fn(domain)
    assert isinstance(domain.type, SetOf)
    fixed, value = c.constant(where)
    if fixed and value:
        return held
    keep, _ = c.filters.make(where, slot, domain.type.of)
    return lambda rt: keep(rt, held(rt))


def walk(c: Compiler, domain: E, where: E, slot: int) -> Walk:
    """The values, one by one, of any collection that meet a condition, which is asked when each value's turn comes;
    of a set without one-by-one conditions, all at once before."""
    fixed, value = c.constant(where)
    all_of_it = fixed and bool(value)
    if isinstance(domain.type, SetOf) and c.filters.make(where, slot, domain.type.of)[1]:
        mask, spread = filtered(c, domain, where, slot), values_in(domain.type)
        return lambda rt: spread(mask(rt))
    held, values = c.fn(domain), values_in(domain.type)
    if all_of_it:
        return lambda rt: values(held(rt))
    asked = c.fn(where)

    def each(rt: Core) -> Any:
        s = rt.s
        for x in values(held(rt)):
            s[slot] = x
            if asked(rt):
                yield x

    return each


def _value_of(of: Type) -> Callable[[int], Any]:
    low = lowest_of(of)
    if low is not None:
        return (lambda i: i + low) if low else int
    return lambda i: value_at(of, i)


@maker("where")
def _where(c: Compiler, e: E) -> Fn:
    domain, condition = e.args
    if isinstance(domain.type, SetOf):
        return filtered(c, domain, condition, e.data)
    values = walk(c, domain, condition, e.data)
    return lambda rt: tuple(values(rt))


@maker("for")
def _for(c: Compiler, e: E) -> Fn:
    domain, condition, value = e.args
    slot = e.data
    values, made = walk(c, domain, condition, slot), c.fn(value)

    def collect(rt: Core) -> tuple[Any, ...]:
        s = rt.s
        found = []
        for x in values(rt):
            s[slot] = x
            y = made(rt)
            if y is not None:
                found.append(y)
        return tuple(found)

    return collect


@maker("some", "no")
def _some(c: Compiler, e: E) -> Fn:
    domain, where, condition = e.args
    slot = e.data
    wanted = e.op == "some"
    if isinstance(domain.type, SetOf):
        keep, whole = c.filters.make(condition, slot, domain.type.of)
        if whole:
            return _meets_any(filtered(c, domain, where, slot), keep, wanted)
        split = _split(c, condition, slot, domain.type.of)
        if split is not None:
            first, rest = split
            mask = filtered(c, domain, where, slot)
            return _search(lambda rt: first(rt, mask(rt)), values_in(domain.type), slot, c.fn(rest), wanted)
    values, asked = walk(c, domain, where, slot), c.fn(condition)
    return _search(values, None, slot, asked, wanted)


def _meets_any(mask: Walk, keep: Filter, wanted: bool) -> Fn:
    def some(rt: Core) -> bool:
        m = mask(rt)
        return m != 0 and keep(rt, m) != 0

    def no(rt: Core) -> bool:
        m = mask(rt)
        return m == 0 or keep(rt, m) == 0

    return some if wanted else no


def _search(values: Walk, spread: Callable[[Any], Any] | None, slot: int, asked: Fn, wanted: bool) -> Fn:
    def search(rt: Core) -> bool:
        s = rt.s
        for x in values(rt) if spread is None else spread(values(rt)):
            s[slot] = x
            if asked(rt):
                return wanted
        return not wanted

    return search


def _split(c: Compiler, condition: E, slot: int, of: Type) -> tuple[Filter, E] | None:
    """A condition joined by `and` as a first part that is answered at once, and the rest."""
    condition = c.simple(condition)
    if condition.op != "and":
        return None
    count = 0
    while count < len(condition.args) and c.filters.make(condition.args[count], slot, of)[1]:
        count += 1
    if count in (0, len(condition.args)):
        return None

    def joined(parts: tuple[E, ...]) -> E:
        return parts[0] if len(parts) == 1 else E("and", condition.type, parts, None, condition.place)

    return c.filters.make(joined(condition.args[:count]), slot, of)[0], joined(condition.args[count:])


@maker("every")
def _every(c: Compiler, e: E) -> Fn:
    domain, where, condition = e.args
    slot = e.data
    if isinstance(domain.type, SetOf):
        keep, whole = c.filters.make(condition, slot, domain.type.of)
        if whole:
            mask = filtered(c, domain, where, slot)

            def at_once(rt: Core) -> bool:
                m = mask(rt)
                return bool(keep(rt, m) == m)

            return at_once
    values, asked = walk(c, domain, where, slot), c.fn(condition)

    def every(rt: Core) -> bool:
        s = rt.s
        for x in values(rt):
            s[slot] = x
            if not asked(rt):
                return False
        return True

    return every


@maker("no_two")
def _no_two(c: Compiler, e: E) -> Fn:
    domain, key = e.args[0], e.args[-1]
    where = e.args[1] if len(e.args) == 3 else TRUE
    slot = e.data
    values, made = walk(c, domain, where, slot), c.fn(key)

    def no_two(rt: Core) -> bool:
        s = rt.s
        seen = set()
        for x in values(rt):
            s[slot] = x
            y = made(rt)
            if y in seen:
                return False
            seen.add(y)
        return True

    return no_two


@maker("first", "last")
def _first(c: Compiler, e: E) -> Fn:
    domain, condition = e.args
    slot = e.data
    lowest = e.op == "first"
    if isinstance(domain.type, SetOf):
        of = domain.type.of
        keep, whole = c.filters.make(condition, slot, of)
        value = _value_of(of)
        held = c.fn(domain)
        if whole:
            def at_once(rt: Core) -> Any:
                m = keep(rt, held(rt))
                if not m:
                    return None
                return value((m & -m if lowest else m).bit_length() - 1)

            return at_once
        asked = c.fn(condition)

        def search(rt: Core) -> Any:
            s = rt.s
            numbers = members(held(rt))
            for i in numbers if lowest else reversed(numbers):
                s[slot] = x = value(i)
                if asked(rt):
                    return x
            return None

        return search
    held, values, asked = c.fn(domain), values_in(domain.type), c.fn(condition)

    def ordered(rt: Core) -> Any:
        s = rt.s
        many = list(values(held(rt)))
        for x in many if lowest else reversed(many):
            s[slot] = x
            if asked(rt):
                return x
        return None

    return ordered
