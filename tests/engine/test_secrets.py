"""What each seat sees, is told, and can guess."""

from __future__ import annotations

import pickle
import random

import pytest
from engine_games import Make, Play

from rulelang.engine import HIDDEN, State, Stream
from rulelang.engine.beliefs import sample
from rulelang.loading import Ruleset

CARDS = """
types:
  Card: [ace, king, queen, jack]
components:
  card: {kinds: Card, each: 2}
state:
  hand[p of Player]: {type: bag of card up to 3, seen: viewer = p, size seen: on}
  face[p of Player]: {type: Card or none, seen: viewer = p or shown}
  table: bag of card
  shown: switch
phases:
  deal:
    begin: |
      for each p in Player:
        deal 2 from supply of card to hand[p]
        draw face[p] from supply of card
      go act
  act:
    actions: [lay, swap]
    after: next player
actions:
  lay: |
    choose c in kinds of hand[me] "you have no such card"
    do:
      move c from hand[me] to table
      if hand[me] is empty: finish
  swap: |
    choose 1 from hand[me] as given
    do:
      move given from hand[me] to supply of card
      draw hand[me] from supply of card
rank: left_over
define:
  left_over(p of Player): count of hand[p]
limit: {turns: 20}
"""


def test_hidden_entries_are_hidden_and_their_sizes_told(start: Play) -> None:
    state = start(CARDS, seed=2)
    view = state.view(0)
    assert view.value("hand", 1) is HIDDEN
    assert view.size("hand", 1) == 2
    assert view.value("hand", 0) == state.get_value("hand", (0,))
    assert view.value("face", 1) is HIDDEN
    assert view.value("face", 0) == state.get_value("face", (0,))
    assert view.value("supply of card") is HIDDEN
    assert view.size("supply of card") == 2
    onlooker = state.view(None)
    assert onlooker.values["hand"] == (HIDDEN, HIDDEN)
    assert onlooker.moves == ()
    assert pickle.loads(pickle.dumps(view.values)) == view.values


def test_draws_are_told_to_those_who_see_them(start: Play) -> None:
    state = start(CARDS, seed=2, chance={"hand": ["jack"] * 2 + ["queen"] * 2, "face": ["ace", "king"]})
    assert "face[player 1]: ace" in state.view(0).messages
    assert "face[player 1]: ace" not in state.view(1).messages
    assert "face[player 2]: king" in state.view(1).messages
    assert state.view(None).messages.count("face: …") == 2


def test_a_secret_choice_is_not_told(start: Play) -> None:
    state = start(CARDS, seed=2)
    move = next(move for move in state.moves() if move.text.startswith("swap"))
    state.play(move)
    assert f"player 1: {move.text}" in state.view(0).messages
    assert "player 1: swap …" in state.view(1).messages
    lay = state.moves()[0]
    state.play(lay)
    assert f"player 2: {lay.text}" in state.view(0).messages


def test_a_view_leads_nowhere(start: Play) -> None:
    state = start(CARDS)
    seen: set[int] = set()
    stack: list[object] = [state.view(0)]
    while stack:
        thing = stack.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        assert not isinstance(thing, State)
        assert type(thing).__name__ not in ("Core", "Interpreter", "Listing")
        if isinstance(thing, dict):
            stack += [*thing.keys(), *thing.values()]
        elif isinstance(thing, (tuple, list)):
            stack += thing
        else:
            for name in getattr(type(thing), "__slots__", ()):
                stack.append(getattr(thing, name, None))


def same_to(a: State, b: State, seat: int) -> bool:
    """Whether two games look alike to a seat."""
    return a.view(seat) == b.view(seat)


@pytest.mark.parametrize("seed", range(6))
def test_games_that_differ_only_in_what_is_hidden_look_alike(rules: Make, seed: int) -> None:
    ruleset = rules(CARDS)
    state = ruleset.start(seed=seed)
    for _ in range(6):
        if state.over:
            break
        for seat in (0, 1):
            guess = sample(ruleset.interpreter(), state.view(seat), Stream(seed, "guess"))
            assert guess.view(seat).values == state.view(seat).values
            assert guess.view(seat).sizes == state.view(seat).sizes
            assert guess.view(seat).moves == state.view(seat).moves
        state.play(random.Random(seed).choice(state.moves()))


def test_events_do_not_tell_hidden_draws_apart(rules: Make) -> None:
    ruleset = rules(CARDS)
    mine = {"hand": ["ace", "king", "jack", "jack"], "face": ["queen", "ace"]}
    other = {"hand": ["ace", "king", "queen", "king"], "face": ["queen", "jack"]}
    a, b = (ruleset.start(seed=1, chance=chance) for chance in (mine, other))
    assert same_to(a, b, 0)
    assert not same_to(a, b, 1)
    for text in ("lay ace",):
        a.play(text)
        b.play(text)
        assert same_to(a, b, 0)


