"""Two choices at once: from a cell to one near it, for all cells together.

An action that chooses a cell and then one that is related to it by the board (a step, a leap, a neighbour) has its
legal pairs as a few sets, one for each distance between the two: the first cells from which a pair of that distance is
legal. How many there are is a popcount for each; the k-th pair in the usual order (by the first cell, then the second) is
found by halving. Where the relation depends on who acts, or on what stands on the first cell (see `kinds`), there are
such sets for each seat, and each is gathered from the kinds that have a way of that distance.

Which actions are so is found by `related`; `rows` is the same where there are too many distances.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulelang.model.game import Clause
from rulelang.model.ir import E
from rulelang.model.types import Type, size_of
from rulelang.native.emitter import Emitter
from rulelang.native.kinds import Way
from rulelang.native.shapes import SetShape
from rulelang.native.storage import Store
from rulelang.native.text import Fn

MOST_DISTANCES = 8


@dataclass(frozen=True)
class Two:
    """An action that chooses two values of one type: its clauses, what is asked before any choice, of the first, and of
    the second (or of both)."""

    first: Clause
    second: Clause
    of: Type
    early: tuple[E, ...]
    about_first: tuple[E, ...]
    about_second: tuple[E, ...]

    @property
    def shape(self) -> SetShape:
        """The shape of the sets."""
        return SetShape(size_of(self.of))

    def begin(self, x: Emitter, fn: Fn) -> str | None:
        """Write what is asked early, a block for each, and the set of the firsts; None if a condition cannot be a set."""
        from rulelang.native.masks import mask

        assert self.first.domain is not None
        for e in self.early:
            fn.open(f"if ({x.value(fn, e)})")
        held = x.value(fn, self.first.domain)
        for e in self.about_first:
            made = mask(x, fn, e, self.first.slot, self.of)
            if made is None:
                return None
            held = self.shape.both(held, made)
        return fn.atom(self.shape.ctype, held)

    def end(self, fn: Fn) -> None:
        """Close the blocks of what is asked early."""
        for _ in self.early:
            fn.close()

    def bind(self, fn: Fn) -> None:
        """Bind both choices to what was picked."""
        fn.bind(self.first.slot, "first")
        fn.bind(self.second.slot, "second")


@dataclass(frozen=True)
class Pairs(Two):
    """Such an action by distances: the ways for each seat (one case: for all), and the layer that they depend on."""

    cases: tuple[tuple[Way, ...], ...]
    store: Store | None

    @property
    def distances(self) -> tuple[tuple[int, ...], ...]:
        """The distances for each seat, in order."""
        return tuple(tuple(sorted({d for _, plan in case for d, _ in plan})) for case in self.cases)

    @property
    def most(self) -> int:
        """The most distances."""
        return max(1, *map(len, self.distances))

    def declare(self, x: Emitter, fn: Fn, name: str) -> None:
        """Declare the sets `name`_0 …, empty."""
        for i in range(self.most):
            fn.line(f"{x.set_type(self.shape)} {name}_{i} = {self.shape.zero};")

    def write(self, x: Emitter, fn: Fn, name: str, count: str = "") -> bool:
        """Write the sets and, if it is asked for, their count; False if a condition cannot be a set."""
        from rulelang.native.masks import mask
        from rulelang.native.sequences import hoist

        shape, several = self.shape, len(self.cases) > 1
        held = self.begin(x, fn)
        if held is None:
            return False
        hoist(x, fn, self.about_second, self.second.slot)
        for number, case in enumerate(self.cases):
            if several:
                fn.open(("if" if number == 0 else "else if") + f" ({fn.me} == {number})")
            for i, distance in enumerate(self.distances[number]):
                fn.known.append({})
                fn.pair = self.first.slot, distance, number if several else -1
                goals = [mask(x, fn, e, self.second.slot, self.of) for e in self.about_second]
                fn.pair = None
                if any(goal is None for goal in goals):
                    return False
                fn.line(f"{name}_{i} = {self._at(fn, case, distance, held, [goal for goal in goals if goal])};")
                fn.known.pop()
            if several:
                fn.close()
        if count:
            fn.line(f"{count} = {' + '.join(shape.count(f'{name}_{i}') for i in range(self.most))};")
        self.end(fn)
        return True

    def _at(self, fn: Fn, case: tuple[Way, ...], distance: int, held: str, goals: list[str]) -> str:
        """The first cells from which a pair of a distance is legal."""
        shape = self.shape
        sources: dict[int, list[Any]] = {}
        for value, plan in case:
            for d, source in plan:
                if d == distance:
                    sources.setdefault(source, []).append(value)
        if len(sources) == 1:
            source = next(iter(sources))
            goals = [shape.const(source << distance if distance >= 0 else source >> -distance), *goals]
        starts = ""
        for source, values in sources.items():
            start = self._standing(fn, case, values, held)
            if len(sources) > 1:
                start = shape.both(start, shape.const(source))
            starts = shape.union(starts, start) if starts else start
        goal = goals[0] if goals else ""
        for other in goals[1:]:
            goal = shape.both(goal, other)
        return shape.both(starts, shape.shift(f"({goal})", -distance)) if goal else starts

    def _standing(self, fn: Fn, case: tuple[Way, ...], wanted: list[Any], held: str) -> str:
        """Where one of some kinds stands, of the cells that may be chosen first."""
        from rulelang.native.layers import part_board, value_board

        every = [value for value, _ in case]
        if self.store is None or len(wanted) == len(every):
            return held
        state = f"{fn.state}->{self.store.name}"
        found = part_board(self.store, state, wanted, every)
        if found is None:
            for value in wanted:
                one = value_board(self.store, state, value)
                found = one if found is None else self.shape.union(found, one)
        return self.shape.both(held, str(found))

    def firsts(self, name: str) -> str:
        """The first cells of all pairs."""
        found = f"{name}_0"
        for i in range(1, self.most):
            found = self.shape.union(found, f"{name}_{i}")
        return found

    def seconds(self, x: Emitter, fn: Fn, name: str, first: str) -> str:
        """Write the set of the second cells of the pairs with a first."""
        shape, last, table = self.shape, fn.name("last"), fn.name("distances")
        fn.line(self._table(table))
        fn.line(f"{shape.ctype} {last} = {shape.zero};")
        for i in range(self.most):
            to = shape.bit(f"{first} + {table}[{self._row(fn)}][{i}]")
            fn.line(f"if ({shape.test(f'{name}_{i}', first)}) {last} = {shape.union(last, to)};")
        return last

    def pick(self, x: Emitter, fn: Fn, name: str) -> None:
        """Write the choice of pair `k`, and bind both choices."""
        shape = self.shape
        highest = 1 << max(0, (shape.size - 1).bit_length() - 1)
        below = f"{shape.bit('from + step')} - 1"
        fn.line("int from = 0;")
        fn.open(f"for (int step = {highest}; step; step >>= 1)")
        fn.line(f"const {shape.ctype} below = {below};")
        parts = [shape.count(shape.both(f"{name}_{i}", "below")) for i in range(self.most)]
        fn.line(f"from += ({' + '.join(parts)}) <= k ? step : 0;")
        fn.close()
        fn.line(f"const {shape.ctype} before = {shape.bit('from')} - 1;")
        parts = [shape.count(shape.both(f"{name}_{i}", "before")) for i in range(self.most)]
        fn.line(f"k -= {' + '.join(parts)};")
        fn.line(self._table(f"distances_{name}"))
        fn.line("int which = 0;")
        for i in range(self.most - 1):
            fn.line(f"which += which == {i} && ({shape.test(f'{name}_{i}', 'from')} ? k-- == 0 ? 0 : 1 : 1);")
        fn.line("const num first UNUSED = from;")
        fn.line(f"const num second UNUSED = from + distances_{name}[{self._row(fn)}][which];")
        self.bind(fn)

    def _row(self, fn: Fn) -> str:
        return fn.me if len(self.cases) > 1 else "0"

    def _table(self, name: str) -> str:
        rows = ["{" + ", ".join(str(row[i]) if i < len(row) else "0" for i in range(self.most)) + "}"
                for row in self.distances]
        return f"static const int16_t {name}[][{self.most}] = {{{', '.join(rows)}}};"
