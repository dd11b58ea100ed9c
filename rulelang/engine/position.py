"""A game at one moment, to be looked at: whose turn it is, what it waits for, what the state holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulelang.engine.core import Core
from rulelang.engine.events import Event, events_of
from rulelang.engine.faults import fault
from rulelang.engine.parse import parse_value
from rulelang.engine.question import Question
from rulelang.engine.results import Result
from rulelang.machine.nodes import Machine
from rulelang.model.game import Game

if TYPE_CHECKING:
    from rulelang.engine.interpreter import Interpreter


class Position:
    """What a game is at one moment. Nothing here changes it."""

    __slots__ = ("_core", "interpreter", "seed")

    def __init__(self, interpreter: Interpreter, core: Core, seed: int) -> None:
        self.interpreter = interpreter
        self.seed = seed
        self._core = core

    @property
    def machine(self) -> Machine:
        """The state machine that is played."""
        return self.interpreter.machine

    @property
    def game(self) -> Game:
        """The checked game that is played."""
        return self.interpreter.game

    @property
    def core(self) -> Core:
        """The state and registers themselves, for engines and searches: not to be changed."""
        return self._core

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._core.result is not None

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it runs."""
        found: Result | None = self._core.result
        return found

    @property
    def phase(self) -> str:
        """The name of the phase."""
        return self.game.phases[self._core.phase].name if self._core.phase >= 0 else ""

    @property
    def player(self) -> int:
        """The seat whose turn it is."""
        return self._core.player

    @property
    def turns(self) -> int:
        """How often the turn has passed."""
        return self._core.turns

    @property
    def rounds(self) -> int:
        """How many rounds have ended."""
        return self._core.rounds

    @property
    def out(self) -> tuple[int, ...]:
        """The seats that are out."""
        return tuple(seat for seat in range(self.machine.seats) if self._core.out >> seat & 1)

    @property
    def waits_for(self) -> str:
        """What the game waits for: move, judge, chance, or over."""
        if self.over:
            return "over"
        kind = self.machine.nodes[self._core.node].kind
        return {"wait": "move", "judge": "judge"}.get(kind, "chance")

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must choose now."""
        if self.waits_for != "move":
            return ()
        if self._core.actor >= 0:
            return (self._core.actor,)
        return self.interpreter.flow.together_seats(self.scratch())

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, the oldest first."""
        return events_of(self._core)

    @property
    def question(self) -> Question | None:
        """The question that waits for an answer, or None."""
        if self.waits_for != "judge":
            return None
        return self.interpreter.flow.question(self.scratch())

    # Its values

    def get_value(self, name: str, indices: Sequence[Any] = ()) -> Any:
        """An entry of the state."""
        return self._core.v[self._place(name, indices)]

    def _place(self, name: str, indices: Sequence[Any]) -> int:
        for field in self.machine.fields:
            if field.name == name:
                return field.place_of([parse_value(kind, x) if isinstance(x, str) else x
                                       for kind, x in zip(field.index_types, indices, strict=True)])
        raise KeyError(name)

    def rank_values(self, seat: int) -> tuple[Any, ...]:
        """What the seat is ranked by, higher is better: during the game as if it were finished now."""
        results = self.interpreter.results
        if self._core.result is not None and not results.values:
            return (-self._core.result.ranks[seat],)
        return results.compared(results.scores(self.scratch()))[seat]

    def check_invariants(self) -> None:
        """A fault if one of the game's invariants does not hold."""
        rt = self.scratch()
        for name, e, holds in self.interpreter.invariants:
            if not holds(rt):
                raise fault(e.place, "invariant", f"the invariant `{name}` does not hold")
        self.interpreter.material.check(rt, self.machine.nodes[rt.node].place)

    def key(self, history: bool = True) -> tuple[Any, ...]:
        """The whole position as one value that can be compared and hashed; `history` leaves out how often which
        position stood."""
        rt = self._core
        live = tuple(rt.s[slot] for slot in rt.live)
        turns = rt.turns if self.game.limit is not None and history else 0
        notes = tuple(frozenset(known.items()) for known in rt.notes) if history else ()
        return (tuple(rt.v), rt.node, rt.player, rt.actor, rt.me if live else -1, rt.out, rt.plans, live, turns, notes,
                rt.result)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.machine is other.machine and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def scratch(self) -> Core:
        """A core to ask questions of, that forgets what it did."""
        rt = self._core.copy()
        rt.quiet = True
        if rt.actor >= 0:
            rt.me = rt.actor
        return rt
