"""`rulelang diff`: what differs between two games, in terms of their rules."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import textwrap
from typing import Any

from rulelang.cli import exits
from rulelang.cli.arguments import add_json, open_rules
from rulelang.cli.report import BOLD, CYAN, RED, Paint, path_of, place_of

EXAMPLES = """examples:
  rulelang diff rules/kakuzu.rules my.rules
  rulelang diff kakuzu kakuzu --variant-b chase     what a variant changes"""

_GREEN = "\033[32m"
_NARROWEST = 20      # columns for a text; with less room the two sides stand below each other


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    for side, name in (("a", "first"), ("b", "second")):
        parser.add_argument(f"file_{side}", metavar=side.upper(), help=f"the {name} rules file, or a built-in game")
        parser.add_argument(
            f"--variant-{side}", metavar="V,W", default="", help=f"variants of the {name}, with commas between"
        )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Compare; 1 if they differ."""
    from rulelang.proving.difference import differences

    old, new = (
        open_rules(file, [name.strip() for name in names.split(",") if name.strip()], {})
        for file, names in ((args.file_a, args.variant_a), (args.file_b, args.variant_b))
    )
    found = differences(old.document, new.document)
    if args.json:
        print(json.dumps({
            "a": path_of(str(old.path)), "b": path_of(str(new.path)), "differences": [_data(one) for one in found],
        }, ensure_ascii=False))
    elif not found:
        print(f"{old.title}: the same rules")
    else:
        paint = Paint(sys.stdout)
        width = shutil.get_terminal_size((100, 24)).columns
        for one in found:
            print("\n".join(_lines(one, paint, width)))
        print(paint(f"{len(found)} difference{'s' if len(found) != 1 else ''}", BOLD))
    return exits.NO if found else exits.YES


def _data(one: Any) -> dict[str, Any]:
    def side(part: Any) -> dict[str, Any] | None:
        return part and {"text": part.text, "file": path_of(part.place.file), "line": part.place.line}

    return {"change": one.change, "rule": one.rule, "path": list(one.path), "a": side(one.old), "b": side(one.new)}


def _lines(one: Any, paint: Paint, width: int) -> list[str]:
    """A difference in words: the rule, then both texts, side by side where both have one and there is room."""
    sign, colour = {"added": ("+", _GREEN), "removed": ("-", RED), "changed": ("~", CYAN)}[one.change]
    head = f"{sign} {one.rule}"
    sides = [side for side in (one.old, one.new) if side is not None]
    if len(sides) == 1 and len(head) + 2 + len(place_of(sides[0].place)) <= width:
        text = _wrapped(sides[0].text, width - 4)
        return [f"{paint(head, BOLD, colour)}  {place_of(sides[0].place)}", *(f"    {line}" for line in text), ""]
    heads = [paint(line, BOLD, colour) for line in _wrapped(head, width)]
    half = (width - 7) // 2
    if len(sides) == 1 or half < _NARROWEST:
        return [*heads, *(f"    {line}" for side in sides for line in _told(side, width - 4)), ""]
    left, right = (_told(side, half) for side in sides)
    rows = max(len(left), len(right))
    left += [""] * (rows - len(left))
    right += [""] * (rows - len(right))
    return [*heads, *(f"    {a:<{half}} | {b}".rstrip() for a, b in zip(left, right, strict=True)), ""]


def _told(side: Any, width: int) -> list[str]:
    """One side: its place and its text, in lines of that width."""
    return _wrapped(place_of(side.place), width) + _wrapped(side.text, width)


def _wrapped(text: str, width: int) -> list[str]:
    width = max(width, _NARROWEST)
    found: list[str] = []
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())][: width // 2]
        found += textwrap.wrap(line, width, subsequent_indent=indent + "  ", drop_whitespace=True) or [""]
    return found
