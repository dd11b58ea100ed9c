"""From texts to values: the inverse of `model.types.show`, forgiving about case and spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from rulelang.engine.faults import ChanceError
from rulelang.engine.values import all_values, indexer
from rulelang.model.types import BagOf, DeckOf, ListOf, Maybe, Record, SetOf, Type, empty_of, is_scalar, show, size_of


def plain(text: str) -> str:
    """A text without differences of case and spaces."""
    return " ".join(text.split()).casefold()


@lru_cache(maxsize=4096)
def spellings(kind: Type) -> dict[str, Any]:
    """The values of a scalar type by how they are written."""
    found: dict[str, Any] = {}
    for value in all_values(kind):
        found.setdefault(plain(show(kind, value)), value)
    record = kind.of if isinstance(kind, Maybe) else kind
    if isinstance(record, Record):                            # as rules files write it, too: Card(two, clubs)
        for text, value in list(found.items()):
            if value is not None:
                found.setdefault(f"{plain(record.name)}({', '.join(text.split())})", value)
    return found


@lru_cache(maxsize=4096)
def _longest_first(kind: Type) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(spellings(kind).items(), key=lambda pair: -len(pair[0])))


def beginnings(kind: Type, text: str) -> Iterator[tuple[Any, str]]:
    """Every way in which a (plain) text begins with a value: the value, and the rest of the text."""
    if isinstance(kind, Maybe) and not is_scalar(kind):
        yield from beginnings(kind.of, text)
        return
    if is_scalar(kind):
        if size_of(kind) > 256:
            for cut in range(len(text), 0, -1):
                if text[:cut] in spellings(kind):
                    yield spellings(kind)[text[:cut]], text[cut:]
            return
        for word, value in _longest_first(kind):
            if text.startswith(word):
                yield value, text[len(word):]
        return
    of = getattr(kind, "of", None)
    if not isinstance(of, Type) or not is_scalar(of):
        return
    yield from _joined(kind, of, text, [])


def _joined(kind: Type, of: Type, text: str, held: list[Any]) -> Iterator[tuple[Any, str]]:
    """Values joined by `+`."""
    for value, rest in beginnings(of, text):
        several = [*held, value]
        if rest.startswith("+"):
            yield from _joined(kind, of, rest[1:], several)
        yield collect(kind, several), rest


def collect(kind: Type, values: list[Any]) -> Any:
    """The collection of a type with these values in it."""
    if isinstance(kind, SetOf):
        number = indexer(kind.of)
        found = 0
        for value in values:
            if value is not None:
                found |= 1 << number(value)
        return found
    if isinstance(kind, BagOf):
        number = indexer(kind.of)
        bag = list(empty_of(kind))
        for value in values:
            bag[number(value)] += 1
        return tuple(bag)
    return tuple(values)


def parse_value(kind: Type, text: str) -> Any:
    """The value that a whole text means: `3`, `a1`, `player 2`, `red+red+blue`, `{red, blue}`."""
    words = plain(text)
    if isinstance(kind, (SetOf, BagOf, DeckOf, ListOf)):
        if words.startswith("{") and words.endswith("}") and is_scalar(kind.of):
            words = re.sub(r"\s*,\s*(?![^(]*\))", "+", words[1:-1].strip())
        if words in ("", "empty"):
            return empty_of(kind)
    for value, rest in beginnings(kind, words):
        if not rest.strip():
            return value
    raise ChanceError(f"`{text}` cannot come here")


__all__ = ["beginnings", "collect", "parse_value", "plain", "spellings"]
