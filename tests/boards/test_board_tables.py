"""The static tables, against networkx, against plain loops and against numbers known from elsewhere."""

from functools import reduce
from operator import or_

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulelang.boards.board import Board, bits, mask_of
from rulelang.boards.build import graph, grid, hexes, lattice, track
from rulelang.boards.tables import Tables, part_of, tables

WAYS = {
    **{"north": (0, 1, 0), "east": (1, 0, 0), "south": (0, -1, 0), "west": (-1, 0, 0), "up": (0, 0, 1)},
    **{"northeast": (1, 1, 0), "southeast": (1, -1, 0), "southwest": (-1, -1, 0), "northwest": (-1, 1, 0)},
    **{"forward": (1, 0, 0), "back": (-1, 0, 0), "down": (0, 0, -1)},
}
HEX_WAYS = {
    **{"northeast": (1, -1, 0), "east": (1, 0, 0), "southeast": (0, 1, 0)},
    **{"southwest": (-1, 1, 0), "west": (-1, 0, 0), "northwest": (0, -1, 0)},
}


def cells(board: Board, names: str) -> int:
    return mask_of(board.index[name] for name in names.split())


@st.composite
def boards(draw: st.DrawFn) -> Board:
    kind = draw(st.sampled_from(["grid", "holes", "hexes", "track", "lattice", "graph"]))
    a, b, c = (draw(st.integers(1, 6)) for _ in range(3))
    if kind == "grid":
        return grid(a, b)
    if kind == "holes":
        kept = draw(st.sets(st.integers(0, a * b - 1), min_size=1))
        return grid(a, b, lambda row, column: (row - 1) * a + column - 1 in kept)
    if kind == "hexes":
        return hexes(a, b)
    if kind == "track":
        return track(a * b)
    if kind == "lattice":
        return lattice(min(a, 3), min(b, 3), c)
    links = nx.gnp_random_graph(a + b, 0.35, seed=draw(st.integers(0, 999)))
    return graph({f"p{n}q": [f"p{m}q" for m in links[n]] for n in links})


def straight(board: Board) -> nx.Graph:
    """The board's links without diagonals, made from places alone where there are any."""
    if board.kind == "graph":
        return nx.Graph(board.graph)
    made = nx.Graph()
    made.add_nodes_from(range(len(board)))
    for a, p in enumerate(board.coordinates):
        for b, q in enumerate(board.coordinates):
            gap = tuple(y - x for x, y in zip(p, q, strict=True))
            if sorted(map(abs, gap)) == [0, 0, 1] or (board.kind == "hexes" and gap in {(1, -1, 0), (-1, 1, 0)}):
                made.add_edge(a, b)
    return made


def walk(board: Board, cell: int, way: str) -> list[int]:
    """The cells from one on in a direction, by arithmetic."""
    gap = (HEX_WAYS if board.kind == "hexes" else WAYS)[way]
    line: list[int] = []
    place = board.coordinates[cell]
    while (place := tuple(p + g for p, g in zip(place, gap, strict=True))) in board.coordinates:
        line.append(board.coordinates.index(place))
    return line


@given(boards(), st.data())
def test_links_distance_and_reach_are_those_of_networkx(board, data):
    witness, table = straight(board), tables(board)
    mask = data.draw(st.integers(0, board.all), label="set")
    through = data.draw(st.integers(0, board.all), label="through")
    near = {b for a in bits(mask) for b in witness[a]} - set(bits(mask))
    assert table.neighbours(mask) == mask_of(near)

    within = witness.subgraph(bits(through))
    found = set(bits(mask))
    for a in bits(mask):
        for b in {a, *witness[a]} & set(bits(through)):
            found |= nx.node_connected_component(within, b)
    assert table.reach(mask, through) == mask_of(found)
    assert {frozenset(bits(part)) for part in table.groups(through)} == set(
        map(frozenset, nx.connected_components(within))
    )

    a = data.draw(st.integers(0, len(board) - 1), label="cell")
    lengths = nx.single_source_shortest_path_length(witness, a)
    assert [table.distance(a, b) for b in range(len(board))] == [lengths.get(b) for b in range(len(board))]


@given(boards(), st.data())
def test_steps_rays_and_slides_are_those_of_arithmetic(board, data):
    table = tables(board)
    ways = data.draw(st.integers(0, board.all_directions), label="ways")
    mask = data.draw(st.integers(0, board.all), label="set")
    cell = data.draw(st.integers(0, len(board) - 1), label="cell")
    names = board.ways(ways)
    lines = {way: walk(board, cell, way) for way in names}
    assert table.step(mask, ways) == mask_of({b for a in bits(mask) for way in names for b in walk(board, a, way)[:1]})
    assert table.step2(cell, ways) == mask_of({b for line in lines.values() for b in line[1:2]})
    assert table.ray_mask(cell, ways) == mask_of({b for line in lines.values() for b in line})
    slid = set()
    for way, line in lines.items():
        assert table.ray(cell, board.directions.index(way)) == tuple(line)
        for n, goal in enumerate(line):
            assert table.between(cell, goal) == mask_of(line[:n])
        for goal in line:
            slid.add(goal)
            if not mask >> goal & 1:
                break
    assert table.slide(cell, ways, mask) == mask_of(slid)
    for d, back in enumerate(table.opposite):
        onward = table.neighbour[d][cell]
        assert onward < 0 or table.neighbour[back][onward] == cell


