"""Games of rules files and of OpenSpiel played side by side: at each decision the same seat acts and has the same
moves, and both end together with the same result.

A `Pair` names the two games and translates moves of OpenSpiel to the text of ours. Where one of our moves is several of
theirs (a chain of jumps, a move and its arrow) `turns` collects theirs to the end of the turn.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulelang.engine import Move, State
from rulelang.loading import load

RULES = Path(__file__).parents[2] / "rules"
Text = Callable[[Any, State, str, int], str]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Pair:
    """A game of ours and the same game of theirs. `text` is given their state, ours, and a move of theirs, as they
    write it and by its number; `seats` is our seat for each of theirs,
    `gives` -1 where who wins there loses here."""

    ours: str
    theirs: str
    text: Text
    options: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    seats: tuple[int, ...] = (0, 1)
    ours_as: Callable[[str], str] = str
    whole_turns: bool = False
    gives: int = 1

    def __str__(self) -> str:
        sizes = [f"{name}={value}" for name, value in self.parameters.items()]
        return " ".join([self.ours.split("/")[-1], *self.variants, *sizes])


def returns(state: State) -> tuple[int, ...]:
    """What a finished game gives each of two seats: 1, 0 or -1."""
    result = state.result
    assert result is not None and not result.unfinished
    if result.tie:
        return (0, 0)
    return tuple(1 if seat in result.winners else -1 for seat in range(2))


def turns(theirs: Any, texts: Callable[[Any, int], str]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All ways for the player of theirs to go on until another player acts, with the positions at their ends."""
    player = theirs.current_player()
    for action in theirs.legal_actions():
        after = theirs.clone()
        text = texts(theirs, action)
        after.apply_action(action)
        if not after.is_terminal() and after.current_player() == player:
            for rest, end in turns(after, texts):
                yield (text, *rest), end
        else:
            yield (text,), after


def play(pair: Pair, seed: int, most: int = 3000) -> int:
    """A random game on both at once, compared at every decision; how many moves it had."""
    import pyspiel

    chance = random.Random(seed)
    rules = load(RULES / f"{pair.ours}.rules", options=dict(pair.options), variants=pair.variants)
    ours = rules.start()
    theirs = (pyspiel.load_game(pair.theirs, dict(pair.parameters)) if pair.parameters
              else pyspiel.load_game(pair.theirs)).new_initial_state()
    moves = 0
    while not ours.over and moves < most:
        where = f"{pair}, seed {seed}, move {moves}:\n{theirs}"
        assert not theirs.is_terminal(), f"theirs is over, ours goes on: {where}"
        assert ours.to_act == (pair.seats[theirs.current_player()],), where
        listed = {pair.ours_as(move.text): move for move in ours.moves()}
        found = dict(_theirs(pair, theirs, ours))
        assert set(listed) == set(found), f"{sorted(set(listed) ^ set(found))[:9]} {where}"
        text = chance.choice(sorted(listed))
        ours.play(listed[text])
        theirs = found[text]()
        moves += 1
    if ours.over:
        assert theirs.is_terminal(), f"ours is over, theirs goes on: {pair}, seed {seed}\n{theirs}"
        given = tuple(theirs.returns()[pair.seats.index(seat)] for seat in range(2))
        assert tuple(pair.gives * _sign(one) for one in given) == returns(ours), f"{pair}, seed {seed}\n{theirs}"
    return moves


def _sign(x: float) -> int:
    return (x > 0) - (x < 0)


def _theirs(pair: Pair, theirs: Any, ours: State) -> Iterator[tuple[str, Callable[[], Any]]]:
    def text(state: Any, action: int) -> str:
        return pair.text(state, ours, state.action_to_string(state.current_player(), action), action)

    def after(action: int) -> Callable[[], Any]:
        def go() -> Any:
            theirs.apply_action(action)
            return theirs
        return go

    if pair.whole_turns:
        for texts, end in turns(theirs, text):
            yield ",".join(texts), lambda end=end: end
    else:
        for action in theirs.legal_actions():
            yield text(theirs, action), after(action)


# ------------------------------------------------------------------------------------------------ how moves are written


def row_by_row(width: int, height: int, before: str = "") -> Text:
    """Cells that are numbered row by row from the top."""
    def text(theirs: Any, ours: State, name: str, action: int) -> str:
        return f"{before}{LETTERS[action % width]}{height - action // width}"
    return text


def same(theirs: Any, ours: State, name: str, action: int) -> str:
    """What is written alike."""
    return name


def column(theirs: Any, ours: State, name: str, action: int) -> str:
    """Columns from 0."""
    return str(action + 1)


def upside_down(height: int) -> Text:
    """From and to, with the first row above; a star behind what takes."""
    def text(theirs: Any, ours: State, name: str, action: int) -> str:
        return "".join(str(height + 1 - int(c)) if c.isdigit() else c for c in name.rstrip("*"))
    return text


def hex_cell(theirs: Any, ours: State, name: str, action: int) -> str:
    """A cell; what is taken already is taken over."""
    taken = ours.turns == 1 and name == next(iter(ours.history)).text
    return "swap" if taken else name


POINTS = tuple(
    "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split())  # noqa: SIM905


def morris(theirs: Any, ours: State, name: str, action: int) -> str:
    """Points from the top."""
    if name.startswith("Point"):
        return ("x" if ours.phase == "taking" else "") + POINTS[action]
    start, goal = name.removeprefix("Move ").split(" -> ")
    return f"{POINTS[int(start)]}-{POINTS[int(goal)]}"


def go_point(theirs: Any, ours: State, name: str, action: int) -> str:
    """Points without an i."""
    point = name.split()[1].lower()
    if point == "pass":
        return point
    return LETTERS["abcdefghjklmnopqrst".index(point[0])] + point[1:]


def pit(theirs: Any, ours: State, name: str, action: int) -> str:
    """Pits around the board, the second player's from 8."""
    return str(action if action < 7 else action - 7)


def jump(theirs: Any, ours: State, name: str, action: int) -> str:
    """A step or jump between squares, the board turned round, squares numbered row by row."""
    assert ours.game.board is not None
    board = ours.game.board
    numbers = {(board.column[i], board.row[i]): cell for i, cell in enumerate(board.names)}

    def number(square: str) -> str:
        return numbers[8 - LETTERS.index(square[0]), 9 - int(square[1])]

    sign = "x" if abs(int(name[1]) - int(name[3])) == 2 else "-"
    return f"{number(name[:2])}{sign}{number(name[2:])}"


def amazon(theirs: Any, ours: State, name: str, action: int) -> str:
    """A square, by row from above and column."""
    row, col = name[name.index("(") + 1:-1].split(", ")
    return f"{LETTERS[int(col) - 1]}{11 - int(row)}"


def unspaced(text: str) -> str:
    """A chain without spaces."""
    return text.replace(" ", "")


def by_commas(text: str) -> str:
    """An amazon's move as its three squares."""
    return text.replace("-", ",").replace("/", ",")


def without_name(text: str) -> str:
    """A move without the name of its action."""
    return text.split()[-1]


__all__ = ["Move", "Pair", "play"]
