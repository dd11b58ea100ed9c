"""`rulelang check`: every mistake in rules files, each at its place."""

from __future__ import annotations

import argparse
import json
import sys

from rulelang.cli import exits
from rulelang.cli.arguments import add_json
from rulelang.cli.progress import Progress

EXAMPLES = """examples:
  rulelang check my.rules
  rulelang check rules/*.rules --json

The file is checked with its options as they are, with each of its variants, for each number of players, and with each
option at both ends: what passes here can be run. Each code in [brackets] has a page in docs/errors/."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="rules files")
    add_json(parser, "print one JSON object with all diagnostics")


def run(args: argparse.Namespace) -> int:
    """Check the files; 1 if any has an error."""
    from rulelang.cli.report import Paint, as_data, ordered, path_of, report
    from rulelang.loading import check
    from rulelang.source.diagnostic import Diagnostic

    diagnostics: list[Diagnostic] = []
    with Progress() as progress:
        for number, file in enumerate(args.files, 1):
            diagnostics += check(file)
            progress.say(f"{number} of {len(args.files)} files")
    found = ordered(diagnostics)
    errors = sum(one.severity == "error" for one in found)
    if args.json:
        print(json.dumps({
            "files": [path_of(file) for file in args.files], "errors": errors,
            "diagnostics": [as_data(one) for one in found],
        }, ensure_ascii=False))
    elif found:
        report(found, sys.stdout)
    else:
        files = f"{len(args.files)} file{'s' if len(args.files) != 1 else ''}"
        print(Paint(sys.stdout)(f"no mistakes in {files}", "\033[32m"))
    return exits.NO if errors else exits.YES
