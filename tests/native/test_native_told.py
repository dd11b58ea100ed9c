"""What the comparison of the engines says where they differ: the rules line that did it."""

from __future__ import annotations

from pathlib import Path

import pytest
from native_engines import QUICK, from_text
from native_same import same_games, same_stretches

from rulelang.native.engine import NativeEngine

GAME = """\
rulelang: 1
game: Steps
players: 2
state:
  at: 0..9
  gone[p of Player]: 0..99
actions:
  step:
    rule: |
      choose far in 1..3
      require short: far <= 3 "no further"
      do:
        at := far
        gone[me] += far
phases:
  act:
    actions: [step]
    after: |
      if gone[me] > 20: finish
      end turn
rank: [gone]
"""


@pytest.mark.parametrize(("old", "new", "told"), [
    ("at := far", "at := 2 * far", r"after `step \d` .*at: \d -> \d[^~]*game.rules:8: action step, do: at: "),
    ("far <= 3", "far <= 2", r"C has the move `step 3` too, against .*game.rules:11: no further"),
    ("1..3", "1..2", r"C has the move `step 3` too, against"),
    ("> 20", "> 21", "another point of the game"),
])
def test_the_line_is_told(old: str, new: str, told: str, tmp_path: Path, cache: Path) -> None:
    engine = NativeEngine(from_text(GAME, tmp_path).machine(), extra=QUICK, folder=cache)
    engine._interpreter = from_text(GAME.replace(old, new), tmp_path).interpreter()
    with pytest.raises(AssertionError, match=told):
        same_games(engine, games=20, most=40)
    with pytest.raises(AssertionError, match=r"seed \d+"):
        same_stretches(engine, games=50, most=5)


def test_nothing_is_told_of_the_same_game(tmp_path: Path, cache: Path) -> None:
    rules = from_text(GAME, tmp_path)
    engine = NativeEngine(rules.machine(), extra=QUICK, folder=cache)
    engine._interpreter = rules.interpreter()
    assert same_games(engine, games=5, most=100) > 50
    assert same_stretches(engine, games=50, most=5) > 50
