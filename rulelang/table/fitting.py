"""Fitting what is shown to where it is shown: so many columns, and only the characters that its encoding has."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO
from unicodedata import normalize

if TYPE_CHECKING:
    from rulelang.boards.board import Board
    from rulelang.boards.text import Line

_USUAL = 80
_PLAINER = {"·": "|", "–": "-", "—": "-", "●": "o", "○": "o", "•": "o", "■": "#", "□": "#", "→": "->", "×": "x",
            "’": "'", "‘": "'", "“": '"', "”": '"'}


@dataclass(frozen=True, slots=True)
class Sheet:
    """What lines are shown on. `columns` of a terminal; None where a line may be as long as it is."""

    encoding: str = "utf-8"
    columns: int | None = None

    @property
    def width(self) -> int:
        """How many columns are to be filled."""
        return self.columns or _USUAL

    def has(self, text: str) -> bool:
        """Whether all of its characters can be shown."""
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            return False
        return True

    def fitting(self, text: str) -> str:
        """The text, in plain letters where it cannot be shown."""
        return text if self.has(text) else plainer(text)

    def board(self, board: Board, glyphs: Mapping[int, str]) -> list[Line]:
        """A board in whole rows. Where even in parts it is wider than the terminal, its rows are cut, which is said."""
        from rulelang.boards.draw import text_pieces
        from rulelang.boards.text import columns_of

        lines = text_pieces(board, glyphs, self.width)
        widest = max((sum(columns_of(text) for text, _ in line) for line in lines), default=0)
        if self.columns is None or widest <= self.columns:
            return lines
        note = f"(cut: the board takes {widest} columns)"
        return [[(note, -1)], *(_cut(line, self.columns) for line in lines)]


def sheet_of(stream: TextIO) -> Sheet:
    """What a stream writes on."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else None
    except OSError:
        columns = None
    return Sheet(getattr(stream, "encoding", None) or "utf-8", columns or None)


def plainer(text: str) -> str:
    """A text in the letters that every encoding has: as it is read, or `?`."""
    return "".join(_PLAINER.get(letter) or normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"
                   for letter in text)


def _cut(line: Line, columns: int) -> Line:
    from rulelang.boards.text import columns_of

    kept: Line = []
    for text, cell in line:
        while text and columns_of(text) > columns:
            text = text[:-1]
        columns -= columns_of(text)
        kept.append((text, cell))
    return kept
