"""Does the tower still stand? The judge `physics.stands(cube, balance, steadiness)`, and the margin behind it.

`margin` says by how much a heap of rigid bodies stands:

- **above 0**: the largest sideways load, as a part of every body's weight, that it bears whichever of eight ways the
  load goes. So it is the jolt, in units of gravity, that it just survives, or the tangent of the angle to which the
  table can be tilted (the tilt test of masonry). No more than the friction, at which everything slides.
- **0**: on the edge. It stands, and falls at a breath.
- **below 0**: it must fall, there are no forces that hold it. The amount says how much is wanting: the pull that
  contacts would have to give, as a part of the whole weight. Minus infinity if something touches nothing that could
  hold it.

Pieces touch each other only on horizontal faces here. Upright faces of neighbours stand a hair apart, as pieces put
down from above do: one that begins to tip has left its place, and so has fallen, before it leans on its neighbour. Nor
would statics decide about leaning: a piece squeezed between others could be held by any force one likes. With `sides`
they are pressed together instead, without rubbing: a row of pieces may then lean on its last.

`chance` turns the margin into the chance that the tower stands in less than perfect hands. They jolt it by a random
amount each way, along and across, both normally distributed with the same spread s; how hard it is jolted in all then
follows Rayleigh's distribution, and a margin of m survives with the chance 1 - exp(-m² / 2s²). Perfect hands
(steadiness 100) have no spread: then only what must fall falls. From there the spread grows evenly to `WORST` at
steadiness 0. The form and `WORST` are chosen, not measured.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from rulelang.judges.bodies import Body, contacts
from rulelang.judges.equilibrium import EDGE, at_rest, bearable, pull_needed
from rulelang.judges.question import JudgeError, JudgeQuestion
from rulelang.judges.structure import Block, Structure, structure
from rulelang.judges.tower import Place, from_layers, tower

FRICTION = 0.5
"""Dry wood on wood: handbooks give 0.25 to 0.5 at rest."""

WORST = 0.1
"""The spread of the jolts of the unsteadiest hands, in units of gravity. They let a stick of four cubes, stood upright
alone (margin 0.25), fall 4 times in a hundred, and one that bears a third of that 7 times in ten."""

_Pieces = tuple[tuple[Place, int], ...]


class TowerJudge:
    """The judge: called, it gives the chance that the tower stands. Its arguments are the layer of pieces, the layer of
    balance cubes and the steadiness of the hands from 0 to 100."""

    def __call__(self, question: JudgeQuestion) -> float:
        """The chance that the tower stands."""
        pieces, balances, steadiness = _arguments(question)
        if steadiness >= 100 or not _tower_rests(pieces, balances):
            return float(_tower_rests(pieces, balances))
        return chance(_tower_margin(pieces, balances), steadiness)

    def describe(self, question: JudgeQuestion) -> str:
        """What the margin is, and what that means."""
        found = tower_margin(question)
        if found == -math.inf:
            return "it must fall, something in it rests on nothing"
        if found < 0:
            return f"it must fall, by a margin of {found:.3f}"
        return f"it can stand, by a margin of {found:.3f}" if found else "it stands on the edge, by no margin at all"


stands = TowerJudge()


def tower_margin(question: JudgeQuestion) -> float:
    """The margin of the tower that a question is about, to be told to people."""
    pieces, balances, _ = _arguments(question)
    return _tower_margin(pieces, balances)


def chance(margin: float, steadiness: float) -> float:
    """The chance that what has this margin stands in hands of this steadiness, from 0 to 100."""
    if margin < 0:
        return 0.0
    spread = WORST * (100 - min(max(steadiness, 0), 100)) / 100
    return 1.0 if spread == 0 else -math.expm1(-((margin / spread) ** 2) / 2)


def rests(bodies: Sequence[Body], friction: float = FRICTION, sides: bool = False) -> bool:
    """Whether the bodies can stand as they are: whether their margin is not below 0, which is quicker to find."""
    heap = structure(bodies, contacts(bodies, sides))
    return not heap.loose and all(at_rest(block, friction) for block in _simplest_first(heap))


def margin(bodies: Sequence[Body], friction: float = FRICTION, sides: bool = False) -> float:
    """By how much the bodies stand, or fail to (see above). Nothing at all stands as firmly as anything can."""
    heap = structure(bodies, contacts(bodies, sides))
    if heap.loose:
        return -math.inf
    most = friction
    for block in _simplest_first(heap):
        borne = bearable(block, friction, most)
        if borne is None:
            falling = (block for block in heap.blocks if not at_rest(block, friction))
            return -sum(pull_needed(block, friction) for block in falling) / heap.weight
        most = min(most, borne)
    return most if most > EDGE else 0.0


def _simplest_first(heap: Structure) -> list[Block]:
    """Blocks that need no programme may spare the others theirs, and limit what is asked of them."""
    return sorted(heap.blocks, key=lambda block: (not block.single, len(block.contacts)))


@lru_cache(maxsize=8192)
def _tower_rests(pieces: _Pieces, balances: tuple[Place, ...]) -> bool:
    return rests(tower(dict(pieces), balances))


@lru_cache(maxsize=8192)
def _tower_margin(pieces: _Pieces, balances: tuple[Place, ...]) -> float:
    return margin(tower(dict(pieces), balances))


def _arguments(question: JudgeQuestion) -> tuple[_Pieces, tuple[Place, ...], float]:
    board, args = question.board, question.args
    if board is None or board.kind != "lattice":
        raise JudgeError("physics.stands judges towers on a board that is a lattice")
    if len(args) != 3:
        raise JudgeError(f"physics.stands is asked (pieces, balance cubes, steadiness), not {len(args)} values")
    cube, balance, steadiness = args
    for layer, what in ((cube, "pieces"), (balance, "balance cubes")):
        if not isinstance(layer, tuple) or len(layer) != len(board):
            raise JudgeError(f"physics.stands needs the {what} as a layer, a value for each of the {len(board)} cells")
    if isinstance(steadiness, bool) or not isinstance(steadiness, (int, float)) or not 0 <= steadiness <= 100:
        raise JudgeError(f"physics.stands needs the steadiness as a number from 0 to 100, not {steadiness}")
    pieces, balances = from_layers(cube, balance, board.coordinates)
    return pieces, balances, steadiness
