"""The state machine of a game: a flat state layout and nodes, as plain data.

A game waits at a `wait` node (a decision), at a chance node in a run that asks for chance, or at a `judge` node. All
else runs by itself. What each kind of node does:

| kind     | does                                                                                                  |
|----------|-------------------------------------------------------------------------------------------------------|
| start    | sets the variable `var` to its start; chance if its start is random                                   |
| block    | a block begins: `me` becomes the player in turn, but for blocks that keep who acted (`keeps_me`)      |
| run      | `body`, without chance; then `next`, or `other` (the block's settle node) after an exit               |
| test     | `next` if `test` holds, else `other`                                                                  |
| each     | `slot` := the list of `domain`; then `next`                                                           |
| more     | takes the first value of the list in `slot` that meets `test` into `element`, on at `next`; or `other` |
| times    | `slot` := the number `test`; then `next`                                                              |
| count    | one less in `slot` and on at `next`; `other` at 0                                                     |
| draw     | `statement`: one drawn from its source into its target                                                |
| deal     | as draw, once (the amount is a `times` node before, and one draw is one round)                        |
| roll     | one entry of `statement`'s target; `slot` numbers the entries of a whole variable                     |
| shuffle  | one exchange of the shuffle of `statement`'s target; `slot` is the place                              |
| judge    | `statement` asks a question; the answer goes to its slot                                              |
| settle   | a block (`block`) has ended: who is next, who is out, the ends of the game, and where the game goes   |
| enter    | the phase `phase` is entered; then its `begin`, or its `wait`                                         |
| wait     | the decision of the phase `phase`; `other` is its `stuck` block, or -1                                |
| pass     | the turn passes to the next player (or whom `turn to` named)                                          |
| over     | the game is over                                                                                      |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulelang.machine.layout import Field
from rulelang.model.game import Game
from rulelang.model.ir import E, S
from rulelang.source.diagnostic import NOWHERE, Place


@dataclass(frozen=True, slots=True)
class Node:
    """One node. `rule` says in words whose it is; `live` are the slots that are still read when it is waiting."""

    kind: str
    rule: str
    place: Place = NOWHERE
    next: int = -1
    other: int = -1
    body: tuple[S, ...] = ()
    test: E | None = None
    domain: E | None = None
    statement: S | None = None
    slot: int = -1
    element: int = -1
    var: int = -1
    phase: int = -1
    block: str = ""
    keeps_me: bool = False
    live: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Entries:
    """Where the parts of a game begin: numbers of nodes. A part that a game has not is the node that follows it."""

    start: int
    setup: int
    round_begin: int
    turn_begin: int
    turn_end: int
    round_end: int
    phases: tuple[int, ...]            # the enter node of each phase
    waits: tuple[int, ...]             # the wait node of each phase
    afters: tuple[int, ...]            # the `after` of each phase, or its settle node
    settles: tuple[int, ...]           # the settle node of each phase's moves
    stucks: tuple[int, ...]            # the `stuck` of each phase, or -1
    dos: tuple[tuple[int, ...], ...]   # by phase, then by place among its actions: where the `do` begins
    ends: tuple[int, ...]              # the `then` of each end, or -1 for finish
    limit: int
    clock: int
    over: int


@dataclass(frozen=True, slots=True)
class Machine:
    """A game, compiled. `slots` counts the locals, those that loops with chance in them need included."""

    game: Game
    fields: tuple[Field, ...]
    size: int
    nodes: tuple[Node, ...]
    entries: Entries
    slots: int
    slot_names: tuple[str, ...]
    streams: tuple[str, ...]

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.game.seats)

    def to_json(self) -> dict[str, Any]:
        """The machine as lists and maps of plain values."""
        from rulelang.machine.plain import machine_to_json

        return machine_to_json(self)
