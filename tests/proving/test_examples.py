"""Examples of rules files: each thing they can say, when it is so and when it is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang.loading import load
from rulelang.proving.examples import Outcome, position_of, run_examples
from rulelang.proving.positions import ExampleError, Examples

GAMES = Path(__file__).parent.parent / "table" / "games"
DICE = (GAMES / "dice.rules").read_text(encoding="utf-8")

CASES = {
    # the example, then a part of each problem's message or details, in order
    "a condition holds": ("{chance: {die: [4]}, play: [roll], then: die = 4}", []),
    "a condition fails": ("{chance: {die: [4]}, play: [roll], then: die = 5 and goal = 6}", ["does not hold"]),
    "a condition cannot be worked out": ("{then: 1 / die = 2}", ["does not hold|cannot be worked out"]),
    "chance comes as it is written": (
        "{chance: {die: [4, 1]}, play: [roll, roll], then: die = 1 and at[red] = 4}", []
    ),
    "the game goes as far as it says": ("{chance: {die: [6]}, play: [roll], legal: [roll]}", ["the game is over"]),
    "no moves after the end": ("{chance: {die: [6]}, play: [roll, roll]}", ["the game is over already"]),
    "a legal move": ("{legal: [roll, rest]}", []),
    "a move that is not legal": ("{given: |, legal: [roll]}", ["`roll` should be legal, and is refused: you are"]),
    "a word that is no move": ("{legal: [fly]}", ["`fly` should be legal"]),
    "an illegal move by its sentence": ("{given: |, illegal: {roll: you are there already}}", []),
    "an illegal move by a part of its sentence": ("{given: |, illegal: {roll: There Already}}", []),
    "an illegal move by its clause": ("{given: |, illegal: {roll: early}}", []),
    "an illegal move in a list": ("{given: |, illegal: [roll]}", []),
    "an illegal move by another clause": ("{given: |, illegal: {roll: late}}", ["is refused by another: you are"]),
    "a legal move that should not be": ("{illegal: {roll: early}}", ["`roll` should be refused, and is legal"]),
    "an illegal word that is no move": ("{illegal: {fly: early}}", ["is no move of this game"]),
    "a bad move on the way": ("{play: [roll, fly]}", ["the move `fly` cannot be played"]),
    "an option": ("{set: {goal: 9}, then: goal = 9}", []),
    "a variant": ("{variant: [long], then: goal = 20}", []),
    "a variant and an option": ("{variant: [long], set: {goal: 4}, then: goal = 4}", []),
    "an option out of range": ("{set: {goal: 99}}", ["its game cannot be had"]),
    "an answer of the table": ("{set: {asks: on}, chance: {die: [2]}, play: [roll, no], then: at[red] = 0}", []),
    "an answer that is none": ("{set: {asks: on}, play: [roll, roll]}", ["a question waits"]),
    "the clock": ("{variant: [fast], play: [rest, clock out], illegal: {roll: the game is over}}", []),
    "chance that cannot be": ("{chance: {die: [9]}, play: [roll]}", ["cannot"]),
    "a seed": ("{seed: 3, play: [roll], then: die is not none}", []),
    "too many players": ("{players: 5}", ["this game is not for 5 players"]),
}


def file_of(tmp_path: Path, examples: str) -> Path:
    path = tmp_path / "mine.rules"
    text = DICE.replace("phases:", "define:\n  at[red]: at[red]\nphases:", 1) if "at_red" in examples else DICE
    path.write_text(f"{text}examples:\n{examples}", encoding="utf-8")
    return path


def outcomes(tmp_path: Path, examples: str) -> list[Outcome]:
    return list(run_examples(load(file_of(tmp_path, examples))))


def in_lines(example: str) -> str:
    """A case in the form that holds sentences with commas and brackets."""
    lines = []
    for part in re.split(r", (?=[a-z]+: )", example[1:-1]):
        key, _, value = part.partition(": ")
        lines.append(f"    {key}: {value}" if value != "|" else f"    {key}: |\n      at[red] := goal")
    return "  case:\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("case", CASES)
def test_an_example(tmp_path: Path, case: str) -> None:
    example, expected = CASES[case]
    (outcome,) = outcomes(tmp_path, in_lines(example))
    told = [f"{problem.message} {' '.join(problem.details)}" for problem in outcome.problems]
    assert len(told) == len(expected), told
    for words, parts in zip(told, expected, strict=True):
        assert any(part in words for part in parts.split("|")), words


@pytest.mark.parametrize(("example", "words"), [
    ("{seed: 1, players: 5}", "5"), ("{seed: 1, variant: [lung]}", "[lung]"),
    ("{seed: 1, set: {goal: 99}}", "{goal: 99}"),
])
def test_what_an_example_cannot_have_is_told_at_its_place(tmp_path: Path, example: str, words: str) -> None:
    path = file_of(tmp_path, in_lines(example))
    (outcome,) = run_examples(load(path))
    place = outcome.problems[0].place
    assert path.read_text(encoding="utf-8").split("\n")[place.line - 1][place.column - 1:].startswith(words)


CHAIN = """
  first:
    chance: {die: [2, 3]}
    play: [roll]
    then: at[red] = 2
  second:
    from: first
    play: [roll]
    then: at[red] = 2 and at[blue] = 3
  third:
    from: second
    given: |
      at[blue] := 5
    chance: {die: [4]}
    play: [roll]
    then: at[red] = 6 and at[blue] = 5
  long way:
    from: nearly
    then: goal = 20
  nearly:
    variant: [long]
    then: goal = 20
