"""Games with cards, dice and secrets, played on ours and on OpenSpiel's at once.

At each decision the same seat acts and has the same moves; where chance decides, both give the same outcomes the same
probabilities; both end together, and what each seat gets there is the same. Chance is chosen, not drawn, on both sides.

A `Match` says how theirs is written in ours. Its functions are given their state, ours and an action of theirs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulelang.engine import Move, State
from rulelang.loading import load

RULES = Path(__file__).parents[2] / "rules"
Text = Callable[[Any, State, int], str]
Returns = Callable[[State], Sequence[float]]


@dataclass(frozen=True)
class Match:
    """A game of ours and the same of theirs. `start` brings both to the first decision where their ways to deal
    differ; `step` may take a step on both in another way and says whether it did; `returns` is what ours gives each
    seat, in their measure; `last_is_forced` if they leave out decisions at the end that have one way only."""

    ours: str
    theirs: str
    move: Text
    chance: Text | None = None
    players: int = 2
    options: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    returns: Returns | None = None
    start: Callable[[Any, State, random.Random], None] | None = None
    step: Callable[[Match, Any, State, random.Random, str], bool] | None = None
    last_is_forced: bool = False

    def __str__(self) -> str:
        return " ".join([self.ours, *self.variants, *(f"{name}={value}" for name, value in self.parameters.items())])

    def begin(self) -> tuple[Any, State]:
        """Both games at their beginning."""
        import pyspiel

        rules = load(RULES / f"{self.ours}.rules", variants=self.variants, options=dict(self.options))
        ours = rules.interpreter(self.players).start(ask_chance=True)
        return pyspiel.load_game(self.theirs, dict(self.parameters)).new_initial_state(), ours


def play(match: Match, seed: int) -> int:
    """A random game on both at once; how many steps it took. The seed decides everything."""
    stream = random.Random(seed)
    theirs, ours = match.begin()
    where = f"{match}, seed {seed}"
    if match.start is not None:
        match.start(theirs, ours, stream)
    steps = 0
    while not theirs.is_terminal():
        assert not ours.over, f"ours is over, theirs goes on: {where}, step {steps}\n{theirs}"
        told = f"{where}, step {steps}\n{theirs}"
        if match.step is None or not match.step(match, theirs, ours, stream, told):
            if theirs.is_chance_node():
                draw(match, theirs, ours, stream, told)
            elif theirs.is_simultaneous_node():
                together(match, theirs, ours, stream, told)
            else:
                decide(match, theirs, ours, stream, told)
        steps += 1
    if match.last_is_forced:
        force(ours)
    assert ours.over, f"theirs is over, ours goes on: {where}\n{theirs}\n{[move.text for move in ours.moves()][:9]}"
    returns = (match.returns or won)(ours)
    assert list(theirs.returns()) == list(returns), f"{where}\n{theirs}"
    return steps


def draw(match: Match, theirs: Any, ours: State, stream: random.Random, told: str) -> None:
    """Let the same come by chance."""
    assert match.chance is not None and ours.waits_for == "chance", told
    actions: dict[str, list[tuple[int, float]]] = {}
    for action, likely in theirs.chance_outcomes():
        actions.setdefault(match.chance(theirs, ours, action), []).append((action, likely))
    likely_there = {text: sum(likely for _, likely in found) for text, found in actions.items()}
    likely_here = {ours.outcome_text(value): float(likely) for value, likely in ours.outcomes()}
    assert likely_there.keys() == likely_here.keys(), told
    assert all(abs(likely - likely_here[text]) < 1e-9 for text, likely in likely_there.items()), told
    text = stream.choices(list(likely_there), list(likely_there.values()))[0]
    theirs.apply_action(stream.choice(actions[text])[0])
    ours.resolve(text)


def decide(match: Match, theirs: Any, ours: State, stream: random.Random, told: str) -> None:
    """Let the same move be made."""
    assert ours.to_act == (theirs.current_player(),), told
    listed = {written(ours, move): move for move in ours.moves()}
    found = {match.move(theirs, ours, action): action for action in theirs.legal_actions()}
    assert set(listed) == set(found), f"{sorted(set(listed) ^ set(found))[:9]} {told}"
    assert len(found) == len(theirs.legal_actions()), told
    text = stream.choice(list(found))
    theirs.apply_action(found[text])
    ours.play(listed[text])


def together(match: Match, theirs: Any, ours: State, stream: random.Random, told: str) -> None:
    """Let all choose the same at once."""
    assert ours.to_act == tuple(range(match.players)), told
    chosen = []
    for seat in range(match.players):
        listed = {written(ours, move): move for move in ours.moves(seat)}
        found = {match.move(theirs, ours, action): action for action in theirs.legal_actions(seat)}
        assert set(listed) == set(found), f"{sorted(set(listed) ^ set(found))[:9]} {told}"
        text = stream.choice(list(found))
        chosen.append(found[text])
        ours.play(listed[text])
    theirs.apply_actions(chosen)


def force(ours: State) -> None:
    """Let ours go on as long as there is one way only."""
    while not ours.over:
        if ours.waits_for == "chance":
            [(value, _)] = ours.outcomes()
            ours.resolve(value)
        else:
            for seat in ours.to_act:
                [move] = ours.moves(seat)
                ours.play(move)


def written(ours: State, move: Move) -> str:
    """A move in full, whatever could be left out."""
    return ours.interpreter.notation.plain_text(move)


def won(ours: State) -> list[float]:
    """What a game gives that is only won or lost: the winners share 1, the others -1."""
    result = ours.result
    assert result is not None
    seats = range(ours.machine.seats)
    if result.tie or result.unfinished:
        return [0.0 for _ in seats]
    winners = len(result.winners)
    return [1.0 / winners if seat in result.winners else -1.0 / (ours.machine.seats - winners) for seat in seats]
