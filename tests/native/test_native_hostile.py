"""Rules that no sensible game has, kept because they once told the engines apart (`hostile/*.rules`): each is played
alike by both, faults included. Of a file that begins with `# declined: WORDS` the native engine says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from native_engines import QUICK
from native_same import same_games, same_playouts

from rulelang.loading import load
from rulelang.native.engine import Declined, NativeEngine

HOSTILE = sorted((Path(__file__).parent / "hostile").glob("*.rules"))
DECLINED = "# declined: "


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.stem)
def test_hostile_rules_are_played_alike(path: Path, cache: Path) -> None:
    rules, first = load(path), path.read_text(encoding="utf-8").splitlines()[0]
    if first.startswith(DECLINED):
        with pytest.raises(Declined) as why:
            NativeEngine(rules.machine(), extra=QUICK, folder=cache)
        assert first.removeprefix(DECLINED) in str(why.value)
        return
    engine = NativeEngine(rules.machine(), extra=QUICK, folder=cache)
    engine._interpreter = rules.interpreter()
    same_games(engine, games=4, most=40)
    same_playouts(engine, games=3, most=40)