def test_knights_have_336_leaps():
    table = tables(grid(8, 8))
    assert sum(table.leap(c, 1, 2).bit_count() for c in range(64)) == 336
    assert table.board.text(table.leap(0, 2, 1)) == "c2 b3"
    assert table.board.text(table.leap(table.board.index["d4"], 0, 1)) == "d3 c4 e4 d5"
    assert table.leap(0, 0, 0) == 0


@pytest.mark.parametrize(
    ("board", "length", "count"),
    [
        (grid(7, 6), 4, 69),
        (grid(3, 3), 3, 8),
        (grid(15, 15), 5, 572),
        (lattice(4, 4, 4), 4, 76),
        (lattice(3, 3, 3), 3, 49),
        (track(6), 3, 4),
        (hexes(3, 3), 3, 7),
        (grid(4, 4), 1, 16),
        (grid(4, 4), 0, 0),
        (grid(4, 4), 5, 0),
    ],
)
def test_the_numbers_of_lines(board, length, count):
    lines = tables(board).lines(length)
    assert len(lines) == len(set(lines)) == count
    assert all(line.bit_count() == length for line in lines)
    assert list(lines) == sorted(lines, key=lambda line: tuple(bits(line)))


def test_a_9x9_board_has_36_lanes():
    table = tables(grid(9, 9))
    assert len(table.lanes) == len(set(table.lanes)) == 36
    assert all(len(lane) == 9 and table.rim >> lane[0] & 1 for lane in table.lanes)
    assert {lane[::-1] for lane in table.lanes} == set(table.lanes)
    assert table.before(table.board.index["c1"], table.lanes[9]) == cells(table.board, "a1 b1")
    assert table.before(table.board.index["a5"], table.lanes[9]) == 0


def test_rims():
    board = grid(4, 4)
    assert tables(board).rim == board.all & ~cells(board, "b2 c2 b3 c3")
    draughts = grid(8, 8, lambda row, column: (row + column) % 2 == 0)
    assert tables(draughts).rim.bit_count() == 14
    cross = grid(7, 7, lambda row, column: row in (3, 4, 5) or column in (3, 4, 5))
    assert tables(cross).rim == cross.all & ~cells(cross, "d2 b4 c3 d3 e3 c4 d4 e4 c5 d5 e5 f4 d6")
    assert tables(hexes(5, 5)).rim.bit_count() == 16
    assert tables(track(9)).rim == 0b100000001


def test_an_inner_hexagon_has_six_neighbours_and_a_mirror():
    board = hexes(11, 11)
    table = tables(board)
    assert table.neighbours(cells(board, "f6")).bit_count() == 6
    assert table.distance(board.index["a1"], board.index["k11"]) == 20
    assert table.distance(board.index["a11"], board.index["k1"]) == 10
    assert table.mirror(board.index["b7"]) == board.index["g2"]
    assert tables(hexes(4, 3)).mirror(3) == -1


def test_draughts_numbers_are_the_official_ones_where_row_1_begins_with_a_light_square():
    board = grid(8, 8, lambda row, column: (row + column) % 2 == 1, numbers=True)
    table = tables(board)
    north = mask_of(board.directions.index(way) for way in ("northeast", "northwest"))
    free = cells(board, "13 14 15 16 17 18 19 20")
    moves = [
        f"{board.names[start]}-{board.names[goal]}"
        for start in range(12)
        for goal in bits(table.step(1 << start, north) & free)
    ]
    assert moves == ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]
    assert board.text(table.step2(board.index["14"], board.diagonal)) == "5 7 21 23"
    assert board.text(table.between(board.index["14"], board.index["23"])) == "18"
    assert sum(table.step(1 << c, north).bit_count() for c in range(32)) == 49


def test_rows_columns_blocks_and_layers():
    table = tables(grid(9, 9))
    for areas in (table.rows(), table.columns(), table.blocks(3, 3)):
        assert len(areas) == 9 and all(area.bit_count() == 9 for area in areas)
        assert reduce(or_, areas) == table.board.all
    assert table.board.text(table.blocks(3, 3)[1]) == "d1 e1 f1 d2 e2 f2 d3 e3 f3"
    assert part_of(table.blocks(3, 3), 81)[80] == 8
    assert part_of((0b10,), 3) == (-1, 0, -1)
    assert [layer.bit_count() for layer in tables(lattice(3, 3, 4)).layers()] == [9, 9, 9, 9]
    with pytest.raises(ValueError, match="9x9 grid can't be cut into blocks of 2x3"):
        table.blocks(2, 3)
    with pytest.raises(ValueError, match="only a grid"):
        tables(track(4)).blocks(2, 2)


def test_nothing_fails_where_a_board_has_no_such_thing():
    table = tables(graph({"a": ["b"], "b": ["a"], "alone": []}))
    assert table.step(0b111, 0b1111) == table.leap(0, 1, 2) == table.ray_mask(0, 1) == table.between(0, 1) == 0
    assert table.lanes == table.lines(2) == table.rows() == ()
    assert table.rim == 0 and table.mirror(0) == -1
    assert table.distance(0, 2) is None and table.neighbours(0b001) == 0b010


def test_tables_are_made_once():
    assert tables(grid(8, 8)) is tables(grid(8, 8))
    assert isinstance(tables(grid(8, 8)), Tables)
    assert tables(grid(8, 8)) is not tables(grid(8, 7))
