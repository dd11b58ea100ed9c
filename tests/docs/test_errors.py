"""Each code of a fault has a page, and the pages keep their word: what they say to avoid gives the fault, what they say
to write instead does not.

The examples of a page are written as in `page.py`; they stand in the games of `docs/language.md`. A fault that the
checker cannot see must come when the game is played. A comment above an example says which variants are chosen:

    <!-- chosen together: small, large -->
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from page import Example, examples, write_files, written

from rulelang.engine import PlayFault
from rulelang.loading import check, load
from rulelang.source.diagnostic import Diagnostic, RulesError

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "errors"
REFERENCE = ROOT / "docs" / "language.md"
PAGES = {page.stem: page for page in sorted(FOLDER.glob("*.md")) if page.stem != "README"}
TEXTS = {code: page.read_text(encoding="utf-8") for code, page in PAGES.items()}
MOST_DECISIONS, GAMES = 60, 3

# Codes that no example on a page can give.
WITHOUT_EXAMPLE = {
    "not-text": "a page cannot hold bytes that are no text",
}
SLOW = {"too-many-chains"}

# ------------------------------------------------------------------------------------------------ the codes there are

_CODE = re.compile(r"[a-z]+(-[a-z]+)*")
# Who takes a code, and which argument it is. `add` of faults, not of something else, has a message behind the code.
_METHODS = {"add": 1, "wrong": 1, "_fault": 1}
_FUNCTIONS = {"Diagnostic": 1, "fault": 1, "SentenceFault": 5}


def codes_in(tree: ast.AST) -> Iterator[str]:
    """The codes that a module gives to faults, and those that are given where none is named."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _given(node)
        elif isinstance(node, ast.FunctionDef):
            named = node.args.args[len(node.args.args) - len(node.args.defaults):]
            for parameter, default in zip(named, node.args.defaults, strict=True):
                if parameter.arg == "code" and isinstance(default, ast.Constant):
                    yield str(default.value)


def _given(call: ast.Call) -> Iterator[str]:
    at = None
    if isinstance(call.func, ast.Attribute) and len(call.args) > 2:
        at = _METHODS.get(call.func.attr)
    elif isinstance(call.func, ast.Name):
        at = _FUNCTIONS.get(call.func.id)
    given = [word.value for word in call.keywords if word.arg == "code"]
    if at is not None and at < len(call.args):
        given.append(call.args[at])
    for argument in given:
        outcomes = [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument]
        for one in outcomes:
            if isinstance(one, ast.Constant) and isinstance(one.value, str) and _CODE.fullmatch(one.value):
                yield one.value


MODULES = {path: ast.parse(path.read_text(encoding="utf-8"), str(path)) for path in (ROOT / "rulelang").rglob("*.py")}
CODES = {code for tree in MODULES.values() for code in codes_in(tree)}


def test_codes_are_found() -> None:
    found = set(codes_in(ast.parse(
        "faults.add(place, 'one', 'm')\ns.wrong(place, 'two', 'm')\nfault(place, 'three', 'm')\n"
        "Diagnostic(place, 'four' if x else 'five', 'm')\nSentenceFault(1, 1, 1, 'm', 'h', 'six')\n"
        "raise Odd(code='seven')\nnames.add('no')\ndef f(place, code='eight'): pass\n"
    )))
    assert found == {"one", "two", "three", "four", "five", "six", "seven", "eight"}


def test_every_code_has_a_page() -> None:
    assert not CODES - PAGES.keys()


def test_every_page_is_of_a_code() -> None:
    assert not PAGES.keys() - CODES


# ------------------------------------------------------------------------------------------------ the form of a page

_HEAD = re.compile(
    r"# (?P<title>[^\n]+)\n\n`(?P<code>[a-z-]+)`, (?P<kind>[a-z, ]+)"
    r" · \[(?P<section>[^\]]+)\]\(\.\./language\.md#(?P<anchor>[\w-]+)\)\n\n"
)


