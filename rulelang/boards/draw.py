"""Drawings of boards: `svg` for the browser and for reports, `text_rows` and `text_pieces` for the terminal."""

from rulelang.boards.svg import svg
from rulelang.boards.text import text_pieces, text_rows

__all__ = ["svg", "text_pieces", "text_rows"]
