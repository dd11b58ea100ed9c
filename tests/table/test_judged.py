"""A question that a model could answer, at a table where people sit."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from rulelang.loading import load
from rulelang.table.fitting import Sheet
from rulelang.table.session import Table
from rulelang.table.telling import plain
from rulelang.table.terminal import Quit, Sitting

KOZO = Path(__file__).parents[2] / "rules" / "kozo.rules"


class Person:
    """Types lines; an empty answer takes the offer."""

    coloured = False
    sheet = Sheet(columns=80)

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)
        self.screen: list[str] = []
        self.offers: list[bool | None] = []

    def show(self, *lines: object) -> None:
        self.screen += plain(lines)

    def ask(self, *prompt: Any) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def reply(self, question: str, offer: bool | None = None) -> str:
        self.offers.append(offer)
        self.screen.append(question)
        return self.lines.pop(0)


def play(tmp_path: Path, *lines: str, seats: tuple[str, ...] = ("human", "human")) -> tuple[Table, Person]:
    table = Table.new(load(KOZO), players=2, seed=1, seats=seats, options={}, path=tmp_path / "kozo.game")
    person = Person(lines)
    with suppress(EOFError, Quit):
        Sitting(table, person, person).play()
    return table, person


FIRST = ("select I3", "place a1.1+b1.1+c1.1")


def test_people_are_asked_and_told_what_the_model_says(tmp_path: Path) -> None:
    table, person = play(tmp_path, *FIRST, "")
    at = person.screen.index("Does the tower stand with the I3 on it?")
    assert person.screen[at - 1] == "physics.stands says yes: it can stand, by a margin of 0.500"
    assert person.offers == [True]
    assert table.state.phase == "balancing"


def test_people_have_the_last_word(tmp_path: Path) -> None:
    table, person = play(tmp_path, *FIRST, "n")
    assert person.offers == [True]
    assert table.state.get_value("number") == 2
    assert {"answer": "no"} in table.happenings


def test_at_a_question_the_board_may_be_looked_at_and_the_table_left(tmp_path: Path) -> None:
    _, person = play(tmp_path, *FIRST, "perhaps", "board", "yes")
    at = person.screen.index("answer yes or no; `board` shows the board, `quit` leaves, the game is kept")
    assert any("layer 1" in line for line in person.screen[at:])
    assert person.offers == [True, True, True]
    table, _ = play(tmp_path, *FIRST, "quit")
    assert table.state.question is not None
    assert Table.resume(tmp_path / "kozo.game", write=False).state.question is not None


def test_a_game_that_was_answered_is_played_again_as_it_was(tmp_path: Path) -> None:
    table, _ = play(tmp_path, *FIRST, "", "balance b1.2", "", "", "select D2")
    again = Table.resume(tmp_path / "kozo.game", write=False)
    assert again.state.key() == table.state.key()
