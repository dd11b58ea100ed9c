"""Rules files from strangers: whatever is in them, they read or `RulesError` says why."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from documents import DRAFTS, builtin
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.source.diagnostic import RulesError
from rulelang.syntax.format import format_text
from rulelang.syntax.load import load_document
from rulelang.syntax.variants import apply_variants, variant_names

TEXTS = [path.read_text(encoding="utf-8") for path in sorted(DRAFTS.glob("*.rules"))]
PIECES = [
    " ", "\n", "  ", "\t", "{", "}", "[", "]", "(", ")", ":", ": ", "#", " # x", '"', "'", "|", ">", "&a", "*a", "!t",
    "- ", "? ", "<<", "drop", "add", "first", "then", "extends: chess\n", "if", "else", "and", "no x in y has", "..",
    "=", ":=", "é", "\u2028", "\x00", "9" * 30, "variants", "before ", "{add: [a], drop: [b]}", "[a, b]", "|\n", "%",
    "@", "`", "---\n", "...\n", "\\", "\r", "\ufeff", "𝄞", "(" * 70, "[" * 70, "not " * 200,
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A draft with some pieces cut out, doubled or put in."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(text)))
        upto = min(len(text), at + draw(st.sampled_from([1, 2, 5, 20, 100])))
        match draw(st.integers(0, 3)):
            case 0:
                text = text[:at] + text[upto:]
            case 1:
                text = text[:at] + text[at:upto] * 2 + text[upto:]
            case 2:
                other = draw(st.sampled_from(TEXTS))
                begin = draw(st.integers(0, len(other)))
                text = text[:at] + other[begin : begin + 60] + text[upto:]
            case _:
                text = text[:at] + draw(st.sampled_from(PIECES)) + text[at:]
    return text


def reads(text: str) -> None:
    """Read, choose each variant, format: nothing but `RulesError` may come out, with places that exist."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.rules"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        lines = text.replace("\r\n", "\n").split("\n")
        try:
            document = load_document(path, builtin).document
            for name in variant_names(document):
                try:
                    apply_variants(document, [name])
                except RulesError:
                    continue
            once = format_text(path.read_text(encoding="utf-8"), "a.rules")
            assert format_text(once, "a.rules") == once
        except RulesError as error:
            assert error.diagnostics
            for each in error.diagnostics:
                assert each.message and each.code
                if each.place.file == str(path):
                    row = lines[each.place.line - 1] if each.place.line <= len(lines) else ""
                    assert 1 <= each.place.line <= len(lines) + 1 and 1 <= each.place.column <= len(row) + 2, each


@settings(max_examples=60, deadline=None)
@given(mutated())
def test_mutated_drafts(text: str) -> None:
    reads(text)


@pytest.mark.slow
@settings(max_examples=3_000, deadline=None)
@given(mutated())
def test_many_mutated_drafts(text: str) -> None:
    reads(text)


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("ab1 \n:{}[]()\"'#|=.,-+"), max_size=80))
def test_any_signs(text: str) -> None:
    reads(text)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([*PIECES,
    "choose c in S", "do:", "  x := 1", "require a", "x", "1", "for each c in S:", " where ", " has ", " from ",
]), max_size=15))
def test_any_block(pieces: list[str]) -> None:
    body = "".join(pieces).replace("\n", "\n    ")
    reads("actions:\n  a: |\n    " + body + "\n")


@pytest.mark.parametrize("text", [
    "define:\n  a: " + "(" * 100_000,
    "define:\n  a: " + "not " * 20_000 + "b",
    "define:\n  a: " + " + ".join("b" * 20_000),
    "define:\n  a: " + "f(" * 60 + "x" + ")" * 60,
    "define:\n  a: |\n" + "    x if y\n    else " * 2_000 + "z",
    "setup: |\n" + "".join("  " * (n + 1) + "if a:\n" for n in range(200)),
    "setup: |\n" + "  x = 1\n" * 5_000,
    "setup: |\n  x := {" + ", ".join("a" * 20_000) + "}\n",
    "view:\n  cell: {glyph: \"" + "{a}" * 5_000 + "\"}",
    "view:\n  cell: {glyph: \"" + "{" * 5_000 + "\"}",
    "a: " + "x" * 500_000,
    "\n".join(f"k{n}: 1" for n in range(20_000)),
    "board:\n  grid: " + "x".join("1" * 20_000),
    "rank: [" + ",".join("a" * 5_000) + "]",
], ids=range(14))
def test_large_and_deep_files_are_answered(text: str) -> None:
    reads(text)
