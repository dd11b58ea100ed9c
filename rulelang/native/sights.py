"""Sights: what stands between a cell and all others, at once.

`not between(from, to) meets taken` asks for each goal whether the way to it is open. From a fixed cell the goals whose
way is not open are, in each direction, all that lie behind the first taken cell, which is one bit trick on the ray. Only
the directions in which goals are looked for (`to in ray(from, orthogonal)`) are looked along.
"""

from __future__ import annotations

from rulelang.boards.board import mask_of
from rulelang.model.ir import E
from rulelang.model.types import SetOf, Type, size_of
from rulelang.native.closures import written_out
from rulelang.native.emitter import Emitter
from rulelang.native.shapes import SetShape, may_be_none
from rulelang.native.text import Fn


def hidden(x: Emitter, fn: Fn, e: E, slot: int, of: Type) -> str | None:
    """`between(a, c) meets S`, of a local c: the cells to which the way from a is not open; None if it is another
    condition."""
    if not x.passes.sights or e.op != "meets":
        return None
    for one, other in (e.args, e.args[::-1]):
        one = x.c.simple(one)
        if one.op != "between" or slot in x.facts(other).free or not isinstance(other.type, SetOf):
            continue
        for start, goal in (one.args, one.args[::-1]):
            if goal.op == "local" and goal.data == slot and slot not in x.facts(start).free and not may_be_none(start.type) \
                    and size_of(start.type) == size_of(of) == size_of(other.type.of) == len(x.c.board.board):
                return _behind(x, fn, start, other, of)
    return None


def _behind(x: Emitter, fn: Fn, start: E, over: E, of: Type) -> str | None:
    shape = SetShape(size_of(of))
    if not _plain(x):
        return None
    ways = [d for d in range(len(x.c.board.rays)) if _looked_along(x, fn, start, d)]
    cell, held = fn.atom("num", x.value(fn, start)), fn.atom(shape.ctype, x.value(fn, over))
    found = ""
    for d in ways:
        one = f"{_function(x, shape, d)}({cell}, {held})"
        found = shape.union(found, one) if found else one
    return fn.keep(shape.ctype, found, "m") if found else shape.zero


def _plain(x: Emitter) -> bool:
    """Whether rays run up or down, and what is between two cells is the way along the one ray that joins them."""
    if "sights" not in x._static:
        board = x.c.board
        cells = range(len(board.board))
        joined: dict[tuple[int, int], int] = {}
        plain = True
        for lines in board.rays:
            rising = [list(line) == sorted(set(line)) and (not line or line[0] > c) for c, line in enumerate(lines)]
            falling = [list(line) == sorted(set(line), reverse=True) and (not line or line[0] < c) for c, line in enumerate(lines)]
            plain = plain and (all(rising) or all(falling))
            for c, line in enumerate(lines):
                for n, goal in enumerate(line):
                    plain = plain and (c, goal) not in joined
                    joined[c, goal] = mask_of(line[:n])
        plain = plain and all(board.between(a, b) == joined.get((a, b), 0) for a in cells for b in cells)
        x._static["sights"] = str(int(plain))
    return x._static["sights"] == "1"


def _looked_along(x: Emitter, fn: Fn, start: E, d: int) -> bool:
    """Whether any goal is looked for in a direction, by the domain of the goals where it is static."""
    lines = x.c.board.rays[d]
    if not any(lines):
        return False
    if fn.goals is None or start.op != "local":
        return True
    domain = written_out(x, fn.goals)
    while domain.op in ("both", "without", "where"):
        domain = written_out(x, domain.args[0])
    facts = x.facts(domain)
    if not x.static(domain) or facts.me or facts.free != {start.data}:
        return True
    goals = x._all_values(domain, [(start.data, start.type)])
    return goals is None or any(goals[c] & mask_of(line) for c, line in enumerate(lines))


def _function(x: Emitter, shape: SetShape, d: int) -> str:
    """The C function that gives what lies behind the first cell of a set on a ray."""
    name = f"behind_{d}"
    if name not in x.types:
        lines = x.c.board.rays[d]
        x.set_type(shape)
        rising = all(line[0] > c for c, line in enumerate(lines) if line)
        text = ", ".join(shape.initial(mask_of(line)) for line in lines)
        end = f"{shape.ctype}_{'upto' if rising else 'downto'}"
        x.types[name] = (
            f"static const {shape.ctype} sight_{d}[{len(lines)}] = {{{text}}};\n"
            f"INL {shape.ctype} {name}(int c, {shape.ctype} over) {{ const {shape.ctype} r = sight_{d}[c]; "
            f"return {shape.without('r', end + '(' + shape.both('r', 'over') + ')')}; }}")
    return name


__all__ = ["hidden"]
