"""Working out expressions of a game's `view:` from what a seat sees, and from nothing else.

The interpreter's own closures are run over a state that holds only the view: what the seat may not see stands in it
as HIDDEN. An expression that needs such a value, or that cannot be worked out, has no value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulelang.engine import HIDDEN, Interpreter, PlayFault, View
from rulelang.engine.core import Core
from rulelang.engine.ops_state import entry_fn
from rulelang.model.ir import E

_CANNOT = (PlayFault, TypeError, AttributeError, IndexError, KeyError, ValueError)


class Reader:
    """Works out expressions from one view."""

    def __init__(self, interpreter: Interpreter, view: View) -> None:
        self._interpreter = interpreter
        self._view = view
        self._core = _core(interpreter, view)

    def value(self, expression: E, slots: Mapping[int, Any]) -> Any:
        """The value with those locals; HIDDEN where it is not to be seen."""
        if expression.op == "count":
            counted = self.size(expression.args[0], slots)
            if counted is not None:
                return counted
        return self._run(self._interpreter.compiler.fn(expression), slots)

    def size(self, expression: E, slots: Mapping[int, Any]) -> int | None:
        """How many are in an entry of a variable, where the seat may count them; None if it may not, or it is none."""
        if expression.op != "get":
            return None
        field = self._interpreter.machine.fields[expression.data]
        sizes = self._view.sizes.get(field.name)
        at = self._run(entry_fn(self._interpreter.compiler, expression.data, expression.args), slots)
        return None if sizes is None or at is HIDDEN else sizes[at - field.offset]

    def _run(self, asked: Callable[[Core], Any], slots: Mapping[int, Any]) -> Any:
        rt = self._core
        rt.s += [0] * (self._interpreter.compiler.slots - len(rt.s))
        rt.memo = [None] * self._interpreter.compiler.memory.size
        for slot, value in slots.items():
            rt.s[slot] = value
        try:
            return asked(rt)
        except _CANNOT:
            return HIDDEN


def _core(interpreter: Interpreter, view: View) -> Core:
    rt = interpreter.core(0)
    rt.v = [value for field in interpreter.machine.fields for value in view.values[field.name]]
    rt.player = view.player
    rt.me = view.seat if view.seat is not None else view.player
    rt.turns, rt.rounds = view.turns, view.rounds
    rt.out = sum(1 << seat for seat in view.out)
    rt.quiet = True
    return rt
