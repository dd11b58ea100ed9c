"""What poker games of two seats are worth to the first, exactly; and how random games with cards go on average."""

from __future__ import annotations

import random
from collections import Counter
from math import sqrt

import pytest
from lockstep import RULES

from rulelang.engine import State
from rulelang.loading import load

sequence_form = pytest.importorskip("sequence_form")


def start(name: str) -> State:
    return load(RULES / f"{name}.rules").interpreter(2).start(ask_chance=True)


def test_kuhn_poker_is_worth_a_loss_of_one_eighteenth() -> None:
    """Kuhn 1950: optimal play costs the first player 1/18 of a chip. There are 12 information sets and 30 ends."""
    tree = sequence_form.Tree(start("kuhn_poker"))
    assert [len(sets) for sets in tree.sets] == [6, 6]
    assert tree.leaves == 30
    assert tree.value() == pytest.approx(-1 / 18, abs=1e-9)


def test_leduc_holdem_is_worth_a_loss_of_0_0856() -> None:
    """-0.0856 is what is published for the first player (two raises in a round, of two chips and of four). There
    are 936 information sets if suits are told apart, 288 if not."""
    tree = sequence_form.Tree(start("leduc_poker"))
    assert sum(len(sets) for sets in tree.sets) == 288
    assert tree.value() == pytest.approx(-0.0856064, abs=1e-6)


def playout(state: State, stream: random.Random) -> tuple[int, float]:
    """A random game: how many steps it took, draws among them, and what it gave the first seat."""
    steps = 0
    while not state.over:
        if state.waits_for == "chance":
            values, likely = zip(*state.outcomes(), strict=True)
            state.resolve(stream.choices(values, [float(x) for x in likely])[0])
        else:
            state.play(stream.choice(state.moves()))
        steps += 1
    assert state.result is not None
    return steps, float(state.result.scores[0][0])


@pytest.mark.parametrize("name, length, spread, shares", [
    ("kuhn_poker", 4.250, 0.43, (0.5625, 0.4375, 0.0)),
    ("leduc_poker", 6.685, 1.95, (0.4946, 0.4268, 0.0786)),
])
@pytest.mark.parametrize("games", [1_500, pytest.param(30_000, marks=pytest.mark.slow)])
def test_random_games_go_as_they_do_elsewhere(name: str, length: float, spread: float, shares: tuple[float, ...],
                                              games: int) -> None:
    """Mean length (draws counted), and the shares of games won by the first seat, lost and tied, against those of
    400,000 games of OpenSpiel; four standard errors are allowed."""
    stream = random.Random(7)
    beginning = start(name)
    found = [playout(beginning.copy(), stream) for _ in range(games)]
    mean = sum(steps for steps, _ in found) / games
    assert abs(mean - length) < 4 * spread / sqrt(games)
    ends = Counter((worth > 0) - (worth < 0) for _, worth in found)
    for sign, share in zip((1, -1, 0), shares, strict=True):
        assert abs(ends[sign] / games - share) <= 4 * sqrt(share * (1 - share) / games), (sign, ends[sign] / games)


@pytest.mark.slow
def test_random_deals_of_hearts_go_as_they_do_elsewhere() -> None:
    """How often the first seat alone is best, another alone, or several are: .1887, .5632 and .2482 in 200,000 deals of
    OpenSpiel (in which the queen of spades breaks hearts, and cards are passed in each way equally often)."""
    stream, games = random.Random(3), 3_000
    found: Counter[str] = Counter()
    for way in ("to_the_left", "to_the_right", "across", "nowhere"):
        rules = load(RULES / "hearts.rules", options={"goal": 1, "first_pass": way, "queen_breaks": "on"})
        for seed in range(games // 4):
            state = rules.start(seed=seed)
            while not state.over:
                state.play(stream.choice(state.moves(state.to_act[0])))
            assert state.result is not None
            winners = state.result.winners
            found["first" if winners == (0,) else "other" if len(winners) == 1 else "several"] += 1
    for who, share in (("first", 0.1887), ("other", 0.5632), ("several", 0.2482)):
        assert abs(found[who] / games - share) <= 4 * sqrt(share * (1 - share) / games), (who, found[who] / games)
