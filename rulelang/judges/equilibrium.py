"""One block in equilibrium: forces that only push, and friction, found by linear programming.

The question is that of Blum, Griffith and Neumann, *A stability test for configurations of blocks* (MIT AI memo 188,
1970): a heap of rigid blocks can stay at rest if there are forces at its contacts that only push, rub no more than
friction lets them, and balance the force and the moment on every block. Each force is a sum of pushes, with factors
that are not negative, along the edges of a pyramid inside the cone of friction; then all conditions are linear.

How far from falling it is, is asked as in Livesley, *Limit analysis of structures formed from rigid blocks* (Int. J.
Numer. Methods Eng. 12, 1978): besides its weight w each body is pushed sideways by t·w, and the largest t is looked
for that can still be borne. That is the tangent of the angle to which the table could be tilted, or the jolt in units
of gravity.

What these programmes cannot do is also known from there: friction does not follow the rule by which equilibrium proves
that nothing moves, so a heap held by nothing but rubbing may fall though forces for it can be found. What has none must
fall.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array

from rulelang.judges.bodies import Contact, Point
from rulelang.judges.question import JudgeError
from rulelang.judges.structure import Block

Ways = Sequence[tuple[float, float]]
Numbers = NDArray[np.float64]

EIGHT: Ways = tuple((round(math.cos(k * math.pi / 4), 15), round(math.sin(k * math.pi / 4), 15)) for k in range(8))
"""The ways in which a heap is pushed: along both axes, and between them."""

EDGE = 1e-6
"""How exactly a body must be in balance, as a part of its weight (its moment: of its weight an edge of a cube away)."""

_OPTIMAL, _INFEASIBLE = 0, 2


def at_rest(block: Block, friction: float) -> bool:
    """Whether a block can stand with nothing but its weight."""
    if block.single:
        return _spare(block, (0.0, 0.0)) >= -EDGE
    # Without friction the programme is much smaller, and a heap that does not need it does not fall for having it.
    points = _Points(block)
    return any(_wanting(points, rough) <= EDGE for rough in dict.fromkeys((0.0, friction)))


def bearable(block: Block, friction: float, most: float) -> float | None:
    """The largest sideways load, as a part of the weight and at most `most`, that a block bears whichever of the eight
    ways it goes; None if it does not even stand without one."""
    if not at_rest(block, friction):
        return None
    if block.single:
        return max(0.0, min(most, friction, *(_spare(block, way) for way in EIGHT)))
    if most <= EDGE:
        return 0.0
    # One programme for all ways: the same load, and forces of their own for each way.
    points = _Points(block)
    pushes = points.forces(friction)
    columns = _Columns.over([pushes] * len(EIGHT), points.rows).beside(points.sideways(EIGHT))
    costs, high = np.zeros(columns.count), np.full(columns.count, np.inf)
    costs[-1], high[-1] = -1.0, most
    found = _solve(costs, columns, np.tile(points.weights, len(EIGHT)), high)
    return 0.0 if found is None else -found


def pull_needed(block: Block, friction: float) -> float:
    """The least pull, summed over all points, that contacts would have to give for a block to stand, as if there were a
    little glue: 0 if it stands, infinite if no glue between the faces would do."""
    points = _Points(block)
    pushes, pulls = points.forces(friction), points.forces(0.0).scaled(-1.0)
    costs = np.concatenate([np.zeros(pushes.count), np.ones(pulls.count)])
    found = _solve(costs, pushes.beside(pulls), points.weights, np.full(len(costs), np.inf))
    return math.inf if found is None else found


def _wanting(points: _Points, friction: float) -> float:
    """By how much the best forces fail to balance a block, summed over all conditions. There always are best forces, so
    that the answer hangs on no solver's idea of what is nearly possible."""
    pushes, rest = points.forces(friction), _Columns.unit(points.rows)
    columns = pushes.beside(rest).beside(rest.scaled(-1.0))
    costs = np.concatenate([np.zeros(pushes.count), np.ones(2 * points.rows)])
    found = _solve(costs, columns, points.weights, np.full(len(costs), np.inf))
    return math.inf if found is None else found


@dataclass(frozen=True, slots=True)
class _Columns:
    """Columns of a programme, each with its entries in a row: their row numbers and values."""

    rows: NDArray[np.int32]
    values: Numbers
    starts: NDArray[np.int32]

    @property
    def count(self) -> int:
        return len(self.starts) - 1

    def scaled(self, factor: float) -> _Columns:
        return _Columns(self.rows, self.values * factor, self.starts)

    def beside(self, other: _Columns) -> _Columns:
        """These columns, then others."""
        return _Columns(
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.values, other.values]),
            np.concatenate([self.starts, other.starts[1:] + self.starts[-1]]),
        )

    @staticmethod
    def unit(height: int) -> _Columns:
        """A column for each row, with 1 in it."""
        return _Columns(np.arange(height, dtype=np.int32), np.ones(height), np.arange(height + 1, dtype=np.int32))

    @staticmethod
    def over(parts: Sequence[_Columns], height: int) -> _Columns:
        """Parts as blocks down the diagonal, each so many rows high."""
        ends = np.cumsum([0, *(part.starts[-1] for part in parts)])
        return _Columns(
            np.concatenate([part.rows + height * n for n, part in enumerate(parts)]),
            np.concatenate([part.values for part in parts]),
            np.concatenate([[0], *(part.starts[1:] + end for part, end in zip(parts, ends, strict=False))]),
        )


