"""Shapes: known numbers of turnings and of placements."""

import pytest

from rulelang.boards.board import mask_of
from rulelang.boards.build import grid, hexes, lattice
from rulelang.boards.shapes import normal, orientations, parse, placements
from rulelang.boards.tables import tables

# The 21 free polyominoes of one to five squares.
POLYOMINOES = [
    *("#", "##", "###", "##/#.", "####", "##/##", "###/#..", "###/.#.", "##./.##"),
    *("#####", "####/#...", "####/.#..", "###./..##", "###/##.", "###/#.#", "###/#../#.."),
    *("###/.#./.#.", ".#./###/.#.", "##./.##/.#.", "##./.##/..#", "##./.#./.##"),
]

# The twelve polycubes of a tower game on the eight outer squares of 3x3, with the ways each can stand on the ground.
POLYCUBES = {
    **{"000 001": 16, "000 001 002": 12, "000 001 010": 36, "000 001 002 003": 8, "000 001 002 010": 56},
    **{"000 001 002 011": 24, "000 001 010 011": 8, "000 001 010 100": 8, "000 001 010 101": 12},
    **{"000 001 010 110": 12, "000 001 011 012": 24, "000 001 002 010 020": 20},
}


def test_21_polyominoes_have_91_turnings():
    assert len(POLYOMINOES) == 21
    shapes = [parse(rows.split("/")) for rows in POLYOMINOES]
    assert sum(len(orientations(shape, 2, True)) for shape in shapes) == 91
    assert len({orientations(shape, 2, True)[0] for shape in shapes}) == 21
    assert sum(len(shape) for shape in shapes) == 89


def test_a_cube_has_24_rotations():
    lopsided = parse(["000", "100", "200", "010", "011"])
    assert len(orientations(lopsided, 3, False)) == 24
    assert len(orientations(lopsided, 3, True)) == 48
    assert len(orientations(parse(["000"]), 3, True)) == 1


def test_a_screw_is_not_its_mirror_image():
    left, right = parse(["000", "001", "010", "101"]), parse(["000", "001", "010", "110"])
    assert not set(orientations(left, 3, False)) & set(orientations(right, 3, False))
    assert orientations(left, 3, True) == orientations(right, 3, True)


def test_236_first_placements_on_the_ring():
    board = lattice(3, 3, 32)
    ground = tables(board).layers()[0]
    chimney = mask_of(c for c in range(len(board)) if board.x[c] == 1 == board.y[c])
    ways = {
        cubes: sum(1 for spot in placements(board, parse(cubes.split())) if spot & ground and not spot & chimney)
        for cubes in POLYCUBES
    }
    assert ways == POLYCUBES
    assert sum(ways.values()) == 236


def test_placements_on_a_grid():
    board = grid(14, 14)
    straight = placements(board, parse(["#####"]))
    assert len(straight) == 2 * 10 * 14
    assert len(placements(board, parse(["##.", ".##"]))) == 4 * 13 * 12
    assert len(placements(board, parse(["#"]))) == 196
    assert board.text(straight[0]) == "a1 b1 c1 d1 e1" and board.text(straight[1]) == "a1 a2 a3 a4 a5"


def test_placements_keep_to_the_cells_there_are():
    board = grid(3, 3, lambda row, column: (row, column) != (2, 2))
    assert len(placements(board, parse(["##"]))) == 8
    assert len(placements(board, parse(["##", "##"]))) == 0
    assert placements(grid(2, 2), parse(["###"])) == ()
    assert placements(hexes(3, 3), parse(["##"])) == ()
    assert placements(grid(3, 3), parse(["000", "001"])) == ()


def test_pictures_are_read_from_the_top():
    assert parse(["#.", "##"]) == ((0, 0, 0), (0, 1, 0), (1, 0, 0))
    assert parse(["..#", ".##"]) == ((0, 0, 0), (1, 0, 0), (1, 1, 0))
    assert normal([(5, 5, 5), (4, 5, 6)]) == ((0, 0, 1), (1, 0, 0))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "at least one cube"),
        (["..", ".."], "at least one `#`"),
        (["##", "#"], "equally long"),
        (["#x"], "no `x`"),
        (["000", "001", "000"], "named twice"),
        (["#" * 65], "at most 64"),
    ],
)
def test_what_is_no_shape_is_refused(rows, words):
    with pytest.raises(ValueError, match=words):
        parse(rows)
