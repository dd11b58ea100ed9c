"""Conditions over a set, answered for the whole set at once where that can be done.

A filter takes the core and the mask of the candidates and gives the mask of those that meet a condition. Parts joined
by `and`, `or`, `not` and `if` are filtered one after the other, each asked only of the candidates that the parts
before it leave open: exactly those for which the sentence, read from left to right, comes to that part. So a filter
gives the same answers and the same faults as asking candidate by candidate.

A part is answered at once if it

* does not speak of the candidate;
* asks whether the candidate is in a set;
* is static in the candidate (tables, rows, areas): its mask, or its masks by value, are computed once;
* speaks of the candidate only through one variable at the candidate, `at[c]`: then it is asked once for each value
  that the variable holds somewhere, and `Memory.masks` tells where.

Everything else is asked candidate by candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rulelang.engine.core import Core
from rulelang.engine.faults import PlayFault
from rulelang.engine.values import lowest_of, members
from rulelang.model.ir import E
from rulelang.model.types import SetOf, Switch, Type, size_of, value_at

if TYPE_CHECKING:
    from rulelang.engine.compiler import Compiler

Filter = Callable[[Core, int], int]
_MOST_STATIC = 4096


class Filters:
    """Makes filters for the conditions of one machine."""

    def __init__(self, compiler: Compiler) -> None:
        self.c = compiler

    def make(self, e: E, slot: int, of: Type) -> tuple[Filter, bool]:
        """The filter of a condition over the candidate in `slot`, and whether it is answered at once throughout."""
        e = self.c.simple(e)
        fixed, value = self.c.constant(e)
        if fixed:
            return (_all if value else _none), True
        facts = self.c.depends.of(e)
        if slot not in facts.free:
            asked = self.c.fn(e)
            return lambda rt, m: m if m and asked(rt) else 0, True
        match e.op:
            case "and":
                return self._both([self.make(a, slot, of) for a in e.args])
            case "or":
                return self._either([self.make(a, slot, of) for a in e.args])
            case "not":
                inner, whole = self.make(e.args[0], slot, of)
                return lambda rt, m: m & ~inner(rt, m), whole
            case "if":
                return self._choice([self.make(a, slot, of) for a in e.args])
        found = self._at_once(e, slot, of)
        return (found, True) if found is not None else (self.one_by_one(e, slot, of), False)

    def one_by_one(self, e: E, slot: int, of: Type) -> Filter:
        """The filter that asks for each candidate."""
        asked = self.c.fn(e)
        low = lowest_of(of)
        if low is None:
            def odd(rt: Core, m: int) -> int:
                found = 0
                s = rt.s
                for i in members(m):
                    s[slot] = value_at(of, i)
                    if asked(rt):
                        found |= 1 << i
                return found

            return odd

        def each(rt: Core, m: int) -> int:
            found = 0
            s = rt.s
            for i in members(m):
                s[slot] = i + low
                if asked(rt):
                    found |= 1 << i
            return found

        return each

    def _both(self, parts: Sequence[tuple[Filter, bool]]) -> tuple[Filter, bool]:
        whole = all(at_once for _, at_once in parts)
        filters = [part for part, _ in parts]
        if len(filters) == 2:
            one, two = filters

            def pair(rt: Core, m: int) -> int:
                m = one(rt, m)
                return two(rt, m) if m else 0

            return pair, whole

        def several(rt: Core, m: int) -> int:
            for part in filters:
                if not m:
                    return 0
                m = part(rt, m)
            return m

        return several, whole

    def _either(self, parts: Sequence[tuple[Filter, bool]]) -> tuple[Filter, bool]:
        filters = [part for part, _ in parts]

        def several(rt: Core, m: int) -> int:
            found = 0
            for part in filters:
                rest = m & ~found
                if not rest:
                    break
                found |= part(rt, rest)
            return found

        return several, all(at_once for _, at_once in parts)

    def _choice(self, parts: Sequence[tuple[Filter, bool]]) -> tuple[Filter, bool]:
        (asked, _), (then, _), (otherwise, _) = parts

        def choice(rt: Core, m: int) -> int:
            yes = asked(rt, m)
            rest = m & ~yes
            return (then(rt, yes) if yes else 0) | (otherwise(rt, rest) if rest else 0)

        return choice, all(at_once for _, at_once in parts)

    def _at_once(self, e: E, slot: int, of: Type) -> Filter | None:
        depends = self.c.depends
        if lowest_of(of) is None:
            return None
        if e.op == "in" and e.args[0].op == "local" and slot not in depends.of(e.args[1]).free:
            held = e.args[1].type
            if e.args[0].data == slot and isinstance(held, SetOf) and _alike(held.of, of):
                where = self.c.fn(e.args[1])
                return lambda rt, m: m & where(rt) if m else 0
        facts = depends.of(e)
        if facts.static and facts.free == {slot} and size_of(of) <= _MOST_STATIC:
            mask = self._static_mask(e, slot, of)
            if mask is not None:
                return lambda rt, m: m & mask
        if e.op in ("eq", "ne"):
            found = self._equal(e, slot, of)
            if found is not None:
                return found
        return self._through_variable(e, slot, of)

    def _static_mask(self, e: E, slot: int, of: Type) -> int | None:
        table = self._static_values(e, slot, of)
        if table is None:
            return None
        mask = 0
        for i, value in enumerate(table):
            if value:
                mask |= 1 << i
        return mask

    def _static_values(self, e: E, slot: int, of: Type) -> list[Any] | None:
        asked = self.c.fn(e)
        rt = self.c.scratch()
        values = []
        try:
            for i in range(size_of(of)):
                rt.s[slot] = value_at(of, i)
                values.append(asked(rt))
        except (PlayFault, IndexError):
            return None
        return values

    def _equal(self, e: E, slot: int, of: Type) -> Filter | None:
        """`eq` or `ne` between something static about the candidate and something that is not about it."""
        depends = self.c.depends
        for about, other in (e.args, e.args[::-1]):
            facts = depends.of(about)
            if slot in depends.of(other).free or not facts.static or facts.free != {slot}:
                continue
            if size_of(of) > _MOST_STATIC:
                return None
            table = self._static_values(about, slot, of)
            if table is None:
                return None
            groups: dict[Any, int] = {}
            for i, value in enumerate(table):
                groups[value] = groups.get(value, 0) | 1 << i
            asked = self.c.fn(other)
            if e.op == "eq":
                return lambda rt, m: m & groups.get(asked(rt), 0) if m else 0
            return lambda rt, m: m & ~groups.get(asked(rt), 0) if m else 0
        return None

    def _through_variable(self, e: E, slot: int, of: Type) -> Filter | None:
        """A condition that knows the candidate only by the value of one variable there."""
        looks: set[int] = set()
        if not only_looks(e, slot, looks) or len(looks) != 1:
            return None
        variable = looks.pop()
        field = self.c.fields[variable]
        if len(field.index_types) != 1 or not _alike(field.index_types[0], of) or field.length < size_of(of):
            return None
        masks = self.c.memory.masks(variable)
        if e.op == "get" and isinstance(field.type, Switch):
            return lambda rt, m: m & masks(rt).get(True, 0) if m else 0
        held = self.c.new_slot()
        seen = replace_looks(e, slot, E("local", field.type, (), held))
        facts = self.c.depends.of(seen)
        if facts.static and facts.free == {held}:
            return self._by_value(seen, held, masks)
        if seen.op in ("eq", "ne"):
            for about, other in (seen.args, seen.args[::-1]):
                known = self.c.depends.of(about)
                if held not in self.c.depends.of(other).free and known.static and known.free == {held}:
                    return self._by_part(about, other, held, masks, seen.op == "eq")
        asked = self.c.fn(seen)

        def by_values(rt: Core, m: int) -> int:
            found = 0
            for value, where in masks(rt).items():
                part = where & m
                if part:
                    rt.s[held] = value
                    if asked(rt):
                        found |= part
            return found

        return by_values

    def _by_value(self, seen: E, held: int, masks: Callable[[Core], dict[Any, int]]) -> Filter:
        """A condition that is static in the variable's value."""
        asked = self.c.fn(seen)
        known: dict[Any, Any] = {}

        def by_value(rt: Core, m: int) -> int:
            found = 0
            for value, where in masks(rt).items():
                part = where & m
                if part:
                    answer = known.get(value)
                    if answer is None:
                        rt.s[held] = value
                        answer = known[value] = bool(asked(rt))
                    if answer:
                        found |= part
            return found

        if seen.op in ("eq", "ne") and seen.args[0].op == "local":
            fixed, wanted = self.c.constant(seen.args[1])
            if fixed and seen.op == "eq":
                return lambda rt, m: m & masks(rt).get(wanted, 0) if m else 0
            if fixed:
                return lambda rt, m: m & ~masks(rt).get(wanted, 0) if m else 0
        return by_value

    def _by_part(self, about: E, other: E, held: int, masks: Callable[[Core], dict[Any, int]], equal: bool) -> Filter:
        """`eq` or `ne` between a part of the variable's value and something that is not about the candidate."""
        wanted = self.c.fn(other)
        if about.op == "local":
            if equal:
                return lambda rt, m: m & masks(rt).get(wanted(rt), 0) if m else 0
            return lambda rt, m: m & ~masks(rt).get(wanted(rt), 0) if m else 0
        part_of = self.c.fn(about)
        known: dict[Any, Any] = {}

        def by_part(rt: Core, m: int) -> int:
            if not m:
                return 0
            want = wanted(rt)
            found = 0
            for value, where in masks(rt).items():
                part = where & m
                if part:
                    if value not in known:
                        rt.s[held] = value
                        known[value] = part_of(rt)
                    if known[value] == want:
                        found |= part
            return found if equal else m & ~found

        return by_part


def _all(rt: Core, m: int) -> int:
    return m


def _none(rt: Core, m: int) -> int:
    return 0


def _alike(one: Type, other: Type) -> bool:
    """Whether equal numbers of bits stand for the same values of both types."""
    low = lowest_of(one)
    if low is None or low != lowest_of(other) or type(one) is not type(other):
        return False
    if hasattr(one, "members"):
        return getattr(one, "members", None) == getattr(other, "members", None)
    return True


def only_looks(e: E, slot: int, looks: set[int]) -> bool:
    """Whether every mention of the slot is as the only index of a variable; which variables goes to `looks`."""
    if e.op == "get" and len(e.args) == 1 and e.args[0].op == "local" and e.args[0].data == slot:
        looks.add(e.data)
        return True
    if e.op == "local":
        return bool(e.data != slot)
    return all(only_looks(a, slot, looks) for a in e.args)


def replace_looks(e: E, slot: int, held: E) -> E:
    """The expression with every such mention replaced by what the variable holds there."""
    if e.op == "get" and len(e.args) == 1 and e.args[0].op == "local" and e.args[0].data == slot:
        return held
    if not e.args:
        return e
    return E(e.op, e.type, tuple(replace_looks(a, slot, held) for a in e.args), e.data, e.place)
