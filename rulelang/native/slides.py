"""Slides of a whole set: from which cells a slide comes to something, for all cells at once.

`some e in slide(c, ways, free) has P(e)` is answered for every c together: in each direction the cells one step before
a goal, then those one step before these over free cells, and so on to the length of the board. `far`: the goal must
not be the very next cell (`between(c, e) is not empty`).
"""

from __future__ import annotations

from rulelang.model.ir import TRUE, E
from rulelang.model.types import SetOf, Type, bits, size_of
from rulelang.native.closures import written_out
from rulelang.native.emitter import Emitter
from rulelang.native.families import Plan, Plans, spread
from rulelang.native.shapes import SetShape, set_shape
from rulelang.native.text import Fn


def slide_back(x: Emitter, fn: Fn, e: E, slot: int, of: Type) -> str | None:
    """The values of a local for which a condition about a slide from it holds, or None if it is another condition."""
    if not x.passes.slides:
        return None
    shape = SetShape(size_of(of))
    if e.op in ("some", "no", "every"):
        from rulelang.native.sequences import conjunction, negation

        domain, where, condition = e.args
        asked = conjunction(where, negation(condition) if e.op == "every" else condition)
        found = _found(x, fn, domain, asked, e.data, None, slot, of)
        return found if found is None or e.op == "some" else shape.inverse(found)
    if e.op == "meets":
        for one, other in (e.args, e.args[::-1]):
            if slot not in x.facts(other).free and isinstance(other.type, SetOf):
                found = _found(x, fn, one, TRUE, -1, other, slot, of)
                if found is not None:
                    return found
    return None


def _found(x: Emitter, fn: Fn, domain: E, asked: E, inner: int, goal: E | None, slot: int, of: Type) -> str | None:
    from rulelang.native.masks import mask

    extra: list[tuple[str, E]] = []
    domain = written_out(x, domain)
    while domain.op in ("both", "without"):
        if slot in x.facts(domain.args[1]).free:
            return None
        extra.append((domain.op, domain.args[1]))
        domain = written_out(x, domain.args[0])
    if domain.op != "slide" or not isinstance(domain.type, SetOf) or size_of(domain.type.of) != size_of(of):
        return None
    start, ways, free = domain.args
    fixed, chosen = x.c.constant(ways)
    if start.op != "local" or start.data != slot or not fixed or slot in x.facts(free).free or not x.total(free):
        return None
    about, pairs = TRUE, []
    from rulelang.native.sequences import conjunction

    for part in _parts(x, asked):
        if slot not in x.facts(part).free:
            about = conjunction(about, part)
        elif x.static(part) and x.facts(part).free <= {slot, inner} and not x.facts(part).me:
            pairs.append(part)
        else:
            return None
    far = _far(x, pairs, slot, inner, of, int(chosen))
    if far is None:
        return None
    shape = SetShape(size_of(of))
    wanted = mask(x, fn, about, inner, domain.type.of) if inner >= 0 else shape.const(shape.every)
    if wanted is None:
        return None
    if goal is not None:
        wanted = x.value(fn, goal)
    for how, other in extra:
        value = x.value(fn, other)
        wanted = shape.both(wanted, value) if how == "both" else shape.without(wanted, value)
    wanted = fn.atom(shape.ctype, shape.both(wanted, shape.const(shape.every)))
    over = fn.atom(shape.ctype, x.value(fn, free))
    found = ""
    for d in bits(int(chosen) & x.c.board.board.all_directions):
        name = _along(x, shape, d)
        one = f"{name}({wanted}, {over}, {int(far)})"
        found = shape.union(found, one) if found else one
    return fn.keep(shape.ctype, found, "m") if found else shape.zero


def _parts(x: Emitter, e: E) -> list[E]:
    e = written_out(x, e)
    if e.op == "and":
        return [part for a in e.args for part in _parts(x, a)]
    return [] if x.c.constant(e) == (True, True) else [e]


def _far(x: Emitter, pairs: list[E], slot: int, inner: int, of: Type, ways: int) -> bool | None:
    """Whether what is said of start and goal together is that they are not neighbours; None if it is anything else."""
    if not pairs:
        return False
    board = x.c.board
    for part in pairs:
        answers = x._all_values(part, [(slot, of), (inner, of)])
        if answers is None:
            return None
        size = size_of(of)
        for d in bits(ways & board.board.all_directions):
            for c, line in enumerate(board.rays[d]):
                for n, goal in enumerate(line):
                    if bool(answers[c * size + goal]) != (n > 0):
                        return None
    return True


def _along(x: Emitter, shape: SetShape, d: int) -> str:
    """The C function that moves goals back along a direction over free cells."""
    name = f"along_{d}"
    if name in x.types:
        return name
    x.set_type(shape)
    board = x.c.board
    sources: dict[int, int] = {}
    for cell, goal in enumerate(board.neighbour[d]):
        if goal >= 0:
            sources[goal - cell] = sources.get(goal - cell, 0) | 1 << cell
    plan: Plan = tuple(sorted(sources.items()))
    most = max((len(line) for line in board.rays[d]), default=0)
    inner = Fn()
    first = spread(inner, shape, "goal", Plans((plan,)), back=True)
    more = spread(inner, shape, "y", Plans((plan,)), back=True)
    kind = shape.ctype
    x.types[name] = (
        f"INL {kind} {name}({kind} goal, {kind} free, int far) {{\n  {kind} x = {first}, y;\n"
        f"  _Pragma(\"GCC unroll 8\") for (int i = 0; i < {max(0, most - 2)}; i++) "
        f"{{ y = {shape.both('x', 'free')}; x = {shape.union('x', more)}; }}\n"
        f"  y = {shape.both('x', 'free')};\n  return far ? {more} : {shape.union('x', more)};\n}}")
    return name


__all__ = ["set_shape", "slide_back"]
