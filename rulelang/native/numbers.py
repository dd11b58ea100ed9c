"""Values of the rules as rows of 64-bit numbers, in which C and Python exchange them."""

from __future__ import annotations

from typing import Any

from rulelang.engine.values import all_values
from rulelang.model.types import BagOf, DeckOf, SetOf, Switch, Type, size_of
from rulelang.native.shapes import set_shape

NO_VALUE = -(1 << 63)
MASK = (1 << 64) - 1


def read_choice(kind: Any, out: Any, at: int) -> tuple[Any, int]:
    """A choice as the interpreter holds it, and where the next begins."""
    if kind == "num":
        return (None if out[at] == NO_VALUE else out[at]), at + 1
    if isinstance(kind, BagOf):
        n = size_of(kind.of)
        return tuple(out[at + i] for i in range(n)), at + n
    words = set_shape(kind).words
    return sum((out[at + i] & MASK) << 64 * i for i in range(words)), at + words


def typed(value: Any, domain: Type, kind: Any) -> Any:
    """A choice's value as the interpreter holds it."""
    if kind == "num" and value is not None:
        of = getattr(domain, "of", domain)
        if isinstance(of, Switch) or isinstance(getattr(of, "of", None), Switch):
            return bool(value)
    return value


def written(kind: Any, value: Any) -> list[int]:
    """A choice as 64-bit numbers."""
    if kind == "num":
        return [NO_VALUE if value is None else int(value)]
    if isinstance(kind, BagOf):
        return list(value)
    return [int(value) >> 64 * i & MASK for i in range(set_shape(kind).words)]


def held_value(kind: Type, out: Any, at: int) -> tuple[Any, int]:
    """A value of the state as the interpreter holds it."""
    if isinstance(kind, (SetOf, BagOf)):
        return read_choice(kind, out, at)
    if isinstance(kind, DeckOf):
        n = out[at]
        table = all_values(kind.of)
        return tuple(table[table.index(out[at + 1 + i])] for i in range(n)), at + 1 + kind.most
    value = None if out[at] == NO_VALUE else out[at]
    if value is not None and (isinstance(kind, Switch) or isinstance(getattr(kind, "of", None), Switch)):
        value = bool(value)
    return value, at + 1


def ranked(value: int, switch: bool) -> Any:
    """A value that a game ranks by."""
    if value == NO_VALUE:
        return None
    return bool(value) if switch else value
