"""Expressions: from syntax to typed form. Names are looked up, types worked out, conversions put in.

Each form of sentence has one function here or in `quantors`; words that are built in are in `builtins`. What is
known to hold at a place (`and` to the left, a `where`, a `require` before) travels in the context as truths: they
tell that a value is not none, and that a secret may be read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.model import builtins, quantors, secrets
from rulelang.model.constant import fold
from rulelang.model.convert import as_set, convert, element_of, expect, join, plain
from rulelang.model.ir import TRUE, E, Text
from rulelang.model.scope import Context, Key, Scope, Symbol, key, none_of
from rulelang.model.types import (
    EMPTY, SWITCH, WRONG, BagOf, DeckOf, Empty, Line, ListOf, Maybe, Named, Nothing, Number, Record, SetOf, Switch,
    Type, Wrong, describe, field_place, is_scalar, size_of,
)
from rulelang.source.diagnostic import Place
from rulelang.syntax.trees import Syntax


def expression(s: Scope, c: Context, x: Syntax, want: Type | None = None) -> E:
    """The typed form of an expression. `want` helps where a literal could be of several types."""
    return FORMS[x.kind](s, c, x, want)


def condition(s: Scope, c: Context, x: Syntax) -> E:
    """An expression that is on or off."""
    return expect(s, c, expression(s, c, x, SWITCH), SWITCH, "a condition")


def number(s: Scope, c: Context, x: Syntax) -> E:
    """An expression that is a number, whatever its range."""
    return as_number(s, c, expression(s, c, x))


def as_number(s: Scope, c: Context, e: E) -> E:
    """`e` as a number: of a `number or none` the number; of a cell on a numbered board its number."""
    kind = plain(e.type)
    if isinstance(kind, Number):
        return e if kind == e.type else E("need", kind, (e,), None, e.place)
    if isinstance(e.type, Wrong):
        return e
    if kind == s.cell and s.board is not None and s.board.numbered:
        made = convert(s, c, e, Number(0, len(s.board.names) + 1))
        if made is not None:
            return made
    if isinstance(kind, Switch):
        return s.wrong(e.place, "wrong-type", "a number is wanted here, and this is a switch",
                       "write `1 if … else 0`")
    return s.wrong(e.place, "wrong-type", f"a number is wanted here, and this is a {describe(e.type)}")


# ------------------------------------------------------------------------------------------------ truths


def holds_when(e: E, outcome: bool = True) -> list[Key]:
    """What is known once `e` is known to be on (or off)."""
    found: list[Key] = []
    match e.op:
        case "and" if outcome:
            for a in e.args:
                found += holds_when(a)
        case "or" if not outcome:
            for a in e.args:
                found += holds_when(a, False)
        case "not":
            found += holds_when(e.args[0], not outcome)
        case "if" if e.args[1].op == "const" and e.args[1].data is False and outcome:
            found += holds_when(e.args[2])
    if outcome:
        found.append(key(e))
        if e.op == "eq":
            for a, b in (e.args, e.args[::-1]):
                if isinstance(a.type, Maybe) and not isinstance(b.type, (Maybe, Nothing)):
                    found.append(not_none(a))
        if e.op == "in":
            found.append(not_none(e.args[0]))
    else:
        found.append(("not", None, (key(e),)))
        if e.op == "eq":
            found.append(("ne", None, tuple(key(a) for a in e.args)))
        if e.op == "ne":
            found.append(("eq", None, tuple(key(a) for a in e.args)))
    return found


def not_none(e: E) -> Key:
    """The truth that `e` is not none."""
    return ("ne", None, (key(e), ("const", None, ())))


def negation(e: E) -> E:
    """`not e`."""
    return fold(E("not", SWITCH, (e,), None, e.place))


# ------------------------------------------------------------------------------------------------ logic


def _and(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    left = condition(s, c, x.parts[0])
    right = condition(s, c.knowing(holds_when(left)), x.parts[1])
    contradiction(s, c, left, right, x.place)
    return _logic("and", left, right, x.place)


def _or(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    left = condition(s, c, x.parts[0])
    right = condition(s, c.knowing(holds_when(left, False)), x.parts[1])
    return _logic("or", left, right, x.place)


def _logic(op: str, left: E, right: E, place: Place) -> E:
    stops = op == "or"
    for a, b in ((left, right), (right, left)):
        if a.op == "const" and not isinstance(a.type, Wrong):
            return a if bool(a.data) is stops else b
    flat: list[E] = []
    for a in (left, right):
        flat += a.args if a.op == op else [a]
    return E(op, SWITCH, tuple(flat), None, place)


def contradiction(s: Scope, c: Context, left: E, right: E, place: Place) -> None:
    """Note a fault where the right cannot hold when the left does, as far as that can be seen."""
    known = set(holds_when(left)) | c.truths
    for part in right.args if right.op == "and" else (right,):
        if isinstance(part.type, Wrong) or part.op == "const":
            continue
        if any(k in known for k in holds_when(part, False)) or _outside(known, part):
            s.faults.add(part.place, "contradiction", "this can never hold together with the conditions before it",
                         "drop one of the two, or write `or` between them")


def _outside(known: set[Key], part: E) -> bool:
    """Whether numbers that the known truths allow for an expression leave none for `part`."""
    bounds = _bounds(key(part))
    if bounds is None:
        return False
    subject, low, high = bounds
    for truth in known:
        other = _bounds(truth)
        if other is not None and other[0] == subject:
            low, high = max(low, other[1]), min(high, other[2])
    return low > high


def _bounds(k: Key) -> tuple[Key, float, float] | None:
    op, _, args = k
    if op not in ("eq", "lt", "le", "gt", "ge") or len(args) != 2 or args[0][0] == "const":
        return None
    subject, limit = args
    if limit[0] != "const" or not isinstance(limit[1], int) or isinstance(limit[1], bool):
        return None
    n, no = limit[1], float("inf")
    low, high = {"eq": (n, n), "lt": (-no, n - 1), "le": (-no, n), "gt": (n + 1, no), "ge": (n, no)}[op]
    return subject, low, high


def _not(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    return negation(condition(s, c, x.parts[0]))


def _cond(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    value, asked, otherwise = x.parts
    test = condition(s, c, asked)
    yes = expression(s, c.knowing(holds_when(test)), value, want)
    no = expression(s, c.knowing(holds_when(test, False)), otherwise, want)
    kind = join(s, yes.type, no.type)
    if kind is None:
        return s.wrong(x.place, "wrong-type",
                       f"the two outcomes differ: {describe(yes.type)} and {describe(no.type)}")
    yes, no = (_loose(s, c, a, kind) for a in (yes, no))
    if test.op == "const" and not isinstance(test.type, Wrong):
        return yes if test.data else no
    return E("if", kind, (test, yes, no), None, x.place)


def _loose(s: Scope, c: Context, e: E, kind: Type) -> E:
    """`e` within a joined type; ranges need no test there."""
    if isinstance(plain(kind), Number) and isinstance(plain(e.type), (Number, Nothing)):
        return e
    made = convert(s, c, e, kind)
    return e if made is None else made


# ------------------------------------------------------------------------------------------------ comparing


def _alike(s: Scope, c: Context, x: Syntax, left: Syntax, right: Syntax) -> tuple[E, E] | None:
    a = expression(s, c, left)
    b = expression(s, c, right, a.type)
    if isinstance(a.type, Wrong) or isinstance(b.type, Wrong):
        return None
    kind = join(s, a.type, b.type)
    if kind is None:
        s.wrong(x.place, "wrong-type", f"a {describe(a.type)} and a {describe(b.type)} are never alike")
        return None
    for one, other in ((a, b), (b, a)):
        literal = one.op == "const" and isinstance(one.type, Number) and one.type.low == one.type.high
        span = plain(other.type)
        if literal and isinstance(span, Number) and other.op != "const" and not span.low <= one.data <= span.high:
            s.faults.add(one.place, "out-of-range", f"{one.data} is never reached: the other side is {describe(span)}")
    if not isinstance(kind, (Nothing, Empty)):
        a, b = _loose(s, c, a, kind), _loose(s, c, b, kind)
    return a, b


def _equal(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    both = _alike(s, c, x, *x.parts)
    return _broken(x) if both is None else fold(E("eq", SWITCH, _constant_last(both), None, x.place))


def _unequal(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    both = _alike(s, c, x, *x.parts)
    return _broken(x) if both is None else fold(E("ne", SWITCH, _constant_last(both), None, x.place))


def _constant_last(both: tuple[E, E]) -> tuple[E, E]:
    return (both[1], both[0]) if both[0].op == "const" and both[1].op != "const" else both


def _broken(x: Syntax) -> E:
    return E("const", WRONG, (), None, x.place)


ORDER = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def _compare(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    left, op, right = x.parts
    if op == "!=":
        return _unequal(s, c, Syntax("unequal", (left, right), x.place), want)
    a, b = expression(s, c, left), expression(s, c, right)
    if isinstance(plain(a.type), Named) and plain(a.type) == plain(b.type) and plain(a.type) != s.cell:
        a, b = (E("need", plain(e.type), (e,), None, e.place) if isinstance(e.type, Maybe) else e for e in (a, b))
    else:
        a, b = as_number(s, c, a), as_number(s, c, b)
    name = ORDER[op]
    if a.op == "const" and b.op != "const":
        a, b, name = b, a, TURNED[name]
    return fold(E(name, SWITCH, (a, b), None, x.place))


def _is_a(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    value, name = x.parts
    e = expression(s, c, value)
    kind = plain(e.type)
    if isinstance(kind, Wrong):
        return e
    if isinstance(kind, Named):
        for part, first, count in kind.parts:
            if part == name:
                s.used.add(name)
                return E("is_part", SWITCH, (e,), (first, count), x.place)
        if kind.name == name:
            return E("ne", SWITCH, (e, none_of(x.place)), None, x.place)
        return s.wrong(x.place, "unknown-name", f"a {kind.name} is never a {name}",
                       f"its parts are: {', '.join(p for p, _, _ in kind.parts)}" if kind.parts else "")
    return s.wrong(x.place, "wrong-type", f"`is a` asks for a part of a union, and this is a {describe(e.type)}")


def _in(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    held = expression(s, c, x.parts[1])
    e = expression(s, c, x.parts[0], element_of(held.type))
    if isinstance(held.type, Empty):
        return fold(E("const", SWITCH, (), False, x.place))
    if isinstance(held.type, Line) and s.cell is not None:
        held = expect(s, c, held, SetOf(s.cell), "this")
    of = element_of(held.type)
    if of is None or isinstance(e.type, Wrong):
        return e if isinstance(e.type, Wrong) else held if isinstance(held.type, Wrong) else s.wrong(
            held.place, "wrong-type", f"`in` asks for a set, and this is a {describe(held.type)}")
    if isinstance(of, Number) and isinstance(plain(e.type), Number):
        member: E | None = e
    elif isinstance(held.type, ListOf) and isinstance(of, (SetOf, Line)):
        member = convert(s, c, e, of)
    else:
        member = convert(s, c, e, Maybe(of))
        if isinstance(held.type, SetOf) and isinstance(of, Named) and isinstance(plain(e.type), Named) \
                and plain(e.type) != of and any(p == of.name for p, _, _ in plain(e.type).parts):  # type: ignore[union-attr]
            held = expect(s, c, held, SetOf(plain(e.type)), "this")
            member = e
    if member is None:
        return s.wrong(x.place, "wrong-type", f"a {describe(e.type)} is never in a {describe(held.type)}")
    op = {SetOf: "in", BagOf: "in_bag"}.get(type(held.type), "in_list")
    return E(op, SWITCH, (member, held), None, x.place)


def _not_in(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    return negation(_in(s, c, x, want))


def _sets(s: Scope, c: Context, x: Syntax) -> tuple[E, E] | None:
    """Both sides as sets, or both as bags if one is a bag."""
    a = expression(s, c, x.parts[0])
    b = expression(s, c, x.parts[1], a.type)
    kind = join(s, a.type, b.type)
    if kind is not None and is_scalar(kind) and not isinstance(kind, Wrong):
        kind = SetOf(plain(kind))
    if isinstance(kind, Line) and s.cell is not None:
        kind = SetOf(s.cell)
    if isinstance(kind, Wrong):
        return None
    if kind is None or element_of(kind) is None:
        s.wrong(x.place, "wrong-type", f"two sets are wanted here: these are a {describe(a.type)} and a {describe(b.type)}")
        return None
    if isinstance(kind, ListOf):
        return a, b
    return expect(s, c, a, kind, "this"), expect(s, c, b, kind, "this")


def _between_sets(name: str, for_bags: str | None, result: Type | None) -> Callable[..., E]:
    def form(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
        both = _sets(s, c, x)
        if both is None:
            return _broken(x)
        kind = both[0].type
        op = name
        if isinstance(kind, BagOf):
            if for_bags is None:
                return s.wrong(x.place, "wrong-type", f"`{name}` asks for sets, and these are bags",
                               "say `holds` for bags, or `kinds of`")
            op = for_bags
        elif isinstance(kind, (ListOf, DeckOf)):
            return s.wrong(x.place, "wrong-type", f"sets are wanted here, and this is a {describe(kind)}")
        args = both[::-1] if op == "holds" and name == "within" else both
        return fold(E(op, kind if result is None else result, args, None, x.place))
    return form


def _holds(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    a = expression(s, c, x.parts[0])
    if isinstance(a.type, SetOf):
        b = expect(s, c, expression(s, c, x.parts[1], a.type), a.type, "this")
        return fold(E("within", SWITCH, (b, a), None, x.place))
    if not isinstance(a.type, BagOf):
        return a if isinstance(a.type, Wrong) else s.wrong(
            a.place, "wrong-type", f"`holds` asks a bag, and this is a {describe(a.type)}")
    b = expression(s, c, x.parts[1], BagOf(a.type.of, a.type.most))
    return E("holds", SWITCH, (a, expect(s, c, b, BagOf(a.type.of, a.type.most), "what it holds")), None, x.place)


def _plus(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    a = expression(s, c, x.parts[0], want)
    b = expression(s, c, x.parts[1], want)
    if any(isinstance(e.type, Wrong) for e in (a, b)):
        return _broken(x)
    if _is_number(s, a) and _is_number(s, b):
        return arithmetic("add", as_number(s, c, a), as_number(s, c, b), x.place)
    kind = join(s, a.type, b.type)
    if isinstance(kind, Line) and s.cell is not None:
        kind = SetOf(s.cell)
    if kind is not None and is_scalar(kind):
        kind = SetOf(plain(kind)) if not isinstance(plain(kind), (Number, Switch)) else None
    if isinstance(kind, ListOf) and isinstance(a.type, ListOf) and isinstance(b.type, ListOf):
        return fold(E("join_lists", kind, (a, b), None, x.place))
    if isinstance(kind, (SetOf, BagOf)):
        op = "plus" if isinstance(kind, BagOf) else "union"
        return fold(E(op, kind, (expect(s, c, a, kind, "this"), expect(s, c, b, kind, "this")), None, x.place))
    if isinstance(kind, DeckOf) or isinstance(a.type, DeckOf):
        return E("deck_plus", a.type, (a, expect(s, c, b, ListOf(element_of(a.type) or WRONG), "this")), None, x.place)
    return s.wrong(x.place, "wrong-type",
                   f"`+` joins two numbers or two sets: these are a {describe(a.type)} and a {describe(b.type)}")


def _is_number(s: Scope, e: E) -> bool:
    numbered = s.board is not None and s.board.numbered
    return isinstance(plain(e.type), Number) or (numbered and e.type == s.cell)


def arithmetic(op: str, a: E, b: E, place: Place) -> E:
    """A calculation with the range of its result."""
    if not isinstance(a.type, Number) or not isinstance(b.type, Number):
        return E("const", WRONG, (), None, place)
    (l1, h1), (l2, h2) = (a.type.low, a.type.high), (b.type.low, b.type.high)
    if op == "add":
        low, high = l1 + l2, h1 + h2
    elif op == "sub":
        low, high = l1 - h2, h1 - l2
    elif op == "mul":
        corners = [p * q for p in (l1, h1) for q in (l2, h2)]
        low, high = min(corners), max(corners)
    elif op == "div":
        corners = [p // q for p in (l1, h1) for q in {l2, h2, 1, -1} if q and l2 <= q <= h2]
        low, high = (min(corners), max(corners)) if corners else (0, 0)
    else:
        span = max(abs(l2), abs(h2))
        low, high = (0, max(0, h2 - 1)) if l2 > 0 else (1 - span, max(0, span - 1))
    return fold(E(op, Number(low, high), (a, b), None, place))


def _calculate(op: str) -> Callable[..., E]:
    def form(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
        a, b = number(s, c, x.parts[0]), number(s, c, x.parts[1])
        if op in ("div", "mod") and b.op == "const" and b.data == 0:
            return s.wrong(b.place, "division-by-zero", "nothing can be divided by 0")
        if op == "sub" and isinstance(a.type, Number) and isinstance(b.type, Number) and key(a) == key(b):
            return E("const", Number(0, 0), (), 0, x.place)
        return arithmetic(op, a, b, x.place)
    return form


def _negate(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    a = number(s, c, x.parts[0])
    return a if not isinstance(a.type, Number) else fold(
        E("neg", Number(-a.type.high, -a.type.low), (a,), None, x.place))


def _range(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    a, b = number(s, c, x.parts[0]), number(s, c, x.parts[1])
    if not isinstance(a.type, Number) or not isinstance(b.type, Number):
        return _broken(x)
    low, high = min(a.type.low, b.type.high), max(a.type.low, b.type.high)
    if high - low > 4096:
        return s.wrong(x.place, "too-large", f"a set of up to {high - low + 1} numbers is too large", "4,096 at most")
    return fold(E("range", SetOf(Number(low, high)), (a, b), None, x.place))


# ------------------------------------------------------------------------------------------------ atoms


def _int(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    n = x.parts[0]
    if n > 1 << 31:
        return s.wrong(x.place, "too-large", "numbers go up to 2,147,483,648")
    return E("const", Number(n, n), (), n, x.place)


def _player(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    n = x.parts[0]
    if not 1 <= n <= s.players:
        return s.wrong(x.place, "unknown-player", f"there is no player {n} in a game of {s.players}")
    return E("const", s.seats, (), n - 1, x.place)


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
        return _broken(x)
    return symbol_value(s, c, symbol, (), x)


def symbol_value(s: Scope, c: Context, symbol: Symbol, args: tuple[Syntax, ...], x: Syntax) -> E:
    """What a symbol stands for, with the arguments or indices given."""
    match symbol.kind:
        case "builtin":
            return builtins.call(s, c, symbol.name, args, x)
        case "option":
            return E("option", symbol.type, (), symbol.name, x.place)
        case "word":
            return E("const", symbol.type, (), symbol.item, x.place)
        case "area" | "areas":
            return E("const", symbol.type, (), symbol.item, x.place)
        case "type":
            return _type_as_set(s, c, symbol, args, x)
        case "variable":
            return read(s, c, symbol.item, args, x)
        case "table":
            return _table(s, c, symbol.item, args, x)
        case "define":
            from rulelang.model.declare import define_of
            return _call(s, c, define_of(s, symbol), symbol, args, x)
        case "area_each":
            cell = expect(s, c, expression(s, c, args[0]), s.cell or WRONG, "this", index=True) if len(args) == 1 else \
                s.wrong(x.place, "wrong-count", f"`{symbol.name} of` asks for one cell")
            return E("area_at", symbol.type, (cell,), symbol.item, x.place)
        case "step":
            return s.wrong(x.place, "wrong-form", f"`{symbol.name}` is a step: it does something and has no value")
    raise AssertionError(symbol.kind)


def _type_as_set(s: Scope, c: Context, symbol: Symbol, args: tuple[Syntax, ...], x: Syntax) -> E:
    kind = symbol.type
    if isinstance(kind, Wrong):
        return _broken(x)
    if not args:
        if not is_scalar(kind) or size_of(kind) > 4096:
            return s.wrong(x.place, "wrong-form", f"`{symbol.name}` cannot be gone through")
        return E("const", SetOf(kind), (), (1 << size_of(kind)) - 1, x.place)
    if not isinstance(kind, Record):
        return s.wrong(x.place, "wrong-form", f"`{symbol.name}` is not a record and takes no values")
    if len(args) != len(kind.fields):
        return s.wrong(x.place, "wrong-count",
                       f"a {kind.name} has {len(kind.fields)} values ({', '.join(n for n, _ in kind.fields)})")
    values = []
    for (name, field), a in zip(kind.fields, args, strict=True):
        e = expect(s, c, expression(s, c, a, field), field, f"the {name} of a {kind.name}")
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
    indices = arguments(s, c, v.index_types, args, x, v.name, index=True)
    if indices is None:
        return _broken(x)
    e = E("get", v.type, indices, number_, x.place)
    if v.seen is not None:
        secrets.reading(s, c, v, e)
    return e


def arguments(
    s: Scope, c: Context, kinds: tuple[Type, ...], args: tuple[Syntax, ...], x: Syntax, name: str, index: bool = False,
) -> tuple[E, ...] | None:
    """The arguments or indices, each of its type; None (with a fault) if their number is wrong."""
    if len(kinds) != len(args):
        form = f"`{name}`" + ("" if kinds else " alone")
        what = "no index" if not kinds else "one index" if len(kinds) == 1 else f"{len(kinds)} indices"
        s.faults.add(x.place, "wrong-count", f"{form} takes {what}, and here it has {len(args) or 'none'}",
                     f"its indices: {', '.join(describe(k) for k in kinds)}" if kinds else "")
        return None
    return tuple(
        expect(s, c, expression(s, c, a, kind), kind, f"this value of `{name}`", index)
        for kind, a in zip(kinds, args, strict=True)
    )


def _table(s: Scope, c: Context, number_: int, args: tuple[Syntax, ...], x: Syntax) -> E:
    t = s.tables[number_]
    if len(args) != len(t.index_types):
        arguments(s, c, t.index_types, args, x, t.name)
        return _broken(x)
    indices, maybe = [], False
    for kind, a in zip(t.index_types, args, strict=True):
        e = expression(s, c, a, kind)
        if isinstance(e.type, Maybe) and x.kind == "of_":
            maybe = True
            indices.append(expect(s, c, e, Maybe(kind), f"this value of `{t.name}`"))
        else:
            indices.append(expect(s, c, e, kind, f"this value of `{t.name}`", index=True))
    kind = t.type
    if maybe and not isinstance(kind, Maybe):
        kind = Maybe(kind, partial=True)
    return E("table", kind, tuple(indices), number_, x.place)


def _call(s: Scope, c: Context, found: Any, symbol: Symbol, args: tuple[Syntax, ...], x: Syntax) -> E:
    if found is None:
        return _broken(x)
    number_, params, body = found
    values = arguments(s, c, tuple(k for _, k in params), args, x, symbol.name)
    if values is None:
        return _broken(x)
    secrets.calling(s, c, number_, [slot for slot, _ in params], values, x)
    return E("call", body.type, values, number_, x.place)


def _call_form(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    name, args = x.parts
    if name in c.locals:
        return s.wrong(x.place, "wrong-form", f"`{name}` is a value and takes nothing in brackets")
    symbol = s.find(name)
    if symbol is None:
        s.unknown(c, name, x.place)
        return _broken(x)
    return symbol_value(s, c, symbol, args, x)


def _index(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    name, args = x.parts
    if name in c.locals:
        return s.wrong(x.place, "wrong-form", f"`{name}` is a single value and has no index")
    symbol = s.find(name)
    if symbol is None:
        s.unknown(c, name, x.place)
        return _broken(x)
    if symbol.kind not in ("variable", "table"):
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
    before = len(s.faults.found)
    e = expression(s, c, value)
    if len(s.faults.found) > before:
        return _broken(x)
    kind = plain(e.type)
    if isinstance(kind, Record) and any(n == name for n, _ in kind.fields):
        divisor, size, field = field_place(kind, name)
        offset = field.low if isinstance(field, Number) else 0
        made: Type = Maybe(field, partial=True) if isinstance(e.type, Maybe) else field
        return E("field", made, (e,), (divisor, size, offset), x.place)
    if symbol is not None:
        s.used.add(name)
        return symbol_value(s, c, symbol, (value,), x)
    if name == "owner" and isinstance(kind, Named) and any(p == s.seats.name for p, _, _ in kind.parts):
        first = next(f for p, f, _ in kind.parts if p == s.seats.name)
        table = tuple(i - first if first <= i < first + s.players else None for i in range(len(kind.members)))
        return E("recode", Maybe(s.seats, partial=True), (e,), table, x.place)
    fields = [n for n, _ in kind.fields] if isinstance(kind, Record) else []
    hint = f"a {kind.name} has: {', '.join(fields)}" if isinstance(kind, Record) else ""
    if not hint:
        s.unknown(c, name, x.place)
        return _broken(x)
    return s.wrong(x.place, "unknown-name", f"a {kind.name} has no `{name}`", hint)  # type: ignore[union-attr]


# ------------------------------------------------------------------------------------------------ literals


def _constant(kind: Type, data: Any) -> Callable[..., E]:
    return lambda s, c, x, want: E("const", kind, (), data, x.place)


def _none(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    return none_of(x.place)


def _set_of(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    of = element_of(want) if want is not None else None
    elements = [expression(s, c, a, of) for a in x.parts[0]]
    if any(isinstance(e.type, Wrong) for e in elements):
        return _broken(x)
    kind: Type | None = None
    for e in elements:
        held = element_of(e.type)
        if held is not None or isinstance(e.type, Line):
            return s.wrong(e.place, "wrong-type", "a set holds single values, and this is a set itself",
                           "join sets with `+`")
        kind = plain(e.type) if kind is None else None if (j := join(s, kind, plain(e.type))) is None else plain(j)
        if kind is None:
            return s.wrong(x.place, "wrong-type", "the values of a set must be of one kind")
    if isinstance(kind, (Nothing, Empty)) or kind is None:
        return E("const", EMPTY, (), None, x.place)
    if of is not None and not isinstance(of, Wrong) and (
        isinstance(of, Number) and isinstance(kind, Number) and of.low <= kind.low and kind.high <= of.high
        or isinstance(of, Named) and isinstance(kind, Named)
    ):
        kind = plain(of)
    if not is_scalar(kind):
        return s.wrong(x.place, "wrong-type", f"a set cannot hold a {describe(kind)}")
    parts = tuple(_loose(s, c, e, Maybe(kind) if isinstance(e.type, (Maybe, Nothing)) else kind) for e in elements)
    if isinstance(want, BagOf):
        return E("bag_of", BagOf(kind, len(parts), want.component), parts, None, x.place)
    return fold(E("set_of", SetOf(kind), parts, None, x.place))


def text(s: Scope, c: Context, x: Syntax | None) -> Text | None:
    """A sentence with its values; they are told, so they must be seen."""
    if x is None:
        return None
    inner = c.child(guard=c.guard or "a sentence")
    parts: list[str | E] = []
    for part in x.parts:
        parts.append(part if isinstance(part, str) else expression(s, inner, part))
    return Text(tuple(parts))


def domain(s: Scope, c: Context, x: Syntax) -> E:
    """An expression to go through."""
    return as_set(s, c, expression(s, c, x))


FORMS: dict[str, Callable[[Scope, Context, Syntax, Type | None], E]] = {
    "and_": _and, "or_": _or, "not_": _not, "cond": _cond,
    "equal": _equal, "unequal": _unequal, "compare": _compare, "is_a": _is_a,
    "in_": _in, "not_in": _not_in, "holds": _holds,
    "within": _between_sets("within", "holds", SWITCH), "meets": _between_sets("meets", None, SWITCH),
    "without": _between_sets("without", "minus", None), "both": _between_sets("both", "bag_both", None),
    "plus": _plus, "minus": _calculate("sub"), "times": _calculate("mul"), "over": _calculate("div"),
    "mod": _calculate("mod"), "negate": _negate, "range": _range,
    "int": _int, "player": _player, "name": _name, "call": _call_form, "index": _index, "of_": _of,
    "none": _none, "on": _constant(SWITCH, True), "off": _constant(SWITCH, False), "empty": _constant(EMPTY, None),
    "set_of": _set_of,
    "quant": quantors.quantified, "no_two": quantors.no_two, "first": quantors.search, "last": quantors.search,
    "set_where": quantors.part, "bag_for": quantors.collected,
}

assert TRUE.op == "const"
