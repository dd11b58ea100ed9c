"""Who sits where, from words on the command line."""

from __future__ import annotations

import pytest

from rulelang.table.seats import SeatError, against_bots, read_seats

NAMES = ("white", "black")
PLAYERS = ("player 1", "player 2", "player 3")

GOOD = {
    "nothing said": ((), NAMES, ("human", "random")),
    "by number": (("2=greedy",), NAMES, ("human", "greedy")),
    "by name": (("black=human", "white=careful"), NAMES, ("careful", "human")),
    "all": (("all=random",), PLAYERS, ("random",) * 3),
    "all but one": (("all=greedy", "2=human"), PLAYERS, ("greedy", "human", "greedy")),
    "the order does not count": (("2=human", "all=greedy"), PLAYERS, ("greedy", "human", "greedy")),
}
BAD = {
    "3=human": "no seat `3`",
    "0=human": "no seat `0`",
    "blak=human": "did you mean `black`",
    "1=bot": "cannot sit down",
    "1=rndom": "did you mean `random`",
    "1": "not of the form",
}


@pytest.mark.parametrize("case", GOOD)
def test_seats_are_read(case: str) -> None:
    words, names, expected = GOOD[case]
    assert read_seats(words, names, against_bots(len(names))) == expected


@pytest.mark.parametrize("word", BAD)
def test_what_cannot_sit_is_refused(word: str) -> None:
    with pytest.raises(SeatError, match=BAD[word]):
        read_seats((word,), NAMES, against_bots(2))


def test_a_seat_is_given_once() -> None:
    with pytest.raises(SeatError, match="given to two"):
        read_seats(("1=human", "white=random"), NAMES, against_bots(2))
