"""The board section: the board, its cells and directions as types, areas and painted layers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from rulelang.boards import build, shapes
from rulelang.boards.board import GRID_DIRECTIONS, LATTICE_DIRECTIONS, TRACK_DIRECTIONS, Board
from rulelang.boards.tables import tables
from rulelang.model.constant import MOST_WORK, NotConstant, cost_of, evaluate, options_in
from rulelang.model.convert import expect
from rulelang.model.expressions import condition, expression
from rulelang.model.game import Table
from rulelang.model.kinds import branch_of, constant_number, text_of, texts_of, type_of
from rulelang.model.scope import Context, Local, Scope, Symbol, suggest
from rulelang.model.starts import known, picture
from rulelang.model.types import WRONG, ListOf, Named, Number, SetOf, Type, Wrong
from rulelang.source.diagnostic import NOWHERE
from rulelang.syntax.trees import Branch, DataList, Entry, Leaf, Syntax

Numbered = tuple[bool, bool]               # whether cells are called by numbers, and these begin in the uppermost row
NAMES_OF_CELLS: dict[str, Numbered] = {"": (False, False), "numbers": (True, False), "numbers from above": (True, True)}


def declare_shapes(s: Scope, section: Branch) -> None:
    """The shapes as a type of their own, each a word."""
    names = tuple(entry.name for entry in section)
    s.shapes = Named("shapes", names)
    s.symbols["shapes"] = Symbol("type", "shapes", NOWHERE, None, s.shapes)
    for i, entry in enumerate(section):
        try:
            s.shape_cells[entry.name] = shapes.parse([leaf.value for leaf in texts_of(entry.item)])
        except ValueError as fault:
            s.faults.add(entry.place, "wrong-shape", str(fault), 'rows of `#` and `.`, or cubes as `000`, `001`')
            s.shape_cells[entry.name] = ((0, 0, 0),)
        s.declare(Symbol("word", entry.name, entry.place, i, s.shapes))


def declare_board(s: Scope, section: Branch) -> None:
    """Build the board and declare what it names; areas and paint come later (`declare_areas`)."""
    s.boardless = False
    board = None
    form = _form(s, section)
    if form is not None:
        try:
            board = _build(s, section, form.name)
        except ValueError as fault:
            s.faults.add(form.place, "wrong-board", str(fault))
    if board is None:
        lose_board(s, section)
        return
    s.board = board
    s.board_words = board.words
    s.cell = Named("Cell", board.names)
    s.cell_names = dict(board.index)
    s.symbols["Cell"] = Symbol("type", "Cell", NOWHERE, None, s.cell)
    s.symbols["Placement"] = Symbol("type", "Placement", NOWHERE, None, SetOf(s.cell))
    s.boardless = not board.directions
    if board.directions:
        s.direction = Named("Direction", board.directions)
        s.symbols["Direction"] = Symbol("type", "Direction", NOWHERE, None, s.direction)
        for i, name in enumerate(board.directions):
            if name in s.symbols:
                s.faults.add(s.symbols[name].place, "name-taken", f"`{name}` is a direction of this board",
                             "choose another name: names do not hide each other")
                continue
            s.symbols[name] = Symbol("word", name, NOWHERE, i, s.direction)
    for symbol in s.symbols.values():
        if symbol.place is not NOWHERE:
            s.may_name(symbol.name, symbol.place)


def _form(s: Scope, section: Branch) -> Entry | None:
    """Which kind of board this is to be: of several, which is a fault, the one that was said last."""
    found = [each for each in section if each.name in ("grid", "hexes", "track", "lattice", "graph")]
    if not found and not s.is_lost("board"):
        s.faults.add(section.place, "wrong-board", "a board is one of grid, hexes, track, lattice and graph",
                     "grid: 8x8")
    if len(found) > 1:
        other, last = found[0], found[-1]
        s.faults.add(last.place, "wrong-board", "a board is one of grid, hexes, track, lattice and graph, and this has "
                     + " and ".join(each.name for each in found), "keep one of them"
                     if other.place.file == last.place.file else f"add `drop: [{other.name}]` to this `board:`",
                     [(f"`{other.name}` stands at {other.place}", other.place)])
    return found[-1] if found else None


def lose_board(s: Scope, section: Branch) -> None:
    """There is a board, but nobody knows which: what it declares is there, and nothing follows from it."""
    s.boardless = False
    for name in ("Cell", "Direction", "Placement"):
        s.symbols[name] = Symbol("type", name, NOWHERE, None, WRONG)
    areas = branch_of(section, "areas") or ()
    s.lost |= {"board", *GRID_DIRECTIONS, *LATTICE_DIRECTIONS, *TRACK_DIRECTIONS,
               *(each.name for each in (*areas, *(branch_of(section, "paint") or ())))}
    s.lost |= {text_of(each.item, "each") for each in areas if isinstance(each.item, Branch)}


def _build(s: Scope, section: Branch, form: str) -> Board | None:
    item = section.get(form)
    names = text_of(section, "names")
    if names not in NAMES_OF_CELLS or (names and form != "grid"):
        leaf = section.get("names")
        s.faults.add(leaf.place if leaf is not None else section.place, "wrong-board",
                     "cells are called by `numbers` or by `numbers from above`, on a grid")
    numbered = NAMES_OF_CELLS.get(names, (False, False))
    if form == "graph":
        points = branch_of(item if isinstance(item, Branch) else None, "points")
        if points is None:
            s.faults.add(section.place, "wrong-board", "a graph board has `points:`, each with those it is linked to")
            return None
        return _graph(tuple((e.name, tuple(leaf.value for leaf in texts_of(e.item))) for e in points))
    assert isinstance(item, Leaf)
    syntaxes, word = item.value
    sizes = [n for x in syntaxes if (n := constant_number(s, x)) is not None]
    wanted, example = _SIZES[form]
    if len(syntaxes) != wanted or word not in (None, "rhombus" if form == "hexes" else None):
        s.faults.add(item.place, "wrong-board", f"a {form} is written as `{example}`")
        return None
    if len(sizes) != wanted:
        return None
    keep = section.get("spaces")
    if not isinstance(keep, Leaf):
        return _plain(form, tuple(sizes), numbered)
    if form == "grid":
        return _kept_grid(s, keep, sizes[0], sizes[1], numbered)
    s.faults.add(keep.place, "wrong-board", "which spaces there are can be said of a grid only",
                 "a board of another form is drawn as a `graph:`")
    return None


_SIZES = {"grid": (2, "grid: 8x8"), "hexes": (2, "hexes: 11x11 rhombus"), "track": (1, "track: 24"),
          "lattice": (3, "lattice: 3x3x3")}


@lru_cache(maxsize=256)
def _plain(form: str, sizes: tuple[int, ...], numbered: Numbered) -> Board:
    match form:
        case "grid":
            return build.grid(sizes[0], sizes[1], None, *numbered)
        case "hexes":
            return build.hexes(sizes[0], sizes[1])
        case "track":
            return build.track(sizes[0])
    return build.lattice(sizes[0], sizes[1], sizes[2])


@lru_cache(maxsize=256)
def _graph(points: tuple[tuple[str, tuple[str, ...]], ...]) -> Board:
    return build.graph(dict(points))


@lru_cache(maxsize=256)
def _partial(width: int, height: int, cells: frozenset[tuple[int, int]], numbered: Numbered) -> Board:
    return build.grid(width, height, lambda row, column: (row, column) in cells, *numbered)


def _kept_grid(s: Scope, keep: Leaf, width: int, height: int, numbered: Numbered) -> Board | None:
    if not (1 <= width <= 64 and 1 <= height <= 64):
        raise ValueError("the sides of a grid are 1 to 64 cells long")
    cells = [{"row": r, "column": k} for r in range(1, height + 1) for k in range(1, width + 1)]
    kept = _cell_test(s, keep.value, {"row": Number(1, height), "column": Number(1, width)}, cells)
    if kept is None:
        return None
    return _partial(width, height, frozenset((i // width + 1, i % width + 1) for i in kept), numbered)


def _cell_test(
    s: Scope, x: Syntax, given: dict[str, Number], cells: Sequence[dict[str, int]],
) -> list[int] | None:
    """Which of some cells meet a condition over their row, column and so on; None with a fault if that is not known."""
    hidden = {name: s.symbols.pop(name) for name in given if name in s.symbols}
    slots = {name: s.slot(name) for name in given}
    c = Context("board", {name: Local(slots[name], kind, x.place) for name, kind in given.items()}, me=False)
    e = condition(s, c, x)
    s.symbols.update(hidden)
    if isinstance(e.type, Wrong):
        return None
    s.shaping |= options_in(e)
    try:
        if cost_of(e) * len(cells) <= MOST_WORK:
            return [i for i, cell in enumerate(cells)
                    if evaluate(e, s.settings, {slots[n]: v for n, v in cell.items()})]
        s.faults.add(x.place, "too-large", "this takes too long to work out for each cell", "write it smaller")
    except NotConstant:
        s.faults.add(x.place, "not-constant", "which cells these are must be known before the game starts", _PLAINLY)
    return None


def declare_areas(s: Scope, section: Branch) -> None:
    """Areas: sets of cells, and lists of sets; the word for the one that holds a cell."""
    for entry in branch_of(section, "areas") or ():
        if s.board is None or s.cell is None:
            return
        item = entry.item
        if isinstance(item, Leaf):
            mask = _cells_where(s, item)
            if mask is not None:
                s.declare(Symbol("area", entry.name, entry.place, mask, SetOf(s.cell)))
            continue
        if isinstance(item, DataList):
            sets = tuple(_named_cells(s, leaf) for leaf in texts_of(item))
        elif isinstance(item, Branch):
            sets = _blocks(s, item)
        else:
            continue
        s.declare(Symbol("areas", entry.name, entry.place, sets, ListOf(SetOf(s.cell))))
        each = item.get("each") if isinstance(item, Branch) else None
        if isinstance(each, Leaf):
            s.declare(Symbol("area_each", each.value, each.place, sets, SetOf(s.cell)))


def _cells_where(s: Scope, item: Leaf) -> int | None:
    assert s.board is not None and s.cell is not None
    given = {"row": s.board.row, "column": s.board.column, "x": s.board.x, "y": s.board.y, "z": s.board.z}
    if s.board.kind not in ("grid", "hexes", "lattice", "track", "graph"):
        given = {}
    if item.value.kind in _SETS and not (item.value.kind == "name" and item.value.parts[0] in given):
        c = Context("board", me=False)
        e = expect(s, c, expression(s, c, item.value), SetOf(s.cell), "an area")
        if isinstance(e.type, Wrong):
            return None
        mask = known(s, e, "which cells these are must be known before the game starts", _PLAINLY)
        return None if mask is WRONG else int(mask)
    cells = [{n: v[i] for n, v in given.items()} for i in range(len(s.board.names))]
    kept = _cell_test(s, item.value, {n: Number(min(v), max(v)) for n, v in given.items()}, cells)
    return None if kept is None else sum(1 << i for i in kept)


_PLAINLY = "say it of each cell: `row = 1`, `column < 4`"
_SETS = frozenset(("set_of", "set_where", "plus", "without", "both", "range", "name"))


def _named_cells(s: Scope, leaf: Leaf) -> int:
    mask = 0
    for name in leaf.value.split():
        if name not in s.cell_names:
            s.faults.add(leaf.place, "unknown-name", f"unknown cell `{name}`", suggest(name, s.cell_names))
            continue
        mask |= 1 << s.cell_names[name]
    return mask


def _blocks(s: Scope, item: Branch) -> tuple[int, ...]:
    assert s.board is not None
    found = re.fullmatch(r"blocks of (\d{1,2})x(\d{1,2})", text_of(item, "of"))
    if found is None or s.board.kind != "grid":
        s.faults.add(item.place, "wrong-board", "areas `of:` are `blocks of 3x3`, on a grid")
        return ()
    try:
        return tables(s.board).blocks(int(found[1]), int(found[2]))
    except ValueError as fault:
        s.faults.add(item.place, "wrong-board", str(fault))
        return ()


def declare_paint(s: Scope, section: Branch) -> None:
    """Painted layers: a constant for each cell, from rows as they are seen."""
    for entry in branch_of(section, "paint") or ():
        if s.cell is None or not isinstance(entry.item, Branch):
            continue
        leaf = entry.item.get("type")
        kind: Type = type_of(s, leaf.value) if isinstance(leaf, Leaf) else WRONG
        if leaf is None:
            s.faults.add(entry.place, "missing", f"the paint `{entry.name}` needs `type:`")
        letters = branch_of(entry.item, "letters") or branch_of(section, "letters")
        rows = entry.item.get("rows")
        values: tuple[Any, ...] | None = None
        if isinstance(rows, DataList) and not isinstance(kind, Wrong):
            values = picture(s, rows, letters, kind)
        elif rows is None:
            s.faults.add(entry.place, "missing", f"the paint `{entry.name}` needs `rows:`")
        if values is None:
            values, kind = (), WRONG
        s.tables.append(Table(entry.name, (s.cell,), kind, values))
        s.declare(Symbol("table", entry.name, entry.place, len(s.tables) - 1, kind))
