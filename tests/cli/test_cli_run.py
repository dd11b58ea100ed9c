"""`run` without a terminal: moves from lines, bots, records, results for people and for machines."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def log_of(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


# ---------------------------------------------------------------------------------------------------- who moves


def test_without_lines_bots_play_to_the_end(run: Run, games: Path) -> None:
    ran = run("run", games / "dice.rules", "--seed", 4)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "Dice · 2 players · seed 4"
    assert lines[-1].startswith("result: red wins: red ") or lines[-1].startswith("result: blue wins: red ")


def test_json_is_one_line_with_just_these_keys(run: Run, games: Path) -> None:
    data = run("run", games / "dice.rules", "--seed", 4, "--variant", "long", "--set", "asks=on", "--json").data
    assert list(data) == ["game", "variant", "options", "players", "seed", "moves", "scores", "ranks", "winner"]
    assert data["game"] == "Dice" and data["variant"] == ["long"] and data["players"] == 2 and data["seed"] == 4
    assert data["options"] == {"goal": 20, "seconds": 0, "asks": True}
    assert sorted(data["ranks"]) == [1, 2] and data["ranks"][data["winner"] - 1] == 1
    assert len(data["scores"]) == 2 and set(data["moves"]) <= {"roll", "rest"}


def test_the_same_seed_gives_the_same_game(run: Run, games: Path) -> None:
    one, two, other = (run("run", games / "dice.rules", "--seed", seed, "--json").data for seed in (4, 4, 5))
    assert one == two and one != other


def test_lines_are_moves_for_all_seats_and_the_game_stops_where_they_end(run: Run, games: Path) -> None:
    ran = run("run", games / "dice.rules", "--seed", 1, "--save", "a.game", stdin="# a comment\nrest\n\n  roll  \n")
    assert ran.code == 0
    assert ran.out.splitlines()[-1].startswith("result: unfinished after 2 moves")
    assert "blue: roll" in ran.out and "--load a.game" in ran.err
    data = run("run", games / "dice.rules", "--seed", 1, "--json", stdin="rest\nroll\n").data
    assert (data["moves"], data["ranks"], data["winner"]) == (["rest", "roll"], None, None)


def test_lines_are_moves_only_for_the_seats_without_a_bot(run: Run, games: Path) -> None:
    data = run("run", games / "dice.rules", "--seat", "blue=random", "--seed", 1, "--json", stdin="rest\nrest\n").data
    assert data["moves"][::2] == ["rest", "rest"] and len(data["moves"]) == 4


def test_a_seat_that_is_human_waits_where_nobody_types(run: Run, games: Path) -> None:
    assert run("run", games / "dice.rules", "--seat", "1=human", "--json").data["moves"] == []


def test_a_question_is_answered_by_the_lines_and_else_by_chance(run: Run, games: Path) -> None:
    words = ("run", games / "dice.rules", "--set", "asks=on", "--seed", 1)
    ran = run(*words, "--save", "a.game", stdin="roll\nno\nroll\nyes\n")
    assert [line for line in log_of("a.game") if "answer" in line] == [{"answer": "no"}, {"answer": "yes"}]
    assert "red   at 0" in ran.out
    ran = run(*words, stdin="roll\nperhaps\n")
    assert ran.code == 1 and "Was the die thrown well?" in ran.err
    assert run(*words, "--json").data == run(*words, "--json").data


def test_the_clock_is_a_line_of_the_script(run: Run, games: Path) -> None:
    words = ("run", games / "dice.rules", "--variant", "fast", "--seed", 1, "--json")
    data = run(*words, "--save", "a.game", stdin="rest\nclock out\n").data
    assert data["winner"] == 1 and data["moves"] == ["rest"]
    assert {"clock": 2} in log_of("a.game")
    refused = run("run", games / "dice.rules", "--seed", 1, "--json", stdin="clock out\n")
    assert refused.code == 1 and refused.data["error"]["kind"] == "unreadable"


# ---------------------------------------------------------------------------------------------------- bad lines


def test_a_line_that_is_not_legal_names_its_clause(run: Run, games: Path) -> None:
    words = ("run", games / "hands.rules", "--seed", 1, "--save", "a.game")
    legal = next(card for card in range(1, 7) if run(*words, stdin=f"play {card}\n").code == 0)
    bad = next(card for card in range(1, 7) if run(*words, stdin=f"play {card}\n").code == 1)
    ran = run(*words, stdin=f"play {bad}\n")
    assert "line 1, `play" in ran.err and "you do not hold that card" in ran.err
    assert "by the clause `c` of `play`" in ran.err and "hands.rules:34" in ran.err
    error = run(*words, "--json", stdin=f"play {legal}\nplay {legal}\n").data["error"]
    assert (error["line"], error["seat"], error["kind"], error["clause"]) == (2, 2, "illegal", "c")
    assert error["clauses"][0]["sentence"] == "you do not hold that card"
    assert [line.get("move") for line in log_of("a.game")[1:]] == [f"play {legal}"]


def test_a_line_that_cannot_be_read_is_another_answer(run: Run, games: Path) -> None:
    ran = run("run", games / "dice.rules", "--json", stdin="rol\n")
    assert ran.code == 1
    assert ran.data["error"]["kind"] == "unreadable" and ran.data["error"]["suggestions"] == ["roll"]


def test_a_fault_in_play_names_the_rule_and_saves_the_position(run: Run, games: Path) -> None:
    ran = run("run", games / "broken.rules", "--save", "a.game")
    assert ran.code == 1
    assert "broken.rules:14:7: " in ran.err and "leaves its range" in ran.err
    assert "the position before it is saved" in ran.err
    assert len(log_of("a.game")) == 2
    again = run("run", "--load", "a.game", "--seat", "all=random", "--json")
    assert again.code == 1 and again.data["error"]["diagnostics"][0]["line"] == 14


# ---------------------------------------------------------------------------------------------------- records


def test_every_game_is_recorded(run: Run, games: Path, tmp_path: Path) -> None:
    run("run", games / "dice.rules", "--seed", 1)
    files = list((tmp_path / "state").rglob("*.game"))
    assert len(files) == 1 and files[0].name.startswith("dice-")
    header, *lines, end = log_of(str(files[0]))
    assert header["players"] == 2 and header["seed"] == 1 and header["seats"] == ["random", "random"]
    assert all(line["seat"] in (1, 2) for line in lines) and "winner" in end["end"]


def test_load_goes_on_as_if_nothing_had_been(run: Run, games: Path) -> None:
    whole = run("run", games / "dice.rules", "--seed", 9, "--save", "whole.game", "--json").data
    lines = Path("whole.game").read_text(encoding="utf-8").splitlines(keepends=True)
    for kept in range(1, len(lines)):
        Path("part.game").write_text("".join(lines[:kept]), encoding="utf-8")
        assert run("run", "--load", "part.game", "--json").data == whole
        assert Path("part.game").read_text(encoding="utf-8") == "".join(lines)


def test_a_torn_record_goes_on_with_a_note(run: Run, games: Path) -> None:
    run("run", games / "dice.rules", "--seed", 9, "--save", "a.game", stdin="rest\nrest\n")
    path = Path("a.game")
    path.write_bytes(path.read_bytes()[:-9])
    ran = run("run", "--load", "a.game", stdin="roll\n")
    assert ran.code == 0 and "torn off" in ran.err
    assert [line["move"] for line in log_of("a.game")[1:]] == ["rest", "roll"]


def test_load_with_save_goes_on_in_a_copy(run: Run, games: Path) -> None:
    run("run", games / "dice.rules", "--seed", 9, "--save", "a.game", stdin="rest\n")
    before = Path("a.game").read_bytes()
    run("run", "--load", "a.game", "--save", "b.game", stdin="roll\n")
    assert Path("a.game").read_bytes() == before
    assert [line["move"] for line in log_of("b.game") if "move" in line] == ["rest", "roll"]


def test_load_with_other_seats(run: Run, games: Path) -> None:
    run("run", games / "dice.rules", "--seed", 9, "--save", "a.game", stdin="rest\n")
    assert run("run", "--load", "a.game", "--seat", "all=random", "--json").data["winner"] is not None
    assert {"seats": ["random", "random"]} in log_of("a.game")


def test_rules_that_have_changed_are_noticed(run: Run, games: Path) -> None:
    shutil.copy(games / "dice.rules", "mine.rules")
    run("run", "mine.rules", "--seed", 9, "--save", "a.game", stdin="rest\nroll\n")
    text = Path("mine.rules").read_text(encoding="utf-8")
    Path("mine.rules").write_text(text.replace("# A race", "# The race") + "examples: {}\n", encoding="utf-8")
    assert "have changed" not in run("run", "--load", "a.game", stdin="rest\n").err
    Path("mine.rules").write_text(text.replace("start: 6", "start: 7"), encoding="utf-8")
    ran = run("run", "--load", "a.game", stdin="rest\n")
    assert ran.code == 0 and "the rules have changed since this game was saved" in ran.err
    refusing = text.replace('at[me] < goal "you are there already"', 'at[me] > 2 "too early"')
    Path("mine.rules").write_text(refusing, encoding="utf-8")
    ran = run("run", "--load", "a.game", stdin="rest\n")
    assert ran.code == 1
    assert "number 2 of the saved game, `roll` by blue" in ran.err and "too early" in ran.err
    assert "by the clause `early` of `roll`" in ran.err


def test_what_a_bot_does_unseen_is_not_in_the_result_of_a_game_that_goes_on(run: Run) -> None:
    mine = "place a1+b1+c1+d1+e1"
    ran = run("run", "battleship", "--seed", 5, "--seat", "2=random", "--save", "b.game", "--json", stdin=mine)
    assert ran.data["moves"] == [mine, "place …"]
    assert "+" in log_of("b.game")[2]["move"]
    ran = run("run", "rock_paper_scissors", "--seed", 5, "--seat", "1=random", "--seat", "2=human", "--json")
    assert ran.data["moves"] == ["…"]
    ran = run("run", "rock_paper_scissors", "--seed", 5, "--seat", "1=random", "--json", stdin="rock\n")
    assert ran.data["moves"] == ["show scissors", "show rock", "…"]
    bots = run("run", "battleship", "--seed", 5, "--json").data["moves"]
    assert "…" not in "".join(bots)


def test_save_keeps_what_was_there_and_touches_nothing_else(run: Run, games: Path) -> None:
    for line in ("rest", "roll"):
        assert run("run", games / "dice.rules", "--save", "a.game", stdin=line).code == 0
    assert log_of("a.game~")[1]["move"] == "rest" and log_of("a.game")[1]["move"] == "roll"
    shutil.copy(games / "dice.rules", "mine.rules")
    ran = run("run", "mine.rules", "--save", "mine.rules")
    assert ran.code == 1 and "left as it is" in ran.err
    assert Path("mine.rules").read_text(encoding="utf-8").startswith("# A race")


BAD_LOADS = {
    "--load none.game": (1, "No such file"),
    "--load mine.rules": (1, "not a saved game"),
    "--load a.game --players 2": (2, "--players goes with a new game"),
    "--load a.game --seed 2": (2, "--seed goes with a new game"),
    "--load a.game --set goal=3": (2, "--set goes with a new game"),
    "--load a.game --seat 3=human": (2, "no seat `3`"),
    "mine.rules --seat 1=nobody": (2, "cannot sit down"),
    "a.game": (2, "a.game is a saved game; `rulelang run --load a.game` goes on with it"),
    "mine.rules --save mine.rules/a.game": (1, "mine.rules"),
}


@pytest.mark.parametrize("words", BAD_LOADS)
def test_what_cannot_be_loaded_is_told(run: Run, games: Path, words: str) -> None:
    shutil.copy(games / "dice.rules", "mine.rules")
    run("run", "mine.rules", "--save", "a.game", stdin="rest\n")
    code, message = BAD_LOADS[words]
    ran = run("run", *words.split())
    assert (ran.code, message in ran.err) == (code, True), ran


def test_save_makes_no_folder(run: Run, games: Path) -> None:
    ran = run("run", games / "dice.rules", "--save", "saevd/a.game")
    assert ran.code == 1 and ran.err == "rulelang: saevd: there is no such folder\n"
    assert not Path("saevd").exists()


def test_a_record_of_another_game_is_told_as_such(run: Run, games: Path) -> None:
    run("run", games / "dice.rules", "--save", "a.game", stdin="rest\n")
    ran = run("run", games / "hands.rules", "--load", "a.game")
    assert ran.code == 1
    assert "a.game is a saved game of Dice, not of Hands; number 1 of the saved game, `rest` by " in ran.err
    run("run", games / "dice.rules", "--variant", "fast", "--save", "b.game", stdin="rest\n")
    assert "b.game is a saved game of Dice, not of Hands" in run("run", games / "hands.rules", "--load", "b.game").err


def test_of_a_long_line_the_beginning_is_told(run: Run, games: Path) -> None:
    ran = run("run", games / "dice.rules", "--seed", 1, stdin="x" * 100_000)
    assert ran.code == 1 and len(ran.err) < 1000 and "xxx…` is not a move here" in ran.err
    ran = run("run", games / "dice.rules", "--seed", 1, "--set", "asks=on", stdin="roll\n" + "x" * 100_000)
    assert ran.code == 1 and len(ran.err) < 1000 and "xxx…`: a question waits" in ran.err


def test_a_game_that_is_over_is_shown_again_and_recorded_once(run: Run, games: Path) -> None:
    whole = run("run", games / "dice.rules", "--seed", 9, "--save", "a.game", "--json").data
    record = Path("a.game").read_bytes()
    assert run("run", "--load", "a.game", "--json").data == whole
    assert Path("a.game").read_bytes() == record


def test_rules_that_have_moved_must_be_named(run: Run, games: Path) -> None:
    shutil.copy(games / "dice.rules", "mine.rules")
    run("run", "mine.rules", "--seed", 9, "--save", "a.game", stdin="rest\n")
    Path("mine.rules").rename("moved.rules")
    ran = run("run", "--load", "a.game", stdin="rest\n")
    assert ran.code == 1 and "its rules are no longer at" in ran.err
    assert run("run", "moved.rules", "--load", "a.game", "--json", stdin="rest\n").data["moves"] == ["rest", "rest"]


def test_trace_goes_beside_the_one_object(run: Run, games: Path) -> None:
    ran = run("run", games / "dice.rules", "--seed", 1, "--trace", "--json", stdin="roll\n")
    assert ran.data["moves"] == ["roll"] and ": action roll, do: at[red]: 0 -> " in ran.err


def test_trace_tells_which_rule_did_what(run: Run, games: Path) -> None:
    out = run("run", games / "dice.rules", "--seed", 1, "--trace", stdin="roll\n").out
    assert ": action roll, do: at[red]: 0 -> " in out


def test_the_result_in_the_reference_has_the_options_of_the_game(run: Run) -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    shown = json.loads(page.split("```json\n")[1].split("```")[0])
    ran = run("run", "kakuzu", "--variant", "chase", "--json", "--seed", 7, stdin="open a1\n")
    assert shown.keys() == ran.data.keys() and shown["options"] == ran.data["options"]
    limited = run("run", "kakuzu", "--variant", "chase", "--set", "limit=4", "--json", stdin="open a1\n")
    assert limited.data["options"]["limit"] == 4


def test_an_output_that_lacks_characters_shows_plain_ones(tmp_path: Path) -> None:
    def shown(*argv: str) -> list[str]:
        env = {**os.environ, "PYTHONIOENCODING": "ascii", "XDG_STATE_HOME": str(tmp_path)}
        command = [sys.executable, "-m", "rulelang.cli.main", *argv]
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, env=env)
        return ran.stdout.decode("ascii").splitlines()

    assert shown("show", "chess", "--board")[0] == "8  r n b q k b n r"
    assert shown("run", "pig", "--seed", "5")[0] == "Pig | 2 players | seed 5"
