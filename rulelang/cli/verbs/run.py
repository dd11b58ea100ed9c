"""`rulelang run`: a game at a table, in the terminal or from a script."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from rulelang.cli import exits
from rulelang.cli.arguments import UsageError, add_engine, add_game, add_json, open_game, players_of, settings
from rulelang.cli.endings import Refused
from rulelang.cli.progress import Progress

EXAMPLES = """examples:
  rulelang run rules/kakuzu.rules                        you against a bot
  rulelang run rules/kakuzu.rules --players 3 --seat 2=human --seat 3=careful
  rulelang run rules/kakuzu.rules --variant chase --set starter_begins=off
  rulelang run --load kakuzu.game                        go on with a saved game
  printf 'open a1\\nopen d1\\n' | rulelang run rules/kakuzu.rules --json
  rulelang run rules/kakuzu.rules --seat all=careful --json < /dev/null

In a terminal seat 1 is yours and bots play the others, unless --seat says otherwise. Without a terminal, or with
--json, the lines of standard input are moves (and answers, yes or no) for every seat that is not given to a bot; blank
lines and those that begin with # are left out. Where the lines end before the game does, the game stops there, is
saved and counts as unfinished. If there is no line at all, bots play every seat that --seat does not name; a question
for the table is then answered by the model it names, else by chance; the seed decides. The last line is the result;
with --json it is one object, and the only line. A line that cannot be played ends the run with exit code 1 and says by
which clause; what was played before it is saved.

Every game is recorded as it is played, in the directory for the user's state or in the file that --save names; what was
recorded there before is kept beside it with a ~ after its name."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    add_game(parser, optional=True)
    parser.add_argument(
        "--seat", metavar="N=WHO", action="append", default=[], dest="seats",
        help="who sits there: human, random, greedy or careful; N is a number, a seat's name, or all",
    )
    parser.add_argument(
        "--seed", metavar="S", type=int, help="the seed of all chance; the same seed gives the same game",
    )
    parser.add_argument("--load", metavar="F", type=Path, help="go on with a saved game")
    parser.add_argument("--save", metavar="F", type=Path, help="where the game is recorded")
    add_engine(parser)
    parser.add_argument("--trace", action="store_true",
                        help="tell which rule did what; people are told only what they may see")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Play."""
    from rulelang.table.script import Lines

    if args.engine == "native":
        print("note: at the table the interpreter plays, which tells what happens; bench and perft are native",
              file=sys.stderr)
    in_terminal = not args.json and sys.stdin.isatty() and sys.stdout.isatty()
    lines = Lines(None if sys.stdin is None or sys.stdin.isatty() else sys.stdin)
    table = _resumed(args) if args.load else _new(args, in_terminal, lines)
    if not in_terminal:
        for note in table.notes:
            print(f"note: {note}", file=sys.stderr)
        return _script(args, table, lines)
    return _sitting(args, table)


def _new(args: argparse.Namespace, in_terminal: bool, lines: Any) -> Any:
    from rulelang.table.seats import HUMAN, against_bots, read_seats
    from rulelang.table.session import Table

    if args.file is None:
        raise UsageError("which game? name a rules file, or a saved game with --load")
    rules = open_game(args)
    players = players_of(args, rules.player_counts)
    if in_terminal:
        unsaid = against_bots(players)
    else:
        unsaid = (HUMAN if lines.any() else "random",) * players
    seats = _usage(read_seats, args.seats, rules.model(players).seats, unsaid)
    seed = args.seed if args.seed is not None else int.from_bytes(os.urandom(4), "big")
    return Table.new(rules, players=players, seed=seed, seats=seats, options=settings(args), path=args.save,
                     trace=args.trace)


def _resumed(args: argparse.Namespace) -> Any:
    from rulelang.table.seats import read_seats
    from rulelang.table.session import Table

    for given, name in ((args.players, "--players"), (args.variant, "--variant"), (args.settings, "--set"),
                        (args.seed, "--seed")):
        if given not in (None, []):
            raise UsageError(f"{name} goes with a new game; a saved one keeps what it was started with")
    table = Table.resume(args.load, rules=args.file, onto=args.save, trace=args.trace)
    if args.seats:
        table.sit(_usage(read_seats, args.seats, table.names, table.seats))
    return table


def _usage(read: Any, *given: Any) -> Any:
    """Mistakes in `--seat` are mistakes of the command line."""
    from rulelang.table.seats import SeatError

    try:
        return read(*given)
    except SeatError as error:
        raise UsageError(str(error)) from error


def _script(args: argparse.Namespace, table: Any, lines: Any) -> int:
    from rulelang.engine import PlayFault
    from rulelang.table.script import BadLine, play

    # What rules did is told among what happened, or where only the result is wanted, beside it.
    trace = (sys.stderr if args.json else sys.stdout) if args.trace else None
    watched = sys.stdout.isatty() and not args.json
    try:
        with Progress() as progress:
            tick = None if watched or trace is not None else progress.say
            play(table, lines, sys.stdout, as_json=args.json, trace=trace, tick=tick)
    except BadLine as error:
        raise Refused(str(error), _kept(table, "the game up to there is saved"), error.data) from error
    except PlayFault:
        _tell_kept(table, "the position before it is saved")
        raise
    except KeyboardInterrupt:
        _tell_kept(table, "the game is saved")
        raise
    if not table.state.over and not args.json:
        _tell_kept(table, "the game is saved")
    return exits.YES


def _sitting(args: argparse.Namespace, table: Any) -> int:
    from rulelang.engine import PlayFault
    from rulelang.table.prompt import TerminalPrompter
    from rulelang.table.screen import Screen
    from rulelang.table.terminal import Quit, Sitting

    try:
        Sitting(table, TerminalPrompter(), Screen(), trace=args.trace).play()
    except (Quit, EOFError):
        _tell_kept(table, "the game is saved")
    except PlayFault:
        _tell_kept(table, "the position before it is saved")
        raise
    except KeyboardInterrupt:
        _tell_kept(table, "the game is saved")
        return exits.INTERRUPTED
    return exits.YES


def _kept(table: Any, what: str) -> str:
    if table.log is None:
        return ""
    return f"{what}; go on with it by: rulelang run --load {shlex.quote(str(table.log.path))}"


def _tell_kept(table: Any, what: str) -> None:
    text = _kept(table, what)
    if text:
        print(text, file=sys.stderr)
