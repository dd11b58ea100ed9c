"""Moves as text and back, and why a move is refused."""

from __future__ import annotations

import random

import pytest
from engine_games import Make, Play

from rulelang.engine import AmbiguousMove, IllegalMove, State, UnreadableMove

GAME = """
board: {grid: 3x3}
types:
  Color: [red, blue]
state:
  at[c of Cell]: Player or none
  hand[p of Player]: {type: bag of Color up to 4, start: one of each}
  paid: 0..40
setup: |
  at[a1] := player 1
  at[b1] := player 2
phases:
  only:
    actions: [place, move, pay, pass]
    after: next player
actions:
  place: |
    choose c in Cell where at[c] is none "there is somebody on {c}"
    require corner: not (c in {a3, c3}) "{c} is a corner"
    do:
      at[c] := me
  move:
    rule: |
      choose from in {x in Cell where at[x] = me} "choose one of your men"
      choose to in step(from, orthogonal) where at[to] is none "it does not go there"
      choose n in ({1, 2} if to = a2 else {1})
      do:
        at[from] := none
        at[to] := me
        paid += n
      ensure rich: paid < 3 "you cannot pay {n}"
    write: "{from}-{to} {n}"
  pay: |
    choose 1..2 from hand[me] as cards
    choose extra in {red} or none
    do:
      hand[me] -= cards
      paid += count of cards
  pass: |
    do:
      paid := paid
limit: {turns: 30}
"""


def test_moves_are_written_by_their_template_or_by_name_and_values(start: Play) -> None:
    texts = [move.text for move in start(GAME).moves()]
    assert texts[:2] == ["place c1", "place a2"]
    assert "a1-a2 1" in texts
    assert "a1-a2 2" in texts
    assert "pay red+blue" in texts
    assert "pay red+blue red" in texts
    assert texts[-1] == "pass"


@pytest.mark.parametrize("seed", range(4))
def test_reading_what_is_printed_gives_the_move(rules: Make, seed: int) -> None:
    state = rules(GAME).start(seed=seed)
    chance = random.Random(seed)
    for _ in range(12):
        if state.over:
            break
        for move in state.moves():
            assert state.read(move.text) == move
            assert state.read(f"  {move.text.upper()} ") == move
        state.play(chance.choice(state.moves()))


def test_the_name_of_the_action_may_be_left_out(start: Play) -> None:
    state = start(GAME)
    assert state.read("c2").text == "place c2"
    assert state.read("place  C2").text == "place c2"
    assert state.read("move a1 a2 1").text == "a1-a2 1"
    assert state.read("red + blue").text == "pay red+blue"
    assert state.read("pay {blue, red}").text == state.read("{red,blue}").text == "pay red+blue"
    assert state.explain("pay { red , blue }").legal
    with pytest.raises(IllegalMove):
        state.read("pay {red, red}")


def test_unreadable_illegal_and_ambiguous_are_three_errors(start: Play) -> None:
    state = start(GAME)
    with pytest.raises(UnreadableMove) as unreadable:
        state.read("plaice c2")
    assert "place c2" in unreadable.value.suggestions
    with pytest.raises(IllegalMove) as illegal:
        state.read("place a1")
    assert illegal.value.explanation.reason == "there is somebody on a1"
    with pytest.raises(IllegalMove) as corner:
        state.play("a3")
    assert corner.value.explanation.reason == "a3 is a corner"
    state = start(CHAIN)
    with pytest.raises(AmbiguousMove) as ambiguous:
        state.read("up 1")
    assert ambiguous.value.candidates == ("up 1, up 1", "up 1, up 2")


CHAIN = """
state:
  n: 0..9
phases:
  only:
    actions: [up]
    chain: one move
    after: |
      if n >= 2: next player
      if n < 2: again
actions:
  up: |
    choose k in 1..2 where n < 2
    do:
      n += k
limit: {turns: 1}
"""


def test_moves_that_would_read_alike_are_written_in_full(start: Play) -> None:
    state = start("""
        state:
          n: 0..9
        phases:
          only:
            actions: [take]
        actions:
          take:
            rule: |
              choose a in {1, 2} or none
              choose b in {1, 2} or none
              do:
                n := 0
                finish
        rank: points
        define:
          points(p of Player): n
    """)
    texts = [move.text for move in state.moves()]
    assert len(set(texts)) == 9
    assert "take 1 none" in texts
    assert "take none 1" in texts
    for move in state.moves():
        assert state.read(move.text) == move


def test_completion_goes_word_by_word(start: Play) -> None:
    state = start(GAME)
    assert state.complete("pla") == ["place"]
    assert state.complete("place b") == ["place b2", "place b3"]
    assert state.complete("a1") == ["a1-a2"]
    assert state.complete("xyz") == []


def outcomes(state: State, text: str) -> list[tuple[str, bool | None]]:
    """The names of the clauses and what came of each."""
    return [(clause.name, clause.holds) for clause in state.explain(text).clauses]


