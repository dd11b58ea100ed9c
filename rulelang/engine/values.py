"""Small tools for values as they are held: members of sets, and going through any collection."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulelang.model.types import BagOf, DeckOf, ListOf, Maybe, Named, Number, Record, SetOf, Switch, Type, size_of

_MEMBERS: dict[int, tuple[int, ...]] = {0: ()}
_MOST_KEPT = 100_000


def members(mask: int) -> tuple[int, ...]:
    """The numbers of the bits that are set, lowest first. Kept, since the same sets come again and again."""
    found = _MEMBERS.get(mask)
    if found is None:
        rest, several = mask, []
        while rest:
            low = rest & -rest
            several.append(low.bit_length() - 1)
            rest ^= low
        found = tuple(several)
        if len(_MEMBERS) > _MOST_KEPT:
            _MEMBERS.clear()
            _MEMBERS[0] = ()
        _MEMBERS[mask] = found
    return found


def lowest_of(kind: Type) -> int | None:
    """What is added to an index to give the value of a scalar type; None where that is not all there is to it."""
    if isinstance(kind, Number):
        return kind.low
    return 0 if isinstance(kind, (Named, Record)) else None


def values_in(kind: Type) -> Callable[[Any], Iterable[Any]]:
    """How to go through the values of a collection of that type, in order."""
    if isinstance(kind, SetOf):
        of = kind.of
        low = lowest_of(of)
        if low == 0:
            return members
        if low is not None:
            return lambda mask: [i + low for i in members(mask)]
        if isinstance(of, Switch):
            return lambda mask: [bool(i) for i in members(mask)]
        table = all_values(of)
        return lambda mask: [table[i] for i in members(mask)]
    if isinstance(kind, BagOf):
        table = all_values(kind.of)
        return lambda bag: [table[i] for i, n in enumerate(bag) for _ in range(n)]
    return tuple


def all_values(kind: Type) -> tuple[Any, ...]:
    """The values of a scalar type by index."""
    if isinstance(kind, Switch):
        return (False, True)
    if isinstance(kind, Number):
        return tuple(range(kind.low, kind.high + 1))
    if isinstance(kind, Maybe):
        return (*all_values(kind.of), None)
    return tuple(range(size_of(kind)))


def indexer(kind: Type) -> Callable[[Any], int]:
    """How to get the index of a value of a scalar type."""
    if isinstance(kind, Number):
        low = kind.low
        return (lambda value: value - low) if low else int
    if isinstance(kind, Maybe):
        inner, last = indexer(kind.of), size_of(kind.of)
        return lambda value: last if value is None else inner(value)
    return int


def fits(kind: Type, value: Any) -> bool:
    """Whether a held value is one of a type: within its range, and no more than it may hold."""
    match kind:
        case Number(low, high):
            return value is not None and low <= value <= high
        case Maybe(of):
            return value is None or fits(of, value)
        case BagOf(_, most):
            return sum(value) <= most and min(value, default=0) >= 0
        case DeckOf(_, most):
            return len(value) <= most
        case SetOf(of):
            return bool(0 <= value < 1 << size_of(of))
        case Switch() | Named() | Record():
            return value is not None and 0 <= value < size_of(kind)
    return True


def size_of_value(kind: Type, value: Any) -> int | None:
    """How many a collection holds; None for what is no collection, or has not begun yet."""
    if value is None:
        return None
    match kind:
        case SetOf():
            return int(value).bit_count()
        case BagOf():
            return int(sum(value))
        case DeckOf() | ListOf():
            return len(value)
    return None


def is_container(kind: Type) -> bool:
    """Whether a variable of the type holds several values."""
    return isinstance(kind, (SetOf, BagOf, DeckOf, ListOf))


def contains(outer: Type, inner: Type) -> bool:
    """Whether every value of `inner` is one of `outer`, held alike, so that a write need not be tested."""
    if outer == inner:
        return not isinstance(outer, (BagOf, DeckOf))
    match outer, inner:
        case Number(), Number():
            return outer.low <= inner.low and inner.high <= outer.high
        case Maybe(), Maybe():
            return contains(outer.of, inner.of)
        case Maybe(), _:
            return contains(outer.of, inner)
        case Named(), Named():
            return outer.members[:len(inner.members)] == inner.members
        case SetOf(), SetOf():
            return contains(outer.of, inner.of) and lowest_of(outer.of) == lowest_of(inner.of)
    return False
