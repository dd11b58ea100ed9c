"""The exact value of a small game of two seats with secrets, found over what each seat knows.

A seat knows its *view*: what it sees of the state and what it was told so far. Decisions with the same view are one
information set. The game is solved as a linear program over the sequences of the first seat's moves (the sequence form
of Koller, Megiddo and von Stengel), so the value is exact but for the arithmetic of floats.
"""

from __future__ import annotations

from typing import Any

import numpy
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

from rulelang.engine import State

Sequence = tuple[int, str] | None                     # an information set of a seat, and the move there


class Tree:
    """A game's tree, with the sequences of both seats and what each pair of them is worth to the first seat."""

    def __init__(self, start: State) -> None:
        self.sets: list[dict[Any, int]] = [{}, {}]                    # by seat: the number of each view
        self.before: list[list[Sequence]] = [[], []]                  # by seat and set: the sequence that leads there
        self.moves: list[list[tuple[str, ...]]] = [[], []]
        self.worth: dict[tuple[Sequence, Sequence], float] = {}
        self.leaves = 0
        self._walk(start, 1.0, (None, None))

    def _walk(self, state: State, likely: float, reached: tuple[Sequence, Sequence]) -> None:
        if state.over:
            self.leaves += 1
            assert state.result is not None
            self.worth[reached] = self.worth.get(reached, 0.0) + likely * float(state.result.scores[0][0])
            return
        if state.waits_for == "chance":
            for value, chance in state.outcomes():
                after = state.copy()
                after.resolve(value)
                self._walk(after, likely * float(chance), reached)
            return
        seat = state.to_act[0]
        moves = tuple(move.text for move in state.moves())
        number = self._set_of(seat, knows(state, seat), reached[seat], moves)
        for move in state.moves():
            after = state.copy()
            after.play(move)
            last: Sequence = (number, move.text)
            self._walk(after, likely, (last, reached[1]) if seat == 0 else (reached[0], last))

    def _set_of(self, seat: int, known: Any, before: Sequence, moves: tuple[str, ...]) -> int:
        sets = self.sets[seat]
        if known not in sets:
            sets[known] = len(sets)
            self.before[seat].append(before)
            self.moves[seat].append(moves)
        number = sets[known]
        assert self.before[seat][number] == before, "a seat has forgotten what it did"
        assert self.moves[seat][number] == moves, "the moves tell what the view hides"
        return number

    def value(self) -> float:
        """What the game is worth to the first seat."""
        ours, theirs = self._columns(0), self._columns(1)
        # The first seat chooses how likely each of its sequences is; for each sequence of the second seat, what its
        # information set can be held to is at most what that sequence gives and what the sets behind it are held to.
        sets = len(self.before[1])
        width = len(ours) + 1 + sets
        rows: list[dict[int, float]] = [{} for _ in theirs]
        for (mine, other), worth in self.worth.items():
            row = rows[theirs[other]]
            row[ours[mine]] = row.get(ours[mine], 0.0) - worth
        held = len(ours)
        rows[theirs[None]][held] = 1.0
        for number, (before, moves) in enumerate(zip(self.before[1], self.moves[1], strict=True)):
            row = rows[theirs[before]]
            row[held + 1 + number] = row.get(held + 1 + number, 0.0) - 1.0
            for move in moves:
                rows[theirs[number, move]][held + 1 + number] = 1.0
        equal: list[dict[int, float]] = [{ours[None]: 1.0}]
        for number, (before, moves) in enumerate(zip(self.before[0], self.moves[0], strict=True)):
            equal.append({ours[before]: -1.0, **{ours[number, move]: 1.0 for move in moves}})
        cost = numpy.zeros(width)
        cost[held] = -1.0
        bounds: list[tuple[float | None, float | None]] = [(0, None)] * len(ours) + [(None, None)] * (1 + sets)
        found = linprog(cost, A_ub=_matrix(rows, width), b_ub=numpy.zeros(len(rows)), A_eq=_matrix(equal, width),
                        b_eq=[1.0] + [0.0] * (len(equal) - 1), bounds=bounds)
        assert found.status == 0, found.message
        return -float(found.fun)

    def _columns(self, seat: int) -> dict[Sequence, int]:
        every: list[Sequence] = [None]
        every += [(number, move) for number, moves in enumerate(self.moves[seat]) for move in moves]
        return {sequence: i for i, sequence in enumerate(every)}


def knows(state: State, seat: int) -> Any:
    """All that a seat sees and was told."""
    view = state.view(seat)
    return (view.phase, view.messages, tuple((name, repr(values)) for name, values in view.values.items()),
            tuple((name, sizes) for name, sizes in view.sizes.items()))


def _matrix(rows: list[dict[int, float]], width: int) -> Any:
    data = [(value, i, j) for i, row in enumerate(rows) for j, value in row.items()]
    values, down, along = zip(*data, strict=True)
    return csr_matrix((values, (down, along)), shape=(len(rows), width))
