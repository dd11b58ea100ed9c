"""How variables begin: values, expressions, and solutions of a condition.

A solution is always found with the seed's numbers, in a game that asks for its chance too: its outcomes cannot be told
one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.engine.compiler import Compiler
from rulelang.engine.core import Core
from rulelang.engine.effects import out_of_range
from rulelang.engine.faults import fault
from rulelang.engine.grounding import ground
from rulelang.engine.rng import GOLDEN, MASK, mix
from rulelang.engine.solver import Problem, Unsolvable, solve
from rulelang.engine.values import fits
from rulelang.model.ir import TRUE


class Starts:
    """Makes the starts of one machine's variables, but for plain random ones, which are chance."""

    def __init__(self, compiler: Compiler) -> None:
        self.c = compiler
        self._problems: dict[int, Problem] = {}

    def make(self, var: int, stream: int) -> Callable[[Core], None]:
        """The closure that sets a variable to its start."""
        variable, field = self.c.game.variables[var], self.c.fields[var]
        start, end = field.offset, field.offset + field.length
        if variable.start.kind == "value":
            values = list(variable.start.values)

            def given(rt: Core) -> None:
                rt.v[start:end] = values

            return given
        if variable.start.kind == "random_with":
            def solved(rt: Core) -> None:
                fixed = {i: rt.v[start + i] for i in range(field.length) if rt.v[start + i] is not None}
                rt.v[start:end] = self.solution(rt, var, fixed, CoreNumbers(rt, stream))

            return solved
        assert variable.start.expr is not None
        value, indices = self.c.fn(variable.start.expr), field.indices()

        def each(rt: Core) -> None:
            for i, at in enumerate(indices):
                for slot, x in zip(variable.slots, at, strict=True):
                    rt.s[slot] = x
                made = value(rt)
                if not fits(field.type, made):
                    raise out_of_range(variable.place, field.name, field.type, made)
                rt.v[start + i] = made

        return each

    def solution(self, rt: Core, var: int, fixed: dict[int, Any], numbers: Any) -> list[Any]:
        """Values of a variable that meet its condition, at random, with some entries given."""
        variable = self.c.game.variables[var]
        problem = self._problems.get(var)
        if problem is None:
            problem = ground(self.c, rt, var)
            if self.c.depends.of(variable.start.expr or TRUE).reads <= {var}:     # else it may differ from game to game
                self._problems[var] = problem
        try:
            return solve(problem, rt, fixed, numbers)
        except Unsolvable as why:
            raise fault(variable.place, "no-start", f"`{variable.name}` cannot begin as asked for: {why}") from None


class CoreNumbers:
    """The numbers of one of a core's streams."""

    __slots__ = ("key", "rt", "stream")

    def __init__(self, rt: Core, stream: int) -> None:
        self.rt = rt
        self.stream = stream
        self.key = rt.keys[stream]

    def below(self, k: int) -> int:
        """The next whole number below k."""
        n = self.rt.counts[self.stream]
        self.rt.counts[self.stream] = n + 1
        return mix((self.key + (n + 1) * GOLDEN) & MASK) * k >> 64
