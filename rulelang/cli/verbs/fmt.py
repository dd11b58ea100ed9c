"""`rulelang fmt`: rules files in the one style, comments kept."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from rulelang.cli import exits

EXAMPLES = """examples:
  rulelang fmt my.rules            rewrite the file in the one style
  rulelang fmt --check rules/*     change nothing; exit code 1 if a file is not in that style
  rulelang fmt - < my.rules        from standard input to standard output"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="rules files, or - for standard input")
    parser.add_argument("--check", action="store_true", help="only say which files would change")


def run(args: argparse.Namespace) -> int:
    """Format the files. All are read before any is written, so that a mistake in one leaves all as they are."""
    from rulelang.cli.report import path_of
    from rulelang.source.diagnostic import Diagnostic, RulesError
    from rulelang.syntax.format import format_text

    changed: list[tuple[str, str]] = []
    faults: list[Diagnostic] = []
    for name in args.files:
        old = sys.stdin.read() if name == "-" else _read(name)
        try:
            new = format_text(old, "<standard input>" if name == "-" else name)
        except RulesError as error:
            faults += error.diagnostics
            continue
        if name == "-" and not args.check:
            sys.stdout.write(new)
        elif new != old:
            changed.append((name, new))
    if faults:
        raise RulesError(faults)
    for name, new in changed:
        if args.check:
            print(f"{path_of(name)} is not in the one style")
        else:
            _write(Path(name), new)
            print(f"{path_of(name)} rewritten")
    return exits.NO if changed and args.check else exits.YES


def _read(name: str) -> str:
    from rulelang.source.files import read_text

    return read_text(name)


def _write(path: Path, text: str) -> None:
    """Replace the file as a whole, so that it is never half written."""
    path = path.resolve()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".new")
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.chmod(name, path.stat().st_mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
