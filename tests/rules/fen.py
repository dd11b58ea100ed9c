"""Positions of chess as one line of text (Forsyth–Edwards Notation), for tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulelang.engine import State
from rulelang.loading import Ruleset, load

RULES = Path(__file__).parents[2] / "rules"
KINDS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
FILES = "abcdefgh"


def position(rules: Ruleset, fen: str) -> State:
    """A game of chess that begins in that position."""
    rows, turn, castling, passed, *quiet = fen.split()
    state = rules.start()
    for cell, man in placed(rows):
        state.set_value("at", [cell], man)
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


def placed(rows: str) -> Iterator[tuple[str, str]]:
    """What stands on each cell."""
    for rank, row in zip(range(8, 0, -1), rows.split("/"), strict=True):
        spread = "".join("." * int(c) if c.isdigit() else c for c in row)
        for file, man in zip(FILES, spread, strict=True):
            side = "white" if man.isupper() else "black"
            yield f"{file}{rank}", "none" if man == "." else f"Man({side}, {KINDS[man.lower()]})"


def written(fens: Sequence[str], folder: Path) -> Ruleset:
    """Chess that begins in one of several positions, by chance."""
    shutil.copy(RULES / "chess.rules", folder)
    lines = ["extends: chess.rules", "game: Chess from several positions", "state:",
             f"  beginning: 1..{len(fens)}", "setup: |", "  roll beginning",
             "  for each c in Cell: at[c] := none"]
    for number, fen in enumerate(fens, 1):
        rows, turn, castling, passed, *_ = fen.split()
        lines.append(f"  if beginning = {number}:")
        lines += [f"    at[{cell}] := {man}" for cell, man in placed(rows) if man != "none"]
        lines += [f"    may_castle[{seat}, {side}] := {'on' if letter in castling else 'off'}"
                  for seat, letters in (("white", "KQ"), ("black", "kq"))
                  for side, letter in zip(("short", "long"), letters, strict=True)]
        if passed != "-":
            lines.append(f"    passed := {passed}")
        lines.append(f"    turn to {'white' if turn == 'w' else 'black'}")
    path = folder / "positions.rules"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load(path)


def letter(man: str) -> str:
    """The letter of a man, as a white rook is R."""
    found = next(letter for letter, name in KINDS.items() if name in man)
    return found.upper() if "white" in man else found
