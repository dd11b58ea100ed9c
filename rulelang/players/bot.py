"""What a bot is, and the random one."""

from __future__ import annotations

from typing import Protocol

from rulelang.engine import Interpreter, Move, Stream, View

KINDS = ("random", "greedy", "careful")


class Bot(Protocol):
    """Somebody who chooses moves for one seat."""

    def choose(self, view: View, chance: Stream) -> Move:
        """One of `view.moves`. The same view and the same chance give the same move."""
        ...


class RandomBot:
    """Each legal move alike."""

    def choose(self, view: View, chance: Stream) -> Move:
        """One of the legal moves by chance."""
        return chance.choice(view.moves)


def make(kind: str, interpreter: Interpreter, seat: int) -> Bot:
    """A bot of that kind for a seat (from 0). Bots remember nothing from move to move: the view says it all."""
    if kind == "random":
        return RandomBot()
    if kind == "greedy":
        from rulelang.players.greedy import GreedyBot

        return GreedyBot(interpreter, seat)
    if kind == "careful":
        from rulelang.players.careful import CarefulBot

        return CarefulBot(interpreter, seat)
    raise ValueError(f"there is no bot `{kind}`, only {', '.join(KINDS)}")
