"""`rulelang solve`: who wins a small game, if both sides play as well as can be."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from rulelang.cli import exits
from rulelang.cli.arguments import add_engine, add_game, add_json, open_game, players_of
from rulelang.cli.progress import Progress

EXAMPLES = """examples:
  rulelang solve rules/tic_tac_toe.rules
  rulelang solve rules/hex.rules --set size=3 --divide
  rulelang solve rules/connect_four.rules --set wide=4 --set high=4 --json

For games of two players without chance, secrets and choices at once. Small ones: every position that matters is looked
at. After Ctrl-C it tells what is known of the first moves so far."""

WORDS = {1: "wins", 0: "draws", -1: "loses"}


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    add_game(parser)
    parser.add_argument("--divide", action="store_true", help="say what each first move is worth")
    parser.add_argument("--from", metavar="EXAMPLE", dest="start", help="start where this example of the file ends")
    add_engine(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Solve it."""
    from rulelang.cli.endings import Refused
    from rulelang.proving.solve import Solution, SolveError, solve

    rules = open_game(args)
    players = players_of(args, rules.player_counts)
    state = _start(rules, args, players)
    engine = _native(rules, args, players)
    found = Solution(state.game.seats)
    code = exits.YES
    with Progress() as progress:
        try:
            solve(state, found, lambda so_far: progress.say(_how_far(so_far)), args.divide, engine)
        except KeyboardInterrupt:
            code = exits.INTERRUPTED
        except SolveError as error:
            raise Refused(str(error)) from error
    _tell(args, rules, found, code)
    return code


def _start(rules: Any, args: argparse.Namespace, players: int) -> Any:
    if args.start is None:
        return rules.interpreter(players).start(ask_chance=True)
    from rulelang.proving.examples import position_of

    return position_of(rules, args.start)


def _native(rules: Any, args: argparse.Namespace, players: int) -> Any:
    """The native engine, where it serves: from the beginning of a game that it can search."""
    from rulelang.native.searching import searchable

    if args.engine == "interpreter":
        return None
    engine, why = None, "the native engine searches from a game's beginning only; the interpreter serves"
    if args.start is None:
        engine, why = rules.native_or_why(players)
    if engine is not None and not searchable(engine.machine):
        engine, why = None, "how often a position stood matters in this game; the interpreter serves"
    if engine is None and args.engine == "native":
        print(f"note: {why}", file=sys.stderr)
    return engine


def _how_far(found: Any) -> str:
    return f"{found.positions:,} positions, {len(found.moves)} first moves known"


def _tell(args: argparse.Namespace, rules: Any, found: Any, code: int) -> None:
    if args.json:
        print(json.dumps({
            "game": rules.title, "variant": list(rules.chosen),
            "value": found.value, "winner": found.winner or None, "positions": found.positions,
            "line": found.line, **({"divide": found.moves} if args.divide or code else {}),
            **({"interrupted": True} if code else {}),
        }, ensure_ascii=False))
        return
    if code:
        print(f"interrupted after {found.positions:,} positions: it is not known who wins")
    else:
        verdict = f"{found.winner} wins" if found.winner else "a draw"
        print(f"{rules.title}: {verdict}   ({found.positions:,} positions, {found.seconds:.1f} s)")
        print("best play: " + "  ".join(found.line) if found.line else "the game is over")
    if args.divide or code:
        for name, value in found.moves.items():
            print(f"  {found.seats[0]} {WORDS[value]:<6} after {name}")
