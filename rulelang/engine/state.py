"""A game being played: the public face of the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rulelang.engine import judging
from rulelang.engine.core import Core, Steps
from rulelang.engine.events import note
from rulelang.engine.explain import Explanation
from rulelang.engine.faults import ChanceError, PlayError, fault
from rulelang.engine.moves import Listing, Move
from rulelang.engine.naming import Again, listing
from rulelang.engine.parse import parse_value
from rulelang.engine.position import Position
from rulelang.engine.rng import number as number_of
from rulelang.engine.values import fits
from rulelang.engine.views import View
from rulelang.model.game import Block
from rulelang.model.types import show

if TYPE_CHECKING:
    from rulelang.engine.interpreter import Interpreter


class _Before:
    """The state before a move, and the way further back."""

    __slots__ = ("before", "core", "move")

    def __init__(self, core: Core, move: Move | None, before: _Before | None) -> None:
        self.core = core
        self.move = move
        self.before = before


class State(Position):
    """A game at one moment. Seats are numbers from 0. `copy` is cheap, and copies live their own lives."""

    __slots__ = ("_before", "_listed")

    def __init__(self, interpreter: Interpreter, core: Core, seed: int, before: _Before | None = None) -> None:
        super().__init__(interpreter, core, seed)
        self._before = before
        self._listed: dict[int, list[Move]] = {}

    @property
    def history(self) -> tuple[Move, ...]:
        """The moves made so far."""
        found = []
        step = self._before
        while step is not None:
            if step.move is not None:
                found.append(step.move)
            step = step.before
        return tuple(reversed(found))

    # Moves

    def moves(self, seat: int | None = None) -> list[Move]:
        """The legal moves of a seat, in order; without a seat of all who must choose now."""
        if seat is None:
            return [move for one in self.to_act for move in self.moves(one)]
        known = self._listed.get(seat)
        if known is not None:
            return known[:]
        if seat not in self.to_act:
            return []
        rt = self.scratch()
        rt.me = seat
        found = self._listed[seat] = listing(self.interpreter, rt, seat).moves
        return found[:]

    def play(self, move: Move | str, seat: int | None = None) -> Move:
        """Make a move, given itself or as text; returns it. Raises a `MoveError` if it cannot be made."""
        if self.waits_for != "move":
            raise PlayError(f"no move can be made now: {self._why_not()}")
        if isinstance(move, str):
            move = self.read(move, seat)
        else:
            listed = self.moves(move.seat)
            if move._listing is None or not listed or listed[0]._listing is not move._listing:
                same = [one for one in listed if one == move]
                if not same:
                    return self.play(self.read(self._text_of(move), move.seat))
                move = same[0]
        rt = self._core.copy()
        played = self._kept(move)
        self.interpreter.making.make(rt, played)
        self._go_on(rt, played)
        return move

    def _kept(self, move: Move) -> Move:
        """A move for the history: it does not hold on to the other moves of its position, which are listed again should
        its text be asked for."""
        if move._text is not None:
            return Move(move.seat, move.steps, move.text)
        core, seat = self._core, move.seat
        alone = Listing(Again(self.interpreter, core, seat))
        alone.moves = [kept := Move(seat, move.steps, None, alone)]
        return kept

    def undo(self) -> None:
        """Take back the last move, answer or chosen chance."""
        if self._before is None:
            raise PlayError("there is no move to take back")
        self._core = self._before.core
        self._before = self._before.before
        self._listed = {}

    def copy(self) -> State:
        """An independent copy."""
        other = State(self.interpreter, self._core.copy(), self.seed, self._before)
        other._listed = self._listed.copy()
        return other

    def going_on(self, chance: Mapping[str, Sequence[Any]] | None = None, given: Block = (),
                 ask_chance: bool | None = None) -> State:
        """A copy that goes on otherwise: with `chance` written down that comes after what is written down already; its
        position changed by the statements `given`; waiting where chance comes, or not, if `ask_chance` says so."""
        other = self.copy()
        rt = other._core
        if ask_chance is not None:
            rt.ask = ask_chance
        self.interpreter.script(rt, chance or {})
        if given:
            rt = rt.copy()
            self.interpreter.change(rt, given)
            other._go_on(rt, None)
        return other

    def read(self, text: str, seat: int | None = None) -> Move:
        """The legal move that a text means. Raises UnreadableMove, IllegalMove or AmbiguousMove."""
        if self.waits_for != "move":
            raise PlayError(f"no move can be made now: {self._why_not()}")
        return self.interpreter.notation.read(self, text, self._seat(seat))

    def complete(self, prefix: str, seat: int | None = None) -> list[str]:
        """What a move that begins so may be, word by word."""
        if self.waits_for != "move":
            return []
        return self.interpreter.notation.complete(self, prefix, self._seat(seat))

    def explain(self, text: str, seat: int | None = None) -> Explanation:
        """Whether a move is legal, and by which clauses. Raises AmbiguousMove if a text could be several."""
        if self.waits_for != "move":
            raise PlayError(f"no move can be made now: {self._why_not()}")
        return self.interpreter.explainer.explain(self, text, self._seat(seat))

    def _seat(self, seat: int | None) -> int:
        waiting = self.to_act
        if seat is None:
            return waiting[0]
        if seat not in waiting:
            raise PlayError(f"{self.game.seats[seat]} has nothing to choose now")
        return seat

    def _text_of(self, move: Move) -> str:
        return self.interpreter.notation.plain_text(move)

    def _why_not(self) -> str:
        return {"over": "the game is over", "judge": "a question waits for its answer",
                "chance": "chance comes first"}[self.waits_for]

    # Judges, chance, the clock

    def model_chance(self) -> float | None:
        """The chance of yes by the model that the waiting question names; None if it names none."""
        question = self.question
        return None if question is None else judging.chance(question, self.game)

    def model_answer(self) -> bool | None:
        """What that model answers, drawn from the stream of its question: the same seed gives the same answer. None if
        no model is named."""
        yes = self.model_chance()
        if yes is None:
            return None
        rt, statement = self._core, self.machine.nodes[self._core.node].statement
        assert statement is not None
        stream = self.interpreter.flow.chances.numbers[statement.stream]
        return number_of(rt.keys[stream], rt.counts[stream]) < yes * (1 << 64)

    def judged_so(self) -> str:
        """What that model says, for people; empty if there is none that can answer."""
        question = self.question
        return "" if question is None else judging.told(question, self.game)

    def answer_by_model(self) -> bool:
        """Let the model answer, and give its answer. `PlayFault` if the question names none: in a game that nobody
        watches there is no table to ask."""
        if self.waits_for != "judge":
            raise PlayError("no question waits for an answer")
        yes = self.model_answer()
        if yes is None:
            question = self.question
            assert question is not None
            raise fault(self.machine.nodes[self._core.node].place, "unanswered",
                        f"only people can answer `{question.text}`: the judge `{question.name}` names no model",
                        f"`judge {question.name} by MODEL(...) \"…\"`: {judging.installed()}")
        self.answer(yes)
        return yes

    def answer(self, yes: bool) -> None:
        """Answer the question."""
        if self.waits_for != "judge":
            raise PlayError("no question waits for an answer")
        rt = self._core.copy()
        node = self.machine.nodes[rt.node]
        self.interpreter.flow.answered(rt, node, bool(yes))
        rt.live = ()
        rt.node = node.next
        self.interpreter.flow.run(rt)
        self._go_on(rt, None)

    def outcomes(self) -> list[tuple[Any, Fraction]]:
        """What chance may give where it is waited for, each with its probability."""
        if self.waits_for != "chance":
            return []
        rt = self.scratch()
        return self.interpreter.flow.chances.outcomes(rt, self.interpreter.flow.draws[rt.node])

    def outcome_text(self, value: Any) -> str:
        """One of `outcomes` as text."""
        draw = self.interpreter.flow.draws[self._core.node]
        if self.machine.nodes[self._core.node].kind == "shuffle":
            return str(value + 1)
        return show(draw.type, value)

    def resolve(self, value: Any) -> None:
        """Let one of `outcomes` come, given itself or as text."""
        if self.waits_for != "chance":
            raise PlayError("no chance is waited for")
        outcomes = [one for one, _ in self.outcomes()]
        if isinstance(value, str):
            wanted = value
            for one in outcomes:
                if self.outcome_text(one).casefold() == wanted.casefold():
                    value = one
        if value not in outcomes:
            raise ChanceError(f"`{value}` cannot come here")
        rt = self._core.copy()
        self.interpreter.flow.resolve(rt, value)
        self._go_on(rt, None)

    def clock_out(self, seat: int) -> None:
        """A seat's time has run out: the rules say what happens."""
        if self.over:
            return
        if self.game.clock is None or self.waits_for != "move":
            raise PlayError("no clock runs here")
        rt = self._core.copy()
        note(rt, "clock", seat, f"{self.game.seats[seat]} is out of time")
        rt.me = seat
        rt.plans = (None,) * self.machine.seats
        rt.node = self.machine.entries.clock
        self.interpreter.flow.run(rt)
        self._go_on(rt, None)

    def _go_on(self, rt: Core, move: Move | None) -> None:
        """Stand at a new state; the one before can be come back to. What is remembered about it is let go."""
        self._core.memo = [None] * len(self._core.memo)
        self._before = _Before(self._core, move, self._before)
        self._core = rt
        self._listed = {}

    # Looking at it

    def view(self, seat: int | None) -> View:
        """What a seat sees, or an onlooker (None)."""
        return self.interpreter.views.view(self, seat)

    def set_value(self, name: str, indices: Sequence[Any], value: Any) -> None:
        """Set an entry of the state: for tests, examples and beliefs."""
        at = self._place(name, indices)
        number = next(i for i, field in enumerate(self.machine.fields) if field.name == name)
        kind = self.machine.fields[number].type
        if isinstance(value, str):
            value = parse_value(kind, value)
        if not fits(kind, value):
            raise ValueError(f"`{name}` cannot hold {value!r}")
        self._core = self._core.copy()
        self.interpreter.compiler.memory.writer(number)(self._core, at, value)
        self._listed = {}


__all__ = ["State", "Steps"]
