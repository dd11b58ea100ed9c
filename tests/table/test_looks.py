"""What stands on cells, as a view shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulelang.boards.draw import text_rows
from rulelang.loading import load
from rulelang.table.letters import short_names
from rulelang.table.looks import look

NAMES = {
    ("white", "black"): ["W", "B"],
    ("player 1", "player 2"): ["1", "2"],
    ("pawn", "knight", "bishop", "rook", "queen", "king"): ["P", "N", "B", "R", "Q", "K"],
    ("red", "rose", "ruby"): ["R", "O", "U"],
    ("a", "aa", "aaa"): ["A", "B", "C"],
    ("player 1", "player 2", "neutral"): ["1", "2", "N"],
}


@pytest.mark.parametrize("names", NAMES)
def test_names_are_told_apart_by_one_letter(names: tuple[str, ...]) -> None:
    assert short_names(names) == NAMES[names]


def test_no_name_has_a_letter_that_another_was_given() -> None:
    given = {"purple": "P", "gray": "r"}
    assert short_names(["player", "purple", "rook"], given) == ["L", "P", "O"]
    assert short_names(["player 1", "player 2"], {"one": "1"}) == ["P", "2"]


@pytest.mark.parametrize("name", ["blox"])
def test_figures_and_towers_are_told_apart_without_colours(name: str) -> None:
    """A tower of one block and the figure of each player, beside the letter of the space that they stand on."""
    state = load(name).start(4)
    tower, figure = (next(v for v in state.game.variables if v.name == one) for one in ("tower", "figure"))
    found = set()
    for value in range(4):
        state.set_value(tower.name, (0,), [int(value == one) for one in range(4)])
        state.set_value(figure.name, (0,), None)
        found.add(look(state.interpreter, state.view(None)).lettered()[0])
    state.set_value(tower.name, (0,), [0, 0, 0, 0])
    figures = []
    for value in range(5):
        state.set_value(figure.name, (0,), value)
        figures.append(look(state.interpreter, state.view(None)).lettered()[0])
    assert len({*found, *figures}) == 9
    assert [text[1:] for text in figures] == ["1", "2", "3", "4", "N"]


GAME = """rulelang: 1
game: Looks
players: {players}
{types}
board: {{grid: 3x2}}
{tables}
state:
  {state}
phases:
  play:
    actions: [pass]
    after: next player
actions:
  pass: |
    do:
      repeat 1 times:
        if players > 9: tie
