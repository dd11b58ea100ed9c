"""One style inside sentences: spaces, the indentation of blocks, brackets round open forms.

Works on Lark's tokens: only what stands between two tokens of a line is rewritten, and brackets are added; so comments
and line breaks stay where the author put them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulelang.syntax.build import Node, SentenceFault
from rulelang.syntax.engine import engine

if TYPE_CHECKING:
    from lark import Token

_LAYOUT = ("_NL", "_INDENT", "_DEDENT")
_NO_SPACE_BEFORE = (",", ")", "]", "}", ":", "..", ".", "[")
_NO_SPACE_AFTER = ("(", "[", "{", "..", ".")
_ENDS_VALUE = (")", "]", "}", "none", "on", "off", "empty")
_OPEN_FORMS = ("quant", "no_two", "first", "last")


@dataclass(slots=True)
class _Read:
    """The tokens of a text, those of layout apart, and how deep each statement's first line is."""

    tokens: list[Token]
    depth_of_line: dict[int, int]
    nodes: tuple[Node, ...]


def format_sentence(start: str, text: str) -> str:
    """A sentence (not a block) in the one style; what cannot be parsed stays as it is."""
    read = _read(start, text)
    return text if read is None else _spaced(text, read)


def format_block(text: str) -> str:
    """A block in the one style."""
    body = text.strip("\n")
    read = _read("block", "\n" + body.rstrip())
    if read is None:
        return text
    spaced = _spaced("\n" + body.rstrip(), read)
    return _indented(spaced.split("\n")[1:], read) + "\n"


def _read(start: str, text: str) -> _Read | None:
    from lark.exceptions import UnexpectedInput

    tokens: list[Token] = []
    depths: dict[int, int] = {}
    depth = 0
    first = True
    try:
        parser: Any = engine().parse_interactive(text, start=start)
        for token in parser.iter_parse():
            if token.type in _LAYOUT:
                depth += {"_INDENT": 1, "_DEDENT": -1}.get(token.type, 0)
                first = True
                continue
            if first:
                depths[int(token.line or 1)] = depth
                first = False
            tokens.append(token)
        found = parser.feed_eof()
    except (UnexpectedInput, SentenceFault):
        return None
    return _Read(tokens, depths, found if isinstance(found, tuple) else (found,))


def _spaced(text: str, read: _Read) -> str:
    """The text with one space, or none, between two tokens of a line; and with the brackets that make it clearer."""
    opens, closes = _brackets(read)
    pieces: list[str] = []
    at = 0
    before: Token | None = None
    unary = False
    for number, token in enumerate(read.tokens):
        begin, end = token.start_pos or 0, token.end_pos or 0
        gap = text[at:begin]
        if before is not None and not gap.strip(" \t"):
            gap = "" if unary or not _apart(before, token) else " "
        elif before is None and read.depth_of_line and "\n" not in gap:
            gap = ""
        pieces.append(gap + "(" * opens.get(number, 0) + text[begin:end] + ")" * closes.get(number, 0))
        unary = token == "-" and (before is None or not _ends_value(before))
        before = token
        at = end
    rest = text[at:]
    return "".join(pieces) + (rest if rest.strip() or "\n" in rest else "")


def _apart(left: Token, right: Token) -> bool:
    if str(right) in _NO_SPACE_BEFORE or str(left) in _NO_SPACE_AFTER:
        return False
    return not (right == "(" and left.type == "NAME")


def _ends_value(token: Token) -> bool:
    return token.type in ("NAME", "INT") or str(token) in _ENDS_VALUE


# ---------------------------------------------------------------------- brackets


def _brackets(read: _Read) -> tuple[dict[int, int], dict[int, int]]:
    """Brackets round each open form that is followed on its line by an `and` or `or` inside it."""
    at_place = {(token.line, token.column): number for number, token in enumerate(read.tokens)}
    opens: dict[int, int] = {}
    closes: dict[int, int] = {}
    stack: list[Any] = list(read.nodes)
    while stack:
        node = stack.pop()
        if node.__class__ is tuple:
            stack.extend(part for part in node if part.__class__ in (Node, tuple))
            continue
        if node.__class__ is not Node or node.kind == "text":
            continue
        stack.extend(node.parts)
        begin = at_place.get((node.line, node.column)) if node.kind in _OPEN_FORMS else None
        if begin is None:
            continue
        end = _last(read, begin)
        if end is not None:
            opens[begin] = opens.get(begin, 0) + 1
            closes[end] = closes.get(end, 0) + 1
    return opens, closes


def _last(read: _Read, begin: int) -> int | None:
    """The last token of the open form that begins at `begin`, if it needs brackets."""
    tokens = read.tokens
    depth = 0
    joined = False
    has = False
    end = len(tokens)
    for number in range(begin, len(tokens)):
        token = tokens[number]
        word = str(token)
        if word in ("(", "[", "{"):
            depth += 1
        elif word in (")", "]", "}"):
            if not depth:
                end = number
                break
            depth -= 1
        elif not depth:
            if word in (",", ":") or token.type == "STRING" or (token.line in read.depth_of_line and (
                token.line != tokens[begin].line
            )):
                end = number
                break
            has = has or token.type in ("HAS", "SHARE", "WHERE")
            joined = joined or (has and token.type in ("AND", "OR") and token.line == tokens[begin].line)
    if not joined:
        return None
    closed = end < len(tokens) and str(tokens[end]) in (")", "]", "}")
    if closed and begin and str(tokens[begin - 1]) in ("(", "[", "{"):
        return None
    return end - 1


# ---------------------------------------------------------------------- indentation


def _indented(lines: list[str], read: _Read) -> str:
    """Two blanks a level; further lines of a statement keep their distance to its first."""
    made: list[str] = []
    shift = 0
    for number, line in enumerate(lines, 2):      # Lark counted the line end in front
        depth = read.depth_of_line.get(number)
        body = line.strip()
        old = len(line) - len(line.lstrip(" "))
        if not body:
            made.append("")
            continue
        if depth is None and body.startswith("#"):
            following = [each for each in read.depth_of_line if each > number]
            depth = read.depth_of_line[min(following)] if following else None
            new = 2 * depth if depth is not None else max(0, old + shift)
        elif depth is None:
            new = max(0, old + shift)
        else:
            new = 2 * depth
            shift = new - old
        made.append(" " * new + body)
    return "\n".join(made)
