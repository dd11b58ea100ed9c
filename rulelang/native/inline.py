"""Defines written out where they are called, so that their parts can be sets, tables, or taken out of loops."""

from __future__ import annotations

from rulelang.model.ir import E
from rulelang.native.emitter import Emitter, is_atom

MOST_NODES = 60


def inlined(x: Emitter, e: E) -> E:
    """The body of the define that is called, with the arguments in the places of its parameters."""
    key = ("inlined", x.key(e))
    known = x._lifted.get(key)
    if known is None:
        define = x.game.defines[e.data]
        known = x._lifted[key] = replaced(x.c.simple(define.body), dict(zip(define.slots, e.args, strict=True)))
    return known


def replaced(e: E, values: dict[int, E]) -> E:
    """An expression with these locals replaced."""
    if e.op == "local":
        return values.get(e.data, e)
    if not e.args:
        return e
    return E(e.op, e.type, tuple(replaced(a, values) for a in e.args), e.data, e.place)


def small(x: Emitter, e: E) -> bool:
    """Whether a call is better written out: its arguments cost nothing, and its body is short."""
    define = x.game.defines[e.data]
    return bool(e.args) and all(is_atom(a) for a in e.args) and _size(define.body, MOST_NODES) > 0


def _size(e: E, left: int) -> int:
    left -= 1
    for a in e.args:
        if left <= 0:
            return 0
        left = _size(a, left)
    return max(left, 0)
