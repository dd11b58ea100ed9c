"""What is told to one person at the table: what happened since they last looked, the board, each seat's panel.

Everything comes from the person's view and from the events as their seat is told of them. Lines are texts, or lists of
pieces with a style each, for printers that know colours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any

from rulelang.engine import HIDDEN, Event, Interpreter, State, TraceEntry, View
from rulelang.engine.events import TOLD, events_of
from rulelang.engine.views import Values
from rulelang.model.game import Game, Variable
from rulelang.model.ir import E
from rulelang.model.types import BagOf, DeckOf, ListOf, Maybe, SetOf, Type, empty_of, show
from rulelang.table.explaining import shortened, where
from rulelang.table.fitting import Sheet
from rulelang.table.looks import Looks, look, seat_colour
from rulelang.table.reading import Reader
from rulelang.table.session import Table, revealed

Piece = tuple[str, str]
Shown = list[Piece]

_TOLD = TOLD - {"end"} | {"round"}
_MOST_REVEALED = 4
_MOST_IN_PANEL = 8


class Teller:
    """Tells one seat (or an onlooker, None) of a game as it goes on."""

    def __init__(
        self, table: Table, seat: int | None, *, trace: bool = False, left: Sequence[float] | None = None,
        coloured: bool = False, sheet: Callable[[], Sheet] = Sheet,
    ) -> None:
        self.table = table
        self.seat = seat
        self.trace = trace
        self.left = left
        self.coloured = coloured
        self.sheet = sheet  # as it is now: a terminal may be made wider
        self.told: int | None = None  # how many happenings were told of; none yet
        self._looks: Looks | None = None

    def taken_back(self, index: int) -> None:
        """Only the first happenings stand: what stands and was not told yet is still to be told."""
        if self.told is not None:
            self.told = min(self.told, index)

    def pass_over(self, number: int) -> None:
        """The first happenings are known already."""
        self.told = max(self.told or 0, number)

    def news(self) -> list[str]:
        """What happened since this was last asked, a line each; what a move brought to light follows the move."""
        before, *past = self.table.past(self.told or 0)
        lines = self._lines(before.events) if self.told is None else []
        seen = self._seen(before)
        for state in past:
            events = events_of(state.core, before.core.log)
            old, seen, before = seen, self._seen(state), state
            at = max((number for number, event in enumerate(events, 1) if event.kind == "move"), default=len(events))
            lines += [*self._lines(events[:at]), *self._came_to_light(old, seen), *self._lines(events[at:])]
        self.told = len(self.table.happenings)
        return [*_counted(lines), *(self.traces() if self.trace else [])]

    def traces(self) -> list[str]:
        """What each rule did since this was last asked. Where only bots play all of it may be told, else only what this
        seat may see."""
        entries = self.table.traced[:]
        self.table.traced.clear()
        return [f"    {self._traced(entry)}" for entry in entries]

    def _traced(self, entry: TraceEntry) -> str:
        """What a rule did: its place, its name, what it changed, how it was left."""
        changes, nothing = entry.changes, "nothing changed"
        if self.table.people:
            views = self.table.interpreter.views
            changes = views.changes(entry, self.seat)
            if views.hides(entry, self.seat):
                nothing = "nothing changed that is seen"
        told = f"{where(entry.place)}: {entry.rule}: {'; '.join(changes) or nothing}"
        return told + (f" [{entry.exit}]" if entry.exit else "")

    def _lines(self, events: Sequence[Event]) -> list[str]:
        """Events as this seat is told them; how the game ended is told by the result."""
        texts = [event.text_for(self.seat) for event in events if event.kind in _TOLD]
        return [text for text in texts if text]

    def _seen(self, state: State) -> Values:
        """What this seat sees of a position, in a game that hides something."""
        return self.table.seen(state, self.seat) if self.table.interpreter.compiler.hidden else {}

    def _came_to_light(self, old: Values, new: Values) -> list[str]:
        """What this seat could not see before and can now: a line each, or of many of one variable the first in one."""
        fields = self.table.interpreter.views.by_name
        found: dict[str, list[str]] = {}
        for name, place in revealed(old, new):
            field = fields[name]
            index = ", ".join(map(show, field.index_types, field.indices()[place]))
            value = show(field.type, new[name][place])
            found.setdefault(name, []).append(f"{index}: {value}" if index else value)
        lines = []
        for name, texts in found.items():
            if len(texts) > _MOST_REVEALED:
                more = f" … and {len(texts) - _MOST_REVEALED} more"
                texts = [" · ".join(texts[:_MOST_REVEALED]) + more]
            lines += [f"{_label(name)} {text}" for text in texts]
        return lines

    def board(self) -> list[Shown]:
        """The board; cells that look otherwise than when it was last shown are underlined."""
        game = self.table.state.game
        if game.board is None:
            return []
        sheet = self.sheet()
        looks = look(self.table.interpreter, self.table.state.view(self.seat), sheet)
        before = self._looks or looks
        self._looks = looks
        lines = []
        for line in sheet.board(game.board, looks.glyphs if self.coloured else looks.lettered()):
            pieces = []
            for text, cell in line:
                style = "dim" if cell < 0 else looks.colours.get(cell, "")
                if cell in looks.grounds:
                    style += f" on:{looks.grounds[cell]}"
                if cell >= 0 and looks.glyphs.get(cell) != before.glyphs.get(cell):
                    style += " bold underline"
                pieces.append((text, style))
            lines.append(pieces)
        return [[], *lines, []]

    def panels(self) -> list[Shown]:
        """A line for each seat, and one for what belongs to nobody."""
        state = self.table.state
        view = state.view(self.seat)
        game = state.game
        lines: list[Shown] = []
        alone = len(self.table.people) == 1
        names = [f"{name} (you)" if alone and seat == self.seat else name for seat, name in enumerate(game.seats)]
        width = max(len(name) for name in names)
        for seat, name in enumerate(names):
            mark = "> " if seat in state.to_act else "  "
            start: Shown = [(mark, "bold"), (f"{name:<{width}}", seat_colour(game, seat))]
            words = [f"{label} {text}" for label, text in seat_panel(self.table.interpreter, view, seat)]
            if self.left is not None and any(self.left):
                seconds = int(self.left[seat])
                words.append(f"{seconds // 60}:{seconds % 60:02} left")
            first, *more = _broken(words, width + 4, self.sheet().width)
            lines.append([*start, (f"  {first}" if first else "", "")])
            lines += [[(" " * (width + 4) + text, "")] for text in more]
        common = [f"{label} {text}" for label, text in common_panel(game, view)]
        if common:
            lines += [[(f"  {text}", "dim")] for text in _broken(common, 2, self.sheet().width)]
        return lines


def plain(lines: Sequence[Any]) -> list[str]:
    """Lines without their styles."""
    return [line if isinstance(line, str) else "".join(text for text, _ in line).rstrip() for line in lines]


def seat_panel(interpreter: Interpreter, view: View, seat: int) -> list[tuple[str, str]]:
    """What can be seen of a seat: as the rules' `view:` says, else all that the state holds for each player."""
    game = interpreter.game
    if game.view.panel:
        reader = Reader(interpreter, view)
        slots = {game.view.seat_slot: seat}
        return [(label, _read(reader, expression, slots)) for label, expression in game.view.panel]
    found = []
    for variable in game.variables:
        if not variable.index_types or variable.index_types[0] != game.types.get("Player"):
            continue
        values, sizes = view.values[variable.name], view.sizes.get(variable.name)
        each = len(values) // len(game.seats)
        if each > _MOST_IN_PANEL:
            continue
        texts = [
            _entry(variable, values[number], sizes[number] if sizes else None)
            for number in range(seat * each, (seat + 1) * each)
        ]
        if any(texts):
            found.append((_label(variable.name), ", ".join(text or "-" for text in texts)))
    return found


