"""Boards whose size is an option: what examples name that another size has not; areas and names of cells."""

from __future__ import annotations

from pathlib import Path

from rulelang.loading import check, load

GAME = """\
rulelang: 1
players: 2
options:
  size: {type: 2..9, start: 5}
board:
  BOARD
state:
  stone[c of Cell]: Player or none
phases:
  play: {actions: [place], after: next player, stuck: tie}
actions:
  place: |
    choose c in home where stone[c] is none
    do:
      stone[c] := me
define:
  home: Cell
examples:
  at the far end:
    given: |
      stone[LAST] := player 2
    then: stone[LAST] = player 2
"""


def written(tmp_path: Path, board: str, last: str, home: str = "home: Cell") -> Path:
    path = tmp_path / "sizes.rules"
    path.write_text(GAME.replace("BOARD", board).replace("LAST", last).replace("home: Cell", home), encoding="utf-8")
    return path


def test_examples_speak_of_the_game_with_its_own_options(tmp_path: Path) -> None:
    path = written(tmp_path, "grid: size x size", "e5")
    assert not check(path)                   # e5 is no cell with size=2, and the example is not of that game
    small = load(path, options={"size": 2}).start()
    assert len(small.moves()) == 4
    wrong = written(tmp_path, "grid: size x size", "f5")
    assert {d.code for d in check(wrong)} == {"unknown-name"}


def test_a_track_has_areas_by_column(tmp_path: Path) -> None:
    path = written(tmp_path, "track: size\n  areas: {front: column <= 2}", "5", "home: front")
    assert not check(path)
    assert [move.text for move in load(path).start().moves()] == ["place 1", "place 2"]


def test_cells_are_called_by_numbers_or_not(tmp_path: Path) -> None:
    path = written(tmp_path, "grid: size x 2\n  names: numbers from above", "1")
    assert not check(path)
    game = load(path).model()
    assert game.board is not None and game.board.row[0] == 2
    for names in ("digits", "numbers from below"):
        found = check(written(tmp_path, f"grid: size x 2\n  names: {names}", "a1"))
        assert [d.code for d in found] == ["wrong-board"]
