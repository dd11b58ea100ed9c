"""Section 6 of the language's reference, rule by rule: turns, rounds and ends (6.6, 6.7)."""

from __future__ import annotations

import pytest
from engine_games import Play, trace_of

from rulelang.engine import PlayFault


def test_6_6_end_turn_runs_end_then_begin_for_the_next(traced: Play) -> None:
    state = traced("""
        players: 3
        turn:
          begin: |
            mark(1)
            ended := me
          end: |
            mark(2)
            began := me
        state:
          ended: {type: Player or none}
          began: {type: Player or none}
        phases:
          only:
            begin: |
              mark(3)
            actions: [stop, hand_over, skip]
        actions:
          stop: |
            do:
              end turn
          hand_over: |
            do:
              turn to right of me
              end turn
          skip: |
            do:
              next player
        limit: {turns: 10}
    """)
    assert trace_of(state) == "13"
    state.play("stop")
    assert trace_of(state) == "13213"
    assert (state.get_value("began"), state.get_value("ended"), state.player) == (0, 1, 1)
    state.play("hand_over")
    assert trace_of(state) == "13213213"
    assert (state.get_value("began"), state.get_value("ended"), state.player) == (1, 0, 0)
    state.play("skip")
    assert trace_of(state) == "13213213"                # next player alone is no new turn
    assert (state.player, state.turns) == (1, 3)


def test_6_6_players_who_are_out_are_passed_over(start: Play) -> None:
    state = start("""
        players: 4
        state:
          n: 0..9
        phases:
          only:
            actions: [pass, drop]
            after: next player
        actions:
          pass: |
            do:
              n := 0
          drop: |
            do:
              out left of me
        limit: {turns: 20}
    """)
    state.play("drop")
    assert (state.player, state.out) == (2, (1,))
    state.play("pass")
    state.play("pass")
    state.play("pass")
    assert state.player == 2
    state.play("drop")
    assert (state.player, state.out) == (0, (1, 3))


def test_the_last_one_left_ends_the_game(start: Play) -> None:
    state = start("""
        state:
          n: 0..9
        phases:
          only:
            actions: [resign]
            after: next player
        actions:
          resign: |
            do:
              out me
        limit: {turns: 20}
    """)
    state.play("resign")
    assert state.result is not None
    assert state.result.winners == (1,)
    assert state.result.reason == "all others are out"


def test_6_7_ends_are_tested_after_moves_and_after_automatic_blocks(start: Play) -> None:
    state = start("""
        phases:
          one:
            actions: [add, set_up]
            after: |
              n += 1
          two:
            begin: |
              n := 5
              go three
          three:
            begin: |
              n := 0
              go one
        state:
          n: 0..9
        actions:
          add: |
            do:
              n += 1
          set_up: |
            do:
              go two
        end:
          odd: {when: n = 3, then: win player 1}
          five: {when: n = 5, then: win player 2}
        limit: {turns: 10}
    """)
    state.play("add")                                   # 1 after do, 2 after after
    assert not state.over
    other = state.copy()
    state.play("set_up")
    assert state.result is not None
    assert state.result.winners == (1,)                 # before the block of `three` could set n back
    assert state.result.reason == "end five"
    other.play("add")                                   # 3 between do and after: not tested there
    assert not other.over


def test_6_7_a_position_is_noted_after_each_move(start: Play) -> None:
    state = start("""
        state:
          at: 0..1
          stood: 0..9
        positions:
          place: [at]
        phases:
          only:
            actions: [swap]
            after: |
              stood := times(place)
              next player
        actions:
          swap: |
            do:
              at := 1 - at
        limit: {turns: 20}
    """)
    counts = []
    for _ in range(5):
        state.play("swap")
        counts.append(state.get_value("stood"))
    assert counts == [0, 1, 1, 2, 2]                    # the start counts as noted once


def test_positions_may_have_me_in_them(start: Play) -> None:
    state = start("""
        state:
          at: 0..1
          stood: 0..9
        positions:
          place: [at, me]
        phases:
          only:
            actions: [stay]
            after: |
              stood := times(place)
              next player
        actions:
          stay: |
            do:
              at := 0
        limit: {turns: 20}
    """)
    counts = []
    for _ in range(4):
        state.play("stay")
        counts.append(state.get_value("stood"))
    assert counts == [0, 1, 1, 2]                       # the start is noted for the seat before the first


def test_a_limit_without_then_leaves_the_game_unfinished(start: Play) -> None:
    text = """
        state:
          n: 0..9
        phases:
          only:
            actions: [pass]
            after: next player
        actions:
          pass: |
            do:
              n := 0
    """
    state = start(text, "limit: {turns: 3}\n")
    for _ in range(3):
        assert not state.over
        state.play("pass")
    assert state.result is not None
    assert state.result.unfinished
    assert state.result.winners == ()
    state = start(text, "limit: {turns: 3, then: win player 2}\n")
    for _ in range(3):
        state.play("pass")
    assert state.result is not None
    assert state.result.winners == (1,)
    assert not state.result.unfinished


def test_end_round_ends_the_turn_and_begins_a_round(traced: Play) -> None:
    state = traced("""
        round:
          begin: |
            mark(1)
            turn to player 2
          end: |
            mark(4)
        turn:
          begin: |
            mark(2)
          end: |
            mark(3)
        phases:
          only:
            actions: [stop]
        actions:
          stop: |
            do:
              end round
        limit: {turns: 10}
    """)
    assert trace_of(state) == "12"
    state.play("stop")
    assert trace_of(state) == "123412"
    assert (state.player, state.rounds) == (1, 1)


def test_a_game_that_never_comes_to_a_decision_is_a_fault(start: Play) -> None:
    with pytest.raises(PlayFault, match="never comes to a decision"):
        start("""
            state:
              n: 0..2
            phases:
              one:
                begin: |
                  n := 1 - n
                  go two
              two:
                begin: |
                  if n > 1: go three
                  go one
              three:
                actions: [pass]
                after: go one
            actions:
              pass: |
                do:
                  n := 0
            turn: {starts: three, begin: go one}
            limit: {turns: 10}
        """)


def test_the_clock_is_an_event_of_the_table(start: Play) -> None:
    state = start("""
        players: 3
        state:
          n: 0..9
        phases:
          only:
            actions: [pass]
            after: next player
        actions:
          pass: |
            do:
              n += 1
        clock:
          each: 60
          out: |
            out me
            end turn
        limit: {turns: 9}
    """)
    state.play("pass")
    state.clock_out(1)
    assert (state.out, state.player) == ((1,), 2)
    state.undo()
    assert (state.out, state.player) == ((), 1)
