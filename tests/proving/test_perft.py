"""Counts of positions: what a step is, and known numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulelang.loading import builtin_games, load
from rulelang.proving.perft import Count, count, steps

GAMES = Path(__file__).parent.parent / "table" / "games"


def start(path: Path | str, **options: str) -> Any:
    return load(path, options=options).interpreter(2).start(seed=1, ask_chance=True)


KNOWN = {
    "tic_tac_toe": [9, 72, 504, 3024, 15120],
    "english_draughts": [7, 49, 302],
    "chess": [20, 400],
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_numbers(name: str) -> None:
    if name not in builtin_games():
        pytest.skip("not among the built-in games")
    state = start(name)
    assert [count(state, depth).nodes for depth in range(1, len(KNOWN[name]) + 1)] == KNOWN[name]


@pytest.mark.slow
def test_known_numbers_a_step_deeper() -> None:
    assert count(start("chess"), 3).nodes == 8902
    assert count(start("english_draughts"), 5).nodes == 7361


def test_each_outcome_of_chance_is_a_step() -> None:
    state = start(GAMES / "dice.rules")
    assert [name for name, _ in steps(state)] == ["roll", "rest"]
    assert [count(state, depth).nodes for depth in (1, 2, 3)] == [2, 8, 18]  # after a 6 the game is over
    state.play("roll")
    assert [name for name, _ in steps(state)] == ["1", "2", "3", "4", "5", "6"]


def test_each_answer_of_the_table_is_a_step() -> None:
    state = start(GAMES / "dice.rules", asks="on")
    state.play("roll")
    state.resolve(3)
    assert [name for name, _ in steps(state)] == ["yes", "no"]


def test_where_several_choose_at_once_each_choice_is_a_step() -> None:
    if "goofspiel" not in builtin_games():
        pytest.skip("not among the built-in games")
    state = load("goofspiel", options={"cards": "3"} if _has("goofspiel", "cards") else {}).interpreter(2).start(
        seed=1, ask_chance=True
    )
    while state.waits_for == "chance":
        state.resolve(state.outcomes()[0][0])
    first, second = (len(state.moves(seat)) for seat in state.to_act)
    assert count(state, 1).nodes == first and count(state, 2).nodes == first * second


def _has(name: str, option: str) -> bool:
    return option in [one.name for one in load(name).options]


def test_where_the_game_is_over_nothing_follows() -> None:
    state = start(GAMES / "dice.rules", goal="3")
    state.play("roll")
    state.resolve(6)
    assert state.over and steps(state) == []
    assert [count(state, depth).nodes for depth in (0, 1, 2)] == [1, 0, 0]


def test_the_first_steps_are_counted_apart() -> None:
    found = count(start("tic_tac_toe"), 3)
    assert len(found.divided) == 9 and set(found.divided.values()) == {56} and found.complete


def test_what_is_counted_before_an_interruption_stands() -> None:
    def stop(so_far: Count) -> None:
        if so_far.nodes > 100:
            raise KeyboardInterrupt

    found = Count(4)
    with pytest.raises(KeyboardInterrupt):
        count(start("tic_tac_toe"), 4, found, stop)
    assert 100 < found.nodes < 3024 and not found.complete and found.seconds > 0
