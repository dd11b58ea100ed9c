"""What the verbs' command lines have in common: the parser's manners, and the arguments that choose a game."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from rulelang.cli import exits


class UsageError(Exception):
    """The command line is wrong; `hint` says what to write instead."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message, self.hint = message, hint
        super().__init__(message)


class Parser(argparse.ArgumentParser):
    """An argument parser that takes no shortened options and suggests the option that was meant."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line, with what is wrong with it."""
        from difflib import get_close_matches

        message = re.sub(r"invalid (int|float) value: '(.*)'", _no_number, message)
        known = [name for action in self._actions for name in action.option_strings]
        hints = []
        for word in message.split(": ", 1)[-1].split():
            near = get_close_matches(word.split("=")[0], known, n=1) if word.startswith("-") else []
            if near and near[0] != word:
                hints.append(f"did you mean `{near[0]}`?")
        raise UsageError(message, "\n".join([*hints, f"`{self.prog} --help` shows how it is used"]))

    def print_help(self, file: Any = None) -> None:
        """Print the help; where nobody reads it, that is told as of any other output."""
        print(self.format_help(), end="", file=file)


def parse(verb: str, summary: str, module: ModuleType, argv: list[str]) -> argparse.Namespace:
    """The arguments of one verb."""
    examples: str = module.EXAMPLES
    parser = Parser(
        prog=f"rulelang {verb}", description=f"{summary[0].upper()}{summary[1:]}.", allow_abbrev=False,
        epilog=f"{examples}\n\n{exits.TABLE}", formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.configure(parser)
    return parser.parse_args(spread(argv, ("--set", "--seat")))


def spread(argv: Sequence[str], options: tuple[str, ...]) -> list[str]:
    """`--set a=1 b=2` as `--set a=1 --set b=2`, so that a file's name may follow."""
    found: list[str] = []
    current = ""
    for word in argv:
        name, equals, _ = word.partition("=")
        follows = current and equals and not word.startswith("-") and "/" not in name and "." not in name
        if follows and found[-1] != current:
            found.append(current)
        found.append(word)
        if word in options:
            current = word
        elif not follows:
            current = ""
    return found


def add_game(parser: argparse.ArgumentParser, *, optional: bool = False, players: bool = True) -> None:
    """A rules file and what makes one game of it: variants, options, the number of players."""
    parser.add_argument(
        "file", metavar="FILE", nargs="?" if optional else None, help="a rules file, or the name of a built-in game"
    )
    add_choices(parser, players=players)


def add_choices(parser: argparse.ArgumentParser, *, players: bool = True) -> None:
    """`--players`, `--variant` and `--set`."""
    if players:
        parser.add_argument("--players", metavar="N", type=_count, help="how many play")
    parser.add_argument(
        "--variant", metavar="A,B", action="append", default=[], help="variants to play, with commas between"
    )
    parser.add_argument(
        "--set", metavar="K=V", action="append", default=[], dest="settings", help="set an option; several may follow"
    )


def add_engine(parser: argparse.ArgumentParser) -> None:
    """`--engine`."""
    parser.add_argument(
        "--engine", choices=["auto", "interpreter", "native"], default="auto",
        help="what plays: the interpreter, or the game compiled; auto compiles where much is played (auto)",
    )


def add_json(parser: argparse.ArgumentParser, what: str = "print the result as one JSON object") -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help=what)


def variants(args: argparse.Namespace) -> tuple[str, ...]:
    """The variants asked for, in order, each once."""
    names = [name.strip() for text in args.variant for name in text.split(",")]
    return tuple(dict.fromkeys(name for name in names if name))


def settings(args: argparse.Namespace) -> dict[str, str]:
    """The options set on the command line, as written."""
    found: dict[str, str] = {}
    for text in args.settings:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise UsageError(f"`--set {text}` is not of the form NAME=VALUE")
        if name.strip() in found and found[name.strip()] != value.strip():
            raise UsageError(f"`--set` gives `{name.strip()}` two values, {found[name.strip()]} and {value.strip()}")
        found[name.strip()] = value.strip()
    return found


def open_game(args: argparse.Namespace) -> Any:
    """The game that the arguments choose: a loaded set of rules."""
    return open_rules(args.file, variants(args), settings(args))


def open_position(args: argparse.Namespace) -> Any:
    """The position that the arguments name: of a saved game where it stands (or `--after` so many moves and answers),
    of a rules file at the start."""
    from pathlib import Path

    from rulelang.table.log import is_log
    from rulelang.table.session import Table

    if is_log(Path(args.file)):
        if args.players or args.variant or args.settings:
            raise UsageError("a saved game keeps the players, variants and options it was started with")
        if args.after is not None and args.after < 0:
            raise UsageError("--after is a number from 0")
        table = Table.resume(Path(args.file), write=False, until=args.after)
        if args.after is not None and args.after > len(table.happenings):
            raise UsageError(f"{args.file} has {len(table.happenings)} moves and answers, not {args.after}")
        return table.state
    if args.after is not None:
        raise UsageError("--after goes with a saved game")
    rules = open_game(args)
    return rules.start(players_of(args, rules.player_counts), seed=args.seed)


def open_rules(file: str, chosen: Sequence[str], options: Mapping[str, str]) -> Any:
    """A loaded set of rules. A variant or an option that the game has not is a mistake of the command line."""
    from rulelang.loading import COMMAND_LINE, load
    from rulelang.source.diagnostic import RulesError

    try:
        return load(file, variants=chosen, options=options)
    except RulesError as error:
        found = error.diagnostics
        from rulelang.table.log import is_log

        if is_log(Path(file)):
            from shlex import quote

            raise UsageError(f"{file} is a saved game; `rulelang run --load {quote(file)}` goes on with it") from error
        if any(d.place.file != COMMAND_LINE.file and d.code != "unknown-variant" for d in found):
            raise
        message, *further = [text for d in found for text in (d.message, d.hint) if text]
        raise UsageError(message, "\n".join(further)) from error


def players_of(args: argparse.Namespace, counts: tuple[int, ...]) -> int:
    """How many play: as asked, else the smallest number from two, else the only one."""
    if args.players is None:
        return min((n for n in counts if n >= 2), default=counts[0])
    if args.players not in counts:
        raise UsageError(f"this game is for {span(counts)} players, not for {args.players}")
    return int(args.players)


def span(counts: tuple[int, ...]) -> str:
    """Numbers of players in words: `1 to 4`, `2 or 4`, `2`."""
    if len(counts) > 2 and counts == tuple(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]}"
    return " or ".join(str(n) for n in counts)


def _no_number(found: re.Match[str]) -> str:
    return f"`{found[2]}` is no {'whole ' if found[1] == 'int' else ''}number"


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of players")
    return int(text)
