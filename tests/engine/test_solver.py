"""Random starts that meet a condition."""

from __future__ import annotations

import pytest
from engine_games import Play

from rulelang.engine import PlayFault

ONE_PHASE = """
phases:
  only:
    actions: [pass]
actions:
  pass: |
    do:
      finish
rank: points
define:
  points(p of Player): 0
"""


def grid(size: str, digit: str, condition: str) -> str:
    """A game whose cells begin at random under a condition."""
    return f"""
board: {{grid: {size}}}
state:
  digit[c of Cell]:
    type: {digit}
    start: random with {condition}
""" + ONE_PHASE


SUDOKU = """
board:
  grid: 9x9
  areas: {boxes: {of: blocks of 3x3, each: box}}
state:
  digit[c of Cell]:
    type: 1..9
    start: random with every area in rows + columns + boxes has no two c in area share digit[c]
""" + ONE_PHASE


def check_sudoku(cells: list[int]) -> None:
    """Each row, column and box holds each digit once."""
    for k in range(9):
        row = cells[k * 9:k * 9 + 9]
        column = cells[k::9]
        box = [cells[(k // 3 * 3 + y) * 9 + k % 3 * 3 + x] for y in range(3) for x in range(3)]
        for part in (row, column, box):
            assert sorted(part) == list(range(1, 10))


def test_a_random_sudoku_grid_is_found_and_differs_by_seed(rules: Play) -> None:
    interpreter = rules(SUDOKU).interpreter()
    grids = set()
    for seed in range(40):
        state = interpreter.start(seed=seed)
        check_sudoku(state.core.v[:81])
        grids.add(tuple(state.core.v[:81]))
    assert len(grids) == 40
    assert tuple(interpreter.start(seed=7).core.v[:81]) in grids


def test_comparisons_between_entries_hold(start: Play) -> None:
    condition = "digit[a1] < digit[b1] and digit[b1] < digit[c1] and digit[d1] = digit[a1]"
    state = start(grid("4x1", "1..6", condition), seed=3)
    a, b, c, d = state.core.v[:4]
    assert a < b < c
    assert a == d


def test_conditions_of_any_form_hold(start: Play) -> None:
    condition = "sum of {digit[c] for c in Cell} = 11 and (digit[a1] = 6 or digit[b1] = 1)"
    for seed in range(5):
        state = start(grid("4x1", "1..6", condition), seed=seed)
        cells = state.core.v[:4]
        assert sum(cells) == 11
        assert cells[0] == 6 or cells[1] == 1


def test_negated_and_quantified_conditions_hold(start: Play) -> None:
    condition = "not (some c in Cell has digit[c] > 4) and no c in row_one has digit[c] = 1"
    text = grid("4x2", "1..6", condition).replace("grid: 4x2", "grid: 4x2, areas: {row_one: row = 1}")
    for seed in range(5):
        cells = start(text, seed=seed).core.v[:8]
        assert max(cells) <= 4
        assert 1 not in cells[:4]


def test_what_cannot_be_is_a_fault(start: Play) -> None:
    with pytest.raises(PlayFault, match="cannot begin as asked for") as raised:
        start(grid("4x1", "1..3", "no two c in Cell share digit[c]"))
    assert raised.value.diagnostic.code == "no-start"
