"""Facts of a checked game that a table needs: options as values, the clock, what is secret."""

from __future__ import annotations

from typing import Any

from rulelang.model.game import Game, Variable
from rulelang.model.ir import E
from rulelang.table.words import setting


def options_data(game: Game) -> dict[str, Any]:
    """Every option's value, for JSON."""
    return {option.name: setting(option.type, game.settings[option.name]) for option in game.options}


def clock_seconds(game: Game) -> int:
    """How many seconds each seat has for the whole game; 0 is no clock."""
    if game.clock is None:
        return 0
    each = game.clock[0]
    value = game.settings[each.data] if each.op == "option" else each.data
    return max(0, int(value)) if each.op in ("const", "option") else 0


def has_hands(game: Game) -> bool:
    """Whether some seats see what others do not, so that a person may not look over another's shoulder."""
    return any(seen_by_some(variable) for variable in game.variables)


def seen_by_some(variable: Variable) -> bool:
    """Whether who looks decides what is seen of the variable."""
    return variable.seen is not None and _reads(variable.seen, variable.viewer_slot)


def _reads(expression: E, slot: int) -> bool:
    if expression.op == "local" and expression.data == slot:
        return True
    return any(_reads(part, slot) for part in expression.args)
