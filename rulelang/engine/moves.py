"""Moves as a player makes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from rulelang.engine.core import Steps


class Namer(Protocol):
    """What can name the moves of one position."""

    def texts(self, moves: Sequence[Move]) -> None:
        """Set the text of all these moves."""


class Listing:
    """The legal moves of one position, named together, since a name must tell them apart, when one is first read."""

    __slots__ = ("moves", "namer")

    def __init__(self, namer: Namer) -> None:
        self.namer: Namer | None = namer
        self.moves: list[Move] = []

    def name(self) -> None:
        """Give all moves their texts."""
        if self.namer is not None:
            namer, self.namer = self.namer, None
            namer.texts(self.moves)


class Move:
    """A move: `steps` are (action, chosen values), several in a chain; `text` is how it is written.

    Two moves are the same if seat, actions and values are.
    """

    __slots__ = ("_listing", "_text", "seat", "steps")

    def __init__(self, seat: int, steps: Steps, text: str | None = None, listing: Listing | None = None) -> None:
        self.seat = seat
        self.steps = steps
        self._text = text
        self._listing = listing

    @property
    def text(self) -> str:
        """The move in the game's notation."""
        if self._text is None:
            if self._listing is None:
                raise ValueError("this move was made without a text")
            self._listing.name()
        assert self._text is not None
        return self._text

    def named(self, text: str) -> None:
        """Set the text (once)."""
        self._text = text

    def freed(self) -> Move:
        """The same with its text, and without a way back to the position."""
        return Move(self.seat, self.steps, self._text or self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.seat == other.seat and self.steps == other.steps

    def __hash__(self) -> int:
        return hash((self.seat, self.steps))

    def __repr__(self) -> str:
        named = self._text is not None or self._listing is not None
        return f"Move({self.seat}, {self.text!r})" if named else f"Move({self.seat}, {self.steps})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (self.seat, self.steps, self.text)
