"""Numbers and cells compared, on boards whose cells are numbered: in both engines the same, and never a fault."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from native_engines import engine_of, from_text

GAME = """rulelang: 1
game: Cells and numbers
players: 1
board: {%s}
state:
  at: {type: Cell, start: 1}
  jumped: Cell or none
  n: -3..20
  thrown: 0..20 or none
  said[i of 1..%d]: 0..40 or none
phases: {play: {actions: [set, clear]}}
actions:
  set: |
    choose c in Cell
    choose k in -3..20
    do:
      at := c
      n := k
      thrown := k if k >= 0 else none
      jumped := %s
      look()
  clear: |
    do:
      jumped := none
      thrown := none
      look()
steps:
  look: |
%s
limit: {turns: 9}
"""
Value = int | None
# a condition or number · its value at a cell and a number · its value where `jumped` and `thrown` are none
SAID: dict[str, tuple[Callable[[int, int], Value], Value]] = {
    "1 if at = n else 0": (lambda at, n: at == n, 0),
    "1 if at != n else 0": (lambda at, n: at != n, 1),
    "1 if n = at else 0": (lambda at, n: at == n, 0),
    "1 if jumped = n else 0": (lambda at, n: at == n, 0),
    "1 if jumped = thrown else 0": (lambda at, n: at == n, 1),
    "1 if jumped != thrown else 0": (lambda at, n: at != n, 0),
    "1 if n in Cell else 0": (lambda at, n: 1 <= n <= 12, 0),
    "1 if n not in Cell else 0": (lambda at, n: not 1 <= n <= 12, 1),
    "1 if thrown in Cell else 0": (lambda at, n: 1 <= n <= 12, 0),
    "1 if at in {3, 7} else 0": (lambda at, n: at in (3, 7), 0),
    "1 if at in {n, n + 1} else 0": (lambda at, n: at in (n, n + 1), 1),
    "1 if jumped in n..9 else 0": (lambda at, n: n <= at <= 9, 0),
    "first c in Cell where c = at + 2": (lambda at, n: at + 2 if at < 11 else None, 3),
    "first c in Cell where c = at - 3": (lambda at, n: at - 3 if at > 3 else None, None),
    "count of {c in Cell where c = n or c = n + 1}": (lambda at, n: (1 <= n <= 12) + (0 <= n <= 11), 1),
    "1 if (some c in Cell has c + 3 = n) else 0": (lambda at, n: 4 <= n <= 15, 0),
    "jumped + 2 if jumped is not none else 0": (lambda at, n: at + 2, 0),
    "2 + jumped if jumped is not none else 0": (lambda at, n: at + 2, 0),
    "jumped": (lambda at, n: at, None),
}
CASES = [(at, n) for at in (1, 3, 7, 10, 11, 12) for n in (-3, 0, 1, 3, 9, 10, 12, 13, 20)]


@pytest.mark.parametrize("board", ["track: 12", "grid: 4x3, names: numbers"])
def test_a_number_that_is_no_cell_is_like_none(board: str, cache: Path, tmp_path: Path) -> None:
    look = "\n".join(f"    said[{i}] := {said}" for i, said in enumerate(SAID, 1))
    rules = from_text(GAME % (board, len(SAID), "c", look), tmp_path)
    engine = engine_of(rules, None, cache)
    for at, n in CASES:
        for state in (rules.start(), engine.start()):
            state.play(f"set {at} {n}")
            for i, (said, (value, _)) in enumerate(SAID.items(), 1):
                assert state.get_value("said", (i,)) == value(at, n), (said, at, n)
    for state in (rules.start(), engine.start()):
        state.play("set 1 0")
        state.play("clear")
        for i, (said, (_, without)) in enumerate(SAID.items(), 1):
            assert state.get_value("said", (i,)) == without, said


def test_a_cell_or_none_takes_a_number_or_none(cache: Path, tmp_path: Path) -> None:
    rules = from_text(GAME % ("track: 12", 1, "thrown", "    said[1] := jumped"), tmp_path)
    for state in (rules.start(), engine_of(rules, None, cache).start()):
        state.play("set 4 7")
        assert state.get_value("said", (1,)) == 7
        state.play("set 4 -1")
        assert state.get_value("said", (1,)) is None
