"""From a scalar to its syntax: parsed once for each text in the process, then moved to its place in the file."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from rulelang.source.diagnostic import Faults, Place
from rulelang.source.tree import Scalar
from rulelang.syntax import memory
from rulelang.syntax.build import Node, SentenceFault
from rulelang.syntax.trees import Syntax

MAX_BRACKETS = 64
MAX_TEXT = 200_000
_RANK_WORD = re.compile(r"\s*(highest|lowest)\s+(?!of\b)\S")
_STRING = re.compile(r'"[^"\n]*"')

Found = Node | tuple[Node, ...]


def parse(scalar: Scalar, start: str, faults: Faults) -> Syntax | tuple[Syntax, ...] | None:
    """The syntax of a scalar's text, its places those of the file; None if it is faulty, which is noted.

    `start` is one of block (gives a tuple of statements), expr, type, union, decl, sig, rank, start, data, template.
    """
    found, wrong = _parsed(start, scalar.text)
    line, column = scalar.line - 1, scalar.column - 1
    for fault in wrong:
        place = Place(scalar.place.file, line + fault.line, column + fault.column, fault.length)
        faults.add(place, fault.code, fault.message, fault.hint)
    if wrong or found is None:
        return None
    if isinstance(found, tuple):
        line -= 1      # Lark read a block with a line end in front
        return tuple([_placed(node, scalar.place.file, line, column) for node in found])
    return _placed(found, scalar.place.file, line, column)


def parse_block(scalar: Scalar, faults: Faults) -> tuple[Syntax, ...] | None:
    """The statements of a block."""
    found = parse(scalar, "block", faults)
    return found if isinstance(found, tuple) else None


def parse_one(scalar: Scalar, start: str, faults: Faults) -> Syntax | None:
    """Any sentence but a block."""
    found = parse(scalar, start, faults)
    return found if isinstance(found, Syntax) else None


def parse_nodes(start: str, text: str, line: int, column: int) -> Node:
    """The position-free node of a sentence that stands within another, at (line, column) of it."""
    found, wrong = _parsed(start, text)
    for fault in wrong:
        raise SentenceFault(
            fault.line + line - 1, fault.column + column - 1, fault.length, fault.message, fault.hint, fault.code,
        )
    assert isinstance(found, Node)
    return found


def forget() -> None:
    """Empty the cache of sentences."""
    _parsed.cache_clear()


def _placed(node: Node, file: str, lines: int, columns: int) -> Syntax:
    parts: list[Any] = []
    for part in node.parts:
        if part.__class__ is Node:
            parts.append(_placed(part, file, lines, columns))
        elif part.__class__ is tuple:
            parts.append(tuple([_placed(each, file, lines, columns) for each in part if each.__class__ is Node]
                               if part and part[0].__class__ is Node else part))
        else:
            parts.append(part)
    return Syntax(node.kind, tuple(parts), Place(file, node.line + lines, node.column + columns, node.length))


@lru_cache(maxsize=20_000)
def _parsed(start: str, text: str) -> tuple[Found | None, tuple[SentenceFault, ...]]:
    """The nodes of a text and what is wrong with it, at lines and columns of its own (a block's nodes one below)."""
    kept = memory.known(start, text)
    if kept is not None:
        return kept, ()
    found, wrong = _parsed_anew(start, text)
    if found is not None and not wrong:
        memory.note(start, text, found)
    return found, wrong


def _parsed_anew(start: str, text: str) -> tuple[Found | None, tuple[SentenceFault, ...]]:
    try:
        _check_size(text)
        if start == "template":
            return _template(text), ()
        if start == "block":
            return _block(text)
        if not text.strip():
            raise SentenceFault(1, 1, 1, "nothing stands here", f"write {_WANTED.get(start, 'a value')}")
        if start == "rank" and not _RANK_WORD.match(text):
            value = _run("expr", text)
            node = Node("rank", ("highest", value), value.line, value.column, value.length, value.depth + 1)
            return node, ()
        return _run(start, text), ()
    except SentenceFault as fault:
        return None, (fault.with_traceback(None),)


_WANTED = {
    "expr": "an expression", "type": "a type, such as `0..9` or `Player or none`", "union": "a type, such as `1..9`",
    "decl": "a name, such as `stone[c of Cell]`", "sig": "a name, such as `height(c of Cell)`",
    "rank": "what counts, such as `score`", "start": "a value", "data": "a value",
}


def _check_size(text: str) -> None:
    """Bound the brackets before Lark sees them, so that no text can make it slow or deep."""
    if len(text) > MAX_TEXT:
        raise SentenceFault(1, 1, 1, "this text is too long for one sentence", "", "too-deep")
    if text.count("(") + text.count("[") + text.count("{") <= MAX_BRACKETS:
        return
    depth = 0
    for number, line in enumerate(text.split("\n"), 1):
        for column, character in enumerate(_STRING.sub(lambda found: "_" * len(found.group()), line), 1):
            if character in "([{":
                depth += 1
                if depth > MAX_BRACKETS:
                    raise SentenceFault(
                        number, column, 1, f"more than {MAX_BRACKETS} brackets lie in each other here",
                        "name a part of it in `define:`", "too-deep",
                    )
            elif character in ")]}":
                depth = max(0, depth - 1)


def _template(text: str) -> Node:
    from rulelang.syntax.template import template_parts

    parts, depth = template_parts(text, 1, 1)
    return Node("text", parts, 1, 1, max(1, len(text.split("\n", 1)[0])), depth + 1)


def _run(start: str, text: str) -> Any:
    """One call of Lark; its errors become `SentenceFault`."""
    from lark.exceptions import UnexpectedInput

    from rulelang.syntax.engine import engine

    try:
        return engine().parse(text, start=start)
    except UnexpectedInput as error:
        from rulelang.syntax.explain import explain

        raise explain(error, start, text) from None


def _block(text: str) -> tuple[Found | None, tuple[SentenceFault, ...]]:
    """A block, and where a line of it is faulty, what is wrong with the lines below as well."""
    lines = ["", *text.rstrip().split("\n")]      # the line end in front tells layout.py that this is a block
    wrong: list[SentenceFault] = []
    found: tuple[Node, ...] | None = None
    while len(wrong) < 10:
        try:
            nodes = _run("block", "\n".join(lines).rstrip())
            found = nodes
            break
        except SentenceFault as fault:
            line = fault.line - 1      # in `lines`
            if not wrong or fault.line - 1 > wrong[-1].line:
                wrong.append(SentenceFault(
                    fault.line - 1, fault.column, fault.length, fault.message, fault.hint, fault.code,
                ))
            elif fault.line - 1 < wrong[-1].line:
                break
            for hidden in range(line + 1, fault.resume - 1):
                lines[hidden] = ""
            if not _blanked(lines, line):
                break
    return (None, tuple(wrong)) if wrong else (found, ())


_GOES_ON = re.compile(r"\s*((and|or|where|has|share)\b(?!(\s*\[.*\])?\s*[:+\-]=)|\")")


def _blanked(lines: list[str], at: int) -> bool:
    """Put a harmless statement in the place of the faulty one, so that the rest can be read; False if it is that."""
    at = min(at, len(lines) - 1)
    while at > 1 and (not lines[at].strip() or _GOES_ON.match(lines[at])):
        at -= 1
    if at < 1:
        return False
    indent = _indent(lines[at])
    above = next((line for line in reversed(lines[1:at]) if _says(line)), "")
    if _says(above) and indent > _indent(above) and not above.split(" #")[0].rstrip().endswith(":"):
        while at < len(lines) and (not lines[at].strip() or _indent(lines[at]) >= indent):
            lines[at] = ""      # indented for no reason: all of it
            at += 1
        return True
    following = at + 1
    while following < len(lines) and _GOES_ON.match(lines[following]):
        lines[following] = ""
        following += 1
    below = next((line for line in lines[following:] if _says(line)), "")
    heads_a_block = _indent(below) > indent
    harmless = " " * indent + ("if on:" if heads_a_block else "finish")
    if lines[at].split("#")[0].rstrip() == harmless:
        return False
    lines[at] = harmless
    return True


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _says(line: str) -> bool:
    """Whether a line holds more than a comment."""
    return bool(line.strip()) and not line.lstrip().startswith("#")
