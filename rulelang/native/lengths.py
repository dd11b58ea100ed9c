"""The most values that a list, a bag or a loop can have, which C must know beforehand."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from rulelang.boards.shapes import placements
from rulelang.model.game import Clause
from rulelang.model.ir import E, S
from rulelang.model.types import BagOf, DeckOf, Line, SetOf, Type, size_of
from rulelang.native.emitter import Emitter
from rulelang.native.shapes import MOST_IN_BAG, Declined
from rulelang.source.diagnostic import Place


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
        return max(1, most_held(x, e))
    return cap(x, e)


def most_held(x: Emitter, e: E) -> int:
    """The most things that a bag can hold in all. Its type may say less, where the bag has yet to be tested."""
    fixed, value = x.c.constant(e)
    if fixed:
        return sum(value)
    match e.op:
        case "get":
            kind = x.machine.fields[e.data].type
            return kind.most if isinstance(kind, BagOf) else 1
        case "local":
            if not x.bound:
                x.bound = _bound(x)
            return max((most_held(x, one) for one in x.bound.get(e.data, ())), default=_most_of(e.type))
        case "call":
            return most_held(x, x.game.defines[e.data].body)
        case "if":
            return max(most_held(x, e.args[1]), most_held(x, e.args[2]))
        case "plus":
            return most_held(x, e.args[0]) + most_held(x, e.args[1])
        case "minus":
            return most_held(x, e.args[0])
        case "bag_both":
            return min(most_held(x, e.args[0]), most_held(x, e.args[1]))
        case "copies":
            return max(0, getattr(e.args[0].type, "high", 0))
        case "bag_of" | "one_bag":
            return len(e.args)
        case "as_bag" | "list_bag":
            return size_of_domain(x, e.args[0])
    return _most_of(e.type)


def roomy(x: Emitter, e: E) -> None:
    """Decline a bag that may hold more than its counts have room for."""
    if most_held(x, e) > MOST_IN_BAG:
        raise Declined(f"a bag may come to more than {MOST_IN_BAG:,} things in line {e.place.line}")


def _most_of(kind: Type) -> int:
    return kind.most if isinstance(kind, BagOf) else 1


def _bound(x: Emitter) -> dict[int, list[E]]:
    """All bags that locals may stand for."""
    found: dict[int, list[E]] = defaultdict(list)
    seen: set[int] = set()
    game = x.game

    def bind(slot: int, value: E | None) -> None:
        if value is not None and isinstance(value.type, BagOf):
            found[slot].append(value)

    def walk(part: Any) -> None:
        if isinstance(part, E):
            if id(part) in seen:
                return
            seen.add(id(part))
        if isinstance(part, E) and part.op == "call":
            for slot, value in zip(game.defines[part.data].slots, part.args, strict=True):
                bind(slot, value)
        elif isinstance(part, S) and part.op == "let":
            bind(part.data, part.args[0])
        elif isinstance(part, S) and part.op == "step":
            for slot, value in zip(game.steps[part.data].slots, part.args, strict=True):
                bind(slot, value)
        elif isinstance(part, Clause) and part.kind in ("let", "choose_some"):
            bind(part.slot, part.value if part.kind == "let" else part.domain)
        if isinstance(part, (tuple, list)):
            for one in part:
                walk(one)
        elif hasattr(part, "__dataclass_fields__") and not isinstance(part, (Type, Place)):
            for name in part.__dataclass_fields__:
                walk(getattr(part, name))

    for part in (game, x.machine.nodes):
        walk(part)
    return found
