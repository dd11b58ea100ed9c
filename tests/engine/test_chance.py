"""Chance: streams, scripts, and chance that is asked for."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from engine_games import Make, Play

from rulelang.engine import ChanceError, PlayFault, Stream
from rulelang.engine.rng import mix, name_hash, number, stream_key

DRAWING = """
state:
  bag: bag of 1..3 up to 6
  drawn: 1..3 or none
  rolled[i of 1..2]: 1..6
phases:
  draw:
    begin: |
      draw drawn from bag
      roll rolled
      go choose
  choose:
    actions: [more]
actions:
  more: |
    do:
      draw drawn from bag
limit: {turns: 9}
setup: |
  bag := copies(3, 1) + copies(2, 2) + copies(1, 3)
"""


def test_the_generator_is_what_its_page_says() -> None:
    golden, mask = 0x9E3779B97F4A7C15, (1 << 64) - 1
    # SplitMix64 from state 0 gives this first number, as published with the generator
    assert mix(golden) == 0xE220A8397B1DCDAF
    assert name_hash("") == 0xCBF29CE484222325
    assert name_hash("a") == 0xAF63DC4C8601EC8C
    key = stream_key(7, "deal")
    assert key == mix(mix(7 + golden) ^ name_hash("deal"))
    assert number(key, 2) == mix((key + 3 * golden) & mask)
    stream = Stream(7, "deal")
    assert [stream.below(10) for _ in range(3)] == [number(key, n) * 10 >> 64 for n in range(3)]


def test_numbers_below_are_even_enough() -> None:
    stream = Stream(1, "dice")
    counts = Counter(stream.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert max(counts.values()) < 1150


def test_the_same_seed_gives_the_same_game(rules: Make) -> None:
    ruleset = rules(DRAWING)
    games = [ruleset.start(seed=seed) for seed in (5, 5, 6, 7, 8)]
    assert games[0] == games[1]
    assert len({game.key() for game in games}) > 2


def test_moves_taken_back_and_made_again_draw_the_same(start: Play) -> None:
    state = start(DRAWING, seed=3)
    drawn = []
    for _ in range(3):
        state.play("more")
        drawn.append(state.get_value("drawn"))
    for _ in range(3):
        state.undo()
    again = []
    for _ in range(3):
        state.play("more")
        again.append(state.get_value("drawn"))
    assert drawn == again


def test_a_rule_changed_elsewhere_leaves_other_draws_alone(start: Play) -> None:
    plain = start(DRAWING, seed=11)
    changed = start(DRAWING.replace("begin: |\n", "begin: |\n      roll rolled\n", 1), seed=11)
    assert plain.get_value("drawn") == changed.get_value("drawn")


def test_scripted_chance_comes_first_and_then_the_seed(start: Play) -> None:
    state = start(DRAWING, chance={"drawn": [3, "1"], "rolled": [6, 5]})
    assert state.get_value("drawn") == 3
    assert [state.get_value("rolled", (i,)) for i in (1, 2)] == [6, 5]
    state.play("more")
    assert state.get_value("drawn") == 1
    state.play("more")
    assert state.get_value("drawn") in (1, 2)           # the one 3 is gone


def test_a_script_that_cannot_be_is_refused(start: Play) -> None:
    with pytest.raises(ChanceError, match="`drawn` cannot come out as 3"):
        start(DRAWING, chance={"drawn": [3, 3]}).play("more")
    with pytest.raises(ChanceError, match="nothing is drawn for `bagg`"):
        start(DRAWING, chance={"bagg": [3]})


def test_asked_for_chance_names_its_outcomes(start: Play) -> None:
    state = start(DRAWING, ask_chance=True)
    assert state.waits_for == "chance"
    assert state.to_act == ()
    assert state.outcomes() == [(1, Fraction(1, 2)), (2, Fraction(1, 3)), (3, Fraction(1, 6))]
    state.resolve(3)
    assert [state.outcome_text(value) for value, _ in state.outcomes()] == list("123456")
    state.resolve("6")
    assert state.waits_for == "chance"
    state.resolve(2)
    assert state.waits_for == "move"
    assert [state.get_value("rolled", (i,)) for i in (1, 2)] == [6, 2]
    state.play("more")
    assert state.outcomes() == [(1, Fraction(3, 5)), (2, Fraction(2, 5))]
    with pytest.raises(ChanceError):
        state.resolve(3)


def test_random_starts_are_chance_too(start: Play) -> None:
    text = """
        state:
          starter: {type: Player, start: random}
        phases:
          only:
            begin: turn to starter
            actions: [pass]
        actions:
          pass: |
            do:
              finish
    """
    state = start(text, ask_chance=True)
    assert state.outcomes() == [(0, Fraction(1, 2)), (1, Fraction(1, 2))]
    state.resolve("player 2")
    assert state.player == 1
    assert start(text, chance={"starter": ["player 2"]}).player == 1


def test_drawing_from_nothing_gives_none_or_a_fault(start: Play) -> None:
    text = """
        state:
          bag: bag of 1..3 up to 6
          drawn: 1..3 or none
          held: bag of 1..3 up to 6
        phases:
          only:
            begin: |
              deal 4 from bag to held
              draw drawn from bag
              TWICE
            actions: [pass]
        actions:
          pass: |
            do:
              finish
        rank: lowest n
        define:
          n(p of Player): count of held
    """
    state = start(text.replace("TWICE", "drawn := none").replace("rank: lowest n", "rank: n"))
    assert state.get_value("held") == (0, 0, 0)
    with pytest.raises(PlayFault, match="nothing to draw for `held`"):
        start(text.replace("TWICE", "draw held from bag").replace("rank: lowest n", "rank: n"))


DECK = """
state:
  pile: {type: deck of 1..5 up to 5, start: one of each}
  top: 1..5 or none
