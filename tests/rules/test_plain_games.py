"""Games that no other program at hand plays, against a plain rendering of their rules: the same moves and the same end
in games by chance."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang.loading import load

ROOT = Path(__file__).parents[2]
Cell = tuple[int, int]


class Knightthrough:
    """Two rows of knights each, which leap only forward; whoever reaches the last row wins."""

    file = "rules/knightthrough.rules"

    def __init__(self) -> None:
        self.men: dict[Cell, int] = {(x, y): int(y > 3) for x in range(8) for y in (0, 1, 6, 7)}
        self.turn = 0
        self.winner: int | None = None

    def moves(self) -> dict[str, tuple[Cell, Cell]]:
        up = -1 if self.turn else 1
        found = {}
        for (x, y), who in self.men.items():
            for dx, dy in ((1, 2), (2, 1), (-1, 2), (-2, 1)):
                to = (x + dx, y + up * dy)
                if who == self.turn and 0 <= to[0] < 8 and 0 <= to[1] < 8 and self.men.get(to) != self.turn:
                    found[name((x, y)) + name(to)] = ((x, y), to)
        return found

    def play(self, move: tuple[Cell, Cell]) -> None:
        del self.men[move[0]]
        self.men[move[1]] = self.turn
        if move[1][1] == (0 if self.turn else 7) or 1 - self.turn not in self.men.values():
            self.winner = self.turn
        self.turn = 1 - self.turn


class PopOut:
    """Columns of discs, dropped from above or popped out below."""

    file = "examples/pop_out_connect_four.rules"

    def __init__(self) -> None:
        self.columns: list[list[int]] = [[] for _ in range(7)]
        self.turn = 0
        self.winner: int | None = None
        self.seen = [self.position(1)]

    def position(self, mover: int) -> tuple[object, ...]:
        return (*map(tuple, self.columns), mover)

    def moves(self) -> dict[str, int]:
        drops = {str(n + 1): n for n in range(7) if len(self.columns[n]) < 6}
        pops = {f"pop {name((n, 0))}": -1 - n for n in range(7) if self.columns[n][:1] == [self.turn]}
        return drops | pops

    def play(self, move: int) -> None:
        if move >= 0:
            self.columns[move].append(self.turn)
        else:
            self.columns[-1 - move].pop(0)
        won = [self.four(who) for who in (0, 1)]
        before = self.seen.count(self.position(self.turn))
        self.seen.append(self.position(self.turn))
        if any(won):
            self.winner = self.turn if won[self.turn] else 1 - self.turn
        elif before >= 2 or (not self.next_moves() and not any(won)):
            self.winner = -1
        self.turn = 1 - self.turn

    def next_moves(self) -> bool:
        self.turn = 1 - self.turn
        found = bool(self.moves())
        self.turn = 1 - self.turn
        return found

    def four(self, who: int) -> bool:
        discs = {(x, y) for x, column in enumerate(self.columns) for y, disc in enumerate(column) if disc == who}
        return any(all((x + k * dx, y + k * dy) in discs for k in range(4))
                   for x, y in discs for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)))


def name(cell: Cell) -> str:
    """A square as players call it."""
    return f"{'abcdefgh'[cell[0]]}{cell[1] + 1}"


@pytest.mark.parametrize("kind", [Knightthrough, PopOut])
@pytest.mark.parametrize("games", [25, pytest.param(1000, marks=pytest.mark.slow)])
def test_games_by_chance(kind: type[Knightthrough] | type[PopOut], games: int) -> None:
    rules = load(ROOT / kind.file)
    for seed in range(games):
        chance, plain, state = random.Random(seed), kind(), rules.start()
        while not state.over:
            assert plain.winner is None
            assert state.to_act == (plain.turn,)
            listed, found = {move.text: move for move in state.moves()}, plain.moves()
            assert set(listed) == set(found), seed
            chosen = chance.choice(sorted(found))
            state.play(listed[chosen])
            plain.play(found[chosen])  # type: ignore[arg-type]
        assert state.result is not None
        assert plain.winner == (-1 if state.result.tie else state.result.winners[0]), seed
