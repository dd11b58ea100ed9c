"""Towers of polycubes as a tower game builds them: known answers, and what must be the same for every tower."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest
import witness
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from towers import BOARD, SHAPES, Tower, random_tower

from rulelang.judges import equilibrium
from rulelang.judges.bodies import Body, Box, contacts
from rulelang.judges.question import JudgeQuestion
from rulelang.judges.statics import chance, margin, rests, stands, tower_margin
from rulelang.judges.structure import structure
from rulelang.judges.tower import LITTLE, Place, tower

LITTLE_WEIGHT = LITTLE**3


def built(*pieces: str, balances: str = "") -> list[Body]:
    """Pieces and balance cubes given by the places of their cubes."""
    at = {(int(c[0]), int(c[1]), int(c[2])): n for n, piece in enumerate(pieces) for c in piece.split()}
    return tower(at, [(int(c[0]), int(c[1]), int(c[2])) for c in balances.split()])


def places(heap: Tower) -> tuple[dict[Place, int], list[Place]]:
    pieces = {BOARD.coordinates[c]: piece for c, piece in enumerate(heap.cube) if piece is not None}
    return pieces, [BOARD.coordinates[c] for c, there in enumerate(heap.balance) if there]


def bodies(heap: Tower) -> list[Body]:
    return tower(*places(heap))


def firm(heap: Tower) -> bool:
    return rests(bodies(heap))


def moved(heap: Tower, way: Callable[[Place], Place]) -> list[Body]:
    pieces, balances = places(heap)
    return tower({way(place): piece for place, piece in pieces.items()}, [way(place) for place in balances])


a_tower = st.builds(
    lambda seed, count, standing: random_tower(Random(seed), count, firm if standing else lambda heap: True),
    st.integers(0, 2**32), st.integers(1, 12), st.booleans(),
)
often = settings(max_examples=40, deadline=None)


def test_dominoes_over_the_edge():
    assert margin(built("000")) == 0.5
    assert margin(built("000", "001 101")) == 0                      # half of it hangs over: on the edge
    assert margin(built("000", "001 101 201")) < 0
    assert margin(built("000 100", "001 101 201")) == pytest.approx(2.5 / 5.5)    # both, about the lower one's end
    assert not rests(built("000", "001 101", "102"))                  # a cube on the half that hangs
    assert rests(built("000", "001 101", "002"))                      # and on the half that does not


def test_a_balance_cube_saves_a_domino_or_fells_it():
    w, top = LITTLE_WEIGHT, 1 + LITTLE / 2
    saved = 0.5 * w / (1 + w * top)     # how far the domino's weight then acts inside the edge, by how high
    assert margin(built("000", "001 101", balances="002")) == pytest.approx(saved, abs=1e-9)
    assert margin(built("000", "001 101", balances="102")) < 0


def test_a_stick_alone_and_one_in_a_row():
    assert margin(built("000 001 002 003")) == pytest.approx(1 / 4)
    assert margin(built("000 001 002 003", "100 101 102 103")) == pytest.approx(1 / 4)   # a hair apart


def test_a_bridge_on_two_posts():
    posts, bridge = ("000 001", "200 201"), "002 102 202"
    assert margin(built(*posts)) == pytest.approx(1 / 2)
    assert margin(built(*posts, bridge)) == pytest.approx(3.5 / 11.5)           # across: 0.5 for all, by their heights
    assert margin(built(posts[0], bridge)) < 0


def test_balance_cubes_on_nothing():
    assert rests(built("000", balances="110"))                        # on the ground
    assert not rests(built("000", balances="111"))                    # in the air
    assert not rests(built("000", balances="001 002"))                # over another one, which is too low to touch


def test_two_hundred_and_twenty_of_the_first_placements_stand():
    """Counted by plain arithmetic: the middle of the cubes is over the hull of those on the ground."""
    found = [(piece, way) for piece, name in enumerate(SHAPES) for way in Tower().ways(name)]
    assert len(found) == 236
    answers = {}
    for piece, way in found:
        heap = Tower()
        heap.put(piece, way)
        answers[piece, tuple(way)] = firm(heap)
        middle = [Fraction(sum(2 * cube[axis] + 1 for cube in way), 2 * len(way)) for axis in (0, 1)]
        foot = [(x + dx, y + dy) for x, y, z in way if z == 0 for dx in (0, 1) for dy in (0, 1)]
        inside = all(
            any((x - middle[0]) * u + (y - middle[1]) * v >= 0 for x, y in foot)
            for u in range(-4, 5) for v in range(-4, 5)
        )
        assert answers[piece, tuple(way)] == inside
    assert sum(answers.values()) == 220


def bridged(seed: int) -> Tower:
    """A random tower, two in three of them standing, in which some pieces have more than one support."""
    for again in range(seed, 10**6, 1000):
        heap = random_tower(Random(again), 5 + seed % 8, firm if seed % 3 else lambda heap: True)
        found = bodies(heap)
        if not all(block.single for block in structure(found, contacts(found)).blocks):
            return heap
    raise AssertionError("no tower has a bridge")


@pytest.mark.parametrize("seed", range(12))
def test_taking_apart_and_merging_change_nothing(seed):
    """The whole tower in one programme gives the same, with each balance cube a body of its own."""
    heap = bridged(seed)
    pieces, balances = places(heap)
    all_apart = tower(pieces, [])
    for x, y, z in balances:
        inset = (1 - LITTLE) / 2
        all_apart.append(Body((Box((x + inset, y + inset, z), (x + inset + LITTLE, y + inset + LITTLE, z + LITTLE)),)))
    expected = witness.margin(all_apart)
    found = margin(bodies(heap))
    if expected is None:
        assert found < 0
    else:
        assert found == pytest.approx(expected, abs=2e-6)


@often
@given(a_tower)
def test_a_tower_rests_just_if_its_margin_is_not_below_0(heap):
    assert rests(bodies(heap)) == (margin(bodies(heap)) >= 0)


@often
@given(a_tower)
def test_a_mirror_image_has_the_same_margin(heap):
    expected = margin(bodies(heap))
    assert margin(moved(heap, lambda c: (2 - c[0], c[1], c[2]))) == pytest.approx(expected, abs=1e-6)
    assert margin(moved(heap, lambda c: (c[1], c[0], c[2]))) == pytest.approx(expected, abs=1e-6)


@often
@given(a_tower, st.integers(1, 3))
def test_a_turned_tower_has_the_same_margin(heap, quarters):
    def turn(cube: Place) -> Place:
        x, y, z = cube
        for _ in range(quarters):
            x, y = 2 - y, x
        return x, y, z

    assert margin(moved(heap, turn)) == pytest.approx(margin(bodies(heap)), abs=1e-6)


@often
@given(a_tower, st.permutations(range(12)))
def test_the_numbers_of_the_pieces_do_not_matter(heap, numbers):
    expected = margin(bodies(heap))
    heap.cube = [None if piece is None else numbers[piece] for piece in heap.cube]
    assert margin(bodies(heap)) == pytest.approx(expected, abs=1e-6)


@often
@given(a_tower, st.floats(0.01, 100))
def test_weight_straight_above_a_full_support_fells_nothing(heap, weight):
    """What stands on a column of cubes without a gap can be borne straight down to the ground, whatever it weighs."""
    pieces, _ = places(heap)
    full = [(x, y, top) for (x, y), top in heap.tops.items() if top and all((x, y, z) in pieces for z in range(top))]
    assume(full)
    before = bodies(heap)
    assume(rests(before))
    for x, y, z in full:
        assert rests([*before, Body((Box((x, y, z), (x + 1, y + 1, z + 1), weight),))])


@often
@given(a_tower)
def test_pressed_together_a_tower_stands_that_stands_a_hair_apart(heap):
    if rests(bodies(heap)):
        assert rests(bodies(heap), sides=True)


@often
@given(st.floats(0, 0.5), st.floats(0, 0.5), st.integers(0, 100), st.integers(0, 100))
def test_the_chance_grows_with_the_margin_and_with_steadiness(one, other, hands, better):
    low, high = sorted((one, other))
    worse, better = sorted((hands, better))
    assert 0 <= chance(low, worse) <= chance(high, worse) <= 1
    assert chance(low, worse) <= chance(low, better)


def test_the_chance_at_its_ends():
    assert chance(0, 100) == chance(0.5, 100) == 1
    assert chance(-1e-9, 100) == chance(-1, 0) == chance(float("-inf"), 100) == 0
    assert chance(0, 99) == 0
    assert chance(0.25, 0) == pytest.approx(0.956, abs=1e-3)


def asked(heap: Tower, steadiness: int) -> JudgeQuestion:
    return JudgeQuestion((*heap.layers, steadiness), BOARD)


@pytest.mark.parametrize("seed", range(8))
def test_the_judge_is_asked_with_layers(seed):
    heap = random_tower(Random(seed), 6)
    expected = margin(bodies(heap))
    assert tower_margin(asked(heap, 100)) == expected
    assert stands(asked(heap, 100)) == (expected >= 0)
    assert stands(asked(heap, 70)) == chance(expected, 70)


def test_the_towers_of_a_game_need_few_linear_programmes(monkeypatch):
    """A random game asks about some thirty towers; most of their parts are answered without a programme."""
    solved = 0

    def counted(*args, **words):
        nonlocal solved
        solved += 1
        return plain(*args, **words)

    plain = equilibrium.milp
    monkeypatch.setattr(equilibrium, "milp", counted)
    heaps = [random_tower(Random(seed), 4 + seed % 9, firm if seed % 4 else lambda heap: True) for seed in range(36)]
    for heap in heaps:
        stands(asked(heap, 100))
    assert 0 < solved < 4 * len(heaps)
