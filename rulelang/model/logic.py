"""and, or, not, and `A if C else B`: what holds on one side is known on the other."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

from rulelang.model.constant import fold
from rulelang.model.expressions import condition, expression, mentions
from rulelang.model.ir import E
from rulelang.model.join import join, loosely
from rulelang.model.scope import Context, Scope
from rulelang.model.truths import contradiction, holds_when
from rulelang.model.types import SWITCH, Type, Wrong, a_
from rulelang.source.diagnostic import Place
from rulelang.syntax.trees import Syntax


def negation(e: E, place: Place) -> E:
    """`not e`."""
    return e if isinstance(e.type, Wrong) else fold(E("not", SWITCH, (e,), None, place))


def decided(test: E, x: Syntax) -> bool | None:
    """What a condition comes to that the number of players decides; None if it does not. What such a condition rules
    out is meant for games of another number, and its faults here are none."""
    return bool(test.data) if test.op == "const" and test.type == SWITCH and mentions(x, "players") else None


def _and(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    left = condition(s, c, x.parts[0])
    inner = c.knowing(holds_when(left))
    if decided(left, x.parts[0]) is False:
        with s.unheard():
            condition(s, inner, x.parts[1])
        return left
    right = condition(s, inner, x.parts[1])
    contradiction(s, inner, right)
    return _joined("and", left, right, x.place)


def _or(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    left = condition(s, c, x.parts[0])
    inner = c.knowing(holds_when(left, False))
    if decided(left, x.parts[0]) is True:
        with s.unheard():
            condition(s, inner, x.parts[1])
        return left
    before = len(s.faults.found)
    right = condition(s, inner, x.parts[1])
    if x.parts[0].kind == "equal" and x.parts[1].kind not in _ASKS and isinstance(right.type, Wrong):
        for i, each in enumerate(s.faults.found[before:], before):
            if each.code == "wrong-type" and each.place == x.parts[1].place:
                s.faults.found[i] = replace(each, hint=f"one of several is asked with `in`: {_one_of(x)}")
    return _joined("or", left, right, x.place)


def _one_of(x: Syntax) -> str:
    """What `k = 1 or 2` was meant to be."""
    asked, (first, second) = x.parts[1], x.parts[0].parts
    words = [str(each.parts[0]) if each.kind in ("name", "int") else "" for each in (first, second, asked)]
    return f"`{words[0]} in {{{words[1]}, {words[2]}}}`" if all(words) else "`x in {a, b}`"


_ASKS = frozenset(("equal", "unequal", "compare", "and_", "or_", "not_", "in_", "not_in", "quant"))


def _joined(op: str, left: E, right: E, place: Place) -> E:
    """The two joined; what a constant settles is left out."""
    if isinstance(left.type, Wrong) or isinstance(right.type, Wrong):
        return left if isinstance(left.type, Wrong) else right
    stops = op == "or"
    for a, b in ((left, right), (right, left)):
        if a.op == "const":
            return a if bool(a.data) is stops else b
    flat: list[E] = []
    for a in (left, right):
        flat += a.args if a.op == op else [a]
    return E(op, SWITCH, tuple(flat), None, place)


def _not(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    return negation(condition(s, c, x.parts[0]), x.place)


def _cond(s: Scope, c: Context, x: Syntax, want: Type | None) -> E:
    value, asked, otherwise = x.parts
    test = condition(s, c, asked)
    live = decided(test, asked)
    with s.unheard() if live is False else nullcontext():
        yes = expression(s, c.knowing(holds_when(test)), value, want)
    with s.unheard() if live is True else nullcontext():
        no = expression(s, c.knowing(holds_when(test, False)), otherwise, want)
    if live is not None:
        return yes if live else no
    if any(isinstance(e.type, Wrong) for e in (test, yes, no)):
        return next(e for e in (test, yes, no) if isinstance(e.type, Wrong))
    kind = join(s, yes.type, no.type)
    if kind is None:
        return s.wrong(x.place, "wrong-type", f"the two outcomes differ: {a_(yes.type)} and {a_(no.type)}")
    yes, no = (loosely(s, c, a, kind) for a in (yes, no))
    if test.op == "const":
        return yes if test.data else no
    return E("if", kind, (test, yes, no), None, x.place)


FORMS = {"and_": _and, "or_": _or, "not_": _not, "cond": _cond}
