"""Blox: the rules file against its sheet in plain Python, and random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import blox_sheet as sheet
import pytest

from rulelang.engine import HIDDEN, State
from rulelang.loading import Ruleset, load
from rulelang.proving.examples import run_examples

ROOT = Path(__file__).parents[2]
BLOX = ROOT / "rules" / "blox.rules"
PAYMENT = ("hand", "pile", "discard", "awake")


@cache
def rules(variant: str = "") -> Ruleset:
    return load(ROOT / "examples" / f"{variant}.rules" if variant else BLOX)


def played(players: int, seed: int, variant: str = "", most: int = 50_000) -> Iterator[State]:
    """The positions of a random game."""
    state, pick = rules(variant).start(players, seed=seed), random.Random(seed)
    for _ in range(most):
        yield state
        if state.over:
            return
        state.play(pick.choice(state.moves()))


def sampled(players: int, seed: int, turns: int, each: int) -> Iterator[State]:
    for number, state in enumerate(played(players, seed, most=turns)):
        if number % each == 0 and not state.over:
            yield state


# ------------------------------------------------------------------------------------------------ the sheet


def test_the_board_is_that_of_the_sheet() -> None:
    state = rules().start(4, seed=1)
    assert Counter("".join(sheet.BOARD)) == {"G": 20, "W": 20, "P": 20, "K": 21}
    assert all(set(line) == set("GWPK") for line in (*sheet.BOARD, *map("".join, zip(*sheet.BOARD, strict=True))))
    for r, c in sheet.SPACES:
        squares = sheet.SQUARES[r][c].replace(".", "0")
        assert sum(state.get_value("tower", [sheet.place((r, c))])) == int(squares)


def test_64_of_144_entrances_and_colors_lead_to_44_spaces() -> None:
    at = sheet.position(rules().start(4, seed=1))
    found = [sheet.first(at, line, wanted) for line in sheet.entrances() for wanted in sheet.COLORS]
    assert len(found) == 144
    assert len([one for one in found if one]) == 64
    assert len({one for one in found if one}) == 44
    assert Counter(sheet.color(one) for one in found if one) == dict.fromkeys("GWPK", 16)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_moves_are_exactly_those_of_the_sheet(players: int) -> None:
    done: Counter[str] = Counter()
    for state in sampled(players, seed=players, turns=1_000, each=10):
        listed = [sheet.said(state, move) for move in state.moves()]
        assert len(listed) == len(set(listed))
        assert set(listed) == sheet.moves(sheet.position(state)), state.view(state.to_act[0]).values
        done.update(one[0] for one in listed)
    assert set(done) == {"place", "move", "destroy", "build", "knock", "exchange"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_the_moves_are_those_of_the_sheet_in_thousands_of_positions(seed: int) -> None:
    for state in sampled(2 + seed % 3, seed=100 + seed, turns=3_000, each=6):
        assert {sheet.said(state, move) for move in state.moves()} == sheet.moves(sheet.position(state))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_two_moves_lead_to_the_same_position_but_by_their_payment(players: int) -> None:
    for state in sampled(players, seed=10 + players, turns=600, each=40):
        results: dict[Any, set[Any]] = {}
        for move in state.moves():
            after = state.copy()
            after.play(move)
            board = tuple(tuple(after.core.v[field.offset:field.offset + field.length])
                          for field in after.machine.fields if field.name not in PAYMENT)
            said = sheet.said(state, move)
            paid = said[-1] if said[0] != "exchange" else said[1:]
            known = results.setdefault(board, set())
            assert (said[0] == "exchange", paid) not in known, move.text
            known.add((said[0] == "exchange", paid))


@pytest.mark.parametrize("players", [2, 4])
def test_moves_are_written_and_read_back(players: int) -> None:
    for state in sampled(players, seed=20 + players, turns=600, each=60):
        texts = [move.text for move in state.moves()]
        assert len(texts) == len(set(texts))
        for move in state.moves():
            assert state.read(move.text) == move


# ------------------------------------------------------------------------------------------------ who sees what


def test_a_seat_sees_its_hand_and_the_sizes_of_the_others() -> None:
    *_, state = played(3, seed=5, most=40)
    for seat in range(3):
        view = state.view(seat)
        hands = view.values["hand"]
        assert [hand is HIDDEN for hand in hands] == [other != seat for other in range(3)]
        assert list(view.sizes["hand"]) == [5, 5, 5]
        assert view.values["pile"] == (HIDDEN,) and view.sizes["pile"][0] is not None
        rest = [name for name in view.values if name not in ("hand", "pile", "supply of card")]
        assert not any(value is HIDDEN for name in rest for value in view.values[name])
    onlooker = state.view(None)
    assert all(hand is HIDDEN for hand in onlooker.values["hand"])


# ------------------------------------------------------------------------------------------------ whole games


def check_game(players: int, seed: int, variant: str = "") -> None:
    """A random game to its end: never stuck, its invariants kept, equal turns for all."""
    turns, state = Counter[int](), None
    for number, state in enumerate(played(players, seed, variant)):
        if number % 25 == 0 or state.over:
            state.check_invariants()
        if not state.over:
            turns[state.player] += 1
    assert state is not None and state.over and state.result is not None
    assert not state.result.unfinished
    assert len({turns[seat] for seat in range(players)}) == 1
    held = sum(sum(state.get_value("blocks", [seat])) for seat in range(players))
    standing = sum(sum(state.get_value("tower", [sheet.place(space)])) for space in sheet.SPACES)
    assert held + standing == (36 if players == 2 else 40)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_end(players: int) -> None:
    check_game(players, 1_000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(340))
def test_a_thousand_random_games_end(seed: int) -> None:
    for players in (2, 3, 4):
        check_game(players, 2_000 + seed)


# ------------------------------------------------------------------------------------------------ house rules

HOUSES = ["blox_nine_blocks", "blox_open_hands", "blox_short"]


@pytest.mark.parametrize("house", HOUSES)
def test_house_rules_hold_their_examples_and_can_be_played(house: str) -> None:
    assert all(outcome.holds for outcome in run_examples(rules(house)))
    for state in played(3, 7, house, most=200):
        state.check_invariants()


@pytest.mark.slow
@pytest.mark.parametrize("house", HOUSES)
def test_games_by_house_rules_end(house: str) -> None:
    for seed in range(6):
        check_game(2 + seed % 3, seed, house)
