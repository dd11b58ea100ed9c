"""Documents: every draft reads, short forms are written out, and each section has the leaves it promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from documents import DRAFTS, at, builtin, content, names

from rulelang.source.compose import compose
from rulelang.source.diagnostic import Faults
from rulelang.syntax.forms import DOCUMENT, Section
from rulelang.syntax.load import load_document
from rulelang.syntax.read import read
from rulelang.syntax.trees import Branch, DataList, Entry, Item, Leaf, Rule

FILES = sorted(DRAFTS.glob("*.rules"))
WHOLE = [path for path in FILES if path.name != "blox-board.rules"]


def document(text: str) -> Branch:
    faults = Faults()
    root = compose(text, "a.rules", faults)
    assert root is not None
    found = read(root, "a.rules", faults)
    faults.raise_any()
    return found


def leaves(item: Item) -> list[Leaf]:
    if isinstance(item, Leaf):
        return [item]
    if isinstance(item, DataList):
        return [leaf for each in item.items for leaf in leaves(each)]
    if isinstance(item, Branch):
        return [leaf for entry in item.entries for leaf in leaves(entry.item)]
    return []


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_every_draft_reads(path: Path) -> None:
    loaded = load_document(path, builtin)
    assert at(loaded.document, "game").value
    assert loaded.files[0] == path


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_every_leaf_of_a_draft_stands_where_it_says(path: Path) -> None:
    loaded = load_document(path, builtin)
    texts = {str(file): file.read_text(encoding="utf-8").split("\n") for file in DRAFTS.glob("*.rules")}
    found = leaves(loaded.document)
    assert len(found) > 5
    for leaf in found:
        row = texts[leaf.place.file][leaf.place.line - 1]
        stretch = row[leaf.place.column - 1 : leaf.place.column - 1 + leaf.place.length]
        if leaf.kind == "text":
            assert stretch.strip("\"'") == leaf.value
        elif leaf.kind in ("block",):
            assert stretch
        elif leaf.kind in ("expr", "type", "start", "data", "union", "rank"):
            assert leaf.value.kind and len(stretch) == leaf.place.length


def test_a_type_alone_is_a_state_variable() -> None:
    found = document("state:\n  a[c of Cell, p of Player]: switch\n  b: {type: 0..3, start: 1, seen: off}\n")
    first, second = at(found, "state").entries
    assert (first.name, names(first.item), first.signature.kind) == ("a", ["type"], "decl")
    assert [param.parts[0] for param in first.signature.parts[1]] == ["c", "p"]
    assert names(second.item) == ["type", "start", "seen"]
    assert [at(second.item, key).kind for key in names(second.item)] == ["type", "start", "expr"]


def test_a_rule_alone_is_an_action() -> None:
    found = document("actions:\n  a: |\n    choose c in Cell\n    do: tie\n  b: {says: x, rule: 'do: tie'}\n"
                     .replace("'do: tie'", '"do: tie"'))
    rule = at(found, "actions", "a", "rule")
    assert isinstance(rule, Rule) and names(rule) == ["c", "do"]
    assert names(at(found, "actions", "b")) == ["says", "rule"]


def test_clauses_have_names() -> None:
    found = document("""\
actions:
  a: |
    choose c in Cell
    choose 2 from bag as some_of
    let k = first x in Cell "none"
    require a
    require seven: b
    require c2
    says "well"
    says "done"
    do: tie
    ensure d
    ensure last_one: e
""")
    assert names(at(found, "actions", "a", "rule")) == [
        "c", "some_of", "k", "require", "seven", "require 2", "says", "says 2", "do", "ensure", "last_one"]


def test_players() -> None:
    def value(text: str) -> Any:
        return content(at(document(f"players: {text}\n"), "players").value)

    assert value("2") == ("range", 2, 2)
    assert value("2..4") == ("range", 2, 4)
    assert value("[white, black]") == ("names", (("text", "white"), ("text", "black")))


def test_types() -> None:
    found = document("types:\n  A: [x, y]\n  B: 1..9\n  C: {f: A, g: B}\n  D: A or free\n")
    assert [at(found, "types", name).kind for name in "ABD"] == ["names", "union", "union"]
    assert names(at(found, "types", "A")) == ["x", "y"]
    assert at(found, "types", "C", "g").kind == "union"
    assert at(found, "types", "D").value.parts[1] == ("free",)


@pytest.mark.parametrize(("text", "count", "word"), [
    ("8x8", 2, None), ("24", 1, None), ("3x3x32", 3, None), ("size x size rhombus", 2, "rhombus"),
    ("size x size", 2, None), ("11x11 rhombus", 2, "rhombus"), ("2 * n + 1", 1, None), ("size of b x 3", 2, None),
    ("n mod k", 1, None), ("(a + b) x 3 hexagon", 2, "hexagon"), ("x x x", 2, None),
])
def test_sizes(text: str, count: int, word: str | None) -> None:
    leaf = at(document(f"board:\n  grid: {text}\n"), "board", "grid")
    assert (leaf.kind, len(leaf.value[0]), leaf.value[1]) == ("size", count, word)
    for number in leaf.value[0]:
        assert number.place.line == 2 and number.place.column >= 9


def test_boards() -> None:
    found = document("""\
