"""A sitting at a terminal, with a person who types what the test says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from rulelang.loading import load
from rulelang.table.fitting import Sheet
from rulelang.table.session import Table
from rulelang.table.telling import plain
from rulelang.table.terminal import HELP, Quit, Sitting, TimeUp

NewTable = Callable[..., Table]


class Person:
    """Types lines, and remembers what was asked and shown."""

    coloured = False
    sheet = Sheet(columns=80)

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)
        self.screen: list[str] = []
        self.hints: list[str] = []

    def show(self, *lines: object) -> None:
        self.screen += plain(lines)

    def ask(
        self, prompt: str, complete: Callable[[str], list[str]], hint: Callable[[str], str], seconds: float | None
    ) -> str:
        if not self.lines:
            raise EOFError
        line = self.lines.pop(0)
        if line == "(time)":
            assert seconds is not None
            raise TimeUp
        if line.endswith("(tab)"):
            line = line.removesuffix("(tab)")
            self.hints.append(hint(line))
            line = complete(line)[0]
        self.screen.append(f"{prompt}{line}")
        return line

    def reply(self, question: str, offer: bool | None = None) -> str:
        answer = self.lines.pop(0)
        self.screen.append(f"{question} (y/n) {answer}")
        return answer

    def hand_over(self, text: str) -> None:
        self.screen = ["(cleared)", text]


def play(table: Table, *lines: str, trace: bool = False) -> Person:
    person = Person(lines)
    sitting = Sitting(table, person, person, trace=trace)
    try:
        sitting.play()
    except (Quit, EOFError):
        person.screen.append("(left)")
    return person


def test_a_game_against_a_bot_to_its_end(sit: NewTable) -> None:
    person = play(sit("dice", seats=("human", "random"), seed=3), *["roll"] * 9)
    assert person.screen[0] == "Dice · 2 players · seed 3"
    assert "> red (you)  at 0" in person.screen
    assert any(line.startswith("red: roll") for line in person.screen)
    assert any(line.startswith("blue: ") for line in person.screen)
    assert person.screen[-1].startswith("result: ")


def test_a_move_that_is_refused_is_explained_and_asked_again(sit: NewTable) -> None:
    table = sit("hands", seats=("human", "random"))
    bad = next(card for card in range(1, 7) if f"play {card}" not in [m.text for m in table.state.moves(0)])
    person = play(table, f"play {bad}", "dance", "explain " + str(bad))
    text = "\n".join(person.screen)
    assert f"`play {bad}` is not legal: you do not hold that card" in text and "by the clause `c` of `play`" in text
    assert "`dance` is not a move here" in text
    assert "fails" in text.partition("player 1> explain")[2]
    assert table.happenings == []


def test_moves_are_completed_and_said_as_one_types(sit: NewTable) -> None:
    person = play(sit("dice"), "ro(tab)", "(tab)")
    assert person.screen.count("red> roll") == 1
    assert person.hints[0] == "Roll the die and run"
    assert person.hints[1] == "Roll the die and run · Stay where you are"


def test_what_cannot_become_a_move_says_why_as_one_types(sit: NewTable) -> None:
    table = sit("hands")
    bad = next(card for card in range(1, 7) if f"play {card}" not in [m.text for m in table.state.moves(0)])
    sitting = Sitting(table, Person([]), Person([]))
    assert sitting._hint(f"play {bad}", 0) == "you do not hold that card · Play a card from your hand"
    assert sitting._hint("pl", 0) == "Play a card from your hand"


def test_the_commands(sit: NewTable, tmp_path: object) -> None:
    table = sit("dice", seats=("human", "random"))
    kept = f"{tmp_path}/kept.game"
    person = play(table, "help", "moves", "board", f"save {kept}", "save", "undo", "/quit")
    assert HELP in person.screen
    assert "roll, rest" in person.screen
    assert f"saved in {kept}" in person.screen and "save under which name?" in person.screen
    assert "there is no move of yours to take back" in person.screen
    assert person.screen[-1] == "(left)"
    assert Table.resume(table.log.path.__class__(kept)).state.key() == table.state.key()


def test_commands_may_be_written_large(sit: NewTable) -> None:
    person = play(sit("dice", seats=("human", "random")), "HELP", "Moves", "/Undo", "MO(tab)", "QUIT")
    assert HELP in person.screen and "there is no move of yours to take back" in person.screen
    assert person.screen.count("roll, rest") == 2 and person.screen[-1] == "(left)"


def test_undo_goes_back_to_the_own_last_move(sit: NewTable) -> None:
    table = sit("dice", seats=("human", "human"))
    person = play(table, "rest", "rest", "undo", "rest", "rest", "quit")
    assert "taken back" in person.screen
    assert table.moves == ["rest", "rest"]
    assert table.state.to_act == (0,)


def test_undo_after_something_was_drawn_needs_all_to_agree(sit: NewTable) -> None:
    table = sit("dice", goal="20")
    person = play(table, "roll", "rest", "undo", "n", "undo", "y", "quit")
    asked = [line for line in person.screen if "Do all agree" in line]
    assert asked == [f"Something was drawn since. Do all agree to take it back? (y/n) {answer}" for answer in "ny"]
    assert table.moves == []
    assert table.state.get_value("at", (0,)) == 0


def test_undo_is_refused_where_a_bot_has_learned_something(sit: NewTable) -> None:
    table = sit("dice", seats=("human", "random"), goal="20")
    person = play(table, "roll", "undo", "quit")
    assert "that cannot be taken back: something was drawn since" in person.screen
    assert len(table.moves) == 2


def test_the_table_is_asked_to_judge(sit: NewTable) -> None:
    table = sit("dice", asks="on")
    person = play(table, "roll", "y", "roll", "n", "quit")
    assert "Was the die thrown well? (y/n) y" in person.screen
    assert table.state.get_value("at", (0,)) > 0 and table.state.get_value("at", (1,)) == 0


def test_the_clock_runs_out(sit: NewTable) -> None:
    table = sit("dice", variants=("fast",))
    person = play(table, "rest", "(time)")
    assert "the time of blue has run out" in person.screen
    assert person.screen[-1] == "result: red wins: red 0, blue 0"
    assert any("0:0" in line for line in person.screen)


def test_the_time_left_is_recorded(sit: NewTable) -> None:
    table = sit("dice", variants=("fast",))
    play(table, "rest")
    left = table.happenings[0]["left"]
    assert left[1] == 1.0 and 0.0 <= left[0] <= 1.0


def test_time_that_is_used_does_not_come_back(sit: NewTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a bot's, nor that of who leaves while thinking, nor of whom it has run out for."""
    now = 0.0

    def later() -> float:
        nonlocal now
        now += 0.1
        return now

    monkeypatch.setattr("rulelang.table.terminal.time.monotonic", later)
    table = sit("dice", seats=("random", "human"), variants=("fast",), seed=3)
    play(table, "quit")
    bot, person = Table.resume(table.log.path).left or ()
    assert bot < 1.0 and person < 1.0
    table = sit("dice", variants=("fast",))
    play(table, "rest", "(time)")
    assert (Table.resume(table.log.path).left or ())[1] == 0.0


