"""Makers of closures for statements. A statement's closure gives True when it leaves the block by an exit.

Chance and judges are not here: blocks with them are split into nodes, which `engine.flow` runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.engine.compiler import Compiler
from rulelang.engine.core import NEXT, Core, Fn
from rulelang.engine.events import note
from rulelang.engine.faults import fault
from rulelang.engine.ops_collections import walk
from rulelang.engine.ops_state import entry_fn
from rulelang.engine.placing import NOT_THERE, putter, taker
from rulelang.engine.values import all_values, contains, fits, is_container, values_in
from rulelang.machine.facts import Dependence
from rulelang.machine.layout import Field
from rulelang.model.game import Block
from rulelang.model.ir import TRUE, E, S, Target, Text
from rulelang.model.types import BagOf, DeckOf, Maybe, Type, describe, show
from rulelang.source.diagnostic import Place

Act = Callable[[Core], Any]
MOST_WORK = 1_000_000


class Effects:
    """Makes closures for the blocks of one machine."""

    def __init__(self, compiler: Compiler) -> None:
        self.c = compiler
        self._blocks: dict[int, tuple[Block, Act]] = {}
        self._texts: dict[int, tuple[Text, Callable[[Core], str]]] = {}

    def block(self, block: Block) -> Act:
        """The closure that runs statements in order, until one takes an exit."""
        known = self._blocks.get(id(block))
        if known is not None:
            return known[1]
        acts = [self.statement(s) for s in block]
        made = _in_order(acts)
        self._blocks[id(block)] = block, made
        return made

    def statement(self, s: S) -> Act:
        """The closure of one statement."""
        made: Act = getattr(self, f"_{s.op}")(s)
        if self.c.coverage is None:
            return made
        count = self.c.coverage.counter(s.place, s.op.replace("_", " "), "ran")

        def counted(rt: Core) -> Any:
            count()
            return made(rt)

        return counted

    def text(self, text: Text) -> Callable[[Core], str]:
        """The closure of a sentence with values in it."""
        known = self._texts.get(id(text))
        if known is not None:
            return known[1]
        parts: list[Any] = []
        for part in text.parts:
            parts.append((self.c.fn(part), part.type) if isinstance(part, E) else part)

        def made(rt: Core) -> str:
            return "".join(p if isinstance(p, str) else show(p[1], p[0](rt)) for p in parts)

        self._texts[id(text)] = text, made
        return made

    # Values

    def _let(self, s: S) -> Act:
        slot, value = s.data, self.c.fn(s.args[0])

        def let(rt: Core) -> None:
            rt.s[slot] = value(rt)

        return let

    def put_at(self, target: Target) -> Callable[[Core, int, Any], None]:
        """How to set a place of a target's variable: a fault if the value is not of its type."""
        field = self.c.fields[target.var]
        write = self.c.memory.writer(target.var)
        kind, place, name = field.type, target.place, field.name
        told = target.var not in self.c.hidden

        def tested(rt: Core, at: int, value: Any) -> None:
            if not fits(kind, value):
                raise out_of_range(place, name, kind, value, told)
            write(rt, at, value)

        return tested

    def _set(self, s: S) -> Act:
        assert s.target is not None
        target, value = s.target, self.c.fn(s.args[0])
        at = entry_fn(self.c, target.var, target.index)
        kind = self.c.fields[target.var].type
        write = self.c.memory.writer(target.var) if safe(kind, s.args[0]) else self.put_at(target)
        if all(self.c.constant(i)[0] for i in target.index):
            fixed = at(self.c.scratch())

            def set_fixed(rt: Core) -> None:
                write(rt, fixed, value(rt))

            return set_fixed

        def set_(rt: Core) -> None:
            new = value(rt)
            write(rt, at(rt), new)

        return set_

    def _take(self, s: S) -> Act:
        assert s.target is not None
        target, value = s.target, self.c.fn(s.args[0])
        at = entry_fn(self.c, target.var, target.index)
        field = self.c.fields[target.var]
        write = self.c.memory.writer(target.var)
        take, place, name, kind = taker(field.type), s.place, field.name, field.type
        value = _single(s, field, value)
        told = target.var not in self.c.hidden

        def taking(rt: Core) -> None:
            i = at(rt)
            left = take(rt.v[i], value(rt))
            if left is NOT_THERE:
                held = f": {show(kind, rt.v[i])}" if told else ""
                raise fault(place, "not-there", f"what is taken is not all in `{name}`{held}",
                            "ask first: `… in …` of one, `… holds …` of several")
            write(rt, i, left)

        return taking

    def _put(self, s: S) -> Act:
        assert s.target is not None
        target, field = s.target, self.c.fields[s.target.var]
        value = _single(s, field, self.c.fn(s.args[0]))
        at = entry_fn(self.c, target.var, target.index)
        put, write = putter(field.type), self.put_at(target)

        def putting(rt: Core) -> None:
            i = at(rt)
            write(rt, i, put(rt.v[i], value(rt)))

        return putting

    # Order

    def _if(self, s: S) -> Act:
        fixed, chosen = self.c.constant(s.args[0])
        then, otherwise = self.block(s.body), self.block(s.orelse)
        if fixed:
            return then if chosen else otherwise
        asked = self.c.fn(s.args[0])
        if not s.orelse:
            return lambda rt: then(rt) if asked(rt) else None
        return lambda rt: then(rt) if asked(rt) else otherwise(rt)

    def _for(self, s: S) -> Act:
        where = s.args[1] if len(s.args) > 1 else TRUE
        slot, body, place = s.data, self.block(s.body), s.place
        reads = self.c.depends.of(where)
        written = writes(self.c.depends, s.body)
        if not reads.course and not (reads.reads & written):
            values = walk(self.c, s.args[0], where, slot)

            def each(rt: Core) -> Any:
                several = tuple(values(rt))
                rt.work += len(several)
                if rt.work > MOST_WORK:
                    raise too_long(place)
                for x in several:
                    rt.s[slot] = x
                    if body(rt):
                        return True
                return None

            return each
        held, spread, asked = self.c.fn(s.args[0]), values_in(s.args[0].type), self.c.fn(where)

        def each_asked(rt: Core) -> Any:
            several = tuple(spread(held(rt)))
            rt.work += len(several)
            if rt.work > MOST_WORK:
                raise too_long(place)
            for x in several:
                rt.s[slot] = x
                if asked(rt) and body(rt):
                    return True
            return None

        return each_asked

    def _repeat(self, s: S) -> Act:
        amount, body, place = self.c.fn(s.args[0]), self.block(s.body), s.place

        def repeat(rt: Core) -> Any:
            n = amount(rt)
            rt.work += max(0, n)
            if rt.work > MOST_WORK:
                raise too_long(place)
            for _ in range(n):
                if body(rt):
                    return True
            return None

        return repeat

    def _step(self, s: S) -> Act:
        step = self.c.game.steps[s.data]
        args, slots = [self.c.fn(a) for a in s.args], step.slots
        body = self.block(step.body)
        if not args:
            return body

        def take_step(rt: Core) -> Any:
            values = [arg(rt) for arg in args]
            for slot, value in zip(slots, values, strict=True):
                rt.s[slot] = value
            return body(rt)

        return take_step

    # Exits and what takes effect when the block ends

    def _exit(self, kind: str, value: int = -1) -> Act:
        taken = (kind, value)

        def leave(rt: Core) -> bool:
            rt.exit = taken
            return True

        return leave

    def _go(self, s: S) -> Act:
        return self._exit("go", s.data)

    def _again(self, s: S) -> Act:
        return self._exit("again")

    def _end_turn(self, s: S) -> Act:
        return self._exit("end_turn")

    def _end_round(self, s: S) -> Act:
        return self._exit("end_round")

    def _tie(self, s: S) -> Act:
        return self._exit("tie")

    def _finish(self, s: S) -> Act:
        return self._exit("finish")

    def _seat_exit(self, kind: str, s: S) -> Act:
        seat = self.c.fn(s.args[0])

        def leave(rt: Core) -> bool:
            rt.exit = kind, seat(rt)
            return True

        return leave

    def _win(self, s: S) -> Act:
        return self._seat_exit("win", s)

    def _lose(self, s: S) -> Act:
        return self._seat_exit("lose", s)

    def _next_player(self, s: S) -> Act:
        def next_player(rt: Core) -> None:
            rt.pending = NEXT

        return next_player

    def _turn_to(self, s: S) -> Act:
        seat = self.c.fn(s.args[0])

        def turn_to(rt: Core) -> None:
            rt.pending = seat(rt)

        return turn_to

    def _out(self, s: S) -> Act:
        seat = self.c.fn(s.args[0])

        def out(rt: Core) -> None:
            rt.leaving |= 1 << seat(rt)

        return out

    def _says(self, s: S) -> Act:
        text = self.text(s.data)

        def says(rt: Core) -> None:
            if not rt.quiet:
                note(rt, "says", rt.me, text(rt))

        return says


