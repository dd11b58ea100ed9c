"""Numbers above a bound: where they are, as sets that are kept.

`men[p, c] > 0` asks one entry after another of an array. For each bound that rules compare a variable of numbers with, a
set of its entries is kept in step with the array (one bit changes with an assignment), so that the condition is algebra
on sets, as it is for layers of few values.

The entry is often not asked for by the local itself but by something static in it: `men[me, point(me, n)]`, where a point
is counted from either end of the track. All values of the index are worked out when the C text is made; if it goes up or
down by one with the local, for every value of the other locals in it, the set over the local is the window of the
set over the entries, moved, and turned round where the index goes down.

An index may be a fault for some values of the local (`n - d` for d at least n). It is asked for in the set only if the
conditions before it, where they are static, leave these values out (`sound`).
"""

from __future__ import annotations

from rulelang.engine.values import indexer
from rulelang.model.ir import E
from rulelang.model.types import SWITCH, Maybe, Number, Type, size_of
from rulelang.native.emitter import Emitter
from rulelang.native.shapes import SetShape, index_text
from rulelang.native.text import Fn

FEWEST = 8                   # of fewer entries a loop costs less than keeping a set
MOST_COMBINATIONS = 8192
_FAULTS = ("need", "fit", "cell_of")
_TURNED = {"gt": "lt", "lt": "gt", "ge": "le", "le": "ge", "eq": "eq", "ne": "ne"}


def never_faults(x: Emitter, e: E, given: tuple[E, ...]) -> bool:
    """Whether a static expression is no fault for any values of its locals that meet the static conditions given."""
    key = ("faultless", x.key(e), tuple(map(x.key, given)))
    known = x._static.get(key)
    if known is None:
        known = x._static[key] = "yes" if _tried(x, e, given) else "no"
    return known == "yes"


def _tried(x: Emitter, e: E, given: tuple[E, ...]) -> bool:
    free = x.facts(e).free
    asked = [g for g in given if x.facts(g).free & free]
    if asked:
        condition = asked[0] if len(asked) == 1 else E("and", SWITCH, tuple(asked))
        e = E("if", e.type, (condition, e, E("const", e.type, (), 0)))
    variables = _variables(x, e)
    if variables is None:
        return False
    faults: list[object] = []
    values = x._all_values(e, variables, faults)  # type: ignore[arg-type]
    return values is not None and not faults


def _variables(x: Emitter, e: E) -> list[tuple[int, Type]] | None:
    """The locals that a static expression reads, the acting seat among them; None if they have too many values."""
    from rulelang.engine.compiler import free_locals
    from rulelang.model.types import is_scalar

    kinds = free_locals(x.c, e)
    if not all(is_scalar(kind) for kind in kinds.values()):
        return None
    variables = sorted(kinds.items())
    if x.facts(e).me:
        variables.insert(0, (-1, Number(0, x.machine.seats - 1)))
    combinations = 1
    for _, kind in variables:
        combinations *= size_of(kind)
    return variables if combinations <= MOST_COMBINATIONS else None


def sound(x: Emitter, e: E, given: tuple[E, ...]) -> bool:
    """Whether an expression is no fault where these static conditions hold."""
    e = x.c.simple(e)
    if x.total(e):
        return True
    if e.op in _FAULTS:
        return x.static(e) and never_faults(x, e, given)
    if e.op == "call":
        from rulelang.native.inline import inlined

        return sound(x, inlined(x, e), given)
    if e.op == "get":
        from rulelang.native.emitter import inside

        kinds = x.machine.fields[e.data].index_types
        if not all(inside(kind, a) for kind, a in zip(kinds, e.args, strict=True)):
            return False
    elif e.op not in ("and", "or", "not", "if", "eq", "ne", "lt", "le", "gt", "ge"):
        return False
    return all(sound(x, a, given) for a in e.args)


def static_parts(x: Emitter, e: E) -> list[E]:
    """The parts of a conjunction that are static."""
    e = x.c.simple(e)
    if e.op == "and":
        return [part for a in e.args for part in static_parts(x, a)]
    return [e] if x.static(e) and x.total(e) and e.op != "const" else []


def where_bounded(x: Emitter, fn: Fn, e: E, slot: int, of: Type) -> str | None:
    """The set of the values for which an entry, of which the local is part of the index, is above or below a number."""
    if not x.passes.bounds or e.op not in _TURNED:
        return None
    for about, other, op in ((e.args[0], e.args[1], e.op), (e.args[1], e.args[0], _TURNED[e.op])):
        about = x.c.simple(about)
        fixed, value = x.c.constant(other)
        if fixed and value is not None and about.op == "get" and about.args and isinstance(about.type, Number):
            return _window(x, fn, about, op, int(value), slot, of)
    return None


