"""Tails: choices that hang on an earlier one only by a property with few values are listed once for each of these.

`choose to …`, then `choose wild in {color[to]} or none`, `require card: pays({color[to]}, wild)`: what may be chosen after
`to` depends on its color only, and neither on where the figure comes from nor on the space itself. The clauses after such
a choice (the pivot) are its tail. The values of the pivot fall into classes, by what is static in the tail; the tail is
listed for one value of each class, when the first of its class turns up. What is legal is then a set of pivots and how
many ways each class has, counted by a popcount for each class; the k-th is looked for in the one set that holds it.

The tail of a choice of several (`choose 1..5 from hand as given`, then a choice that does not speak of it) is one list,
by which the number of parts is multiplied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulelang.machine.facts import BINDERS
from rulelang.model.game import Clause
from rulelang.model.ir import E
from rulelang.model.types import SetOf, Type, size_of
from rulelang.native.emitter import Emitter
from rulelang.native.shapes import scalar

MOST_CLASSES = 8
MOST_WAYS = 32


@dataclass(frozen=True, slots=True)
class Tail:
    """Where among the clauses the pivot stands and its tail begins; the classes of the pivot's values by number; the
    choices of the tail, and the most ways to make them."""

    pivot: int
    begin: int
    classes: tuple[int, ...]
    choices: tuple[Clause, ...]
    most: int

    @property
    def count(self) -> int:
        """How many classes there are."""
        return max(self.classes, default=0) + 1


def tail_of(x: Emitter, clauses: list[Clause]) -> Tail | None:
    """The longest tail of an action's clauses, given in the order in which they are asked."""
    if not x.passes.tails:
        return None
    for pivot, clause in enumerate(clauses):
        if clause.kind == "choose_some":
            begin = pivot + 1
        elif clause.kind == "choose" and not clause.optional and clause.domain is not None \
                and isinstance(clause.domain.type, SetOf):
            begin = pivot + 1
            while begin < len(clauses) and clauses[begin].kind == "require":
                begin += 1
        else:
            continue
        made = _tail(x, clauses, pivot, begin)
        if made is not None:
            return made
    return None


def _tail(x: Emitter, clauses: list[Clause], pivot: int, begin: int) -> Tail | None:
    choices: list[Clause] = []
    asked: list[E] = []
    most, bound = 1, set[int]()
    for clause in clauses[begin:]:
        if clause.kind == "choose":
            assert clause.domain is not None
            if not isinstance(clause.domain.type, SetOf) or not scalar(clause.domain.type.of):
                return None
            choices.append(clause)
            bound.add(clause.slot)
            most *= size_of(clause.domain.type.of) + clause.optional
        elif clause.kind != "require":
            return None
        asked += [e for e in (clause.domain, clause.where, clause.value) if e is not None]
    if not choices or most > MOST_WAYS:
        return None
    head = clauses[pivot]
    about: dict[int, E] = {}
    for e in asked:
        if not x.total(e) or not _gathered(x, e, head.slot, frozenset(bound), about):
            return None
    if head.kind == "choose_some":
        return None if about else Tail(pivot, begin, (0,), tuple(choices), most)
    assert head.domain is not None and isinstance(head.domain.type, SetOf)
    classes = _classes(x, list(about.values()), head.slot, head.domain.type.of)
    return None if classes is None else Tail(pivot, begin, classes, tuple(choices), most)


def _gathered(x: Emitter, e: E, slot: int, bound: frozenset[int], about: dict[int, E]) -> bool:
    """Find what is static in the pivot; False if the expression depends on it, or on a choice before, otherwise."""
    e = x.c.simple(e)
    if x.c.constant(e)[0]:
        return True
    facts = x.facts(e)
    if facts.course:
        return False
    if slot not in facts.free:
        return not facts.free - bound
    if facts.free == {slot} and x.static(e) and not facts.me and e.op != "local":
        about[x.key(e)] = e
        return True
    if e.op == "local":
        return False
    if e.op in BINDERS:
        bound = bound | {e.data}
    return all(_gathered(x, a, slot, bound, about) for a in e.args)


def _classes(x: Emitter, about: list[E], slot: int, of: Type) -> tuple[int, ...] | None:
    columns: list[list[Any]] = []
    for e in about:
        values = x._all_values(e, [(slot, of)])
        if values is None:
            return None
        columns.append(values)
    numbers: dict[tuple[Any, ...], int] = {}
    rows = zip(*columns, strict=True) if columns else [()] * size_of(of)
    found = tuple(numbers.setdefault(tuple(row), len(numbers)) for row in rows)
    return found if len(numbers) <= MOST_CLASSES else None


__all__ = ["Tail", "tail_of"]
