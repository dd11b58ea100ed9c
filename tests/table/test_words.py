"""Results and titles in words and for machines."""

from __future__ import annotations

import pytest

from rulelang.engine import Result
from rulelang.table.words import listed, result_data, result_line, title_line

SEATS = ("red", "blue", "green")
RESULTS = {
    "a win": (
        Result(((3,), (9,), (4,)), (3, 1, 2), (1,), False, False, ""), "result: blue wins: red 3, blue 9, green 4"
    ),
    "a win without scores": (Result(((), (), ()), (2, 1, 2), (1,), False, False, ""), "result: blue wins"),
    "several scores": (
        Result(((3, 1), (3, 2), (0, 0)), (2, 1, 3), (1,), False, False, ""),
        "result: blue wins: red 3 and 1, blue 3 and 2, green 0 and 0",
    ),
    "a tie": (Result(((3,), (3,), (3,)), (1, 1, 1), (), True, False, ""), "result: a tie: red 3, blue 3, green 3"),
    "two win": (
        Result(((3,), (3,), (0,)), (1, 1, 3), (0, 1), False, False, ""),
        "result: red and blue win together: red 3, blue 3, green 0",
    ),
    "unfinished": (
        Result(((1,), (0,), (0,)), (1, 1, 1), (), False, True, "limit"),
        "result: unfinished after 7 moves (limit): red 1, blue 0, green 0",
    ),
    "stopped": (None, "result: unfinished after 7 moves"),
}


@pytest.mark.parametrize("case", RESULTS)
def test_a_result_in_one_line(case: str) -> None:
    result, line = RESULTS[case]
    assert result_line(result, SEATS, 7) == line


WINNERS = {
    "a win": 2, "a win without scores": 2, "several scores": 2, "a tie": None, "two win": None, "unfinished": None,
    "stopped": None,
}


@pytest.mark.parametrize("case", WINNERS)
def test_a_result_for_machines(case: str) -> None:
    result, _ = RESULTS[case]
    data = result_data(title="X", variants=(), options={}, players=3, seed=1, moves=[], result=result)
    assert data["winner"] == WINNERS[case]
    assert (data["ranks"] is None) == (case in ("unfinished", "stopped"))


def test_alone_a_result_is_a_score() -> None:
    assert result_line(Result(((45,),), (1,), (0,), False, False, ""), ("player 1",), 9) == "result: player 1 45"
    assert result_line(Result(((),), (1,), (0,), False, False, ""), ("player 1",), 9) == "result: player 1 wins"
    assert result_line(Result(((),), (1,), (), False, False, ""), ("player 1",), 9) == "result: player 1 loses"


def test_the_title_line() -> None:
    assert title_line("X", ("chase",), {"limit": "4"}, 3, 9) == "X · chase · limit = 4 · 3 players · seed 9"
    assert title_line("X", (), {}, 1, 9) == "X · 1 player · seed 9"


def test_moves_are_listed_in_lines_that_break_between_them() -> None:
    assert listed(["roll", "rest"], 80) == ["roll, rest"]
    assert listed(["24/23, 13/11", "8/7", "6/4, 6/5"], 80) == ["24/23, 13/11 · 8/7 · 6/4, 6/5"]
    assert listed(["24/23, 13/11", "8/7", "6/4, 6/5"], 20) == ["24/23, 13/11 · 8/7 ·", "6/4, 6/5"]
    assert listed([], 20) == []