class _Points:
    """The points at which the bodies of a block push each other, and the six conditions on each body: the force along
    each axis, then the moment about its centre of weight, all as parts of its weight."""

    def __init__(self, block: Block) -> None:
        self.place = {load.body: number for number, load in enumerate(block.loads)}
        self.centres = np.array([load.centre for load in block.loads])
        self.heavy = np.array([load.weight or 1.0 for load in block.loads])
        self.rows = 6 * len(block.loads)
        self.weights = np.zeros(self.rows)
        self.weights[2::6] = [float(load.weight > 0) for load in block.loads]
        self.level = [contact for contact in block.contacts if contact.axis == 2]
        self.upright = [contact for contact in block.contacts if contact.axis != 2]

    def forces(self, friction: float) -> _Columns:
        """A column for each edge of each point's pyramid: what a push of 1 along the normal, with the rubbing that goes
        with it, does to the bodies. Upright faces do not rub."""
        edges = [(friction * x, friction * y, 1.0) for x, y in EIGHT] if friction > 0 else [(0.0, 0.0, 1.0)]
        columns = self._forces(self.level, [edges] * len(self.level))
        if self.upright:
            normals = [[tuple(float(a == contact.axis) for a in range(3))] for contact in self.upright]
            columns = columns.beside(self._forces(self.upright, normals))
        return columns

    def sideways(self, ways: Ways) -> _Columns:
        """The one column of the load: each body pushed sideways by its weight, each way in its own block of rows."""
        rows, values = [], []
        for number, (x, y) in enumerate(ways):
            for axis, part in ((0, x), (1, y)):
                if part:
                    rows.append(np.arange(axis, self.rows, 6) + number * self.rows)
                    values.append(part * self.weights[2::6])
        return _Columns(np.concatenate(rows), np.concatenate(values), np.array([0, sum(map(len, rows))]))

    def _forces(self, contacts: Sequence[Contact], edges: Sequence[Sequence[tuple[float, ...]]]) -> _Columns:
        where: list[Point] = []
        forces: list[tuple[float, ...]] = []
        ends: list[tuple[int, int]] = []
        for contact, along in zip(contacts, edges, strict=True):
            both = (self.place.get(contact.body, -1), self.place.get(contact.other, -1))
            for point in contact.points:
                where += [point] * len(along)
                forces += along
                ends += [both] * len(along)
        at, push = np.array(where).reshape(-1, 3), np.array(forces).reshape(-1, 3)
        between = np.array(ends, dtype=np.int32).reshape(-1, 2)
        rows, values = [], []
        for side, sign in ((0, 1.0), (1, -1.0)):
            body = between[:, side]
            moment = np.cross(at - self.centres[body], push)
            rows.append(body[:, None] * 6 + np.arange(6))
            part = np.where(body >= 0, sign / self.heavy[body], 0.0)
            values.append(part[:, None] * np.hstack([push, moment]))
        row, value = np.hstack(rows), np.hstack(values)
        there = value != 0
        return _Columns(row[there], value[there], np.concatenate([[0], np.cumsum(there.sum(axis=1))]))


def _spare(block: Block, way: tuple[float, float]) -> float:
    """For a single body on another: how much sideways load it bears that way before it tips (that the load does not
    make it slide is asked apart). Without a way: how far its weight acts within the edges of what it stands on."""
    load, contact = block.loads[0], block.contacts[0]
    if contact.axis != 2 or contact.body != load.body:
        return -math.inf
    corners = contact.points
    x, y, z = load.centre
    least = math.inf
    for (ax, ay, plane), (bx, by, _) in zip(corners, (*corners[1:], corners[0]), strict=True):
        length = math.hypot(bx - ax, by - ay)
        out_x, out_y = (by - ay) / length, (ax - bx) / length
        inside = (ax - x) * out_x + (ay - y) * out_y
        if way == (0.0, 0.0):
            least = min(least, inside)
        else:
            arm = (out_x * way[0] + out_y * way[1]) * (z - plane)
            if arm > 0:
                least = min(least, inside / arm)
    return least


def _solve(costs: Numbers, columns: _Columns, right: Numbers, high: Numbers) -> float | None:
    """The least cost, or None if nothing meets the conditions. If the solver cannot tell, it is given some slack."""
    matrix = csc_array((columns.values, columns.rows, columns.starts), shape=(len(right), columns.count))
    for presolve, slack in ((False, 0.0), (True, EDGE)):
        # milp and not linprog: without whole numbers it is the same solver, called with half the effort.
        found: Any = milp(
            costs,
            constraints=LinearConstraint(matrix, right - slack, right + slack),
            bounds=Bounds(np.zeros(columns.count), high),
            options={"presolve": presolve},
        )
        if found.status == _OPTIMAL:
            return float(found.fun)
        if found.status == _INFEASIBLE:
            return None
    raise JudgeError(f"the forces in the tower could not be computed: {found.message}")
