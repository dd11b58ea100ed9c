"""The same game in both engines, ply for ply."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial

from rulelang.engine import Interpreter, PlayFault, State
from rulelang.engine.moves import Move
from rulelang.engine.trace import TraceEntry, changes
from rulelang.native.engine import NativeEngine
from rulelang.native.playouts import Player
from rulelang.native.state import NativeState


@dataclass
class Pair:
    """One game in both engines. `before` and `last`: the position before the last move, and that move."""

    engine: NativeEngine
    seed: int
    a: State
    b: NativeState
    before: State | None = None
    last: Move | None = None

    def ply(self, pick: random.Random) -> bool:
        """Compare the position, the moves and what comes of one of them; False if the game is over."""
        a, b = self.a, self.b
        if a.key(history=False) != b.key() or list(a.core.counts) != list(b.core.counts) or a.result != b.result:
            raise AssertionError(self.state_differs())
        if a.over:
            return False
        if a.to_act != b.to_act:
            raise AssertionError(f"{self.where()}: {a.to_act} choose in the interpreter, {b.to_act} in C")
        rt = a.scratch()
        for number, key in enumerate(self.engine.interpreter.flow.keys):
            assert rt.notes[number].get(key(rt), 0) == b.times(number), f"{self.where()}: other counts of positions"
        seat = pick.choice(a.to_act)
        try:
            moves = a.moves(seat)
        except PlayFault as fault:
            _faults_too(partial(b.steps, seat), fault)
            return False
        if [move.steps for move in moves] != b.steps(seat):
            raise AssertionError(self.moves_differ(seat))
        self.last, self.before = moves[pick.randrange(len(moves))], a.copy()
        try:
            a.play(self.last)
        except PlayFault as fault:
            _faults_too(lambda: b.make(self.last), fault)
            return False
        b.make(self.last)
        return True

    def where(self) -> str:
        """Which game, after which move, by the line of its action."""
        if self.last is None:
            return f"seed {self.seed}, at the start"
        action = self.engine.machine.game.actions[self.last.steps[-1][0]]
        return f"seed {self.seed}, after `{self.last.text}` ({action.place.file}:{action.place.line})"

    def state_differs(self) -> str:
        """The rule that did what the native engine did not do, or did otherwise."""
        mine, theirs = self.a.core, self.b.core
        found = changes(self.engine.machine, mine, theirs)
        if not found:
            return f"{self.where()}: the same values, but another point of the game: {mine.node} and {theirs.node}, " \
                   f"numbers drawn {list(mine.counts)} and {list(theirs.counts)}, {self.a.result} and {self.b.result}"
        names = {text.split(":")[0] for text in found}
        rules = [entry for entry in self._traced() if any(text.split(":")[0] in names for text in entry.changes)]
        told = "\n   ".join(str(entry) for entry in rules) or "no rule changed it in the interpreter"
        return f"{self.where()}: the interpreter's value and C's: {'; '.join(found[:5])}\n   {told}"

    def moves_differ(self, seat: int) -> str:
        """The first move that one of them does not have, and the clause that decides it."""
        mine, theirs = [move.steps for move in self.a.moves(seat)], self.b.steps(seat)
        actions = self.engine.machine.game.actions
        odd = next((steps for steps in mine if steps not in theirs), None)
        if odd is not None:
            place = actions[odd[-1][0]].place
            return f"{self.where()}: C does not have the move {odd} ({place.file}:{place.line})"
        odd = next((steps for steps in theirs if steps not in mine), None)
        if odd is None:
            return f"{self.where()}: the same moves in another order, or twice"
        text = self.engine.interpreter.notation.plain_text(Move(seat, odd, None, None))
        why = self.a.explain(text, seat)
        rule = why.failed.place if why.failed is not None else actions[odd[-1][0]].place
        return f"{self.where()}: C has the move `{text}` too, against {rule.file}:{rule.line}: {why.reason}"

    def _traced(self) -> list[TraceEntry]:
        """What the rules did at the last move, or since the start."""
        entries: list[TraceEntry] = []
        traced = Interpreter(self.engine.interpreter.machine, trace=entries.append)
        if self.before is None or self.last is None:
            traced.start(seed=self.seed)
        else:
            State(traced, self.before.core.copy(), self.seed).play(
                next(move for move in self.before.moves(self.last.seat) if move.steps == self.last.steps))
        return entries


def same_games(engine: NativeEngine, games: int, most: int, first: int = 0) -> int:
    """Play games from the start in both engines, at most so many plies each, and compare every state, every list of
    moves, how often positions stood, and the end. How many plies were played."""
    plies = 0
    for seed in range(first, first + games):
        try:
            a = engine.interpreter.start(seed=seed)
        except PlayFault as fault:
            _faults_too(partial(engine.start, seed=seed), fault)
            continue
        plies += _same(Pair(engine, seed, a, engine.start(seed=seed)), most)
    return plies


def same_stretches(engine: NativeEngine, games: int, most: int, first: int = 0) -> int:
    """In each of many games, compare a few plies from a point that lies anywhere in it: C plays on to there alone.
    Where it matters which positions stood before, from the start."""
    if engine.interpreter.flow.keys:
        return same_games(engine, games, most, first)
    usual = engine.playouts(games=20, seed=first)
    plies = 0
    for seed in range(first, first + games):
        skip = random.Random(seed).randrange(1 + usual.plies // usual.games)
        b, drawn = engine.start(seed=seed), 0
        while skip and not b.over:
            drawn, skip = b.playout_step(seed, drawn), skip - 1
        core = b.core.copy()
        core.ask = False
        plies += _same(Pair(engine, seed, State(engine.interpreter, core, seed), b), most)
    return plies


def _same(pair: Pair, most: int) -> int:
    pick = random.Random(pair.seed)
    for plies in range(most):
        if not pair.ply(pick):
            return plies
    return most


def same_playouts(engine: NativeEngine, games: int, most: int = 10_000) -> None:
    """Random playouts, step for step, up to where the rules stop them."""
    player = Player(engine.interpreter)
    for seed in range(games):
        try:
            state = engine.interpreter.start(seed=seed)
        except PlayFault as fault:
            _faults_too(partial(engine.start, seed=seed), fault)
            continue
        stream, native, drawn = player.stream(seed), engine.start(seed=seed), 0
        for _ in range(most):
            assert state.key(history=False) == native.key()
            if state.over:
                break
            before = len(state.to_act)
            try:
                for _ in range(before if state.core.actor < 0 else 1):
                    state.play(player.choose(state, stream))
            except PlayFault as fault:
                _faults_too(partial(native.playout_step, seed, drawn), fault)
                break
            drawn = native.playout_step(seed, drawn)


def _faults_too(act: object, fault: PlayFault) -> None:
    try:
        act()  # type: ignore[operator]
    except PlayFault as other:
        assert (other.diagnostic.place, other.diagnostic.code) == (fault.diagnostic.place, fault.diagnostic.code)
        return
    raise AssertionError(f"only the interpreter stops: {fault}")
