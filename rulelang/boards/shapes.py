"""Pieces made of squares or cubes, their turnings, and all the ways they can lie on a board.

A shape is a tuple of (x, y, z) cubes. Flat pieces on a grid can be turned over, so that mirror images are turnings
of one piece there; in a lattice a piece has its up to 24 rotations and no mirror image.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import permutations, product

from rulelang.boards.board import Board, mask_of

Cube = tuple[int, int, int]
Shape = tuple[Cube, ...]
_Turn = tuple[tuple[int, int], ...]

_MOST_ROWS = 64


def parse(rows: Sequence[str]) -> Shape:
    """A shape as a rules file gives it: rows of `#` and `.`, the uppermost first, or cubes as `xyz` digits.

    The text of the `ValueError` says what is wrong with it.
    """
    if not rows:
        raise ValueError("a shape needs at least one cube")
    if all(len(row) == 3 and row.isascii() and row.isdigit() for row in rows):
        cubes = [(int(row[0]), int(row[1]), int(row[2])) for row in rows]
        if len(set(cubes)) < len(cubes):
            raise ValueError("a cube of the shape is named twice")
    else:
        cubes = _drawn(rows)
    return normal(cubes)


def normal(cubes: Iterable[Cube]) -> Shape:
    """The same shape moved to the corner of the coordinates, its cubes sorted."""
    cubes = tuple(cubes)
    low = [min(cube[axis] for cube in cubes) for axis in range(3)]
    return tuple(sorted((x - low[0], y - low[1], z - low[2]) for x, y, z in cubes))


@lru_cache(maxsize=1024)
def orientations(cells: Shape, dims: int, mirrored: bool) -> tuple[Shape, ...]:
    """The different turnings of a shape in the plane (`dims` 2) or in space (3), with its mirror images if wanted."""
    turned = {normal(tuple(_turn(cube, turn) for cube in cells)) for turn in _turns(dims, mirrored)}
    return tuple(sorted(turned))


@lru_cache(maxsize=1024)
def placements(board: Board, cells: Shape) -> tuple[int, ...]:
    """The sets of cells that a shape can cover, each once, sorted by the numbers of their cells.

    Only grids and lattices have placements; elsewhere, and for a shape with height on a grid, there are none.
    """
    if board.kind not in ("grid", "lattice") or not cells:
        return ()
    flat = board.kind == "grid"
    if flat and len({z for _, _, z in cells}) > 1:
        return ()
    at = {place: cell for cell, place in enumerate(board.coordinates)}
    width, depth, height = (*board.sizes, 1)[:3]
    found: set[tuple[int, ...]] = set()
    for shape in orientations(cells, 2 if flat else 3, flat):
        room = [size - max(cube[axis] for cube in shape) for axis, size in enumerate((width, depth, height))]
        for x, y, z in product(*(range(max(free, 0)) for free in room)):
            covered = [at.get((x + dx, y + dy, z + dz), -1) for dx, dy, dz in shape]
            if min(covered) >= 0:
                found.add(tuple(sorted(covered)))
    return tuple(mask_of(covered) for covered in sorted(found))


def _drawn(rows: Sequence[str]) -> list[Cube]:
    wrong = sorted({letter for row in rows for letter in row if letter not in "#."})
    if wrong:
        raise ValueError(f"a shape has rows of `#` and `.`, or cubes of three digits, and no `{wrong[0]}`")
    if len({len(row) for row in rows}) > 1:
        raise ValueError("the rows of a shape must be equally long")
    if len(rows) > _MOST_ROWS or len(rows[0]) > _MOST_ROWS:
        raise ValueError(f"a shape has at most {_MOST_ROWS} rows and columns")
    cubes = [(x, len(rows) - 1 - y, 0) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter == "#"]
    if not cubes:
        raise ValueError("a shape needs at least one `#`")
    return cubes


def _turn(cube: Cube, turn: _Turn) -> Cube:
    x, y, z = (cube[axis] * sign for axis, sign in turn)
    return x, y, z


def _turns(dims: int, mirrored: bool) -> list[_Turn]:
    """Each turn says, for the new x, y and z, which old axis it is and with which sign."""
    turns: list[_Turn] = []
    for axes in permutations(range(3)):
        for signs in product((1, -1), repeat=3):
            if dims == 2 and (axes[2] != 2 or signs[2] != 1):
                continue
            inversions = sum(axes[i] > axes[j] for i in range(3) for j in range(i + 1, 3))
            keeps_hand = (-1) ** inversions * signs[0] * signs[1] * signs[2] == 1
            if mirrored or keeps_hand:
                turns.append(tuple(zip(axes, signs, strict=True)))
    return turns
