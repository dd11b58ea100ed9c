"""What stands on each cell of a board, as far as a view shows it: a short text and a colour.

A game says in its `view:` how it looks. Where it does not, each state variable over the cells shows itself: players
and names by a letter, numbers as they are, switches as #, piles by their size; what is none, nothing or off is not
shown. A painted board shows its paint where nothing stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulelang.engine import HIDDEN, Interpreter, View
from rulelang.model.game import Game, Variable
from rulelang.model.types import (
    BagOf,
    DeckOf,
    Maybe,
    Named,
    Number,
    Record,
    SetOf,
    Switch,
    Type,
    bits,
    field_place,
    show,
    value_at,
)
from rulelang.table.fitting import Sheet
from rulelang.table.letters import letters_for, owner_by_case
from rulelang.table.reading import Reader

SEAT_COLOURS = ("red", "blue", "green", "yellow", "magenta", "cyan", "bright_red", "bright_blue")
HIDDEN_GLYPH = "?"
EMPTY = "."
_MOST_LAYERS = 3


@dataclass(slots=True)
class Looks:
    """Texts by cell, their colours and those of the cells; cells without a text are empty. `letters` tell the colour of
    a cell where there are no colours."""

    glyphs: dict[int, str] = field(default_factory=dict)
    colours: dict[int, str] = field(default_factory=dict)
    grounds: dict[int, str] = field(default_factory=dict)
    letters: dict[int, str] = field(default_factory=dict)

    def lettered(self) -> dict[int, str]:
        """The texts with the letter of each cell's colour before them."""
        return {cell: letter + self.glyphs.get(cell, "") for cell, letter in self.letters.items()} or self.glyphs


def look(interpreter: Interpreter, view: View, sheet: Sheet = Sheet()) -> Looks:  # noqa: B008 it never changes
    """How the board looks to whoever has the view, in characters that the sheet has: where it lacks a letter of the
    rules, it is one that would be chosen without."""
    game = interpreter.game
    if game.board is None:
        return Looks()
    given = {name: letter for name, letter in game.view.letters.items() if sheet.has(letter)}
    return _declared(interpreter, view, given, sheet) if game.view.glyph else _plain(game, view, given)


def picture(game: Game, looks: Looks) -> str:
    """The board as an SVG: cells in the colours of their ground, or else of what stands on them."""
    from rulelang.boards.draw import svg

    assert game.board is not None
    fills, inks = (looks.grounds, looks.colours) if looks.grounds else (looks.colours, {})
    return svg(game.board, looks.glyphs, fills, game.title, game.view.areas, inks=inks)


# ------------------------------------------------------------------------------------------- as the rules say


def _declared(interpreter: Interpreter, view: View, given: Mapping[str, str], sheet: Sheet) -> Looks:
    found = Looks()
    game = interpreter.game
    template, reader = game.view, Reader(interpreter, view)
    assert game.board is not None
    shown = [part[0].type for part in template.glyph if not isinstance(part, str)]
    letters = letters_for([*shown, *([template.ground.type] if template.ground else [])], game.seats, given)
    for cell in range(len(game.board)):
        text = ""
        empty = True  # nothing but what stands for nothing
        for part in template.glyph:
            if isinstance(part, str):
                text += sheet.fitting(part)
                continue
            expression, instead = part
            value = reader.value(expression, {template.slot: cell})
            if value is None or value is HIDDEN:
                text += sheet.fitting(instead)
                continue
            empty = False
            word = show(expression.type, value)
            text += given.get(word) or _letters(game, expression.type, value, letters)
            for name in _names_in(expression.type, value, word):
                if name in template.colours:
                    found.colours[cell] = template.colours[name]
                    break
            else:
                _seat_colour(game, expression.type, value, found, cell)
        if text.strip() and not (empty and text.strip() == EMPTY):
            found.glyphs[cell] = text
        if template.ground is not None:
            value = reader.value(template.ground, {template.slot: cell})
            _fill(game, found, cell, template.ground.type, value, letters)
    return found


def _letters(game: Game, kind: Type, value: Any, letters: Mapping[str, str]) -> str:
    """A value by its letters: a pile by those of all that it holds."""
    if isinstance(kind, (SetOf, BagOf, DeckOf)):
        shown = glyphs_of(game, kind.of, letters)
        return "".join(letters.get(show(kind.of, one)) or shown(one) for one in members(kind, value))
    return glyphs_of(game, kind, letters)(value)


def _fill(game: Game, found: Looks, cell: int, kind: Type, value: Any, letters: Mapping[str, str]) -> None:
    """The colour of a cell, and the letter that says it without colours."""
    if value is None or value is HIDDEN:
        return
    word = show(kind, value)
    found.grounds[cell] = game.view.colours.get(word, word)
    found.letters[cell] = (letters.get(word) or glyphs_of(game, kind, letters)(value) or word[:1]).lower()


def _names_in(kind: Type, value: Any, word: str) -> list[str]:
    """The texts by which a colour may be given: of the value, and of the fields of a record."""
    if isinstance(kind, Maybe):
        kind = kind.of
    if not isinstance(kind, Record):
        return [word]
    return [word, *(show(part, one) for part, one in _fields(kind, value))]


