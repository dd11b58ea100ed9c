"""Games in which every move is drawn at random, compared by their mean length and by who wins: ours, OpenSpiel's and
hand-written programs'. `playouts.toml` has what others found, with how it was found.

    python tests/rules/playouts.py [GAME …]    play OpenSpiel's games anew and print what `playouts.toml` says of them

What is compared needs no trace of the games, so it finds what games played side by side cannot: a move that is listed
twice, an outcome that comes too often.
"""

from __future__ import annotations

import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from compiled import compiled

from rulelang.loading import load
from rulelang.native.engine import NativeEngine

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DATA: dict[str, Any] = tomllib.loads((HERE / "playouts.toml").read_text(encoding="utf-8"))
BATCHES = 50
SECONDS = 15.0


@dataclass(frozen=True)
class Sample:
    """What so many games came to: their mean length in decisions and its standard error (None if the length is not
    comparable), in which share of them each seat was among the winners (nothing if results are not comparable), and in
    which all were even."""

    games: int
    length: float | None
    error: float
    wins: tuple[float, ...]
    ties: float


def sample(found: Mapping[str, Any]) -> Sample:
    """What the data says of a game."""
    games = found["games"]
    length = found.get("length")
    error = found.get("deviation", 0.0) / sqrt(games)
    return Sample(games, length, error, tuple(found.get("wins", ())), found.get("ties", 0.0))


def apart(one: Sample, other: Sample) -> Iterator[tuple[str, float]]:
    """By how many standard errors of the difference two samples of the same game lie apart, in each thing."""
    if one.length is not None and other.length is not None:
        error = sqrt(one.error ** 2 + other.error ** 2)
        yield "length", abs(one.length - other.length) / error if error else (one.length != other.length) * 99.0
    if not (one.wins and other.wins):
        return
    shares = [(f"wins of seat {seat}", *two) for seat, two in enumerate(zip(one.wins, other.wins, strict=True))]
    for name, a, b in [*shares, ("ties", one.ties, other.ties)]:
        share = (a * one.games + b * other.games) / (one.games + other.games)
        error = sqrt(share * (1 - share) * (1 / one.games + 1 / other.games))
        yield name, abs(a - b) / error if error else 0.0


# ------------------------------------------------------------------------------------------------ ours


def engine(case: Mapping[str, Any]) -> NativeEngine:
    """The native engine of a case."""
    rules = load(ROOT / f"{case['ours']}.rules", options=case.get("options", {}), variants=case.get("variants", ()))
    return compiled(rules, case.get("players"))


def ours(case: Mapping[str, Any], games: int, seed: int = 0) -> Sample:
    """Random playouts of ours. How far lengths scatter is told by the means of batches of them."""
    playing = engine(case)
    each = games // BATCHES
    batches = [playing.playouts(games=each, seed=seed + each * number) for number in range(BATCHES)]
    games = each * BATCHES
    assert not any(batch.unfinished for batch in batches)
    means = [batch.plies / each for batch in batches]
    wins = tuple(sum(batch.wins[seat] for batch in batches) / games for seat in range(playing.machine.seats))
    return Sample(games, fmean(means), stdev(means) / sqrt(BATCHES), wins, sum(batch.ties for batch in batches) / games)


# ------------------------------------------------------------------------------------------------ OpenSpiel's


def theirs(case: Mapping[str, Any], games: int, seed: int = 0) -> dict[str, Any]:
    """Random playouts of OpenSpiel's, in terms of ours. Their bots draw each legal action alike."""
    import pyspiel

    game = pyspiel.load_game(case["theirs"])
    bots = [pyspiel.make_uniform_random_bot(seat, seed + seat) for seat in range(game.num_players())]
    seats = case.get("seats", range(game.num_players()))
    uncounted = set(case.get("uncounted", ()))
    lengths, wins, ties = [], [0] * len(bots), 0
    for number in range(games):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed + number)
        lengths.append(sum(step.player >= 0 and step.action not in uncounted for step in state.full_history()))
        returns = state.returns()
        best = [seat for seat, value in zip(seats, returns, strict=True) if value == max(returns)]
        if len(best) == len(bots):
            ties += 1
        else:
            for seat in best:
                wins[seat] += 1
    length = {"length": round(fmean(lengths) + case.get("more", 0), 4), "deviation": round(stdev(lengths), 4)}
    results = {"wins": [round(one / games, 5) for one in wins], "ties": round(ties / games, 5)}
    return {"games": games, "seed": seed, **(length if case.get("length", True) else {}),
            **(results if case.get("results", True) else {})}


def played(case: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """As many games as take so many seconds."""
    begin, games = time.perf_counter(), 50
    theirs(case, games, seed)
    games = int(games * SECONDS / (time.perf_counter() - begin))
    return theirs(case, max(100, games - games % 100), seed)


def main() -> None:
    """Print what OpenSpiel's games come to."""
    for case in DATA["games"]:
        if not sys.argv[1:] or case["name"] in sys.argv[1:]:
            found = ", ".join(f"{key} = {value}" for key, value in played(case, 1).items())
            print(f"# {case['name']}\nopenspiel = {{{found}}}", flush=True)


if __name__ == "__main__":
    main()