"""


def test_examples_go_on_from_each_other(tmp_path: Path) -> None:
    found = outcomes(tmp_path, CHAIN)
    assert [outcome.title for outcome in found] == ["first", "second", "third", "long way", "nearly"]
    assert not [problem for outcome in found for problem in outcome.problems]


def test_what_fails_shows_its_parts_with_their_values(tmp_path: Path) -> None:
    lines = ["  a:", "    chance: {die: [4]}", "    play: [roll]", "    then: die = 4 and at[red] > 5", ""]
    (outcome,) = outcomes(tmp_path, "\n".join(lines))
    (problem,) = outcome.problems
    assert problem.details == ("holds  die = 4", "fails  at[red] > 5", "       at[red] is 4")
    assert problem.place.line == len(DICE.splitlines()) + 5


def test_a_fault_in_play_is_told_with_its_rule(tmp_path: Path) -> None:
    path = tmp_path / "b.rules"
    text = (GAMES / "broken.rules").read_text(encoding="utf-8")
    path.write_text(text + "examples:\n  a:\n    play: [step, step]\n", encoding="utf-8")
    (outcome,) = run_examples(load(path))
    assert "the move `step` cannot be played" in outcome.problems[0].message
    assert any("b.rules:14:7" in line for line in outcome.problems[0].details)


def test_examples_of_a_file_that_is_extended_are_not_those_of_the_extension(tmp_path: Path) -> None:
    base = file_of(tmp_path, "  a:\n    then: goal = 6\n")
    house = tmp_path / "house.rules"
    house.write_text(f"extends: {base.name}\noptions: {{goal: {{start: 9}}}}\n", encoding="utf-8")
    assert list(run_examples(load(house))) == []


def test_a_position_can_be_gone_on_from(tmp_path: Path) -> None:
    rules = load(file_of(tmp_path, "  a:\n    play: [rest]\n"))
    state = position_of(rules, "a")
    assert state.to_act == (1,)
    state.play("roll")
    assert state.waits_for == "chance"
    with pytest.raises(ExampleError, match="did you mean `a b`"):
        Examples(load(file_of(tmp_path, "  a b:\n    play: [rest]\n"))).position("ab")


def test_a_move_that_could_be_several_is_neither_legal_nor_refused(tmp_path: Path) -> None:
    path = tmp_path / "marks.rules"
    path.write_text((GAMES.parent.parent.parent / "rules" / "tic_tac_toe.rules").read_text(encoding="utf-8").split(
        "examples:")[0] + "examples:\n  a: {legal: [mark]}\n  b: {illegal: [mark]}\n  c: {illegal: {mark: taken}}\n",
        encoding="utf-8")
    problems = [problem.message for outcome in run_examples(load(path)) for problem in outcome.problems]
    assert len(problems) == 3
    assert all("`mark` could be `mark a1`, `mark b1`" in problem for problem in problems), problems
