"""The hand-written Blox of `benchmarks/blox.c` is the Blox of its rules file: as long, as many moves a turn."""

from __future__ import annotations

import shutil
import subprocess
from math import sqrt
from pathlib import Path

import pytest

from rulelang.loading import load
from rulelang.native.engine import NativeEngine

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "blox.c"
GAMES = 60
EVERY = 16                                      # moves are counted at every so many turns


def of_the_rules(engine: NativeEngine) -> tuple[list[int], list[float]]:
    """Of random playouts by the engine: their turns, and the mean number of legal moves in each."""
    turns, moves = [], []
    for seed in range(GAMES):
        state, drawn, number, counts = engine.start(seed=seed), 0, 0, []
        while not state.over:
            if number % EVERY == 0:
                counts.append(len(state.steps(state.to_act[0])))
            drawn = state.playout_step(seed, drawn)
            number += 1
        turns.append(number)
        moves.append(sum(counts) / len(counts))
    return turns, moves


def differs(sample: list[int] | list[float], mean: float, error: float) -> float:
    """How many standard errors the mean of a sample is from another mean."""
    own = sum(sample) / len(sample)
    square = sum((x - own) ** 2 for x in sample) / (len(sample) - 1) / len(sample)
    return abs(own - mean) / sqrt(square + error ** 2)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_blox_by_hand_is_blox(players: int, tmp_path: Path, cache: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    made = tmp_path / "blox"
    subprocess.run(["cc", "-O2", "-o", str(made), str(PROGRAM), "-lm"], check=True)
    done = subprocess.run([str(made), "0", str(players), "7", "1500"], check=True, capture_output=True, text=True)
    words = done.stdout.split()
    turns_at, moves_at, shares_at = (words.index(name) for name in ("turns", "moves", "shares"))
    turns, moves = of_the_rules(NativeEngine(load("blox").machine(players), folder=cache))
    assert differs(turns, float(words[turns_at + 1]), float(words[turns_at + 2])) < 4
    assert differs(moves, float(words[moves_at + 1]), float(words[moves_at + 2])) < 4
    shares = [float(word) for word in words[shares_at + 1:shares_at + 1 + players]]
    assert all(abs(share - 1 / players) < 4 * sqrt(1 / players / 1500) for share in shares)
