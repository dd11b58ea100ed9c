"""What differs between two games, by the names of their rules and in their authors' words."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulelang.loading import load
from rulelang.proving.difference import differences, words
from rulelang.proving.wording import words_of
from rulelang.syntax.read import read_document

GAMES = Path(__file__).parent.parent / "table" / "games"
DICE = (GAMES / "dice.rules").read_text(encoding="utf-8")

CASES = {
    # what is written instead of what, and the differences that it makes
    "nothing": ("game: Dice", "game:   Dice   # the same", []),
    "an option's start": ("start: 6, says", "start: 7, says", [("changed", "option goal, start", "6", "7")]),
    "an option's text": ("how far to run", "the way", [("changed", "option goal, says", "how far to run", "the way")]),
    "a state variable's type": (
        "at[p of Player]: 0..26", "at[p of Player]: 0..30", [("changed", "state at, type", "0..26", "0..30")]
    ),
    "a variable without parameters": (
        "die:             1..6 or none", "die[p of Player]: 1..6 or none",
        [("added", "state die, parameters", None, "die[p of Player]")],
    ),
    "a variable with parameters": (
        "  die:  ", "  luck[p of Player]: 0..3\n  die:  ", [("added", "state luck", None, "luck[p of Player]: 0..3")]
    ),
    "one part of a map on one line": (
        "start: 6, says: how far to run}", "start: 6}   # far enough",
        [("removed", "option goal, says", "how far to run", None)]
    ),
    "a section with a comment behind it": (
        "limit: {turns: 200}", "end: {far: {when: die = 6}}   # {far}\nlimit: {turns: 200}",
        [("added", "end", None, "{far: {when: die = 6}}")],
    ),
    "a section of several entries": (
        "limit: {turns: 200}",
        "limit: {turns: 200}\nassume:\n  six: {says: a six is a six}   # of course\n  # and more\n"
        "  one:\n    says: a one is a one\n    because: it is written\n      on the die   # as said",
        [("added", "assume", None, "six: {says: a six is a six}\none:\n  says: a one is a one\n"
          "  because: it is written\n    on the die")],
    ),
    "a clause with a comment": (
        'require early: at[me] < goal "you', 'require early: at[me] <= goal   # soon\n        "you',
        [("changed", "action roll, clause early", 'require early: at[me] < goal "you are there already"',
          'require early: at[me] <= goal\n  "you are there already"')],
    ),
    "a clause's condition": (
        "require early: at[me] < goal", "require early: at[me] <= goal",
        [("changed", "action roll, clause early", 'require early: at[me] < goal "you are there already"',
          'require early: at[me] <= goal "you are there already"')],
    ),
    "a clause of another name": (
        "require early:", "require late:",
        [("added", "action roll, clause late", None, 'require late: at[me] < goal "you are there already"'),
         ("removed", "action roll, clause early", 'require early: at[me] < goal "you are there already"', None)],
    ),
    "a new action": (
        "  rest:\n", "  sleep: |\n    do:\n      die := none\n  rest:\n",
        [("added", "action sleep", None, "do:\n  die := none")],
    ),
    "the actions of a phase": (
        "actions: [roll, rest]", "actions: [rest]",
        [("changed", "phase going, actions", "[roll, rest]", "[rest]")],
    ),
    "a section": ("limit: {turns: 200}", "", [("removed", "limit", "{turns: 200}", None)]),
    "a variant's setting": (
        "set: {goal: 20}", "set: {goal: 19}", [("changed", "variant long, set, goal", "20", "19")]
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_difference_is_named(tmp_path: Path, case: str) -> None:
    old, new, expected = CASES[case]
    assert old in DICE
    (tmp_path / "a.rules").write_text(DICE, encoding="utf-8")
    (tmp_path / "b.rules").write_text("# moved down\n\n" + DICE.replace(old, new), encoding="utf-8")
    one, other = (load(tmp_path / name).document for name in ("a.rules", "b.rules"))
    found = [
        (d.change, d.rule, d.old and d.old.text, d.new and d.new.text) for d in differences(one, other)
    ]
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_each_side_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text(DICE, encoding="utf-8")
    (tmp_path / "b.rules").write_text("extends: a.rules\noptions: {goal: {start: 9}}\n", encoding="utf-8")
    (found,) = differences(load(tmp_path / "a.rules").document, load(tmp_path / "b.rules").document)
    assert found.old is not None and found.new is not None
    assert (Path(found.old.place.file).name, Path(found.new.place.file).name) == ("a.rules", "b.rules")
    assert found.old.place.line == DICE.splitlines().index(
        "  goal:    {type: 3..20, start: 6, says: how far to run}"
    ) + 1


def test_what_an_extending_file_adds_to_a_variant_is_a_difference(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text(DICE, encoding="utf-8")
    (tmp_path / "b.rules").write_text(
        "extends: a.rules\nvariants:\n  long:\n    limit: {turns: 8}\n    drop: [rank]\n", encoding="utf-8")
    found = differences(load(tmp_path / "a.rules").document, load(tmp_path / "b.rules").document)
    assert [(d.rule, d.new and d.new.text) for d in found] == [
        ("variant long, change 1: limit", "{turns: 8}"), ("variant long, change 1: drop", "rank")]


VARIANT = """variants:
  odd:
    set: {goal: 5}
    actions:
      roll: {rule: {early: "require at[me] < 5", drop: [do]}}
      drop: [rest]
    phases: {going: {actions: {drop: [rest]}, after: {first: die := none}}}
