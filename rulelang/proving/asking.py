"""Asking whether something is true of a position, and why it is not."""

from __future__ import annotations

from typing import Any

from rulelang.engine import HIDDEN, PlayFault, State
from rulelang.engine.core import Core
from rulelang.engine.render import parts, render
from rulelang.model.ir import E
from rulelang.model.types import show

_CANNOT = (PlayFault, TypeError, AttributeError, IndexError)
_LONGEST = 200


def holds(state: State, condition: E) -> bool:
    """Whether a condition holds. `PlayFault` if it cannot be worked out."""
    return bool(_value(state, condition))


def why(state: State, condition: E) -> list[str]:
    """Each part of a condition that is joined by `and`, whether it holds, and for one that fails the values in it."""
    lines = []
    for part in condition.args if condition.op == "and" else (condition,):
        try:
            held = holds(state, part)
        except _CANNOT:
            held = False
        lines.append(f"{'holds' if held else 'fails'}  {render(state.game, part)}")
        if not held:
            lines += [f"       {text} is {value}" for text, value in _values(state, part)]
    return lines


def _values(state: State, condition: E) -> list[tuple[str, str]]:
    found: dict[str, str] = {}
    for part in parts(condition):
        try:
            value = _value(state, part)
        except _CANNOT:
            found[render(state.game, part)] = "not there"
            continue
        text = "none" if value is None or value is HIDDEN else show(part.type, value)
        found[render(state.game, part)] = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    return list(found.items())


def _value(state: State, expression: E) -> Any:
    asked = state.interpreter.compiler.fn(expression)
    return asked(_core(state))


def _core(state: State) -> Core:
    """A core to ask questions of, with room for what has been compiled since it was made."""
    rt = state.core.copy()
    rt.quiet = True
    rt.me = rt.actor if rt.actor >= 0 else rt.player
    compiler = state.interpreter.compiler
    rt.s += [0] * (compiler.slots - len(rt.s))
    rt.memo += [None] * (compiler.memory.size - len(rt.memo))
    return rt
