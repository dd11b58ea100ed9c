"""`rulelang bench`: how fast a game is played at random, and how its games end."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from rulelang.cli import exits
from rulelang.cli.arguments import UsageError, add_engine, add_game, add_json, open_game, players_of
from rulelang.cli.progress import Progress

SLICE = 1.0                             # seconds between two looks at whether Ctrl-C was pressed

EXAMPLES = """examples:
  rulelang bench rules/chess.rules
  rulelang bench rules/go.rules --seconds 5 --threads 2 --json
  rulelang bench my.rules --engine interpreter

A playout is a whole game with every move drawn at random; a ply is a decision in it (a chain is one). The first use of
a game by the native engine compiles it: compile_s says how long that took, or how long it took to find what was made
before. state_bytes is the size of a position in it, without the history of positions."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    add_game(parser)
    parser.add_argument("--seconds", metavar="S", type=float, default=2.0, help="how long to play (2)")
    add_engine(parser)
    parser.add_argument("--threads", metavar="N", type=int, default=1, help="how many games at once (1)")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="the seed of the first game (0)")
    add_json(parser, "print one object on one line")


def run(args: argparse.Namespace) -> int:
    """Play and tell."""
    if not 0 < args.seconds <= 3600:
        raise UsageError("--seconds is a number above 0, and 3600 at most")
    if not 1 <= args.threads <= 256:
        raise UsageError("--threads is a number from 1 to 256")
    rules = open_game(args)
    players = players_of(args, rules.player_counts)
    engine: Any = None
    if args.engine != "interpreter":
        engine, why = rules.native_or_why(players)
        if engine is None:
            print(f"note: {why}", file=sys.stderr)
    if engine is not None:
        def play(seconds: float, seed: int) -> Any:
            return engine.playouts(seconds=seconds, seed=seed, threads=args.threads)
    else:
        from rulelang.native.playouts import interpreted

        def play(seconds: float, seed: int) -> Any:
            return interpreted(rules.interpreter(players), seconds=seconds, seed=seed)
    found, code = _played(play, args.seconds, args.seed)
    if not found.games:
        raise KeyboardInterrupt
    told = report(rules, players, engine, found, args.threads if engine is not None else 1, args.seed)
    if code:
        told["interrupted"] = True
    print(json.dumps(told, ensure_ascii=False) if args.json else "\n".join(_lines(told, found)))
    if code and not args.json:
        print(f"interrupted after {found.seconds:.1f} of {args.seconds:g} seconds")
    return code


def _played(play: Callable[[float, int], Any], seconds: float, seed: int) -> tuple[Any, int]:
    """All games of so many seconds, or those until Ctrl-C, played second by second."""
    from rulelang.native.engine import Playouts

    total = Playouts()
    try:
        with Progress() as progress:
            while total.seconds < seconds:
                part = play(min(SLICE, seconds - total.seconds), seed + total.games)
                wins = [a + b for a, b in zip(total.wins or [0] * len(part.wins), part.wins, strict=True)]
                total = Playouts(
                    total.games + part.games, total.plies + part.plies, total.squares + part.squares,
                    total.unfinished + part.unfinished, total.ties + part.ties, wins, total.seconds + part.seconds)
                progress.say(f"{total.games:,} games in {total.seconds:.0f} of {seconds:g} seconds")
    except KeyboardInterrupt:
        return total, exits.INTERRUPTED
    return total, exits.YES


def report(rules: Any, players: int, engine: Any, found: Any, threads: int, seed: int) -> dict[str, Any]:
    """Everything measured, with 95 % intervals."""
    from rulelang.proving.intervals import of_mean, of_share

    games = max(1, found.games)
    counts = {**dict(zip(rules.model(players).seats, found.wins, strict=True)), "tie": found.ties,
              "unfinished": found.unfinished}
    around = of_mean(found.plies, found.squares, found.games)
    return {
        "game": rules.title, "variant": list(rules.chosen), "players": players,
        "engine": "interpreter" if engine is None else "native", "threads": threads, "seed": seed,
        "playouts": found.games,
        "playouts_per_s": round(found.games / found.seconds, 1), "plies_per_s": round(found.plies / found.seconds, 1),
        "mean_plies": round(found.plies / games, 3), "mean_plies_95": around and [round(end, 3) for end in around],
        "results": {name: round(count / games, 4) for name, count in counts.items()},
        "results_95": {name: [round(end, 4) for end in of_share(count, found.games)] for name, count in counts.items()},
        "compile_s": None if engine is None else round(engine.compile_seconds, 4),
        "state_bytes": None if engine is None else engine.state_bytes,
    }


def _lines(told: dict[str, Any], found: Any) -> list[str]:
    made = "" if told["compile_s"] is None else (
        f", made in {told['compile_s']:.2f} s, {told['state_bytes']} bytes a state")
    around = told["mean_plies_95"]
    lines = [
        f"{told['game']}, {told['players']} players, {told['engine']} engine{made}",
        f"  {told['playouts_per_s']:,.0f} playouts a second, {told['plies_per_s']:,.0f} plies a second",
        f"  {told['mean_plies']:.2f} plies a game" + (f" ({around[0]:.2f} to {around[1]:.2f})" if around else "")]
    for name, share in told["results"].items():
        if share:
            low, high = told["results_95"][name]
            lines.append(f"  {name} {100 * share:.1f}% ({100 * low:.1f} to {100 * high:.1f})")
    if sum(found.wins) + found.ties + found.unfinished > found.games:
        lines.append("  more than 100% in all: a first place that some seats share counts for each")
    return [*lines, f"  of {told['playouts']:,} random games, from seed {told['seed']} on; in brackets 95% intervals"]
