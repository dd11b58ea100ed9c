"""Decks that are moved by number and one by one; lines of numbered cells as sets."""

from __future__ import annotations

import pytest
from engine_games import Play

from rulelang.engine import PlayFault

CARDS_IN_ORDER = """
types:
  Suit: [iris, rose, lily]
state:
  pile: {type: deck of Suit up to 9, start: one of each}
  other: deck of Suit up to 9
  hand: bag of Suit up to 9
  single: Suit or none
  amount: {type: 0..9, start: 2}
phases:
  only: {actions: [turn, take, lay, back, too_many], after: next player}
actions:
  turn: |
    do:
      move amount from pile to pile
  take: |
    choose x in kinds of {iris, rose, lily} where x in pile
    do:
      move x from pile to hand
  lay: |
    do:
      move 1 from pile to single
      move 2 from pile to other
  back: |
    choose x in kinds of hand
    do:
      move x from hand to other
  too_many: |
    do:
      move 4 from pile to other
limit: {turns: 9}
"""


def test_the_top_of_a_deck_and_single_things_are_moved(start: Play) -> None:
    state = start(CARDS_IN_ORDER)
    state.play("turn")
    assert state.get_value("pile") == (2, 0, 1)
    state.play("take iris")
    assert state.get_value("pile") == (2, 1)
    state.play("back iris")
    assert state.get_value("other") == (0,)
    state = start(CARDS_IN_ORDER)
    state.play("lay")
    assert (state.get_value("pile"), state.get_value("single"), state.get_value("other")) == ((), 0, (1, 2))


def test_fewer_cannot_be_moved_from_the_top_than_there_are(start: Play) -> None:
    state = start(CARDS_IN_ORDER)
    with pytest.raises(PlayFault) as caught:
        state.play("too_many")
    assert caught.value.diagnostic.code == "not-there"
    assert "there are not 4 in `pile`, but 3" in str(caught.value)


def test_out_of_a_deck_of_numbers_a_number_is_taken_itself(start: Play) -> None:
    state = start("""
        state:
          pile: {type: deck of 1..5 up to 9, start: one of each}
          other: deck of 1..5 up to 9
        phases:
          only: {actions: [take], after: next player}
        actions:
          take: |
            do:
              move 3 from pile to other
        limit: {turns: 9}
    """)
    state.play("take")
    assert (state.get_value("pile"), state.get_value("other")) == ((1, 2, 4, 5), (3,))


def test_a_line_of_numbered_cells_is_compared_with_numbers(start: Play) -> None:
    state = start("""
        board: {track: 8}
        state:
          told: switch
        phases:
          only: {actions: [look], after: next player}
        actions:
          look: |
            require ray(6, forward) = {7, 8} and ray(1, forward) != {2, 3}
            do:
              told := {2, 3} = ray(1, forward)
        limit: {turns: 9}
    """)
    state.play("look")
    assert state.get_value("told") is False
