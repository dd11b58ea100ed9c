"""The lines of a rules file in one style: indentation, columns after keys, empty lines. Knows no sentences."""

from __future__ import annotations

import re

from rulelang.source.compose import compose
from rulelang.source.diagnostic import Faults
from rulelang.source.tree import Mapping, Node, Scalar

STEP = 2


def blank_lines(text: str) -> str:
    """No blanks at line ends, never two empty lines, none at the ends of the file."""
    lines = [line.rstrip() for line in text.split("\n")]
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return "\n".join(kept) + "\n"


def indent(text: str) -> str:
    """Two blanks for each level. Lines of a block or a flow collection go with the line they hang from."""
    root = compose(text, "", Faults())
    if root is None:
        return text
    levels: dict[int, int] = {}
    _levels(root, 0, levels)
    lines = text.split("\n")
    made: list[str] = []
    shift = 0
    for number, line in enumerate(lines):
        body = line.lstrip(" ")
        old = len(line) - len(body)
        if not body:
            made.append("")
            continue
        if number + 1 in levels:
            new = STEP * levels[number + 1]
            shift = new - old
            body = re.sub(r"^- +", "- ", body)
        elif body.startswith("#") and not _in_block(number, lines, levels):
            new = _comment(number, old, lines, levels, shift)
        else:
            new = max(0, old + shift)
        made.append(" " * new + body)
    return _block_margins("\n".join(made))


def _levels(node: Node, level: int, levels: dict[int, int]) -> None:
    """The level of each line that begins an entry of a block collection."""
    if isinstance(node, Scalar) or node.flow:
        return
    if isinstance(node, Mapping):
        for key, value in node.entries:
            levels.setdefault(key.place.line, level)
            _levels(value, level + 1, levels)
        return
    for item in node.items:
        levels.setdefault(item.place.line, level)
        _levels(item, level + 1, levels)


def _in_block(number: int, lines: list[str], levels: dict[int, int]) -> bool:
    """Whether a comment line lies inside a `|` block: deeper than the line the block hangs from."""
    above = number
    while above and above not in levels:
        above -= 1
    head = lines[above - 1] if above else ""
    deeper = len(lines[number]) - len(lines[number].lstrip()) > len(head) - len(head.lstrip())
    return bool(re.search(r"[:\-] +\|[+-]?\s*(#.*)?$", head)) and deeper


def _comment(number: int, old: int, lines: list[str], levels: dict[int, int], shift: int) -> int:
    """A comment goes with the next line that begins an entry, if it stood below it or left of it."""
    for below in range(number + 1, len(lines)):
        if below + 1 in levels:
            indent_below = len(lines[below]) - len(lines[below].lstrip(" "))
            return STEP * levels[below + 1] if indent_below == old else max(0, old + shift)
        if lines[below].strip() and not lines[below].lstrip().startswith("#"):
            break
    return max(0, old + shift)


def _block_margins(text: str) -> str:
    """A `|` block stands two blanks further right than its key."""
    lines = text.split("\n")
    for scalar in _block_scalars(compose(text, "", Faults())):
        if not scalar.text.strip():
            continue
        head = lines[scalar.place.line - 1]
        wanted = len(head) - len(head.lstrip(" ")) + STEP
        shift = wanted - (scalar.column - 1)
        if not shift:
            continue
        for number in range(scalar.line - 1, scalar.line - 1 + len(scalar.text.rstrip("\n").split("\n"))):
            row = lines[number]
            if row.strip():
                lines[number] = " " * max(0, len(row) - len(row.lstrip(" ")) + shift) + row.lstrip(" ")
    return "\n".join(lines)


def _block_scalars(node: Node | None) -> list[Scalar]:
    if node is None:
        return []
    if isinstance(node, Scalar):
        return [node] if node.style == "|" else []
    inner = [value for _, value in node.entries] if isinstance(node, Mapping) else list(node.items)
    return [scalar for each in inner for scalar in _block_scalars(each)]


# ---------------------------------------------------------------------- columns


def align(text: str) -> str:
    """One blank after a key's colon; but values that stand in a column, line below line, are kept in a column."""
    root = compose(text, "", Faults())
    lines = text.split("\n")
    for run in _runs(_entries(root), lines):
        in_column = len(run) > 1 and any(_wide(entry) for entry in run)
        column = max(colon for _, colon, _ in run) + 2
        for line, colon, value in run:
            row = lines[line]
            target = column if in_column else colon + 2
            lines[line] = _moved(row[: colon + 1] + " " * (target - colon - 1), row[value:], row, value)
    return "\n".join(lines)


def _moved(head: str, rest: str, old: str, value: int) -> str:
    """The line anew; a comment behind it keeps its column if there is room."""
    found = re.search(r" +#[^\"']*$", rest)
    if not found or len(head) == value:
        return head + rest
    code, comment = rest[: found.start()], rest[found.start() :].lstrip()
    column = len(old) - len(comment)
    return (head + code).ljust(column if column > len(head + code) else len(head + code) + 2) + comment


def _entries(node: Node | None) -> list[tuple[int, int, int]]:
    """Line, column of the colon and column of the value (all from 0) of each `key: value` on one line."""
    if node is None or isinstance(node, Scalar) or node.flow:
        return []
    if not isinstance(node, Mapping):
        return [entry for item in node.items for entry in _entries(item)]
    found: list[tuple[int, int, int]] = []
    for key, value in node.entries:
        same_line = key.place.line == value.place.line
        if same_line and (not isinstance(value, Scalar) or value.text or value.style):
            end = key.place.column - 1 + key.place.length
            found.append((key.place.line - 1, end, value.place.column - 1))
        found.extend(_entries(value))
    return found


def _runs(
    entries: list[tuple[int, int, int]], lines: list[str],
) -> list[list[tuple[int, int, int]]]:
    """Neighbouring lines of one indentation whose values stand in one column."""
    runs: list[list[tuple[int, int, int]]] = []
    for line, end, value in sorted(entries):
        colon = lines[line].find(":", end)
        if colon < 0 or lines[line][colon + 1 : value].strip():
            continue
        last = runs[-1][-1] if runs else None
        below = last is not None and last[0] == line - 1 and _margin(lines[last[0]]) == _margin(lines[line])
        if last is not None and below and _in_column(last, (line, colon, value)):
            runs[-1].append((line, colon, value))
        else:
            runs.append([(line, colon, value)])
    return runs


def _wide(entry: tuple[int, int, int]) -> bool:
    """Whether more than one blank stands behind the colon: the author meant a column."""
    return entry[2] - entry[1] > 2


def _in_column(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    """Whether two values stand in one column; columns that were meant may be out by two."""
    return one[2] == other[2] or (abs(one[2] - other[2]) <= 2 and _wide(one) and _wide(other))


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
