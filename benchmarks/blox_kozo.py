"""How fast Blox and Kozo are played: `python benchmarks/blox_kozo.py`.

Times are of the process and not of the clock on the wall, so that a busy machine tells nearly the same as a quiet one;
a line of plain Python is timed beside them, for comparing machines. Nothing here is a test.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rulelang.engine import State, judging
from rulelang.loading import Ruleset, load

RULES = Path(__file__).parent.parent / "rules"
TWISTS = ((), ("drawn_tile",), ("neighbour",), ("drawn_tile", "neighbour"))


def plain_python() -> float:
    """Millions of rounds a second of an empty loop that adds."""
    begin, total = time.process_time(), 0
    for i in range(3_000_000):
        total += i
    return 3 / (time.process_time() - begin)


def blox(players: int, turns: int = 4_000, window: int = 400) -> tuple[float, float, float]:
    """Turns a second with all moves listed: in the best window of so many turns, and on average; and moves a turn.
    On a busy machine the best window comes nearer to what a quiet one does."""
    rules, pick, listed, seed = load(RULES / "blox.rules"), random.Random(1), 0, 0
    state = rules.start(players, seed=seed)
    state.moves()
    times = []
    for _ in range(turns // window):
        begin = time.process_time()
        for _ in range(window):
            if state.over:
                seed += 1
                state = rules.start(players, seed=seed)
            moves = state.moves()
            listed += len(moves)
            state.play(pick.choice(moves))
        times.append(time.process_time() - begin)
    return window / min(times), window * len(times) / sum(times), listed / (window * len(times))


class Spent:
    """What the models took."""

    seconds = 0.0
    asked = 0


@contextmanager
def timed_models() -> Iterator[Spent]:
    """Take the time that models take."""
    spent, plain = Spent(), judging.chance

    def timed(*question: object) -> float | None:
        begin = time.process_time()
        found = plain(*question)                                            # type: ignore[arg-type]
        spent.seconds += time.process_time() - begin
        spent.asked += 1
        return found

    judging.chance = timed                                                  # type: ignore[assignment]
    try:
        yield spent
    finally:
        judging.chance = plain


def kozo_game(rules: Ruleset, players: int, seed: int, stable: bool) -> int:
    """Play a game by chance; its decisions. `stable` takes only placements that stand, while there are any."""
    state, pick, decisions = rules.start(players, seed=seed), random.Random(seed), 0
    while not state.over:
        if state.question is not None:
            state.answer_by_model()
            continue
        moves, decisions = state.moves(), decisions + 1
        if stable and len(moves) > 1:
            pick.shuffle(moves)
            state = next((after for after in map(lambda move, now=state: _stands(now, move), moves) if after), None) \
                or _after(state, moves[0])
        else:
            state.play(pick.choice(moves))
    return decisions


def _after(state: State, move: object) -> State:
    after = state.copy()
    after.play(move)                                                        # type: ignore[arg-type]
    return after


def _stands(state: State, move: object) -> State | None:
    after = _after(state, move)
    return after if after.question is None or after.model_answer() else None


def kozo(twists: tuple[str, ...], steadiness: int, stable: bool = False, games: int = 20) -> str:
    """Seconds a game, decisions a second, and the models' share."""
    rules = load(RULES / "kozo.rules", variants=twists, options={"steadiness": steadiness})
    kozo_game(rules, 2, 0, False)                                           # scipy is loaded, the board's tables made
    with timed_models() as spent:
        begin = time.process_time()
        decisions = sum(kozo_game(rules, 2 + seed % 5, 100 + seed, stable) for seed in range(games))
        seconds = time.process_time() - begin
    return (f"{seconds / games:.3f} s a game, {decisions / seconds:,.0f} decisions a second, "
            f"{spent.asked / games:.0f} questions a game, models {100 * spent.seconds / seconds:.0f}% of the time")


def main() -> None:
    """Print every figure."""
    gc.set_threshold(50_000, 20, 50)                                        # as the command line does
    print(f"plain Python: {plain_python():.0f} million additions a second", flush=True)
    for players in (2, 3, 4):
        best, mean, listed = blox(players)
        print(f"Blox, {players} players: {best:,.0f} turns a second in the best window, {mean:,.0f} on average, with "
              f"{listed:.0f} moves listed; at least 1,500", flush=True)
    for twists in TWISTS:
        for steadiness in (100, 70):
            print(f"Kozo {' + '.join(twists) or 'plain'}, hands {steadiness}: {kozo(twists, steadiness)}; "
                  "at most 0.5 s", flush=True)
    print(f"Kozo, choosing what stands: {kozo((), 100, stable=True, games=5)}", flush=True)


if __name__ == "__main__":
    main()
