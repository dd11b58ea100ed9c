"""Boards: cells, names, links, and the refusals."""

import pickle
import subprocess
import sys

import networkx as nx
import pytest

from rulelang.boards.board import bits, column_name, mask_of
from rulelang.boards.build import graph, grid, hexes, lattice, track
from rulelang.boards.draw import text_rows
from rulelang.boards.tables import tables


def dark(row: int, column: int) -> bool:
    return (row + column) % 2 == 0


def test_a_grid_goes_by_rows_from_below():
    board = grid(8, 8)
    assert board.names[:3] == ("a1", "b1", "c1")
    assert board.names[8] == "a2" and board.names[-1] == "h8"
    assert board.index["e4"] == 28
    assert (board.row[28], board.column[28]) == (4, 5)
    assert board.coordinates[28] == (4, 3, 0)
    assert board.ways(board.orthogonal) == ("north", "east", "south", "west")
    assert board.ways(board.diagonal) == ("northeast", "southeast", "southwest", "northwest")


def test_grid_links_are_those_of_networkx():
    board = grid(7, 5)
    ours = {frozenset((a, b)) for a, b, way in board.graph.edges(data="direction") if len(way) <= 5}
    named = {place: cell for cell, place in enumerate(board.coordinates)}
    theirs = {frozenset((named[(*a, 0)], named[(*b, 0)])) for a, b in nx.grid_2d_graph(7, 5).edges}
    assert ours == theirs
    assert board.links == tuple(mask_of(b for b in range(35) if frozenset((a, b)) in theirs) for a in range(35))


def test_columns_after_z():
    assert [column_name(n) for n in (1, 26, 27, 28, 52, 53, 64)] == ["a", "z", "aa", "ab", "az", "ba", "bl"]
    assert grid(64, 64).names[-1] == "bl64"
    assert len(set(grid(64, 64).names)) == 4096


def test_numbers_may_begin_in_the_uppermost_row() -> None:
    board = grid(4, 3, numbers=True, from_above=True)
    assert board.names[:5] == ("1", "2", "3", "4", "5")
    assert [board.row[board.index[name]] for name in ("1", "4", "5", "12")] == [3, 3, 2, 1]
    assert text_rows(board, {})[0].split()[0] == "1"
    ways = tables(board)
    south = board.directions.index("south")
    assert [board.names[c] for c in ways.ray(board.index["2"], south)] == ["6", "10"]
    assert ways.slide(board.index["2"], 1 << south, 0) == 1 << board.index["6"]
    assert ways.step(1 << board.index["6"], 1 << board.directions.index("north")) == 1 << board.index["2"]


def test_the_draughts_board_has_squares_1_to_32():
    board = grid(8, 8, dark, numbers=True)
    assert board.names == tuple(str(n) for n in range(1, 33))
    assert board.numbered
    assert [board.row[board.index[n]] for n in ("1", "4", "5", "12", "21", "32")] == [1, 1, 2, 3, 6, 8]
    assert [board.column[board.index[n]] for n in ("1", "4", "5", "8")] == [1, 7, 2, 8]
    assert set(board.links) == {0}


def test_hexes_have_the_links_of_a_hex_board():
    board = hexes(11, 11)
    assert board.graph.number_of_edges() == 2 * (3 * 11 * 11 - 4 * 11 + 1)
    assert board.text(board.links[board.index["f6"]]) == "f5 g5 e6 g6 e7 f7"
    assert board.text(board.links[board.index["a1"]]) == "b1 a2"
    assert board.text(board.links[board.index["k1"]]) == "j1 j2 k2"
    assert board.diagonal == 0
    assert board.first_row_on_top and board.picture[0][:2] == (0, 1)


def test_a_track_and_a_lattice():
    board = track(24)
    assert board.names[0] == "1" and board.names[-1] == "24"
    assert board.directions == ("forward", "back")
    box = lattice(3, 3, 32)
    assert len(box) == 288
    assert [box.names[c] for c in (0, 1, 3, 9, 287)] == ["a1.1", "b1.1", "a2.1", "a1.2", "c3.32"]
    assert (box.x[287], box.y[287], box.z[287]) == (2, 2, 31)
    assert nx.is_isomorphic(box.graph.to_undirected(), nx.grid_graph((32, 3, 3)))


def test_a_graph_has_the_links_it_is_given():
    board = graph({"b1": ["a1", "b2"], "a1": ["b1"], "b2": ["b1"]})
    assert board.names == ("b1", "a1", "b2")
    assert board.coordinates == ((1, 0, 0), (0, 0, 0), (1, 1, 0))
    assert (board.row, board.column) == ((1, 1, 2), (2, 1, 2))
    assert board.links == (0b110, 0b001, 0b001)
    assert board.picture == ((-1, 2), (1, 0))
    assert "row" in board.words and "ray" not in board.words


def test_numbers_after_one_letter_are_no_places():
    assert graph({"n1": ["n2"], "n2": ["n1"]}).row == (0, 0)
    assert graph({"a1": ["b65"], "b65": ["a1"]}).row == (0, 0)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 30])
def test_points_without_places_are_laid_out_apart(count):
    links = nx.gnp_random_graph(count, 0.3, seed=count)
    points = {f"town {n}": [f"town {m}" for m in links[n]] for n in links}
    board = graph(points)
    assert len(set(board.coordinates)) == count
    assert board == graph(points)
    assert set(board.row) == {0} and board.picture == ()


def test_all_faults_of_a_graph_are_named_at_once():
    with pytest.raises(ValueError) as caught:
        graph({"a": ["b", "q", "a"], "b": ["c", "c"], "c": ["b"]})
    text = str(caught.value)
    assert "`a` is linked to `b`, but `b` is not linked to `a`" in text
    assert "`a` is linked to `q`, which is not a point of the board" in text
    assert "`a` is linked to itself" in text
    assert "`b` is linked to `c` twice" in text


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: grid(0, 8), "grid 0x8: a side has 1 to 64 cells"),
        (lambda: grid(65, 8), "grid 65x8"),
        (lambda: hexes(11, -1), "hexes 11x-1"),
        (lambda: track(4097), "a track has 1 to 4096 cells, not 4097"),
        (lambda: lattice(64, 64, 2), "at most 4096 cells, this would have 8192"),
        (lambda: grid(3, 3, lambda row, column: False), "no space is left"),
        (lambda: graph({}), "at least one point"),
    ],
)
def test_absurd_boards_are_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_words_say_what_a_board_knows():
    assert {"leap", "mirror", "north", "blocks"} <= grid(8, 8).words
    assert "mirror" not in grid(8, 7).words
    assert {"up", "down", "x", "y", "z"} <= lattice(2, 2, 2).words
    assert "up" not in grid(8, 8).words
    assert {"neighbours", "reach"} <= graph({"a": []}).words


def test_boards_are_values():
    assert grid(8, 8) == grid(8, 8) and hash(grid(8, 8)) == hash(grid(8, 8))
    assert grid(8, 8) != grid(8, 8, dark)
    board = grid(5, 5)
    assert pickle.loads(pickle.dumps(board)) == board
    assert list(bits(mask_of([3, 5, 64]))) == [3, 5, 64]


def test_reading_the_module_does_not_load_networkx():
    code = "import sys, rulelang.boards.tables, rulelang.boards.build; print('networkx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
