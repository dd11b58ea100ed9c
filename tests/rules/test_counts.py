"""Counts of positions that others have published: `counts.toml` has them with their sources."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import fen
import pytest

from rulelang.engine import State
from rulelang.loading import Ruleset, load
from rulelang.proving.perft import count

HERE = Path(__file__).parent
RULES = HERE.parents[1] / "rules"
CASES: list[dict[str, Any]] = tomllib.loads((HERE / "counts.toml").read_text(encoding="utf-8"))["counts"]


@cache
def rules_of(name: str) -> Ruleset:
    """The rules file of that name."""
    return load(RULES / f"{name}.rules")


def start(case: dict[str, Any]) -> State:
    """Where a case begins."""
    rules = rules_of(case["game"])
    return fen.position(rules, case["fen"]) if "fen" in case else rules.start()


def counted(case: dict[str, Any], depth: int) -> int:
    """The count of a case; `by result` takes moves that lead to the same position for one."""
    return different(start(case), depth) if case.get("by result") else count(start(case), depth).nodes


def different(state: State, depth: int) -> int:
    """How many ways there are to go on, if moves with the same result are one."""
    if state.over:
        return 0
    results = {after.key(history=False): after for after in following(state)}.values()
    return len(results) if depth == 1 else sum(different(after, depth - 1) for after in results)


def depths(slow: bool) -> list[Any]:
    """The cases with each of their depths that is counted now, or later."""
    return [pytest.param(case, depth, nodes, id=f"{case['game']} {case.get('name', '')} {depth}")
            for case in CASES for depth, nodes in enumerate(case["counts"], 1) if (depth > case["now"]) == slow]


@pytest.mark.parametrize(("case", "depth", "nodes"), depths(slow=False))
def test_published_counts(case: dict[str, Any], depth: int, nodes: int) -> None:
    assert counted(case, depth) == nodes


@pytest.mark.slow
@pytest.mark.parametrize(("case", "depth", "nodes"), depths(slow=True))
def test_deeper_published_counts(case: dict[str, Any], depth: int, nodes: int) -> None:
    assert counted(case, depth) == nodes


def test_noughts_and_crosses_as_a_whole() -> None:
    """255,168 games and 5,478 positions: S. Schaeffer, Mathematical Recreations, 2002, and many others."""
    known: dict[object, int] = {}

    def games(state: State) -> int:
        key = state.key(history=False)
        if key not in known:
            known[key] = 1 if state.over else sum(map(games, following(state)))
        return known[key]

    assert games(rules_of("tic_tac_toe").start()) == 255_168
    assert len(known) == 5_478


@pytest.mark.parametrize("plies", [pytest.param(5), pytest.param(8, marks=pytest.mark.slow)])
def test_positions_of_connect_four(plies: int) -> None:
    """The different positions after each disc: OEIS A212693, counted by J. Tromp and S. Edelkamp and P. Kissmann."""
    now = [rules_of("connect_four").start()]
    found = [1]
    for _ in range(plies):
        different = {after.key(history=False): after for state in now if not state.over for after in following(state)}
        now = list(different.values())
        found.append(len(now))
    assert found == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275][:plies + 1]


def following(state: State) -> list[State]:
    """The positions after each move."""
    found = []
    for move in state.moves():
        after = state.copy()
        after.play(move)
        found.append(after)
    return found
