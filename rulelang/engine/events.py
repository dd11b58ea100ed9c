"""What happened, as told to each seat.

The newest event is at the head of a linked list in `Core.log`, so that copies of a state share what came before.
Texts are made when somebody reads them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.engine.core import Core

EVERYONE = -1


class Event:
    """Something that happened.

    `kind`: move, chosen (a move of a `together` phase, before all have chosen), draw, says, phase, turn, out, judge,
    clock, end. `seat`: who did it, or -1. `told` is the whole text, for the seats of the mask `audience` (-1: everyone,
    onlookers too); `public` is for the others, or None if they are told nothing.
    """

    __slots__ = ("_public", "_told", "audience", "before", "kind", "seat")

    def __init__(self, kind: str, seat: int, told: str | Callable[[], str], public: str | Callable[[], str] | None,
                 audience: int, before: Event | None) -> None:
        self.kind = kind
        self.seat = seat
        self._told = told
        self._public = public
        self.audience = audience
        self.before = before

    @property
    def told(self) -> str:
        """The whole text."""
        if callable(self._told):
            self._told = self._told()
        return self._told

    @property
    def public(self) -> str | None:
        """The text for those who may not know all."""
        if callable(self._public):
            self._public = self._public()
        return self._public

    def text_for(self, seat: int | None) -> str | None:
        """What a seat is told, or an onlooker (None); None if it is told nothing."""
        if self.audience == EVERYONE or (seat is not None and self.audience >> seat & 1):
            return self.told
        return self.public

    def __repr__(self) -> str:
        return f"Event({self.kind!r}, {self.seat}, {self.told!r})"


def note(rt: Core, kind: str, seat: int, told: str | Callable[[], str], public: str | Callable[[], str] | None = None,
         audience: int = EVERYONE) -> None:
    """Add an event to a game's log."""
    rt.log = Event(kind, seat, told, public, audience, rt.log)


def events_of(rt: Core, since: Any = None) -> tuple[Event, ...]:
    """All events, the oldest first; those after `since` if it is given."""
    found = []
    event = rt.log
    while event is not None and event is not since:
        found.append(event)
        event = event.before
    return tuple(reversed(found))
