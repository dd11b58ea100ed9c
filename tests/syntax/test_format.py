"""`fmt`: one style, the same meaning, and no second opinion."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from documents import DRAFTS, content

from rulelang.source.compose import compose
from rulelang.source.diagnostic import Faults, RulesError
from rulelang.syntax.format import format_text
from rulelang.syntax.format_sentence import format_block, format_sentence
from rulelang.syntax.read import read

FILES = sorted(DRAFTS.glob("*.rules"))
ROOT = Path(__file__).parents[2]
GAMES = sorted([*(ROOT / "rules").glob("*.rules"), *(ROOT / "examples").glob("*.rules")])


def meaning(text: str) -> object:
    faults = Faults()
    root = compose(text, "a.rules", faults)
    assert root is not None
    return content(read(root, "a.rules", faults))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_twice_is_as_once_and_means_the_same(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    once = format_text(text, path.name)
    assert format_text(once, path.name) == once
    assert meaning(once) == meaning(text)
    assert re.findall(r"(?m)(?<!\S)#.*$", once) == re.findall(r"(?m)(?<!\S)#.*$", text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_blanks_at_random_come_out(path: Path) -> None:
    """Blanks that mean nothing, put in anywhere, leave no trace beyond columns and line breaks."""
    chance = random.Random(path.stem)
    text = format_text(path.read_text(encoding="utf-8"), path.name)
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not re.search(r"[\"#]|says:", line) and chance.random() < 0.3:
            lines[number] = re.sub(r" (=|:=|\+=|and|or|in|has) ", r"  \1   ", line)
    assert format_text("\n".join(lines), path.name) == text


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_games_are_in_the_one_style(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(text, path.name) == text


@pytest.mark.parametrize(("text", "wanted"), [
    ("a+b*-c", "a + b * -c"), ("f (a,b)", "f(a, b)"), ("x [ i,j ]", "x[i, j]"), ("{ a , b }", "{a, b}"),
    ("-1 .. n-1", "-1..n - 1"), ("not(a)and(b)", "not (a) and (b)"), ("{c in S where(c)=1}", "{c in S where (c) = 1}"),
    ("a-b", "a - b"), ("a = -1", "a = -1"), ("a   is   none", "a is none"),
    ("no c in S has p and q", "(no c in S has p and q)"), ("(no c in S has p and q)", "(no c in S has p and q)"),
    ("f(no c in S has p and q)", "f(no c in S has p and q)"),
    ("a and no c in S has p", "a and no c in S has p"),
    ("a or some c in S has p or q", "a or (some c in S has p or q)"),
    ("some c in S has\n p and q", "some c in S has\n p and q"),
    ("first c in S where p and q", "(first c in S where p and q)"),
    ("{c in S where no d in T has p or q}", "{c in S where (no d in T has p or q)}"),
    ("every c in S has (p and q)", "every c in S has (p and q)"),
    ("a b", "a b"),
])
def test_sentences(text: str, wanted: str) -> None:
    assert format_sentence("expr", text) == wanted
    assert format_sentence("expr", wanted) == wanted


def test_blocks() -> None:
    text = """\
if a=1:x:=2
else if b:
    y  +=1   # c

    # note
    for each c in Cell where c in d
          and e:
       z[c,1]:={a,b}
else:
      end  turn
require lane  : some a in b has c  or d   # why
  "no {x+1}"
judge stands by physics . stands (cube,3)"Still?"
pay ({a},
     b)
"""
    wanted = """\
if a = 1: x := 2
else if b:
  y += 1   # c

  # note
  for each c in Cell where c in d
        and e:
    z[c, 1] := {a, b}
else:
  end turn
require lane: (some a in b has c or d)   # why
  "no {x+1}"
judge stands by physics.stands(cube, 3) "Still?"
pay({a},
     b)
"""
    assert format_block(text) == wanted
    assert format_block(wanted) == wanted


def test_lines() -> None:
    text = """\

rulelang: 1   \n\


game:    Hex
options:
    size: {type:  0..9,start: 3,says: a  b}     # sizes
    swap: {  type: switch  }
sources:
- a
-   b
state:
     # above
     a[c of  Cell]:  switch
     bb:             {type: switch}
     c: 0..3

     d:    0..4
setup: |
        x:=1
        if a:
           y:=2
phases: {play: {actions: [ a,b ]}}
"""
    wanted = """\
rulelang: 1

game: Hex
options:
  size: {type: 0..9, start: 3, says: a  b}    # sizes
  swap: {type: switch}
sources:
  - a
  - b
state:
  # above
  a[c of Cell]: switch
  bb:           {type: switch}
  c: 0..3

  d: 0..4
setup: |
  x := 1
  if a:
    y := 2
phases: {play: {actions: [a, b]}}
"""
    once = format_text(text, "a.rules")
    assert once == wanted
    assert format_text(once, "a.rules") == wanted


def test_a_line_that_would_change_its_meaning_is_left() -> None:
    text = "phases:\n  play:\n    after: if a:finish\n    stuck: if b  = c :tie\n"
    assert format_text(text, "a.rules") == text.replace("b  = c :tie", "b  = c :tie")


def test_faulty_files_are_not_touched() -> None:
    with pytest.raises(RulesError):
        format_text("define:\n  a: b +\n", "a.rules")


def test_overlays_and_included_sections() -> None:
    text = "extends: x\nphases:\n  play:\n    after: {first:  tie, then: \"go  b\"}\n    actions: {drop: [a ,b]}\n"
    wanted = "extends: x\nphases:\n  play:\n    after: {first: tie, then: \"go b\"}\n    actions: {drop: [a, b]}\n"
    assert format_text(text, "a.rules") == wanted
    assert format_text("grid:   8x8\nnames: numbers\n", "a.rules") == "grid: 8x8\nnames: numbers\n"
