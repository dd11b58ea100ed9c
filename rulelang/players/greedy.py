"""One move ahead: the move after which the seat stands best, in a position that agrees with what it sees."""

from __future__ import annotations

from rulelang.engine import Interpreter, Move, Stream, View
from rulelang.engine.beliefs import NoBelief, sample
from rulelang.players.ahead import as_listed, margin_after
from rulelang.players.margin import best_of


class GreedyBot:
    """Takes its view for what it is: fills in one guess of what is hidden, plays each move there, compares."""

    def __init__(self, interpreter: Interpreter, seat: int) -> None:
        self.interpreter = interpreter
        self.seat = seat

    def choose(self, view: View, chance: Stream) -> Move:
        """The move with the highest margin after it; among equals one by chance."""
        if len(view.moves) == 1:
            return view.moves[0]
        try:
            guess = sample(self.interpreter, view, chance)
        except NoBelief:
            return chance.choice(view.moves)
        margins = [margin_after(guess, move, self.seat, chance) for move in as_listed(guess, view.moves, self.seat)]
        return view.moves[chance.choice(best_of(margins))]
