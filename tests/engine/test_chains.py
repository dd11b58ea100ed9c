"""Chains: several decisions of one player that are one move."""

from __future__ import annotations

from engine_games import Play

# A counter that goes up by one or two as often as the player likes, up to five; 5 ends the chain.
CLIMB = """
state:
  n: 0..9
  steps: 0..9
  noted: 0..9
positions:
  place: [n]
phases:
  only:
    actions: [up, stay]
    chain: one move
    after: |
      if n >= 5 or n = 4 and steps > 3: finish
      again
    stuck: |
      noted := 1
      next player
actions:
  up: |
    choose k in 1..2 where n + k <= 3
    do:
      n += k
      steps += 1
  stay: |
    require once: n = 0 and steps = 0
    do:
      next player
      steps += 1
      end turn
limit: {turns: 9}
"""


def test_a_chain_goes_on_while_again_comes_back_to_the_same_player(start: Play) -> None:
    state = start(CLIMB)
    texts = [move.text for move in state.moves()]
    assert texts == ["up 1, up 1, up 1", "up 1, up 2", "up 2, up 1", "stay"]


def test_a_chain_is_one_move_and_stuck_ends_it(start: Play) -> None:
    state = start(CLIMB)
    state.play("up 1, up 2")
    assert (state.get_value("n"), state.get_value("noted"), state.player) == (3, 1, 1)
    assert len(state.history) == 1
    state.undo()
    assert (state.get_value("n"), state.player) == (0, 0)


def test_so_much_of_a_chain_is_enough_as_belongs_to_one(start: Play) -> None:
    state = start(CLIMB)
    assert state.read("up 2").text == "up 2, up 1"
    assert state.read("2, 1").text == "up 2, up 1"
    assert state.read("stay").text == "stay"


BEST = """
state:
  dice: bag of 1..6 up to 2
  at: 0..9
  used: 0..2
  pips: 0..12
setup: |
  dice := {2, 3}
phases:
  only:
    actions: [move]
    chain: one move
    best: [used, pips]
    after: |
      if dice is empty: finish
      again
    stuck: finish
actions:
  move: |
    choose d in kinds of dice where at + d <= LIMIT and not (at + d = BAR)
    do:
      at += d
      used += 1
      pips += d
      dice -= {d}
"""


def test_best_wants_the_most_of_the_first_thing(start: Play) -> None:
    state = start(BEST.replace("LIMIT", "9").replace("BAR", "2"))
    assert [move.text for move in state.moves()] == ["move 3, move 2"]


def test_best_wants_the_most_of_the_second_thing_among_those(start: Play) -> None:
    state = start(BEST.replace("LIMIT", "4").replace("BAR", "9"))
    assert [move.text for move in state.moves()] == ["move 3"]
    assert state.explain("move 2").reason == "another way reaches more"


def test_must_holds_inside_a_chain(start: Play) -> None:
    state = start("""
        state:
          n: 0..9
        phases:
          only:
            actions: [take, rest]
            must: [take]
            chain: one move
            after: again
            stuck: next player
        actions:
          take: |
            require early: n < 2
            do:
              n += 1
          rest: |
            require late: n >= 2 and n < 4
            do:
              n += 2
        limit: {turns: 3}
    """)
    assert [move.text for move in state.moves()] == ["take, take, rest"]


def test_ends_and_notes_wait_for_the_end_of_a_chain(start: Play) -> None:
    state = start("""
        state:
          n: 0..9
          stood: 0..9
        positions:
          place: [n]
        phases:
          only:
            actions: [up]
            chain: one move
            after: |
              stood += times(place)
              if n < 3: again
              next player
        actions:
          up: |
            do:
              n := n + 1 if n < 3 else 1
        end:
          two: {when: n = 2, then: win player 2}
        limit: {turns: 9}
    """)
    state.play(state.moves()[0])
    assert (state.over, state.get_value("n"), state.get_value("stood")) == (False, 3, 0)
    state.play(state.moves()[0])
    assert state.get_value("stood") == 1                # 3 stood at the end of the first move; 1 and 2 never did


def test_a_chain_does_not_look_past_chance(start: Play) -> None:
    text = """
        state:
          n: 0..9
          die: 1..6
        phases:
          only:
            actions: [throw, stop]
            chain: one move
            after: |
              if die < 6: again
              next player
        actions:
          throw: |
            do:
              roll die
              n += 1
          stop: |
            require begun: n > 0
            do:
              n := 0
              next player
              end turn
        limit: {turns: 3}
    """
    state = start(text, chance={"die": [3, 6]})
    assert [move.text for move in state.moves()] == ["throw"]
    state.play("throw")
    assert state.player == 0
    assert [move.text for move in state.moves()] == ["throw", "stop"]
    state.play("throw")
    assert state.player == 1
