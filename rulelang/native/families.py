"""Relations and patterns over a board as shifts of whole sets.

A static relation (the cells one step from a cell, a knight's leaps) is split by how far apart the numbers of its pairs
are: for each distance the set of cells that have a partner there. A whole set is then moved along the relation, or
back, by one shift and one mask for each distance.

A pattern is a question whether any of many fixed sets lies within a set (`some line in lines(5) has every c in line has
…`). Fixed sets of the same form, moved about, are a family: one run of shifts finds all of them at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulelang.model.ir import E
from rulelang.model.types import ListOf, Number, SetOf, Type, bits, is_scalar, size_of
from rulelang.native.emitter import Emitter
from rulelang.native.shapes import SetShape, index_text, set_shape
from rulelang.native.text import Fn

MOST_SHIFTS = 18
MOST_CHOICES = 4

Plan = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Plans:
    """A relation by distances: one plan, or one for each value of the acting seat (slot -1) or of another local."""

    plans: tuple[Plan, ...]
    slot: int | None = None
    kind: Type | None = None


def relation(x: Emitter, e: E, slot: int, of: Type) -> Plans | None:
    """The relation between a local and the members of a static set that speaks of it."""
    from rulelang.engine.compiler import free_locals

    if not x.static(e) or not isinstance(e.type, SetOf):
        return None
    kinds = free_locals(x.c, e)
    others = [(s, k) for s, k in sorted(kinds.items()) if s != slot]
    if x.facts(e).me:
        others.insert(0, (-1, Number(0, x.machine.seats - 1)))
    if len(others) > 1 or slot not in kinds or not all(is_scalar(k) and size_of(k) <= MOST_CHOICES for _, k in others):
        return None
    key = ("relation", x.key(e), slot)
    if key not in x._lifted:
        x._lifted[key] = e
        x._static[key] = _plans(x, e, slot, of, others)  # type: ignore[assignment]
    return x._static[key]  # type: ignore[return-value]


def _plans(x: Emitter, e: E, slot: int, of: Type, others: list[tuple[int, Type]]) -> Plans | None:
    values = x._all_values(e, [*others, (slot, of)])
    if values is None:
        return None
    size = size_of(of)
    plans: list[Plan] = []
    for start in range(0, len(values), size):
        sources: dict[int, int] = {}
        for c, near in enumerate(values[start:start + size]):
            for d in bits(near):
                sources[d - c] = sources.get(d - c, 0) | 1 << c
        if len(sources) > MOST_SHIFTS:
            return None
        plans.append(tuple(sorted(sources.items())))
    if not others:
        return Plans(tuple(plans))
    return Plans(tuple(plans), *others[0])


def relation_at(x: Emitter, e: E, slot: int, of: Type, pair: tuple[int, int, int]) -> Plans | None:
    """The relation between the second of two choices and the members of a static set that speaks of both, where the
    first is at a fixed distance before it (`between(from, to)`)."""
    first, distance, seat = pair
    facts = x.facts(e)
    if not x.static(e) or not isinstance(e.type, SetOf) or facts.free != {first, slot} or (facts.me and seat < 0):
        return None
    key = ("relation", x.key(e), pair, slot)
    if key not in x._lifted:
        x._lifted[key] = e
        variables: list[tuple[int, Type]] = [(first, of), (slot, of)]
        if facts.me:
            variables.insert(0, (-1, Number(0, x.machine.seats - 1)))
        answers = x._all_values(e, variables)
        size, sources = size_of(of), dict[int, int]()
        base = seat * size * size if facts.me else 0
        for c in range(max(0, distance), size + min(0, distance)):
            for d in bits(answers[base + (c - distance) * size + c]) if answers is not None else ():
                sources[d - c] = sources.get(d - c, 0) | 1 << c
        fits = answers is not None and len(sources) <= MOST_SHIFTS
        x._static[key] = Plans((tuple(sorted(sources.items())),)) if fits else None  # type: ignore[assignment]
    return x._static[key]  # type: ignore[return-value]


def spread(fn: Fn, shape: SetShape, held: str, plans: Plans, back: bool = False) -> str:
    """A set moved along a relation (back: against it)."""
    made = [_moved(shape, held, plan, back) for plan in plans.plans]
    if plans.slot is None:
        return made[0]
    assert plans.kind is not None
    chosen = fn.me if plans.slot < 0 else fn.env[plans.slot]
    chosen = fn.atom("num", index_text(plans.kind, fn.atom("num", chosen)))
    found = made[-1]
    for i in range(len(made) - 2, -1, -1):
        found = f"({chosen} == {i} ? {made[i]} : {found})"
    return found


def _moved(shape: SetShape, held: str, plan: Plan, back: bool) -> str:
    found = ""
    for shift, source in plan:
        if back:
            part = shape.both(shape.shift(held, -shift), shape.const(source))
        else:
            goal = source << shift if shift >= 0 else source >> -shift
            part = shape.both(shape.shift(held, shift), shape.const(goal))
        found = shape.union(found, part) if found else part
    return found or shape.zero


def pattern(x: Emitter, fn: Fn, e: E) -> str | None:
    """`some L in (fixed sets) has L within S`, or `… every c in L has …`: all families at once."""
    if not x.passes.families or e.op not in ("some", "no"):
        return None
    domain, where, condition = e.args
    fixed, lines = x.c.constant(domain)
    always, yes = x.c.constant(where)
    if not fixed or not (always and yes) or not isinstance(domain.type, ListOf) or not isinstance(domain.type.of, SetOf):
        return None
    shape = set_shape(domain.type.of)
    families = _families(lines)
    if not lines or len(families) > max(8, len(lines) // 3) or any(not line for line in lines):
        return None
    held = _held(x, fn, x.c.simple(condition), e.data, domain.type.of)
    if held is None:
        return None
    held = fn.atom(shape.ctype, shape.both(held, shape.const(shape.every)))
    found = ""
    for offsets, starts in families.items():
        part = shape.both(_run(fn, shape, held, offsets), shape.const(starts))
        found = shape.union(found, part) if found else part
    return shape.some(found) if e.op == "some" else f"(!{shape.some(found)})"


def _held(x: Emitter, fn: Fn, condition: E, slot: int, kind: SetOf) -> str | None:
    """The set in which a pattern must lie."""
    from rulelang.native.masks import mask

    if condition.op == "within" and condition.args[0].op == "local" and condition.args[0].data == slot:
        goal = condition.args[1]
        if slot in x.facts(goal).free or not x.total(goal) or not isinstance(goal.type, SetOf):
            return None
        return x.value(fn, goal) if set_shape(goal.type).words == set_shape(kind).words else None
    if condition.op == "every" and condition.args[0].op == "local" and condition.args[0].data == slot:
        always, yes = x.c.constant(condition.args[1])
        if always and yes and slot not in x.facts(condition.args[2]).free:
            return mask(x, fn, condition.args[2], condition.data, kind.of)
    return None


def _families(lines: Sequence[int]) -> dict[tuple[int, ...], int]:
    """The fixed sets by form: the distances from the lowest cell, and the lowest cells of all of that form."""
    found: dict[tuple[int, ...], int] = {}
    for line in lines:
        cells = bits(line)
        if cells:
            form = tuple(c - cells[0] for c in cells)
            found[form] = found.get(form, 0) | 1 << cells[0]
    return found


def _run(fn: Fn, shape: SetShape, held: str, offsets: tuple[int, ...]) -> str:
    """The cells from which all of these distances are in a set."""
    count, step = len(offsets), offsets[1] if len(offsets) > 1 else 0
    if count > 2 and offsets == tuple(range(0, step * count, step)):
        found, have = held, 1
        while have * 2 <= count:
            found = fn.keep(shape.ctype, shape.both(found, shape.shift(found, -step * have)))
            have *= 2
        return found if have == count else shape.both(found, shape.shift(found, -step * (count - have)))
    found = held
    for offset in offsets[1:]:
        found = shape.both(found, shape.shift(held, -offset))
    return found


def reaches(x: Emitter, fn: Fn, e: E) -> str | None:
    """`reach(S, through) meets T`: the search stops where it comes to T."""
    for one, other in (e.args, e.args[::-1]):
        one = x.c.simple(one)
        if one.op == "neighbours" and not x.static(one):
            inner = x.c.simple(one.args[0])
            if inner.op == "call":
                from rulelang.native.inline import inlined

                inner = x.c.simple(inlined(x, inner))
            if inner.op == "reach":
                from rulelang.native.boards import flood

                shape = set_shape(inner.type)
                start = x.value(fn, inner.args[0])
                through = x.value(fn, inner.args[1])
                return f"{flood(x, shape)}_touches({start}, {through}, {x.value(fn, other)})"
        if one.op == "reach" and not x.static(one):
            from rulelang.native.boards import flood

            shape = set_shape(one.type)
            start = x.value(fn, one.args[0])
            through = x.value(fn, one.args[1])
            goal = x.value(fn, other)
            return f"{flood(x, shape)}_meets({start}, {through}, {goal})"
    return None


__all__ = ["Any", "Plans", "pattern", "reaches", "relation", "relation_at", "spread"]
