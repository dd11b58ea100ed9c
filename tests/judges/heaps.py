"""Bricks for textbook heaps: they lie along x, one deep unless said otherwise, at a height z."""

from __future__ import annotations

from rulelang.judges.bodies import Body, Box


def box(
    left: float, bottom: float, length: float = 1, height: float = 1, depth: float = 1, weight: float = -1
) -> Box:
    """A box whose left end is at x = `left` and whose middle is at y = 0."""
    return Box((left, -depth / 2, bottom), (left + length, depth / 2, bottom + height), weight)


def brick(
    left: float, bottom: float, length: float = 1, height: float = 1, depth: float = 1, weight: float = -1
) -> Body:
    """A body of one box."""
    return Body((box(left, bottom, length, height, depth, weight),))


def table(left: float = -50, right: float = 0, height: float = 1, depth: float = 1) -> Body:
    """Something that does not move, to build on: its top is at z = `height`, its edge at x = `right`."""
    return Body((box(left, 0, right - left, height, depth),), fixed=True)


def stack(reaches: list[float], height: float = 1) -> list[Body]:
    """Bricks one on another at the edge of a table, the lowest first; each reaches so far beyond what is below it."""
    bodies, right = [table()], 0.0
    for level, reach in enumerate(reaches):
        right += reach
        bodies.append(brick(right - 1, 1 + level * height, height=height))
    return bodies
