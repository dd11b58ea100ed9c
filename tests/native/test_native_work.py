"""Work is counted alike in both engines: from each step of a move anew, and apart for what is only tried."""

from __future__ import annotations

from pathlib import Path

import pytest
from native_engines import QUICK, from_text
from native_same import same_games, same_playouts

from rulelang.native.engine import NativeEngine

GAME = """rulelang: 1
game: Work
players: 2
state:
  n: 0..9
  t: {{type: 0..100, start: 0}}
phases:
  play:
    actions: [a, b]
    after: |
      t += 1
      repeat {after} + t times: n := 0
      next player
actions:
  a: |
    choose c in 1..3
    do:
      n := c
      for each i in 1..5:
        for each j in 1..{inner}: n := c
    {ensure}
  b: |
    do:
      repeat {inner} times: n := 4
limit: {{turns: 20}}
"""


@pytest.mark.parametrize("ensure", ["", "ensure n < 3", "ensure n > 3"])
@pytest.mark.parametrize(("after", "inner"), [(80, 5), (60, 6), (10, 19)])
def test_work_is_counted_alike(ensure: str, after: int, inner: int, tmp_path: Path, cache: Path,
                               monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("engine.effects", "native.emitter"):
        monkeypatch.setattr(f"rulelang.{module}.MOST_WORK", 100)
    rules = from_text(GAME.format(ensure=ensure, after=after, inner=inner), tmp_path)
    engine = NativeEngine(rules.machine(), extra=QUICK, folder=cache)
    engine._interpreter = rules.interpreter()
    same_games(engine, games=4, most=20)
    same_playouts(engine, games=4, most=20)