def test_beliefs_deal_only_what_is_not_in_sight(rules: Make) -> None:
    ruleset = rules(CARDS)
    state = ruleset.start(seed=4)
    seen_hands = set()
    for n in range(20):
        guess = sample(ruleset.interpreter(), state.view(0), Stream(n, "guess"))
        guess.check_invariants()
        assert sum(guess.get_value("hand", (1,))) == 2
        assert guess.get_value("face", (1,)) is not None
        seen_hands.add(guess.get_value("hand", (1,)))
        assert guess.core.keys != state.core.keys           # its chance to come is its own
    assert len(seen_hands) > 2


def test_beliefs_solve_a_random_start_again(rules: Make) -> None:
    ruleset = rules("""
        board: {grid: 4x4}
        state:
          digit[c of Cell]:
            type: 1..4
            seen: open[c]
            start: random with every area in rows + columns has no two c in area share digit[c]
          open[c of Cell]: switch
        phases:
          only:
            actions: [look]
            after: next player
        actions:
          look: |
            choose c in Cell where not open[c]
            do:
              open[c] := on
        limit: {turns: 16}
    """)
    state = ruleset.start(seed=9)
    state.play("a1")
    state.play("b2")
    for n in range(5):
        guess = sample(ruleset.interpreter(), state.view(0), Stream(n, "guess"))
        assert guess.get_value("digit", ("a1",)) == state.get_value("digit", ("a1",))
        for row in range(4):
            assert sorted(guess.core.v[row * 4:row * 4 + 4]) == [1, 2, 3, 4]


def together() -> str:
    return """
        state:
          bid[p of Player]: 0..3
          kept[p of Player]: {type: set of 1..3, start: one of each, seen: viewer = p}
        phases:
          bidding:
            who: together
            actions: [bid]
            after: |
              if kept[player 1] is empty: finish
        actions:
          bid: |
            choose n in kept[me]
            do:
              kept[me] -= {n}
              bid[me] := n
        rank: bid
    """


def test_beliefs_choose_for_who_has_chosen(rules: Make) -> None:
    ruleset: Ruleset = rules(together())
    state = ruleset.start()
    state.play("3", seat=1)
    chosen = set()
    for n in range(20):
        guess = sample(ruleset.interpreter(), state.view(0), Stream(n, "guess"))
        assert guess.to_act == (0,)
        guess.play("1", seat=0)
        chosen.add(guess.get_value("bid", (1,)))
    assert chosen == {1, 2, 3}


def test_onlookers_see_nothing_that_depends_on_who_looks(start: Play) -> None:
    state = start("""
        state:
          peeks[p of Player]: switch
          card:
            type: 1..9
            seen: peeks[viewer]
            start: random
          mine[p of Player]:
            type: 1..9
            seen: viewer = p or peeks[viewer]
        phases:
          only:
            actions: [peek]
            after: next player
        actions:
          peek: |
            do:
              peeks[me] := on
        limit: {turns: 5}
    """)
    state.play("peek")
    assert state.view(None).value("card") is HIDDEN
    assert state.view(None).values["mine"] == (HIDDEN, HIDDEN)
    assert state.view(0).values["mine"] == (1, 1)
    assert state.view(1).values["mine"] == (HIDDEN, 1)
    assert state.view(0).value("card") == state.get_value("card")
    assert state.view(1).value("card") is HIDDEN


def test_there_is_a_view_while_the_game_begins(start: Play) -> None:
    state = start("""
        types:
          Card: [ace, king]
        state:
          starter: {type: Player, start: random}
          hand[p of Player]: {type: bag of Card up to 3, start: one of each, seen: viewer = p, size seen: on}
        phases:
          only: {actions: [lay], after: finish}
        actions:
          lay: |
            choose c in kinds of hand[me]
            do:
              hand[me] -= {c}
        rank: luck
        define:
          luck(p of Player): 1 if p = starter else 0
    """, ask_chance=True)
    assert state.waits_for == "chance"
    assert state.view(0).sizes["hand"] == (None, None)
    state.resolve("player 2")
    assert state.view(0).sizes["hand"] == (2, 2)


SETTING = """
state:
  code: {type: set of 1..6, seen: viewer = player 1}
  digit[n of 1..2]: {type: 1..6, seen: viewer = player 1}
  open[n of 1..2]: 0..6
  total: 0..99
phases:
  only: {actions: [hide, hide_two, show, count, branch, mark, tell], after: next player}
actions:
  hide: |
    choose d in 1..6
    do:
      code += {d}
  hide_two: |
    choose 2 from 1..6 as ds
    do:
      for each d in ds: code += {d}
      set_it(2, lowest of ds)
  show: |
    choose d in 1..6
    do:
      code += {d}
      open[1] := d
  count: |
    choose d in 1..6
    do:
      code += {d}
      total += d
  branch: |
    choose d in 1..6
    do:
      code += {d}
      if d > 3: total += 1
  mark: |
    choose n in 1..2
    do:
      set_it(n, 4)
  tell: |
    choose d in 1..6
    says "it is {d}"
    do:
      code += {d}
steps:
  set_it(n of 1..2, d of 1..6): |
    digit[n] := d
limit: {turns: 9}
"""


