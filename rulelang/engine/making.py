"""How a move is made: its steps one after the other, or, where all choose together, the moves of all once the last of
them has chosen. What is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.engine.core import Core
from rulelang.engine.events import note
from rulelang.engine.faults import fault
from rulelang.engine.moves import Move

if TYPE_CHECKING:
    from rulelang.engine.interpreter import Interpreter


class Making:
    """Makes the moves of one machine."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.machine = interpreter.machine
        self.game = interpreter.game

    def make(self, rt: Core, move: Move) -> None:
        """Make a legal move in a core, and go on until the game waits."""
        legal, flow = self.interpreter.legal, self.interpreter.flow
        rt.work = 0
        if rt.actor < 0:
            plans = list(rt.plans)
            plans[move.seat] = move.steps
            rt.plans = tuple(plans)
            self._note_move(rt, move, move.seat)
            if not flow.together_seats(rt):
                self._together(rt)
            return
        self._note_move(rt, move, -1)
        for step in move.steps:
            legal.begin(rt, step)
            self._say(rt, step[0])
            tracer = flow.tracer
            if tracer is not None:
                action = self.game.actions[step[0]]
                tracer.begin(rt, f"action {action.name}, do", action.place)
            flow.run(rt)

    def _together(self, rt: Core) -> None:
        """All have chosen: the effects in order of seats, then `after`."""
        interpreter = self.interpreter
        phase = rt.phase
        rt.moving = True
        rt.exit = None
        for seat, steps in enumerate(rt.plans):
            if steps is not None:
                self._note_move(rt, Move(seat, steps, interpreter.notation.plain_text(Move(seat, steps))), -1)
        for seat in range(self.machine.seats):
            steps = rt.plans[seat]
            for number, values in steps or ():
                rules = interpreter.actions[number]
                rt.me = seat
                rules.bind(rt, values)
                self._say(rt, number)
                if interpreter.flow.tracer is not None:
                    interpreter.flow.tracer.begin(rt, f"action {rules.action.name}, do", rules.action.place)
                if rules.do is None:
                    raise fault(rules.action.place, "chance-here", "players choose together here: nothing may be drawn")
                rules.do(rt)
        rt.plans = (None,) * self.machine.seats
        rt.me = rt.player
        entries = self.machine.entries
        rt.node = entries.settles[phase] if rt.exit is not None else entries.afters[phase]
        interpreter.flow.run(rt)

    def _note_move(self, rt: Core, move: Move, only: int) -> None:
        """Tell of a move; of one chosen together only the chooser, until all have chosen."""
        if rt.quiet:
            return
        name = self.game.seats[move.seat]
        names = self.interpreter.notation
        if only >= 0:
            note(rt, "chosen", move.seat, lambda: f"{name} chooses {move.text}", f"{name} has chosen", 1 << only)
        elif names.has_secret(move):
            note(rt, "move", move.seat, lambda: f"{name}: {move.text}", lambda: f"{name}: {names.public(move)}",
                 1 << move.seat)
        else:
            note(rt, "move", move.seat, lambda: f"{name}: {move.text}")

    def _say(self, rt: Core, number: int) -> None:
        """What an action says when it is done."""
        if rt.quiet:
            return
        for clause in self.game.actions[number].clauses:
            if clause.kind == "says" and clause.sentence is not None:
                told = self.interpreter.effects.text(clause.sentence)
                self.interpreter.make_room(rt)
                note(rt, "says", rt.me, told(rt))
