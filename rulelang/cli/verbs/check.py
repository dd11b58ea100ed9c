"""`rulelang check`: every mistake in rules files, each at its place."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rulelang.cli import exits
from rulelang.cli.arguments import UsageError, add_json
from rulelang.cli.progress import Progress

if TYPE_CHECKING:
    from rulelang.source.diagnostic import Diagnostic

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

    diagnostics: list[Diagnostic] = []
    done: list[str] = []
    code = exits.YES
    with Progress() as progress:
        try:
            for number, file in enumerate(args.files, 1):
                progress.say(f"file {number} of {len(args.files)}")
                diagnostics += _checked(file)
                done.append(file)
        except KeyboardInterrupt:
            code = exits.INTERRUPTED
    found = ordered(diagnostics)
    errors = sum(one.severity == "error" for one in found)
    if args.json:
        import json

        print(json.dumps({
            "files": [path_of(file) for file in done], "errors": errors,
            "diagnostics": [as_data(one) for one in found], **({"interrupted": True} if code else {}),
        }, ensure_ascii=False))
    elif found:
        report(found, sys.stdout)
    elif done:
        files = f"{len(done)} file{'s' if len(done) != 1 else ''}"
        print(Paint(sys.stdout)(f"no mistakes in {files}", "\033[32m"))
    if code and not args.json:
        print(f"interrupted; {len(done)} of {len(args.files)} files were checked")
    return code or (exits.NO if errors else exits.YES)


def _checked(file: str) -> tuple[Diagnostic, ...]:
    """What is wrong with one file."""
    from rulelang.loading import check

    found = check(file)
    if found:
        from rulelang.table.log import is_log

        if is_log(Path(file)):
            raise UsageError(f"{file} is a saved game, not a rules file")
    return found
