"""`rulelang perft`: how many ways a game can go in so many steps."""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from typing import Any

from rulelang.cli import exits
from rulelang.cli.arguments import UsageError, add_engine, add_game, add_json, open_game, players_of
from rulelang.cli.progress import Progress

COMPILED_FROM = 4                       # below this depth compiling a game costs more than it saves

EXAMPLES = """examples:
  rulelang perft rules/chess.rules 3
  rulelang perft rules/chess.rules 2 --divide
  rulelang perft rules/english-draughts.rules 4 --from "compulsory" --json

A step is a move (a chain counts as one), one value that chance may give, one seat's choice where several choose at
once, or an answer of the table. Where the game begins by chance, --seed says which beginning is meant. After Ctrl-C
the depths that were finished stand, with how far the last one came."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    add_game(parser)
    parser.add_argument("depth", metavar="DEPTH", type=int, help="how many steps")
    parser.add_argument("--divide", action="store_true", help="count for each first step of its own")
    parser.add_argument("--from", metavar="EXAMPLE", dest="start", help="start where this example of the file ends")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="for a beginning by chance (0)")
    add_engine(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Count depth by depth."""
    if args.depth < 0:
        raise UsageError("the depth is a number from 0")
    rules = open_game(args)
    players = players_of(args, rules.player_counts)
    engine = _native(rules, args, players)
    state: Any = _start(rules, args, players) if engine is None else None
    from rulelang.proving.perft import Count, count

    done: list[Any] = []
    last = Count(0)
    code = exits.YES
    with Progress() as progress:
        try:
            for depth in range(min(1, args.depth), args.depth + 1):
                last = Count(depth)
                if engine is not None:
                    _count(engine, last, args.seed)
                else:
                    count(state, depth, last,
                          lambda so_far: progress.say(f"depth {so_far.depth}: {so_far.nodes:,} so far"))
                done.append(last)
                progress.clear()
                if not args.json:
                    print(_line(last), flush=True)
        except KeyboardInterrupt:
            code = exits.INTERRUPTED
    _close(args, rules, players, done, last, code)
    return code


def _start(rules: Any, args: argparse.Namespace, players: int) -> Any:
    if args.start is None:
        return rules.interpreter(players).start(seed=args.seed, ask_chance=True)
    from rulelang.proving.examples import position_of

    return position_of(rules, args.start)


def _native(rules: Any, args: argparse.Namespace, players: int) -> Any:
    """The native engine, where it serves: it does not name first steps, nor start from examples."""
    named = args.divide or args.start is not None
    if args.engine == "interpreter" or (args.engine == "auto" and (named or args.depth < COMPILED_FROM)):
        return None
    if named:
        print("note: --divide and --from are the interpreter's", file=sys.stderr)
        return None
    engine, why = rules.native_or_why(players)
    if engine is None:
        print(f"note: {why}", file=sys.stderr)
    return engine


def _count(engine: Any, found: Any, seed: int) -> None:
    """One depth by the native engine, in a thread of its own, so that Ctrl-C is heard."""
    made: list[Any] = []

    def work() -> None:
        try:
            made.append(engine.perft(found.depth, seed=seed))
        except Exception as problem:
            made.append(problem)

    began = time.perf_counter()
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
    if isinstance(made[0], Exception):
        raise made[0]
    found.nodes, found.complete, found.seconds = made[0], True, time.perf_counter() - began


def _line(found: Any) -> str:
    speed = f"   {found.nodes / found.seconds:,.0f} a second" if found.seconds > 0.05 else ""
    return f"{found.depth:>3}  {found.nodes:>14,}{speed}"


def _close(args: argparse.Namespace, rules: Any, players: int, done: list[Any], last: Any, code: int) -> None:
    divided = last.divided if args.divide else {}
    if args.json:
        print(json.dumps({
            "game": rules.title, "variant": list(rules.chosen), "players": players,
            "counts": {str(one.depth): one.nodes for one in done},
            **({"divide": divided} if args.divide else {}),
            **({"interrupted": {"depth": last.depth, "nodes": last.nodes}} if code else {}),
        }, ensure_ascii=False))
        return
    for name in divided:
        print(f"     {divided[name]:>14,}  {name}")
    if code:
        print(f"interrupted in depth {last.depth}, {last.nodes:,} found until then")
