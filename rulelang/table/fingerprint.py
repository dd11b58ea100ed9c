"""A number for a set of rules, by which a saved game knows whether they have changed since.

Only what can change a game counts: not places, comments or the order of files, and none of the sections that only
tell of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from rulelang.syntax.trees import Branch, DataList, Leaf, Rule, Syntax

_TELLING = frozenset({"rulelang", "sources", "assume", "view", "examples", "variants", "include", "extends"})


def fingerprint(document: Branch) -> str:
    """The sha256 of merged rules, in hexadecimal digits."""
    digest = sha256()
    for entry in document:
        if entry.name not in _TELLING:
            for piece in _pieces(entry.item):
                digest.update(piece.encode())
                digest.update(b"\0")
            digest.update(entry.name.encode() + b"\1")
    return digest.hexdigest()


def _pieces(item: Any) -> Iterator[str]:
    """The tree as a row of texts that can be told apart again: brackets, kinds and values."""
    match item:
        case Branch():
            yield "{"
            for entry in item:
                yield entry.name
                yield from _pieces(entry.signature)
                yield from _pieces(entry.item)
            yield "}"
        case Leaf():
            yield f"={item.kind}"
            yield from _pieces(item.value)
        case Rule():
            yield "<"
            for clause in item.clauses:
                yield clause.name
                yield from _pieces(clause.statement)
            yield ">"
        case DataList():
            yield "["
            for one in item.items:
                yield from _pieces(one)
            yield "]"
        case Syntax():
            yield f"({item.kind}"
            for part in item.parts:
                yield from _pieces(part)
            yield ")"
        case tuple() | list():
            yield "("
            for part in item:
                yield from _pieces(part)
            yield ")"
        case _:
            yield repr(item)
