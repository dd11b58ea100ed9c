"""Random towers of polycubes on the eight squares around a chimney, as players might build them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from rulelang.boards.board import Board
from rulelang.boards.build import lattice
from rulelang.boards.shapes import orientations, parse

PIECES = {
    **{"D2": "000 001", "I3": "000 001 002", "V3": "000 001 010", "I4": "000 001 002 003"},
    **{"L4": "000 001 002 010", "T4": "000 001 002 011", "O4": "000 001 010 011", "tripod": "000 001 010 100"},
    **{"screwA": "000 001 010 101", "screwB": "000 001 010 110", "S4": "000 001 011 012", "V5": "000 001 002 010 020"},
}
SHAPES = {name: parse(cubes.split()) for name, cubes in PIECES.items()}
HEIGHT = 32
BOARD: Board = lattice(3, 3, HEIGHT)

Cells = dict[tuple[int, int, int], int]


class Tower:
    """A tower under construction: `cube` and `balance` are layers, as a rules file would hand them to a judge."""

    def __init__(self) -> None:
        self.cube: list[int | None] = [None] * len(BOARD)
        self.balance = [False] * len(BOARD)
        self.tops = {(x, y): 0 for x in range(3) for y in range(3) if (x, y) != (1, 1)}

    @property
    def layers(self) -> tuple[tuple[int | None, ...], tuple[bool, ...]]:
        return tuple(self.cube), tuple(self.balance)

    def ways(self, name: str) -> list[list[tuple[int, int, int]]]:
        """All legal places of a piece: let down from above until it rests on the ground or on a piece."""
        found = []
        for shape in orientations(SHAPES[name], 3, False):
            for dx in range(3):
                for dy in range(3):
                    columns = {(x + dx, y + dy) for x, y, _ in shape}
                    if columns <= self.tops.keys():
                        low = max(self.tops[x + dx, y + dy] - z for x, y, z in shape)
                        cubes = [(x + dx, y + dy, z + low) for x, y, z in shape]
                        if any(z == 0 or self.at(x, y, z - 1) for x, y, z in cubes):
                            found.append(cubes)
        return found

    def at(self, x: int, y: int, z: int) -> bool:
        """Whether a piece fills a place."""
        return self.cube[cell(x, y, z)] is not None

    def put(self, piece: int, cubes: list[tuple[int, int, int]]) -> None:
        for x, y, z in cubes:
            self.cube[cell(x, y, z)] = piece
            self.tops[x, y] = max(self.tops[x, y], z + 1)

    def balances(self) -> list[tuple[int, int]]:
        """The columns on which a balance cube can stand."""
        return [(x, y) for (x, y), top in self.tops.items() if top and self.at(x, y, top - 1)]

    def weigh_down(self, x: int, y: int) -> None:
        self.balance[cell(x, y, self.tops[x, y])] = True
        self.tops[x, y] += 1

    def copy(self) -> Tower:
        other = Tower()
        other.cube, other.balance, other.tops = self.cube[:], self.balance[:], dict(self.tops)
        return other


def cell(x: int, y: int, z: int) -> int:
    """The number of a cell."""
    return (z * 3 + y) * 3 + x


def random_tower(chance: Random, pieces: int, allowed: Callable[[Tower], bool] = lambda tower: True) -> Tower:
    """A random legal tower of so many pieces, each with a balance cube after it; fewer if nothing more is `allowed`."""
    tower = Tower()
    names = list(SHAPES)
    order = chance.sample(range(len(names)), pieces)
    for piece in order:
        ways = tower.ways(names[piece])
        chance.shuffle(ways)
        for way in ways:
            tried = tower.copy()
            tried.put(piece, way)
            tried.weigh_down(*chance.choice(tried.balances()))
            if allowed(tried):
                tower = tried
                break
        else:
            break
    return tower
