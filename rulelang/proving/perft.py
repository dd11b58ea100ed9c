"""Perft: how many ways a game can go in so many steps.

A step is one thing that branches: a move (a chain of them is one), one value that chance may give, one seat's choice
where several choose at once, or an answer of the table
(of a model only what it may answer). A position where the game is over has no further steps.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from rulelang.engine import State

Step = tuple[str, Callable[[State], object]]
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


def steps(state: State) -> list[Step]:
    """Everything that may happen next: what it is called, and how to let it happen."""
    if state.over:
        return []
    if state.question is not None:
        yes = state.model_chance()
        return [(word, _answering(answer)) for word, answer, chance in
                (("yes", True, yes), ("no", False, None if yes is None else 1 - yes)) if chance != 0]
    if state.waits_for == "chance":
        return [(state.outcome_text(value), _resolving(value)) for value, _ in state.outcomes()]
    if not state.to_act:
        return []
    seat = state.to_act[0]
    return [(move.text, _playing(move, seat)) for move in state.moves(seat)]


def count(state: State, depth: int, found: Count | None = None, tick: Tick | None = None) -> Count:
    """Count the ends at a depth. `found` is filled as it goes, `tick` called now and then with it."""
    found = found if found is not None else Count(depth)
    began = time.perf_counter()
    try:
        if depth == 0:
            found.nodes = 1
        for name, happen in steps(state) if depth else ():
            before = found.nodes
            if depth == 1:
                found.nodes += 1
            else:
                _walk(_after(state, happen), depth - 1, found, tick)
            found.divided[name] = found.divided.get(name, 0) + found.nodes - before
        found.complete = True
    finally:
        found.seconds = time.perf_counter() - began
    return found


def _walk(state: State, depth: int, found: Count, tick: Tick | None) -> None:
    listed = steps(state)
    if depth == 1:
        found.nodes += len(listed)
        if tick is not None:
            tick(found)
        return
    for _, happen in listed:
        _walk(_after(state, happen), depth - 1, found, tick)


def _after(state: State, happen: Callable[[State], object]) -> State:
    after = state.copy()
    happen(after)
    return after


def _answering(yes: bool) -> Callable[[State], object]:
    return lambda after: after.answer(yes)


def _resolving(value: object) -> Callable[[State], object]:
    return lambda after: after.resolve(value)


def _playing(move: object, seat: int) -> Callable[[State], object]:
    return lambda after: after.play(move, seat)  # type: ignore[arg-type]
