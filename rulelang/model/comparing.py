"""Comparing values: =, !=, is, is a, <, <=, >, >=, in and not in."""

from __future__ import annotations

from rulelang.model.constant import fold
from rulelang.model.convert import (
    cell_if_there,
    convert,
    element_of,
    expect,
    has_numbers,
    number_of_cell,
    plain,
    recoded,
)
from rulelang.model.expressions import as_number, broken, expression
from rulelang.model.ir import E
from rulelang.model.join import join, loosely
from rulelang.model.logic import negation
from rulelang.model.scope import Context, Scope, none_of
from rulelang.model.types import (
    SWITCH,
    BagOf,
    Empty,
    Line,
    ListOf,
    Maybe,
    Named,
    Nothing,
    Number,
    SetOf,
    Switch,
    Type,
    Wrong,
    a_,
    describe,
)
from rulelang.syntax.trees import Syntax

ORDER = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def _alike(s: Scope, c: Context, x: Syntax, left: Syntax, right: Syntax) -> tuple[E, E] | None:
    """Both sides, held alike; None with a fault if no value of one is ever one of the other."""
    if ("empty" in (left.kind, right.kind)) and {left.kind, right.kind} & {"name", "index", "of_"}:
        c = c.child(size_only=True)      # whether there is anything in it, not what
    a = expression(s, c, left)
    b = expression(s, c, right, a.type)
    if isinstance(a.type, Wrong) or isinstance(b.type, Wrong):
        return None
    kind = join(s, a.type, b.type)
    if kind is None:
        s.wrong(x.place, "wrong-type", f"{a_(a.type)} and {a_(b.type)} are never alike")
        return None
    for one, other in ((a, b), (b, a)):
        never = not isinstance(other.type, (Maybe, Nothing)) and element_of(other.type) is None
        if isinstance(one.type, Nothing) and never:
            s.faults.add(x.place, "never-none", f"this is {a_(other.type)}, and never none",
                         "what may be none is declared `… or none`", severity="warning")
    _within_reach(s, "eq", a, b)
    _within_reach(s, "eq", b, a)
    a, b = _by_number(s, a, b), _by_number(s, b, a)
    kind = join(s, a.type, b.type) or kind
    if not isinstance(kind, (Nothing, Empty)):
        a, b = loosely(s, c, a, kind), loosely(s, c, b, kind)
    if isinstance(a.type, Wrong) or isinstance(b.type, Wrong):
        return None
    return (b, a) if a.op == "const" and b.op != "const" else (a, b)


def _by_number(s: Scope, e: E, other: E) -> E:
    """A cell that is compared with a number as its number: a number that is no cell's is like none of them."""
    number = isinstance(plain(other.type), Number) and other.op != "const"
    return number_of_cell(s, e) if number and has_numbers(s, plain(e.type)) else e


def _within_reach(s: Scope, op: str, value: E, limit: E) -> None:
    """Warn of a comparison with a constant that comes out the same for every value there is."""
    span = plain(value.type)
    if limit.op != "const" or value.op == "const" or not isinstance(span, Number) or not isinstance(limit.data, int):
        return
    n = limit.data
    always = {"eq": False, "lt": span.high < n, "le": span.high <= n, "gt": span.low > n, "ge": span.low >= n}[op]
    never = {"eq": not span.low <= n <= span.high, "lt": span.low >= n, "le": span.low > n, "gt": span.high <= n,
             "ge": span.high < n}[op]
    if never and isinstance(limit.type, Number):
        s.faults.add(limit.place, "out-of-reach", f"{n} is out of reach: the other side is {describe(span)}",
                     "so this is always off" if op != "eq" else "so the two are never alike", severity="warning")
    elif always and isinstance(limit.type, Number):
        s.faults.add(limit.place, "out-of-reach", f"the other side is {describe(span)}, so this is always on",
                     severity="warning")


