"""Perft: how many ways a game can go in so many steps.

A step is one thing that branches: a move (a chain of them is one), one value that chance may give, one seat's choice
where several choose at once, or an answer of the table
(of a model only what it may answer). A position where the game is over has no further steps.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from rulelang.engine import Move, State
from rulelang.native.state import NativeState

Position = State | NativeState
Happen = Callable[[Any], object]
Step = tuple[str, Happen]
Tick = Callable[["Count"], None]


@dataclass(slots=True)
class Count:
    """A running count of one depth. `nodes` are the ends found so far, also after an interruption; `divided` says
    how many of them each first step leads to."""

    depth: int
    nodes: int = 0
    complete: bool = False
    divided: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0


def steps(state: Position) -> list[Step]:
    """Everything that may happen next: what it is called, and how to let it happen."""
    return [(name(), happen) for name, happen in _ways(state)]


def count(state: Position, depth: int, found: Count | None = None, tick: Tick | None = None, walked: int = 1) -> Count:
    """Count the ends at a depth. `found` is filled as it goes, `tick` called now and then with it. The native engine
    counts what follows after so many `walked` steps (at least one) in one go, during which nothing is told."""
    found = found if found is not None else Count(depth)
    began = time.perf_counter()
    try:
        if depth == 0:
            found.nodes = 1
        for name, happen in _ways(state) if depth else ():
            before = found.nodes
            if depth == 1:
                found.nodes += 1
            else:
                _walk(_after(state, happen), depth - 1, found, tick, walked - 1)
            found.divided[name()] = found.divided.get(name(), 0) + found.nodes - before
        found.complete = True
    finally:
        found.seconds = time.perf_counter() - began
    return found


def _ways(state: Position) -> list[tuple[Callable[[], str], Happen]]:
    """The steps, with names that are made when they are asked for."""
    if state.over:
        return []
    if isinstance(state, State) and state.question is not None:
        yes = state.model_chance()
        return [(partial(str, word), partial(_answer, answer)) for word, answer, chance in
                (("yes", True, yes), ("no", False, None if yes is None else 1 - yes)) if chance != 0]
    if state.waits_for == "chance":
        return [(partial(state.outcome_text, value), partial(_resolve, value)) for value, _ in state.outcomes()]
    if not state.to_act:
        return []
    seat = state.to_act[0]
    return [(partial(_text, move), partial(_play, move)) for move in state.moves(seat)]


def _walk(state: Position, depth: int, found: Count, tick: Tick | None, walked: int) -> None:
    if isinstance(state, NativeState) and walked <= 0:
        found.nodes += state.perft(depth)
    elif depth == 1:
        found.nodes += len(_ways(state))
    else:
        for _, happen in _ways(state):
            _walk(_after(state, happen), depth - 1, found, tick, walked - 1)
        return
    if tick is not None:
        tick(found)


def _after(state: Position, happen: Happen) -> Position:
    after = state.copy()
    happen(after)
    return after


def _text(move: Move) -> str:
    return move.text


def _answer(yes: bool, after: State) -> None:
    after.answer(yes)


def _resolve(value: Any, after: Position) -> None:
    after.resolve(value)


def _play(move: Move, after: Position) -> None:
    if isinstance(after, NativeState):
        after.make(move)
    else:
        after.play(move)
