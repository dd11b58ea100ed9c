"""What differs between two games, by the names of their rules and in their authors' words."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.loading import load
from rulelang.proving.difference import differences, words
from rulelang.proving.wording import words_of

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
