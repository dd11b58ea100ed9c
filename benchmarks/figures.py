"""The figures that the product promises, measured: `python benchmarks/figures.py`.

Start-up times are ratios to starting a bare Python, the two in turn within one run, by the median. Rates are of one
process on one core. Nothing here is a test: figures move with the machine, and are quoted from one run.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rulelang.loading import check, load

# As installed: with the bytecode that pip, or a first run, leaves behind.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
ROOT = Path(__file__).parent.parent
KAKUZU = ROOT / "rules" / "kakuzu.rules"


def seconds(command: list[str]) -> float:
    """How long a whole process takes."""
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, cwd=ROOT, env=ENVIRONMENT)
    return time.perf_counter() - begin


def ratio(command: list[str], rounds: int = 15) -> tuple[float, float]:
    """A command against a bare Python, in turn: the ratio of medians, and the command's median in seconds."""
    seconds(command)
    pairs = [(seconds(command), seconds([sys.executable, "-c", "pass"])) for _ in range(rounds)]
    ours, bare = (statistics.median(column) for column in zip(*pairs, strict=True))
    return ours / bare, ours


def long_file(lines: int) -> str:
    """A rules file of so many lines: tic-tac-toe with many more defines and actions."""
    text = (ROOT / "rules" / "tic_tac_toe.rules").read_text(encoding="utf-8")
    head, tail = text.split("phases:")
    tail, rest = tail.split("actions:\n", 1)
    count = (lines - text.count("\n")) // 8
    defines = "\n".join(
        f"  corner_{i}(p of Player): count of {{c in Cell where mark[c] = p and row of c != column of c}} + {i}"
        for i in range(count))
    names = ", ".join(f"extra_{i}" for i in range(count))
    actions = "\n".join(
        f"  extra_{i}: |\n    choose c in Cell where mark[c] is none \"{{c}} is marked already\"\n"
        f"    require here: corner_{i}(me) - {i} > 1 and some d in neighbours({{c}}) has mark[d] = me \"not here\"\n"
        f"    do:\n      if corner_{i}(me) - {i} > 2: mark[c] := me\n      else: mark[c] := opponent\n"
        for i in range(count))
    made = f"{head}define:\n{defines}\n\nphases:{tail.replace('[mark]', f'[mark, {names}]')}actions:\n{actions}\n{rest}"
    return made.replace('"{count', '"{count')


def rate(work: Callable[[], int], least: float = 5.0) -> float:
    """How much a second, over at least so many seconds."""
    begin, done = time.perf_counter(), 0
    while time.perf_counter() - begin < least:
        done += work()
    return done / (time.perf_counter() - begin)


def kakuzu_games() -> float:
    """Random games of Kakuzu for two a second, each with a new grid."""
    rules, seeds, pick = load(KAKUZU), iter(range(1 << 30)), random.Random(1)

    def game() -> int:
        state = rules.start(players=2, seed=next(seeds))
        while not state.over:
            state.play(pick.choice(state.moves()))
        return 1
    game()
    return rate(game)


def perft_nodes() -> float:
    """Positions of chess at depth 3 a second, the last ply counted and not played."""
    rules = load(ROOT / "rules" / "chess.rules")

    def count(state: object, depth: int) -> int:
        moves = state.moves()                           # type: ignore[attr-defined]
        if depth == 1:
            return len(moves)
        total = 0
        for move in moves:
            below = state.copy()                        # type: ignore[attr-defined]
            below.play(move)
            total += count(below, depth - 1)
        return total

    start = rules.start()
    assert count(start, 2) == 400
    return rate(lambda: count(rules.start(), 3), 1.0)


def main() -> None:
    """Print every figure with what it should be."""
    rulelang = str(Path(sys.executable).with_name("rulelang"))
    for name, command, most in (("rulelang --help", [rulelang, "--help"], 6.0),
                                ("rulelang check rules/kakuzu.rules", [rulelang, "check", str(KAKUZU)], 15.0)):
        times, own = ratio(command)
        print(f"{name}: {times:.1f} times a bare Python ({own * 1000:.0f} ms); at most {most:g}", flush=True)
    check(KAKUZU)
    begin = time.perf_counter()
    check(KAKUZU)
    print(f"a second check in one process: {(time.perf_counter() - begin) * 1000:.0f} ms; at most 60", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        text = long_file(2000)
        path = Path(folder) / "long.rules"
        path.write_text(text, encoding="utf-8")
        begin = time.perf_counter()
        faults = check(path)
        lines = text.count("\n")
        print(f"a file of {lines:,} lines checked: {time.perf_counter() - begin:.2f} s; at most 2 "
              f"({len(faults)} faults)", flush=True)
    print(f"random games of Kakuzu: {kakuzu_games():.0f} a second; at least 50", flush=True)
    print(f"chess perft: {perft_nodes():,.0f} nodes a second; at least 2,000", flush=True)


if __name__ == "__main__":
    main()
