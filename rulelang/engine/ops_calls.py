"""Makers of closures for calls of defines, whose answers are remembered.

A define that costs something is kept by its arguments: for good if it depends on nothing else, else in `Core.memo`
until a variable that it reads is written. One that reads the course of the game (turns, history) is never kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.engine.compiler import Compiler, costly, maker
from rulelang.engine.core import Core, Fn
from rulelang.model.ir import E

_MISSING: Any = object()
_MOST_KEPT = 50_000


@maker("call")
def _call(c: Compiler, e: E) -> Fn:
    define = c.game.defines[e.data]
    if c.coverage is not None:
        count = c.coverage.counter(define.place, f"define {define.name}", "ran")
        return _counted(_call_define(c, e), count)
    return _call_define(c, e)


def _counted(made: Fn, count: Callable[[], None]) -> Fn:
    def counted(rt: Core) -> Any:
        count()
        return made(rt)

    return counted


def _call_define(c: Compiler, e: E) -> Fn:
    define = c.game.defines[e.data]
    args = [c.fn(a) for a in e.args]
    slots = define.slots
    body = c.fn(define.body)
    facts = c.depends.define(e.data)
    if facts.course or not costly(c.simple(define.body)):
        return _plain_call(args, slots, body)
    if facts.static:
        return _static_call(args, slots, body)
    known = c.memory.place_of_define(e.data, facts.reads) if facts.reads else -1
    if known < 0:
        return _plain_call(args, slots, body)
    return _kept_call(args, slots, body, known, facts.me)


def _plain_call(args: list[Fn], slots: tuple[int, ...], body: Fn) -> Fn:
    if not args:
        return body
    if len(args) == 1:
        only, slot = args[0], slots[0]

        def one(rt: Core) -> Any:
            rt.s[slot] = only(rt)
            return body(rt)

        return one

    def several(rt: Core) -> Any:
        values = [arg(rt) for arg in args]
        s = rt.s
        for slot, value in zip(slots, values, strict=True):
            s[slot] = value
        return body(rt)

    return several


def _static_call(args: list[Fn], slots: tuple[int, ...], body: Fn) -> Fn:
    table: dict[Any, Any] = {}

    def static(rt: Core) -> Any:
        values = tuple([arg(rt) for arg in args])
        found = table.get(values, _MISSING)
        if found is _MISSING:
            s = rt.s
            for slot, value in zip(slots, values, strict=True):
                s[slot] = value
            if len(table) > _MOST_KEPT:
                table.clear()
            found = table[values] = body(rt)
        return found

    return static


def _kept_call(args: list[Fn], slots: tuple[int, ...], body: Fn, place: int, with_me: bool) -> Fn:
    """A call whose answers are remembered at a place of the core's memo."""
    if not args and not with_me:
        def alone(rt: Core) -> Any:
            known = rt.memo[place]
            if known is None:
                known = rt.memo[place] = (body(rt),)
            return known[0]

        return alone
    if not args:
        def none(rt: Core) -> Any:
            known = rt.memo[place]
            if known is None:
                known = rt.memo[place] = {}
            found = known.get(rt.me, _MISSING)
            if found is _MISSING:
                found = known[rt.me] = body(rt)
            return found

        return none
    if len(args) == 1 and not with_me:
        only, slot = args[0], slots[0]

        def one(rt: Core) -> Any:
            x = only(rt)
            known = rt.memo[place]
            if known is None:
                known = rt.memo[place] = {}
            found = known.get(x, _MISSING)
            if found is _MISSING:
                rt.s[slot] = x
                found = known[x] = body(rt)
            return found

        return one

    if len(args) == 2:
        one_of, two_of = args
        slot_one, slot_two = slots

        def two(rt: Core) -> Any:
            x, y = one_of(rt), two_of(rt)
            known = rt.memo[place]
            if known is None:
                known = rt.memo[place] = {}
            key = (rt.me, x, y) if with_me else (x, y)
            found = known.get(key, _MISSING)
            if found is _MISSING:
                s = rt.s
                s[slot_one] = x
                s[slot_two] = y
                found = known[key] = body(rt)
            return found

        return two

    def several(rt: Core) -> Any:
        values = [arg(rt) for arg in args]
        key = (rt.me, *values) if with_me else tuple(values)
        known = rt.memo[place]
        if known is None:
            known = rt.memo[place] = {}
        found = known.get(key, _MISSING)
        if found is _MISSING:
            s = rt.s
            for slot, value in zip(slots, values, strict=True):
                s[slot] = value
            found = known[key] = body(rt)
        return found

    return several
