"""Printing to a terminal in colour."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.errors import StyleSyntaxError
from rich.style import Style
from rich.text import Text

from rulelang.table.fitting import Sheet
from rulelang.table.telling import Shown

# Names that rules files use for colours and rich does not know.
_OTHER_NAMES = {
    "gray": "bright_black", "grey": "bright_black", "purple": "magenta", "brown": "dark_orange3",
    "orange": "dark_orange", "pink": "hot_pink", "gold": "gold1", "silver": "grey70",
    # on a ground of their own, so that they can be seen on a dark and on a light terminal
    "black": "black on grey70", "white": "white on grey27",
}


# Grounds, each with an ink that shows on it.
_GROUNDS = {
    "gray": "black on grey62", "grey": "black on grey62", "white": "black on grey93", "black": "white on grey19",
    "purple": "white on dark_magenta", "brown": "white on orange4", "orange": "black on dark_orange",
    "pink": "black on hot_pink", "gold": "black on gold1", "silver": "black on grey74",
}


class Screen:
    """Lines for a person, with colours where the terminal has them."""

    def __init__(self) -> None:
        self.console = Console(file=sys.stdout, highlight=False)      # lines break between words

    @property
    def coloured(self) -> bool:
        """Whether colours are shown."""
        return self.console.is_terminal and not self.console.no_color and self.console.color_system is not None

    @property
    def sheet(self) -> Sheet:
        """What they are shown on."""
        return Sheet(sys.stdout.encoding, self.console.width)

    def show(self, *lines: object) -> None:
        """Print lines: texts, or lists of pieces, each a text and its style."""
        for line in lines:
            self.console.print(line if isinstance(line, str) else _text(line), markup=False)  # type: ignore[arg-type]


def _text(pieces: Shown) -> Text:
    text = Text()
    for piece, style in pieces:
        text.append(piece, _style(style))
    return text


def _style(words: str) -> Style:
    """A style from words like `bold red`; words that mean nothing are left out."""
    style = Style()
    for word in sorted(words.split(), key=lambda word: not word.startswith("on:")):
        if word.startswith("on:"):
            name = word[3:]
            word = _GROUNDS.get(name, f"on {name}")
        try:
            style += Style.parse(_OTHER_NAMES.get(word, word))
        except StyleSyntaxError:
            continue
    return style
