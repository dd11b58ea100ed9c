"""Rigid bodies made of boxes, and where they touch.

Space has z upwards; the ground is everything below z = 0 and never moves. Boxes have their edges along the axes, so
that two bodies touch in rectangles. All lengths are in one unit (an edge of a cube), all weights in another (the
weight of a cube).

Where they touch is kept as *points*. Let two rigid bodies touch in several rectangles of one plane. Whatever forces
push there and rub (each within the cone of friction of its own pressure), the corners of the rectangles' convex hull
can give the same resultant force and moment: each place is a mean of corners, so share its force out by the weights
of that mean. So of each pair of bodies and each plane only the hull's corners are kept, and nothing is lost by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

Point = tuple[float, float, float]

GROUND = -1
"""The number of the ground among bodies, and of all that is fixed to it."""

TOUCHING = 1e-9
"""Faces nearer than this touch; what touches in a strip narrower than this does not."""


@dataclass(frozen=True, slots=True)
class Box:
    """A solid from the corner `low` to the corner `high`. Without a weight it weighs as much as its volume."""

    low: Point
    high: Point
    weight: float = -1.0

    def __post_init__(self) -> None:
        if any(low >= high for low, high in zip(self.low, self.high, strict=True)):
            raise ValueError(f"a box from {self.low} to {self.high} has no inside")
        if self.weight < 0:
            x, y, z = (high - low for low, high in zip(self.low, self.high, strict=True))
            object.__setattr__(self, "weight", x * y * z)

    @property
    def centre(self) -> Point:
        """The middle, where the weight acts."""
        (a, b, c), (x, y, z) = self.low, self.high
        return (a + x) / 2, (b + y) / 2, (c + z) / 2


@dataclass(frozen=True, slots=True)
class Body:
    """Boxes that move as one. `loads` are boxes stuck on that weigh but touch nothing; a `fixed` body never moves."""

    boxes: tuple[Box, ...]
    loads: tuple[Box, ...] = ()
    fixed: bool = False
    weight: float = field(init=False)
    centre: Point = field(init=False)

    def __post_init__(self) -> None:
        parts = [(box.weight, box.centre) for box in (*self.boxes, *self.loads)]
        weight, centre = weigh(parts)
        object.__setattr__(self, "weight", weight)
        object.__setattr__(self, "centre", centre)


@dataclass(frozen=True, slots=True)
class Contact:
    """Where two bodies touch: `body` is pushed along the axis in its positive direction (on axis 2: upwards), `other`
    is pushed back. All points have the same coordinate on the axis; they are the corners of a convex polygon."""

    body: int
    other: int
    axis: int
    points: tuple[Point, ...]


def weigh(parts: Sequence[tuple[float, Point]]) -> tuple[float, Point]:
    """The weight of all parts and the centre of it."""
    weight = sum(part for part, _ in parts)
    if weight <= 0:
        return 0.0, parts[0][1] if parts else (0.0, 0.0, 0.0)
    x, y, z = (sum(part * centre[axis] for part, centre in parts) / weight for axis in range(3))
    return weight, (x, y, z)


def contacts(bodies: Sequence[Body], sides: bool = False) -> list[Contact]:
    """Where bodies touch each other and the ground, on horizontal faces, with `sides` on upright ones too.

    Fixed bodies count as the ground. What touches only in an edge or a corner does not touch.
    """
    rectangles: dict[tuple[int, int, int, float], list[tuple[float, float]]] = {}
    for axis in range(3) if sides else (2,):
        _touching(bodies, axis, rectangles)
    return [
        Contact(body, other, axis, tuple(_lifted(point, axis, plane) for point in hull(corners)))
        for (body, other, axis, plane), corners in rectangles.items()
    ]


def hull(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners of the convex hull, anticlockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _chain(ordered)[:-1] + _chain(ordered[::-1])[:-1]


def _chain(ordered: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    chain: list[tuple[float, float]] = []
    for x, y in ordered:
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2], chain[-1]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > TOUCHING * TOUCHING:
                break
            chain.pop()
        chain.append((x, y))
    return chain


def _touching(
    bodies: Sequence[Body], axis: int, found: dict[tuple[int, int, int, float], list[tuple[float, float]]]
) -> None:
    """Add the corners of the rectangles in which faces across the axis touch, by body, other, axis and plane."""
    u, v = (a for a in range(3) if a != axis)
    ends: dict[float, list[tuple[int, Box]]] = {}
    for number, body in enumerate(bodies):
        for box in body.boxes:
            ends.setdefault(round(box.high[axis] / TOUCHING) * TOUCHING, []).append((number, box))
    planes = sorted(ends)
    for number, body in enumerate(bodies):
        for box in body.boxes:
            start = box.low[axis]
            if axis == 2 and abs(start) <= TOUCHING and not body.fixed:
                corners = product((box.low[u], box.high[u]), (box.low[v], box.high[v]))
                found.setdefault((number, GROUND, axis, 0.0), []).extend(corners)
            for plane in _near(planes, start):
                for below, under in ends[plane]:
                    if below == number or (body.fixed and bodies[below].fixed):
                        continue
                    left, right = max(box.low[u], under.low[u]), min(box.high[u], under.high[u])
                    front, back = max(box.low[v], under.low[v]), min(box.high[v], under.high[v])
                    if right - left > TOUCHING and back - front > TOUCHING:
                        one = GROUND if body.fixed else number
                        other = GROUND if bodies[below].fixed else below
                        found.setdefault((one, other, axis, plane), []).extend(product((left, right), (front, back)))


def _near(planes: Sequence[float], place: float) -> list[float]:
    """The planes that are as good as at this place; few, so that all can be looked at."""
    return [plane for plane in planes if abs(plane - place) <= 2 * TOUCHING]


def _lifted(point: tuple[float, float], axis: int, plane: float) -> Point:
    u, v = point
    if axis == 0:
        return plane, u, v
    return (u, plane, v) if axis == 1 else (u, v, plane)
