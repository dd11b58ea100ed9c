"""Makers of closures for sets, bags, decks and lists as wholes."""

from __future__ import annotations

from operator import ge
from typing import Any

from rulelang.engine.compiler import Compiler, maker
from rulelang.engine.core import Core, Fn
from rulelang.engine.faults import fault
from rulelang.engine.values import all_values, indexer, lowest_of, members, values_in
from rulelang.model.ir import E
from rulelang.model.types import BagOf, DeckOf, ListOf, Maybe, Number, SetOf, Type, size_of

Bag = tuple[int, ...]


def element(kind: Type) -> Type:
    """What a collection type holds."""
    if isinstance(kind, Maybe):
        kind = kind.of
    assert isinstance(kind, (SetOf, BagOf, DeckOf, ListOf)), kind
    return kind.of


@maker("in")
def _in(c: Compiler, e: E) -> Fn:
    value, held = c.fn(e.args[0]), c.fn(e.args[1])
    of = element(e.args[1].type)
    low = lowest_of(of)
    if low == 0 and not isinstance(of, Number):      # a number may lie outside the set's range, on either side
        def plain(rt: Core) -> bool:
            x = value(rt)
            return x is not None and bool(held(rt) >> x & 1)

        return plain
    number = indexer(of)
    size = size_of(of)

    def shifted(rt: Core) -> bool:
        x = value(rt)
        if x is None:
            return False
        i = number(x)
        return 0 <= i < size and bool(held(rt) >> i & 1)

    return shifted


@maker("in_bag")
def _in_bag(c: Compiler, e: E) -> Fn:
    value, held = c.fn(e.args[0]), c.fn(e.args[1])
    number = indexer(element(e.args[1].type))

    def in_bag(rt: Core) -> bool:
        x = value(rt)
        if x is None:
            return False
        bag, i = held(rt), number(x)
        return 0 <= i < len(bag) and bag[i] > 0

    return in_bag


@maker("in_list")
def _in_list(c: Compiler, e: E) -> Fn:
    value, held = c.fn(e.args[0]), c.fn(e.args[1])

    def in_list(rt: Core) -> bool:
        x = value(rt)
        return x is not None and x in held(rt)

    return in_list


@maker("within")
def _within(c: Compiler, e: E) -> Fn:
    a, b = c.fn(e.args[0]), c.fn(e.args[1])
    slot = c.local(e.args[0])
    if slot >= 0:
        return lambda rt: not rt.s[slot] & ~b(rt)
    return lambda rt: not a(rt) & ~b(rt)


@maker("meets")
def _meets(c: Compiler, e: E) -> Fn:
    a, b = c.fn(e.args[0]), c.fn(e.args[1])
    slot = c.local(e.args[0])
    if slot >= 0:
        return lambda rt: rt.s[slot] & b(rt) != 0
    return lambda rt: a(rt) & b(rt) != 0


@maker("holds")
def _holds(c: Compiler, e: E) -> Fn:
    a, b = c.fn(e.args[0]), c.fn(e.args[1])

    return lambda rt: all(map(ge, a(rt), b(rt)))


@maker("union")
def _union(c: Compiler, e: E) -> Fn:
    a, b = c.fn(e.args[0]), c.fn(e.args[1])
    return lambda rt: a(rt) | b(rt)


@maker("both")
def _both(c: Compiler, e: E) -> Fn:
    a, b = c.fn(e.args[0]), c.fn(e.args[1])
    return lambda rt: a(rt) & b(rt)


@maker("without")
def _without(c: Compiler, e: E) -> Fn:
    a, b = c.fn(e.args[0]), c.fn(e.args[1])
    return lambda rt: a(rt) & ~b(rt)


@maker("plus")
def _plus(c: Compiler, e: E) -> Fn:
    a, b = c.fn(e.args[0]), c.fn(e.args[1])
    return lambda rt: tuple([x + y for x, y in zip(a(rt), b(rt), strict=True)])


@maker("minus")
def _minus(c: Compiler, e: E) -> Fn:
    a, b = c.fn(e.args[0]), c.fn(e.args[1])
    return lambda rt: tuple([x - y if x > y else 0 for x, y in zip(a(rt), b(rt), strict=True)])


@maker("bag_both")
def _bag_both(c: Compiler, e: E) -> Fn:
    a, b = c.fn(e.args[0]), c.fn(e.args[1])
    return lambda rt: tuple([min(x, y) for x, y in zip(a(rt), b(rt), strict=True)])


@maker("deck_plus", "join_lists")
def _deck_plus(c: Compiler, e: E) -> Fn:
    a, b = c.fn(e.args[0]), c.fn(e.args[1])
    return lambda rt: tuple(a(rt)) + tuple(b(rt))


@maker("top")
def _top(c: Compiler, e: E) -> Fn:
    held, amount, place = c.fn(e.args[0]), c.fn(e.args[1]), e.place
    name, told = c.fields[e.args[0].data].name, c.in_the_open(e)

    def top(rt: Core) -> Any:
        deck, n = held(rt), max(0, amount(rt))
        if n > len(deck):
            what = f"{n} in `{name}`, but {len(deck)}" if told else f"so many in `{name}`"
            raise fault(place, "not-there", f"there are not {what}", f"ask first: `count of {name}`")
        return deck[:n]

    return top


