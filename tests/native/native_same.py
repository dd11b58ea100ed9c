"""The same game in both engines, ply for ply."""

from __future__ import annotations

import random

from rulelang.engine import PlayFault
from rulelang.native.engine import NativeEngine
from rulelang.native.playouts import Player


def same_games(engine: NativeEngine, games: int, most: int, first: int = 0) -> int:
    """Play games in both engines and compare every state, every list of moves, how often positions stood, and the end.
    How many plies were played."""
    interpreter = engine.interpreter
    plies = 0
    for seed in range(first, first + games):
        try:
            a = interpreter.start(seed=seed)
        except PlayFault as fault:
            _faults_too(lambda seed=seed: engine.start(seed=seed), fault)  # type: ignore[misc]
            continue
        b = engine.start(seed=seed)
        pick = random.Random(seed)
        for _ in range(most):
            last = a.history[-1].text if a.history else "the start"
            assert a.key(history=False) == b.key(), f"seed {seed}, after {last}: the states differ"
            assert list(a.core.counts) == list(b.core.counts), f"seed {seed}, after {last}: other numbers were drawn"
            assert a.result == b.result, f"seed {seed}, after {last}"
            if a.over:
                break
            assert a.to_act == b.to_act, f"seed {seed}, after {last}"
            for number, key in enumerate(interpreter.flow.keys):
                rt = a.scratch()
                assert rt.notes[number].get(key(rt), 0) == b.times(number), f"seed {seed}, after {last}"
            seat = pick.choice(a.to_act)
            moves = a.moves(seat)
            assert [move.steps for move in moves] == b.steps(seat), f"seed {seed}, after {last}: other moves"
            move = moves[pick.randrange(len(moves))]
            try:
                a.play(move)
            except PlayFault as fault:
                _faults_too(lambda b=b, move=move: b.make(move), fault)  # type: ignore[misc]
                break
            b.make(move)
            plies += 1
    return plies


def same_playouts(engine: NativeEngine, games: int, most: int = 10_000) -> None:
    """Random playouts, step for step."""
    player = Player(engine.interpreter)
    for seed in range(games):
        state, stream, native = engine.interpreter.start(seed=seed), player.stream(seed), engine.start(seed=seed)
        drawn = 0
        for _ in range(most):
            assert state.key(history=False) == native.key()
            if state.over:
                break
            before = len(state.to_act)
            for _ in range(before if state.core.actor < 0 else 1):
                state.play(player.choose(state, stream))
            drawn = native.playout_step(seed, drawn)


def _faults_too(act: object, fault: PlayFault) -> None:
    try:
        act()  # type: ignore[operator]
    except PlayFault as other:
        assert (other.diagnostic.place, other.diagnostic.code) == (fault.diagnostic.place, fault.diagnostic.code)
        return
    raise AssertionError(f"only the interpreter stops: {fault}")
