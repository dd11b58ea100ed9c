"""Sentences and their trees (sentences.txt), and the places of trees in files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulelang.source.diagnostic import Faults, Place
from rulelang.source.tree import Scalar
from rulelang.syntax.parse import parse
from rulelang.syntax.trees import KINDS, Syntax

CASES = [
    [part.strip() for part in line.split(" | ")]
    for line in Path(__file__).with_name("sentences.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def scalar(text: str, line: int = 1, column: int = 1) -> Scalar:
    return Scalar(text, Place("a.rules", line, column), "", line, column)


def parsed(text: str, start: str = "expr", line: int = 1, column: int = 1) -> Any:
    faults = Faults()
    found = parse(scalar(text, line, column), start, faults)
    faults.raise_any()
    return found


def written(thing: Any) -> str:
    if isinstance(thing, Syntax):
        return "(" + " ".join([thing.kind, *map(written, thing.parts)]) + ")"
    if isinstance(thing, tuple):
        return "[" + " ".join(map(written, thing)) + "]"
    if thing is None:
        return "_"
    if isinstance(thing, bool):
        return "on" if thing else "off"
    return " ".join("$" + word if " " in str(thing).strip() or str(thing) != str(thing).strip() else word
                    for word in str(thing).split())


def every(thing: Any) -> list[Syntax]:
    if isinstance(thing, Syntax):
        return [thing, *every(thing.parts)]
    return [node for each in thing for node in every(each)] if isinstance(thing, tuple) else []


@pytest.mark.parametrize(("start", "text", "tree"), CASES, ids=[f"{case[0]}: {case[1]}" for case in CASES])
def test_tree(start: str, text: str, tree: str) -> None:
    found = parsed(text, start)
    assert written(found[0] if start == "block" else found) == tree


@pytest.mark.parametrize(("start", "text", "tree"), CASES, ids=[f"{case[0]}: {case[1]}" for case in CASES])
def test_places_lie_in_the_text(start: str, text: str, tree: str) -> None:
    for node in every(parsed(text, start, 7, 12)):
        assert node.place.line == 7
        begin = node.place.column - 12
        stretch = text[begin : begin + node.place.length]
        assert len(stretch) == node.place.length > 0
        if node.kind in ("name", "call", "index", "do_step", "decl", "sig", "param"):
            assert stretch == node.parts[0]
        elif node.kind == "int":
            assert stretch == str(node.parts[0])
        elif node.kind in ("none", "on", "off", "empty", "tie", "again"):
            assert stretch == node.kind


def test_every_kind_has_a_sentence() -> None:
    kinds = {node.kind for start, text, _ in CASES for node in every(parsed(text, start))}
    assert kinds == set(KINDS)


@pytest.mark.parametrize(("start", "text", "tree"), CASES, ids=[f"{case[0]}: {case[1]}" for case in CASES])
def test_parts_are_as_many_as_promised(start: str, text: str, tree: str) -> None:
    for node in every(parsed(text, start)):
        promised = KINDS[node.kind]
        assert promised == ("*",) or len(node.parts) == len(promised), node
        for part, name in zip(node.parts, promised, strict=False):
            if "tuple" in name:
                assert isinstance(part, tuple)
            if "bool" in name:
                assert isinstance(part, bool)
            if part is None:
                assert name.endswith("?")


BLOCK = """\
# a word before
if größe[c] = 1: x := 2
else if b:
  y += 1   # ü

  # alone
  for each c in Cell where c in d
      and e:
    z[c] := {ä, b}
else:
  end turn
require lane: some a in b
    has c
  "no {x + 1} and {{"
pay((a
     + b), "c" is c)
"""


def test_block_over_many_lines() -> None:
    text = BLOCK.replace(', "c" is c', "")
    found = parsed(text, "block", 10, 5)
    lines = text.split("\n")
    assert [node.kind for node in found] == ["if", "require", "do_step"]
    first, lane, _ = found
    assert (first.place.line, first.place.column, first.place.length) == (11, 5, len(lines[1]))
    nested = first.parts[2][0]
    assert (nested.kind, nested.place.line, nested.place.column, nested.place.length) == ("if", 12, 5, 10)
    loop = nested.parts[1][1]
    assert (loop.kind, loop.place.line, loop.place.column) == ("for", 16, 7)
    assert loop.place.length == len("for each c in Cell where c in d")
    assert [node.kind for node in nested.parts[2]] == ["end_turn"]
    sentence = lane.parts[2]
    assert (sentence.place.line, sentence.place.column, sentence.place.length) == (23, 7, 19)
    assert sentence.parts[0] == "no " and sentence.parts[2] == " and {"
    assert (sentence.parts[1].place.line, sentence.parts[1].place.column) == (23, 12)
    for node in every(found):
        if node.kind == "name":
            row = lines[node.place.line - 10]
            assert row[node.place.column - 5 :].startswith(node.parts[0])


def test_expression_over_several_lines_with_comments() -> None:
    text = "# why\na if b   # c\n\nelse (d\n  or e)\n"
    found = parsed(text, "expr", 3, 9)
    assert written(found) == "(cond (name a) (name b) (or_ (name d) (name e)))"
    otherwise = found.parts[2]
    assert (otherwise.place.line, otherwise.place.column, otherwise.place.length) == (6, 15, 1)


def test_same_text_at_another_place() -> None:
    one, two = parsed("a + b", "expr", 1, 1), parsed("a + b", "expr", 5, 3)
    assert written(one) == written(two)
    assert (two.parts[1].place.line, two.parts[1].place.column) == (5, 7)


def test_a_comment_may_stand_further_left_than_the_first_statement() -> None:
    assert [node.kind for node in parsed("# a\n  tie\n  # b\n  finish\n", "block")] == ["tie", "finish"]


@pytest.mark.parametrize("word", ["and", "or", "where", "has", "share", '"a text"'])
def test_a_comment_may_begin_with_a_word_that_goes_on(word: str) -> None:
    assert [each.kind for each in parsed(f"x := 1\n# {word} so on\ny := 2\n", "block")] == ["set", "set"]
    assert [each.kind for each in parsed(f"if x:\n  y := 2\n  #{word}\n", "block")] == ["if"]
    assert parsed(f"a\n# {word} so on\nor b").kind == "or_"


def test_no_line_end_is_needed_at_the_end() -> None:
    assert [node.kind for node in parsed("if a:\n  tie", "block")] == ["if"]
    assert [node.kind for node in parsed("if a:\n  tie\n    # c", "block")] == ["if"]


def test_a_block_of_comments_is_empty() -> None:
    assert parsed("# nothing\n\n# here", "block") == ()


@pytest.mark.parametrize("word", [
    "from", "to", "all", "by", "as", "deck", "has", "in", "of", "one", "share", "up", "where", "with", "times", "each",
])
def test_words_that_may_be_names(word: str) -> None:
    assert parsed(f"x := {word} + f({word}[1])", "block")[0].parts[1].kind == "plus"
    assert parsed(f"{word} := 1", "block")[0].parts[0].parts[0] == word
    assert [node.kind for node in parsed(f"x := 1\n{word}[a, 1] += 1\n{word} := 1", "block")] == ["set", "add", "set"]


def test_bool_in_texts_is_an_expression() -> None:
    assert written(parsed("{a or b = c}", "template")) == "(text (or_ (name a) (equal (name b) (name c))))"


def test_lark_is_imported_by_the_first_sentence_only() -> None:
    code = (
        "import sys, rulelang.syntax.parse, rulelang.syntax.load, rulelang.syntax.schema, rulelang.syntax.format\n"
        "print('lark' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
