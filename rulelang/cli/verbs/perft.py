"""`rulelang perft`: how many ways a game can go in so many steps."""

from __future__ import annotations

import argparse
import json
import sys
import threading
from typing import TYPE_CHECKING, Any

from rulelang.cli import exits
from rulelang.cli.arguments import UsageError, add_engine, add_game, add_json, open_game, players_of
from rulelang.cli.progress import Progress

if TYPE_CHECKING:
    from rulelang.proving.perft import Count

COMPILED_FROM = 4                       # below this depth compiling a game costs more than it saves
MOST_SECONDS = 1.0                      # about how long compiled code may run without telling how far it is

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
    state = _start(rules, args, players)
    from rulelang.proving.perft import Count

    done: list[Count] = []
    last = Count(min(1, args.depth))
    code = exits.YES
    with Progress() as progress:
        try:
            while len(done) == 0 or done[-1].depth < args.depth:
                _count(state, last, _walked(done), progress)
                done.append(last)
                progress.clear()
                if last.depth < args.depth:                 # who interrupts from here on interrupts the next
                    last = Count(last.depth + 1)
                if not args.json:
                    print(_line(done[-1]), flush=True)
        except KeyboardInterrupt:
            code = exits.INTERRUPTED
    _close(args, rules, players, done, last, code)
    return code


def _start(rules: Any, args: argparse.Namespace, players: int) -> Any:
    """Where it begins, in the engine that serves."""
    if args.start is not None:
        from rulelang.proving.examples import position_of

        if args.engine == "native":
            print("note: what --from names is counted by the interpreter", file=sys.stderr)
        return position_of(rules, args.start)
    engine: Any = rules.interpreter(players)
    if args.engine == "native" or (args.engine == "auto" and args.depth >= COMPILED_FROM):
        compiled, why = rules.native_or_why(players)
        if compiled is None:
            print(f"note: {why}", file=sys.stderr)
        else:
            engine = compiled
    return engine.start(seed=args.seed, ask_chance=True)


def _walked(done: list[Count]) -> int:
    """How many steps of the next depth to take one by one, so that what the native engine counts in one go takes it
    a second or less: its time grows from depth to depth by about the same factor."""
    if len(done) < 3:
        return 1
    before, last = done[-2:]
    expected = last.seconds * last.nodes / max(before.nodes, 1)
    return next((one.depth for one in done if expected <= MOST_SECONDS * one.nodes), before.depth)


def _count(state: Any, found: Any, walked: int, progress: Progress) -> None:
    """One depth. While compiled code runs Python hears no Ctrl-C, so that runs in a thread of its own."""
    from rulelang.native.state import NativeState
    from rulelang.proving.perft import count

    def say(so_far: Any) -> None:
        progress.say(f"depth {so_far.depth}: {so_far.nodes:,} so far")

    if not isinstance(state, NativeState):
        count(state, found.depth, found, say)
        return
    stop = threading.Event()
    problems: list[BaseException] = []

    def tick(so_far: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt

    def work() -> None:
        try:
            count(state, found.depth, found, tick, walked)
        except BaseException as problem:
            problems.append(problem)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
            say(found)
    except KeyboardInterrupt:
        stop.set()
        thread.join(MOST_SECONDS)
        raise
    for problem in problems:
        raise problem


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
