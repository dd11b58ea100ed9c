"""and, or, not, and `A if C else B`: what holds on one side is known on the other."""

from __future__ import annotations

from rulelang.model.constant import fold
from rulelang.model.convert import join, loosely
from rulelang.model.expressions import condition, expression
from rulelang.model.ir import E
from rulelang.model.scope import Context, Scope
from rulelang.model.truths import contradiction, holds_when
from rulelang.model.types import SWITCH, Type, Wrong, describe
from rulelang.source.diagnostic import Place
from rulelang.syntax.trees import Syntax


def negation(e: E) -> E:
    """`not e`."""
    return fold(E("not", SWITCH, (e,), None, e.place))


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
    yes, no = (loosely(s, c, a, kind) for a in (yes, no))
    if test.op == "const" and not isinstance(test.type, Wrong):
        return yes if test.data else no
    return E("if", kind, (test, yes, no), None, x.place)


FORMS = {"and_": _and, "or_": _or, "not_": _not, "cond": _cond}
