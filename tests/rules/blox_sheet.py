"""Blox once more, in plain Python: what may be done in a position, written from the rules and not from the rules file.

A position is read out of a state: rows from the top, columns from the left, each from 0. A move is a tuple: the name of
the action, its spaces, and what is paid (colors; the joker's color or None).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import networkx as nx

from rulelang.engine import Move, State

COLORS = "GWPK"                               # gray, white, purple, black: the order of the rules file
BOARD = ("KPWGKWKGP", "WGPGPKPWK", "PKGWGPWKG", "GPKPWKGWW", "PKWGKGWKP", "WWGKWPKPG", "GKWPGWGKP",
         "KWPKPGPGW", "PGKWKGWPK")
SQUARES = ("....1..1.", "1.1......", "...2.3.1.", "..3.4.2..", "1.......1", "..2.4.3..", ".1.3.2...",
           "......1.1", ".1..1....")
WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))
Space = tuple[int, int]
SPACES = tuple(product(range(9), range(9)))


def color(space: Space) -> str:
    return BOARD[space[0]][space[1]]


@dataclass(frozen=True)
class Position:
    me: int
    tower: dict[Space, str]                   # the colors of its blocks
    figure: dict[Space, int]                  # whose; -1 is neutral
    reserve: int
    blocks: str
    hand: str
    joker: bool
    stage: int

    def taken(self, space: Space) -> bool:
        return space in self.tower or space in self.figure


def position(state: State) -> Position:
    """What a state holds, for the seat that is to move."""
    me = state.to_act[0]

    def bag(held: tuple[int, ...]) -> str:
        return "".join(c * n for c, n in zip(COLORS, held, strict=True))

    tower, figure = {}, {}
    seats = len(state.game.seats)
    for space in SPACES:
        held = bag(state.get_value("tower", [place(space)]))
        if held:
            tower[space] = held
        who = state.get_value("figure", [place(space)])
        if who is not None:
            figure[space] = who if who < seats else -1
    return Position(
        me, tower, figure, state.get_value("reserve", [me]), bag(state.get_value("blocks", [me])),
        bag(state.get_value("hand", [me])), state.get_value("awake", [me]), state.get_value("stage"))


def place(space: Space) -> int:
    """The number of a space in the rules file: from the lowest row."""
    return (8 - space[0]) * 9 + space[1]


def lines(start: Space) -> Iterator[list[Space]]:
    """The spaces from one in each direction, without it."""
    for down, right in WAYS:
        r, c = start[0] + down, start[1] + right
        found = []
        while 0 <= r < 9 and 0 <= c < 9:
            found.append((r, c))
            r, c = r + down, c + right
        yield found


def entrances() -> list[list[Space]]:
    """The rows and columns, each from both ends."""
    rows = [[(r, c) for c in range(9)] for r in range(9)]
    columns = [[(r, c) for r in range(9)] for c in range(9)]
    return [line for one in (*rows, *columns) for line in (one, one[::-1])]


def first(at: Position, line: list[Space], wanted: str) -> Space | None:
    """Where a figure that goes along a line comes to with a card of this color."""
    for space in line:
        if at.taken(space):
            return None
        if color(space) == wanted:
            return space
    return None


def payments(at: Position, cost: str) -> list[str | None]:
    """The ways to pay for colors: by cards alone (None), or with the joker for a card of a color."""
    have = Counter(at.hand)
    found: list[str | None] = [None] if not Counter(cost) - have else []
    if at.joker:
        found += [wild for wild in sorted(set(cost)) if not Counter(cost) - Counter(wild) - have]
    return found


def moves(at: Position) -> set[tuple[Any, ...]]:
    """All that may be done."""
    return {*placed(at), *moved(at), *destroyed(at), *built(at), *knocked(at), *exchanged(at)}


def placed(at: Position) -> Iterator[tuple[Any, ...]]:
    if at.reserve:
        for line, wanted in product(entrances(), COLORS):
            to = first(at, line, wanted)
            if to is not None:
                yield from (("place", to, wild) for wild in payments(at, wanted))


def mine(at: Position) -> list[Space]:
    return [space for space, who in at.figure.items() if who == at.me]


def moved(at: Position) -> Iterator[tuple[Any, ...]]:
    for start in mine(at):
        for line, wanted in product(lines(start), COLORS):
            to = first(at, line, wanted)
            if to is not None:
                yield from (("move", start, to, wild) for wild in payments(at, wanted))


def met(at: Position, start: Space) -> Iterator[tuple[list[Space], Space]]:
    """What a figure meets in each direction, with the spaces on the way."""
    for line in lines(start):
        for n, space in enumerate(line):
            if at.taken(space):
                yield line[:n], space
                break


def destroyed(at: Position) -> Iterator[tuple[Any, ...]]:
    if len(at.blocks) >= 7:
        return
    for start in mine(at):
        for way, to in met(at, start):
            tower = at.tower.get(to, "")
            if tower and len(tower) <= at.stage and not any(color(space) in tower for space in way):
                yield from (("destroy", start, to, wild) for wild in payments(at, tower))


def built(at: Position) -> Iterator[tuple[Any, ...]]:
    have = Counter(at.blocks)
    for amounts in product(*(range(have[c] + 1) for c in COLORS)):
        used = "".join(c * n for c, n in zip(COLORS, amounts, strict=True))
        if len(used) != at.stage + 1:
            continue
        for start in mine(at):
            if all_reachable([*at.tower, start]):
                yield from (("build", start, used, wild) for wild in payments(at, used))


def all_reachable(towers: list[Space]) -> bool:
    """Whether each tower has a neighbour that is linked to the rim over spaces without towers; by networkx."""
    graph = nx.grid_2d_graph(9, 9)
    graph.remove_nodes_from(towers)
    graph.add_edges_from(("rim", space) for space in list(graph) if {0, 8} & set(space))
    linked = nx.node_connected_component(graph, "rim") if "rim" in graph else set()
    return all(any((r + down, c + right) in linked for down, right in WAYS) for r, c in towers)


def knocked(at: Position) -> Iterator[tuple[Any, ...]]:
    for start in mine(at):
        for way, to in met(at, start):
            if to in at.figure and at.figure[to] != at.me and not any(color(space) == color(to) for space in way):
                for n in range(3, 7):
                    yield from (("knock", start, to, n, wild) for wild in payments(at, color(to) * n))


def exchanged(at: Position) -> Iterator[tuple[Any, ...]]:
    have = Counter(at.hand)
    for amounts in product(*(range(have[c] + 1) for c in COLORS)):
        if 1 <= sum(amounts) <= 5:
            given = "".join(c * n for c, n in zip(COLORS, amounts, strict=True))
            yield from (("exchange", given, wake) for wake in ((False, True) if not at.joker else (False,)))


def said(state: State, move: Move) -> tuple[Any, ...]:
    """A move of the rules file as one of these tuples."""
    ((number, values),) = move.steps
    name = state.game.actions[number].name

    def space(n: int) -> Space:
        return 8 - n // 9, n % 9

    def bag(held: tuple[int, ...]) -> str:
        return "".join(c * n for c, n in zip(COLORS, held, strict=True))

    joker = values[-1]
    if name == "exchange":
        return name, bag(values[0]), joker is not None
    if name == "build":
        return name, space(values[0]), bag(values[1]), None if joker is None else COLORS[joker]
    if name == "destroy":
        return name, space(values[0]), space(values[1]), None if joker is None else COLORS[joker]
    to = space(values[0] if name == "place" else values[1])
    wild = None if joker is None else color(to)         # of one color is all that is paid
    if name == "place":
        return name, to, wild
    if name == "knock":
        return name, space(values[0]), to, values[2], wild
    return name, space(values[0]), to, wild
