"""Preimages: from which cells something can be reached by a fixed relation, for all cells at once.

`some d in step(c, …) has P(d)` is the set where P holds, moved back along the relation by a shift for each distance.
"""

from __future__ import annotations

from rulelang.engine.values import lowest_of
from rulelang.model.ir import TRUE, E
from rulelang.model.types import SetOf, Type, size_of
from rulelang.native.emitter import Emitter
from rulelang.native.families import relation, relation_at, spread
from rulelang.native.shapes import SetShape
from rulelang.native.text import Fn


def preimage(x: Emitter, fn: Fn, e: E, slot: int, of: Type) -> str | None:
    """`some d in R(c) has P(d)`, `R(c) meets S` and their opposites, with R static: P or S moved back along R."""
    if not x.passes.preimages:
        return None
    shape = SetShape(size_of(of))
    if e.op in ("some", "no", "every"):
        from rulelang.native.sequences import conjunction, negation

        domain, where, condition = e.args
        asked = conjunction(where, negation(condition) if e.op == "every" else condition)
        goal = None
        if isinstance(domain.type, SetOf) and slot not in x.facts(asked).free:
            goal = (domain, asked)
        if goal is None:
            return None
        found = _moved_back(x, fn, goal[0], goal[1], e.data, None, slot, of)
        if found is None:
            return None
        return found if e.op == "some" else shape.inverse(found)
    if e.op == "meets":
        for one, other in (e.args, e.args[::-1]):
            if slot not in x.facts(other).free and isinstance(other.type, SetOf):
                found = _moved_back(x, fn, one, TRUE, -1, other, slot, of)
                if found is not None:
                    return found
    if e.op == "within" and slot not in x.facts(e.args[1]).free:
        found = _moved_back(x, fn, e.args[0], TRUE, -1, e.args[1], slot, of, outside=True)
        return None if found is None else shape.inverse(found)
    return None


def _moved_back(x: Emitter, fn: Fn, domain: E, asked: E, inner: int, goal: E | None, slot: int, of: Type,
                outside: bool = False) -> str | None:
    """The values from which something that meets a condition, or lies in a set, can be reached."""
    domain = x.c.simple(domain)
    extra: list[tuple[str, E]] = []
    while domain.op in ("both", "without"):
        first, second = domain.args
        if slot not in x.facts(second).free:
            extra.append((domain.op, second))
            domain = x.c.simple(first)
        elif domain.op == "both" and slot not in x.facts(first).free:
            extra.append(("both", first))
            domain = x.c.simple(second)
        else:
            return None
    if not isinstance(domain.type, SetOf) or lowest_of(domain.type.of) != 0 or size_of(domain.type.of) != size_of(of):
        return None
    if fn.pair is not None and fn.pair[0] in x.facts(domain).free:
        plans = relation_at(x, domain, slot, of, fn.pair)
    else:
        plans = relation(x, domain, slot, of)
    if plans is None or (fn.pair is not None and fn.pair[0] in x.facts(asked).free):
        return None
    shape = SetShape(size_of(of))
    from rulelang.native.masks import mask

    wanted = mask(x, fn, asked, inner, domain.type.of) if inner >= 0 else shape.const(shape.every)
    if wanted is None:
        return None
    if goal is not None:
        wanted = x.value(fn, goal)
        if outside:
            wanted = shape.inverse(wanted)
    for how, other in extra:
        held = x.value(fn, other)
        wanted = shape.both(wanted, held) if how == "both" else shape.without(wanted, held)
    return spread(fn, shape, fn.atom(shape.ctype, shape.both(wanted, shape.const(shape.every))), plans, back=True)
