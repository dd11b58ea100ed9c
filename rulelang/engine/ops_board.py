"""Makers of closures for what is asked of the board; the answers come from `rulelang.boards.tables`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.boards.shapes import placements
from rulelang.engine.compiler import Compiler, maker
from rulelang.engine.core import Core, Fn
from rulelang.model.ir import E


def _of_cell(c: Compiler, e: E, answer: Callable[[int], Any], at_none: Any) -> Fn:
    """A question about one cell, answered once for each."""
    cell = c.fn(e.args[0])
    count = len(c.board.board)
    table = [answer(x) for x in range(count)]

    def of_cell(rt: Core) -> Any:
        x = cell(rt)
        return at_none if x is None else table[x]

    return of_cell


@maker("row", "column")
def _row(c: Compiler, e: E) -> Fn:
    board = c.board.board
    numbers = board.row if e.op == "row" else board.column
    return _of_cell(c, e, lambda x: numbers[x], None)


@maker("x_of", "y_of", "z_of", "height")
def _coordinate(c: Compiler, e: E) -> Fn:
    places = c.board.board.coordinates
    axis = {"x_of": 0, "y_of": 1}.get(e.op, 2)
    return _of_cell(c, e, lambda x: places[x][axis], None)


@maker("mirror")
def _mirror(c: Compiler, e: E) -> Fn:
    mirror = c.board.mirror
    return _of_cell(c, e, lambda x: None if mirror(x) < 0 else mirror(x), None)


@maker("area_at")
def _area_at(c: Compiler, e: E) -> Fn:
    areas = e.data
    return _of_cell(c, e, lambda x: next((area for area in areas if area >> x & 1), 0), 0)


@maker("step")
def _step(c: Compiler, e: E) -> Fn:
    held, ways, step = c.fn(e.args[0]), c.fn(e.args[1]), c.board.step
    fixed, way = c.constant(e.args[1])
    if e.args[0].op == "one" and fixed and way is not None:
        table = [step(1 << x, way) for x in range(len(c.board.board))]
        cell = c.fn(e.args[0].args[0])

        def one(rt: Core) -> int:
            x = cell(rt)
            return 0 if x is None else table[x]

        return one
    return lambda rt: step(held(rt), ways(rt))


@maker("step2")
def _step2(c: Compiler, e: E) -> Fn:
    cell, ways, step2 = c.fn(e.args[0]), c.fn(e.args[1]), c.board.step2

    def two(rt: Core) -> int:
        x = cell(rt)
        return 0 if x is None else step2(x, ways(rt))

    return two


@maker("ray")
def _ray(c: Compiler, e: E) -> Fn:
    cell, way, ray = c.fn(e.args[0]), c.fn(e.args[1]), c.board.ray

    def line(rt: Core) -> tuple[int, ...]:
        x, d = cell(rt), way(rt)
        return () if x is None or d is None else ray(x, d)

    return line


@maker("rays")
def _rays(c: Compiler, e: E) -> Fn:
    cell, ways, rays = c.fn(e.args[0]), c.fn(e.args[1]), c.board.ray_mask

    def mask(rt: Core) -> int:
        x = cell(rt)
        return 0 if x is None else rays(x, ways(rt))

    return mask


@maker("leap")
def _leap(c: Compiler, e: E) -> Fn:
    cell, a, b = (c.fn(x) for x in e.args)
    leap = c.board.leap

    def mask(rt: Core) -> int:
        x = cell(rt)
        return 0 if x is None else leap(x, a(rt), b(rt))

    return mask


@maker("slide")
def _slide(c: Compiler, e: E) -> Fn:
    cell, ways, free = (c.fn(x) for x in e.args)
    slide = c.board.slide

    def mask(rt: Core) -> int:
        x = cell(rt)
        return 0 if x is None else slide(x, ways(rt), free(rt))

    return mask


@maker("between")
def _between(c: Compiler, e: E) -> Fn:
    a, b, between = c.fn(e.args[0]), c.fn(e.args[1]), c.board.between

    def mask(rt: Core) -> int:
        x, y = a(rt), b(rt)
        return 0 if x is None or y is None else between(x, y)

    return mask


@maker("before")
def _before(c: Compiler, e: E) -> Fn:
    cell, line, before = c.fn(e.args[0]), c.fn(e.args[1]), c.board.before

    def mask(rt: Core) -> int:
        x = cell(rt)
        return 0 if x is None else before(x, line(rt))

    return mask


@maker("neighbours")
def _neighbours(c: Compiler, e: E) -> Fn:
    held, neighbours = c.fn(e.args[0]), c.board.neighbours
    return lambda rt: neighbours(held(rt))


@maker("reach")
def _reach(c: Compiler, e: E) -> Fn:
    held, through, reach = c.fn(e.args[0]), c.fn(e.args[1]), c.board.reach
    return lambda rt: reach(held(rt), through(rt))


@maker("distance")
def _distance(c: Compiler, e: E) -> Fn:
    a, b, distance = c.fn(e.args[0]), c.fn(e.args[1]), c.board.distance

    def between(rt: Core) -> Any:
        x, y = a(rt), b(rt)
        return None if x is None or y is None else distance(x, y)

    return between


@maker("placements")
def _placements(c: Compiler, e: E) -> Fn:
    shape, board = c.fn(e.args[0]), c.board.board
    found = [placements(board, cells) for cells in c.game.shapes.values()]

    def lists(rt: Core) -> tuple[int, ...]:
        x = shape(rt)
        return () if x is None else found[x]

    return lists


@maker("cubes")
def _cubes(c: Compiler, e: E) -> Fn:
    shape = c.fn(e.args[0])
    sizes = [len(cells) for cells in c.game.shapes.values()]

    def cubes(rt: Core) -> Any:
        x = shape(rt)
        return None if x is None else sizes[x]

    return cubes
