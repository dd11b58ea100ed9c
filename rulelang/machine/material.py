"""Material into which nobody sees."""

from __future__ import annotations

from rulelang.model.game import Game


def hidden_supplies(game: Game) -> frozenset[int]:
    """The supplies into which nobody sees, because some of their component is hidden elsewhere."""
    found: set[int] = set()
    for component in game.components:
        held = component.variables
        if any(game.variables[n].seen is not None for n in held):
            found |= {n for n in held if game.variables[n].supply is not None}
    return frozenset(found)
