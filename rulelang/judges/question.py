"""What a judge model is asked, and what a model is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulelang.boards.board import Board
from rulelang.boards.shapes import Shape
from rulelang.source.diagnostic import RulelangError


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """The question of a `judge` statement: `args` are what the rules file gives to the model, in order.

    An argument that is a layer (a state variable with an index, without it: `cube`) is the tuple of its values in the
    order of its index, so for a layer of cells in the board's order: a shape's index or None, a bool for a switch, an
    int for a number. All other arguments are single values. `shape_cells` are the cubes of the shapes, by name, in
    the order of their indices.
    """

    args: tuple[Any, ...]
    board: Board | None = None
    shape_cells: Mapping[str, Shape] = field(default_factory=dict)


Model = Callable[[JudgeQuestion], float]
"""A model answers with the chance, from 0 to 1, that the answer is yes. It may have a method `describe(question)` too,
which says in a few words what lies behind its answer: people are told it at the table and by `explain`."""


class JudgeError(RulelangError):
    """A model cannot be had, or cannot answer what it is asked."""


def chance_of_yes(model: Model, question: JudgeQuestion) -> float:
    """A model's answer, refused if it is no chance."""
    chance = float(model(question))
    if not 0.0 <= chance <= 1.0:
        raise JudgeError(f"a judge must answer with a chance from 0 to 1, not with {chance}")
    return chance
