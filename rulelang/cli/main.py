"""The command `rulelang`: finds the verb, loads its module, turns whatever happens into words and an exit code.

Starting is to cost little, so nothing but this module, `exits` and argparse is imported before a verb is known, and a
verb imports the rest of rulelang only when it runs.
"""

from __future__ import annotations

import codecs
import gc
import os
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
    _prepare_streams()
    try:
        code = _told(argv)
        sys.stdout.flush()
        sys.stderr.flush()
        return code
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except OSError as error:
        from rulelang.cli.endings import unwritten

        return unwritten(error)


def _plainer(error: UnicodeError) -> tuple[str, int]:
    """What is written in the place of characters that a stream lacks."""
    from rulelang.table.fitting import plainer

    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plainer(error.object[error.start:error.end]), error.end


def _prepare_streams() -> None:
    codecs.register_error("plainer", _plainer)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            # It was closed before we began: nothing comes from there, and what goes there is lost.
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w":
            # A terminal without Unicode shows what is like a character that it lacks, and goes on.
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="plainer")


def _told(argv: list[str]) -> int:
    """Run, and tell of what goes wrong. What cannot be told, since nobody reads it, is raised."""
    try:
        return _main(argv)
    except SystemExit as stop:  # argparse leaves this way after --help
        return stop.code if isinstance(stop.code, int) else exits.USAGE
    except BrokenPipeError:
        raise
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
        raise _unknown(verb)
    from importlib import import_module

    from rulelang.cli.arguments import parse

    module = import_module(f"rulelang.cli.verbs.{verb}")
    args = parse(verb, VERBS[verb], module, argv[1:])
    code: int = module.run(args)
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


def _unknown(word: str) -> Exception:
    import shlex
    from difflib import get_close_matches

    from rulelang.cli.arguments import UsageError

    if word.endswith((".rules", ".yaml", ".yml")):
        example = f"for example `rulelang run {shlex.quote(word)}`"
        return UsageError(f"`{word}` is a file, say what to do with it", example)
    near = get_close_matches(word, VERBS, n=1)
    hint = f"did you mean `rulelang {near[0]}`?" if near else "`rulelang --help` lists the verbs"
    return UsageError(f"there is no verb `{word}`", hint)


if __name__ == "__main__":
    entry()
