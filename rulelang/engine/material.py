"""Components: what is in the box is always somewhere."""

from __future__ import annotations

from typing import Any

from rulelang.engine.core import Core
from rulelang.engine.faults import fault
from rulelang.engine.values import indexer
from rulelang.machine.nodes import Machine
from rulelang.model.types import BagOf, DeckOf, Maybe, SetOf, Type, show, size_of, value_at
from rulelang.source.diagnostic import Place

_NEVER: tuple[list[Any], list[int]] = [], []


class Material:
    """The components of one machine, and the variables that hold them."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._last: dict[int, tuple[list[Any], list[int]]] = {}      # by variable: its values when last counted
        self.components = [(component, component.variables) for component in machine.game.components]

    def placed(self, rt: Core, variables: tuple[int, ...], kinds: Type) -> list[int]:
        """How many of each kind these variables hold."""
        total = [0] * size_of(kinds)
        for variable in variables:
            field = self.machine.fields[variable]
            values = rt.v[field.offset:field.offset + field.length]
            before, part = self._last.get(variable, _NEVER)
            if values != before:
                part = [0] * len(total)
                for value in values:
                    add_to(part, field.type, value)
                self._last[variable] = values, part
            for i, n in enumerate(part):
                total[i] += n
        return total

    def check(self, rt: Core, place: Place) -> None:
        """A fault if something has been lost or made."""
        for component, variables in self.components:
            total = self.placed(rt, variables, component.kinds)
            for i, n in enumerate(total):
                if n != component.each:
                    kind = show(component.kinds, value_at(component.kinds, i))
                    what = "more" if n > component.each else "fewer"
                    name = component.name
                    raise fault(place, "not-conserved",
                                f"there are {n} of the {name} `{kind}` now, {what} than the {component.each} there are",
                                f"every {name} must be in the supply or on the table")

    def refill(self, rt: Core, place: Place) -> None:
        """Make every supply what the other variables leave over."""
        for component, variables in self.components:
            store = [n for n in variables if self.machine.game.variables[n].supply == component.name]
            others = tuple(n for n in variables if n not in store)
            left = [component.each - n for n in self.placed(rt, others, component.kinds)]
            if min(left, default=0) < 0:
                raise fault(place, "not-conserved", f"there is not so much of `{component.name}` in the box")
            if store:
                rt.v[self.machine.fields[store[0]].offset] = tuple(left)


def add_to(total: list[int], kind: Type, value: Any) -> None:
    """Count what a value holds into the totals by kind."""
    match kind:
        case BagOf():
            for i, n in enumerate(value):
                total[i] += n
        case SetOf():
            for i in range(len(total)):
                total[i] += value >> i & 1
        case DeckOf(of, _):
            number = indexer(of)
            for x in value:
                total[number(x)] += 1
        case Maybe(of):
            if value is not None:
                add_to(total, of, value)
        case _:
            total[indexer(kind)(value)] += 1
