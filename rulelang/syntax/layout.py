"""Indentation of blocks: Lark's tokens in, the same with `_INDENT` and `_DEDENT` out.

One generator for each parse, with no state outside it, so that a sentence may be parsed while another is. Text that
does not begin with a line end is no block: its line ends mean nothing (an expression of several lines).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulelang.syntax.build import SentenceFault

if TYPE_CHECKING:
    from lark import Token

_OPENING = {"LPAR", "LSQB", "LBRACE"}
_CLOSING = {"RPAR", "RSQB", "RBRACE"}
MAX_BLOCKS = 64


class Layout:
    """Lark's `postlex`."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Go through the tokens of one sentence or block."""
        brackets = 0
        levels = [0]
        block: bool | None = None
        last: Token | None = None
        for token in stream:
            last = token
            if block is None:
                block = token.type == "_NL" and token.start_pos == 0
            if token.type == "_NL":
                if token.start_pos == 0:
                    yield token
                    levels[0] = _indent(token)      # whole-line comments above may stand further left
                elif block and not brackets:
                    yield from self._line_end(token, levels)
                continue
            if token.type in _OPENING:
                brackets += 1
            elif token.type in _CLOSING:
                brackets = max(0, brackets - 1)
            yield token
        if block and last is not None:
            if last.type != "_NL":
                ending = last.__class__.new_borrow_pos("_NL", "\n", last)
                ending.column = last.end_column      # the text's own last line end was cut off, see parse.py
                yield ending
            for _ in levels[1:]:
                yield last.__class__.new_borrow_pos("_DEDENT", "", last)

    def _line_end(self, token: Token, levels: list[int]) -> Iterator[Token]:
        yield token
        indent = _indent(token)
        if indent < 0:
            return
        end = token.end_line or token.line or 1
        if indent > levels[-1]:
            levels.append(indent)
            if len(levels) > MAX_BLOCKS:
                raise SentenceFault(end, indent + 1, 1, "blocks lie in each other too deep here", "", "too-deep")
            yield self._made("_INDENT", token, end, indent)
            return
        while indent < levels[-1]:
            below = levels[-2] if len(levels) > 1 else -1
            if indent > below:
                raise SentenceFault(
                    end, indent + 1, 1, "this line's indentation is that of no line above it",
                    "begin it below the first letter of the line it belongs to",
                )
            levels.pop()
            yield self._made("_DEDENT", token, end, indent)

    @staticmethod
    def _made(kind: str, token: Token, line: int, indent: int) -> Token:
        made = token.__class__.new_borrow_pos(kind, "", token)
        made.line, made.column = line, indent + 1
        return made


def _indent(token: Token) -> int:
    """The indentation of the line after a line end; -1 if only a comment follows."""
    text = str(token)
    rest = text[text.rfind("\n") + 1 :]
    return -1 if "#" in rest else len(rest)