def _in_order(acts: list[Act]) -> Act:
    if not acts:
        return lambda rt: None
    if len(acts) == 1:
        return acts[0]
    if len(acts) == 2:
        one, two = acts
        return lambda rt: one(rt) or two(rt)

    def run(rt: Core) -> Any:
        for act in acts:
            if act(rt):
                return True
        return None

    return run


_COUNTED = frozenset({"add", "sub", "mul", "neg", "div", "mod", "plus", "deck_plus", "join_lists", "copies", "sum"})


def safe(kind: Type, value: E) -> bool:
    """Whether a value can never leave the range of a variable, so that the write need not test it."""
    if value.op == "if":
        return all(safe(kind, part) for part in value.args[1:])
    if value.op == "const":
        return fits(kind, value.data)
    if kind == value.type and value.op in ("get", "local"):
        return True
    return value.op not in _COUNTED and contains(kind, value.type)


def _inner(kind: Type) -> Type:
    return kind.of if isinstance(kind, Maybe) else kind


def writes(depends: Dependence, block: Block) -> set[int]:
    """The variables that a block may write, through steps too."""
    found: set[int] = set()
    for s in block:
        found |= {t.var for t in (s.target, s.source) if t is not None}
        if s.op == "step":
            found |= writes(depends, depends.game.steps[s.data].body)
        found |= writes(depends, s.body) | writes(depends, s.orelse)
    return found


