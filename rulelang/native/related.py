"""Which actions choose two related values at once: what is chosen first, how the second is related to it, what is asked.

The relation is what the second is chosen from (`choose to in step(from, …) where …`), or one of the conditions on both
(`require to in neighbours(from)`), which may have a way out that speaks of neither.
"""

from __future__ import annotations

from rulelang.engine.values import lowest_of
from rulelang.model.game import Clause
from rulelang.model.ir import TRUE, E
from rulelang.model.types import SetOf, Type, size_of
from rulelang.native.closures import written_out
from rulelang.native.emitter import Emitter
from rulelang.native.families import relation
from rulelang.native.inline import replaced
from rulelang.native.kinds import Way, by_kind
from rulelang.native.pairs import MOST_DISTANCES, Pairs
from rulelang.native.rows import Rows
from rulelang.native.storage import Store
from rulelang.native.text import Fn

MOST_VALUES = 128
Ways = tuple[Store | None, tuple[tuple[Way, ...], ...]]


def pairs_of(x: Emitter, clauses: list[Clause], ensures: list[Clause]) -> Pairs | Rows | None:
    """The pair that an action chooses, if its sets can be written. `clauses`: without the effects, in the order in which
    they are asked."""
    if not x.passes.pairs or ensures or any(c.kind not in ("choose", "require") or c.optional for c in clauses):
        return None
    choices = [c for c in clauses if c.kind == "choose"]
    if len(choices) != 2 or any(c.domain is None for c in choices):
        return None
    found = _made(x, clauses, *choices)
    return found if found is not None and found.write(x, Fn(), "tried") else None


def _made(x: Emitter, clauses: list[Clause], first: Clause, second: Clause) -> Pairs | Rows | None:
    assert first.domain is not None and second.domain is not None
    one = first.domain.type
    if not isinstance(one, SetOf) or one != second.domain.type or size_of(one.of) > MOST_VALUES \
            or lowest_of(one.of) != 0 or not x.total(first.domain):
        return None
    domain, about = _parts(x, second, one.of)
    early: list[E] = []
    about_first = [first.where or TRUE]
    for clause in clauses:
        if clause.kind == "require":
            assert clause.value is not None
            free = x.facts(clause.value).free
            (about if second.slot in free else about_first if first.slot in free else early).append(clause.value)
    loose: E | None = None
    ways = _ways(x, domain, first, one.of)
    if ways is None:
        related = _related(x, about, first, second.slot, one.of)
        if related is None:
            return None
        ways, at, loose = related
        about[at] = E("in", TRUE.type, (E("local", one.of, (), second.slot), domain), None, second.place)
    if any(not x.total(e) or x.facts(e).free - {first.slot, second.slot}
           for e in (*early, *about_first, *about, loose or TRUE)):
        return None
    asked = first, second, one.of, tuple(early), tuple(about_first), tuple(about)
    store, cases = ways
    pairs = Pairs(*asked, cases, store)
    if loose is None and pairs.most <= MOST_DISTANCES:
        return pairs
    if store is not None or any(first.slot in x.facts(e).free for e in about):
        return None
    return Rows(*asked, tuple(_row(way, size_of(one.of)) for case in cases for _, way in case), loose)


def _row(way: tuple[tuple[int, int], ...], size: int) -> tuple[int, ...]:
    """What is related to each value, of a relation by distances."""
    return tuple(sum(1 << c + d for d, source in way if source >> c & 1) for c in range(size))


def _parts(x: Emitter, second: Clause, of: Type) -> tuple[E, list[E]]:
    """What the second is chosen from, and the conditions on it."""
    assert second.domain is not None
    domain, it = written_out(x, second.domain), E("local", of, (), second.slot)
    about = [second.where or TRUE]
    while domain.op in ("both", "without") or (domain.op == "where" and not x.c.constant(domain.args[0])[0]):
        if domain.op == "where":
            inside = replaced(domain.args[1], {domain.data: it})
        else:
            inside = E("in", TRUE.type, (it, domain.args[1]), None, second.place)
        about.append(E("not", TRUE.type, (inside,), None, second.place) if domain.op == "without" else inside)
        domain = written_out(x, domain.args[0])
    return domain, about


def _ways(x: Emitter, domain: E, first: Clause, of: Type) -> Ways | None:
    """The relation between the first and the members of a set, by seat and by kind."""
    plans = relation(x, domain, first.slot, of)
    if plans is not None and (plans.slot is None or plans.slot < 0):
        return None, tuple(((None, plan),) for plan in plans.plans)
    return by_kind(x, domain, first, of)


def _related(x: Emitter, about: list[E], first: Clause, second: int, of: Type) -> tuple[Ways, int, E | None] | None:
    """The condition that relates the second to the first: the relation, which one it is, and what makes it loose."""
    for at, e in enumerate(about):
        parts = e.args if e.op == "or" else (e,)
        both = [a for a in parts if {first.slot, second} & x.facts(a).free]
        if len(both) != 1 or both[0].op != "in" or both[0].args[0].op != "local" or both[0].args[0].data != second \
                or second in x.facts(both[0].args[1]).free:
            continue
        ways = _ways(x, written_out(x, both[0].args[1]), first, of)
        if ways is not None:
            others = tuple(a for a in parts if a is not both[0])
            return ways, at, None if not others else others[0] if len(others) == 1 else E("or", e.type, others, None, e.place)
    return None
