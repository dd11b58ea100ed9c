"""Rules that lead to something impossible: the fault names the rule's place."""

from __future__ import annotations

import pytest
from engine_games import Play

from rulelang.engine import PlayError, PlayFault


def game(do: str, state: str = "", preamble: str = "", more: str = "") -> str:
    """A game with one action."""
    return f"""
board: {{grid: 3x3}}
components:
  card: {{kinds: 1..3, each: 2}}
state:
  n: 0..3
  m: {{type: 0..9, start: 5}}
  cell: Cell or none
  hand: bag of card
  small: bag of 1..3 up to 2
  seats: set of Player
{state}
phases:
  only:
    actions: [act]
    after: next player
actions:
  act: |
    {preamble}
    do:
      {do}
limit: {{turns: 9}}
{more}
"""


@pytest.mark.parametrize(("do", "message", "code"), [
    ("n += m", "a value leaves its range: `n` is 0..3 and cannot be 5", "out-of-range"),
    ("n -= m - 4", "cannot be -1", "out-of-range"),
    ("n := m / n", "this divides by 0", "division-by-zero"),
    ("n := m mod n", "this divides by 0", "division-by-zero"),
    ("small := small + {1, 2, 3}", "`small` holds at most 2, not 3", "out-of-range"),
    ("move {1} from hand to supply of card", "what is taken is not all in `hand`", "not-there"),
    ("hand += {1}", "there are 3 of the card `1` now, more than the 2 there are", "not-conserved"),
    ("n := row of (first c in Cell where c = cell)", "a value is needed here, and there is none", "nothing-there"),
])
def test_faults_have_a_place_and_a_code(start: Play, do: str, message: str, code: str) -> None:
    state = start(game(do))
    with pytest.raises(PlayFault) as raised:
        state.play("act")
    assert message in raised.value.diagnostic.message
    assert raised.value.diagnostic.code == code
    assert raised.value.diagnostic.place.file.endswith(".rules")
    assert not state.history                            # the state is as before


def test_a_broken_invariant_is_a_fault(start: Play) -> None:
    state = start(game("n += 1", more="invariants:\n  small: n < 2\n"))
    state.play("act")
    state.check_invariants()
    state.play("act")
    with pytest.raises(PlayFault, match="the invariant `small` does not hold"):
        state.check_invariants()


def test_endless_loops_are_faults(start: Play) -> None:
    loop = "repeat 999 times:\n        repeat 999 times:\n          repeat 999 times:\n            n := 0"
    with pytest.raises(PlayFault, match="never comes to a decision"):
        start(game(loop)).play("act")


def test_calls_that_do_not_fit_are_told(start: Play) -> None:
    state = start(game("finish", more="rank: points\ndefine:\n  points(p of Player): n\n"))
    with pytest.raises(PlayError, match="no question"):
        state.answer(True)
    with pytest.raises(PlayError, match="no chance"):
        state.resolve(1)
    with pytest.raises(PlayError, match="player 2 has nothing to choose"):
        state.read("act", seat=1)
    with pytest.raises(PlayError, match="no move to take back"):
        state.undo()
    state.play("act")
    with pytest.raises(PlayError, match="the game is over"):
        state.play("act")


def test_conservation_counts_what_is_drawn_into_single_places(start: Play) -> None:
    text = """
        components:
          card: {kinds: 1..3, each: 1}
        state:
          held[p of Player]: {type: 1..3 or none}
        phases:
          only:
            begin: |
              draw held[player 1] from supply of card
            actions: [drop, keep]
            after: next player
        actions:
          drop: |
            do:
              held[me] := none
          keep: |
            do:
              held[opponent] := none
        limit: {turns: 9}
    """
    state = start(text)
    state.play("keep")
    with pytest.raises(PlayFault, match="fewer than"):
        start(text).play("drop")
