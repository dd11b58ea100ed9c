"""What the tests of the engine share beside their fixtures."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.engine import State
from rulelang.loading import Ruleset

Make = Callable[..., Ruleset]
Play = Callable[..., State]


def trace_of(state: State) -> str:
    """The digits of `trace`: the order in which blocks ran."""
    return str(state.get_value("trace"))
