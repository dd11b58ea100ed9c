"""The most values that a list or a loop can have, which C must know beforehand."""

from __future__ import annotations

from rulelang.boards.shapes import placements
from rulelang.model.ir import E
from rulelang.model.types import BagOf, DeckOf, Line, SetOf, size_of
from rulelang.native.emitter import Emitter
from rulelang.native.shapes import Declined


def cap(x: Emitter, e: E) -> int:
    """The most values that a list can have."""
    e = x.c.simple(e)
    kind = e.type
    fixed, value = x.c.constant(e)
    if fixed:
        return max(1, len(value))
    if ("cap", x.key(e)) in x._static:
        return int(x._static["cap", x.key(e)])
    if x.static(e) and e.op != "placements" and x.table_of(e) is not None:
        return int(x._static["cap", x.key(e)])
    match e.op:
        case "local" if e.data in x.caps:
            return x.caps[e.data]
        case "placements":
            return max(1, *(len(placed) for placed in placed_shapes(x)))
        case "for" | "where" | "bag_list":
            return size_of_domain(x, e.args[0])
        case "join_lists" | "deck_plus":
            return cap(x, e.args[0]) + cap(x, e.args[1])
        case "if":
            return max(cap(x, e.args[1]), cap(x, e.args[2]))
        case "call":
            return cap(x, x.game.defines[e.data].body)
        case "need":
            return cap(x, e.args[0])
    if isinstance(kind, Line):
        return len(x.c.board.board)
    if isinstance(kind, DeckOf):
        return max(1, kind.most)
    raise Declined(f"a list without a known length comes of `{e.op}`")


def placed_shapes(x: Emitter) -> list[tuple[int, ...]]:
    """The sets that each shape can cover."""
    return [placements(x.c.board.board, cells) for cells in x.game.shapes.values()]


def size_of_domain(x: Emitter, e: E) -> int:
    """The most values that a loop can go through."""
    if isinstance(e.type, SetOf):
        return size_of(e.type.of)
    if isinstance(e.type, BagOf):
        return max(1, e.type.most)
    return cap(x, e)
