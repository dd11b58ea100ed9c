"""The view section: how a table shows the game."""

from __future__ import annotations

from rulelang.model.expressions import expression
from rulelang.model.game import View
from rulelang.model.ir import E
from rulelang.model.kinds import branch_of, text_of
from rulelang.model.scope import Context, Local, Scope, suggest
from rulelang.model.types import Wrong, show
from rulelang.source.diagnostic import Faults, Place
from rulelang.syntax.trees import Branch, Entry, Leaf, Syntax


def view(s: Scope, section: Branch | None, state: Branch | None, mine: frozenset[str]) -> View:
    """What stands on a cell and in a seat's panel; nothing where the section says nothing. The letters of starting
    pictures in `state` are letters of the view, too. `mine` are the files of which it is told what is never shown."""
    letters = _picture_letters(state)
    if section is None:
        return View(letters=letters)
    slot, seat = s.slot("c"), s.slot("p")
    cell = branch_of(section, "cell")
    c = Context("view", {}, me=False)
    if s.cell is not None:
        c.locals["c"] = Local(slot, s.cell, section.place)
    glyph: list[str | tuple[E, str]] = []
    leaf = cell.get("glyph") if cell is not None else None
    if isinstance(leaf, Leaf) and leaf.place.file in mine:
        _values_meant(s, leaf)
    for part in leaf.value.parts if isinstance(leaf, Leaf) else ():
        if isinstance(part, str):
            glyph.append(part)
        elif part.kind == "or_else":
            glyph.append((_of_cell(s, c, part.parts[0]), part.parts[1]))
        else:
            glyph.append((_of_cell(s, c, part), ""))
    panel = []
    p = Context("view", {"p": Local(seat, s.seats, section.place)}, me=False)
    for entry in branch_of(section, "panel") or ():
        if isinstance(entry.item, Leaf):
            panel.append((entry.name, expression(s, p, entry.item.value)))
    return View(slot, seat, tuple(glyph), letters | _texts(s, cell, "letters", mine),
                _texts(s, cell, "colour", mine), _ground(s, c, cell), _areas(s, section), tuple(panel))


def _of_cell(s: Scope, c: Context, x: Syntax) -> E:
    """An expression of the view; the name of a layer alone is that layer at the cell."""
    symbol = s.symbols.get(x.parts[0]) if x.kind == "name" else None
    if symbol is not None and symbol.kind in ("variable", "table"):
        x = Syntax("index", (x.parts[0], (Syntax("name", ("c",), x.place),)), x.place)
    return expression(s, c, x)


def _ground(s: Scope, c: Context, cell: Branch | None) -> E | None:
    name = text_of(cell, "ground")
    if not name or cell is None:
        return None
    place = _place(cell, "ground")
    layers = [n for n, sym in s.symbols.items() if sym.kind in ("variable", "table")]
    if s.is_lost(name):
        return None
    if name not in layers:
        return s.wrong(place, "unknown-name", f"there is no layer `{name}`", suggest(name, layers))
    return _of_cell(s, c, Syntax("name", (name,), place))


def _areas(s: Scope, section: Branch) -> tuple[int, ...]:
    name = text_of(section, "areas")
    symbol = s.symbols.get(name)
    if s.is_lost(name):
        return ()
    if name and (symbol is None or symbol.kind != "areas"):
        known = [n for n, sym in s.symbols.items() if sym.kind == "areas"]
        s.faults.add(_place(section, "areas"), "unknown-name", f"there are no areas `{name}`", suggest(name, known))
        return ()
    return tuple(symbol.item) if symbol is not None else ()


def _place(branch: Branch, name: str) -> Place:
    entry = branch.entry(name)
    return branch.place if entry is None else entry.place


def _values_meant(s: Scope, glyph: Leaf) -> None:
    """Warn of a glyph that is just the name of a layer: without brackets the word itself is shown."""
    text = "".join(part for part in glyph.value.parts if isinstance(part, str)).strip()
    symbol = s.symbols.get(text) if len(glyph.value.parts) == 1 else None
    if symbol is not None and symbol.kind in ("variable", "table"):
        layer = (s.variables if symbol.kind == "variable" else s.tables)[symbol.item]
        if layer.index_types == (s.cell,):
            s.faults.add(glyph.place, "not-shown", f"this shows the word `{text}` on every cell, not its values",
                         f'glyph: "{{{text}}}"', severity="warning")


def _texts(s: Scope, cell: Branch | None, name: str, mine: frozenset[str]) -> dict[str, str]:
    """Texts for values, by the values as they are shown. A key that is no value of this game, such as a seat that is
    not taken, is left as it stands."""
    made: dict[str, str] = {}
    for entry in branch_of(cell, name) or ():
        if isinstance(entry.item, Leaf):
            value, text = _value_text(s, entry.signature), str(entry.item.value)
            made[value or entry.name] = text
            if entry.place.file in mine:
                _never_shown(s, entry, value, text if name == "colour" else "")
    return made


def _never_shown(s: Scope, entry: Entry, value: str, colour: str) -> None:
    """Warn of a value that this game does not have, and of a colour that nothing knows."""
    x = entry.signature
    beyond = x is not None and x.kind == "player" and s.players < x.parts[0] <= s.most_players
    if not value and not beyond and not s.is_lost(entry.name):
        words = [n for n, symbol in s.symbols.items() if symbol.kind == "word"]
        s.faults.add(entry.place, "not-shown", f"no value of this game is shown as `{entry.name}`",
                     suggest(entry.name, [*words, *s.seats.members]), severity="warning")
    if colour:
        from rulelang.model.colours import names, unknown_colour
        unknown = unknown_colour(colour)
        if unknown:
            s.faults.add(entry.item.place, "not-shown", f"there is no colour `{unknown}`",
                         suggest(unknown, sorted(names())), severity="warning")


def _value_text(s: Scope, x: Syntax | None) -> str:
    if x is None:
        return ""
    outer, s.faults = s.faults, Faults()
    try:
        e = expression(s, Context("view", {}, me=False), x)
    finally:
        s.faults = outer
    return show(e.type, e.data) if e.op == "const" and not isinstance(e.type, Wrong) else ""


def _picture_letters(state: Branch | None) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in state or ():
        start = branch_of(entry.item, "start") if isinstance(entry.item, Branch) else None
        for letter in branch_of(start, "letters") or ():
            value = letter.item.value if isinstance(letter.item, Leaf) else None
            if isinstance(value, Syntax) and value.kind == "name":
                found[str(value.parts[0])] = letter.name
    return found
