"""Bots. They get what their seat may see, never the state.

`make(kind, interpreter, seat, seed)` gives one of `random`, `greedy` and `careful`.
"""

from rulelang.players.bot import KINDS, Bot, make

__all__ = ["KINDS", "Bot", "make"]