"""
EDITS = {
    "at[me] < 5": ("at[me] < 6", "variant odd, actions, roll"),
    "drop: [do]": ('before early: "require on"', "variant odd, actions, roll"),
    "{drop: [rest]}": ("{drop: [roll]}", "variant odd, phases, going, actions"),
    "{first: ": ("{then: ", "variant odd, phases, going, after"),
    "      drop: [rest]": ("      drop: [roll]", "variant odd, actions, drop"),
}


@pytest.mark.parametrize("old", EDITS)
def test_edits_of_variants_differ_and_have_words(tmp_path: Path, old: str) -> None:
    new, rule = EDITS[old]
    head = "rulelang: 1\ngame: None\nplayers: 2\n"
    assert VARIANT.count(old) == 1
    (tmp_path / "a.rules").write_text(head + VARIANT, encoding="utf-8")
    (tmp_path / "b.rules").write_text(head + VARIANT.replace(old, new), encoding="utf-8")
    (tmp_path / "c.rules").write_text(head, encoding="utf-8")
    one, other, bare = (read_document(tmp_path / f"{name}.rules") for name in "abc")
    assert differences(one, one) == []
    (found,) = differences(one, other)
    assert found.rule.startswith(rule)
    assert found.old and found.new and found.old.text != found.new.text
    (whole,) = differences(bare, one)
    assert whole.new and whole.new.text == "\n".join(line[2:] for line in VARIANT.splitlines()[1:])


def test_the_order_of_clauses_counts(tmp_path: Path) -> None:
    text = DICE.replace('      require early', '      require late: at[me] < 26 "late"\n      require early')
    (tmp_path / "a.rules").write_text(text, encoding="utf-8")
    lines = text.splitlines()
    place = next(n for n, line in enumerate(lines) if "require late" in line)
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    (tmp_path / "b.rules").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = differences(load(tmp_path / "a.rules").document, load(tmp_path / "b.rules").document)
    assert [(d.rule, d.old and d.old.text, d.new and d.new.text) for d in found] == [
        ("action roll, order of the clauses", "late, early, do", "early, late, do")
    ]


FILES = sorted(
    path for folder in ("rules", "examples") for path in (Path(__file__).parents[2] / folder).glob("*.rules")
    if path.name != "mistakes.rules"
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_game_is_compared_with_itself_with_an_overlay_and_with_another(path: Path, tmp_path: Path) -> None:
    below = Path(os.path.relpath(path, tmp_path)).as_posix()
    (tmp_path / "over.rules").write_text(f"extends: {below}\ngame: Another\n", encoding="utf-8")
    own, other = load(path).document, load(FILES[FILES.index(path) - 1]).document
    assert differences(own, load(path).document) == []
    over = differences(own, load(tmp_path / "over.rules").document)
    assert [one.rule for one in over] == ["game"]
    for one in (*differences(own, other), *differences(other, own)):
        assert all(side is None or side.text for side in (one.old, one.new)), one.rule


def test_what_an_overlay_changed_is_told_as_it_is_now(tmp_path: Path) -> None:
    """Its parts stand in two files, and the place of the whole is where the first file says something else."""
    (tmp_path / "a.rules").write_text(DICE, encoding="utf-8")
    (tmp_path / "b.rules").write_text(
        "extends: a.rules\noptions:\n  goal: {start: 9}   # further\n  luck: {type: 0..3, says: none}\n"
        "actions:\n  drop: [rest]\n  roll:\n    rule:\n      early: |\n        require at[me] < 3   # so early\n"
        "phases: {going: {actions: {drop: [rest]}, after: {first: die := none}}}\n", encoding="utf-8")
    (tmp_path / "c.rules").write_text("rulelang: 1\ngame: None\nplayers: 2\n", encoding="utf-8")
    new, bare = load(tmp_path / "b.rules").document, read_document(tmp_path / "c.rules")
    told = {one.rule: one.new.text for one in differences(bare, new) if one.new}
    assert told["options"] == """goal:
  type: 3..20
  start: 9
  says: how far to run
seconds: {type: 0..600, start: 0}
asks: {type: switch, says: the table is asked whether a step counts}
luck: {type: 0..3, says: none}"""
    assert told["phases"] == """going:
  actions: [roll]
  after: |
    die := none
    next player"""
    assert told["actions"] == """roll:
  says: Roll the die and run
  rule: |
    require at[me] < 3
    do:
      draw die from 1..6
      if asks:
        judge fair "Was the die thrown well?"
        if not fair: end turn
      at[me] += die
      if at[me] >= goal: win me"""


def test_every_item_of_every_game_has_words() -> None:
    """Nothing that may differ is shown as nothing."""
    from rulelang.loading import builtin_games
    from rulelang.syntax.trees import Branch, Rule

    def walk(item: object, path: tuple[str, ...]) -> None:
        if isinstance(item, Branch):
            for entry in item:
                walk(entry.item, (*path, entry.name))
        elif isinstance(item, Rule):
            for clause in item.clauses:
                assert words_of(clause), path
        else:
            assert words_of(item) or words(path), path  # type: ignore[arg-type]

    for path in [*builtin_games().values(), GAMES / "hands.rules", GAMES / "dice.rules"]:
        walk(load(path).document, ())