def _fields(kind: Record, value: int) -> list[tuple[Type, Any]]:
    found = []
    for name, _ in kind.fields:
        divisor, size, part = field_place(kind, name)
        found.append((part, value_at(part, value // divisor % size)))
    return found


def _seat_colour(game: Game, kind: Type, value: Any, found: Looks, cell: int) -> None:
    """A value that belongs to a seat has the seat's colour, unless the rules give it one."""
    seat = _seat_of(game, kind, value)
    if seat is not None:
        found.colours.setdefault(cell, seat_colour(game, seat))


def _seat_of(game: Game, kind: Type, value: Any) -> int | None:
    if isinstance(kind, Maybe):
        kind = kind.of
    if isinstance(kind, Named) and kind.members[: len(game.seats)] == game.seats and value < len(game.seats):
        return int(value)
    if isinstance(kind, Record):
        for part, one in _fields(kind, value):
            seat = _seat_of(game, part, one)
            if seat is not None:
                return seat
    return None


def seat_colour(game: Game, seat: int) -> str:
    """A seat's colour: its name, if that is one, else one of a row of colours."""
    name = game.seats[seat]
    return name if name in _COLOUR_NAMES else SEAT_COLOURS[seat % len(SEAT_COLOURS)]


_COLOUR_NAMES = frozenset(
    {"red", "blue", "green", "yellow", "black", "white", "purple", "orange", "brown", "pink", "gray"}
)


# ------------------------------------------------------------------------------------------- as it is


def _plain(game: Game, view: View, given: Mapping[str, str]) -> Looks:
    found = Looks()
    cells = game.types.get("Cell")
    layers = [
        (variable.type, view.values[variable.name])
        for variable in game.variables if len(variable.index_types) == 1 and variable.index_types[0] == cells
    ][:_MOST_LAYERS]
    paint = [table for table in game.tables if len(table.index_types) == 1 and table.index_types[0] == cells]
    by_seat = [one for one in game.variables if cells and one.index_types == (game.types.get("Player"), cells)]
    shown = [*(kind for kind, _ in layers), *(one.type for one in by_seat), *(table.type for table in paint[:1])]
    names = letters_for(shown, game.seats, given)
    letters = {kind: glyphs_of(game, kind, names) for kind, _ in layers}
    assert game.board is not None
    for cell in range(len(game.board)):
        text = ""
        for kind, values in layers:
            value = values[cell]
            if value is HIDDEN:
                text += HIDDEN_GLYPH if not text else ""
                continue
            text += letters[kind](value)
            if value is not None:
                _seat_colour(game, kind, value, found, cell)
        if text:
            found.glyphs[cell] = text
    _add_by_seat(game, view, by_seat, names, found)
    for table in paint[:1]:
        paints = glyphs_of(game, table.type, names)
        for cell, value in enumerate(table.values):
            found.glyphs.setdefault(cell, paints(value).lower())
            word = show(table.type, value)
            if word in _COLOUR_NAMES:
                found.colours.setdefault(cell, word)
    return found


def _add_by_seat(
    game: Game, view: View, variables: Sequence[Variable], names: Mapping[str, str], found: Looks
) -> None:
    """What each seat has on each cell: how many, and the seat's letter."""
    for variable in variables:
        glyph = glyphs_of(game, variable.type, names)
        values = view.values[variable.name]
        length = len(values) // len(game.seats)
        for place, value in enumerate(values):
            seat, cell = divmod(place, length)
            text = HIDDEN_GLYPH if value is HIDDEN else glyph(value)
            if text:
                found.glyphs[cell] = found.glyphs.get(cell, "") + text.replace("#", "") + seat_letter(seat)
                found.colours[cell] = seat_colour(game, seat)


def seat_letter(seat: int) -> str:
    """A letter for a seat: a for the first."""
    return "abcdefghijklmnopqrstuvwxyz"[seat % 26]


def glyphs_of(game: Game, kind: Type, names: Mapping[str, str]) -> Callable[[Any], str]:
    """How values of a type are shown on a cell; `names` has a letter for each of its names."""
    match kind:
        case Maybe():
            inner = glyphs_of(game, kind.of, names)
            return lambda value: "" if value is None else inner(value)
        case Switch():
            return lambda value: "#" if value else ""
        case Number():
            return lambda value: str(value) if value else ""
        case Named():
            return lambda value: names[kind.members[value]]
        case Record():
            return _record_glyphs(game, kind, names)
        case SetOf() | BagOf():
            return lambda value: _size(_count(value))
        case DeckOf():
            return lambda value: _size(len(value))
    return lambda value: ""


def members(kind: SetOf | BagOf | DeckOf, value: Any) -> list[Any]:
    """What a pile holds, each as often as it does."""
    if isinstance(kind, SetOf):
        return [value_at(kind.of, i) for i in bits(value)]
    if isinstance(kind, BagOf):
        return [value_at(kind.of, i) for i, count in enumerate(value) for _ in range(count)]
    return list(value)


def _size(count: int) -> str:
    return str(count) if count else ""


def _count(value: Any) -> int:
    return value.bit_count() if isinstance(value, int) else sum(value)


def _record_glyphs(game: Game, kind: Record, names: Mapping[str, str]) -> Callable[[Any], str]:
    """The letters of a record's fields; a field that is a seat shows as capitals (the first seat) or small letters,
    if there is another field to show so and there are two seats."""
    parts = [glyphs_of(game, part, names) for _, part in kind.fields]
    by_case = owner_by_case(kind, game.seats)

    def shown(value: Any) -> str:
        fields = [one for _, one in _fields(kind, value)]
        text = "".join(parts[n](one) for n, one in enumerate(fields) if n not in by_case)
        if by_case:
            return text.upper() if fields[by_case[0]] == 0 else text.lower()
        return text

    return shown
