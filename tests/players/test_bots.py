"""Bots: they choose among the legal moves, from their view alone, and better than by chance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulelang.engine import Interpreter, Move, State, Stream, View
from rulelang.loading import load
from rulelang.players import KINDS, make
from rulelang.players.margin import best_of, margin, mean

GAMES = Path(__file__).parent.parent / "table" / "games"


def game(name: str, players: int = 2, **options: str) -> Interpreter:
    found: Interpreter = load(GAMES / f"{name}.rules", options=options).interpreter(players)
    return found


def played(interpreter: Interpreter, kinds: tuple[str, ...], seed: int) -> State:
    """A game between bots."""
    bots = [make(kind, interpreter, seat) for seat, kind in enumerate(kinds)]
    state = interpreter.start(seed=seed)
    number = 0
    while not state.over:
        seat = state.to_act[0]
        state.play(bots[seat].choose(state.view(seat), Stream(seed, f"bot {seat}", number)))
        number += 1
    return state


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["dice", "hands"])
def test_a_bot_chooses_a_legal_move_and_the_same_again(kind: str, name: str) -> None:
    interpreter = game(name)
    state = interpreter.start(seed=3)
    bot = make(kind, interpreter, 0)
    for number in range(20):
        if state.over:
            break
        seat = state.to_act[0]
        if seat == 0:
            view = state.view(0)
            move = bot.choose(view, Stream(number, "x"))
            assert move in view.moves
            assert make(kind, interpreter, 0).choose(view, Stream(number, "x")) == move
        state.play(state.moves(seat)[0])


@pytest.mark.parametrize("kind", KINDS)
def test_a_bot_holds_no_state(kind: str) -> None:
    """Two games that differ only in what is hidden from a bot get the same move of it."""
    interpreter = game("hands", 3)
    for seed in range(10):
        state = interpreter.start(seed=seed)
        other = state.copy()
        hands = [state.get_value("hand", (seat,)) for seat in (1, 2)]
        other.set_value("hand", (1,), hands[1])
        other.set_value("hand", (2,), hands[0])
        moves = [make(kind, interpreter, 0).choose(one.view(0), Stream(seed, "x")) for one in (state, other)]
        assert moves[0] == moves[1]


def test_a_bot_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no bot `clever`"):
        make("clever", game("dice"), 0)


def test_random_takes_each_move_alike() -> None:
    interpreter = game("dice")
    view = interpreter.start(seed=1).view(0)
    chance = Stream(1, "x")
    taken = [make("random", interpreter, 0).choose(view, chance).text for _ in range(400)]
    assert 150 < taken.count("roll") < 250


@pytest.mark.parametrize("kind", ["greedy", "careful"])
def test_a_thinking_bot_runs_rather_than_rests(kind: str) -> None:
    interpreter = game("dice", goal="20")
    assert make(kind, interpreter, 0).choose(interpreter.start(seed=1).view(0), Stream(1, "x")).text == "roll"


@pytest.mark.parametrize("kind", ["greedy", "careful"])
def test_a_thinking_bot_wins_more_than_its_share(kind: str) -> None:
    interpreter = game("dice", goal="20")
    wins = sum(0 in played(interpreter, (kind, "random"), seed).result.winners for seed in range(6))  # type: ignore
    wins += sum(1 in played(interpreter, ("random", kind), seed).result.winners for seed in range(6))  # type: ignore
    assert wins >= 10


@pytest.fixture
def layout() -> Interpreter:
    found: Interpreter = load(Path(__file__).parent / "layout.rules").interpreter(2)
    return found


def test_careful_infers_what_must_be_hidden(layout: Interpreter) -> None:
    """Two of a row are seen: the third, a 3, is certain, and worth most."""
    for seed in range(6):
        state = layout.start(seed=seed)
        row = [state.get_value("worth", (cell,)) for cell in range(3)]
        for cell in range(3):
            state.set_value("cover", (cell,), row[cell] == 3)
        move = make("careful", layout, 0).choose(state.view(0), Stream(seed, "x"))
        assert state.get_value("worth", move.steps[0][1]) == 3


def test_careful_beats_random_on_a_hidden_layout(layout: Interpreter) -> None:
    lead = 0
    for seed in range(6):
        state = played(layout, ("careful", "random") if seed % 2 else ("random", "careful"), seed)
        careful = 0 if seed % 2 else 1
        scores: Any = state.result.scores if state.result is not None else ()
        lead += scores[careful][0] - scores[1 - careful][0]
    assert lead > 6


def test_a_view_without_beliefs_is_played_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulelang.engine.beliefs import NoBelief

    def none(*_: object) -> State:
        raise NoBelief

    interpreter = game("hands")
    view: View = interpreter.start(seed=1).view(0)
    for kind in ("greedy", "careful"):
        monkeypatch.setattr(f"rulelang.players.{kind}.sample", none)
        moves: set[Move] = {make(kind, interpreter, 0).choose(view, Stream(n, "x")) for n in range(30)}
        assert moves == set(view.moves)


def test_margins_put_the_result_first() -> None:
    interpreter = game("dice", goal="3")
    state = interpreter.start(seed=1)
    assert margin(state, 0) == (0.0, 0.0)
    while not state.over:
        state.play("roll")
    winner = state.result.winners[0] if state.result is not None else -1
    assert margin(state, winner)[0] == 1.0 and margin(state, 1 - winner)[0] == -1.0
    assert margin(state, winner)[1] == -margin(state, 1 - winner)[1] > 0


def test_means_and_bests() -> None:
    assert mean((), (1.0, 4.0), 0) == (1.0, 4.0)
    assert mean((1.0, 4.0), (3.0, 2.0), 1) == (2.0, 3.0)
    assert best_of([(0.0, 1.0), (1.0, -9.0), (1.0, -9.0)]) == [1, 2]


@pytest.mark.slow
def test_careful_wins_kakuzu_against_random() -> None:
    interpreter = load("kakuzu").interpreter(2)
    wins = 0
    for seed in range(8):
        state = played(interpreter, ("careful", "random") if seed % 2 else ("random", "careful"), seed)
        wins += (0 if seed % 2 else 1) in (state.result.winners if state.result is not None else ())
    assert wins >= 7


@pytest.mark.parametrize("kind", ["greedy", "careful"])
def test_a_guess_in_which_a_rule_fails_is_survived(kind: str, tmp_path: Path) -> None:
    """The other's numbers add up to ten in every game, and not in every guess: there nobody can move on."""
    path = tmp_path / "sums.rules"
    path.write_text("""
rulelang: 1
game: Sums
players: 2
state:
  hidden[p of Player, n of 1..3]:
    type: 0..9
    start: {player 1: {1: 5, 2: 5}, player 2: {1: 4, 3: 6}}
    seen: viewer = p
  done: 0..9
phases:
  first: {actions: [wait, hurry], after: go second}
  second: {who: opponent, actions: [move], after: finish}
actions:
  wait: |
    do:
      done += 1
  hurry: |
    do:
      done += 2
  move: |
    require ten: hidden[me, 1] + hidden[me, 2] + hidden[me, 3] = 10 "they are ten"
    do:
      done += 3
rank: luck
define:
  luck(p of Player): done if p = player 1 else 0
""", encoding="utf-8")
    interpreter = load(path).interpreter()
    state = interpreter.start(seed=1)
    chosen = make(kind, interpreter, 0).choose(state.view(0), Stream(1, "test"))
    assert chosen in state.moves()
