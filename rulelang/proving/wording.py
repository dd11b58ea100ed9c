"""The text of a rule as its author wrote it, cut out of its file by its place, without the comments.

What an overlay changed stands nowhere as a whole: it is put together from its parts.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from rulelang.source.compose import compose
from rulelang.source.diagnostic import Faults, Place, RulesError
from rulelang.source.extent import Point, ends
from rulelang.source.files import read_text
from rulelang.source.tree import Mapping, Node, Scalar, Sequence
from rulelang.syntax.overlay import BlockEdit, Layered, ListEdit, MapEdit, RuleEdit
from rulelang.syntax.parse import parse_block
from rulelang.syntax.trees import Branch, Clause, DataList, Entry, Item, Leaf, Rule, Syntax

_GOES_ON = frozenset({"and", "or", "where", "has", "share", "else", "else:"})
_CODE = re.compile(r"""(?:"[^"]*"|(?<!\w)'[^']*'|(?<=\S)#|[^#])*""")     # what stands on a line before its comment


def words_of(item: Item | Clause) -> str:
    """The lines in which an item stands, without what they are indented by and what stands around them."""
    if isinstance(item, Clause):
        return _statement(item.statement)
    if isinstance(item, Leaf) and isinstance(item.value, Syntax) and item.kind == "decl":
        return _file(item.place.file).keys.get(_at(item.place), str(item.value.parts[0]))
    node = _file(item.place.file).values.get((isinstance(item, Leaf), _at(item.place)))
    if node is None:
        node = _file(item.place.file).values.get((not isinstance(item, Leaf), _at(item.place)))
    if node is not None and _as_written(item, node):
        return _node_text(node, is_text=isinstance(item, Leaf) and item.kind == "text")
    return _parts(item)


def words_of_entry(entry: Entry) -> str:
    """An entry with its key, as it would stand in a map."""
    text = words_of(entry.item)
    key = entry.name if entry.signature is None else _file(entry.place.file).keys.get(_at(entry.place), entry.name)
    if isinstance(entry.item, Rule) or (isinstance(entry.item, Leaf) and entry.item.kind == "block"):
        return f"{key}: |\n{textwrap.indent(text, '  ')}"
    if "\n" in text or (isinstance(entry.item, Branch) and not text.startswith("{") and _is_map(entry.item)):
        return f"{key}:\n{textwrap.indent(text, '  ')}"
    return f"{key}: {text}"


# ---------------------------------------------------------------------- what was written as it is


def _as_written(item: Item, node: Node) -> bool:
    """Whether the value in the file says all of the item and nothing else: no overlay has changed it."""
    match item:
        case Layered():
            return False
        case BlockEdit() | ListEdit() | RuleEdit():     # edits of a variant are kept as they are
            return item.place == node.place
        case Branch() if isinstance(node, Mapping):
            drops = isinstance(item, MapEdit) and bool(item.drops)
            at = {_at(key.place): value for key, value in node.entries if not (drops and key.text == "drop")}
            return {_at(entry.place) for entry in item} == at.keys() and all(
                entry.place.file == node.place.file and _as_written(entry.item, at[_at(entry.place)]) for entry in item
            )
        case Branch() if isinstance(node, Scalar):      # a short form
            return len(item.entries) == 1 and _as_written(item.entries[0].item, node)
        case Branch() if isinstance(node, Sequence):    # a list of words, or a short form
            return all(_within(entry.item.place, node) for entry in item)
        case DataList() if isinstance(node, Sequence):
            return len(item.items) == len(node.items) and all(map(_as_written, item.items, node.items))
        case DataList():
            return len(item.items) == 1 and _as_written(item.items[0], node)
        case Rule():
            return _same_statements([clause.statement for clause in item.clauses], node)
        case Leaf(kind="block"):
            return _same_statements(item.value, node)
        case Leaf(kind="names"):
            return isinstance(node, Sequence) and [_at(one.place) for one in item.value] == [
                _at(one.place) for one in node.items] and all(one.place.file == node.place.file for one in item.value)
    return item.place.file == node.place.file and _at(item.place) == _at(node.place)


def _within(place: Place, node: Node) -> bool:
    return place.file == node.place.file and _at(node.place) <= _at(place) <= _end(node)


def _same_statements(statements: Any, node: Node) -> bool:
    if not isinstance(node, Scalar):
        return False
    return [one.place for one in parse_block(node, Faults()) or ()] == [one.place for one in statements]


# ---------------------------------------------------------------------- cutting out


