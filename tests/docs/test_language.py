"""The language's reference keeps its word: every example in it runs, and everything that there is stands in it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from page import Example, examples, write_files, written

from rulelang.engine import PlayFault
from rulelang.loading import Ruleset, check, load
from rulelang.model.builtins import WORDS
from rulelang.model.scope import RESERVED
from rulelang.proving.examples import run_examples
from rulelang.proving.positions import ExampleError, Examples
from rulelang.syntax import forms
from rulelang.syntax.read import read_document
from rulelang.syntax.trees import KINDS, Syntax

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "language.md"
PAGES_OF_ERRORS = {page.stem for page in (ROOT / "docs" / "errors").glob("*.md")}
TEXT = PAGE.read_text(encoding="utf-8")
PROSE = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
UNMARKED = re.sub(r"``.*?``|`[^`]*`|^\[[a-z-]+\]: .*$", "", PROSE, flags=re.MULTILINE)
EXAMPLES = examples(PAGE)
GAMES, FEW_GAMES = 20, 3
MOST_DECISIONS = 2_000


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the page's named files lie."""
    made = tmp_path_factory.mktemp("language")
    write_files(EXAMPLES, made)
    return made


def of_kind(*kinds: str) -> list[Example]:
    return [one for one in EXAMPLES if one.kind in kinds]


# ------------------------------------------------------------------------------------------------ they run


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_an_example_is_checked(example: Example, folder: Path) -> None:
    for one in written(example, folder):
        found = check(one.path)
        if example.verdict == "fault" and example.kind != "play":
            assert {d.code for d in found if d.severity == "error"} == {example.code}, one.text
            continue
        expected = {example.code} if example.verdict == "warning" else set()
        assert expected <= {d.code for d in found}
        left = [f"{d.place.line}: {d.message} [{d.code}]" for d in found if d.code not in expected]
        assert not left, "\n".join([*left, one.text])


@pytest.mark.parametrize("example", of_kind("file", "do", "rule", "section", "expr"), ids=str)
def test_an_example_is_played(example: Example, folder: Path) -> None:
    for one in written(example, folder) if example.verdict != "fault" else ():
        rules = load(one.path)
        for outcome in run_examples(rules):
            assert outcome.holds, "\n".join([*(problem.message for problem in outcome.problems), one.text])
        if example.kind in ("file", "section", "rule"):
            for seed in range(GAMES if example.kind == "file" else FEW_GAMES):
                play_by_chance(rules, seed)


@pytest.mark.parametrize("example", of_kind("play"), ids=str)
def test_a_fault_comes_in_play(example: Example, folder: Path) -> None:
    rules = load(written(example, folder)[0].path)
    with pytest.raises(ExampleError) as stopped:
        Examples(rules).position("it")
    assert isinstance(stopped.value.cause, PlayFault)
    assert stopped.value.cause.diagnostic.code == example.code


def play_by_chance(rules: Ruleset, seed: int) -> None:
    """A game of random moves, which must end."""
    chance = random.Random(seed)
    state = rules.start(rules.player_counts[seed % len(rules.player_counts)], seed=seed)
    for _ in range(MOST_DECISIONS):
        state.check_invariants()
        if state.over:
            return
        if state.question is not None:
            state.answer(chance.random() < 0.5)
        else:
            state.play(chance.choice(state.moves()))
    raise AssertionError(f"the game has not ended after {MOST_DECISIONS} decisions")


@pytest.mark.parametrize("example", of_kind("file"), ids=str)
def test_the_variants_of_an_example_are_played(example: Example, folder: Path) -> None:
    path = written(example, folder)[0].path
    for name, _ in load(path).variants if not example.verdict else ():
        rules = load(path, variants=(name,))
        for seed in range(FEW_GAMES):
            play_by_chance(rules, seed)


# ------------------------------------------------------------------------------------------------ all of it is there


