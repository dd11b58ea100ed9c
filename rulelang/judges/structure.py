"""What hangs on what: a heap of bodies taken apart where single bodies hold it together.

Bodies that touch form a graph, with the ground as one of its nodes. Where it falls apart if one body is taken out (an
articulation), all that hangs on that body can be weighed: whatever the forces inside are, together they pass the
body a force and a moment that are known, as if it were stuck on. So each *block* of the graph (a biconnected component:
what hangs together in more than one way) can be asked for itself, with the body that holds it taken as fixed, and the
heap stands just when each block stands. This is exact, for loads that go with the weight (gravity, a tilt, a jolt) too.

Most blocks of a tower are a single piece on another; what has more than one support needs a linear programme, now a
small one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import networkx as nx

from rulelang.judges.bodies import GROUND, Body, Contact, Point, weigh


@dataclass(frozen=True, slots=True)
class Load:
    """A body with all that hangs on it through other blocks: the weight, and where it acts."""

    body: int
    weight: float
    centre: Point


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a heap that is held by one body, `head`, which may be taken as fixed."""

    head: int
    loads: tuple[Load, ...]
    contacts: tuple[Contact, ...]

    @property
    def single(self) -> bool:
        """Whether this is one body that touches what holds it in one plane."""
        return len(self.loads) == 1 and len(self.contacts) == 1


@dataclass(frozen=True, slots=True)
class Structure:
    """The blocks of a heap, those that hang on others first; `loose` are the bodies that nothing joins to the
    ground."""

    blocks: tuple[Block, ...]
    loose: tuple[int, ...]
    weight: float


def structure(bodies: Sequence[Body], touching: Sequence[Contact]) -> Structure:
    """Take a heap apart. Fixed bodies are part of the ground."""
    free = [number for number, body in enumerate(bodies) if not body.fixed]
    graph: nx.Graph[int] = nx.Graph()
    graph.add_node(GROUND)
    graph.add_nodes_from(free)
    between: dict[tuple[int, int], list[Contact]] = {}
    for contact in touching:
        graph.add_edge(contact.body, contact.other)
        between.setdefault(_pair(contact.body, contact.other), []).append(contact)
    far = nx.single_source_shortest_path_length(graph, GROUND)
    # In each block the body that holds it is the nearest to the ground; what hangs on a block is held further away.
    found = cast("list[set[int]]", list(nx.biconnected_components(graph)))
    parts = [(min(part, key=lambda body: far[body]), part) for part in found if min(part) in far]
    parts.sort(key=lambda part: (-far[part[0]], sorted(part[1])))
    hanging: dict[int, list[tuple[float, Point]]] = {n: [(bodies[n].weight, bodies[n].centre)] for n in free}
    hanging[GROUND] = []
    blocks = []
    for head, part in parts:
        inside = sorted(part - {head})
        loads = tuple(Load(number, *weigh(hanging[number])) for number in inside)
        hanging[head].extend((load.weight, load.centre) for load in loads)
        held = sorted(part)
        pairs = (_pair(a, b) for i, a in enumerate(held) for b in held[i + 1:])
        blocks.append(Block(head, loads, tuple(contact for pair in pairs for contact in between.get(pair, ()))))
    weight = sum(bodies[number].weight for number in free)
    return Structure(tuple(blocks), tuple(number for number in free if number not in far), weight)


def _pair(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)