@pytest.mark.parametrize("move, told", [
    ("hide 3", "hide …"), ("hide_two 2+4", "hide_two …"), ("show 3", "show 3"), ("count 3", "count 3"),
    ("branch 5", "branch 5"), ("mark 2", "mark …"), ("tell 5", "tell 5"),
])
def test_a_choice_of_which_only_secrets_are_made_is_not_told(start: Play, move: str, told: str) -> None:
    state = start(SETTING)
    state.play(move)
    assert f"player 1: {move}" in state.view(0).messages
    assert f"player 1: {told}" in state.view(1).messages


def test_what_an_option_shows_to_all_is_no_secret(rules: Make) -> None:
    text = """
        options:
          open_hands: switch
        state:
          hand[p of Player]: {type: set of 1..3, start: one of each, seen: viewer = p or open_hands}
          laid[p of Player]: {type: 0..3, seen: viewer = p or open_hands}
        phases:
          only: {actions: [lay], after: next player}
        actions:
          lay: |
            choose c in hand[me]
            do:
              hand[me] -= {c}
              laid[me] := c
        limit: {turns: 4}
    """
    told = {}
    for option in ("on", "off"):
        state = rules(text, open_hands=option).start()
        state.play("lay 2")
        told[option] = state.view(1).messages[-1], state.view(1).value("laid", 0)
    assert told == {"on": ("player 1: lay 2", 2), "off": ("player 1: lay …", HIDDEN)}


EXPLAINED = """
board: {grid: 2x1}
types:
  Card: [ace, king, queen]
state:
  hand[p of Player]:
    type: bag of Card up to 4
    start: {player 1: ace, player 2: "{king, queen}"}
    seen: viewer = p
    size seen: on
  lid[c of Cell]: {type: switch, start: {on: a1}}
  under[c of Cell]:
    type: 1..9
    start: {7: a1, 8: b1}
    seen: not lid[c]
define:
  found(n of 1..9): count of {c in Cell where not lid[c] and under[c] = n}
  rich(p of Player): count of hand[p] > 2
phases:
  only: {actions: [ask, look, name, lay, big], after: next player}
actions:
  ask: |
    choose p in Player where p != me and count of hand[p] > 2 "{p} has too few"
    do:
      lid[a1] := on
  look: |
    choose c in Cell where not lid[c] and under[c] = 9 "it is not there"
    do:
      lid[c] := on
  name: |
    choose n in 1..9
    require known: found(n) = 2 "not so many"
    do:
      lid[a1] := on
  lay: |
    choose k in Card where k in hand[me] "you do not hold it"
    do:
      hand[me] -= {k}
  big: |
    choose p in Player
    require rich: rich(p) "too few"
    do:
      lid[a1] := on
limit: {turns: 9}
"""


@pytest.mark.parametrize("move, told", [
    ("ask player 2", {"p": "player 2", "me": "player 1", "count of hand[p]": "2"}),
    ("look a1", {"lid[c]": "on"}),
    ("look b1", {"lid[c]": "off", "under[c]": "8"}),
    ("lay king", {"k": "king", "hand[me]": "{ace}"}),
    ("big player 2", {"rich(p)": "off"}),
])
def test_an_explanation_shows_only_what_is_seen(start: Play, move: str, told: dict[str, str]) -> None:
    failed = start(EXPLAINED).explain(move, 0).failed
    assert failed is not None and dict(failed.values) == told


def test_an_explanation_shows_no_hidden_thing_that_a_definition_reads(start: Play) -> None:
    failed = start(EXPLAINED).explain("name 7", 0).failed
    assert failed is not None and failed.sentence == "not so many"
    assert dict(failed.values) in ({}, {"found(n)": "0"})


def test_beliefs_put_few_things_into_any_of_many_places(rules: Make) -> None:
    ruleset = rules("""
        board: {grid: 4x1}
        types:
          Kind: [mine]
        components:
          charge: {kinds: Kind, each: 2}
        state:
          laid[c of Cell]: {type: Kind or none, seen: viewer = player 1}
          stock: {type: bag of charge, start: one of each}
        phases:
          only: {actions: [lay], after: next player}
        actions:
          lay: |
            choose c in Cell
            do:
              move mine from stock to laid[c]
        limit: {turns: 2}
    """)
    state = ruleset.start()
    state.play("lay b1")
    found = set()
    for n in range(40):
        guess = sample(ruleset.interpreter(), state.view(1), Stream(n, "guess"))
        found.add(tuple(guess.get_value("laid", (i,)) for i in range(4)))
    assert found == {tuple(0 if i == at else None for i in range(4)) for at in range(4)}
