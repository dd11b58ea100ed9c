"""Native engines for tests, compiled without optimising, which is quick."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.loading import Ruleset, load
from rulelang.native.engine import Declined, NativeEngine

ROOT = Path(__file__).parents[2]
FILES = sorted(path for folder in ("rules", "examples") for path in (ROOT / folder).glob("*.rules")
               if path.stem != "mistakes")      # which is faulty on purpose
QUICK = ("-O0",)


def engine_of(rules: Ruleset, players: int | None, cache: Path) -> NativeEngine:
    """The native engine of a game, or a skipped test where it declines."""
    try:
        made = NativeEngine(rules.machine(players), extra=QUICK, folder=cache)
    except Declined as why:
        pytest.skip(str(why))
    made._interpreter = rules.interpreter(players)
    return made


def from_text(text: str, folder: Path, **chosen: object) -> Ruleset:
    """A game from the text of a rules file."""
    path = folder / "game.rules"
    path.write_text(text, encoding="utf-8")
    return load(path, **chosen)  # type: ignore[arg-type]
