"""Two choices at once: from a cell to one near it, for all cells together.

An action that chooses a cell and then one that is related to it by the board (a step, a leap, a neighbour) has its
legal pairs as a few sets, one for each distance between the two: the first cells from which a pair of that distance is
legal. How many there are is a popcount for each; the k-th pair in the usual order (by the first cell, then the second) is
found by halving. Where the relation depends on who acts, or on what stands on the first cell (see `kinds`), there are
such sets for each seat, and each is gathered from the kinds that have a way of that distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulelang.engine.values import lowest_of
from rulelang.model.game import Clause
from rulelang.model.ir import TRUE, E
from rulelang.model.types import SetOf, Type, size_of
from rulelang.native.closures import written_out
from rulelang.native.emitter import Emitter
from rulelang.native.families import relation
from rulelang.native.inline import replaced
from rulelang.native.kinds import Way, by_kind
from rulelang.native.shapes import SetShape
from rulelang.native.storage import Store
from rulelang.native.text import Fn

MOST_DISTANCES = 8


@dataclass(frozen=True, slots=True)
class Pairs:
    """An action that is such a pair: its clauses, the ways for each seat (one case: for all), the layer that they
    depend on, what is asked of the first and of the second."""

    first: Clause
    second: Clause
    of: Type
    cases: tuple[tuple[Way, ...], ...]
    store: Store | None
    early: tuple[E, ...]
    about_first: tuple[E, ...]
    about_second: tuple[E, ...]

    @property
    def distances(self) -> tuple[tuple[int, ...], ...]:
        """The distances for each seat, in order."""
        return tuple(tuple(sorted({d for _, plan in case for d, _ in plan})) for case in self.cases)

    @property
    def most(self) -> int:
        """The most distances."""
        return max(1, *map(len, self.distances))

    @property
    def shape(self) -> SetShape:
        """The shape of the sets."""
        return SetShape(size_of(self.of))

    def row(self, fn: Fn) -> str:
        """The number of the case in C."""
        return fn.me if len(self.cases) > 1 else "0"

    def table(self, name: str) -> str:
        """The distances as a table in C."""
        rows = ["{" + ", ".join(str(row[i]) if i < len(row) else "0" for i in range(self.most)) + "}"
                for row in self.distances]
        return f"static const int16_t {name}[][{self.most}] = {{{', '.join(rows)}}};"


def pairs_of(x: Emitter, clauses: list[Clause], ensures: list[Clause]) -> Pairs | None:
    """The pair that an action chooses, or None. `clauses`: without the effects, in the order in which they are asked."""
    if not x.passes.pairs or ensures or any(c.kind not in ("choose", "require") or c.optional for c in clauses):
        return None
    choices = [c for c in clauses if c.kind == "choose"]
    if len(choices) != 2:
        return None
    first, second = choices
    if first.domain is None or second.domain is None:
        return None
    one, two = first.domain.type, second.domain.type
    if not isinstance(one, SetOf) or one != two or size_of(one.of) > 128 or lowest_of(one.of) != 0 \
            or not x.total(first.domain):
        return None
    domain, about = _parts(x, second, one.of)
    store: Store | None = None
    plans = relation(x, domain, first.slot, one.of)
    if plans is not None and (plans.slot is None or plans.slot < 0):
        cases: tuple[tuple[Way, ...], ...] = tuple(((None, plan),) for plan in plans.plans)
    else:
        found = by_kind(x, domain, first, one.of)
        if found is None:
            return None
        store, cases = found
    early: list[E] = []
    about_first = [first.where or TRUE]
    for clause in clauses:
        if clause.kind == "require":
            assert clause.value is not None
            free = x.facts(clause.value).free
            (about if second.slot in free else about_first if first.slot in free else early).append(clause.value)
    conditions = [*early, *about_first, *about]
    if any(not x.total(e) or x.facts(e).free - {first.slot, second.slot} for e in conditions):
        return None
    made = Pairs(first, second, one.of, cases, store, tuple(early), tuple(about_first), tuple(about))
    return made if made.most <= MOST_DISTANCES else None


def _parts(x: Emitter, second: Clause, of: Type) -> tuple[E, list[E]]:
    """The relation that the second is chosen from, and the conditions on it."""
    assert second.domain is not None
    domain, it = written_out(x, second.domain), E("local", of, (), second.slot)
    about = [second.where or TRUE]
    while domain.op in ("both", "without", "where"):
        if domain.op == "where":
            inside = replaced(domain.args[1], {domain.data: it})
        else:
            inside = E("in", TRUE.type, (it, domain.args[1]), None, second.place)
        about.append(E("not", TRUE.type, (inside,), None, second.place) if domain.op == "without" else inside)
        domain = written_out(x, domain.args[0])
    return domain, about


def declare_pairs(x: Emitter, fn: Fn, pairs: Pairs, name: str) -> None:
    """Declare the sets `name`_0 …, empty."""
    for i in range(pairs.most):
        fn.line(f"{x.set_type(pairs.shape)} {name}_{i} = {pairs.shape.zero};")


def write_pairs(x: Emitter, fn: Fn, pairs: Pairs, name: str, count: str = "") -> bool:
    """Write the sets `name`_0 … and, if it is asked for, their count; False if a condition cannot be a set."""
    from rulelang.native.masks import mask
    from rulelang.native.sequences import hoist

    shape, slot = pairs.shape, pairs.first.slot
    assert pairs.first.domain is not None
    opened = 0
    for e in pairs.early:
        fn.open(f"if ({x.value(fn, e)})")
        opened += 1
    held = x.value(fn, pairs.first.domain)
    for e in pairs.about_first:
        made = mask(x, fn, e, slot, pairs.of)
        if made is None:
            return False
        held = shape.both(held, made)
    held = fn.atom(shape.ctype, held)
    hoist(x, fn, pairs.about_second, pairs.second.slot)
    for number, case in enumerate(pairs.cases):
        several = len(pairs.cases) > 1
        if several:
            fn.open(("if" if number == 0 else "else if") + f" ({fn.me} == {number})")
        for i, distance in enumerate(pairs.distances[number]):
            fn.known.append({})
            fn.pair = slot, distance, number if several else -1
            goals = [mask(x, fn, e, pairs.second.slot, pairs.of) for e in pairs.about_second]
            fn.pair = None
            if any(goal is None for goal in goals):
                return False
            fn.line(f"{name}_{i} = {_at_distance(fn, pairs, case, distance, held, [goal for goal in goals if goal])};")
            fn.known.pop()
        if several:
            fn.close()
    if count:
        fn.line(f"{count} = {' + '.join(shape.count(f'{name}_{i}') for i in range(pairs.most))};")
    for _ in range(opened):
        fn.close()
    return True


def _at_distance(fn: Fn, pairs: Pairs, case: tuple[Way, ...], distance: int, held: str, goals: list[str]) -> str:
    """The first cells from which a pair of a distance is legal."""
    shape = pairs.shape
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
        start = _standing(fn, pairs, case, values, held)
        if len(sources) > 1:
            start = shape.both(start, shape.const(source))
        starts = shape.union(starts, start) if starts else start
    goal = goals[0] if goals else ""
    for other in goals[1:]:
        goal = shape.both(goal, other)
    return shape.both(starts, shape.shift(f"({goal})", -distance)) if goal else starts


def _standing(fn: Fn, pairs: Pairs, case: tuple[Way, ...], wanted: list[Any], held: str) -> str:
    """Where one of some kinds stands, of the cells that may be chosen first."""
    from rulelang.native.masks import part_board, value_board

    every = [value for value, _ in case]
    if pairs.store is None or len(wanted) == len(every):
        return held
    store, state = pairs.store, f"{fn.state}->{pairs.store.name}"
    found = part_board(store, state, wanted, every)
    if found is None:
        for value in wanted:
            one = value_board(store, state, value)
            found = one if found is None else pairs.shape.union(found, one)
    return pairs.shape.both(held, str(found))


def all_firsts(pairs: Pairs, name: str) -> str:
    """The first cells of all pairs."""
    found = f"{name}_0"
    for i in range(1, pairs.most):
        found = pairs.shape.union(found, f"{name}_{i}")
    return found


def seconds_of(fn: Fn, pairs: Pairs, name: str, first: str) -> str:
    """Write the set of the second cells of the pairs with a first."""
    shape, last, table = pairs.shape, fn.name("last"), fn.name("distances")
    fn.line(pairs.table(table))
    fn.line(f"{shape.ctype} {last} = {shape.zero};")
    for i in range(pairs.most):
        to = shape.bit(f"{first} + {table}[{pairs.row(fn)}][{i}]")
        fn.line(f"if ({shape.test(f'{name}_{i}', first)}) {last} = {shape.union(last, to)};")
    return last


def pick_pair(x: Emitter, fn: Fn, pairs: Pairs, name: str) -> None:
    """Write the choice of pair `k`, and bind both choices."""
    shape = pairs.shape
    highest = 1 << max(0, (shape.size - 1).bit_length() - 1)
    below = f"{shape.bit('from + step')} - 1"
    fn.line("int from = 0;")
    fn.open(f"for (int step = {highest}; step; step >>= 1)")
    fn.line(f"const {shape.ctype} below = {below};")
    parts = [shape.count(shape.both(f"{name}_{i}", "below")) for i in range(pairs.most)]
    fn.line(f"from += ({' + '.join(parts)}) <= k ? step : 0;")
    fn.close()
    fn.line(f"const {shape.ctype} before = {shape.bit('from')} - 1;")
    parts = [shape.count(shape.both(f"{name}_{i}", "before")) for i in range(pairs.most)]
    fn.line(f"k -= {' + '.join(parts)};")
    fn.line(pairs.table(f"distances_{name}"))
    fn.line("int which = 0;")
    for i in range(pairs.most - 1):
        fn.line(f"which += which == {i} && ({shape.test(f'{name}_{i}', 'from')} ? k-- == 0 ? 0 : 1 : 1);")
    fn.line("const num first UNUSED = from;")
    fn.line(f"const num second UNUSED = from + distances_{name}[{pairs.row(fn)}][which];")
    fn.bind(pairs.first.slot, "first")
    fn.bind(pairs.second.slot, "second")