board:
  graph: {points: {a: [b, c], 12: [a]}}
  spaces: row > 1
  letters: {P: pawn, ".": none}
  areas: {boxes: {of: blocks of 3x3, each: box}, north: "row = 1", mills: [a b c, d e f]}
  paint:
    color: {type: Color, rows: [KP, WG]}
""")
    assert names(at(found, "board", "graph", "points")) == ["a", "12"]
    areas = at(found, "board", "areas")
    assert at(areas, "boxes", "of").value == "blocks of 3x3"
    assert at(areas, "north").kind == "expr"
    assert names(at(areas, "mills")) == ["a b c", "d e f"]
    assert at(found, "board", "letters", ".").value.kind == "none"
    assert at(found, "board", "paint", "color", "type").kind == "type"


def test_starts() -> None:
    found = document("""\
state:
  a: {type: 0..9, start: 1 if b else 2}
  b: {type: set of T, start: one of each}
  c: {type: T, start: random}
  d[c of Cell]:
    type: T
    start: random with every a in rows has a
  e[c of Cell]: {type: T, start: {letters: {P: pawn}, rows: [PP, ".."]}}
  f[c of Cell]: {type: T, start: {player 1: rows 1..3, player 2: {24: 2, rows 6: 3}}}
""")
    state = at(found, "state")
    assert [at(state, name, "start").value.kind for name in "abcd"] == ["cond", "one_each", "random_", "random_with"]
    assert names(at(state, "e", "start", "rows")) == ["PP", ".."]
    entry: Entry = at(state, "f", "start").entries[0]
    assert (entry.name, entry.signature.kind, entry.item.value.kind) == ("player 1", "player", "lines_span")
    assert [each.signature.kind for each in at(state, "f", "start", "player 2")] == ["int", "lines_span"]


def test_tables() -> None:
    found = document("tables:\n  t[p of Player]: {type: Cell, is: [[h1, a1], {x: 3}]}\n")
    rows = at(found, "tables", "t", "is")
    assert isinstance(rows, DataList) and isinstance(rows.items[0], DataList) and isinstance(rows.items[1], Branch)
    assert rows.items[0].items[0].value.kind == "name"


def test_rank_is_a_list() -> None:
    assert [leaf.value.parts[0] for leaf in at(document("rank: score\n"), "rank").items] == ["highest"]
    several = at(document("rank: [score, lowest time]\n"), "rank").items
    assert [leaf.value.parts[0] for leaf in several] == ["highest", "lowest"]


def test_examples() -> None:
    found = document("""\
examples:
  a first move:
    players: 2
    set: {size: 5}
    variant: [swap]
    from: another
    seed: 7
    given: x := 1
    play: [place a1, "swap"]
    chance: {drawn: [5, none]}
    legal: [a1]
    illegal: {b2: taken}
    then: a = 1
  another:
    illegal: [c3, d4]
""")
    first = at(found, "examples", "a first move")
    kinds = {entry.name: type(entry.item).__name__ for entry in first}
    assert kinds["play"] == "DataList" and kinds["chance"] == "Branch"
    assert at(first, "given").value[0].kind == "set"
    assert [leaf.kind for leaf in at(first, "chance", "drawn").items] == ["data", "data"]
    assert at(first, "illegal", "b2").value == "taken"
    assert [(entry.name, entry.item.value) for entry in at(found, "examples", "another", "illegal")] == [
        ("c3", ""), ("d4", "")]


def test_views() -> None:
    found = document("""\
view:
  cell:
    glyph: "{digit or o}"
    letters: {pawn: P, none: .}
    colour: {player 1: red}
  panel: {cards left: count of pile}
""")
    assert at(found, "view", "cell", "glyph").value.parts[0].kind == "or_else"
    assert [entry.signature.kind for entry in at(found, "view", "cell", "letters")] == ["name", "none"]
    assert at(found, "view", "panel", "cards left").kind == "expr"


def test_steps_and_definitions_have_signatures() -> None:
    found = document("define:\n  f(c of Cell): c\nsteps:\n  g: finish\n  h(n of 1..3): |\n    x := n\n")
    assert at(found, "define").entries[0].signature.parts[1][0].parts[0] == "c"
    assert [entry.name for entry in at(found, "steps")] == ["g", "h"]


def test_texts_of_several_lines() -> None:
    found = document("game: Hex\n  the game\nassume:\n  a: {says: 'it''s open'}\n"
                     "  b:\n    says: |\n      one\n      two\n")
    assert at(found, "game").value == "Hex the game"
    assert at(found, "assume", "a", "says").value == "it's open"
    assert at(found, "assume", "b", "says").value == "one\ntwo"


def test_unreadable_parts_do_not_hide_the_rest() -> None:
    faults = Faults()
    root = compose("define:\n  a: b +\n  c: d\nplayers: x\nrank: e\n", "a.rules", faults)
    assert root is not None
    found = read(root, "a.rules", faults)
    assert len(faults.found) == 2
    assert at(found, "define", "c") and at(found, "rank")


def test_every_form_has_an_example_that_reads() -> None:
    for key, form in DOCUMENT.keys.items():
        example = form.example
        if example.split(":")[0] == key:
            document(example + "\n")
        elif "\n" not in example:
            assert isinstance(form, Section) or example
