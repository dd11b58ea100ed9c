"""Material that is moved: from bags to single places and back."""

from __future__ import annotations

import pytest
from engine_games import Play

from rulelang.engine import PlayFault

CARDS = """
types:
  Card: [ace, king, queen]
components:
  card: {kinds: Card, each: 2}
state:
  stock: {type: bag of card, start: one of each}
  hand[p of Player]: bag of card
  top: Card or none
phases:
  only: {actions: [turn_up, lay_back, take_two, take_all]}
actions:
  turn_up: |
    choose c in kinds of stock
    do:
      move {c} from stock to top
  lay_back: |
    require up: top is not none
    do:
      move {c in Card where c = top} from top to hand[me]
  take_two: |
    do:
      move {ace, king} from stock to top
  take_all: |
    do:
      move all from stock to top
limit: {turns: 9}
"""


def test_a_bag_of_one_goes_to_a_single_place_and_back(start: Play) -> None:
    state = start(CARDS)
    state.play("turn_up king")
    assert state.get_value("top") == 1
    assert state.get_value("stock") == (2, 1, 2)
    state.play("lay_back")
    assert state.get_value("top") is None
    assert state.get_value("hand", (0,)) == (0, 1, 0)


@pytest.mark.parametrize("move", ["take_two", "take_all"])
def test_several_do_not_go_to_a_single_place(start: Play, move: str) -> None:
    state = start(CARDS)
    with pytest.raises(PlayFault, match="`top` holds one thing"):
        state.play(move)
