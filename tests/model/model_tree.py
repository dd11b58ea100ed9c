"""Everything in a checked game, node by node: what must hold of every game that has no faults."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from rulelang.model import ir
from rulelang.model.convert import MOST_IN_A_SET
from rulelang.model.game import Game
from rulelang.model.ir import E, S
from rulelang.model.types import BagOf, SetOf, Wrong, size_of

# the operations that ir.py lists: in its own text those of expressions, in that of `S` those of statements
OF_EXPRESSIONS = set(re.findall(r"[a-z_0-9]+", ir.__doc__ or ""))
OF_STATEMENTS = set(re.findall(r"[a-z_]+", ir.S.__doc__ or ""))


def nodes(thing: object) -> Iterator[E | S]:
    """All expressions and statements in a part of a game, at every depth."""
    if isinstance(thing, (E, S)):
        yield thing
    if isinstance(thing, (tuple, list, frozenset)):
        for part in thing:
            yield from nodes(part)
    elif isinstance(thing, dict):
        for part in thing.values():
            yield from nodes(part)
    elif is_dataclass(thing) and type(thing).__module__.startswith("rulelang.model"):
        for field in fields(thing):
            yield from nodes(getattr(thing, field.name))


def assert_sound(game: Game) -> None:
    """No part of the game stands for a fault, each operation is one that is listed, each local is bound."""
    for node in nodes(game):
        if isinstance(node, E):
            assert not isinstance(node.type, Wrong), node
            assert node.op in OF_EXPRESSIONS, node
            if isinstance(node.type, (SetOf, BagOf)):
                assert size_of(node.type.of) <= MOST_IN_A_SET, node
            if node.op == "local":
                assert 0 <= node.data < game.slots, node
            if node.op == "get":
                assert len(node.args) == len(game.variables[node.data].index_types), node
        else:
            assert node.op in OF_STATEMENTS, node
