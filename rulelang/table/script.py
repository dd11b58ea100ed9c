"""A game without a terminal: moves come from lines of text, bots play the other seats, the last line is the result."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TextIO

from rulelang.engine import MoveError, quoted
from rulelang.source.diagnostic import RulelangError
from rulelang.table.explaining import refusal_data, refusal_lines
from rulelang.table.facts import clock_seconds, options_data
from rulelang.table.fitting import sheet_of
from rulelang.table.seats import HUMAN
from rulelang.table.session import Table
from rulelang.table.telling import Teller, plain
from rulelang.table.words import result_data, result_line, title_line

_ANSWERS = {"yes": True, "y": True, "no": False, "n": False}


class Lines:
    """The lines of a script, read one by one as they are needed; blank ones and those that begin with # are not
    moves. `number` is the place of the last one in the file."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._waiting: list[str] = []
        self.number = 0

    def any(self) -> bool:
        """Whether there is (still) a line."""
        if not self._waiting:
            self._waiting = [line for line in (self._read(),) if line is not None]
        return bool(self._waiting)

    def next(self) -> str | None:
        """The next line; None at the end."""
        return self._waiting.pop() if self.any() else None

    def _read(self) -> str | None:
        if self._stream is None:
            return None
        for line in iter(self._stream.readline, ""):
            self.number += 1
            if line.strip() and not line.lstrip().startswith("#"):
                return line.strip()
        self._stream = None
        return None


class BadLine(RulelangError):
    """A line of the script cannot be played; `data` says it for machines."""

    def __init__(self, text: str, data: dict[str, Any]) -> None:
        self.data = data
        super().__init__(text)


def play(
    table: Table, lines: Lines, out: TextIO, *, as_json: bool = False, trace: TextIO | None = None,
    tick: Callable[[str], None] | None = None,
) -> None:
    """Play until the game is over or the lines end where a person's move is wanted; print what happens and the result.

    A line that cannot be played raises `BadLine`; what was played until then is saved. What each rule did goes to
    `trace`; `tick` is told how far it is.
    """
    teller = Teller(table, None, sheet=lambda: sheet_of(out))
    scripted = lines.any()
    if not as_json:
        header = table.header
        title = title_line(header.game, header.variant, header.options, header.players, header.seed)
        print(title, file=out, flush=True)
    while not table.state.over:
        if not _one(table, lines, scripted):
            break
        if not as_json:
            for text in teller.news():
                print(text, file=out, flush=True)
        if trace is not None:
            for text in teller.traces():
                print(text, file=trace, flush=True)
        if tick is not None:
            tick(f"move {len(table.happenings)}")
    for text in [] if as_json else plain([*teller.news(), *teller.board(), *teller.panels()]):
        print(text, file=out)
    data = outcome(table)
    if table.state.over:
        table.finish(data)
    if as_json:
        print(json.dumps(data, ensure_ascii=False), file=out, flush=True)
    else:
        print(result_line(table.state.result, table.names, len(table.moves)), file=out, flush=True)


def outcome(table: Table) -> dict[str, Any]:
    """The result, or how far the game is, for machines."""
    header = table.header
    return result_data(
        title=header.game, variants=header.variant, options=options_data(table.state.game), players=header.players,
        seed=header.seed, moves=table.moves_told(), result=table.state.result,
    )


def _one(table: Table, lines: Lines, scripted: bool) -> bool:
    """Let one thing happen; whether there was anything to go on with."""
    state = table.state
    if state.question is not None:
        return _answer(table, lines, scripted)
    seat = state.to_act[0]
    if table.seats[seat] != HUMAN:
        table.bot_move(seat)
        return True
    line = lines.next()
    if line is None:
        return False
    if line.lower() == "clock out" and clock_seconds(state.game):
        table.clock_out(seat)
        return True
    try:
        table.play(seat, line)
    except MoveError as error:
        place = f"line {lines.number}, {quoted(line)} by {table.names[seat]}"
        details = "\n".join(f"   {text}" for text in refusal_lines(error))
        raise BadLine(
            f"{place}: {error}" + (f"\n{details}" if details else ""),
            {"line": lines.number, "move": line, "seat": seat + 1, **refusal_data(error)},
        ) from error
    return True


def _answer(table: Table, lines: Lines, scripted: bool) -> bool:
    """Answer the question that waits: by the model it names; else from the script, or in a game of bots alone by chance
    from the seed."""
    judged = table.judged()
    if judged is not None:
        table.answer(judged)
        return True
    if not scripted:
        table.answer(table.coin())
        return True
    line = lines.next()
    if line is None:
        return False
    if line.lower() not in _ANSWERS:
        question = table.state.question
        text = question.text if question is not None else ""
        raise BadLine(
            f"line {lines.number}, {quoted(line)}: a question waits, answer yes or no\n   {text}",
            {"line": lines.number, "kind": "question", "message": f"a question waits, answer yes or no: {text}"},
        )
    table.answer(_ANSWERS[line.lower()])
    return True


