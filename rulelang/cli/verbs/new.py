"""`rulelang new`: a small commented rules file to start from."""

from __future__ import annotations

import argparse
import re
import shlex
from importlib.resources import files
from pathlib import Path

from rulelang.cli import exits
from rulelang.cli.arguments import UsageError
from rulelang.cli.endings import Refused

EXAMPLES = """examples:
  rulelang new my-game           writes my-game.rules
  rulelang run my-game.rules     plays it"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    parser.add_argument("name", metavar="NAME", help="the game's name, or the file to write")


def run(args: argparse.Namespace) -> int:
    """Write the file; a file that is there stays as it is."""
    path = Path(args.name)
    if path.name in ("", ".."):
        raise UsageError("which game? name it, as in `rulelang new my-game`")
    if path.suffix != ".rules":
        path = path.with_name(path.name + ".rules")
    title = re.sub(r"[-_\s]+", " ", path.stem).strip()
    if not re.match(r"\w", title) or not re.search(r"[^\W\d_]", title) or re.search(r"[^\w '’!?]", title):
        raise UsageError(f"`{path.stem}` cannot be a game's name: use letters, digits and hyphens")
    text = files("rulelang.cli").joinpath("template.rules").read_text(encoding="utf-8")
    text = text.replace("{file}", shlex.quote(path.name)).replace("{title}", title[0].upper() + title[1:])
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise Refused(f"{path} is there already, and stays as it is", "choose another name") from None
    print(f"{path} is written; play it by: rulelang run {shlex.quote(str(path))}")
    return exits.YES
