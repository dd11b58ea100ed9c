"""The whole of a running game in one object that is cheap to copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Fn = Callable[["Core"], Any]
Steps = tuple[tuple[int, tuple[Any, ...]], ...]

NEXT = -1          # pending: the next player
STAY = -2          # pending: nobody was named


class Core:
    """State and registers.

    `v` the flat state · `s` the locals · `memo` answers known for this state (see `engine.memory`; dictionaries in it
    may be shared between copies: they are true of the values that both have, and are let go at a write) ·
    `me` who acts in the block that runs · `player` the player in turn · `pending` who is next when the block ends ·
    `leaving` seats that go out when it ends · `out` seats that are out (mask) · `node` · `phase` · `exit` the exit
    that the block took · `ending` a round, not only a turn, is being ended · `moving` a move's blocks are running ·
    `chained` the decision continues a chain · `actor` whose decision it is · `turns`, `rounds` · `counts` numbers
    taken of each stream · `plans` chosen moves of a `together` phase by seat · `notes` for each position how
    often each of its values stood (never changed in place) · `work` loop rounds since the last decision · `script`
    scripted chance still to come by name · `result` · `log` the newest event, linked to the one before · `live`
    slots that count while it waits within a block · `quiet` events are not noted (searches) · `probe` it stops where
    a chain ends · `keys` the key of each stream · `ask` it waits where chance comes.
    """

    __slots__ = (
        "actor", "ask", "chained", "counts", "ending", "exit", "keys", "leaving", "live", "log", "me", "memo", "moving",
        "node", "notes", "out", "pending", "phase", "plans", "player", "probe", "quiet", "result", "rounds", "s",
        "script", "turns", "v", "work",
    )

    def __init__(self, size: int, slots: int, memos: int, streams: int, seats: int, positions: int) -> None:
        self.v: list[Any] = [None] * size
        self.s: list[Any] = [0] * slots
        self.memo: list[Any] = [None] * memos
        self.me = 0
        self.player = 0
        self.pending = STAY
        self.leaving = 0
        self.out = 0
        self.node = 0
        self.phase = -1
        self.exit: tuple[str, int] | None = None
        self.ending = False
        self.moving = False
        self.chained = False
        self.actor = -1
        self.turns = 0
        self.rounds = 0
        self.counts: list[int] = [0] * streams
        self.plans: tuple[Steps | None, ...] = (None,) * seats
        self.notes: list[dict[Any, int]] = [{} for _ in range(positions)]
        self.work = 0
        self.script: dict[str, tuple[Any, ...]] = {}
        self.result: Any = None
        self.log: Any = None
        self.live: tuple[int, ...] = ()
        self.quiet = False
        self.probe = False
        self.keys: tuple[int, ...] = ()
        self.ask = False

    def copy(self) -> Core:
        """An independent copy."""
        c = Core.__new__(Core)
        c.v = self.v[:]
        c.s = self.s[:]
        c.memo = self.memo[:]
        c.me = self.me
        c.player = self.player
        c.pending = self.pending
        c.leaving = self.leaving
        c.out = self.out
        c.node = self.node
        c.phase = self.phase
        c.exit = self.exit
        c.ending = self.ending
        c.moving = self.moving
        c.chained = self.chained
        c.actor = self.actor
        c.turns = self.turns
        c.rounds = self.rounds
        c.counts = self.counts[:]
        c.plans = self.plans
        c.notes = self.notes[:]
        c.work = 0
        c.script = self.script
        c.result = self.result
        c.log = self.log
        c.live = self.live
        c.quiet = self.quiet
        c.probe = self.probe
        c.keys = self.keys
        c.ask = self.ask
        return c
