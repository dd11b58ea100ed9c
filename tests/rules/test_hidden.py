"""Secrets of every rules file that has some: what a seat may not see makes no difference to what it is shown."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import hidden
import pytest
from lockstep import RULES

from rulelang.engine import HIDDEN, State, Stream
from rulelang.engine.beliefs import sample
from rulelang.loading import Ruleset, load

# What must be hidden, by file: variables of which a seat sees its own entry only, and those of which nobody sees any.
OWN = {
    "blox": ["hand"], "crazy_eights": ["hand"], "go_fish": ["hand"], "hearts": ["hand"], "hearts_for_five": ["hand"],
    "hearts_for_three": ["hand"], "kuhn_poker": ["held"], "leduc_poker": ["held"], "liars_dice": ["cup"],
    "spades": ["hand"],
}
NOBODY = {"blox": ["pile"], "crazy_eights": ["stock"], "go_fish": ["stock"], "hearts": ["supply of card"]}
PAIRS = 6


@cache
def rules(name: str, variants: tuple[str, ...] = ()) -> Ruleset:
    return load(RULES / f"{name}.rules", variants=variants)


def secretive() -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Every file with something hidden: as it is and in each variant, with the fewest and the most players."""
    for path in sorted(Path(RULES).glob("*.rules")):
        for variants in [(), *((name,) for name, _ in rules(path.stem).variants)]:
            counts = [n for n in rules(path.stem, variants).player_counts if n > 1]
            for players in sorted({counts[0], counts[-1]}) if counts else []:
                game = rules(path.stem, variants).model(players)
                if any(variable.seen is not None for variable in game.variables):
                    yield path.stem, variants, players


SECRETIVE = list(secretive())


def name_of(case: object) -> str:
    return "+".join(case) if isinstance(case, tuple) else str(case)


def begin(name: str, variants: tuple[str, ...], players: int, seed: int) -> State:
    return rules(name, variants).interpreter(players).start(seed=seed, ask_chance=True)


def pairs(name: str, variants: tuple[str, ...], players: int, number: int, most: int) -> list[hidden.Walk]:
    found = []
    for seed in range(number):
        stream = random.Random(f"{name} {players} {seed}")
        one, other = (begin(name, variants, players, 2 * seed + half) for half in (0, 1))
        found.append(hidden.walk(one, other, seed % players, stream, most))
    return found


@pytest.mark.parametrize("name, variants, players", SECRETIVE, ids=name_of)
def test_what_is_hidden_makes_no_difference(name: str, variants: tuple[str, ...], players: int) -> None:
    walks = pairs(name, variants, players, PAIRS, 300)
    assert sum(walk.apart for walk in walks) > 0, "the two games were never apart"


@pytest.mark.slow
@pytest.mark.parametrize("name, variants, players", SECRETIVE, ids=name_of)
def test_what_is_hidden_makes_no_difference_in_many_games(name: str, variants: tuple[str, ...], players: int) -> None:
    walks = pairs(name, variants, players, 150, 1_000)
    assert sum(walk.apart for walk in walks) > 0


@pytest.mark.parametrize("name", sorted({*OWN, *NOBODY}))
def test_hands_are_their_owners_and_piles_nobodys(name: str) -> None:
    ruleset = rules(name)
    players = ruleset.player_counts[-1]
    state = ruleset.start(players, seed=5)
    stream = random.Random(5)
    for _ in range(12):
        if state.over:
            break
        for seat in range(players):
            view = state.view(seat)
            for variable in OWN.get(name, ()):
                for owner in range(players):
                    assert (view.value(variable, owner) is HIDDEN) == (owner != seat), (variable, owner, seat)
            for variable in NOBODY.get(name, ()):
                assert view.value(variable) is HIDDEN
        onlooker = state.view(None)
        assert all(value is HIDDEN for variable in OWN.get(name, ()) for value in onlooker.values[variable])
        state.play(stream.choice(state.moves(state.to_act[0])))


@pytest.mark.parametrize("name, variants, players", SECRETIVE, ids=name_of)
def test_guesses_agree_with_what_is_seen(name: str, variants: tuple[str, ...], players: int) -> None:
    """What bots play on: a state made up from a view looks the same to that seat, and has the same moves for it."""
    ruleset = rules(name, variants)
    state = ruleset.start(players, seed=1)
    stream = random.Random(1)
    for step in range(24):
        if state.over:
            break
        if state.waits_for == "judge":
            state.answer(True)
            continue
        seat = state.to_act[0]
        if step % 3 == 0:
            view = state.view(seat)
            guess = sample(ruleset.interpreter(players), view, Stream(step, "guess"))
            seen = guess.view(seat)
            assert (seen.values, seen.sizes, seen.to_act) == (view.values, view.sizes, view.to_act)
            assert seen.moves == view.moves
        state.play(stream.choice(state.moves(seat)))
