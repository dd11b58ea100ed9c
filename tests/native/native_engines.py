"""Native engines for tests, compiled without optimising, which is quick."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang.loading import Ruleset, load
from rulelang.model.types import show, size_of, value_at
from rulelang.native.engine import Declined, NativeEngine
from rulelang.source.diagnostic import RulesError

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


def varied(path: Path, seed: int) -> tuple[Ruleset, int]:
    """A game as somebody might set it up: some of its variants, some of its options at an end or anywhere between, and
    a number of players."""
    pick, plain = random.Random(f"{path.stem} {seed}"), load(path)
    while True:
        variants = [name for name, _ in plain.variants if pick.random() < 0.4]
        options = {}
        for option in plain.options:
            if pick.random() < 0.5:
                last = size_of(option.type) - 1
                chosen = pick.choice([0, last, pick.randint(0, last)])
                options[option.name] = show(option.type, value_at(option.type, chosen))
        try:
            rules = load(path, variants=variants, options=options)
            players = pick.choice(rules.player_counts)
            rules.machine(players)
        except RulesError:                      # they do not go together
            continue
        return rules, players


def work_of(engine: NativeEngine) -> int:
    """What comparing a ply costs: as much as so many moves, on average over a game."""
    moves = plies = 0
    for seed in range(3):
        state, drawn = engine.start(seed=seed), 0
        while not state.over and plies < 300 * (seed + 1):
            moves += sum(len(state.steps(seat)) for seat in state.to_act)
            drawn, plies = state.playout_step(seed, drawn), plies + 1
    return 50 + moves // max(1, plies)


def from_text(text: str, folder: Path, **chosen: object) -> Ruleset:
    """A game from the text of a rules file."""
    path = folder / "game.rules"
    path.write_text(text, encoding="utf-8")
    return load(path, **chosen)  # type: ignore[arg-type]
