"""A board: its cells, their names and places, and the graph of links between them.

A board is pure data. Cells are numbered from 0 in the board's order; a set of cells is an int used as a bit mask
(bit i is cell i), and a set of directions likewise (bit i is `directions[i]`). What can be computed from a board is
in `rulelang.boards.tables`; boards are made by `rulelang.boards.build`.

The five kinds, their order of cells and their directions:

=======  ===================  =================================  ====================================================
kind     names                order                              directions
=======  ===================  =================================  ====================================================
grid     a1 … h8, or 1 … 32   by rows, from row 1 at the bottom* north, northeast, east, southeast, south, southwest,
                                                                 west, northwest
hexes    a1 … k11             by rows, from row 1 at the top     northeast, east, southeast, southwest, west,
                                                                 northwest
track    1 … 24               along the track                    forward, back
lattice  a1.1 … c3.32         by layers from the lowest, in      north, east, south, west, up, down
                              each by rows from row 1 in front
graph    as given             as given                           none
=======  ===================  =================================  ====================================================

On hexes each row is drawn half a cell further right than the row above it: the cell (x, y) is linked to (x+1, y),
(x, y+1), (x-1, y+1) and their opposites, as on a board for Hex with a1 at the upper left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

GRID_DIRECTIONS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
HEX_DIRECTIONS = ("northeast", "east", "southeast", "southwest", "west", "northwest")
TRACK_DIRECTIONS = ("forward", "back")
LATTICE_DIRECTIONS = ("north", "east", "south", "west", "up", "down")

_EVERYWHERE = frozenset({"Cell", "neighbours", "reach", "distance"})
_STRAIGHT = frozenset(
    {
        *("Direction", "directions", "orthogonal", "diagonal", "row", "column", "rows", "columns", "rim", "lanes"),
        *("lines", "step", "step2", "ray", "slide", "between", "before"),
    }
)
_WORDS: Mapping[str, frozenset[str]] = {
    "grid": _EVERYWHERE | _STRAIGHT | {"leap", "blocks", "placements"},
    "hexes": _EVERYWHERE | _STRAIGHT,
    "track": _EVERYWHERE | _STRAIGHT,
    "lattice": _EVERYWHERE | _STRAIGHT | {"x", "y", "z", "placements"},
    "graph": _EVERYWHERE,
}


def bits(mask: int) -> Iterator[int]:
    """The members of a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(members: Iterable[int]) -> int:
    """The mask with these members."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


def column_name(number: int) -> str:
    """The letters of a column, counted from 1: a … z, aa, ab …"""
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


@dataclass(frozen=True, slots=True)
class Board:
    """The cells of a board and how they are linked. Made by the functions of `rulelang.boards.build`.

    `edges` are the links, each from a cell to a cell with the name of its direction ("" on graph boards); `graph`
    has a node for each cell and an edge for each of them, with the attribute `direction`. `links[c]` is the mask of
    the cells that `c` is linked to without a diagonal. `row` and `column` count from 1 (0 where points have no
    place of their own), `coordinates` are (x, y, z) from 0.
    """

    kind: str
    sizes: tuple[int, ...]
    names: tuple[str, ...]
    coordinates: tuple[tuple[int, int, int], ...]
    directions: tuple[str, ...]
    orthogonal: int
    diagonal: int
    links: tuple[int, ...]
    row: tuple[int, ...]
    column: tuple[int, ...]
    numbered: bool = False
    edges: tuple[tuple[int, int, str], ...] = field(compare=False, repr=False, kw_only=True)
    index: Mapping[str, int] = field(compare=False, repr=False, kw_only=True)

    def __hash__(self) -> int:
        return hash((self.kind, self.sizes, len(self.names), self.numbered))

    def __len__(self) -> int:
        return len(self.names)

    @property
    def graph(self) -> nx.DiGraph[int]:
        """The links as a graph, made when first asked for: checking a game needs none, and networkx loads slowly."""
        return _graph_of(self)

    @property
    def all(self) -> int:
        """The mask of all cells."""
        return (1 << len(self.names)) - 1

    @property
    def all_directions(self) -> int:
        """The mask of all directions."""
        return (1 << len(self.directions)) - 1

    @property
    def x(self) -> tuple[int, ...]:
        """The first coordinate of each cell, from 0."""
        return tuple(place[0] for place in self.coordinates)

    @property
    def y(self) -> tuple[int, ...]:
        """The second coordinate of each cell, from 0."""
        return tuple(place[1] for place in self.coordinates)

    @property
    def z(self) -> tuple[int, ...]:
        """The third coordinate of each cell, from 0: the layer on a lattice, else 0."""
        return tuple(place[2] for place in self.coordinates)

    @property
    def words(self) -> frozenset[str]:
        """The built-in words that mean something on this board: `leap` on grids, `x` on lattices, `mirror` where
        every cell has its image, and so on; the names of directions and `up`, `down` among them."""
        words = _WORDS[self.kind] | set(self.directions)
        if self.kind == "graph" and self.row[0]:
            words |= {"row", "column", "rows", "columns"}
        return words | {"mirror"} if self._mirrors() else words

    def _mirrors(self) -> bool:
        if self.kind not in ("grid", "hexes"):
            return False
        places = set(self.coordinates)
        return all((y, x, z) in places for x, y, z in places)

    @property
    def first_row_on_top(self) -> bool:
        """Whether row 1 is drawn uppermost (hexes) and not undermost (all others)."""
        return self.kind == "hexes"

    @property
    def picture(self) -> tuple[tuple[int, ...], ...]:
        """The cells as a picture's rows show them, uppermost row first, each from the left; -1 where no cell is.

        A lattice shows its lowest layer. Graphs have a picture only if their points are named by column and row.
        """
        if not self.names or not self.row[0]:
            return ()
        places = {(x, y): c for c, (x, y, z) in enumerate(self.coordinates) if z == 0}
        left, right = min(x for x, _ in places), max(x for x, _ in places)
        low, high = min(y for _, y in places), max(y for _, y in places)
        if self.kind in ("grid", "hexes", "lattice"):
            left, low, right, high = 0, 0, self.sizes[0] - 1, self.sizes[1] - 1
        rows = tuple(tuple(places.get((x, y), -1) for x in range(left, right + 1)) for y in range(low, high + 1))
        return rows if self.first_row_on_top else rows[::-1]

    def text(self, mask: int) -> str:
        """The names of a set's cells, in the board's order: `a1 b2`."""
        return " ".join(self.names[c] for c in bits(mask))

    def ways(self, mask: int) -> tuple[str, ...]:
        """The names of a set's directions."""
        return tuple(self.directions[d] for d in bits(mask))


@lru_cache(maxsize=64)
def _graph_of(board: Board) -> nx.DiGraph[int]:
    return linked_graph(len(board), board.edges)


def linked_graph(count: int, edges: Iterable[tuple[int, int, str]]) -> nx.DiGraph[int]:
    """The graph of so many cells with these links, each with the name of its direction."""
    import networkx as nx

    made: nx.DiGraph[int] = nx.DiGraph()
    made.add_nodes_from(range(count))
    for start, goal, direction in edges:
        made.add_edge(start, goal, direction=direction)
    return made
