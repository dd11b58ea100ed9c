"""Atoms: numbers and fixed words, and what a name stands for, with or without its indices or arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.model import builtins, secrets
from rulelang.model.bodies import define_of
from rulelang.model.calculating import MOST
from rulelang.model.constant import fold
from rulelang.model.convert import MOST_IN_A_SET, expect, plain
from rulelang.model.expressions import arguments, broken, expression
from rulelang.model.ir import E
from rulelang.model.scope import Context, Scope, Symbol, none_of, suggest
from rulelang.model.types import (
    EMPTY,
    SWITCH,
    WRONG,
    Maybe,
    Named,
    Number,
    Record,
    SetOf,
    Type,
    Wrong,
    a_,
    field_place,
    is_scalar,
    size_of,
)
from rulelang.syntax.trees import Syntax


def _int(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    n = x.parts[0]
    if n > MOST:
        return s.wrong(x.place, "too-large", f"numbers go up to {MOST:,}")
    return E("const", Number(n, n), (), n, x.place)


def _player(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    n = x.parts[0]
    if not 1 <= n <= s.players:
        return s.wrong(x.place, "unknown-player", f"there is no player {n} in a game of {s.players}",
                       "go through `Player`, or ask `players` first")
    return E("const", s.seats, (), n - 1, x.place)


def _constant(kind: Type, data: Any) -> Callable[..., E]:
    return lambda s, c, x, want: E("const", kind, (), data, x.place)


def _none(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    return none_of(x.place)


def _typed(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    """What is typed already, put among syntax again."""
    e: E = x.parts[0]
    return e


# ------------------------------------------------------------------------------------------------ names


def _name(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    name = x.parts[0]
    local = c.locals.get(name)
    if local is not None:
        e = E("local", local.type, (), local.slot, x.place)
        if local.slot in s.tainted and (c.guard or c.told):
            return s.wrong(x.place, "secret", f"`{name}` was read from what the acting player may not see",
                           "what decides legality may read only what the player sees")
        return e
    symbol = s.find(name)
    if symbol is None:
        if name in s.components:
            return s.wrong(x.place, "wrong-form", f"`{name}` is material; say `supply of {name}`")
        if name in s.cell_names and s.cell is not None:
            return E("const", s.cell, (), s.cell_names[name], x.place)
        s.unknown(c, name, x.place)
        return broken(x)
    return symbol_value(s, c, symbol, (), x)


def symbol_value(s: Scope, c: Context, symbol: Symbol, args: tuple[Syntax, ...], x: Syntax) -> E:
    """What a symbol stands for, with the arguments or indices given."""
    if symbol.name in s.lost:
        return broken(x)
    match symbol.kind:
        case "builtin":
            return builtins.call(s, c, symbol.name, args, x)
        case "option" if not args:
            return E("option", symbol.type, (), symbol.name, x.place)
        case "word" if not args:
            return E("const", symbol.type, (), symbol.item, x.place)
        case "area" | "areas" if not args:
            return E("const", symbol.type, (), symbol.item, x.place)
        case "word" | "option" | "area" | "areas":
            return s.wrong(x.place, "wrong-form", f"`{symbol.name}` is a value and takes nothing in brackets")
        case "type":
            return _type_as_set(s, c, symbol, args, x)
        case "variable":
            return read(s, c, symbol.item, args, x)
        case "table":
            return _table(s, c, symbol.item, args, x)
        case "define":
            return _call(s, c, define_of(s, symbol), symbol, args, x)
        case "area_each":
            if len(args) != 1:
                return s.wrong(x.place, "wrong-count", f"`{symbol.name} of` asks for one cell")
            cell = expect(s, c, expression(s, c, args[0]), s.cell or WRONG, "a cell", index=True)
            return cell if isinstance(cell.type, Wrong) else \
                E("area_at", symbol.type, (cell,), symbol.item, x.place)
        case "step":
            return s.wrong(x.place, "wrong-form", f"`{symbol.name}` is a step: it does something and has no value")
    raise AssertionError(symbol.kind)


def _type_as_set(s: Scope, c: Context, symbol: Symbol, args: tuple[Syntax, ...], x: Syntax) -> E:
    kind = symbol.type
    if isinstance(kind, Wrong):
        return broken(x)
    if not args:
        if not is_scalar(kind):
            return s.wrong(x.place, "wrong-form", f"`{symbol.name}` cannot be gone through")
        if size_of(kind) > MOST_IN_A_SET:
            return s.wrong(x.place, "too-large", f"`{symbol.name}` has {size_of(kind):,} values",
                           f"a set is of {MOST_IN_A_SET:,} at most")
        return E("const", SetOf(kind), (), (1 << size_of(kind)) - 1, x.place)
    if not isinstance(kind, Record):
        return s.wrong(x.place, "wrong-form", f"`{symbol.name}` is not a record and takes no values")
    if len(args) != len(kind.fields):
        return s.wrong(x.place, "wrong-count", f"{a_(kind)} has {len(kind.fields)} values, and here it has {len(args)}",
                       f"its fields: {', '.join(n for n, _ in kind.fields)}")
    values = []
    for (name, field), a in zip(kind.fields, args, strict=True):
        e = expect(s, c, expression(s, c, a, field), field, f"the {name} of {a_(kind)}")
        if isinstance(e.type, Wrong):
            return e
        values.append(to_index(e, field))
    return fold(E("record", kind, tuple(values), tuple(size_of(f) for _, f in kind.fields), x.place))


def to_index(e: E, kind: Type) -> E:
    """A scalar as its number from 0."""
    if isinstance(kind, Number) and kind.low != 0 and isinstance(e.type, Number):
        low = E("const", Number(kind.low, kind.low), (), kind.low, e.place)
        return fold(E("sub", Number(e.type.low - kind.low, e.type.high - kind.low), (e, low), None, e.place))
    return e


def read(s: Scope, c: Context, number_: int, args: tuple[Syntax, ...], x: Syntax) -> E:
    """A state variable at its indices."""
    v = s.variables[number_]
    if isinstance(v.type, Wrong):
        return broken(x)
    inner = c.child(size_only=False) if c.size_only else c
    indices = arguments(s, inner, v.index_types, args, x, v.name, index=True)
    if indices is None or any(isinstance(e.type, Wrong) for e in indices):
        return broken(x)
    e = E("get", v.type, indices, number_, x.place)
    if v.seen is not None:
        secrets.reading(s, c, v, e)
    return e


def _table(s: Scope, c: Context, number_: int, args: tuple[Syntax, ...], x: Syntax) -> E:
    t = s.tables[number_]
    if len(args) != len(t.index_types):
        arguments(s, c, t.index_types, args, x, t.name, index=True)
        return broken(x)
    indices, maybe = [], False
    for kind, a in zip(t.index_types, args, strict=True):
        e = expression(s, c, a, kind)
        if isinstance(e.type, Maybe) and x.kind == "of_":
            maybe = True
            indices.append(expect(s, c, e, Maybe(kind), f"this value of `{t.name}`"))
        else:
            indices.append(expect(s, c, e, kind, f"this value of `{t.name}`", index=True))
    kind = t.type
    if isinstance(kind, Wrong) or any(isinstance(e.type, Wrong) for e in indices):
        return broken(x)
    if maybe and not isinstance(kind, Maybe):
        kind = Maybe(kind, partial=True)
    return E("table", kind, tuple(indices), number_, x.place)


def _call(s: Scope, c: Context, found: Any, symbol: Symbol, args: tuple[Syntax, ...], x: Syntax) -> E:
    if found is None:
        return broken(x)
    number_, params, body = found
    values = arguments(s, c, tuple([k for _, k in params]), args, x, symbol.name)
    if values is None or isinstance(body.type, Wrong) or any(isinstance(e.type, Wrong) for e in values):
        return broken(x)
    if number_ in s.me_defines and not c.me:
        return s.wrong(x.place, "no-me", f"`{symbol.name}` says `me`, and there is no acting player here",
                       "give it the player as a parameter")
    secrets.calling(s, c, number_, [slot for slot, _ in params], values, x.place)
    return E("call", body.type, values, number_, x.place)


def _call_form(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    name, args = x.parts
    if name in c.locals:
        return s.wrong(x.place, "wrong-form", f"`{name}` is a value and takes nothing in brackets")
    symbol = s.find(name)
    if symbol is None:
        s.unknown(c, name, x.place)
        return broken(x)
    return symbol_value(s, c, symbol, args, x)


def _index(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    name, args = x.parts
    if name in c.locals:
        return s.wrong(x.place, "wrong-form", f"`{name}` is a single value and has no index")
    symbol = s.find(name)
    if symbol is None:
        s.unknown(c, name, x.place)
        return broken(x)
    if symbol.kind not in ("variable", "table") and name not in s.lost:
        return s.wrong(x.place, "wrong-form", f"`{name}` has no index",
                       f"write `{name}(…)`" if symbol.kind in ("define", "builtin", "type") else "")
    return symbol_value(s, c, symbol, args, x)


def _of(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    name, value = x.parts
    symbol = s.symbols.get(name)
    if name == "supply" and symbol is not None and symbol.kind == "builtin":
        return builtins.call(s, c, name, (value,), x)
    if symbol is not None and symbol.kind in ("builtin", "area_each"):
        s.used.add(name)
        return symbol_value(s, c, symbol, (value,), x)
    e = expression(s, c, value)
    if isinstance(e.type, Wrong):
        return e
    kind = plain(e.type)
    if isinstance(kind, Record) and any(n == name for n, _ in kind.fields):
        divisor, size, field = field_place(kind, name)
        offset = field.low if isinstance(field, Number) else 0
        made: Type = Maybe(field, partial=True) if isinstance(e.type, Maybe) else field
        return E("field", made, (e,), (divisor, size, offset), x.place)
    if symbol is not None:
        s.used.add(name)
        return symbol_value(s, c, symbol, (Syntax("typed", (e,), value.place),), x)
    if name == "owner" and isinstance(kind, Named) and any(p == s.seats.name for p, _, _ in kind.parts):
        first = next(f for p, f, _ in kind.parts if p == s.seats.name)
        table = tuple(i - first if first <= i < first + s.players else None for i in range(len(kind.members)))
        return E("recode", Maybe(s.seats, partial=True), (e,), table, x.place)
    if isinstance(kind, Record):
        return s.wrong(x.place, "unknown-name", f"{a_(kind)} has no `{name}`", suggest(name, dict(kind.fields)))
    s.unknown(c, name, x.place)
    return broken(x)


FORMS = {
    "int": _int, "player": _player, "name": _name, "call": _call_form, "index": _index, "of_": _of,
    "none": _none, "typed": _typed, "on": _constant(SWITCH, True), "off": _constant(SWITCH, False),
    "empty": _constant(EMPTY, None),
}
