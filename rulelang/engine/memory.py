"""What is remembered about a state, and when it is forgotten.

`Core.memo` is a list with a place for each thing remembered: the answers of a define, or the masks of a variable.
A place holds None (nothing known), the one answer of a define without parameters in a tuple, or a dictionary. Copies
of the state share it: it stays true for a copy until that copy writes one of the variables that it came from, and then
only that copy lets it go.

Places are given out while an interpreter is made. What is compiled later (a condition of an example, say) gets none,
since the games that run already have no room for it: it is worked out each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulelang.engine.core import Core
from rulelang.machine.nodes import Machine

Masks = dict[Any, int]


class Memory:
    """The places of `Core.memo` of one compiled machine."""

    def __init__(self, machine: Machine) -> None:
        self.fields = machine.fields
        self.size = 0
        self.dependent: list[list[int]] = [[] for _ in machine.fields]     # by variable: places to forget
        self.mask_place: list[int] = [-1] * len(machine.fields)            # by variable: where its masks are
        self.sealed = False
        self._defines: dict[int, int] = {}

    def place_of_define(self, define: int, reads: Iterable[int]) -> int:
        """The place of a define's answers, which come from these variables; -1 if there can be none any more."""
        found = self._defines.get(define)
        if found is None:
            if self.sealed:
                return -1
            found = self._defines[define] = self._place(reads)
        return found

    def _place(self, reads: Iterable[int]) -> int:
        made = self.size
        self.size += 1
        for variable in reads:
            self.dependent[variable].append(made)
        return made

    def masks(self, variable: int) -> Callable[[Core], Masks]:
        """How to get, for a variable with one parameter, the set of entries that hold each value."""
        field = self.fields[variable]
        start, end = field.offset, field.offset + field.length
        if self.mask_place[variable] < 0 and self.sealed:
            return lambda rt: _masks(rt.v[start:end])
        if self.mask_place[variable] < 0:
            self.mask_place[variable] = self.size
            self.size += 1
        place = self.mask_place[variable]

        def masks(rt: Core) -> Masks:
            found: Masks | None = rt.memo[place]
            if found is None:
                found = rt.memo[place] = _masks(rt.v[start:end])
            return found

        return masks

    def writer(self, variable: int) -> Callable[[Core, int, Any], None]:
        """How to set an entry of a variable, forgetting what came from its old value."""
        dependent = self.dependent[variable]
        mask_place = self.mask_place
        offset = self.fields[variable].offset

        def write(rt: Core, place: int, value: Any) -> None:
            v = rt.v
            old = v[place]
            if old == value:
                return
            v[place] = value
            memo = rt.memo
            for known in dependent:
                memo[known] = None
            held = mask_place[variable]
            if held >= 0 and memo[held] is not None:
                masks = dict(memo[held])
                bit = 1 << (place - offset)
                rest = masks[old] & ~bit
                if rest:
                    masks[old] = rest
                else:
                    del masks[old]
                masks[value] = masks.get(value, 0) | bit
                memo[held] = masks

        return write


def _masks(values: Iterable[Any]) -> Masks:
    """The set of entries that hold each value."""
    found: Masks = {}
    bit = 1
    for value in values:
        found[value] = found.get(value, 0) | bit
        bit <<= 1
    return found
