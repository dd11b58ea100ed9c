"""rulelang: rules of games, written once, played, checked and measured.

    game = rulelang.load("rules/kakuzu.rules", variants=["chase"], options={"most": 4})
    state = game.start(players=3, seed=1)
    state.play(state.moves()[0])
    state.view(0), state.result

`load` gives a `Ruleset`, its `start` a `State`. Faults of a rules file are a `RulesError` with a `Diagnostic` each;
all that is raised on purpose is a `RulelangError`. Nothing heavy is imported before it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulelang.engine import (
        HIDDEN,
        AmbiguousMove,
        IllegalMove,
        Move,
        MoveError,
        PlayFault,
        Result,
        State,
        UnreadableMove,
        View,
    )
    from rulelang.loading import Ruleset, builtin_games, check, load
    from rulelang.source.diagnostic import Diagnostic, Place, RulelangError, RulesError

_ROOMS = {
    "rulelang.engine": ("HIDDEN", "AmbiguousMove", "IllegalMove", "Move", "MoveError", "PlayFault", "Result", "State",
                        "UnreadableMove", "View"),
    "rulelang.loading": ("Ruleset", "builtin_games", "check", "load"),
    "rulelang.source.diagnostic": ("Diagnostic", "Place", "RulelangError", "RulesError"),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "HIDDEN", "AmbiguousMove", "Diagnostic", "IllegalMove", "Move", "MoveError", "Place", "PlayFault", "Result",
    "RulelangError", "RulesError", "Ruleset", "State", "UnreadableMove", "View", "builtin_games", "check", "load",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'rulelang' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
