"""Drawings: what a person reads off a terminal, and SVG that is well formed whatever it is fed."""

from textwrap import dedent
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulelang.boards.board import Board
from rulelang.boards.build import graph, grid, hexes, lattice, track
from rulelang.boards.draw import svg, text_pieces, text_rows
from rulelang.boards.tables import tables

SVG = "{http://www.w3.org/2000/svg}"
TRIANGLE = {"north pole": ["b", "c"], "b": ["north pole", "c"], "c": ["b", "north pole"]}
BOARDS = [
    grid(8, 8),
    grid(8, 8, lambda row, column: (row + column) % 2 == 0, numbers=True),
    grid(5, 5, lambda row, column: row != column),
    hexes(5, 4),
    track(40),
    lattice(3, 3, 32),
    graph({"a1": ["b1", "b3"], "b1": ["a1", "b3"], "b3": ["a1", "b1"]}),
    graph(TRIANGLE),
]


def drawn(board: Board, glyphs: dict[int, str], width: int = 80) -> str:
    return "\n" + "\n".join(text_rows(board, glyphs, width)) + "\n"


def test_a_grid_in_text():
    assert drawn(grid(4, 3), {0: "R", 11: "k"}) == dedent("""
        3  . . . k
        2  . . . .
        1  R . . .
           a b c d
        """)


def test_a_numbered_grid_shows_the_numbers_of_empty_squares():
    board = grid(4, 4, lambda row, column: (row + column) % 2 == 0, numbers=True)
    assert drawn(board, {0: "b", 7: "w"}) == dedent("""
        7    7   w  8
        5  5   6    6
        3    3   4  4
        1  b   2    2
        """)


def test_hexes_in_text_lean_to_the_right():
    assert drawn(hexes(3, 3), {4: "X"}) == dedent("""
         a b c
        1 . . .
         2 . X .
          3 . . .
             a b c
        """)


def test_points_in_text_with_their_links():
    points = {"a1": ["b1", "a2", "b2"], "b1": ["a1", "b2"], "a2": ["a1", "b2"], "b2": ["a1", "a2", "b1", "d1"]}
    board = graph({**points, "d1": ["b2"]})
    assert drawn(board, {0: "X"}) == dedent("""
        2  .---.
           | / |
        1  X---.       .
           a   b       d

        also linked: b2 d1
        """)


def test_points_without_places_are_listed():
    assert drawn(graph(TRIANGLE), {1: "X"}) == dedent("""
        . north pole  b, c
        X b           north pole, c
        . c           north pole, b
        """)


def test_a_lattice_in_text_has_layers_and_heights():
    assert drawn(lattice(2, 2, 9), {0: "A", 4: "B", 3: "C"}) == dedent("""
           layer 1   layer 2   height
        2  . C       . .       . 1
        1  A .       B .       2 .
           a b       a b       a b
        """)


def test_a_track_in_text_goes_over_lines():
    assert text_rows(track(12), {0: "x", 11: "2o"}, 20) == [
        " 1  2  3  4  5  6  7",
        " x  .  .  .  .  .  .",
        "",
        " 8  9 10 11 12",
        " .  .  .  . 2o",
    ]


def test_a_long_track_in_text_goes_there_and_back():
    assert text_rows(track(14), {0: "x", 13: "2o"}) == [
        "14 13 12 11 10  9  8",
        "2o  .  .  .  .  .  .",
        "",
        " x  .  .  .  .  .  .",
        " 1  2  3  4  5  6  7",
    ]
    assert len(text_rows(track(14), {}, 19)) == 8          # the half of it is too wide


@pytest.mark.parametrize("board", [*BOARDS, grid(64, 64), track(300)], ids=lambda board: f"{board.kind}{board.sizes}")
@pytest.mark.parametrize("glyph", ["X", "wK", "馬"])
def test_text_fits_a_terminal_and_shows_every_cell(board, glyph):
    glyphs = dict.fromkeys(range(0, len(board), 3), glyph)
    assert max(map(len, text_rows(board, glyphs, 80))) <= 80
    shown = {cell: text for line in text_pieces(board, glyphs, 80) for text, cell in line if text.strip()}
    assert set(shown) - {-1} == set(range(len(board))) or board.kind == "lattice"
    assert all(glyph[-1] in shown[cell] for cell in glyphs)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: f"{board.kind}{board.sizes}")
@given(data=st.data())
def test_svg_is_well_formed_and_bounded_whatever_it_is_fed(board, data):
    some = st.dictionaries(st.integers(0, len(board) - 1), st.text(max_size=3), max_size=6)
    title = data.draw(st.text(max_size=20))
    picture = svg(board, data.draw(some), data.draw(some), title, marks=data.draw(st.integers(0, board.all)))
    root = ElementTree.fromstring(picture)
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    for circle in root.iter(f"{SVG}circle"):
        assert left <= float(circle.attrib["cx"]) <= left + width
        assert top <= float(circle.attrib["cy"]) <= top + height


def test_svg_escapes_and_takes_only_plain_colours():
    picture = svg(grid(2, 2), {0: "<&"}, {1: 'red" onload="x', 2: "url(#x)", 3: "#123abc"}, 'a <b> & "c"')
    root = ElementTree.fromstring(picture)
    assert root.findtext(f"{SVG}title") == 'a <b> & "c"'
    assert next(text.text for text in root.iter(f"{SVG}text")) == "<&"
    assert "onload" not in picture and "url(" not in picture and "#123abc" in picture


def test_svg_has_thick_lines_between_areas():
    board = grid(9, 9)
    thick = 'stroke-width="2.5"'
    assert svg(board, {}, {}, "digits").count(thick) == 0
    assert svg(board, {}, {}, "digits", tables(board).blocks(3, 3)).count(thick) == 8 * 9


def test_hidden_faces_of_cubes_are_not_drawn():
    board = lattice(3, 3, 3)
    one = svg(board, {}, {0: "red"}, "one cube").count("<polygon")
    two = svg(board, {}, {0: "red", 9: "red"}, "two cubes").count("<polygon")
    full = svg(board, {}, dict.fromkeys(range(27), "red"), "a full box").count("<polygon")
    assert (one, two, full) == (9 + 3, 9 + 5, 9 + 27)
