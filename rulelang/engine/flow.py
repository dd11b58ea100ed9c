"""How a game runs from decision to decision: each node of the machine as a closure that gives the next node.

`Flow.run` follows them until the game waits: for a choice, for a judge, for chosen chance, or because it is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.engine.actions import ActionRules
from rulelang.engine.chance import NOT_SCRIPTED, Chances, Draw
from rulelang.engine.core import Core
from rulelang.engine.course import WAITING, Course, Run
from rulelang.engine.effects import Effects, too_long
from rulelang.engine.events import note
from rulelang.engine.question import Question
from rulelang.engine.results import Results
from rulelang.engine.starts import Starts
from rulelang.engine.trace import Tracer
from rulelang.engine.values import values_in
from rulelang.machine.nodes import Node
from rulelang.model.ir import TRUE

MOST_NODES = 10_000


class Flow(Course):
    """The nodes of one machine, ready to run."""

    def __init__(self, effects: Effects, results: Results, actions: list[ActionRules], tracer: Tracer | None) -> None:
        super().__init__(effects, results, actions, tracer)
        self.chances = Chances(effects)
        self.starts = Starts(self.c)
        self.draws: dict[int, Draw] = {}
        self.questions: dict[int, Callable[[Core], str]] = {}
        self.asked: dict[int, list[Callable[[Core], Any]]] = {}
        self.nodes: list[Run] = [getattr(self, f"_{node.kind}")(n, node) for n, node in enumerate(self.machine.nodes)]

    def run(self, rt: Core) -> None:
        """Go on until the game waits."""
        nodes = self.nodes
        for _ in range(MOST_NODES):
            at = nodes[rt.node](rt)
            if at < 0:
                return
            rt.node = at
        raise too_long(self.machine.nodes[rt.node].place)

    # Blocks

    def _block(self, number: int, node: Node) -> Run:
        then, keeps_me, rule, place = node.next, node.keeps_me, node.rule, node.place
        coverage = self.c.coverage
        count = coverage.counter(place, rule, "ran") if coverage is not None else None

        def block(rt: Core) -> int:
            if not keeps_me:
                rt.me = rt.player
            rt.exit = None
            if count is not None:
                count()
            if self.tracer is not None and not rt.quiet:
                self.tracer.begin(rt, rule, place)
            return then

        return block

    def _run(self, number: int, node: Node) -> Run:
        body, then, other = self.effects.block(node.body), node.next, node.other
        return lambda rt: other if body(rt) else then

    def _test(self, number: int, node: Node) -> Run:
        assert node.test is not None
        asked, then, other = self.c.fn(node.test), node.next, node.other
        return lambda rt: then if asked(rt) else other

    def _each(self, number: int, node: Node) -> Run:
        assert node.domain is not None
        held, values, slot, then = self.c.fn(node.domain), values_in(node.domain.type), node.slot, node.next

        def each(rt: Core) -> int:
            rt.s[slot] = tuple(values(held(rt)))
            return then

        return each

    def _more(self, number: int, node: Node) -> Run:
        asked = self.c.fn(node.test or TRUE)
        slot, element, then, other = node.slot, node.element, node.next, node.other

        def more(rt: Core) -> int:
            while rt.s[slot]:
                rt.s[element], *rest = rt.s[slot]
                rt.s[slot] = tuple(rest)
                if asked(rt):
                    return then
            return other

        return more

    def _times(self, number: int, node: Node) -> Run:
        assert node.test is not None
        amount, slot, then = self.c.fn(node.test), node.slot, node.next

        def times(rt: Core) -> int:
            rt.s[slot] = amount(rt)
            return then

        return times

    def _count(self, number: int, node: Node) -> Run:
        slot, then, other = node.slot, node.next, node.other
        deals = self.machine.nodes[then].kind == "deal" if then >= 0 else False

        def count(rt: Core) -> int:
            if rt.s[slot] <= 0:
                return other
            rt.s[slot] -= 1
            if deals and self.draws[then].weights(rt)[0][0] is None:
                return other                                       # the source has run out
            return then

        return count

    # Chance

    def _draw(self, number: int, node: Node) -> Run:
        draw = self.draws[number] = self.chances.make(node)
        then, live = node.next, node.live

        def run(rt: Core) -> int:
            if (rt.ask or rt.probe) and not draw.from_top and draw.weights(rt)[0][0] is not None:
                rt.live = live
                return WAITING
            draw.apply(rt, self.chances.pick(rt, draw))
            return then

        return run

    _deal = _draw

    def _roll(self, number: int, node: Node) -> Run:
        draw = self.draws[number] = self.chances.make(node)
        then, live, slot = node.next, node.live, node.slot
        assert node.statement is not None and node.statement.target is not None
        last = self.c.fields[node.statement.target.var].length if node.statement.target.whole else 0

        def run(rt: Core) -> int:
            while True:
                if rt.ask or rt.probe:
                    rt.live = live
                    return WAITING
                draw.apply(rt, self.chances.pick(rt, draw))
                if not last:
                    return then
                rt.s[slot] += 1
                if rt.s[slot] >= last:
                    return then

        return run

    def _shuffle(self, number: int, node: Node) -> Run:
        draw = self.draws[number] = self.chances.make(node)
        then, live, slot = node.next, node.live, node.slot

        def run(rt: Core) -> int:
            order = self.chances.scripted(rt, draw) if rt.s[slot] == 0 and not rt.probe else NOT_SCRIPTED
            if order is not NOT_SCRIPTED:
                self.chances.whole_shuffle(rt, draw, order)
                return then
            while len(draw.weights(rt)) > 1:
                if rt.ask or rt.probe:
                    rt.live = live
                    return WAITING
                k = len(draw.weights(rt))
                draw.apply(rt, self.chances.below(rt, draw.stream, k))
                rt.s[slot] += 1
            return then

        return run

    def _start(self, number: int, node: Node) -> Run:
        variable, then, slot, live = self.game.variables[node.var], node.next, node.slot, node.live
        if variable.start.kind != "random":
            stream = self.chances.numbers.get(f"state.{variable.name}", -1)
            start = self.starts.make(node.var, stream)

            def fixed(rt: Core) -> int:
                start(rt)
                return then

            return fixed
        draw = self.draws[number] = self.chances.make(node)
        length = self.c.fields[node.var].length

        def run(rt: Core) -> int:
            while rt.s[slot] < length:
                if rt.ask:
                    rt.live = live
                    return WAITING
                draw.apply(rt, self.chances.pick(rt, draw))
                rt.s[slot] += 1
            return then

        return run

    def resolve(self, rt: Core, value: Any) -> None:
        """Let a chosen value come at the chance node where the game waits, and go on."""
        number = rt.node
        node, draw = self.machine.nodes[number], self.draws[number]
        draw.apply(rt, value)
        rt.live = ()
        rt.node = node.next
        if node.kind in ("roll", "shuffle", "start") and node.slot >= 0:
            rt.s[node.slot] += 1
            if node.kind == "shuffle":
                more = len(draw.weights(rt)) > 1
            else:
                more = rt.s[node.slot] < self.c.fields[draw_variable(node)].length
            if more:
                rt.node = number
        self.run(rt)

    def _judge(self, number: int, node: Node) -> Run:
        assert node.statement is not None
        call, live, then = node.statement.data, node.live, node.next
        self.questions[call.slot] = self.effects.text(call.question)
        self.asked[number] = [self.c.fn(e) for e in node.statement.args]

        def judge(rt: Core) -> int:
            values = rt.script.get(call.name) if rt.script else None
            if values and not rt.probe:
                rt.script = {**rt.script, call.name: values[1:]}
                self.answered(rt, node, values[0] in (True, "on", "yes"))
                return then
            rt.live = live
            return WAITING

        return judge

    def question(self, rt: Core) -> Question:
        """The question at the judge where a core waits."""
        call = self.machine.nodes[rt.node].statement.data           # type: ignore[union-attr]
        return Question(self.questions[call.slot](rt), call.model, call.name, tuple(f(rt) for f in self.asked[rt.node]))

    def answered(self, rt: Core, node: Node, yes: bool) -> None:
        """Note the answer to a question. A number of its stream is used up, whoever has answered."""
        assert node.statement is not None
        call = node.statement.data
        rt.s[call.slot] = yes
        rt.counts[self.chances.numbers[node.statement.stream]] += 1
        if not rt.quiet:
            question = self.questions[call.slot](rt)
            note(rt, "judge", -1, f"{question} {'yes' if yes else 'no'}")


def draw_variable(node: Node) -> int:
    """The variable that a chance node sets entry by entry."""
    if node.kind == "start":
        return node.var
    assert node.statement is not None and node.statement.target is not None
    return node.statement.target.var
