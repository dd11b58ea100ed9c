"""Games for the tests of the engine, written as their authors would write them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest
from engine_games import Make, Play

from rulelang.engine import Interpreter, State
from rulelang.loading import Ruleset, load


@pytest.fixture
def rules(tmp_path: Path) -> Make:
    """A ruleset from the text of its sections; `rulelang:`, `game:` and two players are added if they are not there."""

    def make(*texts: str, **options: Any) -> Ruleset:
        body = "".join(map(dedent, texts))
        head = "rulelang: 1\ngame: Test\n"
        if "\nplayers:" not in f"\n{body}":
            head += "players: 2\n"
        path = tmp_path / f"game{len(list(tmp_path.iterdir()))}.rules"
        path.write_text(head + body, encoding="utf-8")
        return load(path, options=options)

    return make


@pytest.fixture
def start(rules: Make) -> Play:
    """A started game from the text of its sections."""

    def begin(*texts: str, players: int | None = None, seed: int = 0, chance: Any = None, ask_chance: bool = False,
              **options: Any) -> State:
        ruleset = rules(*texts, **options)
        interpreter: Interpreter = ruleset.interpreter(players)
        return interpreter.start(seed=seed, chance=chance, ask_chance=ask_chance)

    return begin


@pytest.fixture
def traced(start: Play) -> Play:
    """A game with a number `trace` in its state, to which `mark(k)` adds a digit: the order in which blocks ran."""

    def begin(*texts: str, **more: Any) -> State:
        body = "".join(map(dedent, texts))
        steps = "mark(k of 0..9): |\n  trace := trace * 10 + k\n"
        state = "trace: 0..1000000000\n"
        for name, extra in (("state", state), ("steps", steps)):
            if f"\n{name}:\n" in f"\n{body}":
                body = f"\n{body}".replace(f"\n{name}:\n", f"\n{name}:\n{indent(extra, '  ')}", 1)
            else:
                body += f"\n{name}:\n{indent(extra, '  ')}"
        return start(body, **more)

    return begin
