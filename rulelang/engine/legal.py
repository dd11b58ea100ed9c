"""The legal moves of a decision, single ones and chains.

A chain is searched step by step on copies of the state: after a step the game runs on until the same player must
choose again in the same phase by `again`, or the move is over. From one position the same ways go on, so positions
that several orders of steps lead to are searched once. Where chance or a question comes in, the search does not look
further: the move ends there, and what follows is a move of its own.
"""

from __future__ import annotations

from typing import Any

from rulelang.engine.actions import ActionRules
from rulelang.engine.core import Core, Fn, Steps
from rulelang.engine.faults import fault
from rulelang.engine.flow import Flow
from rulelang.model.game import Phase

MOST_CHAINS = 200_000
MOST_STEPS = 200        # each step of a chain is a call within the one before: Python allows about 1,000

Way = tuple[Steps, tuple[Any, ...]]        # the steps from here on, and what `best` gives at their end


class Legal:
    """Finds the legal moves of one machine's decisions."""

    def __init__(self, flow: Flow, actions: list[ActionRules]) -> None:
        self.flow = flow
        self.actions = actions
        self.phases = flow.game.phases
        self.best: list[list[Fn]] = [[flow.c.fn(e) for e in phase.best] for phase in self.phases]
        self.dos = flow.machine.entries.dos

    def steps(self, rt: Core) -> list[tuple[int, tuple[Any, ...]]]:
        """The legal single steps of the seat `me` at the decision where a core waits."""
        phase = self.phases[rt.phase]
        found: list[tuple[int, tuple[Any, ...]]] = []
        if phase.must:
            for number in phase.must:
                if number in phase.actions:
                    found += [(number, values) for values in self.actions[number].legal(rt)]
            if found:
                return found
        for number in phase.actions:
            if number not in phase.must:
                found += [(number, values) for values in self.actions[number].legal(rt)]
        return found

    def moves(self, rt: Core) -> list[Steps]:
        """The legal moves of the seat `me`; in a chain phase whole chains."""
        phase = self.phases[rt.phase]
        if not phase.chain:
            return [(step,) for step in self.steps(rt)]
        return [way for way, _ in self._ways(rt, phase, {}, 0)]

    def count(self, rt: Core) -> int:
        """How many legal moves the seat whose decision it is has; none when the game is over."""
        if rt.result is not None:
            return 0
        now = rt.copy()
        now.quiet = True
        if now.actor >= 0:
            now.me = now.actor
            return len(self.moves(now))
        total = 0
        for seat in self.flow.together_seats(now):
            now.me = seat
            total += len(self.moves(now))
        return total

    def begin(self, rt: Core, step: tuple[int, tuple[Any, ...]]) -> None:
        """Bind what a step has chosen, and stand before its effects."""
        number, values = step
        rt.me = rt.actor
        self.actions[number].bind(rt, values)
        phase = rt.phase
        rt.node = self.dos[phase][self.phases[phase].actions.index(number)]
        rt.moving = True
        rt.chained = False
        rt.exit = None
        rt.work = 0

    def _ways(self, rt: Core, phase: Phase, known: dict[Any, list[Way]], depth: int) -> list[Way]:
        if depth > MOST_STEPS:
            raise fault(phase.place, "endless-chain", f"a chain in the phase `{phase.name}` does not end",
                        f"each step must come nearer to its end; {MOST_STEPS} are the most")
        key = (tuple(rt.v), rt.player, rt.pending)
        if key in known:
            return known[key]
        found: list[Way] = []
        for step in self.steps(rt):
            after = rt.copy()
            after.quiet = True
            after.probe = True
            self.begin(after, step)
            self.flow.run(after)
            if after.chained and after.actor >= 0:
                after.me = after.actor
                found += [((step, *rest), value) for rest, value in self._ways(after, phase, known, depth + 1)]
            else:
                found.append(((step,), self._value(after, rt.actor)))
            if len(found) > MOST_CHAINS:
                raise fault(phase.place, "too-many-chains", f"there are over {MOST_CHAINS:,} ways to move here",
                            "let several things be chosen at once, or drop `chain:`")
        if phase.best and found:
            most = max(value for _, value in found)
            found = [way for way in found if way[1] == most]
        known[key] = found
        return found

    def _value(self, rt: Core, actor: int) -> tuple[Any, ...]:
        best = self.best[rt.phase]
        if not best:
            return ()
        rt.me = actor
        return tuple(f(rt) for f in best)