def _equal(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    return _compared("eq", s, c, x, *x.parts)


def _unequal(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    return _compared("ne", s, c, x, *x.parts)


def _compared(op: str, s: Scope, c: Context, x: Syntax, left: Syntax, right: Syntax) -> E:
    both = _alike(s, c, x, left, right)
    if both is None:
        return broken(x)
    a, b = both
    if isinstance(a.type, Switch) and b.op == "const" and isinstance(b.data, bool):
        return a if b.data is (op == "eq") else negation(a, x.place)      # so that `x = on` and `x` are one truth
    return fold(E(op, SWITCH, both, None, x.place))


def _compare(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    left, op, right = x.parts
    if op == "!=":
        return _compared("ne", s, c, x, left, right)
    a = expression(s, c, left)
    b = expression(s, c, right, a.type)
    if isinstance(plain(a.type), Named) and plain(a.type) == plain(b.type) and plain(a.type) != s.cell:
        a, b = (E("need", plain(e.type), (e,), None, e.place) if isinstance(e.type, Maybe) else e for e in (a, b))
    else:
        a, b = as_number(s, c, a), as_number(s, c, b)
    if isinstance(a.type, Wrong) or isinstance(b.type, Wrong):
        return a if isinstance(a.type, Wrong) else b
    name = ORDER[op]
    if a.op == "const" and b.op != "const":
        a, b, name = b, a, TURNED[name]
    _within_reach(s, name, a, b)
    return fold(E(name, SWITCH, (a, b), None, x.place))


def _is_a(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    value, name = x.parts
    e = expression(s, c, value)
    kind = plain(e.type)
    if isinstance(kind, Wrong):
        return e
    if not isinstance(kind, Named):
        return s.wrong(x.place, "wrong-type", f"`is a` asks for a part of a union, and this is {a_(e.type)}")
    for part, first, count in kind.parts:
        if part == name:
            s.used.add(name)
            return E("is_part", SWITCH, (e,), (first, count), x.place)
    if kind.name == name:
        s.used.add(name)
        if not isinstance(e.type, Maybe):
            return E("const", SWITCH, (), True, x.place)
        return E("ne", SWITCH, (e, none_of(x.place)), None, x.place)
    return s.wrong(x.place, "unknown-name", f"{a_(kind)} is never a {name}",
                   f"its parts are: {', '.join(p for p, _, _ in kind.parts)}" if kind.parts else "")


def _in(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    held = expression(s, c, x.parts[1])
    e = expression(s, c, x.parts[0], element_of(held.type))
    if isinstance(e.type, Wrong) or isinstance(held.type, Wrong):
        return e if isinstance(e.type, Wrong) else held
    if isinstance(held.type, Empty):
        return E("const", SWITCH, (), False, x.place)
    if isinstance(held.type, Line) and s.cell is not None:
        held = expect(s, c, held, SetOf(s.cell), "this")
    of = element_of(held.type)
    if of is None:
        return s.wrong(held.place, "wrong-type", f"`in` asks for a set, and this is {a_(held.type)}")
    member = _member(s, c, e, held.type, of)
    if member is None:
        return s.wrong(x.place, "wrong-type", f"{a_(e.type)} is never in {a_(held.type)}")
    op = {SetOf: "in", BagOf: "in_bag"}.get(type(held.type), "in_list")
    return E(op, SWITCH, (member, held), None, x.place)


def _member(s: Scope, c: Context, e: E, held: Type, of: Type) -> E | None:
    """The left side of `in`, as the right side holds it."""
    if isinstance(of, Number) and isinstance(plain(e.type), Number):
        return e
    if isinstance(of, Number) and has_numbers(s, plain(e.type)):
        return number_of_cell(s, e)
    if isinstance(plain(e.type), Number) and e.op != "const" and has_numbers(s, plain(of)):
        return cell_if_there(s, e)
    if isinstance(held, ListOf) and isinstance(of, (SetOf, Line)):
        return convert(s, c, e, of)
    kind = plain(e.type)
    if isinstance(kind, Named) and isinstance(of, Named) and kind != of:
        return recoded(e, kind, of, maybe=True)      # of a union, none if it is not of the part that is held
    return convert(s, c, e, Maybe(plain(of)))


def _not_in(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    return negation(_in(s, c, x, want), x.place)


FORMS = {"equal": _equal, "unequal": _unequal, "compare": _compare, "is_a": _is_a, "in_": _in, "not_in": _not_in}
