"""The interpreter of one machine: everything about it compiled to closures once, and games started from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulelang.engine.actions import ActionRules
from rulelang.engine.compiler import Compiler
from rulelang.engine.core import Core
from rulelang.engine.coverage import Coverage
from rulelang.engine.effects import Effects
from rulelang.engine.faults import ChanceError, fault
from rulelang.engine.flow import Flow
from rulelang.engine.legal import Legal
from rulelang.engine.material import Material
from rulelang.engine.results import Results
from rulelang.engine.rng import stream_key
from rulelang.engine.trace import TraceEntry, Tracer
from rulelang.machine.nodes import Machine
from rulelang.model.game import Block
from rulelang.model.types import Named

if TYPE_CHECKING:
    from rulelang.engine.explain import Explainer
    from rulelang.engine.making import Making
    from rulelang.engine.notation import Notation
    from rulelang.engine.state import State
    from rulelang.engine.views import Views


class Interpreter:
    """Plays one machine. `coverage` counts what is used, `trace` is told of every block that runs in play."""

    def __init__(self, machine: Machine, coverage: Coverage | None = None,
                 trace: Callable[[TraceEntry], None] | None = None) -> None:
        self.machine = machine
        self.game = machine.game
        self.compiler = Compiler(machine, coverage)
        self.effects = Effects(self.compiler)
        self.actions = [ActionRules(self.effects, action) for action in self.game.actions]
        self.results = Results(self.compiler)
        tracer = None if trace is None else Tracer(machine, trace)
        self.flow = Flow(self.effects, self.results, self.actions, tracer)
        self.legal = Legal(self.flow, self.actions)
        self.compiler.count_moves = self.legal.count
        self.material: Material = self.flow.material
        self.invariants = [(name, e, self.compiler.fn(e)) for name, e in self.game.invariants]
        self.seat_type = Named("Player", self.game.seats)
        _ = self.views                                      # they compile conditions too
        self.compiler.memory.sealed = True

    @cached_property
    def notation(self) -> Notation:
        """How moves are written and read."""
        from rulelang.engine.notation import Notation

        return Notation(self)

    @cached_property
    def making(self) -> Making:
        """How moves are made."""
        from rulelang.engine.making import Making

        return Making(self)

    @cached_property
    def views(self) -> Views:
        """What each seat sees."""
        from rulelang.engine.views import Views

        return Views(self)

    @cached_property
    def explainer(self) -> Explainer:
        """Why a move is legal or not."""
        from rulelang.engine.explain import Explainer

        return Explainer(self)

    def core(self, seed: int) -> Core:
        """An empty core."""
        machine, game = self.machine, self.game
        rt = Core(machine.size, self.compiler.slots, self.compiler.memory.size, len(machine.streams), machine.seats,
                  len(game.positions))
        rt.keys = tuple(stream_key(seed, name) for name in machine.streams)
        rt.node = machine.entries.start
        return rt

    def start(self, seed: int = 0, chance: Mapping[str, Sequence[Any]] | None = None, given: Block = (),
              ask_chance: bool = False) -> State:
        """A new game. `chance` scripts what is drawn, by the name of a variable or of a stream; `given` changes the
        position at the first decision; `ask_chance` stops where chance comes."""
        from rulelang.engine.state import State

        rt = self.core(seed)
        rt.ask = ask_chance
        self.script(rt, chance or {})
        if given:
            self._fix_starts(rt, given)
        self.flow.run(rt)
        if given:
            self.change(rt, given)
        return State(self, rt, seed)

    def script(self, rt: Core, chance: Mapping[str, Sequence[Any]]) -> None:
        """Write down what is to be drawn after what is written down already."""
        if not chance:
            return
        rt.script = {**rt.script, **{name: (*rt.script.get(name, ()), *values) for name, values in chance.items()}}
        self._check_script(rt)

    def _check_script(self, rt: Core) -> None:
        known = {field.name for field in self.machine.fields} | set(self.machine.streams)
        known |= {node.statement.data.name for node in self.machine.nodes
                  if node.kind == "judge" and node.statement is not None}
        for name in rt.script:
            if name not in known:
                raise ChanceError(f"nothing is drawn for `{name}`")

    def _fix_starts(self, rt: Core, given: Block) -> None:
        """What is given of a variable that begins as a solution is a condition on the solution."""
        solved = {n for n, v in enumerate(self.game.variables) if v.start.kind == "random_with"}
        for s in given:
            if s.op == "set" and s.target is not None and s.target.var in solved:
                field = self.machine.fields[s.target.var]
                indices = [self.compiler.constant(e) for e in s.target.index]
                known, value = self.compiler.constant(s.args[0])
                if known and all(fixed for fixed, _ in indices):
                    rt.v[field.place_of([x for _, x in indices])] = value

    def change(self, rt: Core, given: Block) -> None:
        """Change the position at a decision, as a rule would, and go on from there."""
        if rt.result is not None:
            return
        act = self.effects.block(given)
        self.make_room(rt)
        rt.me = rt.player
        rt.exit = None
        act(rt)
        place = given[0].place
        self.material.refill(rt, place)
        rt.memo = [None] * self.compiler.memory.size
        rt.notes = [{} for _ in rt.notes]
        taken, rt.exit = rt.exit, None
        if taken is not None and taken[0] != "go":
            raise fault(place, "wrong-form", "a position that is given cannot end anything")
        if rt.pending >= 0:
            rt.player, rt.pending = rt.pending, -2
        rt.out |= rt.leaving
        rt.leaving = 0
        rt.node = self.machine.entries.phases[taken[1]] if taken is not None else self.machine.entries.waits[rt.phase]
        rt.chained = False
        self.flow.run(rt)

    def make_room(self, rt: Core) -> None:
        """Make room in a core for the locals of what was compiled after it was made."""
        rt.s += [0] * (self.compiler.slots - len(rt.s))