@maker("set_of")
def _set_of(c: Compiler, e: E) -> Fn:
    parts, number = [c.fn(a) for a in e.args], indexer(element(e.type))

    def set_of(rt: Core) -> int:
        found = 0
        for part in parts:
            x = part(rt)
            if x is not None:
                found |= 1 << number(x)
        return found

    return set_of


@maker("bag_of")
def _bag_of(c: Compiler, e: E) -> Fn:
    of = element(e.type)
    parts, number, size = [c.fn(a) for a in e.args], indexer(of), size_of(of)

    def bag_of(rt: Core) -> Bag:
        found = [0] * size
        for part in parts:
            x = part(rt)
            if x is not None:
                found[number(x)] += 1
        return tuple(found)

    return bag_of


@maker("range")
def _range(c: Compiler, e: E) -> Fn:
    low, high, of = c.fn(e.args[0]), c.fn(e.args[1]), element(e.type)
    number, every = indexer(of), (1 << size_of(of)) - 1

    def span(rt: Core) -> int:
        a, b = number(low(rt)), number(high(rt))
        if b < a:
            return 0
        mask = (1 << b + 1) - 1
        return (mask >> a << a if a > 0 else mask) & every

    return span


@maker("copies")
def _copies(c: Compiler, e: E) -> Fn:
    amount, value, of = c.fn(e.args[0]), c.fn(e.args[1]), element(e.type)
    number, size = indexer(of), size_of(of)

    def copies(rt: Core) -> Bag:
        n, x = amount(rt), value(rt)
        found = [0] * size
        if x is not None:
            found[number(x)] = max(0, n)
        return tuple(found)

    return copies


@maker("one")
def _one(c: Compiler, e: E) -> Fn:
    value, number = c.fn(e.args[0]), indexer(element(e.type))

    def one(rt: Core) -> int:
        x = value(rt)
        return 0 if x is None else 1 << number(x)

    return one


@maker("one_bag")
def _one_bag(c: Compiler, e: E) -> Fn:
    of = element(e.type)
    value, number, size = c.fn(e.args[0]), indexer(of), size_of(of)

    def one_bag(rt: Core) -> Bag:
        found = [0] * size
        x = value(rt)
        if x is not None:
            found[number(x)] = 1
        return tuple(found)

    return one_bag


@maker("lift")
def _lift(c: Compiler, e: E) -> Fn:
    held, k = c.fn(e.args[0]), e.data
    every = (1 << size_of(element(e.type))) - 1
    if k >= 0:
        return lambda rt: held(rt) << k & every
    return lambda rt: held(rt) >> -k & every


@maker("cells")
def _cells(c: Compiler, e: E) -> Fn:
    line = c.fn(e.args[0])

    def cells(rt: Core) -> int:
        found = 0
        for cell in line(rt):
            found |= 1 << cell
        return found

    return cells


@maker("as_bag")
def _as_bag(c: Compiler, e: E) -> Fn:
    held, size = c.fn(e.args[0]), size_of(element(e.type))

    def as_bag(rt: Core) -> Bag:
        mask = held(rt)
        return tuple([mask >> i & 1 for i in range(size)])

    return as_bag


@maker("kinds")
def _kinds(c: Compiler, e: E) -> Fn:
    held = c.fn(e.args[0])

    def kinds(rt: Core) -> int:
        found = 0
        for i, n in enumerate(held(rt)):
            if n:
                found |= 1 << i
        return found

    return kinds


@maker("list_bag")
def _list_bag(c: Compiler, e: E) -> Fn:
    of = element(e.type)
    values, number, size = c.fn(e.args[0]), indexer(of), size_of(of)

    def list_bag(rt: Core) -> Bag:
        found = [0] * size
        for x in values(rt):
            if x is not None:
                found[number(x)] += 1
        return tuple(found)

    return list_bag


@maker("bag_list")
def _bag_list(c: Compiler, e: E) -> Fn:
    held, values = c.fn(e.args[0]), values_in(e.args[0].type)
    return lambda rt: tuple(values(held(rt)))


@maker("recode_set")
def _recode_set(c: Compiler, e: E) -> Fn:
    held, table = c.fn(e.args[0]), e.data

    def recode_set(rt: Core) -> int:
        found = 0
        for i in members(held(rt)):
            if table[i] is not None:
                found |= 1 << table[i]
        return found

    return recode_set


@maker("count")
def _count(c: Compiler, e: E) -> Fn:
    held = c.fn(e.args[0])
    kind = e.args[0].type
    if isinstance(kind, SetOf):
        return lambda rt: held(rt).bit_count()
    if isinstance(kind, BagOf):
        return lambda rt: sum(held(rt))
    return lambda rt: len(held(rt))


@maker("sum")
def _sum(c: Compiler, e: E) -> Fn:
    values = _numbers(c, e.args[0])
    return lambda rt: sum(values(rt))


@maker("highest", "lowest")
def _extreme(c: Compiler, e: E) -> Fn:
    values = _numbers(c, e.args[0])
    pick: Any = max if e.op == "highest" else min
    return lambda rt: pick(values(rt), default=None)


def _numbers(c: Compiler, e: E) -> Fn:
    """The numbers of a collection, one by one."""
    held, values = c.fn(e), values_in(e.type)
    if isinstance(e.type, BagOf):
        table = all_values(e.type.of)
        return lambda rt: [table[i] for i, n in enumerate(held(rt)) for _ in range(n)]
    return lambda rt: [x for x in values(held(rt)) if x is not None]
