"""The names of all moves of one position: each tells its move apart from the others.

A move is written by its action's template, or by default; moves that would be written alike are written in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulelang.engine.core import Core
from rulelang.engine.moves import Listing, Move
from rulelang.engine.notation import Notation, Step

if TYPE_CHECKING:
    from rulelang.engine.interpreter import Interpreter


class Names:
    """Names the moves of one position; keeps a copy of it until that is done."""

    __slots__ = ("core", "interpreter", "seat")

    def __init__(self, interpreter: Interpreter, core: Core, seat: int) -> None:
        self.interpreter = interpreter
        self.core = core
        self.seat = seat

    def texts(self, moves: Sequence[Move]) -> None:
        """Set the text of all these moves."""
        notation = self.interpreter.notation
        rt = self.core.copy()
        rt.quiet = True
        rt.me = self.seat
        first = _First(notation, rt)
        texts = [first.text(move.steps[0]) if len(move.steps) == 1 else first.chain(move) for move in moves]
        if len(set(texts)) == len(texts):
            for move, text in zip(moves, texts, strict=True):
                move.named(text)
            return
        written: dict[str, list[Move]] = {}
        for move, text in zip(moves, texts, strict=True):
            written.setdefault(text, []).append(move)
        for level in (1, 2):
            again: dict[str, list[Move]] = {}
            for text, several in written.items():
                if len(several) == 1:
                    again.setdefault(text, []).extend(several)
                else:
                    for move in several:
                        again.setdefault(_fuller(notation, move, level), []).append(move)
            written = again
        for text, several in written.items():
            for move in several:
                move.named(text)


class _First:
    """Writes the first steps of moves. Whether a choice had one possible value is asked once for all that chose alike
    before it."""

    __slots__ = ("known", "notation", "rt")

    def __init__(self, notation: Notation, rt: Core) -> None:
        self.notation = notation
        self.rt = rt
        self.known: dict[tuple[Any, ...], bool] = {}

    def text(self, step: Step) -> str:
        """A step as it is written here."""
        number, values = step
        notation, known = self.notation, self.known
        if notation.reads_locals[number]:
            return notation.step_text(self.rt, step)
        single: list[bool] = []
        for i, earlier in enumerate(notation.earlier[number]):
            key = (number, i, *[values[j] for j in earlier]) if earlier else (number, i)
            alone = known.get(key)
            if alone is None:
                alone = known[key] = notation.singles(self.rt, step)[i]
            single.append(alone)
        return notation.template(step, single, None) or notation.default(step, single)

    def chain(self, move: Move) -> str:
        """All steps of a move."""
        first, *later = move.steps
        return ", ".join([self.text(first), *(self.notation.later_text(step) for step in later)])


def _fuller(notation: Notation, move: Move, level: int) -> str:
    """The text of a move that is written like another: by default, or in full."""
    if level == 2:
        return notation.plain_text(move)
    return ", ".join(notation.default(step, [False] * len(step[1])) for step in move.steps)


class Again:
    """Names a move that was played, from the moves that there were."""

    __slots__ = ("core", "interpreter", "seat")

    def __init__(self, interpreter: Interpreter, core: Core, seat: int) -> None:
        self.interpreter = interpreter
        self.core = core
        self.seat = seat

    def texts(self, moves: Sequence[Move]) -> None:
        """Set the text of a move, by that of the same one among all."""
        rt = self.core.copy()
        rt.quiet = True
        rt.me = self.seat
        names = Names(self.interpreter, rt, self.seat)
        listed = [Move(self.seat, steps) for steps in self.interpreter.legal.moves(rt)]
        names.texts(listed)
        for move in moves:
            move.named(next(one.text for one in listed if one.steps == move.steps))


def listing(interpreter: Interpreter, rt: Core, seat: int) -> Listing:
    """The legal moves of a seat where a core waits, to be named when one of the names is wanted."""
    found = Listing(Names(interpreter, rt, seat))
    found.moves = [Move(seat, steps, None, found) for steps in interpreter.legal.moves(rt)]
    return found
