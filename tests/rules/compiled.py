"""Games compiled once for all tests of this folder, in a folder of their own that goes when the tests are done."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from rulelang.loading import Ruleset
from rulelang.native.engine import NativeEngine

_FOLDER = tempfile.TemporaryDirectory(prefix="rulelang-tests-")


@cache
def compiled(rules: Ruleset, players: int | None = None) -> NativeEngine:
    """The native engine of a game."""
    return NativeEngine(rules.machine(players), folder=Path(_FOLDER.name))
