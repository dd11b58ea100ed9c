"""The course of a game: whose decision it is, what happens when a block ends, how the turn passes, how a game ends.

The order of things is that of section 6 of the language's reference; `_settle` is where most of it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.engine.actions import ActionRules
from rulelang.engine.core import NEXT, STAY, Core, Fn
from rulelang.engine.effects import Effects
from rulelang.engine.events import note
from rulelang.engine.faults import fault
from rulelang.engine.material import Material
from rulelang.engine.ops_state import position_key
from rulelang.engine.results import Results
from rulelang.engine.trace import Tracer
from rulelang.machine.nodes import Node
from rulelang.model.game import Action, Game
from rulelang.model.ir import E

Run = Callable[[Core], int]
WAITING = -1

_RESULTS = frozenset({"win", "lose", "tie", "finish"})


class Course:
    """What is between the blocks of one machine's games."""

    def __init__(self, effects: Effects, results: Results, actions: list[ActionRules], tracer: Tracer | None) -> None:
        self.effects = effects
        self.c = effects.c
        self.machine = effects.c.machine
        self.game = self.machine.game
        self.results = results
        self.actions = actions
        self.tracer = tracer
        self.material = Material(self.machine)
        self.keys = [position_key(self.c, n) for n in range(len(self.game.positions))]
        self.ends = [(end, self.c.fn(end.when)) for end in self.game.ends]
        self.counting = any(_counts_moves(end.when) for end, _ in self.ends)
        self.limit = self.c.fn(self.game.limit[0]) if self.game.limit is not None else None
        # coverage counts what is asked, in the order of the file
        self.soonest = soonest(self.game) if self.c.coverage is None else [p.actions for p in self.game.phases]
        self.who: list[Fn | None] = [self.c.fn(p.who) if isinstance(p.who, E) else None for p in self.game.phases]

    def _enter(self, number: int, node: Node) -> Run:
        phase, then, name = node.phase, node.next, self.game.phases[node.phase].name

        def enter(rt: Core) -> int:
            rt.phase = phase
            rt.chained = False
            if not rt.quiet:
                note(rt, "phase", rt.player, name)
            return then

        return enter

    def _over(self, number: int, node: Node) -> Run:
        return lambda rt: WAITING

    def _pass(self, number: int, node: Node) -> Run:
        entries = self.machine.entries

        def pass_turn(rt: Core) -> int:
            if rt.pending == STAY:
                rt.pending = NEXT
            self._change_player(rt)
            to_round, rt.ending = rt.ending, False
            if self._limit_reached(rt):
                return self._stop_at_limit(rt)
            return entries.round_begin if to_round else entries.turn_begin

        return pass_turn

    def actor(self, rt: Core, phase: int) -> int:
        """Whose decision it is in a phase: -1 where all choose together."""
        if self.game.phases[phase].who == "together":
            return -1
        who = self.who[phase]
        if who is None:
            return rt.player
        rt.me = rt.player
        seat: int = who(rt)
        return self.next_in(rt, seat) if rt.out >> seat & 1 else seat

    def next_in(self, rt: Core, seat: int) -> int:
        """The next seat that is not out."""
        seats = self.machine.seats
        for step in range(1, seats + 1):
            other = (seat + step) % seats
            if not rt.out >> other & 1:
                return other
        return seat

    def _wait(self, number: int, node: Node) -> Run:
        phase, stuck, place = node.phase, node.other, node.place
        rules = self.game.phases[phase]

        def wait(rt: Core) -> int:
            rt.phase = phase
            rt.live = ()
            rt.exit = None
            rt.actor = self.actor(rt, phase)
            if not rt.chained:
                rt.moving = False
            if self.keys and not rt.notes[0]:
                self._note_start(rt)
            if rt.actor < 0:
                if not self.together_seats(rt):
                    return self._get_stuck(rt, stuck, place, rules.name)
                return WAITING
            rt.me = rt.actor
            if not self.any_move(rt, phase):
                return self._get_stuck(rt, stuck, place, rules.name)
            return WAITING

        return wait

    def _get_stuck(self, rt: Core, stuck: int, place: Any, name: str) -> int:
        if stuck < 0:
            raise fault(place, "no-move", f"there is no legal move in the phase `{name}`, and it has no `stuck:`",
                        "say in `stuck:` what happens then")
        return stuck

    def together_seats(self, rt: Core) -> tuple[int, ...]:
        """The seats that have something to choose in a `together` phase and have not yet."""
        found = []
        for seat in range(self.machine.seats):
            if rt.plans[seat] is None and not rt.out >> seat & 1:
                rt.me = seat
                if self.any_move(rt, rt.phase):
                    found.append(seat)
        return tuple(found)

    def any_move(self, rt: Core, phase: int) -> bool:
        """Whether the seat `me` has a legal move; what is soonest asked comes first."""
        return any(self.actions[number].any_legal(rt) for number in self.soonest[phase])

    def _note_start(self, rt: Core) -> None:
        """The first position, noted as if the seat before the first had moved."""
        rt.me = ((rt.actor if rt.actor >= 0 else rt.player) - 1) % self.machine.seats
        self._note_position(rt)

    def _note_position(self, rt: Core) -> None:
        notes = []
        for known, key in zip(rt.notes, self.keys, strict=True):
            now = key(rt)
            notes.append({**known, now: known.get(now, 0) + 1})
        rt.notes = notes

    def _settle(self, number: int, node: Node) -> Run:
        kind, then, phase = node.block, node.next, node.phase
        chain = kind == "move" and self.game.phases[phase].chain
        entries = self.machine.entries
        name = node.rule

        def settle(rt: Core) -> int:
            taken = rt.exit
            rt.exit = None
            if self.tracer is not None and not rt.quiet:
                self.tracer.end(rt, taken)
            if chain and taken is not None and taken[0] == "again" and self._goes_on(rt, phase):
                rt.chained = True
                return then
            rt.chained = False
            moved = kind == "move" or (kind == "stuck" and rt.moving)
            if moved and rt.probe:
                rt.exit = taken
                return WAITING
            rt.moving = False
            if moved and not rt.quiet and self.material.components:
                self.material.check(rt, node.place)
            if taken is not None and taken[0] in _RESULTS:
                return self._over_by(rt, taken, name)
            if kind == "limit" or kind == "end":
                return self._finish(rt, name)
            if rt.leaving and self._leave(rt):
                return self._finish(rt, "all others are out")
            ending = taken is not None and taken[0] in ("end_turn", "end_round")
            passed = False
            if not ending and kind not in ("turn_end", "round_end"):
                if rt.pending == STAY and rt.out >> rt.player & 1:
                    rt.pending = NEXT
                if rt.pending != STAY:
                    self._change_player(rt)
                    passed = True
            if self.counting:
                self._look_ahead(rt, taken)
            for i, (end, when) in enumerate(self.ends):
                if when(rt):
                    block = entries.ends[i]
                    if block >= 0:
                        return block
                    return self._finish(rt, f"end {end.name}")
            if moved and self.keys:
                self._note_position(rt)
            if passed and self._limit_reached(rt):
                return self._stop_at_limit(rt)
            if taken is None:
                if kind == "clock":
                    return entries.waits[rt.phase]
                if kind == "turn_end" and rt.ending:
                    return entries.round_end
                return then
            what, where = taken
            if what == "go":
                rt.ending = False
                return entries.phases[where]
            if what == "again":
                return entries.waits[rt.phase]
            rt.ending = what == "end_round"
            if rt.ending:
                rt.rounds += 1
                if not rt.quiet:
                    why = ": nothing was possible any more" if kind == "stuck" else ""
                    note(rt, "round", -1, f"round {rt.rounds} is over{why}")
            if kind == "turn_end":
                return entries.round_end if rt.ending else then
            return entries.turn_end if not rt.ending or self.game.turn_end is not None else entries.round_end

        return settle

    def _look_ahead(self, rt: Core, taken: tuple[str, int] | None) -> None:
        """Say whose decision would be next, for ends that count moves."""
        me = rt.me
        if taken is not None and taken[0] == "go":
            rt.phase = taken[1]
        rt.actor = self.actor(rt, rt.phase)
        rt.me = me

    def _goes_on(self, rt: Core, phase: int) -> bool:
        """Whether `again` comes back to a decision of the same player: then the move is not over."""
        if rt.leaving:
            return False
        player = rt.player
        if rt.pending == NEXT:
            player = self.next_in(rt, rt.player)
        elif rt.pending != STAY:
            player = rt.pending
        before, mover, rt.player = rt.player, rt.me, player
        same = self.actor(rt, phase) == mover
        rt.me = mover
        if same:
            rt.pending = STAY
        else:
            rt.player = before
        return same

    def _change_player(self, rt: Core) -> None:
        player = self.next_in(rt, rt.player) if rt.pending == NEXT else rt.pending
        if rt.out >> player & 1:
            player = self.next_in(rt, player)
        rt.pending = STAY
        rt.player = player
        rt.turns += 1
        if not rt.quiet:
            note(rt, "turn", player, self.game.seats[player])

    def _leave(self, rt: Core) -> bool:
        """Put out who leaves; whether that ends the game."""
        gone = rt.leaving & ~rt.out
        rt.out |= rt.leaving
        rt.leaving = 0
        seats = self.machine.seats
        if not rt.quiet:
            for seat in range(seats):
                if gone >> seat & 1:
                    note(rt, "out", seat, f"{self.game.seats[seat]} is out")
        left = seats - rt.out.bit_count()
        return left == 0 or (left == 1 and seats > 1)

    def _limit_reached(self, rt: Core) -> bool:
        return self.limit is not None and rt.turns >= self.limit(rt)

    def _stop_at_limit(self, rt: Core) -> int:
        entries = self.machine.entries
        if entries.limit >= 0:
            return entries.limit
        rt.result = self.results.unfinished(rt, "limit")
        return self._ended(rt)

    def _finish(self, rt: Core, reason: str) -> int:
        rt.result = self.results.finish(rt, reason)
        return self._ended(rt)

    def _over_by(self, rt: Core, taken: tuple[str, int], reason: str) -> int:
        what, seat = taken
        if what == "win":
            rt.result = self.results.win(rt, seat, reason)
        elif what == "lose":
            rt.result = self.results.lose(rt, seat, reason)
        elif what == "tie":
            rt.result = self.results.tie(rt, reason)
        else:
            rt.result = self.results.finish(rt, reason)
        return self._ended(rt)

    def _ended(self, rt: Core) -> int:
        rt.pending = STAY
        rt.actor = -1
        if not rt.quiet:
            note(rt, "end", -1, rt.result.reason)
        return self.machine.entries.over


def _counts_moves(e: E) -> bool:
    """Whether an expression counts the moves that would follow."""
    return e.op == "legal_moves" or any(map(_counts_moves, e.args))


def soonest(game: Game) -> list[tuple[int, ...]]:
    """In which order the actions of each phase are asked whether one of them is possible."""
    weights = [_weight(action) for action in game.actions]
    return [tuple(sorted(phase.actions, key=weights.__getitem__)) for phase in game.phases]


def _weight(action: Action) -> int:
    """About how much is asked before an action is known to be possible."""
    asked = (e for clause in action.clauses for e in (clause.domain, clause.where, clause.value))
    return sum(_size(e) for e in asked if e is not None)


def _size(e: E) -> int:
    return (5 if e.op == "call" else 1) + sum(map(_size, e.args))
