"""The text of a rule as its author wrote it, cut out of its file by its place."""

from __future__ import annotations

import textwrap
from functools import lru_cache
from typing import Any

from rulelang.source.compose import compose
from rulelang.source.diagnostic import Faults, RulesError
from rulelang.source.files import read_text
from rulelang.source.tree import Mapping, Node, Scalar, Sequence
from rulelang.syntax.trees import Branch, Clause, DataList, Item, Leaf, Rule, Syntax


def words_of(item: Item | Clause) -> str:
    """The lines in which an item stands, without what they are indented by."""
    if isinstance(item, Clause):
        return _statement(item.statement)
    if isinstance(item, Leaf) and isinstance(item.value, Syntax) and item.kind == "decl":
        return _signature(item.value)
    node = _nodes(item.place.file).get((item.place.line, item.place.column))
    if node is None:
        return _parts(item)
    return _node_text(node)


def _statement(statement: Syntax) -> str:
    """A statement of a block: from its line to the line before the next statement of the same depth."""
    lines, place = _lines(statement.place.file), statement.place
    if not 1 <= place.line <= len(lines):
        return statement.kind
    first = lines[place.line - 1]
    margin = len(first) - len(first.lstrip())
    found = [first]
    for line in lines[place.line :]:
        indent = len(line) - len(line.lstrip())
        goes_on = indent > margin or not line.strip()
        words = line.strip().split(" ", 1)[0]
        if not goes_on and not (indent == margin and (words in _GOES_ON or line.strip().startswith('"'))):
            break
        found.append(line)
    return textwrap.dedent("\n".join(found)).strip("\n").rstrip()


_GOES_ON = frozenset({"and", "or", "where", "has", "share"})


def _signature(sign: Syntax) -> str:
    """The parameters of a name, as its line has them."""
    lines = _lines(sign.place.file)
    if not 1 <= sign.place.line <= len(lines):
        return str(sign.parts[0])
    line = lines[sign.place.line - 1][sign.place.column - 1 :]
    return line.split(":", 1)[0].strip()


def _node_text(node: Node) -> str:
    if isinstance(node, Scalar):
        return textwrap.dedent(node.text).strip("\n").rstrip()
    lines = _lines(node.place.file)
    last = _last_line(node)
    text = lines[node.place.line - 1 : last]
    if text:
        # a map or list that begins within a line begins where it begins
        text[0] = (" " * (node.place.column - 1)) + text[0][node.place.column - 1 :]
    return textwrap.dedent("\n".join(text)).strip("\n").rstrip()


def _last_line(node: Node) -> int:
    if isinstance(node, Scalar):
        return node.line + node.text.rstrip("\n").count("\n")
    inner = [value for _, value in node.entries] if isinstance(node, Mapping) else list(node.items)
    return max([node.place.line, *(_last_line(one) for one in inner)])


def _parts(item: Item) -> str:
    """An item that stands under no key of its own: its parts, a line each."""
    match item:
        case Branch():
            return "\n".join(f"{entry.name}: {words_of(entry.item)}" for entry in item)
        case DataList():
            return ", ".join(words_of(one) for one in item.items)
        case Rule():
            return "\n".join(words_of(clause) for clause in item.clauses)
        case Leaf():
            return _value(item.value)
    return ""


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(_value(one) for one in value)
    if isinstance(value, Leaf):
        return _value(value.value)
    if isinstance(value, Syntax):
        return _statement(value)
    return str(value)


@lru_cache(maxsize=64)
def _lines(file: str) -> list[str]:
    try:
        return read_text(file).split("\n")
    except RulesError:
        return []


@lru_cache(maxsize=64)
def _nodes(file: str) -> dict[tuple[int, int], Node]:
    """The values of a file by the places of their keys and by their own."""
    found: dict[tuple[int, int], Node] = {}

    def walk(node: Node) -> None:
        if isinstance(node, Mapping):
            for key, value in node.entries:
                found.setdefault((value.place.line, value.place.column), value)
                found[key.place.line, key.place.column] = value
                walk(value)
        elif isinstance(node, Sequence):
            for one in node.items:
                found.setdefault((one.place.line, one.place.column), one)
                walk(one)

    root = compose("\n".join(_lines(file)), file, Faults())
    if root is not None:
        walk(root)
    return found
