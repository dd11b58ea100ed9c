"""Known counts and whole games of the drafts."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.engine import State
from rulelang.loading import load

DRAFTS = Path(__file__).parent.parent / "drafts"


def perft(state: State, depth: int) -> int:
    """How many ways there are to play so many moves."""
    if depth == 1:
        return len(state.moves())
    total = 0
    for move in state.moves():
        after = state.copy()
        after.play(move)
        if not after.over:
            total += perft(after, depth - 1)
    return total


@pytest.mark.parametrize(("name", "counts"), [
    ("chess", [20, 400]),
    ("draughts", [7, 49, 302, 1469]),
])
def test_published_counts(name: str, counts: list[int]) -> None:
    state = load(DRAFTS / f"{name}.rules").start()
    assert [perft(state, depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth", "count"), [
    ("chess", 3, 8902), ("draughts", 5, 7361), ("draughts", 6, 36768),
])
def test_more_published_counts(name: str, depth: int, count: int) -> None:
    assert perft(load(DRAFTS / f"{name}.rules").start(), depth) == count


def play_out(state: State, choose: Callable[[State], object], most: int = 3000) -> int:
    """Play a game to its end by chance; how many moves it took."""
    moves = 0
    while not state.over and (moves < most or state.question is not None):
        if state.question is not None:
            state.answer(moves % 3 > 0)
            continue
        choose(state)
        moves += 1
    return moves


GAMES = ["backgammon", "blokus", "blox", "goofspiel", "hearts", "hex", "kakuzu", "kozo", "kuhn", "morris"]


@pytest.mark.parametrize("name", GAMES)
def test_random_games_end_keep_their_invariants_and_read_their_moves(name: str) -> None:
    ruleset = load(DRAFTS / f"{name}.rules")
    for players in {ruleset.players_or_default(), ruleset.player_counts[-1]}:
        state = ruleset.start(players, seed=players)
        chance = random.Random(players)

        def choose(state: State, chance: random.Random = chance) -> None:
            moves = state.moves()
            move = chance.choice(moves)
            if len(moves) < 60:
                assert state.read(move.text, move.seat) == move
            state.play(move)
            if chance.random() < 0.1:
                state.check_invariants()

        play_out(state, choose, 400)
        state.check_invariants()
        while state.history:
            state.undo()
        assert state == ruleset.start(players, seed=players)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_played_again_from_its_log_is_the_same(name: str) -> None:
    ruleset = load(DRAFTS / f"{name}.rules")
    chance = random.Random(5)
    first = ruleset.start(seed=3)
    log: list[tuple[int, str]] = []

    def choose(state: State) -> None:
        move = chance.choice(state.moves())
        log.append((move.seat, move.text))
        state.play(move)

    play_out(first, choose, 60)
    second = ruleset.start(seed=3)
    place = iter(log)

    def repeat(state: State) -> None:
        seat, text = next(place)
        state.play(text, seat)

    play_out(second, repeat, len(log))
    assert first == second
    assert [event.text_for(0) for event in first.events] == [event.text_for(0) for event in second.events]
