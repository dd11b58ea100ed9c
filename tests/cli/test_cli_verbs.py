"""Each verb on small files: what it prints and its exit code."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

FAULTY = """rulelang: 1
game: Faulty
players: 2
state:
  kept[p of Player]: 0..9
phases:
  play:
    actions: [take]
    after: next player
actions:
  take: |
    do:
      kepp[me] += 1
limit: {turns: 9}
"""


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    path = tmp_path / "here" / "faulty.rules"
    path.parent.mkdir(exist_ok=True)
    path.write_text(FAULTY, encoding="utf-8")
    return path


# ---------------------------------------------------------------------------------------------------- check


def test_check_says_that_there_is_nothing_to_say(run: Run, games: Path) -> None:
    ran = run("check", games / "dice.rules", games / "hands.rules")
    assert (ran.code, ran.out, ran.err) == (0, "no mistakes in 2 files\n", "")


def test_check_shows_each_mistake_at_its_place(run: Run, faulty: Path) -> None:
    faulty.parent.mkdir(exist_ok=True)
    ran = run("check", faulty)
    assert ran.code == 1
    assert "faulty.rules:13:7: " in ran.out
    assert "   13 |       kepp[me] += 1\n      |       ^^^^\n" in ran.out
    assert "did you mean `kept`" in ran.out
    assert ran.out.endswith("in 1 file\n")


def test_check_prints_one_object(run: Run, faulty: Path, games: Path) -> None:
    data = run("check", faulty, games / "dice.rules", "--json").data
    assert data["errors"] == len(data["diagnostics"]) >= 1
    keys = {"file", "line", "column", "length", "severity", "code", "message", "hint", "notes"}
    assert set(data["diagnostics"][0]) == keys
    assert run("check", games / "dice.rules", "--json").data["diagnostics"] == []


def test_check_of_a_missing_file_is_a_mistake_and_no_crash(run: Run) -> None:
    ran = run("check", "none.rules")
    assert ran.code == 1
    assert "there is no such file" in ran.out


# ---------------------------------------------------------------------------------------------------- test

EXAMPLES = """
examples:
  good:
    play: [roll]
    chance: {die: [4]}
    then: at[red] = 4
  bad:
    from: good
    legal: [rest]
    illegal: {rest: no rest}
    then: at[red] = 5 and die = 4
"""


@pytest.fixture
def examples(run: Run, games: Path) -> Path:
    path = Path("mine.rules").resolve()
    path.write_text((games / "dice.rules").read_text(encoding="utf-8") + EXAMPLES, encoding="utf-8")
    return path


def test_test_shows_the_values_of_what_fails(run: Run, examples: Path) -> None:
    ran = run("test", examples)
    assert ran.code == 1
    assert "holds  good\nFAILS  bad\n" in ran.out
    assert "`rest` should be refused, and is legal" in ran.out
    assert "fails  at[red] = 5" in ran.out and "at[red] is 4" in ran.out and "holds  die = 4" in ran.out
    assert ran.out.endswith("1 of 2 examples failed\n")


def test_test_runs_only_what_is_wanted(run: Run, examples: Path) -> None:
    assert run("test", examples, "--only", "good").code == 0
    ran = run("test", examples, "--only", "god")
    assert ran.code == 2 and "did you mean `good`" in ran.err


def test_test_prints_one_object(run: Run, examples: Path) -> None:
    data = run("test", examples, "--coverage", "--games", 3, "--json").data
    assert data["failed"] == 1
    assert [one["holds"] for one in data["files"][0]["examples"]] == [True, False]
    assert data["files"][0]["coverage"]["games"] == 3


def test_coverage_names_the_clauses_that_made_no_difference(run: Run, examples: Path) -> None:
    ran = run("test", examples, "--only", "good", "--coverage")
    assert "never failed  action roll, early" in ran.out
    assert "never ran     clock, out" in ran.out
    assert "4 of 11 parts mattered in 1 example\n" in ran.out
    ran = run("test", examples, "--only", "good", "--coverage", "--games", 50)
    assert "6 of 11 parts mattered in 1 example and 50 random games" in ran.out


# ---------------------------------------------------------------------------------------------------- explain


def test_explain_a_legal_move_at_the_start(run: Run, games: Path) -> None:
    ran = run("explain", games / "dice.rules", "roll")
    assert ran.code == 0
    assert ran.out.startswith("`roll` is legal\nroll:\n")


def test_explain_an_illegal_move_of_a_saved_game(run: Run, games: Path) -> None:
    run("run", games / "hands.rules", "--save", "a.game", "--seed", 1)
    refused = [run("explain", "a.game", f"play {card}", "--after", 0, "--json") for card in range(1, 7)]
    assert [one.code for one in refused].count(0) == 2
    assert {one.data["seat"] for one in refused} == {1}
    assert {one.data["reason"] for one in refused if one.code} == {"you do not hold that card"}
    assert run("explain", "a.game", "play 1").code == 1


def test_explain_refuses_with_the_clause(run: Run) -> None:
    Path("three.rules").write_text(THREE, encoding="utf-8")
    assert run("explain", "three.rules", "put b2", "--json").code == 0
    run("run", "three.rules", "--save", "a.game", stdin="b2")
    ran = run("explain", "a.game", "put b2")
    assert ran.code == 1
    assert "`put b2` is not legal: taken" in ran.out
    assert "three.rules:14" in ran.out
    data = run("explain", "a.game", "put b2", "--json").data
    assert data["clauses"][0]["holds"] is False and data["clauses"][0]["sentence"] == "taken"
    assert run("explain", "a.game", "dance").code == 1


THREE = """rulelang: 1
game: Three
players: 2
board: {grid: 3x3}
state:
  mark[c of Cell]: Player or none
