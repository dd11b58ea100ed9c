"""Section 6 of the language's reference, rule by rule: phases, who acts, moves (6.1 to 6.5)."""

from __future__ import annotations

import pytest
from engine_games import Play, trace_of

from rulelang.engine import PlayFault

PASS = """
actions:
  go_on: |
    do:
      mark(7)
"""


def test_6_1_setup_then_round_then_turn_then_the_starting_phase(traced: Play) -> None:
    state = traced("""
        setup: |
          mark(1)
        round:
          begin: |
            mark(2)
        turn:
          starts: second
          begin: |
            mark(3)
        phases:
          first:
            begin: |
              mark(5)
            actions: [go_on]
            after: go second
          second:
            begin: |
              mark(4)
            actions: [go_on]
            after: go first
        limit: {turns: 10}
    """, PASS)
    assert trace_of(state) == "1234"
    assert state.phase == "second"


def test_6_1_without_starts_the_first_phase_begins(traced: Play) -> None:
    state = traced("""
        phases:
          one:
            actions: [go_on]
            after: go two
          two:
            actions: [go_on]
            after: go one
        limit: {turns: 10}
    """, PASS)
    assert state.phase == "one"


def test_6_2_again_and_the_end_of_after_do_not_run_begin(traced: Play) -> None:
    state = traced("""
        phases:
          only:
            begin: |
              mark(1)
            actions: [go_on, stay, anew]
            after: |
              mark(2)
        actions:
          go_on: |
            do:
              mark(7)
          stay: |
            do:
              mark(8)
              again
          anew: |
            do:
              go only
        limit: {turns: 10}
    """)
    assert trace_of(state) == "1"
    state.play("go_on")
    assert trace_of(state) == "172"                     # after ran to its end: no begin
    state.play("stay")
    assert trace_of(state) == "1728"                    # again: neither after nor begin
    state.play("anew")
    assert trace_of(state) == "17281"                   # go: begin


def test_6_3_who_may_be_an_expression_and_does_not_become_the_player_in_turn(traced: Play) -> None:
    state = traced("""
        players: 3
        phases:
          ask:
            who: left of me
            actions: [answer]
            after: |
              mark(2)
              next player
        state:
          said: {type: Player or none}
        actions:
          answer: |
            do:
              said := me
        limit: {turns: 10}
    """)
    assert (state.player, state.to_act) == (0, (1,))
    state.play("answer")
    assert state.get_value("said") == 1
    assert (state.player, state.to_act) == (1, (2,))    # next after the player in turn, not after who acted


def test_6_3_together_all_choose_against_the_beginning(start: Play) -> None:
    state = start("""
        players: 3
        state:
          chosen[p of Player]: 0..3
          total: 0..9
        phases:
          choosing:
            who: together
            actions: [choose_it]
            after: |
              total := sum of {chosen[p] for p in Player}
              finish
        actions:
          choose_it: |
            choose n in 1..3
            do:
              chosen[me] := n
        rank: chosen
    """)
    assert state.to_act == (0, 1, 2)
    state.play("3", seat=2)
    assert state.to_act == (0, 1)
    assert state.get_value("chosen", (2,)) == 0
    assert state.view(0).messages == ("player 3 has chosen",)
    assert state.view(2).messages == ("player 3 chooses choose_it 3",)
    state.play("1", seat=0)
    state.play("2", seat=1)
    assert state.over
    assert state.get_value("total") == 6
    assert any("choose_it 3" in message for message in state.view(0).messages)


def test_6_4_must_leaves_only_what_must_be_done(start: Play) -> None:
    state = start("""
        state:
          free: switch
        phases:
          only:
            actions: [take, wait]
            must: [take]
            after: next player
        actions:
          take: |
            require free: not free "it is not there"
            do:
              free := on
          wait: |
            do:
              free := off
        limit: {turns: 10}
    """)
    assert [move.text for move in state.moves()] == ["take"]
    assert state.explain("wait").reason == "while `take` is possible it must be done"
    state.play("take")
    assert [move.text for move in state.moves()] == ["wait"]


def test_6_4_stuck_is_run_when_nothing_is_legal(traced: Play) -> None:
    state = traced("""
        phases:
          only:
            actions: [never]
            stuck: |
              mark(4)
              win opponent
        actions:
          never: |
            require big: trace > 100 "never"
            do:
              mark(1)
    """)
    assert state.over
    assert state.result is not None
    assert state.result.winners == (1,)


def test_6_4_without_stuck_nothing_legal_is_a_fault(traced: Play) -> None:
    with pytest.raises(PlayFault, match=r"no legal move in the phase `only`") as raised:
        traced("""
            phases:
              only:
                actions: [never]
            actions:
              never: |
                require big: trace > 100 "never"
                do:
                  mark(1)
            limit: {turns: 10}
        """)
    assert raised.value.diagnostic.place.line > 1


def test_6_5_do_then_after_unless_do_took_an_exit(traced: Play) -> None:
    state = traced("""
        phases:
          one:
            actions: [stay, leave]
            after: |
              mark(2)
          two:
            actions: [back]
        actions:
          stay: |
            do:
              mark(1)
          leave: |
            do:
              mark(3)
              go two
          back: |
            do:
              go one
        limit: {turns: 10}
    """)
    state.play("stay")
    assert trace_of(state) == "12"
    state.play("leave")
    assert (trace_of(state), state.phase) == ("123", "two")


def test_6_5_me_is_fixed_and_next_player_takes_effect_when_the_block_ends(start: Play) -> None:
    state = start("""
        players: 3
        state:
          seen: {type: Player or none}
        phases:
          only:
            actions: [pass]
            after: |
              next player
              turn to left of left of me
              next player
              seen := me
        actions:
          pass: |
            do:
              seen := none
        limit: {turns: 10}
    """)
    state.play("pass")
    assert state.get_value("seen") == 0
    assert state.player == 1                            # the last one said counts
    assert state.turns == 1
