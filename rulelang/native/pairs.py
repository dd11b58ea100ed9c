"""Two choices at once: from a cell to one near it, for all cells together.

An action that chooses a cell and then one that is related to it by the board (a step, a leap, a neighbour) has its
legal pairs as a few sets, one for each distance between the two: the first cells from which a pair of that distance is
legal. How many there are is a popcount for each; the k-th pair in the usual order (by the first cell, then the second) is
found by halving.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulelang.model.game import Clause
from rulelang.model.ir import TRUE, E
from rulelang.model.types import SetOf, Type, size_of
from rulelang.native.closures import written_out
from rulelang.native.emitter import Emitter
from rulelang.native.families import Plans, relation
from rulelang.native.shapes import SetShape
from rulelang.native.text import Fn

MOST_DISTANCES = 8


@dataclass(frozen=True, slots=True)
class Pairs:
    """An action that is such a pair: its clauses, the relation, what is asked of the first and of the second."""

    first: Clause
    second: Clause
    of: Type
    plans: Plans
    early: tuple[E, ...]
    about_first: tuple[E, ...]
    about_second: tuple[E, ...]

    @property
    def most(self) -> int:
        """The most distances."""
        return max(len(plan) for plan in self.plans.plans)

    @property
    def shape(self) -> SetShape:
        """The shape of the sets."""
        return SetShape(size_of(self.of))


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
    if not isinstance(one, SetOf) or one != two or size_of(one.of) > 128 or not x.total(first.domain):
        return None
    domain = written_out(x, second.domain)
    about = [second.where or TRUE]
    while domain.op in ("both", "without"):
        inside = E("in", TRUE.type, (E("local", one.of, (), second.slot), domain.args[1]), None, second.place)
        about.append(inside if domain.op == "both" else E("not", TRUE.type, (inside,), None, second.place))
        domain = written_out(x, domain.args[0])
    plans = relation(x, domain, first.slot, one.of)
    if plans is None or (plans.slot is not None and plans.slot >= 0) or max(map(len, plans.plans)) > MOST_DISTANCES:
        return None
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
    return Pairs(first, second, one.of, plans, tuple(early), tuple(about_first), tuple(about))


def write_pairs(x: Emitter, fn: Fn, pairs: Pairs, name: str, count: str) -> bool:
    """Write the sets `name`_0 … and their count; False if a condition cannot be a set."""
    from rulelang.native.masks import mask

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
    for number, plan in enumerate(pairs.plans.plans):
        if len(pairs.plans.plans) > 1:
            fn.open(("if" if number == 0 else "else if") + f" ({fn.me} == {number})")
        for i, (distance, source) in enumerate(plan):
            fn.known.append({})
            fn.pair = slot, distance, number if len(pairs.plans.plans) > 1 else -1
            goal = shape.const(source << distance if distance >= 0 else source >> -distance)
            for e in pairs.about_second:
                made = mask(x, fn, e, pairs.second.slot, pairs.of)
                if made is None:
                    fn.pair = None
                    return False
                goal = shape.both(goal, made)
            fn.pair = None
            fn.line(f"{name}_{i} = {shape.both(held, shape.shift(f'({goal})', -distance))};")
            fn.known.pop()
        if len(pairs.plans.plans) > 1:
            fn.close()
    fn.line(f"{count} = {' + '.join(shape.count(f'{name}_{i}') for i in range(pairs.most))};")
    for _ in range(opened):
        fn.close()
    return True


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
    rows = ["{" + ", ".join(str(plan[i][0]) if i < len(plan) else "0" for i in range(pairs.most)) + "}"
            for plan in pairs.plans.plans]
    fn.line(f"static const int16_t distances_{name}[][{pairs.most}] = {{{', '.join(rows)}}};")
    fn.line("int which = 0;")
    for i in range(pairs.most - 1):
        fn.line(f"which += which == {i} && ({shape.test(f'{name}_{i}', 'from')} ? k-- == 0 ? 0 : 1 : 1);")
    row = fn.me if len(pairs.plans.plans) > 1 else "0"
    fn.line("const num first UNUSED = from;")
    fn.line(f"const num second UNUSED = from + distances_{name}[{row}][which];")
    fn.bind(pairs.first.slot, "first")
    fn.bind(pairs.second.slot, "second")
