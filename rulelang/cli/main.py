"""The command `rulelang`: finds the verb, loads its module, turns whatever happens into words and an exit code.

Starting is to cost little, so nothing but this module, `exits` and argparse is imported before a verb is known, and a
verb imports the rest of rulelang only when it runs.
"""

from __future__ import annotations

import gc
import sys

from rulelang.cli import exits

VERBS = {
    "run": "play a game, in the terminal or from a script",
    "check": "find every mistake in rules files",
    "test": "play the examples that stand in rules files",
    "explain": "say whether a move is legal, and by which line of the rules",
    "show": "show a game's board, state machine or assumptions",
    "fmt": "write rules files in the one style",
    "new": "start a rules file of your own",
    "diff": "compare two games in terms of their rules",
    "list": "list the games that come with rulelang",
    "perft": "count the positions to a depth",
    "bench": "measure how fast a game is played",
    "solve": "find out who wins a small game",
    "schema": "print the JSON Schema of rules files, for editors",
}

EXAMPLES = """examples:
  rulelang run rules/kakuzu.rules                  play at once, against bots
  rulelang run rules/kakuzu.rules --variant chase  play a variant
  rulelang check my.rules                          every mistake, with its place
  rulelang explain kakuzu.game "open e5"           settle an argument"""


def entry() -> None:
    """What the installed command calls."""
    # A game makes many small things that hold no cycles; by default Python looks through them once in 700.
    gc.set_threshold(50_000, 20, 50)
    code = main(sys.argv[1:])
    gc.freeze()              # and at the end through all of them, for nothing: a tenth of the time of a check
    sys.exit(code)


def main(argv: list[str]) -> int:
    """Run one command line; its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal without Unicode shows a ? where it lacks a character, and goes on.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        return _main(argv)
    except SystemExit as stop:  # argparse leaves this way, after --help (0) or a wrong command line (2)
        return stop.code if isinstance(stop.code, int) else exits.USAGE
    except BaseException as error:
        from rulelang.cli.endings import end_with

        return end_with(error, as_json="--json" in argv)


def _main(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help", "help"):
        if len(argv) > 1 and argv[0] == "help":
            return _main([argv[1], "--help"])
        print(overview())
        return exits.YES if argv else exits.USAGE
    if argv[0] in ("-V", "--version"):
        from importlib.metadata import version

        print(f"rulelang {version('rulelang')}")
        return exits.YES
    verb = argv[0]
    if verb not in VERBS:
        print(_unknown(verb), file=sys.stderr)
        return exits.USAGE
    from importlib import import_module

    from rulelang.cli.arguments import parse

    module = import_module(f"rulelang.cli.verbs.{verb}")
    args = parse(verb, VERBS[verb], module, argv[1:])
    code: int = module.run(args)
    sys.stdout.flush()
    return code


def overview() -> str:
    """The text of `rulelang --help`."""
    lines = [
        "usage: rulelang VERB …",
        "",
        "Edit a rule; know within a minute what it does to the game.",
        "",
        "verbs:",
        *(f"  {name:<8} {text}" for name, text in VERBS.items()),
        "",
        "`rulelang VERB --help` tells more of each.",
        "",
        EXAMPLES,
        "",
        exits.TABLE,
    ]
    return "\n".join(lines)


def _unknown(word: str) -> str:
    from difflib import get_close_matches

    if word.endswith((".rules", ".yaml", ".yml")):
        return f"rulelang: `{word}` is a file, say what to do with it\n   for example `rulelang run {word}`"
    near = get_close_matches(word, VERBS, n=1)
    hint = f"did you mean `rulelang {near[0]}`?" if near else "`rulelang --help` lists the verbs"
    return f"rulelang: there is no verb `{word}`\n   {hint}"


if __name__ == "__main__":
    entry()
