"""Forms that bind a name and go through a set: some, every, no, no two, first, last, {x in …}, {… for x in …}."""

from __future__ import annotations

from rulelang.model.convert import as_set, domain_element, plain
from rulelang.model.expressions import condition, expression
from rulelang.model.ir import TRUE, E
from rulelang.model.scope import Context, Scope
from rulelang.model.secrets import taint
from rulelang.model.truths import contradiction, holds_when, members_of
from rulelang.model.types import SWITCH, Empty, Line, ListOf, Maybe, Nothing, SetOf, Type, Wrong, a_
from rulelang.syntax.trees import Syntax


def bound(s: Scope, c: Context, name: str, domain: Syntax) -> tuple[E, int, Context]:
    """A name bound to what a domain holds: the domain, the slot, and the context in which the name is known."""
    over = as_set(s, c, expression(s, c, domain))
    inner = c.child()
    kind = domain_element(s, over)
    slot = s.bind(inner, name, kind, domain.place)
    taint(s, c, slot, over)
    return over, slot, inner.knowing(members_of(s, over, slot, kind))


def asked_of(s: Scope, c: Context, x: Syntax) -> E:
    """A condition on what a name is bound to, and whether it can hold."""
    asked = condition(s, c, x)
    contradiction(s, c, asked)
    return asked


def _quantified(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    """`some|every|no x in S where W has C`."""
    word, name, domain, where, asked = x.parts
    over, slot, inner = bound(s, c, name, domain)
    limit = TRUE
    if where is not None:
        limit = asked_of(s, inner, where)
        inner = inner.knowing(holds_when(limit))
    return E(word, SWITCH, (over, limit, asked_of(s, inner, asked)), slot, x.place)


def _no_two(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    """`no two x in S share K`."""
    name, domain, shared = x.parts
    over, slot, inner = bound(s, c, name, domain)
    return E("no_two", SWITCH, (over, expression(s, inner, shared)), slot, x.place)


def _search(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    """`first|last x in S where C`: a value, or none."""
    name, domain, where = x.parts
    over, slot, inner = bound(s, c, name, domain)
    asked = TRUE if where is None else asked_of(s, inner, where)
    kind = domain_element(s, over)
    made: Type = kind if isinstance(kind, Wrong) else Maybe(plain(kind), partial=True)
    return E(x.kind, made, (over, asked), slot, x.place)


def _part(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    """`{x in S where C}`: of a set a set, of a collection a collection."""
    name, domain, where = x.parts
    over, slot, inner = bound(s, c, name, domain)
    asked = asked_of(s, inner, where)
    kind = over.type
    if isinstance(kind, Line) and s.cell is not None:
        over, kind = E("cells", SetOf(s.cell), (over,), None, over.place), SetOf(s.cell)
    return E("where", kind, (over, asked), slot, x.place)


def _collected(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    """`{V for x in S where C}`: all the values, as often as they come; none is left out."""
    value, name, domain, where = x.parts
    over, slot, inner = bound(s, c, name, domain)
    asked = TRUE
    if where is not None:
        asked = asked_of(s, inner, where)
        inner = inner.knowing(holds_when(asked))
    e = expression(s, inner, value)
    if isinstance(e.type, Wrong):
        return e
    if isinstance(e.type, (Nothing, Empty)):
        return s.wrong(e.place, "wrong-type", f"values are collected here, and this is {a_(e.type)}")
    return E("for", ListOf(plain(e.type)), (over, asked, e), slot, x.place)


FORMS = {
    "quant": _quantified, "no_two": _no_two, "first": _search, "last": _search, "set_where": _part,
    "bag_for": _collected,
}
