"""Blokus Duo against a plain rendering of its rules in sets of cells: the same moves at every step of random games.

There are 21 pieces, which lie in 91 ways if turned and turned over (1, 2, 6, 19 and 63 fixed polyominoes of one to five
squares), so a first piece covers one of the two start squares in 2 * (1 + 2*2 + 6*3 + 19*4 + 63*5) = 828 ways.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from lockstep import RULES

from rulelang.engine import Move, State
from rulelang.loading import load

Cells = frozenset[tuple[int, int]]
SIZE = 14
STARTS = frozenset({(4, 9), (9, 4)})
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
CORNERS = ((1, 1), (-1, 1), (1, -1), (-1, -1))


def at_origin(cells: set[tuple[int, int]]) -> Cells:
    """A shape moved to the corner."""
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - low) for x, y in cells)


def grown() -> list[set[Cells]]:
    """All polyominoes of one to five squares, found by growing: for each piece the ways in which it can lie."""
    fixed: set[Cells] = {frozenset({(0, 0)})}
    pieces: list[set[Cells]] = []
    for _ in range(5):
        left = set(fixed)
        while left:
            ways = set()
            cells: Cells = next(iter(left))
            for _ in range(4):
                cells = at_origin({(y, -x) for x, y in cells})
                ways |= {cells, at_origin({(-x, y) for x, y in cells})}
            pieces.append(ways)
            left -= ways
        fixed = {at_origin({*cells, (x + dx, y + dy)}) for cells in fixed for x, y in cells for dx, dy in SIDES
                 if (x + dx, y + dy) not in cells}
    return pieces


PIECES = grown()


class Plain:
    """The game as the rulebook tells it."""

    def __init__(self) -> None:
        self.laid: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
        self.left = [set(range(len(PIECES))), set(range(len(PIECES)))]

    def moves(self, seat: int) -> Iterator[tuple[int, Cells]]:
        """All that a seat may place."""
        mine = self.laid[seat]
        taken = self.laid[0] | self.laid[1]
        sides = {(x + dx, y + dy) for x, y in mine for dx, dy in SIDES}
        corners = {(x + dx, y + dy) for x, y in mine for dx, dy in CORNERS} if mine else STARTS
        for piece in self.left[seat]:
            for way in PIECES[piece]:
                for right in range(SIZE):
                    for up in range(SIZE):
                        cells = frozenset((x + right, y + up) for x, y in way)
                        if cells & corners and not cells & taken and not cells & sides and all(
                                x < SIZE and y < SIZE for x, y in cells):
                            yield piece, cells

    def place(self, seat: int, piece: int, cells: Cells) -> None:
        """Place a piece."""
        self.laid[seat].update(cells)
        self.left[seat].remove(piece)


def placed(state: State, move: Move) -> Cells:
    """The cells of a move of ours; none of `stop`."""
    words = state.interpreter.notation.plain_text(move).split()
    if words[0] == "stop":
        return frozenset()
    return frozenset((ord(cell[0]) - ord("a"), int(cell[1:]) - 1) for cell in words[2].split("+"))


def compare(seed: int) -> int:
    """A random game on both; how many moves it had."""
    stream = random.Random(seed)
    ours = load(RULES / "blokus_duo.rules").start()
    plain = Plain()
    made = 0
    while not ours.over:
        seat = ours.to_act[0]
        listed = {placed(ours, move): move for move in ours.moves()}
        found = {cells: piece for piece, cells in plain.moves(seat)}
        assert set(listed) == (set(found) or {frozenset()}), f"seed {seed}, move {made}"
        assert len(listed) == len(ours.moves())
        cells = stream.choice(sorted(listed, key=sorted))
        if cells:
            plain.place(seat, found[cells], cells)
        ours.play(listed[cells])
        made += 1
    assert ours.result is not None
    squares = [sum(len(next(iter(PIECES[piece]))) for piece in left) for left in plain.left]
    assert [row[0] for row in ours.result.scores] == [-n for n in squares]          # random games leave pieces over
    return made


def test_there_are_21_pieces_that_lie_in_91_ways() -> None:
    assert (len(PIECES), sum(map(len, PIECES))) == (21, 91)


def test_a_random_game_has_the_same_moves() -> None:
    assert compare(0) > 20


@pytest.mark.slow
def test_random_games_have_the_same_moves() -> None:
    for seed in range(1, 40):
        compare(seed)
