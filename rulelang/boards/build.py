"""Boards made from what a rules file says of them.

Every function refuses with a `ValueError` whose text names what is wrong: an absurd size, a link to an unknown
point, a link said by only one of its ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rulelang.boards.board import (
    GRID_DIRECTIONS,
    HEX_DIRECTIONS,
    LATTICE_DIRECTIONS,
    TRACK_DIRECTIONS,
    Board,
    column_name,
    linked_graph,
    mask_of,
)
from rulelang.boards.layout import MOST_ON_A_SIDE, by_links, by_names

MOST_CELLS = 4096

Place = tuple[int, int, int]

_GRID_WAYS: tuple[Place, ...] = (
    (0, 1, 0), (1, 1, 0), (1, 0, 0), (1, -1, 0), (0, -1, 0), (-1, -1, 0), (-1, 0, 0), (-1, 1, 0),
)  # fmt: skip
_HEX_WAYS: tuple[Place, ...] = ((1, -1, 0), (1, 0, 0), (0, 1, 0), (-1, 1, 0), (-1, 0, 0), (0, -1, 0))
_TRACK_WAYS: tuple[Place, ...] = ((1, 0, 0), (-1, 0, 0))
_LATTICE_WAYS: tuple[Place, ...] = ((0, 1, 0), (1, 0, 0), (0, -1, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1))


def grid(
    width: int, height: int, keep: Callable[[int, int], bool] | None = None, numbers: bool = False,
    from_above: bool = False,
) -> Board:
    """A grid of squares; `keep(row, column)`, counted from 1, says which of them exist (all, if not given).

    With `numbers` the existing cells are called 1, 2, … in the board's order, else a1, b1, … by column and row. The
    order is by rows from the lowest, `from_above` from the uppermost.
    """
    _check_sides("grid", (width, height))
    rows = range(height - 1, -1, -1) if from_above else range(height)
    places = [(x, y, 0) for y in rows for x in range(width) if keep is None or keep(y + 1, x + 1)]
    if not places:
        raise ValueError(f"of the {width}x{height} grid no space is left")
    names = _numbers(len(places)) if numbers else _letters(places)
    return _straight("grid", (width, height), names, places, GRID_DIRECTIONS, _GRID_WAYS, 0b01010101, numbers)


def hexes(width: int, height: int) -> Board:
    """A rhombus of hexagons, as for Hex: a1 at the upper left, each row half a cell further right."""
    _check_sides("hexes", (width, height))
    places = [(x, y, 0) for y in range(height) for x in range(width)]
    return _straight("hexes", (width, height), _letters(places), places, HEX_DIRECTIONS, _HEX_WAYS, 0b111111, False)


def track(length: int) -> Board:
    """A row of cells called 1, 2, …"""
    if not 1 <= length <= MOST_CELLS:
        raise ValueError(f"a track has 1 to {MOST_CELLS} cells, not {length}")
    places = [(x, 0, 0) for x in range(length)]
    return _straight("track", (length,), _numbers(length), places, TRACK_DIRECTIONS, _TRACK_WAYS, 0b11, True)


def lattice(width: int, depth: int, height: int) -> Board:
    """A box of cubes; b3.2 is the cube of column b, row 3, in the second layer from below."""
    _check_sides("lattice", (width, depth, height))
    places = [(x, y, z) for z in range(height) for y in range(depth) for x in range(width)]
    names = tuple(f"{column_name(x + 1)}{y + 1}.{z + 1}" for x, y, z in places)
    return _straight(
        "lattice", (width, depth, height), names, places, LATTICE_DIRECTIONS, _LATTICE_WAYS, 0b111111, False
    )


def graph(points: Mapping[str, Iterable[str]]) -> Board:
    """Points and their links; both ends of a link must say it. All faults are named in one error.

    If every name is letters and a number (a7), not all with the same letters, these are the column and row of its
    point. Else the points are laid out by the links, and have neither.
    """
    linked = {name: tuple(others) for name, others in points.items()}
    _check_points(linked)
    index = {name: number for number, name in enumerate(linked)}
    edges = [(index[name], index[other], "") for name, others in linked.items() for other in others]
    named = by_names(tuple(linked))
    places = named or by_links(linked_graph(len(linked), edges))
    return Board(
        kind="graph",
        sizes=(len(linked),),
        names=tuple(linked),
        coordinates=places,
        directions=(),
        orthogonal=0,
        diagonal=0,
        links=tuple(mask_of(index[other] for other in others) for others in linked.values()),
        row=tuple(y + 1 if named else 0 for _, y, _ in places),
        column=tuple(x + 1 if named else 0 for x, _, _ in places),
        edges=tuple(edges),
        index=index,
    )


def _straight(
    kind: str,
    sizes: tuple[int, ...],
    names: tuple[str, ...],
    places: Sequence[Place],
    directions: tuple[str, ...],
    ways: tuple[Place, ...],
    orthogonal: int,
    numbered: bool,
) -> Board:
    """A board whose links are steps in directions, between those of its places that exist."""
    at = {place: cell for cell, place in enumerate(places)}
    edges: list[tuple[int, int, str]] = []
    links = [0] * len(places)
    for cell, (x, y, z) in enumerate(places):
        for d, (dx, dy, dz) in enumerate(ways):
            other = at.get((x + dx, y + dy, z + dz))
            if other is not None:
                edges.append((cell, other, directions[d]))
                if orthogonal >> d & 1:
                    links[cell] |= 1 << other
    return Board(
        kind=kind,
        sizes=sizes,
        names=names,
        coordinates=tuple(places),
        directions=directions,
        orthogonal=orthogonal,
        diagonal=~orthogonal & (1 << len(directions)) - 1,
        links=tuple(links),
        row=tuple(y + 1 for _, y, _ in places),
        column=tuple(x + 1 for x, _, _ in places),
        numbered=numbered,
        edges=tuple(edges),
        index={name: cell for cell, name in enumerate(names)},
    )


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, count + 1))


def _letters(places: Iterable[Place]) -> tuple[str, ...]:
    return tuple(f"{column_name(x + 1)}{y + 1}" for x, y, _ in places)


def _check_sides(what: str, sides: tuple[int, ...]) -> None:
    size = "x".join(str(side) for side in sides)
    if any(not 1 <= side <= MOST_ON_A_SIDE for side in sides):
        raise ValueError(f"{what} {size}: a side has 1 to {MOST_ON_A_SIDE} cells")
    cells = 1
    for side in sides:
        cells *= side
    if cells > MOST_CELLS:
        raise ValueError(f"{what} {size}: a board has at most {MOST_CELLS} cells, this would have {cells}")


def _check_points(linked: Mapping[str, tuple[str, ...]]) -> None:
    if not linked:
        raise ValueError("a graph needs at least one point")
    if len(linked) > MOST_CELLS:
        raise ValueError(f"a graph has at most {MOST_CELLS} points, this one has {len(linked)}")
    faults = []
    for name, others in linked.items():
        for number, other in enumerate(others):
            if other == name:
                faults.append(f"`{name}` is linked to itself")
            elif other in others[:number]:
                faults.append(f"`{name}` is linked to `{other}` twice")
            elif other not in linked:
                faults.append(f"`{name}` is linked to `{other}`, which is not a point of the board")
            elif name not in linked[other]:
                faults.append(f"`{name}` is linked to `{other}`, but `{other}` is not linked to `{name}`")
    if faults:
        raise ValueError("; ".join(faults))