setup: |
  shuffle pile
phases:
  only:
    actions: [take]
    after: next player
actions:
  take: |
    do:
      draw top from pile
limit: {turns: 5}
"""


def test_a_deck_is_shuffled_and_drawn_from_the_top(start: Play) -> None:
    orders = set()
    for seed in range(8):
        state = start(DECK, seed=seed)
        order = state.get_value("pile")
        assert sorted(order) == [1, 2, 3, 4, 5]
        orders.add(order)
        state.play("take")
        assert state.get_value("top") == order[0]
        assert state.get_value("pile") == order[1:]
    assert len(orders) > 4


def test_a_shuffle_can_be_scripted_and_asked_for(start: Play) -> None:
    state = start(DECK, chance={"pile": [(5, 4, 3, 2, 1)]})
    assert state.get_value("pile") == (5, 4, 3, 2, 1)
    state = start(DECK, chance={"pile": ["2+1+3+4+5"]})
    assert state.get_value("pile") == (2, 1, 3, 4, 5)
    state = start(DECK, ask_chance=True)
    steps = 0
    while state.waits_for == "chance":
        assert len(state.outcomes()) == 5 - steps
        state.resolve(0)
        steps += 1
    assert steps == 4
    assert state.get_value("pile") == (2, 3, 4, 5, 1)


def test_the_machine_waits_in_the_middle_of_a_block(start: Play) -> None:
    state = start("""
        players: 3
        state:
          got[p of Player]: 1..2 or none
          bag: bag of 1..2 up to 9
        setup: |
          bag := copies(2, 1) + copies(1, 2)
        phases:
          only:
            begin: |
              for each p in Player where p != player 2:
                hand_out(p)
            actions: [pass]
        steps:
          hand_out(p of Player): |
            let twice = p
            draw got[twice] from bag
        actions:
          pass: |
            do:
              finish
        rank: points
        define:
          points(p of Player): got[p] if got[p] is not none else 0
    """, ask_chance=True)
    keys = set()
    for value in (1, 2):
        other = state.copy()
        other.resolve(value)
        keys.add(other.key())
        assert other.get_value("got", (0,)) == value
        other.resolve(other.outcomes()[0][0])
        assert other.waits_for == "move"
        assert other.get_value("got", (1,)) is None
    assert len(keys) == 2


def test_judges_are_asked_answered_and_scripted(start: Play) -> None:
    text = """
        state:
          falls: 0..9
        phases:
          only:
            actions: [push]
            after: next player
        actions:
          push: |
            choose n in 1..2
            do:
              judge stands "Does it stand after {n}?"
              if not stands: falls += n
        limit: {turns: 5}
    """
    state = start(text)
    state.play("push 2")
    question = state.question
    assert question is not None
    assert (question.text, question.model, question.name) == ("Does it stand after 2?", None, "stands")
    assert state.moves() == []
    state.answer(False)
    assert (state.get_value("falls"), state.player) == (2, 1)
    state.undo()
    state.answer(True)
    assert state.get_value("falls") == 0
    scripted = start(text, chance={"stands": [False]})
    scripted.play("push 1")
    assert scripted.get_value("falls") == 1


def test_none_is_never_rolled(start: Play) -> None:
    state = start("""
        state:
          die: 1..3 or none
          coin: {type: 1..2 or none, start: random}
        phases:
          only:
            actions: [roll]
            after: next player
        actions:
          roll: |
            do:
              roll die
        limit: {turns: 5}
    """, ask_chance=True)
    assert [value for value, _ in state.outcomes()] == [1, 2]
    state.resolve(1)
    state.play("roll")
    assert [value for value, _ in state.outcomes()] == [1, 2, 3]
