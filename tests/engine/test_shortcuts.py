"""What the interpreter does to save time changes nothing: it agrees with one that asks everything anew, one by one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from engine_games import Play

from rulelang.engine import Interpreter, ops_calls
from rulelang.engine.compiler import Compiler
from rulelang.engine.filters import Filter, Filters
from rulelang.loading import load
from rulelang.model.ir import E
from rulelang.model.types import Type

DRAFTS = Path(__file__).parent.parent / "drafts"


@pytest.mark.parametrize("name", [
    "blox", "chess", "draughts", "go", "hearts", "kakuzu", "morris", pytest.param("blokus", marks=pytest.mark.slow),
])
def test_masks_and_memories_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = load(DRAFTS / f"{name}.rules").machine()
    fast = Interpreter(machine)

    def one_by_one(self: Filters, e: E, slot: int, of: Type) -> tuple[Filter, bool]:
        return self.one_by_one(self.c.simple(e), slot, of), False

    def call(c: Compiler, e: E) -> object:
        define = c.game.defines[e.data]
        return ops_calls._plain_call([c.fn(a) for a in e.args], define.slots, c.fn(define.body))

    with monkeypatch.context() as patch:
        patch.setattr(Filters, "make", one_by_one)
        patch.setattr(ops_calls, "_call_define", call)
        patch.setattr(Compiler, "_keep", lambda self, e: None)
        patch.setattr(Compiler, "simple", lambda self, e: e)
        slow = Interpreter(machine)
        for seed in range(2):
            a, b = fast.start(seed=seed), slow.start(seed=seed)
            chance = random.Random(seed)
            for _ in range(25):
                if a.over:
                    break
                if a.question is not None:
                    assert a.question == b.question
                    a.answer(True)
                    b.answer(True)
                    continue
                moves = a.moves()
                assert moves == b.moves()
                move = chance.choice(moves)
                a.play(move)
                b.play(move)
                assert a.key() == b.key()
            for seat in range(len(a.game.seats)):
                assert a.view(seat).values == b.view(seat).values


def test_copies_do_not_disturb_each_other(start: Play) -> None:
    state = start("""
        board: {grid: 3x3}
        state:
          at[c of Cell]: Player or none
        define:
          mine(p of Player): count of {c in Cell where at[c] = p}
        phases:
          only:
            actions: [put]
            after: next player
        actions:
          put: |
            choose c in Cell where at[c] is none and mine(me) < 3
            do:
              at[c] := me
        limit: {turns: 6}
    """)
    copies = []
    for move in state.moves():
        other = state.copy()
        other.play(move)
        copies.append((move, other))
    assert len(state.moves()) == 9
    for move, other in copies:
        assert len(other.moves()) == 8
        assert move.text not in [one.text for one in other.moves()]
    assert len({other.key() for _, other in copies}) == 9
