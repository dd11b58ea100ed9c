"""Texts with `{expression}` in them: refusals, sentences, notation, glyphs."""

from __future__ import annotations

import re
from typing import Any

from rulelang.syntax.build import Node, SentenceFault

_OR_TEXT = re.compile(r"\s*(?P<name>[^\W\d]\w*)\s+or\s+(?P<text>\S.*?)\s*$")
_PLAIN = re.compile(r"[^{}]+")


def template_parts(text: str, line: int, column: int) -> tuple[tuple[Any, ...], int]:
    """The text's pieces, str and `Node` in turn, and the depth of the deepest; the text stands at (line, column)."""
    from rulelang.syntax.parse import parse_nodes

    parts: list[Any] = []
    words: list[str] = []
    depth = 0
    at = 0
    while at < len(text):
        plain = _PLAIN.match(text, at)
        if plain:
            words.append(plain.group())
            at = plain.end()
            continue
        if text[at : at + 2] in ("{{", "}}"):
            words.append(text[at])
            at += 2
            continue
        if text[at] == "}":
            raise SentenceFault(
                *_where(text, at, line, column), 1, "this `}` closes nothing", "write `}}` for a bracket in a text",
            )
        end = _closing(text, at)
        if end < 0:
            raise SentenceFault(
                *_where(text, at, line, column), 1, "this `{` is not closed",
                "`{…}` holds an expression; write `{{` for a bracket in a text",
            )
        inner = text[at + 1 : end]
        if words:
            parts.append("".join(words))
            words = []
        start_line, start_column = _where(text, at + 1, line, column)
        found = _OR_TEXT.match(inner)
        if found and not re.search(r"[\[\](),=<>]|\b(and|or|not|is|in)\b", found.group("text")):
            name = found.group("name")
            node = Node("name", (name,), start_line, start_column + found.start("name"), len(name))
            node = Node("or_else", (node, found.group("text")), node.line, node.column, len(found.group().strip()), 2)
        else:
            node = shifted(parse_nodes("expr", inner, start_line, start_column), start_line - 1, start_column - 1)
        depth = max(depth, node.depth)
        parts.append(node)
        at = end + 1
    if words:
        parts.append("".join(words))
    return tuple(parts), depth


def _where(text: str, at: int, line: int, column: int) -> tuple[int, int]:
    """The place of character `at`; a further line of the text begins at the same column (a block's indentation)."""
    below = text.count("\n", 0, at)
    return line + below, column + at - (text.rfind("\n", 0, at) + 1)


def _closing(text: str, at: int) -> int:
    open_brackets = 0
    for position in range(at, len(text)):
        if text[position] == "{":
            open_brackets += 1
        elif text[position] == "}":
            open_brackets -= 1
            if not open_brackets:
                return position
        elif text[position] == "\n":
            return -1
    return -1


def shifted(node: Node, lines: int, columns: int) -> Node:
    """The same node, so many lines further down and columns further right."""

    def move(part: Any) -> Any:
        if part.__class__ is Node:
            return shifted(part, lines, columns)
        if part.__class__ is tuple:
            return tuple([move(each) for each in part])
        return part

    moved = Node(
        node.kind, tuple([move(part) for part in node.parts]), node.line + lines, node.column + columns, node.length,
        node.depth,
    )
    return moved
