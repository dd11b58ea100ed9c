"""Random playouts by the native engine beside OpenSpiel's and hand-written programs, in turn in one process tree.

    python benchmarks/native.py [--seconds S] [--games a,b] [--limits FOLDER] [--passes]

For each game, three rounds: ours, OpenSpiel's C++ rollout loop (if it is installed), the hand-written C program of the
same name in FOLDER or beside this file (if there is one: compiled here), each for S seconds on one thread; medians, and
ratios of them. The rules are set to OpenSpiel's. `--passes` instead measures what each pass wins on each game: all
beside all but one.
Rates are by the time of the processor that each used, so that a busy machine tells nearly the same as a quiet one; it
still runs slower when others share its caches: compare figures of one run only.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from rulelang.loading import load
from rulelang.native.engine import NativeEngine
from rulelang.native.passes import ALL

HERE = Path(__file__).parent
# name: rules, options, OpenSpiel's game, hand-written program, at least so many times OpenSpiel
GAMES: dict[str, tuple[str, dict[str, Any], str | None, str | None, float | None]] = {
    "tic-tac-toe": ("tic_tac_toe", {}, "tic_tac_toe", "tictactoe", 4),
    "connect four": ("connect_four", {}, "connect_four", "connect4", 12),
    "breakthrough": ("breakthrough", {}, "breakthrough", "breakthrough", 6),
    "hex 11x11": ("hex", {}, "hex", "hex", 4),
    "reversi": ("reversi", {}, "othello", "reversi", 12),
    "chess": ("chess", {}, "chess", "chess", 6),
    "english draughts": ("english_draughts", {"idle": 40, "men_go_on": False}, "checkers", "checkers", 25),
    "nine men's morris": ("nine_mens_morris", {"longest": 200, "repeats": 1000}, "nine_mens_morris", "morris", 4),
    "amazons in steps": (str(HERE / "rules" / "amazons_in_steps.rules"), {}, "amazons", "amazons", 4),
    "go 9x9": ("go", {"repeating": "no_result", "longest": 162}, "go(board_size=9)", "go9", 4),
    "gomoku 15x15": ("gomoku", {}, "gomoku", "gomoku", 20),
    "clobber 5x6": ("clobber", {}, "clobber", "clobber", 8),
    "hearts, one deal": ("hearts", {"goal": 1}, "hearts", "hearts", 10),
    "backgammon": ("backgammon", {"stakes": 1}, "backgammon", "backgammon", 15),
    "leduc poker": ("leduc_poker", {}, "leduc_poker", "leduc", 20),
    "kuhn poker": ("kuhn_poker", {}, "kuhn_poker", "kuhn", 40),
    "kakuzu": ("kakuzu", {}, None, None, None),
    "blox": ("blox", {}, None, "blox", None),
}


def of_children() -> float:
    """The seconds of the processor that programs started from here took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ours(engine: NativeEngine, seconds: float) -> float:
    """Our playouts a second."""
    begin = time.process_time()
    found = engine.playouts(seconds=seconds)
    return found.games / (time.process_time() - begin)


def openspiel(name: str, seconds: float) -> float | None:
    """OpenSpiel's: a search bot that makes rollouts from the start; games that start by chance through its evaluation
    of bots, one Python call a playout."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    begin = game.new_initial_state()
    if begin.is_chance_node():
        bots = [pyspiel.make_uniform_random_bot(i, 11 + i) for i in range(game.num_players())]

        def run(n: int) -> None:
            for i in range(n):
                pyspiel.evaluate_bots(game.new_initial_state(), bots, 1000003 + i)
    else:
        def run(n: int) -> None:
            rollouts = pyspiel.RandomRolloutEvaluator(n, 7)
            pyspiel.MCTSBot(game, rollouts, 1.0, 1, 100, False, 7, False).mcts_search(game.new_initial_state())
    n, spent = 1, 0.0
    while spent < seconds / 10:
        n *= 2
        t = time.process_time()
        run(n)
        spent = time.process_time() - t
    n = max(1, int(n * seconds / spent))
    t = time.process_time()
    run(n)
    return n / (time.process_time() - t)


def hand_written(program: Path | None, seconds: float) -> float | None:
    """The hand-written program's."""
    if program is None:
        return None
    begin, before = time.perf_counter(), of_children()
    done = subprocess.run([str(program), str(seconds)], capture_output=True, text=True)
    passed = time.perf_counter() - begin
    share = (of_children() - before) / passed
    words = done.stdout.split()
    return float(words[2]) / share if len(words) > 2 else None