phases:
  play:
    actions: [put]
    after: next player
    stuck: tie
actions:
  put: |
    choose c in Cell where mark[c] is none "taken"
    do:
      mark[c] := me
"""


# ---------------------------------------------------------------------------------------------------- show


def test_show_tells_what_there_is(run: Run, games: Path) -> None:
    out = run("show", games / "dice.rules").out
    for words in ("Dice, 2 players", "how far to run", "against the clock", "going", "Roll the die and run"):
        assert words in out
    data = run("show", games / "dice.rules", "--variant", "long", "--json").data
    assert data["options"]["goal"] == 20 and data["variant"] == ["long"]


def test_show_the_board_in_each_format(run: Run) -> None:
    Path("three.rules").write_text(THREE, encoding="utf-8")
    assert run("show", "three.rules", "--board").out.splitlines()[-1].split() == ["a", "b", "c"]
    assert run("show", "three.rules", "--board", "--format", "mermaid").out.startswith("graph LR\n")
    picture = run("show", "three.rules", "--board", "--format", "svg").out
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert run("show", "three.rules", "--board", "--json").data["board"]["links"]["a1"] == ["b1", "a2"]


def test_show_the_machine_and_the_assumptions(run: Run, games: Path) -> None:
    assert "going" in run("show", games / "dice.rules", "--machine").out
    assert run("show", games / "dice.rules", "--machine", "--format", "mermaid").out.startswith("stateDiagram")
    assert run("show", games / "dice.rules", "--machine", "--json").data
    assert "assumes nothing" in run("show", games / "dice.rules", "--assumptions").out


# ---------------------------------------------------------------------------------------------------- fmt and new

def test_fmt_rewrites_and_a_second_time_changes_nothing(run: Run) -> None:
    path = Path("a.rules")
    path.write_text(THREE.replace("mark[c] := me", "mark[c]:=me   # mine"), encoding="utf-8")
    assert run("fmt", "--check", path).code == 1
    assert "mark[c]:=me" in path.read_text(encoding="utf-8")
    assert run("fmt", path).code == 0
    assert "mark[c] := me" in path.read_text(encoding="utf-8") and "# mine" in path.read_text(encoding="utf-8")
    assert (run("fmt", path).out, run("fmt", "--check", path).code) == ("", 0)


def test_fmt_leaves_all_files_where_one_is_faulty(run: Run) -> None:
    Path("a.rules").write_text(THREE.replace("mark[c] := me", "mark[c]:=me"), encoding="utf-8")
    Path("b.rules").write_text("game: [", encoding="utf-8")
    ran = run("fmt", "a.rules", "b.rules")
    assert ran.code == 1 and "b.rules:1" in ran.err
    assert "mark[c]:=me" in Path("a.rules").read_text(encoding="utf-8")


def test_fmt_from_standard_input(run: Run) -> None:
    assert run("fmt", "-", stdin=THREE.replace("mark[c] := me", "mark[c]:=me")).out == run("fmt", "-", stdin=THREE).out


def test_new_writes_a_game_that_checks_holds_its_examples_is_formatted_and_plays(run: Run) -> None:
    assert run("new", "my-game").code == 0
    assert run("check", "my-game.rules").code == 0
    assert run("test", "my-game.rules").code == 0
    assert run("fmt", "--check", "my-game.rules").code == 0
    data = run("run", "my-game.rules", "--variant", "large", "--seed", 5, "--json").data
    assert data["game"] == "My game" and data["ranks"] is not None


@pytest.mark.parametrize("name", ["", ".", "..", "/", "!a", "'a"])
def test_new_needs_a_name(run: Run, name: str) -> None:
    ran = run("new", name)
    assert (ran.code, ran.out) == (2, "") and "fault in rulelang" not in ran.err


def test_new_suggests_what_a_shell_understands(run: Run) -> None:
    ran = run("new", "my game")
    assert ran.out.endswith("rulelang run 'my game.rules'\n")
    assert "rulelang check 'my game.rules'" in Path("my game.rules").read_text(encoding="utf-8")
    assert "`rulelang run 'a b.rules'`" in run("a b.rules").err
    run("run", "my game.rules", "--save", "a b")
    assert "`rulelang run --load 'a b'`" in run("check", "a b").err + run("perft", "a b", 1).err


def test_new_overwrites_nothing(run: Run) -> None:
    Path("a.rules").write_text("mine", encoding="utf-8")
    ran = run("new", "a.rules")
    assert ran.code == 1 and "stays as it is" in ran.err
    assert Path("a.rules").read_text(encoding="utf-8") == "mine"
    assert run("new", "none/a").code == 1
    assert run("new", "x: y").code == 2


# ---------------------------------------------------------------------------------------------------- diff, list ...


def test_diff_speaks_of_rules(run: Run, games: Path) -> None:
    Path("dice.rules").write_text((games / "dice.rules").read_text(encoding="utf-8"), encoding="utf-8")
    Path("house.rules").write_text(
        "extends: dice.rules\ngame: House dice\n"
        "options: {goal: {start: 9}}\nactions:\n  roll:\n    rule:\n      before early: |\n"
        '        require lucky: die != 6 "six stays"\n', encoding="utf-8",
    )
    ran = run("diff", "dice.rules", "house.rules")
    assert ran.code == 1
    assert "~ game" in ran.out and "~ option goal, start" in ran.out
    assert "+ action roll, clause lucky" in ran.out and 'require lucky: die != 6 "six stays"' in ran.out
    assert ran.out.endswith("3 differences\n")
    data = run("diff", "dice.rules", "house.rules", "--json").data
    assert [one["change"] for one in data["differences"]] == ["changed", "changed", "added"]


def test_diff_of_the_same_rules_is_none(run: Run, games: Path) -> None:
    text = (games / "dice.rules").read_text(encoding="utf-8")
    Path("copy.rules").write_text(f"# moved\n\n{text}", encoding="utf-8")
    assert run("diff", games / "dice.rules", "copy.rules").code == 0
    assert run("diff", games / "dice.rules", "copy.rules", "--variant-b", "long").code == 1


@pytest.mark.parametrize("columns", [40, 60, 100])
def test_diff_keeps_to_its_columns(run: Run, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for other in ("chess", "tic_tac_toe"):
        assert max(map(len, run("diff", "blox", other).out.splitlines())) <= columns


def test_list_tells_the_built_in_games(run: Run) -> None:
    data = run("list", "--json").data
    assert all({"name", "title", "players", "variants"} <= set(game) for game in data["games"])
    assert run("list").code == 0


def test_perft_counts_depth_by_depth(run: Run) -> None:
    Path("three.rules").write_text(THREE, encoding="utf-8")
    out = run("perft", "three.rules", 3, "--divide").out
    assert [line.split()[:2] for line in out.splitlines()[:3]] == [["1", "9"], ["2", "72"], ["3", "504"]]
    assert "56  put a1" in out
    data = run("perft", "three.rules", 2, "--json", "--divide").data
    assert data["counts"] == {"1": 9, "2": 72} and data["divide"]["put c3"] == 8


def test_schema_is_a_schema(run: Run) -> None:
    assert "properties" in json.loads(run("schema").out)


CHOICES = {
    "--variant longg": "did you mean `long`",
    "--set gaol=3": "did you mean `goal`",
    "--set goal=99": "goal",
    "--set goal": "not of the form NAME=VALUE",
    "--set goal=4 goal=5": "two values",
    "--players 3": "for 2 players, not for 3",
}


@pytest.mark.parametrize("words", CHOICES)
def test_what_cannot_be_chosen_is_a_wrong_command_line(run: Run, games: Path, words: str) -> None:
    for verb in ("run", "show"):
        ran = run(verb, games / "dice.rules", *words.split())
        assert (ran.code, CHOICES[words] in ran.err) == (2, True), ran


def test_a_built_in_game_that_is_meant_is_named(run: Run) -> None:
    for name, meant in (("ches", "chess"), ("Chess", "chess"), ("tic-tac-toe", "tic_tac_toe")):
        for verb in ("show", "check"):
            ran = run(verb, name)
            assert ran.code == 1 and f"did you mean `{meant}`?" in ran.out + ran.err


def test_bench_plays_for_a_time(run: Run) -> None:
    assert "above 0" in run("bench", "kakuzu", "--seconds", 0).err


def test_what_is_no_number_is_told_in_words(run: Run) -> None:
    assert "DEPTH: `deep` is no whole number" in run("perft", "chess", "deep").err
    assert "--seconds: `long` is no number" in run("bench", "chess", "--seconds", "long").err


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_bench_tells_how_sure_its_shares_are(run: Run, engine: str) -> None:
    words = ("bench", "tic_tac_toe", "--seconds", 0.05, "--engine", engine, "--seed", 4)
    told = json.loads(run(*words, "--json").out)
    assert (told["engine"], told["seed"]) == (engine, 4)
    low, high = told["mean_plies_95"]
    assert 5 <= low < told["mean_plies"] < high <= 9
    assert set(told["results"]) == set(told["results_95"]) == {"cross", "nought", "tie", "unfinished"}
    for name, share in told["results"].items():
        low, high = told["results_95"][name]
        assert low <= share <= high
    lines = run(*words).out.splitlines()
    assert "in brackets 95% intervals" in lines[-1] and all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize(("first", "shared"), [(1, False), (2, True)])
def test_bench_says_that_shared_first_places_count_for_each(run: Run, first: int, shared: bool) -> None:
    """Of three seats, some are as good as the first."""
    last = ["player 2", "player 3"][first - 1 :]
    Path("shared.rules").write_text(
        "rulelang: 1\ngame: Shared\nplayers: 3\nphases: {p: {actions: [go], after: finish}}\n"
        "actions:\n  go: |\n    do: a := 1\nstate: {a: 0..1}\n"
        f"define:\n  points(p of Player): 0 if p in {{{', '.join(last)}}} else 1\nrank: points\n",
        encoding="utf-8")
    ran = run("bench", "shared.rules", "--seconds", "0.05", "--engine", "interpreter")
    assert (ran.code, "more than 100% in all: a first place that some seats share counts" in ran.out) == (0, shared)
    assert max(map(len, ran.out.splitlines())) <= 80


def test_a_saved_game_is_no_rules_file_and_has_so_many_moves(run: Run, games: Path) -> None:
    assert run("run", "tic_tac_toe", "--save", "saved.game", stdin="a1\nb2\n").code == 0
    for verb in ("check", "test", "perft"):
        ran = run(verb, "saved.game", *(["2"] if verb == "perft" else []))
        assert (ran.code, "is a saved game" in ran.err) == (2, True), ran
    assert "2 moves and answers, not 3" in run("show", "saved.game", "--board", "--after", 3).err
    assert "a number from 0" in run("show", "saved.game", "--board", "--after", -1).err
    assert run("show", "saved.game", "--board", "--after", 2).code == 0
    shown = run("show", "saved.game", "--board", "--json").data
    assert shown["game"] == "Tic-tac-toe" and len(shown["board"]["cells"]) == 9


def test_to_explain_there_must_be_a_move(run: Run) -> None:
    ran = run("explain", "tic_tac_toe", " ")
    assert (ran.code, "which move?" in ran.err) == (2, True)
