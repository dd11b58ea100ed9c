"""A tower of cubes, as the layers of a rules file tell it, as rigid bodies.

All cubes with the same piece are one body. A balance cube stands in the middle of the face under it and is counted as
stuck there: it would slide only at the load at which the whole tower slides on the ground (it rubs as the ground does),
and tip only at a load of its whole weight, which is more than friction ever passes on. So it can be the first to fall
only where nothing is below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulelang.judges.bodies import Body, Box

Place = tuple[int, int, int]

LITTLE = 0.4 / 0.7
"""The edge of a balance cube, in edges of a cube: 0.4 inches beside 0.7. It weighs as much as its volume of a cube."""


def tower(pieces: Mapping[Place, int], balances: Iterable[Place]) -> list[Body]:
    """The bodies of a tower: one for each piece, in the order of their numbers, and one for each balance cube that does
    not stand on a piece."""
    cubes: dict[int, list[Box]] = {}
    for (x, y, z), piece in sorted(pieces.items()):
        cubes.setdefault(piece, []).append(Box((x, y, z), (x + 1, y + 1, z + 1)))
    loads: dict[int, list[Box]] = {piece: [] for piece in cubes}
    others = []
    for x, y, z in sorted(balances):
        inset = (1 - LITTLE) / 2
        box = Box((x + inset, y + inset, z), (x + inset + LITTLE, y + inset + LITTLE, z + LITTLE))
        below = pieces.get((x, y, z - 1))
        if below is None:
            others.append(Body((box,)))
        else:
            loads[below].append(box)
    return [*(Body(tuple(cubes[piece]), tuple(loads[piece])) for piece in sorted(cubes)), *others]


def from_layers(
    cube: Sequence[int | None], balance: Sequence[bool], coordinates: Sequence[Place]
) -> tuple[tuple[tuple[Place, int], ...], tuple[Place, ...]]:
    """What stands where, from one layer of pieces and one of balance cubes: only the cells that are filled."""
    pieces = tuple((coordinates[c], piece) for c, piece in enumerate(cube) if piece is not None)
    balances = tuple(coordinates[c] for c, there in enumerate(balance) if there)
    return pieces, balances
