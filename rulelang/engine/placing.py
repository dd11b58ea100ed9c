"""What is left of a place when something is taken out of it, and what is in it when something is put there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.model.types import BagOf, DeckOf, Maybe, SetOf, Type

NOT_THERE: Any = object()


def taker(kind: Type) -> Callable[[Any, Any], Any]:
    """What is left of a place of that type when something is taken; `NOT_THERE` if it is not all there."""
    if isinstance(kind, SetOf):
        return lambda held, part: NOT_THERE if part & ~held else held & ~part
    if isinstance(kind, BagOf):
        def from_bag(held: Any, part: Any) -> Any:
            left = tuple([x - y for x, y in zip(held, part, strict=True)])
            return NOT_THERE if min(left, default=0) < 0 else left

        return from_bag
    if isinstance(kind, DeckOf):
        def from_deck(held: Any, part: Any) -> Any:
            left = list(held)
            for x in part:
                if x not in left:
                    return NOT_THERE
                left.remove(x)
            return tuple(left)

        return from_deck
    return lambda held, part: None if held == part and isinstance(kind, Maybe) else NOT_THERE


def putter(kind: Type) -> Callable[[Any, Any], Any]:
    """What is in a place of that type when something is put there too."""
    if isinstance(kind, SetOf):
        return lambda held, part: held | part
    if isinstance(kind, BagOf):
        return lambda held, part: tuple([x + y for x, y in zip(held, part, strict=True)])
    if isinstance(kind, DeckOf):
        return lambda held, part: held + tuple(part)
    return lambda held, part: part
