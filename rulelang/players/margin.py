"""How well a seat stands, by the rank that the rules declare: its lead over the best of the others.

A margin is a tuple, compared from its first entry: whether the game is won (1), lost (-1) or neither (0), then the
lead in each thing that counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulelang.engine import State

Margin = tuple[float, ...]


def margin(state: State, seat: int) -> Margin:
    """The lead of a seat in a position."""
    mine = state.rank_values(seat)
    others = [state.rank_values(other) for other in rivals(state, seat)]
    best: Sequence[Any] = max(others) if others else (0,) * len(mine)
    return (_outcome(state, seat), *(float(a - b) for a, b in zip(mine, best, strict=True)))


def rivals(state: State, seat: int) -> list[int]:
    """The seats that are not on a seat's side."""
    team = next((team for team in state.game.teams if seat in team), (seat,))
    return [other for other in range(len(state.game.seats)) if other not in team]


def _outcome(state: State, seat: int) -> float:
    result = state.result
    if result is None or result.unfinished or result.tie or len(state.game.seats) == 1:
        return 0.0
    return 1.0 if seat in result.winners else -1.0


def mean(before: Margin, one: Margin, count: int) -> Margin:
    """The average of `count` margins, with one more."""
    if not count:
        return one
    return tuple((a * count + b) / (count + 1) for a, b in zip(before, one, strict=True))


def best_of(margins: Sequence[Margin]) -> list[int]:
    """Which of several are the highest."""
    highest = max(margins)
    return [number for number, one in enumerate(margins) if one == highest]
