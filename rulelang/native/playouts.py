"""Random playouts as both engines play them: the same game from the same seed, move for move.

The playout with the seed s draws its chance from s as any game does, and its moves from the stream "playout" of s:

* the legal moves of the seat that chooses are counted, n, and one number below n says which, in the interpreter's
  order; where players choose together, they do so one after the other from seat 1;
* in a phase where an action with an `ensure` ends in a choice out of a set, trying every effect would cost more than
  drawing: the candidates (all that meets every clause but the `ensure`s of such actions) are counted, one number says
  which, and if an `ensure` refuses it, it is left out and another number drawn. Every legal move is as likely as before.

`interpreted` does the same with the interpreter, and is what the native engine's playouts are tested against.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from rulelang.engine import Interpreter, Move, State, Stream, judging
from rulelang.engine.core import Steps
from rulelang.judges.question import JudgeError
from rulelang.machine import build
from rulelang.machine.nodes import Machine
from rulelang.model.types import SetOf
from rulelang.native.engine import Playouts

MOST_PLIES = 1_000_000


def drawn_actions(machine: Machine) -> frozenset[int]:
    """The actions whose moves a playout draws as candidates, by number."""
    found = set()
    for number, action in enumerate(machine.game.actions):
        choices = [c for c in action.clauses if c.kind in ("choose", "choose_some")]
        last = choices[-1] if choices else None
        ensures = any(c.kind == "ensure" for c in action.clauses)
        if ensures and last is not None and last.kind == "choose" and not last.optional and last.domain is not None \
                and isinstance(last.domain.type, SetOf):
            found.add(number)
    return frozenset(found)


def drawn_phase(machine: Machine, phase: int) -> bool:
    """Whether a playout draws candidates in a phase."""
    rules = machine.game.phases[phase]
    return not rules.must and not rules.chain and rules.who != "together" and any(
        number in drawn_actions(machine) for number in rules.actions)


class Player:
    """Plays random playouts by the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        machine = interpreter.machine
        self.drawn = [drawn_phase(machine, phase) for phase in range(len(machine.game.phases))]
        self.loose: Interpreter | None = None
        if any(self.drawn):
            chosen = drawn_actions(machine)
            actions = tuple(
                replace(action, clauses=tuple(c for c in action.clauses if c.kind != "ensure")) if n in chosen else action
                for n, action in enumerate(machine.game.actions))
            self.loose = Interpreter(build(replace(machine.game, actions=actions)))

    def choose(self, state: State, stream: Stream) -> Move:
        """The move of the seat that chooses next."""
        seat = state.to_act[0]
        moves = state.moves(seat)
        if not self.drawn[state.core.phase]:
            return stream.choice(moves)
        candidates, legal = self._candidates(state, seat), {move.steps: move for move in moves}
        while True:
            steps = candidates.pop(stream.below(len(candidates)))
            if steps in legal:
                return legal[steps]

    def _yes(self, state: State) -> float:
        """The chance that a question is answered by yes: as its model says, else one half."""
        question = state.question
        assert question is not None
        try:
            found = judging.chance(question, self.interpreter.game)
        except JudgeError:
            found = None
        return 0.5 if found is None else found

    def _candidates(self, state: State, seat: int) -> list[Steps]:
        assert self.loose is not None
        now, rt = state.core, self.loose.core(state.seed)
        rt.v = now.v[:]
        for name in ("player", "out", "phase", "actor", "turns", "rounds", "notes", "node"):
            setattr(rt, name, getattr(now, name))
        rt.me, rt.quiet = seat, True
        return [(step,) for step in self.loose.legal.steps(rt)]

    @staticmethod
    def stream(seed: int) -> Stream:
        """The stream that a playout's moves are drawn from."""
        return Stream(seed, "playout")

    def play(self, seed: int) -> tuple[State, int]:
        """The playout with a seed: its end, and how many moves were made."""
        state = self.interpreter.start(seed=seed)
        stream = self.stream(seed)
        plies = 0
        while not state.over and plies < MOST_PLIES:
            if state.question is not None:
                state.answer(stream.bits() < self._yes(state) * (1 << 64))
                continue
            state.play(self.choose(state, stream))
            plies += 1
        return state, plies


def interpreted(interpreter: Interpreter, games: int | None = None, seconds: float | None = None, seed: int = 0) -> Playouts:
    """Random playouts by the interpreter, so many or as many as the time allows."""
    found = Playouts(wins=[0] * interpreter.machine.seats)
    player = Player(interpreter)
    begin = time.perf_counter()
    while games is None or found.games < games:
        state, plies = player.play(seed + found.games)
        result: Any = state.result
        found.games += 1
        found.plies += plies
        found.squares += plies * plies
        if result.unfinished:
            found.unfinished += 1
        elif result.tie:
            found.ties += 1
        else:
            for seat in result.winners:
                found.wins[seat] += 1
        if seconds is not None and time.perf_counter() - begin >= seconds:
            break
    found.seconds = time.perf_counter() - begin
    return found
