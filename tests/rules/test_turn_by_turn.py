"""Games of which OpenSpiel writes one move as several: the squares of an amazon's move one by one, backgammon's men two
by two. What can be chosen first, then what can follow, and the positions at the ends of turns are compared."""

from __future__ import annotations

import random
from typing import Any

import pytest
import spiel

from rulelang.engine import State
from rulelang.loading import load

pyspiel = pytest.importorskip("pyspiel")


def amazons(seed: int) -> None:
    """A game by chance: all amazons that can move, all squares that one reaches, all squares that it shoots at."""
    chance = random.Random(seed)
    ours: State = load(spiel.RULES / "amazons.rules").start()
    theirs = pyspiel.load_game("amazons").new_initial_state()
    while not ours.over:
        assert not theirs.is_terminal()
        assert ours.to_act == (theirs.current_player(),)
        moves = [(spiel.by_commas(move.text).split(","), move) for move in ours.moves()]
        for part in range(3):
            found = {spiel.amazon(theirs, ours, theirs.action_to_string(a), a): a for a in theirs.legal_actions()}
            assert {squares[part] for squares, _ in moves} == set(found), f"seed {seed}\n{theirs}"
            chosen = chance.choice(sorted(found))
            theirs.apply_action(found[chosen])
            moves = [(squares, move) for squares, move in moves if squares[part] == chosen]
        (_, move), = moves
        ours.play(move)
    assert theirs.is_terminal()
    assert tuple(theirs.returns()) == spiel.returns(ours)


@pytest.mark.parametrize("seed", range(2))
def test_amazons(seed: int) -> None:
    amazons(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 300))
def test_many_games_of_amazons(seed: int) -> None:
    amazons(seed)


# ------------------------------------------------------------------------------------------------ backgammon

Men = tuple[int, ...]
BAR = 100


def of_ours(state: State) -> Men:
    """Both sides' men on 24 points, bars and homes."""
    get = state.get_value
    sides = [[get("men", (seat, point)) for point in range(24)] for seat in range(2)]
    rest = [get(name, (seat,)) for name in ("bar", "home") for seat in range(2)]
    return (*sides[0], *sides[1], *rest)


def of_theirs(state: Any) -> Men:
    """The same of theirs, whose first player goes up from their point 0."""
    first = [state.board(0, 23 - point) for point in range(24)]
    second = [state.board(1, 23 - point) for point in range(24)]
    bars = [state.board(seat, BAR) for seat in range(2)]
    return (*first, *second, *bars, 15 - sum(first) - bars[0], 15 - sum(second) - bars[1])


def ends(state: Any) -> dict[Men, Any]:
    """The positions to which the player can come in this turn, with a double both halves of it."""
    found: dict[Men, Any] = {}
    player = state.current_player()
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        if not after.is_terminal() and not after.is_chance_node() and after.current_player() == player:
            found |= ends(after)
        else:
            found.setdefault(of_theirs(after), after)
    return found


def ours_ends(state: State) -> dict[Men, State]:
    """The same of ours. A turn without a move has ended by itself; where doubles are played in halves, both are one
    turn."""
    found: dict[Men, State] = {}
    player, turn = state.to_act, state.turns
    for move in state.moves():
        after = state.copy()
        after.play(move)
        if after.waits_for == "move" and (after.to_act, after.turns) == (player, turn):
            found |= ours_ends(after)
        else:
            found.setdefault(of_ours(after), after)
    return found


def backgammon(seed: int, stakes: int, scoring: str) -> int:
    """A game by chance, by the rules, by the rules with doubles in two halves as OpenSpiel plays them, and there; how
    many turns were compared.

    Theirs looks for the most men within each half only. The positions at the ends of turns are the same for all that:
    with dice that are alike a man has one way to go, and no step takes another step away, so that in whatever order
    they are made, as many come together."""
    chance = random.Random(seed)
    files = [spiel.RULES / "backgammon.rules", spiel.RULES.parent / "benchmarks/rules/backgammon_in_halves.rules"]
    whole, halved = (load(file, options={"stakes": stakes}).interpreter(2).start(ask_chance=True) for file in files)
    theirs = pyspiel.load_game("backgammon", {"scoring_type": scoring}).new_initial_state()
    compared = 0
    while not theirs.is_terminal():
        assert theirs.is_chance_node()
        action = chance.choice([a for a, _ in theirs.chance_outcomes()])
        name = theirs.action_to_string(-1, action)
        dice, first = sorted(name[-3:-1]), "starts" in name
        if "X starts" in name:                      # ours rolls a die for each, the higher begins
            dice.reverse()
        theirs.apply_action(action)
        before, player = of_ours(whole), whole.player
        for die in dice:
            whole.resolve(die)
            halved.resolve(die)
        seat = theirs.current_player()
        where = f"seed {seed}\n{theirs}"
        found = ends(theirs)
        if whole.waits_for == "chance":              # there was no move
            assert set(found) == {before}, where
            turn, halves = {before: whole}, {before: halved}
        else:
            assert whole.to_act == halved.to_act == (seat,) and (first or seat == player), where
            assert len(halved.moves()) == len(theirs.legal_actions()), where
            turn, halves = ours_ends(whole), ours_ends(halved)
        assert set(turn) == set(halves) == set(found), f"{set(turn) ^ set(found)} {where}"
        compared += 1
        goal = chance.choice(sorted(turn))
        whole, halved, theirs = turn[goal], halves[goal], found[goal]
    for ours in (whole, halved):
        assert ours.over and ours.result is not None
        assert tuple(theirs.returns()) == tuple(values[0] for values in ours.result.scores), f"seed {seed}\n{theirs}"
    return compared


SCORING = [(1, "winloss_scoring"), (2, "enable_gammons"), (3, "full_scoring")]


@pytest.mark.parametrize(("stakes", "scoring"), SCORING)
def test_backgammon(stakes: int, scoring: str) -> None:
    assert backgammon(stakes, stakes, scoring) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100))
def test_many_games_of_backgammon(seed: int) -> None:
    backgammon(seed, *SCORING[seed % 3])


# ------------------------------------------------------------------------------------------------ chess


def chess(seed: int, most: int = 400) -> None:
    """A game by chance; theirs writes moves as players do, which python-chess reads. Their first player is black."""
    import chess as python_chess
    from test_python_chess import named

    chance = random.Random(seed)
    ours: State = load(spiel.RULES / "chess.rules").start()
    theirs = pyspiel.load_game("chess").new_initial_state()
    board = python_chess.Board()
    for _ in range(most):
        where = f"seed {seed}: {theirs}"
        assert ours.over == theirs.is_terminal(), where
        if ours.over:
            break
        assert ours.to_act == (1 - theirs.current_player(),), where
        found = {board.parse_san(theirs.action_to_string(theirs.current_player(), a)).uci(): a
                 for a in theirs.legal_actions()}
        listed = named(ours, board)
        assert set(listed) == set(found), where
        chosen = chance.choice(sorted(found))
        ours.play(listed[chosen])
        theirs.apply_action(found[chosen])
        board.push_uci(chosen)
    if ours.over:
        assert tuple(theirs.returns()) == spiel.returns(ours)[::-1]


@pytest.mark.parametrize("seed", range(4))
def test_chess(seed: int) -> None:
    pytest.importorskip("chess")
    chess(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 500))
def test_many_games_of_chess(seed: int) -> None:
    pytest.importorskip("chess")
    chess(seed, 1000)
