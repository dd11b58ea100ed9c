"""The margin by another way, to hold the judge's against: the whole heap in one programme, nothing merged, nothing
taken apart, one way at a time; each touching rectangle gives four points, each with a pressure and a friction of two
parts."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.optimize import linprog

from rulelang.judges.bodies import Body


def touching(bodies: Sequence[Body]) -> list[tuple[int, int, tuple[float, float, float]]]:
    """(upper, lower or -1, point) for the corners of every rectangle in which a box rests on another or the ground."""
    found = []
    for i, body in enumerate(bodies):
        for box in body.boxes:
            under = [(-1, (-1e3, -1e3), (1e3, 1e3))] if abs(box.low[2]) < 1e-9 else []
            under += [
                (j, other.low[:2], other.high[:2])
                for j, support in enumerate(bodies) if j != i
                for other in support.boxes if abs(other.high[2] - box.low[2]) < 1e-9
            ]
            for j, low, high in under:
                left, right = max(box.low[0], low[0]), min(box.high[0], high[0])
                front, back = max(box.low[1], low[1]), min(box.high[1], high[1])
                if right - left > 1e-9 and back - front > 1e-9:
                    found += [(i, j, (x, y, box.low[2])) for x in (left, right) for y in (front, back)]
    return found


def bears(bodies: Sequence[Body], way: tuple[float, float], friction: float) -> float | None:
    """The largest load that way, or None if the heap does not stand."""
    points = touching(bodies)
    columns = 3 * len(points) + 1
    balance, right = np.zeros((6 * len(bodies), columns)), np.zeros(6 * len(bodies))
    rubbing = np.zeros((8 * len(points), columns))
    for n, (upper, lower, at) in enumerate(points):
        for body, sign in ((upper, 1.0), (lower, -1.0)):
            if body >= 0 and not bodies[body].fixed:
                arm = np.subtract(at, bodies[body].centre)
                for part, push in enumerate(np.eye(3)):
                    balance[6 * body:6 * body + 3, 3 * n + part] += sign * push
                    balance[6 * body + 3:6 * body + 6, 3 * n + part] += sign * np.cross(arm, push)
        for side in range(8):       # the octagon whose corners lie at friction times the pressure
            angle = (side + 0.5) * math.pi / 4
            rubbing[8 * n + side, 3 * n:3 * n + 3] = math.cos(angle), math.sin(angle), -friction * math.cos(math.pi / 8)
    for number, body in enumerate(bodies):
        if not body.fixed:
            balance[6 * number:6 * number + 2, -1] = body.weight * way[0], body.weight * way[1]
            right[6 * number + 2] = body.weight
    goal = np.zeros(columns)
    goal[-1] = -1
    bounds = [*[(None, None), (None, None), (0, None)] * len(points), (0, friction)]
    found = linprog(goal, rubbing, np.zeros(len(rubbing)), balance, right, bounds, method="highs-ds")
    assert found.status in (0, 2), found.message
    return -found.fun if found.status == 0 else None


def margin(bodies: Sequence[Body], friction: float = 0.5) -> float | None:
    """The least over eight ways, or None."""
    ways = [(math.cos(k * math.pi / 4), math.sin(k * math.pi / 4)) for k in range(8)]
    borne = [bears(bodies, way, friction) for way in ways]
    known = [one for one in borne if one is not None]
    return min(known) if len(known) == len(ways) else None      # a push the other way may hold what else falls
