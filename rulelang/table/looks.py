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
from rulelang.model.game import Game
from rulelang.model.game import View as Template
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


def look(interpreter: Interpreter, view: View) -> Looks:
    """How the board looks to whoever has the view."""
    game = interpreter.game
    if game.board is None:
        return Looks()
    return _declared(interpreter, view) if game.view.glyph else _plain(game, view, game.view.letters)


def picture(game: Game, looks: Looks) -> str:
    """The board as an SVG: cells in the colours of their ground, or else of what stands on them."""
    from rulelang.boards.draw import svg

    assert game.board is not None
    fills, inks = (looks.grounds, looks.colours) if looks.grounds else (looks.colours, {})
    return svg(game.board, looks.glyphs, fills, game.title, game.view.areas, inks=inks)


# ------------------------------------------------------------------------------------------- as the rules say


def _declared(interpreter: Interpreter, view: View) -> Looks:
    found = Looks()
    game = interpreter.game
    template, reader = game.view, Reader(interpreter, view)
    assert game.board is not None
    for cell in range(len(game.board)):
        text = ""
        empty = True  # nothing but what stands for nothing
        for part in template.glyph:
            if isinstance(part, str):
                text += part
                continue
            expression, instead = part
            value = reader.value(expression, {template.slot: cell})
            if value is None or value is HIDDEN:
                text += instead
                continue
            empty = False
            word = show(expression.type, value)
            text += template.letters.get(word) or _letters(game, expression.type, value)
            for name in _names_in(expression.type, value, word):
                if name in template.colours:
                    found.colours[cell] = template.colours[name]
                    break
            else:
                _seat_colour(game, expression.type, value, found, cell)
        if text.strip() and not (empty and text.strip() == EMPTY):
            found.glyphs[cell] = text
        if template.ground is not None:
            _fill(found, cell, template.ground.type, reader.value(template.ground, {template.slot: cell}), game.view)
    return found


def _letters(game: Game, kind: Type, value: Any) -> str:
    """A value in as few letters as the rules give it, or as tell it apart: a pile by those of all that it holds."""
    letters = game.view.letters
    if isinstance(kind, (SetOf, BagOf, DeckOf)):
        shown = glyphs_of(game, kind.of, letters)
        return "".join(letters.get(show(kind.of, one)) or shown(one) for one in members(kind, value))
    return glyphs_of(game, kind, letters)(value)


def _fill(found: Looks, cell: int, kind: Type, value: Any, template: Template) -> None:
    """The colour of a cell, and the letter that says it without colours."""
    if value is None or value is HIDDEN:
        return
    word = show(kind, value)
    found.grounds[cell] = template.colours.get(word, word)
    found.letters[cell] = template.letters.get(word, word[:1]).lower()


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


def _plain(game: Game, view: View, names: Mapping[str, str]) -> Looks:
    found = Looks()
    cells = game.types.get("Cell")
    layers = [
        (variable.type, view.values[variable.name])
        for variable in game.variables if len(variable.index_types) == 1 and variable.index_types[0] == cells
    ][:_MOST_LAYERS]
    paint = [table for table in game.tables if len(table.index_types) == 1 and table.index_types[0] == cells]
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
    _add_by_seat(game, view, cells, found)
    for table in paint[:1]:
        paints = glyphs_of(game, table.type, names)
        for cell, value in enumerate(table.values):
            found.glyphs.setdefault(cell, paints(value).lower())
            word = show(table.type, value)
            if word in _COLOUR_NAMES:
                found.colours.setdefault(cell, word)
    return found


def _add_by_seat(game: Game, view: View, cells: Type | None, found: Looks) -> None:
    """What each seat has on each cell: how many, and the seat's letter."""
    for variable in game.variables:
        if variable.index_types != (game.types.get("Player"), cells):
            continue
        glyph = glyphs_of(game, variable.type, {})
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
    """How values of a type are shown on a cell, in as few letters as tell them apart."""
    match kind:
        case Maybe():
            inner = glyphs_of(game, kind.of, names)
            return lambda value: "" if value is None else inner(value)
        case Switch():
            return lambda value: "#" if value else ""
        case Number():
            return lambda value: str(value) if value else ""
        case Named():
            shown = short_names(kind.members)
            shown = [names.get(name, letter) for name, letter in zip(kind.members, shown, strict=True)]
            return lambda value: shown[value]
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
    seats = Named("Player", game.seats)
    parts = [glyphs_of(game, part, names) for _, part in kind.fields]
    owners = [isinstance(part, Named) and part.members == seats.members for _, part in kind.fields]
    by_case = len(game.seats) == 2 and any(owners) and not all(owners)

    def shown(value: Any) -> str:
        fields = _fields(kind, value)
        text = "".join(
            glyph(one) for glyph, (_, one), owner in zip(parts, fields, owners, strict=True) if not (owner and by_case)
        )
        if by_case:
            seat = next(one for (_, one), owner in zip(fields, owners, strict=True) if owner)
            return text.upper() if seat == 0 else text.lower()
        return text

    return shown


def short_names(names: Sequence[str]) -> list[str]:
    """For each name as few letters as tell it from the others: `player 1` is 1, `knight` beside `king` is N."""
    numbers = [name.rpartition(" ")[2] for name in names]
    if all(number.isdecimal() for number in numbers):
        return numbers
    found: dict[str, str] = {}
    # Rarer letters of later names may have to make way, so a name's first letter is given to the first that wants it.
    for name in sorted(names, key=lambda name: [other[0] for other in names].count(name[0]) > 1 and len(name)):
        letters = [*(letter.upper() for letter in name if letter.isalnum()), *_SPARE]
        found[name] = next((letter for letter in letters if letter not in found.values()), name)
    return [found[name] for name in names]


_SPARE = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