def entries() -> set[str]:
    """What has an entry of its own: the code in headings and in the first column of tables."""
    places = re.findall(r"^#+ (.*)$", PROSE, re.MULTILINE)
    places += [row.split(" | ")[0] for row in re.findall(r"^\| (.*)$", PROSE.replace(r"\|", "¦"), re.MULTILINE)]
    return {span for place in places for span in re.findall(r"`([^`]+)`", place)}


def keys_of(form: forms.Form) -> Iterator[str]:
    """Every key that a form, and the forms in it, know."""
    match form:
        case forms.Section(keys=keys):
            for name, inner in keys.items():
                yield name
                yield from keys_of(inner)
        case forms.Named(of=inner) | forms.Listed(of=inner):
            yield from keys_of(inner)
        case forms.Choice():
            for inner in (form.scalar, form.sequence, form.mapping):
                if inner is not None:
                    yield from keys_of(inner)


def test_every_key_has_an_entry() -> None:
    known = {*keys_of(forms.DOCUMENT), *keys_of(forms.VARIANT), *keys_of(forms.PICTURE)}
    assert not known - entries()


def test_every_built_in_word_has_an_entry() -> None:
    described = {found.group() for entry in entries() if (found := re.match(r"\w+", entry))}
    assert not set(WORDS) - described


def test_the_reserved_words_are_listed() -> None:
    listed = re.search(r"These words of the language cannot be names.*?`win`", PROSE, re.DOTALL)
    assert listed is not None
    assert set(re.findall(r"`(\w+)`", listed.group())) == RESERVED


def syntaxes(x: Any) -> Iterator[Syntax]:
    """Every sentence in a document, and what it is made of."""
    if isinstance(x, Syntax):
        yield x
    if isinstance(x, tuple):
        for one in x:
            yield from syntaxes(one)
    elif is_dataclass(x):
        for field in fields(x):
            yield from syntaxes(getattr(x, field.name))


@pytest.fixture(scope="session")
def sentences(folder: Path) -> list[Syntax]:
    """All the sentences of all right examples."""
    found: list[Syntax] = []
    for example in EXAMPLES:
        for one in written(example, folder) if example.verdict != "fault" else ():
            fragment = one.path.with_name(f"{one.path.stem}_fragment.rules")
            for path in (one.path, fragment) if fragment.exists() else (one.path,):
                found += syntaxes(read_document(path))
    return found


def test_every_form_of_sentence_has_an_example(sentences: list[Syntax]) -> None:
    assert not set(KINDS) - {x.kind for x in sentences}


def test_every_built_in_word_has_an_example(sentences: list[Syntax]) -> None:
    used = {x.parts[0] for x in sentences if x.kind in ("name", "call", "of_", "target_of", "index")}
    assert not set(WORDS) - used


# ------------------------------------------------------------------------------------------------ links


def test_every_code_is_one_that_is_told() -> None:
    codes = set(re.findall(r"^\[([a-z-]+)\]: errors/\1\.md$", TEXT, re.MULTILINE))
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "rulelang").rglob("*.py"))
    assert not {code for code in codes if f'"{code}"' not in source}
    assert codes == set(re.findall(r"\[([a-z]+(?:-[a-z]+)*)\](?!\()", UNMARKED))


@pytest.mark.skipif(len(PAGES_OF_ERRORS) < 20, reason="the pages of errors are still to be written")
def test_every_code_has_a_page() -> None:
    assert not set(re.findall(r"^\[([a-z-]+)\]: errors/", TEXT, re.MULTILINE)) - PAGES_OF_ERRORS


def test_links_within_the_page_lead_somewhere() -> None:
    seen: dict[str, int] = {}
    anchors = set()
    for heading in re.findall(r"^#+ (.*)$", PROSE, re.MULTILINE):
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = seen[anchor] = seen.get(anchor, -1) + 1
        anchors.add(f"{anchor}-{count}" if count else anchor)
    links = set(re.findall(r"\]\(#([^)]+)\)", PROSE))
    assert not links - anchors
