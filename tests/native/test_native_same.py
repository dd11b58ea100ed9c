"""The native engine plays the same game as the interpreter, move for move and state for state, on every rules file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from native_engines import FILES, QUICK, engine_of, varied, work_of
from native_same import same_games, same_playouts, same_stretches

from rulelang.loading import load
from rulelang.native.engine import NativeEngine
from rulelang.native.passes import ALL

MANY_PLIES = 10_000_000                 # of the slow mode, in all


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_same_game(path: Path, cache: Path) -> None:
    engine = engine_of(load(path), None, cache)
    assert same_games(engine, games=2, most=60) > 0
    same_playouts(engine, games=1, most=40)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_same_in_hundreds_of_games(path: Path, cache: Path) -> None:
    assert same_stretches(engine_of(load(path), None, cache), games=300, most=4) > 300


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_same_as_somebody_might_set_it_up(path: Path, cache: Path) -> None:
    for seed in range(2):
        same_games(engine_of(*varied(path, seed), cache), games=4, most=30)


@pytest.mark.slow
@pytest.mark.parametrize("half", [0, 1])
def test_same_in_ten_million_plies(half: int, cache: Path) -> None:
    """Round by round each game gets the same work, set up in another way each time: few plies where moves are many."""
    plies = number = 0
    while plies < MANY_PLIES // 2:
        for path in FILES[half::2]:
            with suppress(pytest.skip.Exception):
                engine = engine_of(*varied(path, 1000 + number), cache)
                listed = work_of(engine)
                plies += same_games(engine, games=4, most=2_000_000 // listed, first=number)
                plies += same_stretches(engine, games=300, most=max(2, 5_000 // listed), first=number)
        number += 1
        print(f"{plies:,} plies in {number} rounds", flush=True)


@pytest.mark.parametrize("name", [
    "layers", "masks", "common", "families", "preimages", "slides", "closures", "pairs", "kinds", "conserved"])
def test_every_pass_can_be_off(name: str, cache: Path) -> None:
    for game in ("english_draughts", "gomoku", "reversi", "go", "blox"):
        rules = load(game)
        engine = NativeEngine(rules.machine(), ALL.without(name), extra=QUICK, folder=cache)
        engine._interpreter = rules.interpreter()
        same_games(engine, games=1, most=30)
