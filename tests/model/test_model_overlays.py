"""Section 8 of the language, as far as the checker decides it: merging itself is tested in tests/syntax/."""

from pathlib import Path

import pytest

from rulelang.loading import check, load

BASE = """\
rulelang: 1
players: 2
options: {most: {type: 1..9, start: 5}}
state: {heap: 0..9}
define: {low: heap < most}
phases:
  play:
    actions: [take]
    after: next player
actions:
  take: |
    require some_: low "there are too many"
    do:
      heap += 1
limit: {turns: 9}
variants:
  large: {says: more, set: {most: 9}}
"""


def found(tmp_path: Path, overlay: str, base: str = BASE) -> list[tuple[str, int, str, str]]:
    """What check finds in a file that extends another: file, line, severity, code."""
    (tmp_path / "base.rules").write_text(base, encoding="utf-8")
    file = tmp_path / "over.rules"
    file.write_text("extends: base.rules\n" + overlay, encoding="utf-8")
    return [(Path(d.place.file).name, d.place.line, d.severity, d.code) for d in check(file)]


def test_8_4_a_new_action_that_no_phase_lists(tmp_path: Path) -> None:
    assert found(tmp_path, "actions:\n  tke: |\n    do:\n      heap += 2\n") == [("over.rules", 3, "error", "unused")]


def test_8_4_a_new_action_that_a_phase_lists(tmp_path: Path) -> None:
    listed = "actions:\n  give: |\n    do:\n      heap += 2\nphases: {play: {actions: {add: [give]}}}\n"
    assert not found(tmp_path, listed)


def test_8_4_a_new_define_that_nobody_uses(tmp_path: Path) -> None:
    assert found(tmp_path, "define: {lwo: heap < 3}\n") == [("over.rules", 2, "error", "unused")]


def test_8_4_what_only_the_base_leaves_unused_is_no_fault_here(tmp_path: Path) -> None:
    idle = BASE.replace("state: {heap: 0..9}", "state: {heap: 0..9, idle: 0..3}")
    assert not found(tmp_path, "game: The same\n", idle)
    assert [d.code for d in check(tmp_path / "base.rules")] == ["unused"]


def test_8_4_an_edit_that_leaves_a_define_unused(tmp_path: Path) -> None:
    assert not found(tmp_path, "actions:\n  take:\n    rule: {drop: [some_]}\n")


def test_8_6_faults_keep_the_file_of_their_clause(tmp_path: Path) -> None:
    edit = "actions:\n  take:\n    rule:\n      before do: |\n        require few: heap < mst\n"
    assert found(tmp_path, edit) == [("over.rules", 6, "error", "unknown-name")]
    assert found(tmp_path, "state: {heap: switch}\n")[0][:2] == ("base.rules", 5)


def test_8_6_a_clause_of_the_base_may_contradict_a_new_one(tmp_path: Path) -> None:
    edit = "actions:\n  take:\n    rule:\n      after some_: |\n        require not_low: not low\n"
    assert found(tmp_path, edit) == [("over.rules", 6, "error", "contradiction")]


def test_8_7_each_variant_is_checked(tmp_path: Path) -> None:
    edit = ("variants:\n  small:\n    says: less\n    actions:\n      take:\n        rule:\n"
            "          do: |\n            heap += mst\n")
    assert found(tmp_path, edit) == [("over.rules", 9, "error", "unknown-name")]
    (told,) = check(tmp_path / "over.rules")
    assert told.notes[-1] == ("found with the variant `small`", None)


def test_8_7_each_option_is_checked_at_both_ends(tmp_path: Path) -> None:
    state = "state: {more: 3..most}\nsetup: |\n  more := 3\n  if more = 3: heap := 1\n"
    assert found(tmp_path, state) == [("over.rules", 2, "error", "out-of-range")]
    (told,) = check(tmp_path / "over.rules")
    assert told.notes[-1] == ("found with most=1", None)


def test_8_7_each_number_of_players_is_checked(tmp_path: Path) -> None:
    (fault,) = found(tmp_path, "players: 2..4\nsetup: |\n  if heap = 0: turn to player 3\n")
    assert fault == ("over.rules", 4, "error", "unknown-player")


def test_8_7_other_combinations_are_checked_when_they_are_loaded(tmp_path: Path) -> None:
    found(tmp_path, "game: The same\n")
    rules = load(tmp_path / "over.rules", variants=["large"], options={"most": 3})
    assert rules.settings == {"most": 3}
    assert rules.model(2).title == "The same"


# what an extending file says, where the fault is told, and the note that names the change with its line
CAUSES = {
    "a dropped phase": ("phases: {drop: [over]}", ("base.rules", "unknown-name"), "`phases: over` is dropped", 2),
    "a dropped variant": ("variants: {drop: [large]}", ("base.rules", "unknown-variant"),
                          "`variants: large` is dropped", 2),
    "a narrower option": ("options: {most: {type: 1..4}}", ("base.rules", "out-of-range"),
                          "`options: most: type` is changed", 2),
    "another type": ("state:\n  heap: switch", ("base.rules", "wrong-type"), "`state: heap: type` is changed", 3),
    "a dropped definition": ("game: It\ndefine: {drop: [low]}", ("base.rules", "unknown-name"),
                             "`define: low` is dropped", 3),
}


@pytest.mark.parametrize("case", CAUSES)
def test_a_fault_below_names_the_change_that_makes_it(tmp_path: Path, case: str) -> None:
    overlay, told, said, line = CAUSES[case]
    base = BASE.replace("    after: next player\n", "    after: |\n      if heap = 9: go over\n      next player\n"
                        "  over: {actions: [take]}\n") + "  small: {says: less, set: {most: 2}, not with: [large]}\n"
    assert not found(tmp_path, "game: It\n", base)
    assert told in [(file, code) for file, _, _, code in found(tmp_path, overlay + "\n", base)]
    first = next(d for d in check(tmp_path / "over.rules") if d.code == told[1])
    (text, place), = first.notes
    assert text == f"{said} by the file that extends this one"
    assert place is not None and (Path(place.file).name, place.line) == ("over.rules", line)


def test_a_fault_that_the_file_below_has_by_itself_blames_nobody(tmp_path: Path) -> None:
    found(tmp_path, "define: {low: heap < 3}\n", BASE.replace("heap += 1", "haep += 1"))
    (one,) = check(tmp_path / "over.rules")
    assert Path(one.place.file).name == "base.rules" and not one.notes


def test_two_kinds_of_board_are_told_where_the_second_stands(tmp_path: Path) -> None:
    base = BASE.replace("state:", "board: {grid: 3x3, areas: {edge: row = 1}}\nstate:")
    overlay = "board: {hexes: 3x3 rhombus}\n"
    assert found(tmp_path, overlay, base) == [("over.rules", 2, "error", "wrong-board")]
    (one,) = check(tmp_path / "over.rules")
    assert one.hint == "add `drop: [grid]` to this `board:`"
    assert not found(tmp_path, "board: {hexes: 3x3 rhombus, drop: [grid]}\n", base)
