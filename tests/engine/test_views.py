"""Views are made of what is kept from one to the next; here they are compared with views that are made from nothing."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from rulelang.engine import HIDDEN, State
from rulelang.engine.chance import looks
from rulelang.engine.events import TOLD
from rulelang.engine.naming import Names
from rulelang.loading import load

RULES = Path(__file__).parents[2] / "rules"
NAMES = ("blox", "hearts", "battleship", "goofspiel", "go_fish", "kuhn_poker", "liars_dice", "kakuzu", "tic_tac_toe",
         "english_draughts", "crazy_eights", "rock_paper_scissors")


def messages(state: State, seat: int | None) -> tuple[str, ...]:
    """What a seat was told, from all events."""
    told = (event.text_for(seat) for event in state.events if event.kind in TOLD)
    return tuple(text for text in told if text is not None)


def values(state: State, seat: int | None) -> dict[str, tuple[Any, ...]]:
    """What a seat sees, asked entry by entry."""
    compiler = state.interpreter.compiler
    found = {}
    for number, field in enumerate(state.machine.fields):
        variable = state.game.variables[number]
        entries = []
        for place, indices in enumerate(field.indices()):
            rt = state.core.copy()
            open_ = True
            if variable.seen is not None:
                rt.s += [0] * (compiler.slots - len(rt.s))
                rt.s[variable.viewer_slot] = seat
                for slot, value in zip(variable.slots, indices, strict=True):
                    rt.s[slot] = value
                asked = compiler.fn(variable.seen)
                open_ = bool(asked(rt)) if seat is not None else looks(asked, rt)
            entries.append(rt.v[field.offset + place] if open_ else HIDDEN)
        found[field.name] = tuple(entries)
    return found


def texts(state: State, seat: int) -> list[str]:
    """The names of a seat's moves: each written on its own, those that would be alike as they are told apart."""
    rt = state.core.copy()
    rt.quiet = True
    rt.me = seat
    notation = state.interpreter.notation
    legal = state.moves(seat)
    found = []
    for move in legal:
        first, *later = move.steps
        found.append(", ".join([notation.step_text(rt, first), *map(notation.later_text, later)]))
    if len(set(found)) != len(found):
        Names(state.interpreter, rt, seat).texts(legal)
        return [move.text for move in legal]
    return found


def compare(state: State) -> None:
    """All seats' views, and the onlookers', with those that are made from nothing."""
    supplies = {variable.name for variable in state.game.variables if variable.supply is not None}
    for seat in (None, *range(len(state.game.seats))):
        view = state.view(seat)
        assert view.messages == messages(state, seat)
        for name, entries in values(state, seat).items():
            if name not in supplies:
                assert view.values[name] == entries, name
        if seat in state.to_act:
            assert seat is not None
            assert [move.text for move in view.moves] == texts(state, seat)
        else:
            assert view.moves == ()


def step(state: State, stream: random.Random) -> None:
    """Whatever comes next, by chance."""
    if state.waits_for == "judge":
        state.answer(stream.random() < 0.5)
    else:
        seat = stream.choice(state.to_act)
        state.play(stream.choice(state.moves(seat)), seat)


@pytest.mark.parametrize("name", NAMES)
def test_views_are_those_made_from_nothing(name: str) -> None:
    """In games that branch, are taken back, and are looked at now and then only."""
    stream = random.Random(name)
    state = load(RULES / f"{name}.rules").start(seed=5)
    kept: list[State] = []
    for _ in range(30):
        if state.over:
            break
        chance = stream.random()
        if chance < 0.2:
            kept.append(state.copy())
        elif chance < 0.3 and state.history:
            state.undo()
        elif chance < 0.4 and kept:
            kept.append(state)
            state = kept.pop(0)
        if state.over:
            break
        step(state, stream)
        if stream.random() < 0.5:
            compare(state)
    for one in (state, *kept):
        compare(one)


def test_what_was_told_before_stays_as_it_was() -> None:
    """A view that is kept does not change while two games go on from there."""
    state = load(RULES / "tic_tac_toe.rules").start()
    state.play("b2")
    before = state.view(0)
    heard = before.messages
    one, other = state.copy(), state.copy()
    one.play("a1")
    other.play("c3")
    assert one.view(0).messages == (*heard, "nought: mark a1") == messages(one, 0)
    assert other.view(0).messages == (*heard, "nought: mark c3") == messages(other, 0)
    assert before.messages == heard
    assert before == state.view(0)
