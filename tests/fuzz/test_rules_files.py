"""Rules files by chance: whatever stands in one, nothing comes out but diagnostics.

`pytest tests/fuzz` tries 500 files, `pytest -m slow tests/fuzz` 20,000. What the checker accepts is played for some
moves, where only faults of play may come.
"""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulelang import RulelangError, RulesError, check, load

ROOT = Path(__file__).parents[2]
BASES = [path.read_text(encoding="utf-8") for folder in ("rules", "examples", "tests/drafts")
         for path in sorted((ROOT / folder).glob("*.rules")) if path.stat().st_size < 9000]
WORDS = sorted({word for text in BASES for word in text.replace("\n", " ").split(" ") if word})
ODD = ["", " ", "  ", "\t", "\n",
       ":", "|", "{", "}", "[", "]", '"', "#", "- ", "? ", "&a ", "*a", "!t ", "é", "\u2028", "\x00",
       "9" * 30, "..", "0..99999999", "-1", "none", "me", "player 3",
       "(((((", "}}}", "{{", "if", "else:", "do:", "random"]

SECTIONS = {
    "players": ["2", "1..4", "[a, b]", "0", "9..2", "none"],
    "board": ["{grid: 3x3}", "{grid: 99x99}", "{track: 6}", "{hexes: 4x4 rhombus}", "{lattice: 2x2x3}",
              "{grid: n x n}"],
    "types": ["{Kind: [x, y]}", "{Kind: 1..n}", "{Kind: Kind}", "{R: {a: Kind, b: Player}}"],
    "options": ["{n: {type: 1..5, start: 2}}", "{n: {type: switch}}", "{n: {start: 9}}"],
    "state": ["{m[c of Cell]: Player or none}", "{v: 0..9, w[p of Player]: set of Kind}",
              "{v: {type: bag of Kind up to n}}",
              "{d[c of Cell]: {type: Kind, seen: off, start: random}}"],
    "define": ['{f(c of Cell): "m[c] = me"}', "{f: f}", "{f: v + 1, g: f * f}",
               '{f: "{c in Cell where m[c] is none}"}'],
    "phases": ["{play: {actions: [go_on], after: next player}}", "{play: {begin: again}}", "{play: {actions: [x]}}"],
    "actions": ["{go_on: \"|\"}", "\n  go_on: |\n    choose c in Cell where m[c] is none\n    do:\n      m[c] := me",
                "\n  go_on: |\n    do:\n      v += 1",
                "\n  go_on: |\n    require v > 3 and v < 2\n    do:\n      win me"],
    "end": ["{full: {when: v > 3}}", "{full: {when: m}}"], "limit": ["{turns: 9}", "{turns: n, then: tie}"],
    "rank": ["v", "w", "lowest v", "[v, f]"],
}


def mutated(seed: int) -> str:
    """A rules file with some of its words, letters or lines changed."""
    pick = random.Random(seed)
    text = pick.choice(BASES)
    for _ in range(pick.randint(1, 4)):
        at = pick.randrange(len(text) + 1)
        way = pick.randrange(5)
        if way == 0:
            text = text[:at] + pick.choice(ODD) + text[at:]
        elif way == 1:
            text = text[:at] + text[at + pick.randint(1, 12):]
        elif way == 2:
            words = text.split(" ")
            words[pick.randrange(len(words))] = pick.choice(WORDS)
            text = " ".join(words)
        else:
            lines = text.split("\n")
            here, there = pick.randrange(len(lines)), pick.randrange(len(lines))
            if way == 3:
                lines[here] = lines[there]
            else:
                lines.insert(here, lines.pop(there))
            text = "\n".join(lines)
    return text


def generated(seed: int) -> str:
    """A rules file put together from parts that may not fit."""
    pick = random.Random(seed)
    chosen = [name for name in SECTIONS if pick.random() < 0.75]
    return "rulelang: 1\ngame: X\n" + "\n".join(f"{name}: {pick.choice(SECTIONS[name])}" for name in chosen) + "\n"


def only_diagnostics(text: str, path: Path) -> None:
    """Check a text; play what is accepted."""
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    if any(d.severity == "error" for d in check(path)):
        with suppress(RulesError):       # what is wrong may be so with other players or variants only
            load(path).model()
        return
    try:
        state = load(path).start(seed=1)
        for _ in range(5):
            if state.over or not state.to_act:
                return
            state.play(state.moves(state.to_act[0])[0], state.to_act[0])
    except RulesError:
        raise
    except RulelangError:
        return


SEEDS = st.integers(0, 2**40)


def fuzz(examples: int) -> Any:
    """So many files by chance."""
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)


@fuzz(350)
@given(seed=SEEDS)
def test_mutated(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    only_diagnostics(mutated(seed), tmp_path_factory.getbasetemp() / "mutated.rules")


@fuzz(150)
@given(seed=SEEDS)
def test_generated(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    only_diagnostics(generated(seed), tmp_path_factory.getbasetemp() / "generated.rules")


@pytest.mark.slow
@fuzz(14_000)
@given(seed=SEEDS)
def test_mutated_at_length(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    only_diagnostics(mutated(seed), tmp_path_factory.getbasetemp() / "mutated.rules")


@pytest.mark.slow
@fuzz(6_000)
@given(seed=SEEDS)
def test_generated_at_length(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    only_diagnostics(generated(seed), tmp_path_factory.getbasetemp() / "generated.rules")
