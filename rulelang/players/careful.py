"""Careful: makes up many positions that agree with what its seat sees, tries each move in them, goes by the average.

Positions are made up anew for each decision, which costs less than the moves that are tried in them, and leaves the
bot without a memory: after a game is resumed or a move taken back it chooses as it did. Moves are tried in rounds; the
better half goes on to the next, so that most positions are spent on telling the best ones apart.
"""

from __future__ import annotations

from rulelang.engine import Interpreter, Move, State, Stream, View
from rulelang.engine.beliefs import NoBelief, sample
from rulelang.players.ahead import as_listed, margin_after
from rulelang.players.margin import Margin, best_of, mean

TRIALS = 1200  # moves that are tried for one decision
LEAST, MOST = 4, 100  # in how many positions of a round a move is tried


class CarefulBot:
    """Goes by the expected rank over positions that agree with its view. It needs no time limit: a decision tries
    about `trials` moves."""

    def __init__(self, interpreter: Interpreter, seat: int, trials: int = TRIALS) -> None:
        self.interpreter = interpreter
        self.seat = seat
        self.trials = trials

    def choose(self, view: View, chance: Stream) -> Move:
        """The move with the highest average margin; among equals one by chance."""
        going = list(range(len(view.moves)))
        sums: list[Margin] = [()] * len(going)
        tried = [0] * len(going)
        rounds = max(1, (len(going) - 1).bit_length())
        while len(going) > 1:
            for _ in range(min(MOST, max(LEAST, self.trials // (rounds * len(going))))):
                guess = self._guess(view, chance)
                if guess is None:
                    return view.moves[chance.choice(going)]
                moves = as_listed(guess, [view.moves[number] for number in going], self.seat)
                for number, move in zip(going, moves, strict=True):
                    one = margin_after(guess, move, self.seat, chance)
                    sums[number] = mean(sums[number], one, tried[number])
                    tried[number] += 1
            going.sort(key=lambda number: sums[number], reverse=True)
            if len(going) == 2 or all(sums[number] == sums[going[0]] for number in going):
                break
            going = going[: (len(going) + 1) // 2]
        best = best_of([sums[number] for number in going])
        return view.moves[going[chance.choice(best)]]

    def _guess(self, view: View, chance: Stream) -> State | None:
        try:
            return sample(self.interpreter, view, chance)
        except NoBelief:
            return None
