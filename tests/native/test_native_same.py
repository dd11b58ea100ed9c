"""The native engine plays the same game as the interpreter, move for move and state for state, on every rules file."""

from __future__ import annotations

from pathlib import Path

import pytest
from native_engines import FILES, QUICK, engine_of
from native_same import same_games, same_playouts

from rulelang.loading import load
from rulelang.native.engine import NativeEngine
from rulelang.native.passes import ALL

SLOW_PLIES = 10_000_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_same_game(path: Path, cache: Path) -> None:
    engine = engine_of(load(path), None, cache)
    assert same_games(engine, games=2, most=60) > 0
    same_playouts(engine, games=1, most=40)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_same_for_all_players_variants_and_options(path: Path, cache: Path) -> None:
    plain = load(path)
    for players in plain.player_counts:
        same_games(engine_of(plain, players, cache), games=100, most=2000)
    for name, _ in plain.variants:
        varied = load(path, variants=[name])
        same_games(engine_of(varied, varied.player_counts[0], cache), games=20, most=2000, first=1000)


@pytest.mark.parametrize("name", [
    "layers", "masks", "common", "families", "preimages", "slides", "closures", "conserved"])
def test_every_pass_can_be_off(name: str, cache: Path) -> None:
    for game in ("english_draughts", "gomoku", "reversi", "go", "blox"):
        rules = load(game)
        engine = NativeEngine(rules.machine(), ALL.without(name), extra=QUICK, folder=cache)
        engine._interpreter = rules.interpreter()
        same_games(engine, games=1, most=30)
