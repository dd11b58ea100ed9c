"""Rules that are legal word for word and would make a careless checker slow, deep or large."""

from pathlib import Path
from time import perf_counter

import pytest
from model_cases import completed

from rulelang.loading import check
from rulelang.source.diagnostic import Diagnostic

MOST_SECONDS = 5.0      # each takes a tenth of it on a usual machine


def checked(tmp_path: Path, text: str) -> tuple[Diagnostic, ...]:
    file = tmp_path / "bounds.rules"
    file.write_text(completed(text), encoding="utf-8")
    start = perf_counter()
    found = check(file)
    assert perf_counter() - start < MOST_SECONDS
    return found


def codes(found: tuple[Diagnostic, ...]) -> set[str]:
    return {d.code for d in found if d.severity == "error"}


def row_of_defines(count: int, first: str, body: str) -> str:
    return f"define:\n  d0{first}\n" + "".join(
        f"  d{i}{body.format(i - 1)}\n" for i in range(1, count)) + f"state:\n  n: 0..9\nsetup: |\n  n := d{count - 1}"


def test_a_short_row_of_defines(tmp_path: Path) -> None:
    assert not codes(checked(tmp_path, row_of_defines(100, ": 1", ": d{} - 0") + "\n"))


def test_a_long_row_of_defines_is_too_deep(tmp_path: Path) -> None:
    assert codes(checked(tmp_path, row_of_defines(2_000, ": 1", ": d{} - 0") + "\n")) == {"too-deep"}


def test_a_long_circle_of_defines(tmp_path: Path) -> None:
    found = checked(tmp_path, row_of_defines(2_000, ": d1999", ": d{} - 0") + "\n")
    assert codes(found) == {"recursion"}
    assert len(found) == 1


def test_a_long_circle_of_steps(tmp_path: Path) -> None:
    text = "steps:\n" + "".join(f"  s{i}: |\n    s{(i + 1) % 1_000}()\n" for i in range(1_000))
    found = checked(tmp_path, text + "setup: |\n  s0()\n")
    assert codes(found) == {"recursion", "too-deep"}
    assert not any("these rules" in d.message for d in found)      # Python's own stack was never in danger


def test_steps_that_double_each_time(tmp_path: Path) -> None:
    text = "state:\n  n: 0..9\nsteps:\n  s0: |\n    n := 1\n" + "".join(
        f"  s{i}: |\n    s{i - 1}()\n    s{i - 1}()\n" for i in range(1, 60))
    assert codes(checked(tmp_path, text + "setup: |\n  s59()\n")) == {"too-deep"}


def test_numbers_that_grow_twice_as_long_each_time(tmp_path: Path) -> None:
    text = row_of_defines(80, "(k of 0..9): k", "(k of 0..9): d{0}(k) * d{0}(k)") + "(3)\n"
    assert codes(checked(tmp_path, text)) == {"too-large"}


def test_demands_that_double_each_time(tmp_path: Path) -> None:
    secret = "state:\n  h[i of 0..9]: {type: 0..9, seen: off}\n  m: 0..9\n"
    text = row_of_defines(60, "(k of 0..9): h[k] > 3", "(k of 0..9): d{0}(k) or d{0}(9 - k)").replace(
        "state:\n  n: 0..9\n", secret).replace("  n := d59", "  if d59(3): m := 1")
    text += "\nactions:\n  go_: |\n    require low: d59(2)\n    do:\n      m := 2\n"
    assert codes(checked(tmp_path, text)) == {"secret"}


def test_field_names_that_are_defines_too(tmp_path: Path) -> None:
    text = ("types:\n  Kind: [pawn, king]\n  Man: {kind: Kind}\nstate:\n  n: 0..9\ndefine:\n  kind(i of 0..9): i\n"
            "setup: |\n  n := " + "kind of " * 60 + "n\n")
    assert not codes(checked(tmp_path, text))


@pytest.mark.parametrize("words", [
    "not " * 90 + "b", "(" * 60 + "b" + ")" * 60, " and ".join(["b"] * 90), "b if b else " * 90 + "b",
    "b = (" * 30 + "b" + ")" * 30, "some x in Player has " * 1 + "b",
])
def test_deep_sentences(tmp_path: Path, words: str) -> None:
    found = checked(tmp_path, f"state:\n  b: switch\nsetup: |\n  b := {words}\n")
    assert codes(found) <= {"contradiction"}


@pytest.mark.parametrize("words", ["left of " * 90 + "player 1", "-" * 90 + "3"])
def test_deep_operators(tmp_path: Path, words: str) -> None:
    text = f"state:\n  n: 0..9\n  w: Player\nsetup: |\n  {'w' if 'left' in words else 'n'} := {words}\n"
    assert codes(checked(tmp_path, text)) <= {"syntax", "out-of-range"}


def test_large_tables_of_bags(tmp_path: Path) -> None:
    text = ("types:\n  Kind: 1..4000\ncomponents:\n  card: {kinds: Kind, each: 4}\nstate:\n"
            "  hand[i of 1..250]: {type: bag of card, seen: off}\nsetup: |\n  deal 3 from supply of card to hand[1]\n")
    assert not codes(checked(tmp_path, text))


def test_two_thousand_lines(tmp_path: Path) -> None:
    actions = "".join(f"""  move{i}: |
    choose from in Cell where stone[from] = me "none of yours"
    choose to in step(from, orthogonal) where stone[to] is none "it is taken"
    require enough: kept[me] > {i % 9} and not (some c in between(from, to) has stone[c] is not none) "no"
    let others = {{c in neighbours({{to}}) where stone[c] = opponent}}
    do:
      stone[from] := none
      stone[to] := me
      for each c in others: stone[c] := none
      kept[me] += count of others
      if kept[me] > 70: win me
""" for i in range(190))
    state = "state:\n  stone[c of Cell]: Player or none\n  kept[p of Player]: 0..99\n"
    text = "board: {grid: 8x8}\n" + state + "actions:\n" + actions
    assert text.count("\n") > 2_000
    assert not codes(checked(tmp_path, text))
