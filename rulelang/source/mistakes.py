"""PyYAML's errors, said in the words of a rules file and with the form that works."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rulelang.source.diagnostic import Faults, Place

_KEY = re.compile(r"^(?P<before>\s*(?:- +)*(?:\"[^\"]*\"|'[^']*'|[^\s#:][^:]*?):)(?: +(?P<value>\S.*))?$")
_QUOTED_VALUE = re.compile(r"[^#\"']*?:\s+(?:[\[{]\s*(?:[\w ]+:\s*)?)?(?P<quote>\")")
_OPEN_KEY = re.compile(r"\s*(?P<key>[^\s#:][^#:]*):\s*(?:#.*)?$")
_STATEMENT = re.compile(
    r"\s*(?:(?:choose|let|require|ensure|says|draw|deal|shuffle|roll|move|judge|go|next|turn|win|lose|if|for|repeat)\s+\S"
    r"|(?:again|tie|finish)\s*$|[^\s:]+\s*(?::=|\+=|-=))"
)
_BARE = re.compile(r"^\s*[^\s#:][^:]*$")      # a line without any colon
_BLOCK = "put the sentence in a block: `|`, and the text on the lines below, indented further"


def explain_yaml_error(error: Any, lines: Sequence[str], file: str, faults: Faults) -> None:
    """Turn a `MarkedYAMLError` into a diagnostic at its place."""
    mark = error.problem_mark or error.context_mark
    problem = (error.problem or "").strip()
    context = (error.context or "").strip()
    if mark is None:
        faults.add(Place(file, 1, 1), "yaml", f"this file cannot be read as YAML: {problem}")
        return
    line_number, column = min(mark.line, len(lines) - 1), mark.column
    if error.context_mark is not None and ("quoted scalar" in context or "simple key" in context):
        line_number, column = error.context_mark.line, error.context_mark.column
    if ("escape" in problem or "hexdecimal" in problem) and error.problem_mark is not None:
        line_number, column = mark.line, mark.column - 1
    line = lines[line_number] if line_number < len(lines) else ""
    if "quoted scalar" not in context:
        opened = _open_quote(lines[:mark.line + 1]) or _no_bar(lines, line_number)
        if opened is not None:
            faults.add(Place(file, opened[0] + 1, opened[1] + 1, opened[2]), "yaml", *opened[3:])
            return
    if "mapping values are not allowed" in problem and not line[:column].strip().count(": "):
        above = line_number - 1
        if above >= 0 and _BARE.match(lines[above]):
            line_number, column, line = above, len(lines[above]) - len(lines[above].lstrip()), lines[above]
            problem = "could not find expected ':'"
    place = Place(file, line_number + 1, column + 1)
    started = error.context_mark.line + 1 if error.context_mark is not None else None
    message, hint = _message(problem, context, line, started, line_number + 1)
    faults.add(place, "yaml", message, hint)


_Opened = tuple[int, int, int, str, str]      # line, column (from 0), length, message, hint


def _open_quote(lines: Sequence[str]) -> _Opened | None:
    """Where a value begins with a quote that its line does not close: YAML ends it at the next quote, far below."""
    for number, line in enumerate(lines):
        found = _QUOTED_VALUE.match(line)
        if found and line.count('"') % 2 and line.split(" #")[0].count('"') % 2:      # a comment may hold any
            return (number, found.start("quote"), 1, "the quote that opens here is not closed in its line",
                    "close it, or take it out")
    return None


def _no_bar(lines: Sequence[str], at: int) -> _Opened | None:
    """The key above statements that stand in no block."""
    at = min(at, len(lines) - 1)
    below: list[str] = []
    while at >= 0 and (not below or not lines[at].strip() or _indent(lines[at]) >= min(map(_indent, below))):
        if lines[at].strip():
            below.append(lines[at])
        at -= 1
    found = _OPEN_KEY.match(lines[at]) if at >= 0 else None
    if found is None or not any(_STATEMENT.match(line) for line in below):
        return None
    return (at, found.start("key"), len(found["key"]), f"`{found['key']}:` has statements below it, and no `|`",
            f"write `{found['key']}: |`")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _message(problem: str, context: str, line: str, started: int | None, here: int) -> tuple[str, str]:
    if "mapping values are not allowed" in problem:
        return ("a second `: ` stands in this line, or the line is indented too far",
                f"if it is one sentence, {_BLOCK}")
    if "escape" in problem or "hexdecimal" in problem:
        return "a backslash means nothing here", "write the character itself; a text with quotes in it: `|` block"
    if "quoted scalar" in context:
        return "the quote that opens here is never closed", "close it, or take it out"
    value = _value(line)
    trap = _trap(value)
    if trap:
        return trap
    if "flow mapping" in context or "flow sequence" in context:
        bracket = "{" if "mapping" in context else "["
        where = "here" if started in (None, here) else f"in line {started}"
        closing = "}" if bracket == "{" else "]"
        return (
            f"the `{bracket}` opened {where} holds what YAML cannot read, or lacks its `{closing}`",
            "between `{…}` and `[…]` a sentence may hold none of `, [ ] { }`: write the map in lines below its key",
        )
    if "simple key" in context or "could not find expected ':'" in problem:
        return "this line has no `key: value`", f"add the colon and a blank; a sentence of several lines: {_BLOCK}"
    if "cannot start any token" in problem:
        return "no value can begin with this character", _BLOCK
    if "block mapping" in context or "did not find expected key" in problem or "block collection" in context:
        where = f" that begins in line {started}" if started is not None and started != here else ""
        return (f"this line does not fit the map{where}",
                "indent it as its neighbours are; a value in quotes ends with its quote")
    if "sequence entries are not allowed" in problem or "block entries" in problem:
        return "a `- ` list cannot begin here", "put the list on the lines below its key, or write `[a, b]`"
    if "anchor" in context or "alias" in context:
        return "`&` and `*` cannot begin a value", _BLOCK
    if "tag" in context:
        return "`!` cannot begin a value", _BLOCK
    if "block scalar" in context:
        return "after `|` the line must end", "put the text on the lines below, indented further"
    if "directive" in context:
        return "`%` cannot begin a line", _BLOCK
    return f"YAML cannot read this: {problem or context}", ""


def _value(line: str) -> str:
    found = _KEY.match(line)
    return (found.group("value") or "") if found else ""


def _trap(value: str) -> tuple[str, str] | None:
    """The ways in which a sentence begins with a sign that means something to YAML."""
    if value.startswith("{") and re.match(r"\{\s*[^\W\d]\w*\s+(in|for)\s", value):
        return ("a set that begins a value is read by YAML as a map",
                'write it in quotes: "{c in Cell where …}"')
    if value.startswith("{") and re.search(r":[^,{}]*[\[{(].*\}", value):
        return (
            "inside `{…}` a sentence may hold none of `, [ ] { }`",
            "write the map in lines below its key instead, one `key: value` each",
        )
    if value[:1] in ('"', "'") and re.match(r"([\"'])[^\"']*\1\s*[^\s#]", value):
        return "text stands behind the closing quote", _BLOCK
    if value[:1] in "&*!%@`" and value:
        return f"a sentence that begins with `{value[0]}` is not text to YAML", _BLOCK
    return None