def _read(reader: Reader, expression: E, slots: Mapping[int, int]) -> str:
    """What a panel says; how many there are, if no more than that is to be seen."""
    value = reader.value(expression, slots)
    size = reader.size(expression, slots) if value is HIDDEN else None
    return _text(expression.type, value) if size is None else f"{size} hidden"


def common_panel(game: Game, view: View) -> list[tuple[str, str]]:
    """What can be seen of what belongs to no seat and stands on no cell."""
    found = []
    for variable in game.variables:
        if variable.index_types:
            continue
        sizes = view.sizes.get(variable.name)
        text = _entry(variable, view.values[variable.name][0], sizes[0] if sizes else None)
        if text:
            found.append((_label(variable.name), text))
    return found


def _broken(words: Sequence[str], indent: int, columns: int) -> list[str]:
    """What is told side by side, in as many lines as it takes; what is too long for one is broken between words."""
    lines = [""]
    for word in words:
        joined = f"{lines[-1]} · {word}" if lines[-1] else word
        if indent + len(joined) <= columns:
            lines[-1] = joined
        else:
            parts = wrap(word, max(columns - indent, 1), break_long_words=False)
            lines[-1:] = [*([lines[-1]] if lines[-1] else []), *parts]
    return lines


def _counted(lines: list[str]) -> list[str]:
    """Equal lines that follow each other, such as cards that are dealt unseen, as one."""
    found = []
    for text, several in groupby(lines):
        number = sum(1 for _ in several)
        found.append(text if number == 1 else f"{text} ({number} times)")
    return found


def _label(name: str) -> str:
    return name.replace("_", " ")


def _entry(variable: Variable, value: Any, size: Any) -> str:
    """A value in a panel; empty if there is nothing to tell."""
    if value is HIDDEN:
        return f"{size} hidden" if size else ""
    kind = variable.type
    if value is None:
        return ""
    if isinstance(kind, (SetOf, BagOf, DeckOf, ListOf)):
        return "" if value == empty_of(kind) else shortened(show(kind, value))
    if value is False:
        return ""
    return _text(kind, value)



def _text(kind: Type, value: Any) -> str:
    if value is HIDDEN:
        return "?"
    if isinstance(kind, Maybe) and value is None:
        return "-"
    return show(kind, value)


