"""From a checked game to its state machine.

A block without chance is one `run` node. Where chance or a judge can come, in the block itself or in a step that it
takes, the block is split: statements before it, the chance node, statements after it; branches and loops around it
become nodes, steps are written out in place (nothing recurses, so this ends).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulelang.machine.facts import Dependence
from rulelang.machine.layout import lay_out
from rulelang.machine.live import with_live_slots
from rulelang.machine.nodes import Entries, Machine, Node
from rulelang.model.game import Block, Game, Phase
from rulelang.model.ir import TRUE, E, S
from rulelang.model.types import SWITCH
from rulelang.source.diagnostic import NOWHERE, Place


def build(game: Game) -> Machine:
    """Compile a checked game."""
    return _Builder(game).build()


class _Builder:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.depends = Dependence(game)
        self.nodes: list[Node] = []
        self.slot_names = list(game.slot_names) + [""] * (game.slots - len(game.slot_names))
        self.streams: list[str] = []

    def build(self) -> Machine:
        game = self.game
        over = self.add(Node("over", "the game is over"))
        waits, settles, afters, stucks, enters, dos = self.phases(game.phases)
        starting = enters[game.turn_starts] if enters else over
        turn_begin = self.block(game.turn_begin, "turn, begin", "turn_begin", starting)
        round_begin = self.block(game.round_begin, "round, begin", "round_begin", turn_begin)
        passing = self.add(Node("pass", "the turn passes"))
        turn_end = self.block(game.turn_end, "turn, end", "turn_end", passing)
        round_end = self.block(game.round_end, "round, end", "round_end", passing)
        setup = self.block(game.setup, "setup", "setup", round_begin)
        ends = tuple(-1 if end.then is None else self.block(end.then, f"end {end.name}", "end", over, keeps_me=True)
                     for end in game.ends)
        limit = clock = -1
        if game.limit is not None and game.limit[1] is not None:
            limit = self.block(game.limit[1], "limit", "limit", over, keeps_me=True)
        if game.clock is not None:
            clock = self.block(game.clock[1], "clock, out", "clock", over, keeps_me=True)
        start = setup
        for number, variable in reversed(list(enumerate(game.variables))):
            slot = self.slot(f"place in {variable.name}") if variable.start.kind == "random" else -1
            if slot >= 0 or variable.start.kind == "random_with":
                self.stream(f"state.{variable.name}")
            start = self.add(Node("start", f"state, {variable.name}", variable.place, start, var=number, slot=slot))
        fields, size = lay_out(game.variables)
        entries = Entries(start, setup, round_begin, turn_begin, turn_end, round_end, enters, waits, afters, settles,
                          stucks, dos, ends, limit, clock, over)
        nodes = with_live_slots(game, self.depends, tuple(self.nodes), entries)
        return Machine(game, fields, size, nodes, entries, len(self.slot_names), tuple(self.slot_names),
                       tuple(self.streams))

    def phases(self, phases: Sequence[Phase]) -> tuple[
            tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...],
            tuple[tuple[int, ...], ...]]:
        """The nodes of all phases: waits, settles, afters, stucks, enters, dos."""
        game = self.game
        waits = [self.add(Node("wait", f"phase {p.name}", p.place, phase=n)) for n, p in enumerate(phases)]
        settles, afters, stucks, enters, dos = [], [], [], [], []
        for n, phase in enumerate(phases):
            settle = self.add(Node("settle", f"phase {phase.name}", phase.place, waits[n], phase=n, block="move"))
            settles.append(settle)
            after = settle
            if phase.after is not None:
                name = f"phase {phase.name}, after"
                after = self.add(Node("block", name, _place_of(phase.after, phase.place),
                                      self.sequence(phase.after, name, settle, settle), block="after", keeps_me=True))
            afters.append(after)
            stuck = self.block(phase.stuck, f"phase {phase.name}, stuck", "stuck", waits[n], keeps_me=True) \
                if phase.stuck is not None else -1
            stucks.append(stuck)
            self.nodes[waits[n]] = replace(self.nodes[waits[n]], other=stuck)
            begin = self.block(phase.begin, f"phase {phase.name}, begin", "begin", waits[n])
            enters.append(self.add(Node("enter", f"phase {phase.name}", phase.place, begin, phase=n)))
            dos.append(tuple(self.do(number, after, settle) for number in phase.actions))
        assert len(waits) == len(game.phases)
        return tuple(waits), tuple(settles), tuple(afters), tuple(stucks), tuple(enters), tuple(dos)

    def do(self, action: int, after: int, settle: int) -> int:
        """The effects of an action, from which a phase goes on with its `after`."""
        for clause in self.game.actions[action].clauses:
            if clause.kind == "do":
                name = f"action {self.game.actions[action].name}, do"
                return self.sequence(clause.effects, name, after, settle)
        return after

    def block(self, block: Block | None, rule: str, kind: str, then: int, keeps_me: bool = False) -> int:
        """A block that runs by itself: its first node, or `then` if there is none."""
        if block is None:
            return then
        place = _place_of(block, NOWHERE)
        settle = self.add(Node("settle", rule, place, then, block=kind))
        first = self.sequence(block, rule, settle, settle)
        return self.add(Node("block", rule, place, first, block=kind, keeps_me=keeps_me))

    def sequence(self, block: Block, rule: str, then: int, settle: int) -> int:
        """The first node of statements that go on at `then`; exits go to `settle`."""
        chancy = self.depends.chancy
        place = len(block)
        while place > 0:
            start = place - 1
            if chancy(block[start:place]):
                then = self.split(block[start], rule, then, settle)
            else:
                while start > 0 and not chancy(block[start - 1:start]):
                    start -= 1
                run = block[start:place]
                then = self.add(Node("run", rule, run[0].place, then, settle, body=run))
            place = start
        return then

    def split(self, s: S, rule: str, then: int, settle: int) -> int:
        """The first node of one statement with chance in it."""
        match s.op:
            case "if":
                body = self.sequence(s.body, rule, then, settle)
                orelse = self.sequence(s.orelse, rule, then, settle)
                return self.add(Node("test", rule, s.place, body, orelse, test=s.args[0]))
            case "for":
                slot = self.slot("rest of a loop")
                where = s.args[1] if len(s.args) > 1 else TRUE
                more = self.add(Node("more", rule, s.place, -1, then, test=where, slot=slot, element=s.data))
                self.nodes[more] = replace(self.nodes[more], next=self.sequence(s.body, rule, more, settle))
                return self.add(Node("each", rule, s.place, more, domain=s.args[0], slot=slot))
            case "repeat":
                slot = self.slot("rounds left")
                count = self.add(Node("count", rule, s.place, -1, then, slot=slot))
                self.nodes[count] = replace(self.nodes[count], next=self.sequence(s.body, rule, count, settle))
                return self.add(Node("times", rule, s.place, count, test=s.args[0], slot=slot))
            case "step":
                step = self.game.steps[s.data]
                first = self.sequence(step.body, rule, then, settle)
                if not step.slots:
                    return first
                lets = tuple(S("let", s.place, (value,), data=slot)
                             for slot, value in zip(step.slots, s.args, strict=True))
                return self.add(Node("run", rule, s.place, first, settle, body=lets))
            case "deal":
                slot = self.slot("cards to deal")
                count = self.add(Node("count", rule, s.place, -1, then, slot=slot))
                deal = self.chance("deal", s, rule, count, slot)
                self.nodes[count] = replace(self.nodes[count], next=deal)
                return self.add(Node("times", rule, s.place, count, test=s.args[0], slot=slot))
            case "shuffle":
                return self.stepwise("shuffle", s, rule, then, "place in a shuffle")
            case "roll" if s.target is not None and s.target.whole:
                return self.stepwise("roll", s, rule, then, "die to roll")
            case "judge":
                self.stream(s.stream)
                return self.add(Node("judge", rule, s.place, then, statement=s, slot=s.data.slot))
        return self.chance(s.op, s, rule, then, -1)

    def stepwise(self, kind: str, s: S, rule: str, then: int, name: str) -> int:
        """Chance that comes in steps, which `slot` numbers from 0."""
        slot = self.slot(name)
        node = self.chance(kind, s, rule, then, slot)
        zero = S("let", s.place, (E("const", SWITCH, (), 0, s.place),), data=slot)
        return self.add(Node("run", rule, s.place, node, then, body=(zero,)))

    def chance(self, kind: str, s: S, rule: str, then: int, slot: int) -> int:
        self.stream(s.stream)
        return self.add(Node(kind, rule, s.place, then, statement=s, slot=slot))

    def add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def slot(self, name: str) -> int:
        self.slot_names.append(name)
        return len(self.slot_names) - 1

    def stream(self, name: str) -> None:
        if name not in self.streams:
            self.streams.append(name)


def _place_of(block: Block, otherwise: Place) -> Place:
    return block[0].place if block else otherwise
