"""Questions of the table: what the model that they name answers, where nobody is asked."""

from __future__ import annotations

import pytest
from engine_games import Play

from rulelang.engine import PlayFault, State, Stream
from rulelang.players.ahead import effect

HEAP = """
shapes: {stick: ["000", "001"], bar: ["000", "001", "002"]}
board: {lattice: 3x1x4, areas: {ground: z = 0, upper: z = 1}}
types: {Piece: shapes}
options: {steadiness: {type: 0..100, start: 100}}
state:
  stone[c of Cell]: Piece or none
  small[c of Cell]: switch
  score[p of Player]: 0..100
define:
  bottom: "0 if {c in Cell where stone[c] is not none} is empty else 1"
phases: {play: {actions: [put, wait]}}
actions:
  put: |
    choose s in Piece where no c in Cell has stone[c] = s
    choose x in placements(s)
    require rests: x meets upper if bottom > 0 else x meets ground
    require above: bottom = 0 or not (x meets ground)
    do:
      for each c in x: stone[c] := s
      judge stands by physics.stands(stone, small, steadiness) "Does the {s} stand?"
      if not stands: lose me
      score[me] += 1
      next player
  wait: |
    do:
      judge kind "Was that kind?"
      if not kind: lose me
      next player
rank: score
"""
STICK, BAR = "put stick a1.1+a1.2", "put bar a1.1+b1.1+c1.1"
OVERHANG = "put bar a1.2+b1.2+c1.2"                                 # on a single cube below a1.2


@pytest.fixture
def heap(start: Play) -> State:
    return start(HEAP, seed=3)


def put(state: State, text: str) -> State:
    after = state.copy()
    after.play(text)
    return after


def upright(start: Play, steadiness: int = 100, seed: int = 3) -> State:
    """A stick is set upright, in hands that may shake."""
    return put(start(HEAP, seed=seed, steadiness=steadiness), STICK)


def test_the_model_answers_and_the_game_goes_on(heap: State) -> None:
    after = put(heap, BAR)
    assert after.question is not None and after.question.text == "Does the bar stand?"
    assert after.model_chance() == 1.0
    assert after.answer_by_model() is True
    assert not after.over and after.player == 1


def test_a_question_without_a_model_is_for_people(heap: State) -> None:
    after = put(heap, "wait")
    assert after.model_chance() is None and after.model_answer() is None
    with pytest.raises(PlayFault, match="only people can answer `Was that kind\\?`: the judge `kind` names no model"):
        after.answer_by_model()
    after.answer(True)
    assert not after.over


def test_the_same_seed_gives_the_same_answers_and_another_others(start: Play) -> None:
    def answers(seed: int) -> list[bool]:
        state = upright(start, steadiness=0, seed=seed)
        assert state.model_answer() == state.model_answer()         # looking uses nothing up
        return [state.answer_by_model()]

    told = [answers(seed) for seed in range(30)]
    assert told == [answers(seed) for seed in range(30)]


def test_people_who_answer_as_the_model_would_play_the_same_game(start: Play) -> None:
    asked, answered = upright(start, steadiness=0), upright(start, steadiness=0)
    yes = asked.answer_by_model()
    answered.answer(yes)
    assert asked.key() == answered.key()
    assert asked.core.counts == answered.core.counts


def test_an_explanation_of_a_legal_move_that_falls_says_so(heap: State) -> None:
    heap.set_value("stone", ["a1.1"], "stick")
    found = heap.explain(OVERHANG)
    assert found.legal and found.judged is not None
    question, answer = found.judged
    assert question == "Does the bar stand?"
    assert answer.startswith("physics.stands says no: it must fall, by a margin of -0.")


def test_an_explanation_tells_of_no_question_where_there_is_none(heap: State) -> None:
    assert heap.explain("wait").judged is None                     # a question, but nobody who could be asked


def test_who_looks_ahead_expects_what_the_model_does(heap: State) -> None:
    heap.set_value("stone", ["a1.1"], "stick")
    assert effect(heap, heap.read(OVERHANG), 0, Stream(1)).over


def test_scripted_answers_come_before_the_model(start: Play) -> None:
    state = start(HEAP, chance={"stands": ["off"]})
    state.play(BAR)
    assert state.over and state.question is None
