"""`row of` something that is no cell."""

from pathlib import Path

import pytest

from rulelang.loading import check

RULES = """players: 1
board: {{grid: 3x3}}
state:
  n: 0..9
phases:
  play: {{actions: [add]}}
actions:
  add: |
    do:
      n := {words}
limit: {{turns: 9}}
"""


@pytest.mark.parametrize("words", ["row of zork", "column of none", "height_of(player 1)", "row of row of a1"])
def test_what_is_no_cell_is_one_fault(tmp_path: Path, words: str) -> None:
    path = tmp_path / "row.rules"
    path.write_text(RULES.format(words=words), encoding="utf-8")
    assert [d.code for d in check(path)] == ["unknown-name" if "zork" in words else "wrong-type"]
