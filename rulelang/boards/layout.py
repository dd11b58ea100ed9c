"""Where to draw the points of a graph: by their names if these are columns and rows, else by their links."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

Place = tuple[int, int, int]

_COLUMN_AND_ROW = re.compile(r"([a-z]{1,2})([0-9]{1,3})")
MOST_ON_A_SIDE = 64
MOST_RELAXED = 120  # more points would take seconds
ROUNDS = 80
STEP = 4  # how far apart linked points are, about


def by_names(names: tuple[str, ...]) -> tuple[Place, ...]:
    """The places that names such as a7 speak of, from 0.

    Nothing, if one is not such a name, two mean one place, or all have one letter: n1, n2, n3 are mere numbers.
    """
    places = []
    for name in names:
        found = _COLUMN_AND_ROW.fullmatch(name)
        if not found or not int(found[2]):
            return ()
        column = 0
        for letter in found[1]:
            column = column * 26 + ord(letter) - ord("a") + 1
        places.append((column - 1, int(found[2]) - 1, 0))
    if len(set(places)) < len(places) or len({column for column, _, _ in places}) < 2:
        return ()
    return tuple(places) if max(map(max, places)) < MOST_ON_A_SIDE else ()


def by_links(graph: nx.DiGraph[int]) -> tuple[Place, ...]:
    """Whole-number places, no two alike, that put linked points near each other; the same for the same graph."""
    count = graph.number_of_nodes()
    start = _start(graph)
    spots = _relaxed(graph, start) if 2 < count <= MOST_RELAXED else start
    taken: dict[tuple[int, int], None] = {}
    for spot in spots:
        x, y = (round(STEP * value) for value in spot)
        while (x, y) in taken:
            x += 1
        taken[x, y] = None
    left, low = min(x for x, _ in taken), min(y for _, y in taken)
    return tuple((x - left, y - low, 0) for x, y in taken)


def _start(graph: nx.DiGraph[int]) -> list[tuple[float, float]]:
    """Without crossings if that is possible, else on a circle."""
    import networkx as nx

    count = graph.number_of_nodes()
    _, embedding = nx.check_planarity(graph.to_undirected())
    if isinstance(embedding, nx.PlanarEmbedding):
        found = nx.combinatorial_embedding_to_pos(embedding)
        return [(float(found[c][0]), float(found[c][1])) for c in range(count)]
    turn = 2 * math.pi / count
    radius = count / (2 * math.pi)
    return [(radius * math.sin(turn * c), radius * math.cos(turn * c)) for c in range(count)]


def _relaxed(graph: nx.DiGraph[int], start: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Spots whose distances come close to the numbers of links between them (stress majorization)."""
    import networkx as nx

    count = len(start)
    lengths = dict(nx.all_pairs_shortest_path_length(graph))
    longest = max(max(reached.values()) for reached in lengths.values())
    far = longest + 1.0
    wish = [[float(lengths[a].get(b, far)) for b in range(count)] for a in range(count)]
    width = max(max(x for x, _ in start) - min(x for x, _ in start), 1.0)
    depth = max(max(y for _, y in start) - min(y for _, y in start), 1.0)
    spots = [(x * far / width, y * far / depth) for x, y in start]
    for _ in range(ROUNDS):
        moved = []
        for a, (ax, ay) in enumerate(spots):
            total = sum_x = sum_y = 0.0
            for b, (bx, by) in enumerate(spots):
                if a == b:
                    continue
                weight = wish[a][b] ** -2
                gap = math.hypot(ax - bx, ay - by)
                pull = wish[a][b] / gap if gap > 1e-9 else 0.0
                sum_x += weight * (bx + pull * (ax - bx))
                sum_y += weight * (by + pull * (ay - by))
                total += weight
            moved.append((sum_x / total, sum_y / total))
        spots = moved
    return spots
