"""Games whose every move is drawn at random: ours, OpenSpiel's and hand-written programs' have the same mean length and
the same shares of wins, within so many standard errors of the difference. All seeds are fixed."""

from __future__ import annotations

from functools import cache
from typing import Any

import playouts
import pytest
from playouts import DATA, Sample

MOST = 4.5              # in the 150 comparisons here chance alone exceeds it once in a thousand times
CASES = DATA["games"]
OTHERS = [pytest.param(case, other, id=f"{case['name']} {other}")
          for case in CASES for other in ("openspiel", "program") if other in case]


@cache
def ours(number: int, times: int, seed: int) -> Sample:
    """Playouts of ours, once for all that they are compared with."""
    return playouts.ours(CASES[number], times * CASES[number]["games"], seed)


def same(one: Sample, other: Sample) -> None:
    """Two samples may be of the same game."""
    for name, errors in playouts.apart(one, other):
        assert errors < MOST, f"{name}: {errors:.1f} standard errors apart\n{one}\n{other}"


@pytest.mark.parametrize(("case", "other"), OTHERS)
def test_playouts(case: dict[str, Any], other: str) -> None:
    same(ours(CASES.index(case), 1, 0), playouts.sample(case[other]))


@pytest.mark.slow
@pytest.mark.parametrize(("case", "other"), OTHERS)
def test_many_playouts(case: dict[str, Any], other: str) -> None:
    same(ours(CASES.index(case), 20, 1 << 20), playouts.sample(case[other]))


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_is_written_of_their_playouts(case: dict[str, Any]) -> None:
    pytest.importorskip("pyspiel")
    games = min(1000, case["openspiel"]["games"])
    same(playouts.sample(playouts.theirs(case, games, seed=1 << 20)), playouts.sample(case["openspiel"]))


def test_what_differs_is_told() -> None:
    """Neither games that are longer by a tenth nor wins that are changed over would pass."""
    case = next(case for case in CASES if case["name"] == "connect four")
    right = playouts.sample(case["openspiel"])
    wrong = [Sample(right.games, right.length * 1.1, right.error, right.wins, right.ties),
             Sample(right.games, right.length, right.error, right.wins[::-1], right.ties)]
    for one in wrong:
        with pytest.raises(AssertionError):
            same(one, right)
