"""Positions that are given, as in a rules file's examples."""

from __future__ import annotations

from engine_games import Make

from rulelang.engine import State
from rulelang.loading import Ruleset
from rulelang.model.ir import E, S, Target
from rulelang.model.types import Number
from rulelang.source.diagnostic import NOWHERE

GAME = """
board: {grid: 4x4}
components:
  card: {kinds: 1..3, each: 2}
state:
  digit[c of Cell]:
    type: 1..4
    start: random with every area in rows + columns has no two c in area share digit[c]
  hand[p of Player]: bag of card
  at: 0..3
  stood: 0..9
positions:
  place: [at]
setup: |
  for each p in Player:
    deal 2 from supply of card to hand[p]
  turn to player 2
phases:
  only:
    actions: [stay]
    after: |
      stood := times(place)
      next player
actions:
  stay: |
    do:
      at := at
limit: {turns: 9}
"""


def number(ruleset: Ruleset, name: str) -> int:
    """The number of a variable."""
    return next(n for n, v in enumerate(ruleset.model().variables) if v.name == name)


def setting(ruleset: Ruleset, name: str, index: tuple[int, ...], value: object) -> S:
    """A statement that sets an entry."""
    variable = ruleset.model().variables[number(ruleset, name)]
    places = tuple(E("const", kind, (), at) for kind, at in zip(variable.index_types, index, strict=True))
    target = Target(number(ruleset, name), places, NOWHERE)
    return S("set", NOWHERE, (E("const", variable.type, (), value),), target)


def begin(ruleset: Ruleset, *statements: S) -> State:
    """A game from a given position."""
    return ruleset.start(seed=1, given=statements)


def test_given_entries_of_a_random_start_are_conditions(rules: Make) -> None:
    ruleset = rules(GAME)
    for value in (1, 2, 3, 4):
        state = begin(ruleset, setting(ruleset, "digit", (5,), value))
        cells = state.core.v[:16]
        assert cells[5] == value
        for row in range(4):
            assert sorted(cells[row * 4:row * 4 + 4]) == [1, 2, 3, 4]


def test_the_supply_is_what_a_given_position_leaves_over(rules: Make) -> None:
    ruleset = rules(GAME)
    state = begin(ruleset, setting(ruleset, "hand", (0,), (2, 1, 0)), setting(ruleset, "hand", (1,), (0, 0, 0)))
    assert state.get_value("supply of card") == (0, 1, 2)
    state.check_invariants()


def test_a_given_position_is_the_first_that_is_noted(rules: Make) -> None:
    ruleset = rules(GAME)
    state = begin(ruleset, setting(ruleset, "at", (), 2))
    assert (state.player, state.get_value("at")) == (1, 2)
    state.play("stay")
    assert state.get_value("stood") == 1


def test_other_games_are_not_disturbed(rules: Make) -> None:
    ruleset = rules(GAME)
    other = ruleset.start(seed=2)
    begin(ruleset, setting(ruleset, "at", (), 3), S("turn_to", NOWHERE, (E("const", Number(0, 1), (), 0),)))
    other.play("stay")
    other.play("stay")
    assert other.get_value("stood") == 2
