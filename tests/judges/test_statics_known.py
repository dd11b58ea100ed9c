"""Heaps whose answer stands in textbooks or can be worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest
import witness
from heaps import box, brick, stack, table

from rulelang.judges.bodies import Body, Box, contacts, hull
from rulelang.judges.statics import margin, rests
from rulelang.judges.structure import structure

HAIR = 1e-5


def stands(bodies: list[Body], sides: bool = False) -> bool:
    """Asked both ways, which must agree."""
    answer = rests(bodies, sides=sides)
    assert answer == (margin(bodies, sides=sides) >= 0)
    return answer


def test_nothing_stands_and_so_does_a_brick_on_the_ground():
    assert margin([]) == margin([brick(0, 0)]) == 0.5
    assert margin([table()]) == 0.5


@pytest.mark.parametrize("friction", [0.0, 0.1, 0.5])
def test_a_flat_brick_slides_before_it_tips(friction):
    assert margin([brick(0, 0, length=3, height=1, depth=3)], friction) == pytest.approx(friction)


@pytest.mark.parametrize("height", [2, 4, 10])
def test_a_tall_brick_tips_at_the_angle_of_its_diagonal(height):
    assert margin([brick(0, 0, height=height)], 1.0) == pytest.approx(1 / height)


def test_an_overhang_short_of_the_edge_at_it_and_beyond():
    for reach in (0.3, 0.4, 0.499):
        assert margin(stack([reach])) == pytest.approx(min(0.5, (0.5 - reach) / 0.5), abs=1e-6)
    assert margin(stack([0.5])) == 0 and stands(stack([0.5]))
    assert stands(stack([0.5 - HAIR])) and not stands(stack([0.5 + HAIR]))
    # the pull that its inner end would need, as a part of its weight
    assert margin(stack([0.75])) == pytest.approx(-0.25 / 0.25, abs=1e-6)


@pytest.mark.parametrize("count", range(1, 11))
def test_a_harmonic_stack_reaches_half_the_harmonic_number(count):
    """Bricks that reach 1/2, 1/4, 1/6 … beyond those below, from the top, are on the edge (Paterson and Zwick,
    *Overhang*, Amer. Math. Monthly 116, 2009, section 1)."""
    reaches = [1 / (2 * level) for level in range(count, 0, -1)]
    assert math.isclose(sum(reaches), sum(Fraction(1, n) for n in range(1, count + 1)) / 2)
    assert margin(stack(reaches, height=0.1)) == pytest.approx(0, abs=1e-6)
    assert stands(stack(reaches, 0.1))
    for level in range(count):
        shorter, longer = reaches[:], reaches[:]
        shorter[level] -= HAIR
        longer[level] += HAIR
        assert not stands(stack(longer, 0.1))
        assert stands(stack(shorter, 0.1))


def three_bricks(reach: float) -> list[Body]:
    """Paterson and Zwick's best stack of three bricks: one at the edge, one on each of its ends, a whole brick out."""
    return [table(), brick(-0.5, 1), brick(-1, 2), brick(reach - 1, 2)]


def test_three_bricks_reach_a_whole_brick_out():
    assert margin(three_bricks(1)) == pytest.approx(0, abs=1e-6) and stands(three_bricks(1))
    assert stands(three_bricks(1 - HAIR)) and not stands(three_bricks(1 + HAIR))
    assert not stands(three_bricks(1)[:-2] + three_bricks(1)[-1:])  # without the one that weighs down the other end


def test_a_counterweight_saves_an_overhang():
    beam = brick(-1, 1, length=4)                   # its middle is 1 beyond the edge, it weighs 4
    assert not stands([table(), beam])
    needed = 4 * 1 / 0.5                            # the weight stands 0.5 inside the edge
    for weight, saved in ((needed - 1e-3, False), (needed, True), (needed + 1e-3, True)):
        assert stands([table(), beam, brick(-1, 2, weight=weight)]) is saved
    assert margin([table(), beam, brick(-1, 2, weight=needed)]) == pytest.approx(0, abs=1e-6)


def test_a_counterweight_under_the_other_end_does_nothing():
    """What stands below a rising end does not hold it down."""
    beam = brick(-1, 2, length=4)
    assert not stands([table(right=0), brick(-1, 1), beam, brick(5, 0)])


def held_down(last: float) -> list[Body]:
    """A beam that would tip over the table's edge; a second one, from a post, lies on its tail; a weight lies on the
    second's end."""
    post = table(-4, -2.5, height=2)
    return [table(-2, 0), post, brick(-1, 1, length=4), brick(-3.5, 2, length=2.6, weight=1.3),
            brick(-1, 3, length=0.1, weight=last)]


def test_a_beam_is_held_down_by_one_that_is_held_down():
    """About the table's edge the beam needs a moment of 4, which is least work at its very end, 1 away. Of the second,
    the far end bears least if it stands on the post: the beam's end is 2.5 away from it, the second's own weight 1.3
    and the last 2.55."""
    needed = (4 * 2.5 - 1.3 * 1.3) / 2.55
    assert rests(held_down(needed + HAIR), friction=0) and not rests(held_down(needed - HAIR), friction=0)
    # rubbing on the tail's top pulls it back, the table's edge holds against it below: a moment too
    assert rests(held_down(needed - 0.1)) and not rests(held_down(needed / 2))