def compiled(folder: Path | None, name: str | None, where: Path) -> Path | None:
    """A hand-written program, compiled."""
    source = next((at / f"{name}.c" for at in (folder, HERE) if at is not None and (at / f"{name}.c").exists()), None)
    if name is None or source is None:
        return None
    made = where / name
    done = subprocess.run(["cc", "-O3", "-march=native", "-w", "-o", str(made), str(source), "-lm"])
    return made if done.returncode == 0 else None


def measure(name: str, seconds: float, limits: Path | None, where: Path) -> None:
    """One line of the table."""
    source, options, other, program_name, least = GAMES[name]
    rules = load(source, options=options)
    begin = time.process_time() + of_children()
    engine = NativeEngine(rules.machine(), folder=where)
    making = time.process_time() + of_children() - begin
    program = compiled(limits, program_name, where)
    rounds: list[tuple[float, float | None, float | None]] = []
    for _ in range(3):
        theirs = openspiel(other, seconds) if other is not None else None
        rounds.append((ours(engine, seconds), theirs, hand_written(program, seconds)))
    mine = statistics.median(r[0] for r in rounds)
    spiel = [r[1] for r in rounds if r[1] is not None]
    hand = [r[2] for r in rounds if r[2] is not None]
    plies = engine.playouts(games=200)
    times = mine / statistics.median(spiel) if spiel else None
    line = [f"{name:<18}", f"{mine:>12,.0f}", f"{statistics.median(spiel):>10,.0f}" if spiel else " " * 10,
            f"{times:>7.1f}x" if times is not None else " " * 8,
            f"{least:>5g}x" if least is not None else " " * 6,
            "  yes" if times is not None and least is not None and times >= least else "  no " if times else "     ",
            f"{statistics.median(hand):>12,.0f} {mine / statistics.median(hand):>5.2f}" if hand else " " * 18,
            f"{plies.plies / plies.games:>8.2f}", f"{mine * plies.plies / plies.games / 1e6:>8.2f}M",
            f"{engine.state_bytes:>6}", f"{making:>6.2f}"]
    print(" ".join(line), flush=True)


def passes(name: str, seconds: float, where: Path) -> None:
    """What each pass wins on a game."""
    source, options, *_ = GAMES[name]
    machine = load(source, options=options).machine()
    whole = NativeEngine(machine, folder=where)
    found = []
    for one in ALL.__dataclass_fields__:
        part = NativeEngine(machine, ALL.without(one), folder=where)
        pairs = [(ours(whole, seconds), ours(part, seconds)) for _ in range(3)]
        found.append(f"{one} {statistics.median(a / b for a, b in pairs):.2f}")
    print(f"{name:<18} {'  '.join(found)}", flush=True)


def main() -> None:
    """The table."""
    parser = argparse.ArgumentParser(description="random playouts beside others")
    parser.add_argument("--seconds", type=float, default=0.8)
    parser.add_argument("--games", default="")
    parser.add_argument("--limits", type=Path)
    parser.add_argument("--passes", action="store_true")
    args = parser.parse_args()
    names = [name for name in GAMES if not args.games or any(part in name for part in args.games.split(","))]
    with tempfile.TemporaryDirectory() as folder:
        if not args.passes:
            print(f"{'game':<18} {'ours/s':>12} {'OpenSpiel':>10} {'ratio':>8} {'goal':>6} {'met':>5} "
                  f"{'hand-written':>12} "
                  f"{'share':>5} {'plies':>8} {'plies/s':>9} {'bytes':>6} {'made s':>6}")
        for name in names:
            if args.passes:
                passes(name, args.seconds, Path(folder))
            else:
                measure(name, args.seconds, args.limits, Path(folder))


if __name__ == "__main__":
    main()
