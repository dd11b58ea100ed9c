"""Counts of positions that others have published: `counts.toml` has them with their sources."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import fen
import pytest
from compiled import compiled

from rulelang.engine import State
from rulelang.loading import Ruleset, load
from rulelang.native.state import NativeState
from rulelang.proving.perft import count

Begin = Callable[[dict[str, Any]], NativeState]

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
    """The count of a case by the interpreter; `by result` takes moves that lead to the same position for one."""
    return different(start(case), depth) if case.get("by result") else count(start(case), depth).nodes


def different(state: State, depth: int) -> int:
    """How many ways there are to go on, if moves with the same result are one."""
    if state.over:
        return 0
    results = {after.key(history=False): after for after in following(state)}.values()
    return len(results) if depth == 1 else sum(different(after, depth - 1) for after in results)


def depths(first: str | None, last: str | None, results: bool | None = None) -> list[Any]:
    """The cases with their depths beyond those that one entry says, as far as another says; `results` only those that
    are counted by result, or only the others."""
    return [pytest.param(case, depth, case["counts"][depth - 1], id=f"{case['game']} {case.get('name', '')} {depth}")
            for case in CASES if results is None or case.get("by result", False) == results
            for depth in range(1 + case.get(first, case["now"]) if first else 1,
                               1 + (case.get(last, 0) if last else len(case["counts"])))]


@pytest.mark.parametrize(("case", "depth", "nodes"), depths(None, "now"))
def test_published_counts(case: dict[str, Any], depth: int, nodes: int) -> None:
    assert counted(case, depth) == nodes


@pytest.mark.slow
@pytest.mark.parametrize(("case", "depth", "nodes"), depths("now", None, results=True))
def test_deeper_counts_by_result(case: dict[str, Any], depth: int, nodes: int) -> None:
    assert counted(case, depth) == nodes


@pytest.fixture(scope="module")
def begin(tmp_path_factory: pytest.TempPathFactory) -> Begin:
    """Where each case begins, in the native engine."""
    fens = [case["fen"] for case in CASES if "fen" in case]
    several = fen.written(fens, tmp_path_factory.mktemp("positions"))

    def state(case: dict[str, Any]) -> NativeState:
        if "fen" not in case:
            return compiled(rules_of(case["game"])).start()
        found = compiled(several).start(ask_chance=True)
        found.resolve(1 + fens.index(case["fen"]))
        return found

    return state


@pytest.mark.parametrize(("case", "depth", "nodes"), depths("now", "compiled", results=False))
def test_counts_by_the_native_engine(case: dict[str, Any], depth: int, nodes: int, begin: Begin) -> None:
    assert begin(case).perft(depth) == nodes


@pytest.mark.slow
@pytest.mark.parametrize(("case", "depth", "nodes"), depths("compiled", None, results=False))
def test_deeper_counts_by_the_native_engine(
        case: dict[str, Any], depth: int, nodes: int, begin: Begin) -> None:
    assert begin(case).perft(depth) == nodes


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
