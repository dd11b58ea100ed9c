"""Solve a small game: who wins if both sides play as well as can be, and how.

Looked through are the positions of a game of two seats in which nothing is left to chance, hidden or chosen together,
each position once: best first by what has cut off much elsewhere, with the bounds that are already known (alpha-beta).
Won, drawn and lost are all that is told apart, not by how much.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Protocol

from rulelang.engine import Move, State
from rulelang.model.game import Game
from rulelang.model.ir import E, S
from rulelang.source.diagnostic import RulelangError

if TYPE_CHECKING:
    from rulelang.native.engine import NativeEngine
    from rulelang.native.state import NativeState

LOSS, DRAW, WIN = -1, 0, 1
CHANCE = frozenset({"draw", "deal", "roll", "shuffle"})
TELL_EVERY = 512
DEEPEST = 20_000

Tick = Callable[["Solution"], None]


class SolveError(RulelangError):
    """A game that cannot be solved in this way."""


@dataclass(slots=True)
class Solution:
    """What is known so far. `value` is the first seat's: 1, 0 or -1, None until it is known. `moves` says the same of
    each first move whose worth is known, `line` how the best play goes. `positions` have been looked at."""

    seats: tuple[str, ...]
    value: int | None = None
    moves: dict[str, int] = field(default_factory=dict)
    line: list[str] = field(default_factory=list)
    positions: int = 0
    seconds: float = 0.0

    @property
    def winner(self) -> str:
        """The seat that wins, or nothing."""
        return self.seats[0] if self.value == WIN else self.seats[1] if self.value == LOSS else ""


def solve(state: State, found: Solution | None = None, tick: Tick | None = None, every_move: bool = False,
          engine: NativeEngine | None = None) -> Solution:
    """Solve a game from a position on. `found` is filled as it goes, `tick` called now and then with it. With
    `every_move` the worth of each first move is found exactly. A native engine of the game searches in the
    interpreter's place, if `state` is the game's beginning and `searchable` holds."""
    refuse(state)
    found = found if found is not None else Solution(state.game.seats)
    began = time.perf_counter()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))
    try:
        if engine is not None:
            _whole(found, _Compiled(found, tick, engine), engine.start(), every_move)
        else:
            root = state.copy()
            root.core.quiet = True
            _whole(found, _Interpreted(found, tick, state.game), root, every_move)
    finally:
        sys.setrecursionlimit(limit)
        found.seconds = time.perf_counter() - began
    return found


def refuse(state: State) -> None:
    """`SolveError` with the reason, if a game is not of the kind that is solved here."""
    game = state.game
    if len(game.seats) != 2:
        raise SolveError(f"only games of two players are solved, and this one is played by {len(game.seats)}")
    if any(phase.who == "together" for phase in game.phases):
        raise SolveError("this game is not solved: players choose at once in it")
    ops = set(_ops(game))
    if ops & CHANCE or any(v.start.kind in ("random", "random_with") for v in game.variables):
        raise SolveError("this game is not solved: there is chance in it")
    if "judge" in ops:
        raise SolveError("this game is not solved: the table judges in it")
    hidden = [v.name for v in game.variables if v.seen is not None]
    if hidden:
        raise SolveError(f"this game is not solved: `{hidden[0]}` is not seen by everybody")


def _ops(part: Any) -> Iterator[str]:
    """What a checked game does and asks, by the names of the kinds of its expressions and statements."""
    if isinstance(part, (E, S)):
        yield part.op
    if is_dataclass(part):
        for one in fields(part):
            yield from _ops(getattr(part, one.name))
    elif isinstance(part, (tuple, list)):
        for one in part:
            yield from _ops(one)


class _Ahead(Protocol):
    """What tells a position's worth."""

    def value(self, state: Any, low: int, high: int) -> int:
        """The first seat's worth of a position: exact if it is between low and high, else a bound beyond them."""
        ...