def test_hands_are_handed_over_and_never_shown_to_the_other(sit: NewTable) -> None:
    table = sit("hands", seats=("human", "human"))
    hands = [table.state.view(seat).value("hand", seat) for seat in (0, 1)]
    person = Person([table.state.moves(0)[0].text])
    sitting = Sitting(table, person, person)
    with pytest.raises(EOFError):
        sitting.play()
    assert person.screen[:2] == ["(cleared)", "Pass the keyboard to player 2."]
    from rulelang.model.types import bits

    own = "{" + ", ".join(str(bit + 1) for bit in bits(hands[1])) + "}"
    other = [str(bit + 1) for bit in bits(hands[0])]
    text = "\n".join(person.screen)
    assert f"hand {own}" in text
    assert "hand 1 hidden" in text
    assert "hand: …" in text and not any(f"hand: {card}" in text for card in other)


def test_the_last_moves_are_told_where_hands_were_hidden(tmp_path: Path) -> None:
    table = Table.new(
        load("kuhn_poker"), players=2, seed=5, seats=("human", "human"), options={}, path=tmp_path / "k.game"
    )
    person = play(table, "bet", "call")
    assert person.screen[0] == "(cleared)"
    assert "player 1: bet" in person.screen
    assert person.screen[person.screen.index("player 2> call") + 1:][:2] == ["player 1: bet", "player 2: call"]


def test_what_the_first_bot_brings_to_light_is_told(tmp_path: Path) -> None:
    table = Table.new(
        load("kakuzu"), players=2, seed=5, seats=("human", "random"), options={}, path=tmp_path / "k.game"
    )
    assert table.state.to_act == (1,)
    shown = play(table).screen
    told = next(number for number, line in enumerate(shown) if line.startswith("player 2: open "))
    assert shown[told + 1].startswith(shown[told].replace("player 2: open", "digit") + ": ")


def test_what_only_its_owner_sees_may_be_taken_back(tmp_path: Path) -> None:
    """Another ship that was placed unseen tells nothing; a shot does."""
    table = Table.new(
        load("battleship"), players=2, seed=5, seats=("human", "random"), options={}, path=tmp_path / "b.game"
    )
    person = play(table, "place a1+b1+c1+d1+e1", "undo", "place a2+b2+c2+d2+e2", *FLEET, "shoot l1", "undo", "quit")
    assert person.screen.count("taken back") == 1
    assert "that cannot be taken back: something hidden came to light since" in person.screen
    assert table.moves[0] == "place a2+b2+c2+d2+e2"


FLEET = ("a3+b3+c3+d3", "a4+b4+c4", "a5+b5+c5", "a6+b6")


def test_an_open_game_needs_no_handing_over(sit: NewTable) -> None:
    person = play(sit("dice"), "rest", "rest", "quit")
    assert not any("Pass the keyboard" in line for line in person.screen)
    assert person.screen.count("red: rest") == 1 and person.screen.count("blue: rest") == 1


def test_a_move_called_like_a_command_goes_before_it(sit: NewTable, tmp_path: object) -> None:
    table = sit("dice")
    sitting = Sitting(table, Person([]), Person([]))
    sitting._is_action = lambda word: word == "undo"  # type: ignore[method-assign]
    person = play(table, "/undo", "quit")
    assert "there is no move of yours to take back" in person.screen


def test_bots_alone_are_watched(sit: NewTable) -> None:
    person = play(sit("hands", seats=("random", "careful")))
    assert person.screen[-1].startswith("result: ")
    assert "hand: … (4 times)" in person.screen


def test_trace_tells_which_rule_did_what(sit: NewTable) -> None:
    table = sit("dice")
    traced = Table.new(
        table.ruleset, players=2, seed=1, seats=("human", "human"), options={}, path=table.log.path, trace=True
    )
    person = play(traced, "roll", "quit", trace=True)
    assert any("action roll, do: at[red]: 0 -> " in line for line in person.screen)
