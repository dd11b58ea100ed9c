"""What is shown fits where it is shown: its columns, its characters."""

from __future__ import annotations

import pytest

from rulelang.boards.text import columns_of
from rulelang.loading import load
from rulelang.table.fitting import Sheet, plainer
from rulelang.table.looks import look


def rows(name: str, sheet: Sheet) -> list[str]:
    state = load(name).start(seed=1)
    lines = sheet.board(state.game.board, look(state.interpreter, state.view(None), sheet).lettered())
    return ["".join(text for text, _ in line).rstrip() for line in lines]


CHESS = {
    "utf-8": ["8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜", "1  ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖"],
    "latin-1": ["8  r n b q k b n r", "1  R N B Q K B N R"],
    "ascii": ["8  r n b q k b n r", "1  R N B Q K B N R"],
}


@pytest.mark.parametrize("encoding", CHESS)
def test_letters_that_cannot_be_shown_are_chosen_as_if_the_rules_gave_none(encoding: str) -> None:
    shown = rows("chess", Sheet(encoding))
    assert [shown[0], shown[7]] == CHESS[encoding]


def test_what_stands_for_something_is_plain_where_it_cannot_be_shown() -> None:
    assert rows("kakuzu", Sheet("utf-8"))[0] == "9  ● ● ● ● ● ● ● ● ●"
    assert rows("kakuzu", Sheet("latin-1"))[0] == "9  o o o o o o o o o"


PLAIN = {"Kakuzu · seed 1": "Kakuzu | seed 1", "a, …": "a, ...", "é": "e", "a → b": "a -> b", "♔": "?", "漢": "?"}


@pytest.mark.parametrize("text", PLAIN)
def test_a_text_in_the_letters_that_all_have(text: str) -> None:
    assert plainer(text) == PLAIN[text]


@pytest.mark.parametrize("name", ["blox", "kakuzu", "battleship", "backgammon", "nine_mens_morris", "hex"])
@pytest.mark.parametrize("columns", [25, 40, 80])
def test_a_board_is_shown_in_whole_rows(name: str, columns: int) -> None:
    shown = rows(name, Sheet(columns=columns))
    assert max(map(columns_of, shown)) <= columns and "cut" not in shown[0]


def test_what_does_not_fit_is_cut_and_that_is_said() -> None:
    whole = rows("hex", Sheet())
    shown = rows("hex", Sheet(columns=14))
    assert shown[0] == "(cut: the board takes 21 columns)"
    assert max(map(columns_of, shown[1:])) <= 14 < max(map(columns_of, whole))
