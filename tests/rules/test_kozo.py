"""Kozo: placements counted, towers judged, and random games with and without its twists."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from rulelang.engine import HIDDEN, State
from rulelang.loading import Ruleset, load
from rulelang.proving.examples import position_of, run_examples
from rulelang.table.session import Table
from rulelang.table.telling import Teller

ROOT = Path(__file__).parents[2]
TWISTS: list[tuple[str, ...]] = [(), ("drawn_tile",), ("neighbour",), ("drawn_tile", "neighbour")]
# The sheet's pieces: their cubes, and in how many ways they can be the first on the base.
PIECES = {
    "D2": ("000 001", 16), "I3": ("000 001 002", 12), "V3": ("000 001 010", 36), "I4": ("000 001 002 003", 8),
    "L4": ("000 001 002 010", 56), "T4": ("000 001 002 011", 24), "O4": ("000 001 010 011", 8),
    "tripod": ("000 001 010 100", 8), "screwA": ("000 001 010 101", 12), "screwB": ("000 001 010 110", 12),
    "S4": ("000 001 011 012", 24), "V5": ("000 001 002 010 020", 20),
}
Cube = tuple[int, int, int]
Place = frozenset[Cube]


@cache
def rules(twists: tuple[str, ...] = (), steadiness: int = 100) -> Ruleset:
    return load(ROOT / "rules" / "kozo.rules", variants=twists, options={"steadiness": steadiness})


def turned(cubes: str) -> set[Place]:
    """The ways to turn a piece, each pushed to the corner: by the 24 matrices that keep hands apart."""
    points = [tuple(map(int, cube)) for cube in cubes.split()]
    found = set()
    for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        swaps = sum(order[i] > order[j] for i in range(3) for j in range(i + 1, 3))
        if (-1) ** swaps * signs[0] * signs[1] * signs[2] == 1:
            moved = [tuple(signs[i] * point[order[i]] for i in range(3)) for point in points]
            low = [min(point[i] for point in moved) for i in range(3)]
            found.add(frozenset(tuple(point[i] - low[i] for i in range(3)) for point in moved))
    return found


def lowered(cubes: str, filled: set[Cube], balances: set[Cube]) -> set[Place]:
    """Where a piece comes to rest that is let down onto the tower, straight from above: not on the chimney, and not on
    balance cubes alone."""
    tops = {(x, y): 1 + max((z for a, b, z in filled | balances if (a, b) == (x, y)), default=-1)
            for x, y in product(range(3), repeat=2)}
    found = set()
    for way, x, y in product(turned(cubes), range(3), range(3)):
        at = [(x + a, y + b, z) for a, b, z in way]
        if any(a > 2 or b > 2 or (a, b) == (1, 1) for a, b, _ in at):
            continue
        bottom = max(tops[a, b] - z for a, b, z in at)
        stops = [(a, b, bottom + z - 1) for a, b, z in at if tops[a, b] - z == bottom]
        if any(z < 0 or (a, b, z) in filled for a, b, z in stops):
            found.add(frozenset((a, b, z + bottom) for a, b, z in at))
    return found


def tower(state: State) -> tuple[set[Cube], set[Cube]]:
    """The cubes of polycubes and the balance cubes of a state."""
    board = state.game.board
    assert board is not None
    at = {field.name: state.core.v[field.offset:field.offset + field.length] for field in state.machine.fields}
    return ({cell for cell, piece in zip(board.coordinates, at["cube"], strict=True) if piece is not None},
            {cell for cell, there in zip(board.coordinates, at["balance"], strict=True) if there})


def played(players: int, seed: int, twists: tuple[str, ...] = (), steadiness: int = 100) -> Iterator[State]:
    """The decisions and questions of a random game; the model answers."""
    state, pick = rules(twists, steadiness).start(players, seed=seed), random.Random(seed)
    for _ in range(2_000):
        yield state
        if state.over:
            return
        if state.question is not None:
            state.answer_by_model()
        else:
            state.play(pick.choice(state.moves()))


# ------------------------------------------------------------------------------------------------ placements


def test_236_first_placements_piece_by_piece() -> None:
    for piece, (cubes, ways) in PIECES.items():
        state = rules().start(2, seed=1)
        state.play(f"select {piece}")
        assert len(state.moves()) == ways == len(lowered(cubes, set(), set())), piece
    assert sum(ways for _, ways in PIECES.values()) == 236
    assert sum(len(cubes.split()) for cubes, _ in PIECES.values()) == 45


@pytest.mark.parametrize("seed", range(6))
def test_placements_are_those_of_pieces_let_down_from_above(seed: int) -> None:
    names = list(PIECES)
    for state in played(2 + seed % 5, seed):
        if state.phase != "placing" or state.question is not None or state.over:
            continue
        filled, balances = tower(state)
        board = state.game.board
        assert board is not None
        cubes = PIECES[names[state.get_value("piece")]][0]
        listed = [move.steps[0][1][0] for move in state.moves()]
        found = {frozenset(board.coordinates[c] for c in range(len(board.coordinates)) if mask >> c & 1)
                 for mask in listed}
        assert len(found) == len(listed)
        assert found == lowered(cubes, filled, balances)


def test_placements_are_short_to_write_and_read_back() -> None:
    for state in played(3, 4):
        if state.question is None and not state.over:
            texts = [move.text for move in state.moves()]
            assert len(set(texts)) == len(texts)
            assert all(len(text) <= 30 for text in texts)
            assert [state.read(text) for text in texts] == state.moves()
            if state.phase == "placing":
                word, cells = texts[-1].split(" ")
                backwards = "+".join(reversed(cells.split("+")))
                assert state.read(f"{word} {backwards}").text == texts[-1]


# ------------------------------------------------------------------------------------------------ what falls


def test_a_legal_placement_that_must_fall_says_so() -> None:
    state = rules().start(2, seed=1, chance={"stands": ["on", "on", "on"]})
    for text in ("select I3", "place a1.1+b1.1+c1.1", "balance b1.2", "select L4"):
        state.play(text)
    found = state.explain("place c1.2+c2.2+c3.2+c3.3")
    assert found.legal and found.judged is not None
    question, answer = found.judged
    assert question == "Does the tower stand with the L4 on it?"
    assert answer.startswith("physics.stands says no: it must fall, by a margin of -0.")
    safe = state.explain("place a2.1+a3.1+b3.1+c3.1")
    assert safe.judged is not None and safe.judged[1].startswith("physics.stands says yes: it can stand")


def test_unsteady_hands_let_more_fall_and_the_same_seed_the_same() -> None:
    def placed(steadiness: int) -> list[int]:
        return [sum(state.phase == "balancing" and state.question is None for state in played(2, seed, (), steadiness))
                for seed in range(4)]

    assert placed(0) == placed(0)
    assert sum(placed(0)) < sum(placed(100))


# ------------------------------------------------------------------------------------------------ whole games


def check_game(players: int, seed: int, twists: tuple[str, ...], steadiness: int) -> None:
    """A random game to its end: never stuck, its invariants kept, no more points than there are cubes."""
    state = None
    for state in played(players, seed, twists, steadiness):
        if state.waits_for == "move":
            state.check_invariants()
            assert state.moves(), state.phase
            filled, balances = tower(state)
            assert not filled & balances
            assert not any((x, y) == (1, 1) for x, y, _ in filled | balances)
    assert state is not None and state.over and state.result is not None
    assert not state.result.unfinished
    assert sum(state.get_value("total", [seat]) for seat in range(players)) <= 3 * 45
    assert state.get_value("number") == 3


@pytest.mark.parametrize("twists", TWISTS, ids="+".join)
@pytest.mark.parametrize("players", range(2, 7))
def test_random_games_end(players: int, twists: tuple[str, ...]) -> None:
    for seed in range(5):
        check_game(players, seed, twists, 100 - 15 * seed)


@pytest.mark.slow
@pytest.mark.parametrize("twists", TWISTS, ids="+".join)
@pytest.mark.parametrize("players", range(2, 7))
def test_hundreds_of_random_games_end(players: int, twists: tuple[str, ...]) -> None:
    for seed in range(50):
        check_game(players, 500 + seed, twists, 100 if seed % 2 else 60)


def test_rounds_that_end_by_all_being_placed_happen() -> None:
    """With people who answer yes every tower stands, and rounds end when the polycubes are used up or none fits."""
    ends: Counter[Any] = Counter()
    for seed in range(3):
        state, pick = rules().start(3, seed=seed), random.Random(seed)
        left = 12
        while not state.over:
            if state.question is not None:
                state.answer(True)
                continue
            stock = state.get_value("stock").bit_count()
            if stock > left:
                ends["used up" if left == 0 else "none fits"] += 1
            left = stock
            state.play(pick.choice(state.moves()))
        ends["used up" if left == 0 else "none fits"] += 1
    assert sum(ends.values()) == 9 and ends["used up"]


def test_all_is_open() -> None:
    *_, state = (state for _, state in zip(range(20), played(4, 2), strict=False))
    for seat in (*range(4), None):
        assert not any(value is HIDDEN for values in state.view(seat).values.values() for value in values)


# ------------------------------------------------------------------------------------------------ house rules


@pytest.mark.parametrize("house", ["kozo_children", "kozo_generous", "kozo_high"])
def test_house_rules_hold_their_examples_and_end(house: str) -> None:
    ruleset = load(ROOT / "examples" / f"{house}.rules")
    assert all(outcome.holds for outcome in run_examples(ruleset))
    for seed in range(5):
        state, pick = ruleset.start(2 + seed, seed=seed), random.Random(seed)
        while not state.over:
            if state.question is not None:
                state.answer_by_model()
            else:
                state.play(pick.choice(state.moves()))
        assert state.result is not None and not state.result.unfinished


def test_the_end_of_a_round_is_told_and_why(tmp_path: Path) -> None:
    """Once because the tower falls, which the answer before has told, once because nothing fits."""
    table = Table.new(rules(), players=2, seed=1, seats=("human", "human"), options={}, path=tmp_path / "a.game")
    teller = Teller(table, None)
    table.play(table.state.to_act[0], "select I3")
    table.play(table.state.to_act[0], "place a1.1+b1.1+c1.1")
    teller.news()
    table.answer(False)
    assert teller.news() == ["Does the tower stand with the I3 on it? no", "round 1 is over"]
    state = position_of(load(ROOT / "rules" / "kozo.rules"), "none that is left fits")
    state.answer(True)
    assert [event.told for event in state.events if event.kind == "round"] == [
        "round 1 is over: nothing was possible any more"]


def test_a_sentence_that_does_not_apply_tells_no_value_of_none() -> None:
    wanted = next(one for one in rules().start(seed=5).explain("select D2").clauses if one.name == "wanted")
    assert wanted.holds and wanted.sentence == "it must have wanted cubes"
