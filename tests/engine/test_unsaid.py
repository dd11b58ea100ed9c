"""What refusals and faults do not say: what others chose, and what is hidden from somebody."""

from __future__ import annotations

import pytest
from engine_games import Make, Play

from rulelang.engine import IllegalMove, PlayFault, State

GAME = """
state:
  code[p of Player]: {type: set of 1..6, seen: viewer = p}
  low[p of Player]: {type: 0..3, seen: viewer = p}
  least: {type: 1..6, start: 2}
phases:
  only: {actions: [hide, steal, climb], after: next player}
actions:
  hide: |
    choose d in 1..6 where d > least "{d} is too low"
    choose e in 1..6 where e != d "{e} is hidden already"
    let both = d + e
    require sum: both < 12 "{both} is too much"
    do:
      code[me] := {d, e}
  steal: |
    do:
      code[opponent of me] += {1}
      move {2} from code[opponent of me] to code[me]
  climb: |
    do:
      low[me] := count of code[me] + 2
limit: {turns: 9}
"""

TOGETHER = """
state:
  bid[p of Player]: {type: 0..5, seen: viewer = p}
  kept[p of Player]: {type: set of 1..3, start: one of each, seen: viewer = p}
phases:
  bidding:
    who: together
    actions: [bid]
    after: |
      if kept[player 1] is empty: finish
actions:
  bid: |
    choose n in 1..5 where n in kept[me] "you do not have the {n}"
    do:
      kept[me] -= {n}
      bid[me] := n
"""


def said(state: State, text: str, seat: int) -> tuple[object, ...]:
    """All that a seat is told of a move that it may not make."""
    with pytest.raises(IllegalMove) as caught:
        state.read(text, seat)
    return str(caught.value), caught.value.explanation, state.explain(text, seat), state.complete("", seat)


def test_a_clause_that_was_not_reached_does_not_tell_what_another_chose(rules: Make) -> None:
    told = []
    ruleset = rules(GAME)
    for move in ("hide 3 4", "hide 5 6"):
        state = ruleset.start()
        state.play(move)
        told.append(said(state, "hide 1 2", 1))
        clauses = {clause.name: clause.sentence for clause in state.explain("hide 1 2", 1).clauses}
        assert clauses["d"] == "1 is too low"
        assert (clauses["e"], clauses["sum"]) == ("e is hidden already", "both is too much")
        clauses = {clause.name: clause.sentence for clause in state.explain("hide 6 6", 1).clauses}
        assert (clauses["e"], clauses["sum"]) == ("6 is hidden already", "both is too much")
    assert told[0] == told[1]


def test_what_another_has_chosen_already_is_in_no_refusal(rules: Make) -> None:
    told = []
    ruleset = rules(TOGETHER)
    for bid in ("1", "3"):
        state = ruleset.start()
        state.play(bid, 1)
        told.append(said(state, "bid 4", 0))
    assert told[0] == told[1]


@pytest.mark.parametrize("move, code", [("steal", "not-there"), ("climb", "out-of-range")])
def test_faults_do_not_tell_what_is_hidden(start: Play, move: str, code: str) -> None:
    told = []
    for hidden in ("hide 3 4", "hide 4 6"):
        state = start(GAME)
        state.play(hidden)
        state.play("hide 3 4")
        with pytest.raises(PlayFault) as caught:
            state.play(move)
        assert caught.value.diagnostic.code == code
        told.append(caught.value.diagnostic.message)
    assert told[0] == told[1]
    assert not set("12456") & set(told[0].replace("0..3", "").replace("1..6", ""))


def test_faults_tell_what_all_see(rules: Make) -> None:
    state = rules(GAME.replace(", seen: viewer = p", "")).start()
    state.play("hide 3 4")
    state.play("hide 3 6")
    with pytest.raises(PlayFault, match=r"\{1, 3, 6\}"):
        state.play("steal")


def test_a_clause_of_another_phase_speaks_of_what_it_has_not_yet_by_its_name(rules: Make) -> None:
    state = rules("""\
state: {piece: 1..3 or none}
phases:
  first: {actions: [take]}
  second: {actions: [put]}
actions:
  take: |
    do:
      piece := 2
      go second
  put: |
    choose n in 1..3 where n = piece "this is not the {piece}"
    do: go first
limit: {turns: 9}
""").start()
    assert state.explain("put 1", 0).clauses[0].sentence == "this is not the piece"
    state.play("take")
    assert state.explain("put 1", 0).clauses[0].sentence == "this is not the 2"
