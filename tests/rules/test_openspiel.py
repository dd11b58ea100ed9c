"""Whole games by chance, played on ours and on OpenSpiel's at once.

Where rules differ, ours are set to theirs by options: gomoku, hex and connect four agree as they are; nine men's morris
there ends after 200 turns and knows no repetition; checkers there is drawn after forty moves without a capture,
whatever moved; go there ends without a result when a position comes again, and after twice the number of its points.
"""

from __future__ import annotations

import pytest
import spiel
from spiel import Pair

pytest.importorskip("pyspiel")

PAIRS = [
    Pair("tic_tac_toe", "tic_tac_toe", spiel.row_by_row(3, 3), ours_as=spiel.without_name),
    Pair("../examples/misere_tic_tac_toe", "misere(game=tic_tac_toe())", spiel.row_by_row(3, 3),
         ours_as=spiel.without_name),
    Pair("connect_four", "connect_four", spiel.column),
    Pair("connect_four", "connect_four", spiel.column, {"wide": 5, "high": 4}, {"columns": 5, "rows": 4}),
    Pair("gomoku", "gomoku", spiel.row_by_row(15, 15)),
    Pair("gomoku", "gomoku", spiel.row_by_row(7, 7), {"size": 7}, {"size": 7}),
    Pair("hex", "hex", spiel.hex_cell),
    Pair("hex", "hex", spiel.hex_cell, {"size": 5, "swap": "on"}, {"board_size": 5, "swap": True}),
    Pair("breakthrough", "breakthrough", spiel.upside_down(8)),
    Pair("breakthrough", "breakthrough", spiel.upside_down(6), {"wide": 5, "high": 6}, {"columns": 5, "rows": 6}),
    Pair("reversi", "othello", spiel.same),
    Pair("reversi", "othello", spiel.same, variants=("anti",), gives=-1),
    Pair("clobber", "clobber", spiel.same),
    Pair("clobber", "clobber", spiel.same, {"wide": 4, "high": 4}, {"columns": 4, "rows": 4}),
    Pair("nine_mens_morris", "nine_mens_morris", spiel.morris, {"repeats": 1000, "longest": 200}),
    Pair("kalah", "mancala", spiel.pit),
    Pair("go", "go", spiel.go_point, {"size": 5, "repeating": "no_result", "longest": 50}, {"board_size": 5}),
    Pair("go", "go", spiel.go_point, {"repeating": "no_result", "longest": 162}, {"board_size": 9}),
    Pair("english_draughts", "checkers", spiel.jump, {"idle": 40, "men_go_on": "off"}, ours_as=spiel.unspaced,
         whole_turns=True),
]
FEW = {"go board_size=9": 3, "gomoku": 8, "hex": 10, "reversi": 8, "reversi anti": 3, "english_draughts": 10,
       "nine_mens_morris": 10, "tic_tac_toe": 60}
MANY = 1000


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_games_by_chance_are_the_same(pair: Pair) -> None:
    assert sum(spiel.play(pair, seed) for seed in range(FEW.get(str(pair), 20))) > 0


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_many_games_by_chance_are_the_same(pair: Pair) -> None:
    for seed in range(1_000, 1_000 + MANY):
        spiel.play(pair, seed)
