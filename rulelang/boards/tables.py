"""What the rules ask of a board, answered from static tables.

`tables(board)` gives the one `Tables` of a board. Each table is computed from the board's graph when it is first
needed. Sets of cells and of directions are bit masks. No question about cells fails: where a board has no such
thing (the leap of a knight on a track), the answer is the empty set. `Board.words` says what is worth asking.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from rulelang.boards.board import Board, bits, mask_of

if TYPE_CHECKING:
    import networkx as nx

Line = tuple[int, ...]
_Near = tuple[int, ...]
_Shifts = tuple[tuple[int, int], ...]


@lru_cache(maxsize=64)
def tables(board: Board) -> Tables:
    """The tables of a board, the same for equal boards."""
    return Tables(board)


class Tables:
    """The static tables of one board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._steps: dict[int, tuple[_Near, _Shifts]] = {}
        self._double: dict[int, _Near] = {}
        self._ray_masks: dict[int, _Near] = {}
        self._leaps: dict[tuple[int, int], _Near] = {}
        self._between: dict[int, dict[int, int]] = {}
        self._lines: dict[int, tuple[int, ...]] = {}
        self._distances: dict[int, tuple[int, ...]] = {}

    # Steps

    @cached_property
    def neighbour(self) -> tuple[tuple[int, ...], ...]:
        """`neighbour[d][c]`: the cell next to `c` in the direction `d`, or -1."""
        number = {name: d for d, name in enumerate(self.board.directions)}
        found = [[-1] * len(self.board) for _ in number]
        for start, goal, link in self.board.graph.edges(data=True):
            if link["direction"]:
                found[number[link["direction"]]][start] = goal
        return tuple(map(tuple, found))

    @cached_property
    def opposite(self) -> tuple[int, ...]:
        """The direction that leads back from each direction."""
        back = {"north": "south", "east": "west", "northeast": "southwest", "northwest": "southeast"}
        back |= {"forward": "back", "up": "down"}
        back |= {goal: start for start, goal in back.items()}
        return tuple(self.board.directions.index(back[name]) for name in self.board.directions)

    def step(self, mask: int, ways: int) -> int:
        """The cells one step from any of the set, in any of the directions."""
        plan = self._steps.get(ways)
        if plan is None:
            near = self._near(ways)
            plan = self._steps[ways] = near, _shifts(near)
        near, shifts = plan
        return _spread(mask, near, shifts)

    def step2(self, cell: int, ways: int) -> int:
        """The cells exactly two steps straight on, in any of the directions."""
        found = self._double.get(ways)
        if found is None:
            chosen = [self.neighbour[d] for d in bits(ways & self.board.all_directions)]
            pairs = ([(near[c], near) for near in chosen] for c in range(len(self.board)))
            found = tuple(mask_of(near[c] for c, near in pair if c >= 0 and near[c] >= 0) for pair in pairs)
            self._double[ways] = found
        return found[cell]

    def leap(self, cell: int, a: int, b: int) -> int:
        """The cells at (±a, ±b) or (±b, ±a) from a cell of a grid, whatever lies between."""
        found = self._leaps.get((a, b))
        if found is None:
            found = self._leaps[a, b] = self._leap(a, b)
        return found[cell]

    def _near(self, ways: int) -> _Near:
        chosen = [self.neighbour[d] for d in bits(ways & self.board.all_directions)]
        return tuple(mask_of(near[c] for near in chosen if near[c] >= 0) for c in range(len(self.board)))

    def _leap(self, a: int, b: int) -> _Near:
        if self.board.kind != "grid":
            return (0,) * len(self.board)
        offsets = {(sign * p, other * q) for p, q in ((a, b), (b, a)) for sign in (1, -1) for other in (1, -1)}
        at = self._at
        return tuple(
            mask_of(at[x + dx, y + dy, z] for dx, dy in offsets if (dx or dy) and (x + dx, y + dy, z) in at)
            for x, y, z in self.board.coordinates
        )

    @cached_property
    def _at(self) -> dict[tuple[int, int, int], int]:
        return {place: c for c, place in enumerate(self.board.coordinates)}

    # Straight lines

    @cached_property
    def rays(self) -> tuple[tuple[Line, ...], ...]:
        """`rays[d][c]`: the cells from `c` on in the direction `d`, nearest first, without `c`."""
        return tuple(tuple(_follow(near, c) for c in range(len(near))) for near in self.neighbour)

    def ray(self, cell: int, way: int) -> Line:
        """The cells from one on in one direction (its number), nearest first, without the cell itself."""
        return self.rays[way][cell]

    def ray_mask(self, cell: int, ways: int) -> int:
        """The cells from one on in any of the directions (a mask)."""
        found = self._ray_masks.get(ways)
        if found is None:
            chosen = [self._reaching[d] for d in bits(ways & self.board.all_directions)]
            found = tuple(_union(masks[c] for masks in chosen) for c in range(len(self.board)))
            self._ray_masks[ways] = found
        return found[cell]

    @cached_property
    def _reaching(self) -> tuple[_Near, ...]:
        return tuple(tuple(map(mask_of, lines)) for lines in self.rays)

    @cached_property
    def _rising(self) -> tuple[bool, ...]:
        """Whether the numbers of cells rise along each direction; along its rays they rise or fall throughout."""
        return tuple(all(goal < 0 or goal > c for c, goal in enumerate(near)) for near in self.neighbour)

    def slide(self, cell: int, ways: int, free: int) -> int:
        """The free cells that lie open in the directions, and in each the first that is not free."""
        found = 0
        ways &= self.board.all_directions
        while ways:
            low = ways & -ways
            ways ^= low
            d = low.bit_length() - 1
            masks = self._reaching[d]
            open_to = masks[cell]
            blocked = open_to & ~free
            if blocked:
                first = (blocked & -blocked if self._rising[d] else blocked).bit_length() - 1
                open_to &= ~masks[first]
            found |= open_to
        return found

    def between(self, a: int, b: int) -> int:
        """The cells strictly between two cells on a straight line; none if they are not on one."""
        found = self._between.get(a)
        if found is None:
            found = {}
            for lines in self.rays:
                passed = 0
                for cell in lines[a]:
                    found[cell] = passed
                    passed |= 1 << cell
            self._between[a] = found
        return found.get(b, 0)

    def before(self, cell: int, line: Sequence[int]) -> int:
        """The cells of a line that come before a cell of it; none if the cell is not in the line."""
        passed = 0
        for other in line:
            if other == cell:
                return passed
            passed |= 1 << other
        return 0

    @cached_property
    def lanes(self) -> tuple[Line, ...]:
        """Every straight line without diagonals right across the board, both ways; by direction, then first cell."""
        found: dict[Line, None] = {}
        for d in bits(self.board.orthogonal):
            behind = self.neighbour[self.opposite[d]]
            for c, line in enumerate(self.rays[d]):
                if behind[c] < 0:
                    found[(c, *line)] = None
        return tuple(found)

    def lines(self, length: int) -> tuple[int, ...]:
        """The sets of so many cells in a straight line, each once, sorted by the numbers of their cells.

        All directions count, diagonal ones too, and on a lattice also the diagonals of its layers and of the box.
        """
        found = self._lines.get(length)
        if found is None:
            lines = set(self._find_lines(length)) if length > 0 else set()
            found = self._lines[length] = tuple(mask_of(line) for line in sorted(lines))
        return found

    def _find_lines(self, length: int) -> Iterable[Line]:
        if self.board.kind == "lattice":
            ways = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (z, y, x) > (0, 0, 0)]
            for x, y, z in self.board.coordinates:
                for dx, dy, dz in ways:
                    line = [self._at.get((x + n * dx, y + n * dy, z + n * dz), -1) for n in range(length)]
                    if min(line) >= 0:
                        yield tuple(sorted(line))
            return
        for lines in self.rays:
            for c, ray in enumerate(lines):
                if len(ray) >= length - 1:
                    yield tuple(sorted((c, *ray[: length - 1])))

    # Links

    def neighbours(self, mask: int) -> int:
        """The cells linked to any of the set, diagonals apart, without the set itself."""
        return _spread(mask, self.board.links, self._link_shifts) & ~mask

    @cached_property
    def _link_shifts(self) -> _Shifts:
        return _shifts(self.board.links)

    def reach(self, mask: int, through: int) -> int:
        """The set and all that is linked to it, cell by cell, within `through`."""
        links, shifts = self.board.links, self._link_shifts
        found = fresh = mask
        while fresh:
            fresh = _spread(fresh, links, shifts) & through & ~found
            found |= fresh
        return found

    def groups(self, mask: int) -> tuple[int, ...]:
        """The connected parts of a set, in the board's order of their first cells."""
        parts = []
        while mask:
            part = self.reach(mask & -mask, mask)
            parts.append(part)
            mask &= ~part
        return tuple(parts)

    def distance(self, a: int, b: int) -> int | None:
        """The least number of links from one cell to another; None if there is no way."""
        length = self.distances(a)[b]
        return None if length < 0 else length

    def distances(self, a: int) -> tuple[int, ...]:
        """The least number of links from one cell to each, -1 where there is no way."""
        found = self._distances.get(a)
        if found is None:
            import networkx as nx

            lengths = nx.single_source_shortest_path_length(self._linked, a)
            found = self._distances[a] = tuple(lengths.get(c, -1) for c in range(len(self.board)))
        return found

    @cached_property
    def _linked(self) -> nx.DiGraph[int]:
        """The board's graph without its diagonals."""
        import networkx as nx

        straight = {"", *self.board.ways(self.board.orthogonal)}
        kept: nx.DiGraph[int] = nx.DiGraph()
        kept.add_nodes_from(self.board.graph)
        kept.add_edges_from((a, b) for a, b, link in self.board.graph.edges(data=True) if link["direction"] in straight)
        return kept

    # Parts

    @cached_property
    def rim(self) -> int:
        """The cells where one can step off the board (to a missing space too), diagonals apart.

        Where only diagonals link the cells (draughts) it is the outermost rows and columns; on graphs it is empty.
        """
        board = self.board
        if any(board.links):
            sides = [self.neighbour[d] for d in bits(board.orthogonal)]
            return mask_of(c for c in range(len(board)) if any(near[c] < 0 for near in sides))
        if board.kind == "graph":
            return 0
        edges = [{0, size - 1} for size in board.sizes]
        return mask_of(
            c
            for c, place in enumerate(board.coordinates)
            if any(at in edge for at, edge in zip(place, edges, strict=False))
        )

    def rows(self) -> tuple[int, ...]:
        """The rows, from row 1; none where points have no place of their own."""
        return _grouped(self.board.row)

    def columns(self) -> tuple[int, ...]:
        """The columns, from column 1; none where points have no place of their own."""
        return _grouped(self.board.column)

    def layers(self) -> tuple[int, ...]:
        """The layers of a lattice from the lowest; elsewhere all cells as one."""
        return _grouped(tuple(z + 1 for z in self.board.z))

    def blocks(self, width: int, height: int) -> tuple[int, ...]:
        """The boxes of so many columns and rows that tile a grid, by rows of boxes from a1 on.

        A `ValueError` says why a board can't be tiled so.
        """
        if self.board.kind != "grid":
            raise ValueError("only a grid can be cut into blocks")
        across, along = self.board.sizes
        if width < 1 or height < 1 or across % width or along % height:
            raise ValueError(f"a {across}x{along} grid can't be cut into blocks of {width}x{height}")
        boxes = [0] * ((across // width) * (along // height))
        for c, (x, y, _) in enumerate(self.board.coordinates):
            boxes[y // height * (across // width) + x // width] |= 1 << c
        return tuple(box for box in boxes if box)

    def mirror(self, cell: int) -> int:
        """The image of a cell in the main diagonal (b1 for a2) of a grid or of hexes; -1 where there is none."""
        return self._mirror[cell]

    @cached_property
    def _mirror(self) -> tuple[int, ...]:
        if self.board.kind not in ("grid", "hexes"):
            return (-1,) * len(self.board)
        return tuple(self._at.get((y, x, z), -1) for x, y, z in self.board.coordinates)


def part_of(areas: Iterable[int], count: int) -> tuple[int, ...]:
    """For each of `count` cells the number of the first area that holds it, or -1: the table behind `box of c`."""
    found = [-1] * count
    for number, area in enumerate(areas):
        for cell in bits(area):
            if found[cell] < 0:
                found[cell] = number
    return tuple(found)


def _spread(mask: int, near: _Near, shifts: _Shifts) -> int:
    """The union of what is near each cell: cell by cell for few cells, else by shifting the whole set."""
    found = 0
    if mask.bit_count() <= len(shifts):
        while mask:
            low = mask & -mask
            found |= near[low.bit_length() - 1]
            mask ^= low
        return found
    for shift, source in shifts:
        moved = mask & source
        if moved:
            found |= moved << shift if shift >= 0 else moved >> -shift
    return found


def _shifts(near: _Near) -> _Shifts:
    """The same table by distances: (shift, the cells that have a cell of their table at this distance)."""
    sources: dict[int, int] = {}
    for c, mask in enumerate(near):
        for other in bits(mask):
            sources[other - c] = sources.get(other - c, 0) | 1 << c
    return tuple(sorted(sources.items()))


def _follow(near: Sequence[int], cell: int) -> Line:
    line = []
    while (cell := near[cell]) >= 0:
        line.append(cell)
    return tuple(line)


def _union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def _grouped(numbers: Sequence[int]) -> tuple[int, ...]:
    groups = [0] * max(numbers)
    for c, number in enumerate(numbers):
        if number:
            groups[number - 1] |= 1 << c
    return tuple(groups)
