"""Ways that depend on what stands on a cell: taken apart by what may stand there.

Where a piece may go is often a relation of the board only once it is known which piece it is (a man goes forward, a
king every way). The second choice of a pair (see `pairs`) that looks at one layer at the first is written once for each
value of that layer, and for each seat that acts: with the value and the seat known, it is a relation of the board. What
the first choice excludes (the other side's pieces, empty cells) is left out: it is known by asking the first choice's
conditions of each value.
"""

from __future__ import annotations

from typing import Any

from rulelang.model.game import Clause
from rulelang.model.ir import TRUE, E
from rulelang.model.types import Type, values_of
from rulelang.native.emitter import Emitter, is_atom
from rulelang.native.families import Plan, relation
from rulelang.native.inline import inlined, replaced
from rulelang.native.storage import Store

MOST_KINDS = 12
MOST_SEATS = 4

Way = tuple[Any, Plan]                                   # what stands on the first cell, and the relation then


def by_kind(x: Emitter, domain: E, first: Clause, of: Type) -> tuple[Store, tuple[tuple[Way, ...], ...]] | None:
    """The layer that a set looks at, and for each seat the relation for each value that may stand there."""
    from rulelang.native.layers import layer

    if not x.passes.kinds or x.machine.seats > MOST_SEATS or first.domain is None:
        return None
    domain = opened(x, domain)
    looks = _looks(domain, first.slot)
    if len(looks) != 1:
        return None
    store = layer(x, looks.pop(), of)
    if store is None or store.values + store.maybe > MOST_KINDS:
        return None
    conditions = [E("in", TRUE.type, (E("local", of, (), first.slot), first.domain)), first.where or TRUE]
    conditions = [opened(x, e) for e in conditions]
    cases: list[tuple[Way, ...]] = []
    for seat in range(x.machine.seats):
        ways: list[Way] = []
        for value in values_of(store.kind):
            if any(_never(x, _known(x, e, first.slot, store, value, seat), first.slot, store, value, seat)
                   for e in conditions):
                continue
            put = _known(x, domain, first.slot, store, value, seat)
            fixed, held = x.c.constant(put)
            if fixed and not held:
                ways.append((value, ()))
                continue
            plans = relation(x, put, first.slot, of)
            if plans is None or plans.slot is not None:
                return None
            ways.append((value, plans.plans[0]))
        cases.append(tuple(ways))
    return store, tuple(cases[:1]) if all(case == cases[0] for case in cases) else tuple(cases)


def opened(x: Emitter, e: E) -> E:
    """An expression with every define in it written out whose arguments cost nothing."""
    e = x.c.simple(e)
    if e.op == "call" and all(is_atom(a) for a in e.args):
        return opened(x, inlined(x, e))
    args = tuple(opened(x, a) for a in e.args)
    return e if all(a is b for a, b in zip(args, e.args, strict=True)) else E(e.op, e.type, args, e.data, e.place)


def _looks(e: E, slot: int) -> set[int]:
    """The variables that are looked at with a local as the only index."""
    found: set[int] = set()
    if e.op == "get" and len(e.args) == 1 and e.args[0].op == "local" and e.args[0].data == slot:
        found.add(e.data)
    for a in e.args:
        found |= _looks(a, slot)
    return found


def _known(x: Emitter, e: E, slot: int, store: Store, value: Any, seat: int) -> E:
    """An expression in which it is known what stands on a cell, and who acts."""
    kind = store.inner if value is not None else store.kind
    key = ("known", x.key(e), slot, store.number, value, seat)
    found = x._lifted.get(key)
    if found is None:
        found = x._lifted[key] = _acting(_at(e, slot, store.number, E("const", kind, (), value)), seat)
    return found


def _at(e: E, slot: int, var: int, held: E) -> E:
    if e.op == "get" and e.data == var and len(e.args) == 1 and e.args[0].op == "local" and e.args[0].data == slot:
        return held
    return E(e.op, e.type, tuple(_at(a, slot, var, held) for a in e.args), e.data, e.place) if e.args else e


def _acting(e: E, seat: int) -> E:
    if e.op == "me":
        return E("const", e.type, (), seat, e.place)
    return E(e.op, e.type, tuple(_acting(a, seat) for a in e.args), e.data, e.place) if e.args else e


def _never(x: Emitter, e: E, slot: int, store: Store, value: Any, seat: int) -> bool:
    """Whether a condition cannot hold."""
    fixed, held = x.c.constant(e)
    if fixed:
        return not held
    if e.op == "and":
        return any(_never(x, a, slot, store, value, seat) for a in e.args)
    if e.op == "or":
        return all(_never(x, a, slot, store, value, seat) for a in e.args)
    if e.op == "in" and e.args[0].op == "local" and e.args[0].data == slot:
        about, domain = e.args
        if domain.op == "where":
            inside = _known(x, replaced(domain.args[1], {domain.data: about}), slot, store, value, seat)
            return _never(x, inside, slot, store, value, seat) or _never(
                x, E("in", e.type, (about, domain.args[0])), slot, store, value, seat)
        if domain.op in ("both", "union"):
            parts = [_never(x, E("in", e.type, (about, a)), slot, store, value, seat) for a in domain.args]
            return any(parts) if domain.op == "both" else all(parts)
        if domain.op == "without":
            return _never(x, E("in", e.type, (about, domain.args[0])), slot, store, value, seat)
    return False


__all__ = ["Way", "by_kind"]
