"""How a game ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rulelang.engine.compiler import Compiler
from rulelang.engine.core import Core
from rulelang.engine.faults import PlayFault

Scores = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game. `scores`: for each seat its value for each thing that the game ranks by, as the rules count
    it. `ranks`: 1 is best, ties share. `winners`: the seats of rank 1, none if all tie or the game is unfinished.
    `reason`: which rule ended it."""

    scores: Scores
    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    tie: bool
    unfinished: bool
    reason: str


class Results:
    """Makes the results of one machine."""

    def __init__(self, compiler: Compiler) -> None:
        game = compiler.game
        self.seats = compiler.machine.seats
        self.teams = game.teams
        ranks = (game.result,) if game.result is not None else game.ranks
        self.values: list[tuple[Callable[[Core], Any], int, int]] = [
            (compiler.fn(rank.value), rank.slot, 1 if rank.highest else -1) for rank in ranks]

    def scores(self, rt: Core) -> Scores:
        """Each seat's values, as the rules count them."""
        found = []
        for seat in range(self.seats):
            row = []
            for value, slot, _ in self.values:
                rt.s[slot] = seat
                row.append(value(rt))
            found.append(tuple(row))
        return tuple(found)

    def compared(self, scores: Scores) -> tuple[tuple[Any, ...], ...]:
        """The same with the sign that makes higher better."""
        signs = [sign for _, _, sign in self.values]
        return tuple(tuple(sign * (x or 0) for sign, x in zip(signs, row, strict=True)) for row in scores)

    def finish(self, rt: Core, reason: str) -> Result:
        """By the game's ranks; without them, who is out loses to who is not."""
        scores = self.scores(rt)
        keys: Sequence[tuple[Any, ...]] = self.compared(scores)
        if not self.values:
            keys = [(0 if rt.out >> seat & 1 else 1,) for seat in range(self.seats)]
        ranks = tuple(1 + sum(other > key for other in keys) for key in keys)
        return self._made(scores, ranks, reason)

    def win(self, rt: Core, seat: int, reason: str) -> Result:
        """One seat (its team) wins, the others tie behind."""
        team = self._team(seat)
        ranks = tuple(1 if other in team else 1 + len(team) for other in range(self.seats))
        return self._made(self._safe_scores(rt), ranks, reason)

    def lose(self, rt: Core, seat: int, reason: str) -> Result:
        """One seat (its team) loses, the others tie before it."""
        team = self._team(seat)
        others = self.seats - len(team)
        ranks = tuple(1 + others if other in team else 1 for other in range(self.seats))
        made = self._made(self._safe_scores(rt), ranks, reason)
        if self.seats == 1:
            return Result(made.scores, (1,), (), False, False, reason)
        return made

    def tie(self, rt: Core, reason: str) -> Result:
        """All are equal."""
        return self._made(self._safe_scores(rt), (1,) * self.seats, reason)

    def unfinished(self, rt: Core, reason: str) -> Result:
        """The game was stopped."""
        return Result(self._safe_scores(rt), (1,) * self.seats, (), False, True, reason)

    def _team(self, seat: int) -> tuple[int, ...]:
        return next((team for team in self.teams if seat in team), (seat,))

    def _safe_scores(self, rt: Core) -> Scores:
        """Scores for information only: where the rules cannot count them, none."""
        try:
            return self.scores(rt)
        except PlayFault:
            return ((),) * self.seats

    def _made(self, scores: Scores, ranks: tuple[int, ...], reason: str) -> Result:
        tie = self.seats > 1 and all(rank == 1 for rank in ranks)
        winners = () if tie else tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
        return Result(scores, ranks, winners, tie, False, reason)
