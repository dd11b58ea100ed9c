"""Chess held against python-chess: whole games by chance, and the moves of many positions. OpenSpiel's chess too, which
knows positions repeated by other marks than legal captures in passing, and so is compared where nothing is repeated."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import fen
import pytest

from rulelang.engine import State
from rulelang.loading import Ruleset, load
from rulelang.model.types import show

chess = pytest.importorskip("chess")
variant = pytest.importorskip("chess.variant")

ROOT = Path(__file__).parents[2]
POSITIONS = 60          # games from which positions are taken, some from each


@cache
def rules_of(file: str, variants: tuple[str, ...] = ()) -> Ruleset:
    """A rules file with variants."""
    return load(ROOT / file, variants=variants)


def named(state: State, board: Any) -> dict[str, Any]:
    """Our moves by python-chess's names for them."""
    king = board.king(board.turn)
    found = {}
    for move in state.moves():
        text = move.text
        if text.startswith("castle"):
            side = board.castling_rights & chess.BB_RANKS[0 if board.turn else 7]
            rook = (max if text.endswith("short") else min)(chess.SquareSet(side))
            goal = rook if board.chess960 else chess.square(6 if rook > king else 2, chess.square_rank(king))
            text = chess.square_name(king) + chess.square_name(goal)
        start, _, kind = text.partition("=")
        found[start + {"knight": "n", "": ""}.get(kind, kind[:1])] = move
    return found


def ends(board: Any) -> tuple[int, ...] | None:
    """How a game on their board has ended for white and black, with draws that players would claim; None if it has
    not."""
    if board.is_variant_end() or board.is_checkmate():
        winner = board.outcome().winner
        return (1, -1) if winner else (-1, 1)
    drawn = board.is_stalemate() or board.is_insufficient_material()
    return (0, 0) if drawn or board.halfmove_clock >= 100 or board.is_repetition(3) else None


def ours_ends(state: State) -> tuple[int, ...] | None:
    """The same of ours."""
    if state.result is None:
        return None
    return (0, 0) if state.result.tie else tuple(1 if seat in state.result.winners else -1 for seat in range(2))


def game(state: State, board: Any, seed: int, most: int = 400) -> str:
    """A game by chance on both, compared at every move; how it ended."""
    chance = random.Random(seed)
    for _ in range(most):
        result = ends(board)
        assert ours_ends(state) == result, f"seed {seed}: {board.fen()}"
        if result is not None:
            return str(result)
        found = named(state, board)
        assert set(found) == {move.uci() for move in board.legal_moves}, f"seed {seed}: {board.fen()}"
        uci = chance.choice(sorted(found))
        state.play(found[uci])
        board.push_uci(uci)
    return "unfinished"


@pytest.mark.parametrize("seed", range(8))
def test_games_by_chance(seed: int) -> None:
    game(rules_of("rules/chess.rules").start(), chess.Board(), seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 1100))
def test_many_games_by_chance(seed: int) -> None:
    game(rules_of("rules/chess.rules").start(), chess.Board(), seed, 1000)


OTHERS = {"king_of_the_hill": variant.KingOfTheHillBoard, "three_check_chess": variant.ThreeCheckBoard}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("seed", range(6))
def test_games_of_other_chess(name: str, seed: int) -> None:
    game(rules_of(f"examples/{name}.rules").start(), OTHERS[name](), seed, 200)


def chess960(seed: int) -> tuple[State, Any]:
    """A game of Chess960 from a beginning by chance, on both."""
    state = rules_of("examples/chess960.rules").start(seed=seed)
    places = [str(state.get_value("at", [f"{file}1"]) or "") for file in fen.FILES]
    kinds = rules_of("examples/chess960.rules").model().types["Man"]
    row = "".join(fen.letter(show(kinds, int(place))) for place in places)
    board = chess.Board(f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row} w KQkq - 0 1", chess960=True)
    return state, board


@pytest.mark.parametrize("seed", range(6))
def test_games_of_chess960(seed: int) -> None:
    game(*chess960(seed), seed, 200)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 500))
def test_many_games_of_other_chess(seed: int) -> None:
    game(*chess960(seed), seed, 400)
    for name, board in OTHERS.items():
        game(rules_of(f"examples/{name}.rules").start(), board(), seed, 400)


def test_chess960_begins_in_960_ways() -> None:
    """Each of them comes equally often: as its numbering says, bishops, queen and knights are drawn one by one."""
    weights: dict[str, Fraction] = {}

    def go(state: State, chance: Fraction) -> None:
        for value, share in state.outcomes():
            after = state.copy()
            after.resolve(value)
            go(after, chance * share)
        if state.waits_for == "move":
            row = "".join(str(state.get_value("at", [f"{file}1"])) + "," for file in fen.FILES)
            weights[row] = weights.get(row, Fraction(0)) + chance

    go(rules_of("examples/chess960.rules").interpreter(2).start(ask_chance=True), Fraction(1))
    assert len(weights) == 960
    assert set(weights.values()) == {Fraction(1, 960)}


ENDINGS = {
    "a pawn and much time": "8/4k3/8/8/3P4/8/4K3/8 w - - 60 1",
    "rooks": "4k3/r7/8/8/8/8/R7/4K3 w - - 40 1",
    "promotions": "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
    "castling only": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 80 1",
    "in passing, pinned": "8/8/3p4/KPp4r/1R3p1k/8/4P1P1/8 w - c6 0 1",
    "mate with the last move": "7k/8/5KQ1/8/8/8/8/8 w - - 99 80",
}


@pytest.mark.parametrize("name", ENDINGS)
def test_games_from_endings(name: str) -> None:
    for seed in range(6):
        board = chess.Board(ENDINGS[name])
        game(fen.position(rules_of("rules/chess.rules"), board.fen(en_passant="legal")), board, seed, 60)


def positions(games: int, first: int) -> list[Any]:
    """Varied positions: of games by chance in which captures, checks and pawns are liked."""
    found = []
    for seed in range(first, first + games):
        chance = random.Random(seed)
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 160:
            moves = list(board.legal_moves)
            liked = [m for m in moves if board.is_capture(m) or board.gives_check(m) or m.promotion
                     or board.is_castling(m) or board.piece_type_at(m.from_square) == chess.PAWN]
            board.push(chance.choice(liked if liked and chance.random() < 0.6 else moves))
            if chance.random() < 0.06 and not board.is_game_over():
                found.append(board.copy())
    return found


def same_moves(board: Any) -> None:
    """The moves of a position are the same."""
    state = fen.position(rules_of("rules/chess.rules"), board.fen(en_passant="legal"))
    if ends(board) is None:
        assert set(named(state, board)) == {move.uci() for move in board.legal_moves}, board.fen()


def test_moves_of_positions() -> None:
    found = positions(POSITIONS, 0)
    assert len(found) > 200
    for board in found:
        same_moves(board)


@pytest.mark.slow
def test_moves_of_many_positions() -> None:
    for board in positions(3000, 10_000):
        same_moves(board)