def _window(x: Emitter, fn: Fn, about: E, op: str, value: int, slot: int, of: Type) -> str | None:
    store, at = x.stores[about.data], x.machine.fields[about.data]
    *outer, last = about.args
    if store.boards or isinstance(store.kind, Maybe) or not FEWEST <= at.length <= 128 or size_of(of) > 64 or at.sizes[-1] > 64:
        return None
    if at.strides[-1] != 1 or slot not in x.facts(last).free or any(
            slot in x.facts(a).free or not x.total(a) for a in outer):
        return None
    way = _way(x, last, slot, of, at.index_types[-1])
    if way is None:
        return None
    kind = store.kind
    assert isinstance(kind, Number)
    base = " + ".join(f"({x.index(fn, a, index, at.name)}) * {stride}" for a, index, stride in zip(
        outer, at.index_types, at.strides, strict=False)) or "0"
    every = SetShape(at.sizes[-1]).const((1 << at.sizes[-1]) - 1)

    def over(bound: int) -> str:
        if bound < kind.low:
            return every
        if bound >= kind.high:
            return "0ull"
        store.bounds.add(bound)
        return f"((u64)({fn.state}->{store.over(bound)} >> ({base})) & {every})"

    above, here = over(value), over(value - 1)
    held = {"gt": above, "ge": here, "le": f"(~{above} & {every})", "lt": f"(~{here} & {every})",
            "eq": f"({here} & ~{above})", "ne": f"((~{here} | {above}) & {every})"}[op]
    variables, shifts, turned = way
    held = fn.atom("u64", held)
    if any(turned):
        held = f"u64_turned({held}, {_look(x, fn, variables, turned)})"
    moved = _look(x, fn, variables, shifts)
    return f"(u64_moved({held}, {moved}) & {SetShape(size_of(of)).const((1 << size_of(of)) - 1)})"


def _look(x: Emitter, fn: Fn, variables: list[tuple[int, Type]], values: tuple[int, ...]) -> str:
    """A look into a table over locals, without those that make no difference."""
    kept = list(variables)
    for one in variables:
        at, size = kept.index(one), size_of(one[1])
        after = 1
        for _, kind in kept[at + 1:]:
            after *= size_of(kind)
        rows = [[values[i + n * after] for n in range(size)] for i in range(len(values)) if i // after % size == 0]
        if all(len(set(row)) == 1 for row in rows):
            values = tuple(row[0] for row in rows)
            kept.remove(one)
    place = ""
    for local, index in kept:
        name = fn.me if local < 0 else x.local(fn, E("local", index, (), local))
        text = index_text(index, fn.atom("num", name))
        place = f"({place}) * {size_of(index)} + {text}" if place else text
    return f"{x.static_list_of_numbers(values)}[{place}]" if kept else str(values[0])


def _way(x: Emitter, index: E, slot: int, of: Type, kind: Type) -> tuple[
        list[tuple[int, Type]], tuple[int, ...], tuple[int, ...]] | None:
    """How an index goes with a local: the other locals in it, and for each of their values by how much a set over the
    index is moved to be one over the local, and whether it is turned round before."""
    if not x.static(index):
        return None
    variables = _variables(x, index)
    if variables is None:
        return None
    others = [v for v in variables if v[0] != slot]
    faults: list[tuple[int, object]] = []
    values = x._all_values(index, [*others, (slot, of)], faults)  # type: ignore[arg-type]
    if values is None:
        return None
    missing, number, size = {n for n, _ in faults}, indexer(kind), size_of(of)
    rows: list[tuple[set[int], set[int]]] = []
    for row in range(0, len(values), size):
        found = {i: number(values[row + i]) for i in range(size) if row + i not in missing and values[row + i] is not None}
        if len(found) + len([i for i in range(size) if row + i in missing]) < size:
            return None
        rows.append(({i - n for i, n in found.items()}, {i + n for i, n in found.items()}))
        if min(map(len, rows[-1])) > 1:
            return None
    shifts, turned, last = [], [], 0
    for up, down in reversed(rows):                  # where there is one value at most it goes as the next ones do
        last = last if len(up) == len(down) else int(len(down) == 1)
        turned.append(last)
        shifts.append(max(down, default=0) - 63 if last else max(up, default=0))
        if abs(shifts[-1]) > 63:
            return None
    return others, tuple(reversed(shifts)), tuple(reversed(turned))