def lintel(thick: float, height: float, load: float = 1.0) -> list[Body]:
    posts = [brick(left, 0, length=thick, height=height, depth=8) for left in (0, 5)]
    return [*posts, brick(0, height, length=5 + thick, height=1, depth=8, weight=load)]


def test_a_lintel_on_two_posts():
    bodies = lintel(1, 4)
    assert stands(bodies)
    assert not stands(bodies[1:]) and not stands([bodies[0], bodies[2]])
    assert [len(block.loads) for block in structure(bodies, contacts(bodies)).blocks] == [3]


@pytest.mark.parametrize("load", [0.01, 1.0, 100.0])
def test_a_lintel_falls_with_its_posts_at_their_slenderness(load):
    """The posts turn on their feet, the lintel rises and goes with them: by virtual work all weights cancel out."""
    assert margin(lintel(1, 4, load)) == pytest.approx(1 / 4, abs=1e-6)
    assert margin(lintel(0.6, 6, load)) == pytest.approx(0.1, abs=1e-6)


def leaning(count: int, beyond: float, last: float) -> list[Body]:
    """A row of blocks, 1 wide and 2 high, each with its middle `beyond` the edge of its pedestal; they lean on a block
    at the end that is 3 high, 1 wide and stands on the ground."""
    bodies = []
    for n in range(count):
        bodies += [table(n, n + 0.5 - beyond, height=1), brick(n, 1, height=2)]
    return [*bodies, brick(count, 0, height=3, weight=last)]


@pytest.mark.parametrize(("count", "beyond"), [(1, 0.1), (4, 0.1), (5, 0.05)])
def test_a_leaning_chain_stands_by_its_last(count, beyond):
    """Each block needs a moment of 2 * `beyond` from its right neighbour and passes its left neighbour's on; the last
    gets their sum as a push at its top, 2 above the pedestals and 3 above the ground, and tips about its foot, 0.5 from
    its middle."""
    push = count * 2 * beyond / 2
    needed = push * 3 / 0.5
    assert stands(leaning(count, beyond, needed + 1e-3), sides=True)
    assert not stands(leaning(count, beyond, needed - 1e-3), sides=True)
    # a hair apart, each tips for itself
    assert not stands(leaning(count, beyond, needed * 100))


def wall(chance: Random) -> list[Body]:
    """Courses of bricks, most of them over two others."""
    bodies = []
    for level in range(chance.randint(2, 4)):
        left = chance.uniform(0, 1)
        while left < 5 - level / 2:
            length = chance.uniform(1.2, 2.5)
            bodies.append(brick(left, level, length, depth=chance.uniform(0.6, 1.4), weight=chance.uniform(0.5, 3)))
            left += length + chance.uniform(0.05, 0.5)
    return bodies


@pytest.mark.parametrize("seed", range(30))
def test_a_wall_stands_as_firmly_as_another_programme_says(seed):
    bodies = wall(Random(seed))
    expected, found = witness.margin(bodies), margin(bodies)
    if expected is None:
        assert found < 0
    else:
        assert found == pytest.approx(expected, abs=1e-6)


def test_what_touches_nothing_falls():
    assert margin([brick(0, 0), brick(0, 1.5)]) == -math.inf
    assert margin([brick(0, 0), brick(1, 1)]) == -math.inf          # only an edge
    assert not rests([brick(0, 0), brick(0, 1.5)])


def test_what_hangs_below_falls():
    clamp = Body((box(-1, 3), box(-1, 1), box(-2, 1, height=3)))    # grips a brick that only its underside touches
    assert not rests([table(), clamp, brick(0, 2)])


def test_weights_and_lengths_have_no_units():
    def scaled(body: Body, length: float, weight: float) -> Body:
        (x, y, z), (a, b, c), heavy = body.boxes[0].low, body.boxes[0].high, body.boxes[0].weight
        low, high = (x * length, y * length, z * length), (a * length, b * length, c * length)
        return Body((Box(low, high, heavy * weight),))

    heap = lintel(1, 4)
    for length, weight in ((1, 7), (1, 1e-3), (3, 1), (0.1, 100)):
        assert margin([scaled(body, length, weight) for body in heap]) == pytest.approx(margin(heap), abs=1e-5)


def test_pieces_that_touch_in_many_faces_touch_in_one_polygon():
    comb = Body(tuple(box(left, 1) for left in (0, 2, 4)))
    found = contacts([brick(0, 0, length=5), comb])
    assert [(c.body, c.other, len(c.points)) for c in found] == [(0, -1, 4), (1, 0, 4)]
    assert {c.points[k][0] for c in found[1:] for k in range(4)} == {0, 5}


def test_hulls():
    assert hull([(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0), (0.5, 0.5)]) == [(0, 0), (1, 0), (1, 1), (0, 1)]
    assert hull([(0, 0), (0, 0), (2, 2)]) == [(0, 0), (2, 2)]


def test_a_box_has_an_inside():
    with pytest.raises(ValueError, match="no inside"):
        box(0, 0, length=0)
