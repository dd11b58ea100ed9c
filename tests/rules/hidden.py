"""Pairs of games that differ only in what is hidden from one seat.

Two games of the same rules run side by side. What chance gives is the same in both where the seat sees it come, and
drawn for each on its own where it does not; the seat itself makes the same moves in both; the others make moves that
the seat is told alike. So long as nothing that was hidden comes to light, the seat must not be able to tell the two
games apart: not by what it sees, counts, may do or is told, nor by why a move is refused. To light come values that
are shown from now on, and what the course of the game tells: whose turn it is, which phase, who has won.

What is hidden is taken from the file's own `seen:` (that these say the right thing is tested beside this by name).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from rulelang.engine import Move, MoveError, State
from rulelang.engine.ops_state import entry_fn

SHOWN = ("values", "sizes", "player", "to_act", "phase", "turns", "rounds", "out", "result")
KEPT = ("moves", "messages", "question", "place")


@dataclass
class Walk:
    """What came of a pair: `steps` taken together, in how many of them the hidden facts differed, how many of the
    choices were different, and whether it ended since something `came_to_light` or there was `no_such_move`."""

    steps: int = 0
    apart: int = 0
    differently: int = 0
    came_to_light: bool = False
    no_such_move: bool = False
    trace: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)      # moves that anybody had before


def seen_by(state: State, variable: int, entry: int, seat: int) -> bool:
    """Whether the rules let a seat see an entry now."""
    seen = state.interpreter.views.seen[variable]
    return seen is None or bool(seen(state.scratch(), seat)[entry])


def drawn_entry(state: State) -> tuple[int, int]:
    """The variable, and its entry, that the draw which is waited for goes to."""
    interpreter = state.interpreter
    node = interpreter.machine.nodes[state.core.node]
    if node.kind == "start":
        return node.var, state.core.s[node.slot]
    assert node.statement is not None and node.statement.target is not None
    target = node.statement.target
    if target.whole:
        return target.var, state.core.s[node.slot]
    rt = state.scratch()
    at = entry_fn(interpreter.compiler, target.var, target.index)(rt)
    return target.var, at - interpreter.machine.fields[target.var].offset


def told(state: State, move: Move, seat: int) -> str:
    """How a seat is told of a move."""
    notation = state.interpreter.notation
    return notation.plain_text(move) if move.seat == seat or not notation.has_secret(move) else notation.public(move)


def walk(one: State, other: State, seat: int, stream: random.Random, most: int) -> Walk:
    """Play a pair as long as it goes. An AssertionError if the seat can tell the two apart."""
    found = Walk()
    _same(one, other, seat, found)
    while not found.came_to_light and found.steps < most and not one.over:
        if one.waits_for == "chance":
            done = _chance(one, other, seat, stream, found)
        elif one.waits_for == "judge":
            yes = stream.random() < 0.5
            one.answer(yes)
            other.answer(yes)
            done = True
        else:
            done = _move(one, other, seat, stream, found)
        if not done or not _same(one, other, seat, found):
            break
        found.steps += 1
    return found


def _chance(one: State, other: State, seat: int, stream: random.Random, found: Walk) -> bool:
    variable, entry = drawn_entry(one)
    assert drawn_entry(other) == (variable, entry), f"chance tells them apart: {found.trace}"
    here, there = dict(one.outcomes()), dict(other.outcomes())
    values = list(here)
    value = stream.choices(values, [float(here[x]) for x in values])[0]
    if seen_by(one, variable, entry, seat) or one.interpreter.machine.nodes[one.core.node].kind == "shuffle":
        if not there.get(value):
            found.no_such_move = True
            return False
        also = value
    else:
        values = list(there)
        also = stream.choices(values, [float(there[x]) for x in values])[0]
        found.differently += also != value
    found.trace.append(f"{one.outcome_text(value)} | {other.outcome_text(also)}")
    one.resolve(value)
    other.resolve(also)
    return True


def _move(one: State, other: State, seat: int, stream: random.Random, found: Walk) -> bool:
    actor = one.to_act[0]
    move = stream.choice(one.moves(actor))
    found.tried.append(one.interpreter.notation.plain_text(stream.choice(one.moves(actor))))
    free = one.core.actor < 0 and actor != seat and len(one.to_act) > 1 and stream.random() < 0.5
    same = [another for another in other.moves(actor)
            if free or told(other, another, seat) == told(one, move, seat)]     # of choices at once nothing is told yet
    if not same:
        assert actor != seat, f"a seat has other moves: {move.text} {found.trace}"
        found.no_such_move = True
        return False
    another = stream.choice(same)
    found.differently += another.steps != move.steps
    found.trace.append(f"{actor + 1}: {move.text} | {another.text}")
    one.play(move)
    other.play(another)
    return True


def answer(state: State, text: str, seat: int) -> str:
    """What is said to a seat that wants to make a move."""
    try:
        return state.read(text, seat).text
    except MoveError as error:
        return f"{type(error).__name__}: {error}"


def _same(one: State, other: State, seat: int, found: Walk) -> bool:
    """Whether nothing has come to light; an AssertionError if something else than what is seen differs."""
    ours, theirs = one.view(seat), other.view(seat)
    if any(getattr(ours, part) != getattr(theirs, part) for part in SHOWN):
        found.came_to_light = True
        return False
    for part in KEPT:
        assert getattr(ours, part) == getattr(theirs, part), f"`{part}` tells them apart: {found.trace[-5:]}\n" \
            f"{_difference(getattr(ours, part), getattr(theirs, part))}"
    if seat in one.to_act:
        for text in found.tried[-6:]:
            assert one.explain(text, seat) == other.explain(text, seat), f"why `{text}` is refused tells them apart"
            assert answer(one, text, seat) == answer(other, text, seat), f"what is said to `{text}` tells them apart"
            for prefix in ("", text[:1], text.split()[0] + " "):
                assert one.complete(prefix, seat) == other.complete(prefix, seat), f"how `{prefix}` may go on differs"
    found.apart += one.key() != other.key()
    assert [move.text for move in ours.moves] == [move.text for move in theirs.moves], found.trace
    return True


def _difference(a: Any, b: Any) -> str:
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return "\n".join(f"{x}  |  {y}" for x, y in zip(a, b, strict=True) if x != y)
    return f"{a}\n{b}"
