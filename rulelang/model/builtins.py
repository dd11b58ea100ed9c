"""The built-in words: what each takes and gives. `docs/language.md` is their reference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.boards import tables as board_tables
from rulelang.model import secrets
from rulelang.model.calculating import ranged
from rulelang.model.constant import NotConstant, fold, value_of
from rulelang.model.convert import MOST_COUNTED, MOST_IN_A_BAG, MOST_IN_A_SET, element_of, expect, plain
from rulelang.model.expressions import broken, expression, number
from rulelang.model.ir import E
from rulelang.model.scope import Context, Scope, Symbol
from rulelang.model.types import (
    LINE,
    WRONG,
    BagOf,
    DeckOf,
    Empty,
    Line,
    ListOf,
    Maybe,
    Number,
    SetOf,
    Type,
    Wrong,
    a_,
    describe,
    is_scalar,
    size_of,
)
from rulelang.source.diagnostic import NOWHERE
from rulelang.syntax.trees import Syntax

Form = Callable[[Scope, Context, tuple[Syntax, ...], Syntax], E]


def call(s: Scope, c: Context, name: str, args: tuple[Syntax, ...], x: Syntax) -> E:
    """The typed form of a built-in word with its arguments."""
    counts, form = WORDS[name]
    if len(args) not in counts:
        wanted = " or ".join(str(n) for n in counts)
        return s.wrong(x.place, "wrong-count", f"`{name}` takes no values" if counts == (0,) else
                       f"`{name}` takes {wanted} value{'' if counts[-1] == 1 else 's'}, and here it has {len(args)}")
    if s.board is not None and name in BOARD_WORDS and name not in s.board_words:
        return s.wrong(x.place, "no-board", f"`{name}` says nothing on a {s.board.kind}",
                       "it is a word of other boards")
    made: E = form(s, c, args, x)
    return made


def declare_words(s: Scope) -> None:
    """Put the built-in words into the scope."""
    for name in WORDS:
        s.symbols[name] = Symbol("builtin", name, NOWHERE)


def _need_board(s: Scope, x: Syntax) -> bool:
    if s.board is None and s.boardless:
        s.faults.add(x.place, "no-board", "this game has no board", "add a `board:` section")
    return s.board is not None


def _typed(s: Scope, c: Context, x: Syntax, kind: Type, what: str, index: bool = False) -> E:
    return expect(s, c, expression(s, c, x, kind), kind, what, index)


# ------------------------------------------------------------------------------------------------ seats


def _me(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    if not c.me:
        return s.wrong(x.place, "no-me", "there is no acting player here, so `me` says nothing",
                       "who looks is called `viewer`: `seen: viewer = p`" if "viewer" in c.locals else
                       "go through the players: `for each p in Player:`")
    return E("me", s.seats, (), None, x.place)


def _opponent(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    if s.players != 2:
        return s.wrong(x.place, "no-opponent", f"with {s.players} players there is no single opponent",
                       "name the seat: `left of me`, or go through `Player`")
    who = _typed(s, c, args[0], s.seats, "a player") if args else _me(s, c, (), x)
    return fold(E("opponent", s.seats, (who,), None, x.place))


def _seat(step: int) -> Form:
    def form(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
        return E("next_seat", s.seats, (_typed(s, c, args[0], s.seats, "a player"),), step % s.players, x.place)
    return form


def _partner(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    if not s.teams:
        return s.wrong(x.place, "no-teams", "this game has no teams", "add a `teams:` section")
    table = [next((p for t in s.teams if i in t for p in t if p != i), i) for i in range(s.players)]
    return fold(E("recode", s.seats, (_typed(s, c, args[0], s.seats, "a player"),), tuple(table), x.place))


# ------------------------------------------------------------------------------------------------ amounts


def _players(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    return E("const", Number(s.players, s.players), (), s.players, x.place)


def _count(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    if args[0].kind == "name" and args[0].parts[0] == "moves":
        if not (c.example or c.ending):
            return _moves(s, c, (), x)
        return E("legal_moves", Number(0, MOST_COUNTED), (), None, x.place)
    held = args[0].kind in ("name", "index") or (args[0].kind == "of_" and args[0].parts[0] == "supply")
    e = expression(s, c.child(size_only=True) if held else c, args[0])
    match e.type:
        case SetOf(of):
            most = size_of(of)
        case BagOf(_, m) | DeckOf(_, m):
            most = m
        case Line() | ListOf():
            most = _most(s, e)
        case Empty():
            return E("const", Number(0, 0), (), 0, x.place)
        case Wrong():
            return e
        case _:
            return s.wrong(e.place, "wrong-type", f"`count of` asks for a set or bag, and this is {a_(e.type)}")
    return fold(E("count", Number(0, most), (e,), None, x.place))


def _most(s: Scope, e: E) -> int:
    """A bound on how many values a list has."""
    if e.op == "const" and isinstance(e.data, tuple):
        return len(e.data)
    if e.op == "for":
        over = e.args[0]
        match over.type:
            case SetOf(of):
                return size_of(of)
            case Line():
                return len(s.cell_names)
            case DeckOf(_, most):
                return most
        return _most(s, over)
    if e.op == "bag_list":
        held = e.args[0].type
        return held.most if isinstance(held, (BagOf, DeckOf)) else size_of(held.of)  # type: ignore[attr-defined]
    if e.op in ("where", "join_lists"):
        return sum(_most(s, a) for a in e.args if isinstance(a.type, (ListOf, Line)))
    return 4096


def _numbers(s: Scope, c: Context, x: Syntax) -> tuple[E, Number, int] | None:
    """A collection of numbers as a list: with their range and how many at most."""
    e = expression(s, c, x)
    of = element_of(e.type)
    if isinstance(e.type, Wrong) or isinstance(of, Wrong):
        return None
    if isinstance(e.type, (SetOf, BagOf)) and of is not None:
        e = E("bag_list", ListOf(of), (e,), None, e.place)
    if not isinstance(of, Number):
        s.wrong(e.place, "wrong-type", f"numbers are wanted here, and this is {a_(e.type)}",
                "collect them: `{… for x in …}`")
        return None
    return e, of, _most(s, e)


def _sum(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    found = _numbers(s, c, args[0])
    if found is None:
        return broken(x)
    e, of, most = found
    return ranged(s, "sum", min(0, of.low * most), max(0, of.high * most), (e,), x.place)


def _extreme(op: str) -> Form:
    def form(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
        found = _numbers(s, c, args[0])
        if found is None:
            return broken(x)
        return E(op, Maybe(found[1], partial=True), (found[0],), None, x.place)
    return form


def _kinds(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    e = expression(s, c, args[0])
    of = element_of(e.type)
    if of is None or isinstance(of, Wrong) or not is_scalar(of):
        return e if isinstance(e.type, Wrong) else s.wrong(
            e.place, "wrong-type", f"`kinds of` asks for a bag, and this is {a_(e.type)}")
    if size_of(plain(of)) > MOST_IN_A_SET:
        return s.wrong(e.place, "too-large", f"a set of {describe(plain(of))} is too large",
                       f"{MOST_IN_A_SET:,} values at most")
    return expect(s, c, e, SetOf(plain(of)), "this")


def _copies(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    n, e = number(s, c, args[0]), expression(s, c, args[1])
    kind = plain(e.type)
    if not isinstance(n.type, Number) or isinstance(kind, Wrong):
        return broken(x)
    if not is_scalar(kind) or size_of(kind) > MOST_IN_A_SET:
        return s.wrong(e.place, "wrong-type", f"a bag cannot hold {a_(kind)}")
    if n.type.high > MOST_IN_A_BAG:
        return s.wrong(n.place, "too-large", f"a bag of up to {n.type.high:,} is too large",
                       f"{MOST_IN_A_BAG:,} at most")
    return E("copies", BagOf(kind, max(0, n.type.high)), (n, expect(s, c, e, kind, "this")), None, x.place)


def _register(name: str) -> Form:
    return lambda s, c, args, x: E(name, Number(0, MOST_COUNTED), (), None, x.place)


def _supply(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    name = args[0].parts[0] if args[0].kind == "name" else ""
    found = s.find(f"supply of {name}")
    if found is None and (name in s.components or s.is_lost(name)):
        return broken(x)
    if found is None:
        return s.wrong(args[0].place, "unknown-name", f"there is no component `{name}`",
                       "components are declared in `components:`")
    s.used.add(f"component {name}")
    v = s.variables[found.item]
    e = E("get", v.type, (), found.item, x.place)
    if v.seen is not None:
        secrets.reading(s, c, v, e)
    return e


def _times(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    name = args[0].parts[0] if args[0].kind == "name" else ""
    if name not in s.positions:
        return s.wrong(args[0].place, "unknown-name", f"there is no position `{name}`",
                       "positions are declared in `positions:`")
    s.used.add(f"position {name}")
    secrets.remembering(s, c, name, x.place)
    return E("times", Number(0, MOST_COUNTED), (), s.positions[name], x.place)


def _moves(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    return s.wrong(x.place, "wrong-form", "`moves` may only be counted: `count of moves`, in `end:` and in examples")


# ------------------------------------------------------------------------------------------------ the board


def _cells(s: Scope, c: Context, x: Syntax, what: str = "this") -> E:
    return _typed(s, c, x, SetOf(s.cell) if s.cell is not None else WRONG, what)


def _cell(s: Scope, c: Context, x: Syntax) -> E:
    return _typed(s, c, x, s.cell or WRONG, "a cell")


def _ways(s: Scope, c: Context, x: Syntax) -> E:
    if s.direction is None:
        return s.wrong(x.place, "no-board", "this board has no directions")
    return _typed(s, c, x, SetOf(s.direction), "the directions")


def _on_board(kind: str, kinds: str, result: str) -> Form:
    """A board word: `kinds` says what each argument is: c cell, S set of cells, w directions, n number, l line."""
    def form(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
        if not _need_board(s, x):
            return broken(x)
        made = []
        for what, a in zip(kinds, args, strict=True):
            if what == "c":
                made.append(_cell(s, c, a))
            elif what == "S":
                made.append(_cells(s, c, a))
            elif what == "w":
                made.append(_ways(s, c, a))
            elif what == "l":
                made.append(_typed(s, c, a, LINE, "the line"))
            else:
                made.append(number(s, c, a))
        return fold(E(kind, _result(s, result), tuple(made), None, x.place))
    return form


def _result(s: Scope, result: str) -> Type:
    assert s.board is not None and s.cell is not None
    if result == "S":
        return SetOf(s.cell)
    if result == "c":
        return s.cell
    if result == "d":
        return Maybe(Number(0, len(s.board.names)), partial=True)
    spans = {"row": s.board.row, "column": s.board.column, "height": s.board.z}[result]
    return Number(min(spans), max(spans))


def _row(name: str) -> Form:
    form = _on_board(name, "c", name)

    def asked(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
        if not args:
            return s.wrong(x.place, "wrong-form", f"say of which cell: `{name} of c`")
        e = form(s, c, args, x)
        cell = e.args[0] if e.op == name else None
        if cell is not None and cell.op == "const" and cell.data is not None and s.board is not None:
            spans = {"row": s.board.row, "column": s.board.column, "height": s.board.z}[name]
            return E("const", e.type, (), spans[e.args[0].data], x.place)
        return e
    return asked


def _ray(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    if not _need_board(s, x) or s.direction is None or s.cell is None:
        return broken(x)
    cell, way = _cell(s, c, args[0]), expression(s, c, args[1], s.direction)
    if plain(way.type) == s.direction:
        return E("ray", LINE, (cell, expect(s, c, way, s.direction, "a direction", True)), None, x.place)
    ways = expect(s, c, way, SetOf(s.direction), "the directions")
    return E("rays", SetOf(s.cell), (cell, ways), None, x.place)


def _board_const(name: str) -> Form:
    def form(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
        if not _need_board(s, x) or s.cell is None:
            return broken(x)
        t = board_tables.tables(s.board)
        cells = SetOf(s.cell)
        if name == "rim":
            return E("const", cells, (), t.rim, x.place)
        if name == "lanes":
            return E("const", ListOf(LINE), (), t.lanes, x.place)
        return E("const", ListOf(cells), (), t.rows() if name == "rows" else t.columns(), x.place)
    return form


def _lines(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    if not _need_board(s, x) or s.cell is None:
        return broken(x)
    n = number(s, c, args[0])
    try:
        length = value_of(n, s.settings, s.shaping)
    except NotConstant:
        return s.wrong(x.place, "not-constant", "the length of lines must be known before the game")
    if not isinstance(length, int) or not 1 <= length <= 64:
        return s.wrong(x.place, "out-of-range", "lines are 1 to 64 cells long")
    return E("const", ListOf(SetOf(s.cell)), (), board_tables.tables(s.board).lines(length), x.place)


def _ways_word(name: str) -> Form:
    def form(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
        if not _need_board(s, x) or s.direction is None or s.board is None:
            return broken(x)
        mask = {"orthogonal": s.board.orthogonal, "diagonal": s.board.diagonal,
                "directions": (1 << len(s.board.directions)) - 1}[name]
        return E("const", SetOf(s.direction), (), mask, x.place)
    return form


def _placements(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    if not _need_board(s, x) or s.cell is None:
        return broken(x)
    if s.shapes is None:
        return s.wrong(x.place, "no-shapes", "this game has no shapes", "add a `shapes:` section")
    shape = _typed(s, c, args[0], s.shapes, "a shape")
    return E("placements", ListOf(SetOf(s.cell)), (shape,), None, x.place)


def _cubes(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    if s.shapes is None:
        return s.wrong(x.place, "no-shapes", "this game has no shapes", "add a `shapes:` section")
    sizes = [len(s.shape_cells[name]) for name in s.shapes.members]
    shape = _typed(s, c, args[0], s.shapes, "a shape")
    return E("cubes", Number(min(sizes), max(sizes)), (shape,), None, x.place)


def _viewer(s: Scope, c: Context, args: tuple[Syntax, ...], x: Syntax) -> E:
    return s.wrong(x.place, "wrong-form", "`viewer` is the seat that looks, and only `seen:` knows it")


BOARD_WORDS = frozenset((
    "row", "column", "rows", "columns", "rim", "lanes", "lines", "directions", "orthogonal", "diagonal", "step",
    "step2", "ray", "leap", "slide", "between", "before", "mirror", "placements",
))
WORDS: dict[str, tuple[tuple[int, ...], Any]] = {
    "me": ((0,), _me), "opponent": ((0, 1), _opponent), "left": ((1,), _seat(1)), "right": ((1,), _seat(-1)),
    "partner": ((1,), _partner), "viewer": ((0,), _viewer),
    "players": ((0,), _players), "count": ((1,), _count), "sum": ((1,), _sum), "highest": ((1,), _extreme("highest")),
    "lowest": ((1,), _extreme("lowest")), "kinds": ((1,), _kinds), "copies": ((2,), _copies),
    "turns": ((0,), _register("turns")), "rounds": ((0,), _register("rounds")), "supply": ((1,), _supply),
    "times": ((1,), _times), "moves": ((0,), _moves),
    "row": ((0, 1), _row("row")), "column": ((0, 1), _row("column")), "height_of": ((1,), _row("height")),
    "rows": ((0,), _board_const("rows")), "columns": ((0,), _board_const("columns")),
    "rim": ((0,), _board_const("rim")), "lanes": ((0,), _board_const("lanes")), "lines": ((1,), _lines),
    "directions": ((0,), _ways_word("directions")), "orthogonal": ((0,), _ways_word("orthogonal")),
    "diagonal": ((0,), _ways_word("diagonal")),
    "step": ((2,), _on_board("step", "Sw", "S")), "step2": ((2,), _on_board("step2", "cw", "S")), "ray": ((2,), _ray),
    "leap": ((3,), _on_board("leap", "cnn", "S")), "slide": ((3,), _on_board("slide", "cwS", "S")),
    "between": ((2,), _on_board("between", "cc", "S")), "before": ((2,), _on_board("before", "cl", "S")),
    "neighbours": ((1,), _on_board("neighbours", "S", "S")), "reach": ((2,), _on_board("reach", "SS", "S")),
    "distance": ((2,), _on_board("distance", "cc", "d")), "mirror": ((1,), _on_board("mirror", "c", "c")),
    "placements": ((1,), _placements), "cubes": ((1,), _cubes),
}