def _node_text(node: Node, is_text: bool = False) -> str:
    if isinstance(node, Scalar):
        lines = node.text.split("\n")
        return _dedented(_code(lines) if node.style == "|" and not is_text else lines)
    (first, begin), (last, end) = _at(node.place), _end(node)
    text = _file(node.place.file).lines[first - 1 : last]
    text[-1] = text[-1][: end - 1]
    text[0] = " " * (begin - 1) + text[0][begin - 1 :]
    return _dedented(_code(text))


def _end(node: Node) -> Point:
    return _file(node.place.file).ends[isinstance(node, Scalar), _at(node.place)]


def _statement(statement: Syntax) -> str:
    """A statement of a block: from its line to the line before the next statement of the same depth."""
    source, place = _file(statement.place.file), statement.place
    if not 1 <= place.line <= len(source.lines):
        return statement.kind
    first = source.lines[place.line - 1]
    if first[: place.column - 1].strip():      # the block is a text on the key's line
        return next((_node_text(node) for (scalar, at), node in source.values.items()
                     if scalar and at <= _at(place) <= _end(node)), statement.kind)
    margin = place.column - 1
    found = [first]
    for line in source.lines[place.line :]:
        indent = len(line) - len(line.lstrip())
        goes_on = indent > margin or not line.strip()
        words = line.strip().split(" ", 1)[0]
        if not goes_on and not (indent == margin and (words in _GOES_ON or line.strip().startswith('"'))):
            break
        found.append(line)
    return _dedented(_code(found))


def _code(lines: list[str]) -> list[str]:
    """The lines without their comments."""
    found = [(line, matched.group().rstrip() if (matched := _CODE.match(line)) else "") for line in lines]
    return [code for line, code in found if code or not line.strip()]


def _dedented(lines: list[str]) -> str:
    return textwrap.dedent("\n".join(lines)).strip("\n").rstrip()


# ---------------------------------------------------------------------- put together from parts


def _parts(item: Item) -> str:
    match item:
        case Branch():
            if isinstance(item, MapEdit):
                return _edits(item)
            if not item.entries:
                return "{}"
            return "\n".join(map(words_of_entry, item)) if _is_map(item) else words_of(item.entries[0].item)
        case DataList():
            texts = [words_of(one) for one in item.items]
            if any("\n" in text for text in texts):
                return "\n".join("- " + textwrap.indent(text, "  ")[2:] for text in texts)
            return f"[{', '.join(texts)}]"
        case Rule():
            return "\n".join(words_of(clause) for clause in item.clauses)
        case Leaf(kind="block"):
            return "\n".join(map(_statement, item.value))
        case Leaf(kind="names"):
            return f"[{', '.join(map(_value, item.value))}]"
        case Leaf():
            return _value(item.value)
    return ""


def _edits(item: MapEdit) -> str:
    found = list(map(words_of_entry, item))
    if item.drops:
        found.append(f"drop: [{_value(item.drops)}]")
    for number, layer in enumerate(item.later if isinstance(item, Layered) else (), 1):
        found.append(f"change {number}:\n{textwrap.indent(words_of(layer), '  ')}")
    return "\n".join(found) or "{}"


def _is_map(item: Branch) -> bool:
    """Whether the item is more than what a short form says."""
    return len(item.entries) != 1 or item.entries[0].place != item.entries[0].item.place


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(_value(one) for one in value)
    if isinstance(value, Leaf):
        return _value(value.value)
    if isinstance(value, Syntax):
        return _statement(value)
    return str(value)


# ---------------------------------------------------------------------- files


@dataclass(frozen=True, slots=True)
class _Source:
    """A file: its lines, its values by whether they are scalars and by their places, its keys' texts by theirs."""

    lines: list[str]
    values: dict[tuple[bool, Point], Node] = field(default_factory=dict)
    keys: dict[Point, str] = field(default_factory=dict)
    ends: dict[tuple[bool, Point], Point] = field(default_factory=dict)


def _at(place: Place) -> Point:
    return place.line, place.column


@lru_cache(maxsize=64)
def _file(file: str) -> _Source:
    try:
        text = read_text(file)
    except RulesError:
        return _Source([])
    source = _Source(text.split("\n"))
    root = compose(text, file, Faults())
    if root is None:
        return source

    def walk(node: Node) -> None:
        source.values[isinstance(node, Scalar), _at(node.place)] = node
        for key, value in node.entries if isinstance(node, Mapping) else ():
            source.keys[_at(key.place)] = key.text
            walk(value)
        for one in node.items if isinstance(node, Sequence) else ():
            walk(one)

    walk(root)
    source.ends.update(ends(text))
    return source
