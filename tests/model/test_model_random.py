"""Nothing but diagnostics comes out of the checker, whatever goes in; and what it accepts is sound, and can be played.

Fifty games of each kind here; many more with `pytest -m slow`.
"""

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from model_tree import assert_sound
from mutants import DRAFTS, mutated
from sentences import rules

from rulelang.loading import check, load
from rulelang.model.build import build
from rulelang.model.game import Game
from rulelang.source.diagnostic import Diagnostic, Faults, RulelangError

TEXTS = {path.name: path.read_text(encoding="utf-8") for path in sorted(DRAFTS.glob("*.rules"))}
QUICK = settings(max_examples=50, deadline=None, derandomize=True,
                 suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
LONG = settings(QUICK, max_examples=3_000, derandomize=False)
SEEDS = st.integers(0, 2**48)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The drafts, so that what extends or includes one finds it."""
    made = tmp_path_factory.mktemp("random")
    for name, text in TEXTS.items():
        (made / name).write_text(text, encoding="utf-8")
    return made


def errors(found: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    """The errors but those for what a random game leaves unused."""
    return [d for d in found if d.severity == "error" and d.code != "unused"]


def changed_draft(folder: Path, seed: int) -> None:
    """Change a draft and check it: each fault lies in a file, and what has none is sound."""
    random = Random(seed)
    name = random.choice(list(TEXTS))
    file = folder / f"changed-{name}"
    file.write_text(mutated(TEXTS[name], random), encoding="utf-8")
    found = check(file)
    assert all(Path(d.place.file).exists() and d.place.line > 0 and d.place.column > 0 for d in found)
    if not any(d.severity == "error" for d in found):
        plain = load(file)
        for players in plain.player_counts:
            assert_sound(plain.model(players))


def made_game(folder: Path, seed: int) -> Game | None:
    """Make a game of random sentences and check it: what has no faults is sound."""
    file = folder / "made.rules"
    file.write_text(rules(Random(seed)), encoding="utf-8")
    if errors(check(file)):
        return None
    plain = load(file)
    game, _ = build(plain.document, 2, plain.settings, Faults(), frozenset())
    assert game is not None
    assert_sound(game)
    return game


@QUICK
@given(SEEDS)
def test_changed_drafts(folder: Path, seed: int) -> None:
    changed_draft(folder, seed)


@QUICK
@given(SEEDS)
def test_random_sentences(folder: Path, seed: int) -> None:
    made_game(folder, seed)


@pytest.mark.slow
@LONG
@given(SEEDS)
def test_many_changed_drafts(folder: Path, seed: int) -> None:
    changed_draft(folder, seed)


@pytest.mark.slow
@LONG
@given(SEEDS)
def test_many_random_sentences_are_played(folder: Path, seed: int) -> None:
    from rulelang.engine import Interpreter
    from rulelang.machine import build as compiled

    game = made_game(folder, seed)
    if game is None:
        return
    random = Random(seed)
    try:
        state = Interpreter(compiled(game)).start(seed=1, chance=None, given=())
        for _ in range(4):
            moves = list(state.moves())
            if not moves:
                return
            state.play(random.choice(moves))
    except RulelangError:
        pass      # a value left its range, or was not there: play says so with its place
