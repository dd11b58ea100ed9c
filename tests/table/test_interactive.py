"""The command in a real (pseudo) terminal: what only shows there."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pexpect = pytest.importorskip("pexpect")
if not hasattr(os, "fork"):
    pytest.skip("no pseudo terminals here", allow_module_level=True)

GAMES = Path(__file__).parent / "games"

Spawn = Callable[..., Any]


@pytest.fixture
def spawn(tmp_path: Path) -> Iterator[Spawn]:
    """`spawn("run", file)`: the command in a terminal of 40 lines."""
    children: list[Any] = []

    def start(*argv: object, **env: str) -> Any:
        child = pexpect.spawn(
            sys.executable, ["-m", "rulelang.cli.main", *(str(word) for word in argv)], encoding="utf-8", timeout=20,
            dimensions=(40, 100), cwd=tmp_path,
            env={
                **os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "XDG_STATE_HOME": str(tmp_path / "state"),
                **env,
            },
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


def seen(child: Any) -> str:
    """What the child has written before the last match, without control sequences."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", child.before)


def ended(child: Any) -> int:
    child.expect(pexpect.EOF)
    child.close()
    return int(child.exitstatus)


def test_a_person_plays_against_a_bot_at_once(spawn: Spawn) -> None:
    child = spawn("run", GAMES / "dice.rules", "--seed", 3)
    child.expect("red>")
    assert "red (you)" in seen(child)
    child.sendline("rest")
    child.expect("blue: (roll|rest)")
    child.expect("red>")
    child.sendline("quit")
    child.expect("go on with it by: rulelang run --load ")
    assert ended(child) == 0


def test_tab_completes_a_move(spawn: Spawn) -> None:
    child = spawn("run", GAMES / "dice.rules", "--seed", 3)
    child.expect("red>")
    child.send("re")
    child.expect(" rest ")  # the menu of what may follow
    child.send("\t")
    child.expect("rest")
    child.send("\r")
    child.expect("red: rest")


def test_the_line_below_says_what_is_being_chosen(spawn: Spawn) -> None:
    child = spawn("run", GAMES / "dice.rules", "--seed", 3, PROMPT_TOOLKIT_NO_CPR="")
    child.expect(r"\x1b\[6n")
    child.send("\x1b[10;1R")
    child.expect("Roll the die and run · Stay where you are")


def test_a_sequence_that_looks_like_a_mouse_is_no_key(spawn: Spawn) -> None:
    child = spawn("run", GAMES / "dice.rules", "--seed", 3)
    child.expect("red>")
    child.expect(r"\x1b\[\?25h")  # all is drawn
    child.send("\x1b[31mrest\r")
    child.expect("red: rest")
    assert "xception" not in seen(child)


def test_a_killed_game_goes_on(spawn: Spawn, tmp_path: Path) -> None:
    child = spawn("run", GAMES / "dice.rules", "--seed", 3, "--seat", "all=human", "--save", "a.game")
    for name in ("red", "blue", "red"):
        child.expect(f"{name}>")
        child.sendline("rest")
    child.expect("blue>")
    child.kill(signal.SIGKILL)
    child.wait()
    assert (tmp_path / "a.game").read_text(encoding="utf-8").count('"move"') == 3
    child = spawn("run", "--load", "a.game")
    child.expect("blue>")
    child.sendline("undo")
    child.expect("taken back")
    child.expect("blue>")


def test_ctrl_c_keeps_the_game_and_is_130(spawn: Spawn, tmp_path: Path) -> None:
    child = spawn("run", GAMES / "dice.rules", "--seed", 3, "--save", "a.game")
    child.expect("red>")
    child.sendintr()
    child.expect("the game is saved; go on with it by: rulelang run --load a.game")
    assert ended(child) == 130


def test_the_clock_ends_the_waiting(spawn: Spawn) -> None:
    child = spawn("run", GAMES / "dice.rules", "--seed", 3, "--variant", "fast")
    child.expect("red>")
    child.expect("the time of red has run out")
    child.expect("result: blue wins")
    assert ended(child) == 0


def test_hands_are_cleared_from_the_screen(spawn: Spawn) -> None:
    child = spawn("run", GAMES / "hands.rules", "--seed", 1, "--seat", "all=human")
    child.expect("Pass the keyboard to player 1. Enter, when they are there")
    child.sendline("")
    child.expect("player 1>")
    child.sendline("moves")
    child.expect("play ([1-6])")
    child.sendline(f"play {child.match[1]}")
    child.expect(r"\x1b\[2J")
    child.expect("Pass the keyboard to player 2.")
    assert "hand {" not in seen(child)


def test_questions_are_asked_until_the_answer_is_clear(spawn: Spawn) -> None:
    child = spawn("run", GAMES / "dice.rules", "--seed", 3, "--set", "asks=on", "--seat", "all=human")
    child.expect("red>")
    child.sendline("roll")
    child.expect(r"Was the die thrown well\? \(y/n\)")
    child.sendline("maybe")
    child.expect(r"Was the die thrown well\? \(y/n\)")
    child.sendline("y")
    child.expect("at [1-6]")


def test_no_colour_where_none_is_wanted(spawn: Spawn) -> None:
    child = spawn("run", GAMES / "dice.rules", "--seed", 3, "--seat", "all=random", NO_COLOR="1")
    child.expect("result: ")
    assert "\x1b[3" not in child.before


def test_a_faulty_file_in_a_terminal_is_marked_in_colour(spawn: Spawn, tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text("rulelang: 1\ngame: X\nplayrs: 2\n", encoding="utf-8")
    child = spawn("check", "a.rules")
    child.expect(r"\x1b\[31m\^+")
    assert ended(child) == 1


@pytest.mark.parametrize("env", [{"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}], ids=["dumb", "no_color"])
def test_where_there_are_no_colours_letters_tell_them(spawn: Spawn, env: dict[str, str]) -> None:
    child = spawn("run", "blox", "--seed", 5, **env)
    child.expect("player 1>")
    assert re.search(r"(?m)^8   wGW    g    pN     g     p     k     p     w     k *$", seen(child))
