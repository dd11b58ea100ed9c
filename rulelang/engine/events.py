"""What happened, as told to each seat.

The newest event is at the head of a linked list in `Core.log`, so that copies of a state share what came before.
Texts are made when somebody reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulelang.engine.core import Core

EVERYONE = -1
TOLD = frozenset({"move", "chosen", "draw", "says", "out", "judge", "clock", "end"})      # the kinds that views tell of


class Heard:
    """What a seat was told so far. The texts are in a list that what it hears later is added to, so that each event is
    told once, however often somebody looks."""

    __slots__ = ("_all", "_length")

    def __init__(self, texts: list[str], length: int) -> None:
        self._all = texts
        self._length = length

    @property
    def texts(self) -> tuple[str, ...]:
        """All of it, the oldest first."""
        return tuple(self._all[:self._length])

    def and_then(self, later: Sequence[str]) -> Heard:
        """This and what came after it."""
        if not later:
            return self
        texts = self._all
        if len(texts) != self._length:
            texts = texts[:self._length]              # a game that went on otherwise has added to it already
        texts += later
        return Heard(texts, len(texts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Heard) and (self._length == other._length and self.texts == other.texts)

    def __hash__(self) -> int:
        return hash(self.texts)

    def __repr__(self) -> str:
        return repr(self.texts)

    def __reduce__(self) -> tuple[Any, ...]:
        return Heard, (list(self.texts), self._length)


class Event:
    """Something that happened.

    `kind`: move, chosen (a move of a `together` phase, before all have chosen), draw, says, phase, turn, round, out,
    judge, clock, end. `seat`: who did it, or -1. `told` is the whole text, for the seats of the mask `audience` (-1:
    everyone, onlookers too); `public` is for the others, or None if they are told nothing.
    """

    __slots__ = ("_public", "_told", "audience", "before", "heard", "kind", "seat")

    def __init__(self, kind: str, seat: int, told: str | Callable[[], str], public: str | Callable[[], str] | None,
                 audience: int, before: Event | None) -> None:
        self.kind = kind
        self.seat = seat
        self._told = told
        self._public = public
        self.audience = audience
        self.before = before
        self.heard: dict[int | None, Heard] | None = None       # up to here, by who has asked

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


def heard(rt: Core, seat: int | None) -> Heard:
    """What a seat, or an onlooker, was told so far."""
    event: Event | None = rt.log
    news = []
    before = None
    while event is not None:
        if event.heard is not None and seat in event.heard:
            before = event.heard[seat]
            break
        if event.kind in TOLD:
            text = event.text_for(seat)
            if text is not None:
                news.append(text)
        event = event.before
    news.reverse()
    found = (Heard([], 0) if before is None else before).and_then(news)
    newest: Event | None = rt.log
    if newest is not None:
        newest.heard = {**(newest.heard or {}), seat: found}
    return found
