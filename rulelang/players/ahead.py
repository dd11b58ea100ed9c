"""What a move leads to in a supposed position: its effect, with what the others would choose at the same time."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.engine import Move, PlayFault, State, Stream
from rulelang.players.margin import Margin, margin


def as_listed(guess: State, moves: Sequence[Move], seat: int) -> list[Move]:
    """Some moves as a position lists them: made in copies of it, they need not be looked for among all again."""
    listed = {move: move for move in guess.moves(seat)}
    return [listed.get(move, move) for move in moves]


def margin_after(guess: State, move: Move, seat: int, chance: Stream) -> Margin:
    """How a seat stands after a move in a position that was made up. There a rule may fail that never fails in play:
    then nothing is learned from it, and it stands as before."""
    try:
        return margin(effect(guess, move, seat, chance), seat)
    except PlayFault:
        return margin(guess, seat)


def effect(position: State, move: Move, seat: int, chance: Stream) -> State:
    """The position after a move. Where others choose at the same time each chooses by chance, and a question of the
    table is answered by chance, with its model's chance of yes if it names one, so that the move has happened."""
    after = position.copy()
    together = len(position.to_act) > 1
    after.play(move, seat)
    while not after.over:
        if after.question is not None:
            expected = after.model_chance()
            after.answer(chance.bits() < (0.5 if expected is None else expected) * (1 << 64))
        elif together and after.phase == position.phase and any(other in position.to_act for other in after.to_act):
            if seat in after.to_act:
                break  # all have chosen, and it is the next choice already
            other = after.to_act[0]
            after.play(chance.choice(after.moves(other)), other)
        else:
            break
    return after