def test_an_explanation_goes_through_the_clauses(start: Play) -> None:
    state = start(GAME)
    assert outcomes(state, "place c2") == [("c", True), ("corner", True), ("do", True)]
    assert outcomes(state, "place a1") == [("c", False), ("corner", None), ("do", None)]
    assert outcomes(state, "place a3") == [("c", True), ("corner", False), ("do", None)]
    found = state.explain("place c2")
    assert (found.legal, found.place) == (True, None)
    refused = state.explain("place a3")
    assert refused.failed is not None
    assert refused.failed.place.line > 10
    assert refused.place == refused.failed.place


def test_an_explanation_says_which_ensure_refuses(start: Play) -> None:
    state = start(GAME)
    state.set_value("paid", (), 1)
    assert state.explain("a1-a2 2").reason == "you cannot pay 2"
    assert outcomes(state, "a1-a2 2")[-1] == ("rich", False)
    assert dict(state.explain("a1-a2 2").clauses[-1].values) == {"paid": "3"}
    assert state.explain("b1-c1 1").reason == "choose one of your men"
    assert state.explain("a1-c1").reason == "it does not go there"


def test_an_action_of_another_phase_is_named(start: Play) -> None:
    state = start("""
        state:
          n: 0..9
        phases:
          one:
            actions: [add]
            after: go two
          two:
            actions: [stop]
        actions:
          add: |
            do:
              n += 1
          stop: |
            do:
              finish
        rank: points
        define:
          points(p of Player): n
    """)
    assert state.explain("stop").reason == "`stop` is not possible in the phase `one`"
    with pytest.raises(IllegalMove):
        state.play("stop")


def test_a_record_is_written_by_its_fields(start: Play) -> None:
    state = start("""
        types:
          Suit: [hearts, spades]
          Rank: [jack, queen]
          Card: {suit: Suit, rank: Rank}
        state:
          hand[p of Player]: {type: set of Card, start: one of each}
          table: Card or none
        phases:
          only: {actions: [lay, give], after: next player, stuck: finish}
        actions:
          lay: |
            choose c in hand[me] "you do not hold the {c}"
            do:
              hand[me] -= {c}
              table := c
          give: |
            choose 2 from hand[me] as cards
            do:
              hand[me] -= cards
              hand[opponent] += cards
    """)
    texts = [move.text for move in state.moves()]
    assert "lay spades queen" in texts
    assert "give hearts jack+spades queen" in texts
    for text in ("lay spades queen", "lay Card(spades, queen)", "Lay CARD(spades,queen)", "spades queen"):
        assert state.read(text).text == "lay spades queen"
    for text in ("give hearts jack+spades queen", "give Card(hearts, jack)+spades queen"):
        assert state.read(text).text == "give hearts jack+spades queen"
    state.set_value("hand", (0,), "{Card(hearts, jack), spades jack}")
    assert [move.text for move in state.moves()][:2] == ["lay hearts jack", "lay spades jack"]
    with pytest.raises(IllegalMove) as refused:
        state.play("lay Card(spades, queen)")
    assert "you do not hold the spades queen" in str(refused.value)


def test_what_has_to_be_so_may_be_left_out(start: Play) -> None:
    state = start("""
        types:
          Color: [red, blue]
          Way: [inner, outer]
        state:
          chosen: Color or none
        phases:
          only: {actions: [ask, both], after: next player}
        actions:
          ask: |
            choose p in Player where p is not me
            choose c in Color
            choose w in (Way if c = blue else {inner})
            do:
              chosen := c
          both: |
            choose c in Color
            choose w in {inner} or none where c = red
            do:
              chosen := c
        limit: {turns: 9}
    """)
    assert state.read("ask red").text == "ask player 2 red"
    assert state.read("ask player 2 red inner").text == "ask player 2 red"
    assert state.read("player 2 blue outer").text == "ask player 2 blue outer"
    with pytest.raises(AmbiguousMove):
        state.read("ask blue")
    with pytest.raises(AmbiguousMove):
        state.read("ask")
    with pytest.raises(IllegalMove):
        state.read("ask player 1 red")
    assert state.read("both red").text == "both red"               # what is left out and may be none is none
    with pytest.raises(IllegalMove):
        state.read("both blue inner")


LEFT_OUT = """
state:
  n: 0..9
phases:
  only: {actions: [add, take], after: next player}
actions:
  add: |
    choose k in 1..9 where k = 5 "only five"
    do:
      n := k
  take: |
    choose k in 2..4 where k > 2 "more than two"
    choose j in 1..3 where j < n "less than {n}"
    do:
      n := j
limit: {turns: 6}
"""


def test_what_is_played_is_what_is_explained(start: Play) -> None:
    state = start(LEFT_OUT)
    assert state.read("add").text == state.read("5").text == "add 5"
    assert state.explain("add").legal and state.explain("add 5").legal and not state.explain("add 6").legal
    with pytest.raises(IllegalMove):
        state.read("take")
    assert state.explain("take").reason == "less than 0"         # of what was left out the first that may be
    state.play("add")
    with pytest.raises(AmbiguousMove) as read:
        state.read("take 3")
    with pytest.raises(AmbiguousMove) as explained:
        state.explain("take 3")
    assert read.value.candidates == explained.value.candidates == ("take 3 1", "take 3 2", "take 3 3", "take 4 3")