def _whole(found: Solution, ahead: _Ahead, root: Any, every_move: bool) -> None:
    """Fill in what a game is worth, its first moves and its best play."""
    if root.over:
        found.value = _worth(root)
        return
    first = root.to_act[0] == 0
    best = LOSS if first else WIN
    for move in root.moves():
        after = _after(root, move)
        low, high = (LOSS, WIN) if every_move else (best, WIN) if first else (LOSS, best)
        value = ahead.value(after, low, high)
        won = value == (WIN if first else LOSS)
        if every_move or won or low < value < high or not found.moves:
            found.moves[move.text] = value
        best = max(best, value) if first else min(best, value)
        if not every_move and best == (WIN if first else LOSS):
            break
    found.value = best
    found.line = _line(ahead, root)


def _line(ahead: _Ahead, state: Any) -> list[str]:
    """How the game goes if both play well: a move that keeps what the position is worth, until it ends."""
    line: list[str] = []
    while not state.over and len(line) < DEEPEST:
        worth = ahead.value(state, LOSS, WIN)
        for move in state.moves():
            after = _after(state, move)
            if ahead.value(after, LOSS, WIN) == worth:
                line.append(move.text)
                state = after
                break
    return line


class _Compiled:
    """The native engine's search."""

    def __init__(self, found: Solution, tick: Tick | None, engine: NativeEngine) -> None:
        from rulelang.native.searching import Search

        self.found, self.tick = found, tick
        differ = _differ(engine.machine.game)
        self.search = Search(engine, turns=differ[0], rounds=differ[1])

    def value(self, state: NativeState, low: int, high: int) -> int:
        """As `_Ahead` says."""
        from rulelang.native.searching import CannotSearch

        try:
            return self.search.value(state, low, high, self._look)
        except CannotSearch as why:
            raise SolveError(f"this game is not solved: {why}") from None
        finally:
            self.found.positions = self.search.positions

    def _look(self) -> None:
        self.found.positions = self.search.positions
        if self.tick is not None:
            self.tick(self.found)


def _differ(game: Game) -> tuple[bool, bool]:
    """Whether positions are different if only the number of their turn is, and of their round."""
    asked = set(_ops(game))
    return game.limit is not None or "turns" in asked, "rounds" in asked


class _Interpreted:
    """A search by the interpreter: the bounds of all positions seen, and how often each move has cut off."""

    def __init__(self, found: Solution, tick: Tick | None, game: Game) -> None:
        self.found = found
        self.tick = tick
        self.history = "times" in set(_ops(game))
        self.turns, self.rounds = _differ(game)
        self.known: dict[Hashable, tuple[int, int]] = {}
        self.good: dict[Any, int] = {}
        self.path: set[Hashable] = set()

    def value(self, state: State, low: int, high: int) -> int:
        """As `_Ahead` says."""
        if state.over:
            return _worth(state)
        key = self._key(state)
        least, most = self.known.get(key, (LOSS, WIN))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        if key in self.path:
            raise SolveError("this game is not solved: it can come back to a position, and go on for ever")
        low, high = max(low, least), min(high, most)
        self.path.add(key)
        self._look()
        found = self._best(state, low, high)
        self.path.discard(key)
        self.known[key] = (found if found > low else least, found if found < high else most)
        return found

    def _best(self, state: State, low: int, high: int) -> int:
        first = state.to_act[0] == 0
        best = LOSS if first else WIN
        for move in self._ordered(state, state.moves()):
            value = self.value(_after(state, move), low, high)
            if first:
                best = max(best, value)
                low = max(low, best)
            else:
                best = min(best, value)
                high = min(high, best)
            if low >= high:
                self.good[move.seat, move.steps] = self.good.get((move.seat, move.steps), 0) + 1
                break
        return best

    def _ordered(self, state: State, moves: list[Move]) -> list[Move]:
        good = self.good
        return sorted(moves, key=lambda move: -good.get((move.seat, move.steps), 0))

    def _key(self, state: State) -> Hashable:
        return (state.key(self.history), state.turns if self.turns else 0, state.rounds if self.rounds else 0)

    def _look(self) -> None:
        self.found.positions += 1
        if self.tick is not None and self.found.positions % TELL_EVERY == 0:
            self.tick(self.found)


def _after(state: Any, move: Move) -> Any:
    after = state.copy()
    after.play(move)
    return after


def _worth(state: Any) -> int:
    winners = state.result.winners
    return WIN if 0 in winners else LOSS if winners else DRAW