def out_of_range(place: Place, name: str, kind: Type, value: Any, told: bool = True) -> Exception:
    """The fault of a write that its variable cannot hold. What is hidden from somebody is not `told`."""
    inner = _inner(kind)
    if not told:
        return fault(place, "out-of-range", f"a value leaves its range: `{name}` is {describe(kind)}")
    if isinstance(inner, (BagOf, DeckOf)):
        amount = sum(value) if isinstance(inner, BagOf) else len(value)
        return fault(place, "out-of-range",
                     f"a value leaves its range: `{name}` holds at most {inner.most}, not {amount}")
    shown = "none" if value is None else value
    return fault(place, "out-of-range", f"a value leaves its range: `{name}` is {describe(kind)} and cannot be {shown}")


def too_long(place: Place) -> Exception:
    """The fault of a game that does not come to a decision."""
    return fault(place, "never-decides", "the game runs on and never comes to a decision",
                 "look for a loop within a loop, or for phases that only lead to each other")


def _single(s: S, field: Field, value: Fn) -> Fn:
    """What is moved, for a place that holds a single thing: the one thing in a bag."""
    kind = s.args[0].type
    if not isinstance(kind, BagOf) or is_container(field.type):
        return value
    table = all_values(kind.of)

    def one(rt: Core) -> Any:
        bag = value(rt)
        if sum(bag) != 1:
            raise fault(s.place, "out-of-range", f"`{field.name}` holds one thing, and here {sum(bag)} are moved")
        return table[bag.index(1)]

    return one


__all__ = ["Act", "Effects", "Fn", "out_of_range", "too_long", "writes"]
