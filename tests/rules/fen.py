"""Positions of chess as one line of text (Forsyth–Edwards Notation), for tests."""

from __future__ import annotations

from rulelang.engine import State
from rulelang.loading import Ruleset

KINDS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
FILES = "abcdefgh"


def position(rules: Ruleset, fen: str) -> State:
    """A game of chess that begins in that position."""
    rows, turn, castling, passed, *quiet = fen.split()
    state = rules.start()
    for rank, row in zip(range(8, 0, -1), rows.split("/"), strict=True):
        spread = "".join("." * int(c) if c.isdigit() else c for c in row)
        for file, man in zip(FILES, spread, strict=True):
            side = "white" if man.isupper() else "black"
            value = "none" if man == "." else f"Man({side}, {KINDS[man.lower()]})"
            state.set_value("at", [f"{file}{rank}"], value)
    for seat, letters in (("white", "KQ"), ("black", "kq")):
        for side, letter in zip(("short", "long"), letters, strict=True):
            state.set_value("may_castle", [seat, side], letter in castling)
    state.set_value("passed", [], "none" if passed == "-" else passed)
    state.set_value("quiet", [], int(quiet[0]) if quiet else 0)
    core = state.core
    core.player = core.actor = core.me = ("w", "b").index(turn)
    core.memo = [None] * len(core.memo)
    core.notes = [{} for _ in core.notes]
    core.turns = 0
    interpreter = state.interpreter
    core.node = interpreter.machine.entries.waits[core.phase]
    interpreter.flow.run(core)
    return State(interpreter, core, 0)


def letter(man: str) -> str:
    """The letter of a man, as a white rook is R."""
    found = next(letter for letter, name in KINDS.items() if name in man)
    return found.upper() if "white" in man else found
