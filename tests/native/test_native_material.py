"""Cards of which there is one each as sets, and what is counted after a move."""

from __future__ import annotations

from pathlib import Path

import pytest
from native_engines import QUICK, engine_of, from_text
from native_same import same_games, same_playouts

from rulelang.engine import PlayFault
from rulelang.loading import load
from rulelang.native.engine import NativeEngine
from rulelang.native.passes import ALL

CARDS = """rulelang: 1
game: Cards
players: 2
types:
  Card: 1..9
components:
  card: {kinds: Card, each: 1}
state:
  hand[p of Player]: bag of card
  pile: bag of card
  shown: Card or none
  turned[p of Player]: 0..100
phases:
  deal:
    begin: |
      for each p in Player: deal 4 from supply of card to hand[p]
      go play
  play:
    actions: [lay, gather, reveal]
    after: |
      next player
actions:
  lay:
    rule: |
      choose c in hand[me] where c < 8 or {c} within hand[me]
      do:
        %s
        turned[me] += count of pile + count of kinds of supply of card
  gather:
    rule: |
      require filled: pile is not empty and count of hand[me] < 3
      do:
        move all from pile to hand[me]
        deal 1 from supply of card to hand[me]
  reveal:
    rule: |
      choose c in hand[me]
      do:
        move c from hand[me] to shown
        if turned[me] mod 2 = 0: move c from shown to pile
rank: turned
limit: {turns: 60}
"""


@pytest.mark.parametrize("passes", [ALL, ALL.without("singles"), ALL.without("conserved")], ids=["all", "bags", "add"])
@pytest.mark.parametrize("lay", ["move c from hand[me] to pile",
                                 "move copies(turned[me] mod 3, c) from hand[me] to pile"], ids=["one", "several"])
def test_bags_as_sets_are_the_same_bags_and_lose_nothing_unseen(
        lay: str, passes: object, cache: Path, tmp_path: Path) -> None:
    rules = from_text(CARDS % lay, tmp_path)
    engine = NativeEngine(rules.machine(), passes, extra=QUICK, folder=cache)  # type: ignore[arg-type]
    engine._interpreter = rules.interpreter()
    assert same_games(engine, games=40, most=60) > 40          # which stop at the faults of either engine


def test_a_card_put_over_another_is_missed_after_the_move(cache: Path, tmp_path: Path) -> None:
    rules = from_text((CARDS % "move c from hand[me] to pile").replace("mod 2 = 0", "> 100"), tmp_path)
    for state in (rules.start(seed=1), engine_of(rules, None, cache).start(seed=1)):
        first = next(move for move in state.moves() if move.text.startswith("reveal"))
        state.play(first)
        second = next(move for move in state.moves() if move.text.startswith("reveal"))
        with pytest.raises(PlayFault) as caught:
            state.play(second)
        assert caught.value.diagnostic.code == "not-conserved"


@pytest.mark.parametrize("name", ["singles", "conserved"])
@pytest.mark.parametrize("game", ["hearts_for_three", "crazy_eights", "spades"])
def test_games_of_cards_without_these_passes(game: str, name: str, cache: Path) -> None:
    rules = load(game)
    engine = NativeEngine(rules.machine(), ALL.without(name), extra=QUICK, folder=cache)
    engine._interpreter = rules.interpreter()
    same_games(engine, games=1, most=30)
    same_playouts(engine, games=1, most=30)


PILES = """rulelang: 1
game: Piles
players: 2
board: {track: 9}
components: {card: {kinds: 1..9, each: %s}}
state:
  pile%s
  hand[p of Player]: bag of card
define:
  stock: count of supply of card
  held(p of Player): count of hand[p]
phases: {play: {actions: [take], after: next player, stuck: finish}}
actions:
  take: |
    %s
    do:
      %s
      if stock > 5 and count of hand[me] > 1: move all from hand[me] to supply of card
rank: held
limit: {turns: 16, then: tie}
"""
DEAL = "require filled: pile is not empty", "deal 1 from pile to hand[me]"
LIFT = "choose c in Cell where pile[c] is not none", "if pile[c] is not none: move pile[c] from pile[c] to hand[me]"


@pytest.mark.parametrize(("each", "pile", "rule", "left"), [
    (1, ": {type: deck of card, start: one of each}", DEAL, 0),
    (2, ": {type: deck of card, start: one of each}", DEAL, 0),
    (2, ": {type: deck of card up to 9, start: \"{3, 4}\"}", DEAL, 16),
    (3, ":\n    type: bag of card\n    start: |\n      copies(3, 2) + {3, 4} without {4}", DEAL, 23),
    (1, ": {type: set of card, start: one of each}", DEAL, 0),
    (2, ": {type: set of card, start: one of each}", DEAL, 9),
    (1, "[c of Cell]: {type: card or none, start: {7: 2, 8: 4, 9: 5}}", LIFT, 6),
], ids=["deck", "deck of two each", "part of a deck", "worked out", "set", "set of two each", "places"])
def test_what_a_pile_begins_with_is_not_in_the_supply(
        each: int, pile: str, rule: tuple[str, str], left: int, cache: Path, tmp_path: Path) -> None:
    rules = from_text(PILES % (each, pile, *rule), tmp_path)
    assert sum(rules.start(seed=1).get_value("supply of card")) == left
    engine = engine_of(rules, None, cache)
    assert same_games(engine, games=3, most=20) > 5
    state = rules.start(seed=1)
    while not state.over:
        state.play(state.moves()[0])