limit: {{turns: 3}}
{view}
"""

CASES: dict[str, tuple[dict[str, str], list[str]]] = {
    "a layer of players": (
        {"state": "mark[c of Cell]: {type: Player or none, start: player 2 if row of c = 2 else none}"},
        ["2  2 2 2", "1  . . .", "   a b c"],
    ),
    "names of seats": (
        {"players": "[white, black]", "state": "mark[c of Cell]: {type: Player or none, start: white}"},
        ["2  W W W", "1  W W W", "   a b c"],
    ),
    "a switch": (
        {"state": "wall[c of Cell]: {type: switch, start: column of c = 2}"}, ["2  . # .", "1  . # .", "   a b c"]
    ),
    "a number": (
        {"state": "n[c of Cell]: {type: 0..12, start: column of c * 4}"}, ["2  4  8  12", "1  4  8  12", "   a  b  c"]
    ),
    "two layers": (
        {
            "state": "n[c of Cell]: {type: 0..3, start: column of c}\n"
            "  up[c of Cell]: {type: switch, start: row of c = 2}"
        },
        ["2  1# 2# 3#", "1  1  2  3", "   a  b  c"],
    ),
    "a record with an owner": (
        {
            "types": "types:\n  Kind: [man, king]\n  Man: {owner: Player, kind: Kind}",
            "state": "at[c of Cell]:\n    type: Man or none\n    start: {letters: {M: man, K: king}, rows: [mk., .KM]}",
        },
        ["2  m k .", "1  . K M", "   a b c"],
    ),
    "a count for each seat": (
        {"state": "men[p of Player, c of Cell]: {type: 0..9, start: {player 1: {a1: 3}, player 2: {b1: 4}}}"},
        ["2  .  .  .", "1  3a 4b .", "   a  b  c"],
    ),
    "two layers of names that begin alike": (
        {
            "types": "types: {Piece: [rook, king], Wall: [rock, kerb]}",
            "state": "at[c of Cell]: {type: Piece or none, start: rook if column of c = 1 else none}\n"
            "  by[c of Cell]: {type: Wall or none, start: rock if column of c = 2 else none}",
        },
        ["2  R O .", "1  R O .", "   a b c"],
    ),
    "what is hidden": (
        {"state": "under[c of Cell]: {type: 1..9, seen: column of c = 1, start: 7}"},
        ["2  7 ? ?", "1  7 ? ?", "   a b c"],
    ),
    "paint where nothing stands": (
        {
            "types": "types: {Color: [gray, white]}",
            "tables": "tables:\n  color[c of Cell]: {type: Color, is: [gray, white, gray, white, gray, white]}",
            "state": "up[c of Cell]: {type: switch, start: row of c = 1}",
        },
        ["2  w g w", "1  # # #", "   a b c"],
    ),
    "a template": (
        {
            "state": "mark[c of Cell]: {type: Player or none, start: player 2 if row of c = 2 else none}",
            "view": 'view:\n  cell: {glyph: "{mark or _}", letters: {player 2: O}}',
        },
        ["2  O O O", "1  _ _ _", "   a b c"],
    ),
    "a template over what is hidden": (
        {
            "state": "under[c of Cell]: {type: 1..9, seen: column of c = 1, start: 7}",
            "view": 'view:\n  cell: {glyph: "{under or ●}"}',
        },
        ["2  7 ● ●", "1  7 ● ●", "   a b c"],
    ),
}


def rules_of(path: Path, **parts: str) -> Any:
    usual = {"players": "2", "types": "", "tables": "", "state": "", "view": ""}
    path.write_text(GAME.format(**{**usual, **parts}), encoding="utf-8")
    return load(path)


@pytest.mark.parametrize("case", CASES)
def test_a_board_shows_what_stands_on_it(tmp_path: Path, case: str) -> None:
    parts, expected = CASES[case]
    rules = rules_of(tmp_path / "a.rules", **parts)
    state = rules.start(2)
    looks = look(state.interpreter, state.view(None))
    assert text_rows(state.game.board, looks.glyphs) == expected


def test_seats_have_colours_and_the_rules_may_give_others(tmp_path: Path) -> None:
    state = "mark[c of Cell]: {type: Player or none, start: player 2 if row of c = 2 else player 1}"
    start = rules_of(tmp_path / "a.rules", state=state).start(2)
    looks = look(start.interpreter, start.view(None))
    assert (looks.colours[0], looks.colours[3]) == ("red", "blue")
    view = 'view:\n  cell: {glyph: "{mark or .}", colour: {player 1: green}}'
    start = rules_of(tmp_path / "b.rules", state=state, view=view).start(2)
    looks = look(start.interpreter, start.view(None))
    assert (looks.colours[0], looks.colours[3]) == ("green", "blue")


def test_letters_of_a_starting_picture_are_used(tmp_path: Path) -> None:
    parts = {
        "types": "types:\n  Kind: [man, king]\n  Man: {owner: Player, kind: Kind}",
        "state": "at[c of Cell]:\n    type: Man or none\n    start: {letters: {X: man, Y: king}, rows: [xy., .YX]}",
    }
    rules = rules_of(tmp_path / "a.rules", **parts)
    assert rules.model(2).view.letters == {"man": "X", "king": "Y"}
    state = rules.start(2)
    looks = look(state.interpreter, state.view(None))
    assert text_rows(state.game.board, looks.glyphs)[:2] == ["2  x y .", "1  . Y X"]


PAINTED = {
    "types": "types:\n  Color: [gray, white]",
    "state": "pile[c of Cell]: {type: bag of Color up to 2, start: \"{gray, white}\"}\n"
             "  mark[c of Cell]: Player or none",
    "view": 'view:\n  cell: {glyph: "{pile}{mark}", letters: {gray: G, white: W}, ground: mark}',
}


def test_a_pile_shows_its_letters_and_the_ground_its_colour(tmp_path: Path) -> None:
    state = rules_of(tmp_path / "a.rules", **PAINTED).start(2)
    state.set_value("mark", (0,), 1)
    looks = look(state.interpreter, state.view(None))
    assert looks.glyphs[0] == "GW2"
    assert looks.grounds == {0: "player 2"}
    assert looks.lettered() == {0: "2GW2"}