@cache
def anchors() -> dict[str, str]:
    """The headings of the reference, by what a link calls them."""
    seen: dict[str, int] = {}
    found = {}
    prose = re.sub(r"^```.*?^```$", "", REFERENCE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ (.*)$", prose, re.MULTILINE):
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = seen[anchor] = seen.get(anchor, -1) + 1
        found[f"{anchor}-{count}" if count else anchor] = heading
    return found


@cache
def kinds() -> dict[str, set[str]]:
    """How each code is told, by the calls that give it. Whatever the engine gives comes in play."""
    found: dict[str, set[str]] = {}
    for path, tree in MODULES.items():
        for call in ast.walk(tree):
            if isinstance(call, ast.Call):
                told_as = {"in play"} if "engine" in path.parts else _severities(call)
                for code in _given(call):
                    found.setdefault(code, set()).update(told_as)
    return found


def _severities(call: ast.Call) -> set[str]:
    said = "".join(ast.unparse(word.value) for word in call.keywords if word.arg == "severity") or "error"
    return {kind for word, kind in (("error", "an error"), ("warning", "a warning")) if word in said}


@pytest.mark.parametrize("code", PAGES)
def test_a_page_begins_with_what_it_is_about(code: str) -> None:
    head = _HEAD.match(TEXTS[code])
    assert head is not None
    assert head["code"] == code
    assert anchors().get(head["anchor"]) == head["section"]
    told_as = kinds().get(code, {"an error"})
    assert head["kind"] == ", or ".join(one for one in ("an error", "a warning", "in play") if one in told_as)


@pytest.mark.parametrize("code", PAGES)
def test_links_lead_somewhere(code: str) -> None:
    there = anchors()
    for link, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]+))?\)", TEXTS[code]):
        assert (FOLDER / link).is_file()
        assert not anchor or anchor in there


@pytest.mark.parametrize("code", PAGES)
def test_a_page_says_what_to_avoid_and_what_to_write_instead(code: str) -> None:
    text = TEXTS[code]
    assert re.search(r"^Avoid[:,]", text, re.MULTILINE) and "\nWrite instead:" in text
    if any(one.base for one in examples(PAGES[code])):
        assert "](../language.md#the-games-that-the-examples-stand-in)" in text
    if code not in WITHOUT_EXAMPLE:
        found = examples(PAGES[code])
        assert not all(one.verdict for one in found)
        assert {one.code for one in found if one.verdict} == {code}
    else:
        assert f"<!-- no example: {WITHOUT_EXAMPLE[code]} -->" in text


def test_the_index_lists_every_page() -> None:
    lines = [f"- [`{code}`]({code}.md): {TEXTS[code].partition(chr(10))[0].removeprefix('# ')}" for code in PAGES]
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [line for line in index.splitlines() if line.startswith("- ")] == lines


# ------------------------------------------------------------------------------------------------ the examples

CASES = [
    pytest.param(code, one, id=f"{code}:{one.line}", marks=[pytest.mark.slow] if code in SLOW else [])
    for code, page in PAGES.items() for one in examples(page)
]


@pytest.mark.parametrize(("code", "example"), CASES)
def test_an_example_gives_what_the_page_says(code: str, example: Example, tmp_path: Path) -> None:
    write_files(examples(REFERENCE), tmp_path)
    write_files(examples(PAGES[code]), tmp_path)
    if example.name and example.line < min((one.line for one in examples(PAGES[code]) if one.verdict), default=0):
        return      # a file that is a part of the faulty example below it
    for one in written(example, tmp_path):
        found = told(one.path, chosen(code, example))
        if example.verdict == "fault":
            assert {d.code for d in found if d.severity == "error"} == {code}, found
        elif example.verdict == "warning":
            assert {d.code for d in found} == {code}, found
        else:
            assert not found, found


def chosen(code: str, example: Example) -> tuple[str, ...]:
    """The variants that a comment just above an example chooses."""
    above = "\n".join(TEXTS[code].split("\n")[: example.line - 1])
    last = re.search(r"<!-- chosen together: ([^>]+) -->(?:(?!```).)*\Z", above, re.DOTALL)
    return tuple(last[1].split(", ")) if last else ()


def told(path: Path, variants: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    """What is told of a file when it is checked, and if there is no error, the fault that comes when it is played."""
    found = check(path)
    if any(d.severity == "error" for d in found):
        return found
    for seed in range(GAMES):
        try:
            play(path, variants, seed)
        except PlayFault as stopped:
            return (*found, stopped.diagnostic)
        except RulesError as refused:
            return refused.diagnostics
    return found


def play(path: Path, variants: tuple[str, ...], seed: int) -> None:
    """Some moves by chance; where a question comes, its model answers."""
    by_chance = random.Random(seed)
    state = load(path, variants=variants).start(seed=seed)
    for _ in range(MOST_DECISIONS):
        state.check_invariants()
        if state.over:
            return
        if state.question is not None:
            state.answer_by_model()
        else:
            state.play(by_chance.choice(state.moves()))
