"""Groups all at once: what a linked group is next to, for every group of a set in one flood.

`neighbours(reach(d, S)) meets T` asks of a cell d whether its group within S touches T. All cells of S whose group does
are found together: those of S next to T, and all that is linked to these through S. So a condition on each cell's
group becomes one flood for all cells, and nothing is searched cell by cell. S is a set that does not speak of d (and
holds all that are asked), or all cells that hold the same value as d in a layer. Where those that are asked are whole
groups already (`reach(…, stones(opponent))`), the flood stays within them.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulelang.model.ir import E
from rulelang.model.types import SetOf, Type, size_of
from rulelang.native.boards import flood
from rulelang.native.emitter import Emitter
from rulelang.native.inline import inlined
from rulelang.native.shapes import SetShape, set_shape
from rulelang.native.storage import Store
from rulelang.native.text import Fn


@dataclass(frozen=True, slots=True)
class _Asked:
    """`neighbours(reach(d, through)) meets goal` (outside: something of them is not in `goal`)."""

    through: E
    goal: E
    outside: bool
    wanted: bool


def closure(x: Emitter, fn: Fn, e: E, slot: int, of: Type, domain: E, held: str) -> str | None:
    """The set of those of a domain (in C: `held`) that meet such a condition, or None."""
    if not x.passes.closures or not isinstance(domain.type, SetOf):
        return None
    asked = _matched(x, e, slot)
    if asked is None or slot in x.facts(asked.goal).free or not x.total(asked.goal):
        return None
    shape = SetShape(size_of(of))
    if set_shape(asked.goal.type).words != shape.words:
        return None
    layer = _same_value(x, asked.through, slot)
    if layer is None:
        through = asked.through
        if slot in x.facts(through).free or not x.total(through) or x.key(x.c.simple(domain)) != x.key(through):
            return None
        found = _touching(x, fn, shape, x.value(fn, through), _goal(x, fn, shape, asked))
    else:
        whole = x.value(fn, domain) if _whole_groups(x, domain, layer) else ""
        found = _by_value(x, fn, shape, layer, asked, held, whole, e)
    return found if asked.wanted else shape.inverse(found)


def _whole_groups(x: Emitter, domain: E, layer: Store) -> bool:
    """Whether a set is made of whole groups of cells with one value in a layer."""
    domain = written_out(x, domain)
    if domain.op != "reach":
        return False
    through = written_out(x, domain.args[1])
    if through.op != "where" or not x.c.constant(through.args[0])[0]:
        return False
    condition = x.c.simple(through.args[1])
    if condition.op != "eq" or x.c.constant(through.args[0])[1] != (1 << layer.field.length) - 1:
        return False
    for one, other in (condition.args, condition.args[::-1]):
        if one.op == "get" and one.data == layer.number and len(one.args) == 1 and one.args[0].op == "local" \
                and one.args[0].data == through.data and through.data not in x.facts(other).free:
            return True
    return False


def _goal(x: Emitter, fn: Fn, shape: SetShape, asked: _Asked) -> str:
    goal = x.value(fn, asked.goal)
    if asked.outside:
        goal = shape.both(shape.inverse(goal), shape.const(shape.every))
    return fn.atom(shape.ctype, goal)


def _touching(x: Emitter, fn: Fn, shape: SetShape, through: str, goal: str) -> str:
    flood(x, shape)
    near = shape.both(f"linked({shape.without(goal, through)})", through)
    return fn.keep(shape.ctype, f"reach({near}, {through})", "m")


def _by_value(x: Emitter, fn: Fn, shape: SetShape, layer: Store, asked: _Asked, held: str, whole: str,
              e: E) -> str:
    """One flood for each value that a cell of the domain holds; within `whole`, if that is made of whole groups."""
    flood(x, shape)
    goal = _goal(x, fn, shape, asked)
    held = fn.atom(shape.ctype, held)
    found = fn.name("m")
    fn.line(f"{shape.ctype} {found} = {shape.zero};")
    for value in range(layer.values):
        board = f"{fn.state}->{layer.name}_is[{value}]"
        inside = fn.keep(shape.ctype, shape.both(whole, board)) if whole else board
        near = shape.both(f"linked({shape.without(goal, board)})", inside)
        fn.line(f"if ({shape.some(shape.both(held, board))}) {found} = {shape.union(found, f'reach({near}, {inside})')};")
    if layer.maybe:
        board = f"{fn.state}->{layer.name}_is[{layer.values}]"
        number = x.fault(e.place, "nothing-there", "need")
        fn.line(f"if (unlikely({shape.some(shape.both(held, board))})) fail(g, {number}, 0);")
    return found


def _matched(x: Emitter, e: E, slot: int) -> _Asked | None:
    e = written_out(x, e)
    if e.op == "not":
        inner = _matched(x, e.args[0], slot)
        return None if inner is None else _Asked(inner.through, inner.goal, inner.outside, not inner.wanted)
    if e.op == "meets":
        for one, other in (e.args, e.args[::-1]):
            through = _group(x, one, slot)
            if through is not None:
                return _Asked(through, other, False, True)
    if e.op == "within":
        through = _group(x, e.args[0], slot)
        if through is not None:
            return _Asked(through, e.args[1], True, False)
    return None


def _group(x: Emitter, e: E, slot: int) -> E | None:
    """The set through which a local's group is linked, of `neighbours(reach(local, set))`."""
    e = written_out(x, e)
    if e.op != "neighbours":
        return None
    inner = written_out(x, e.args[0])
    if inner.op != "reach":
        return None
    start = x.c.simple(inner.args[0])
    if start.op != "one" or start.args[0].op != "local" or start.args[0].data != slot:
        return None
    return written_out(x, inner.args[1]) if slot in x.facts(inner.args[1]).free else x.c.simple(inner.args[1])


def _same_value(x: Emitter, e: E, slot: int) -> Store | None:
    """The layer, if a set is all cells with the value that a local's cell holds in it."""
    e = written_out(x, e)
    if e.op != "where" or slot not in x.facts(e).free:
        return None
    fixed, whole = x.c.constant(e.args[0])
    condition = x.c.simple(e.args[1])
    if not fixed or condition.op != "eq" or whole != (1 << set_shape(e.args[0].type).size) - 1:
        return None
    for one, other in (condition.args, condition.args[::-1]):
        one, other = _look(one), _look(other)
        if one.op == other.op == "get" and one.data == other.data and len(one.args) == 1 and len(other.args) == 1:
            store = x.stores[one.data]
            ends = one.args[0].op == other.args[0].op == "local"
            if ends and one.args[0].data == e.data and other.args[0].data == slot and store.boards and not store.parts \
                    and store.array:
                found: Store = store
                return found
    return None


def _look(e: E) -> E:
    """What is looked up, without the test that it is there."""
    while e.op in ("need", "recode") and len(e.args) == 1 and e.data is None:
        e = e.args[0]
    return e


def written_out(x: Emitter, e: E) -> E:
    """An expression, with a define that it calls written out."""
    e = x.c.simple(e)
    while e.op == "call":
        e = x.c.simple(inlined(x, e))
    return e
