"""Expressions: from syntax to typed form. Names are looked up, types worked out, conversions put in.

This module is the way in, and knows none of the forms: each kind of sentence has one function in `atoms`, `logic`,
`comparing`, `sets`, `calculating` or `quantors`, which calls back here for its parts. `sentences` puts their tables
together, and the scope carries them; so imports run one way.

What is known to hold at a place (`and` to the left, a `where`, a `require` before) travels in the context as truths:
they tell that a value is not none, and that a secret may be read. See `truths`.
"""

from __future__ import annotations

from rulelang.model.convert import as_set, convert, expect, has_numbers, plain
from rulelang.model.ir import E, Text
from rulelang.model.scope import Context, Scope
from rulelang.model.types import SWITCH, WRONG, Number, Switch, Type, Wrong, a_, describe
from rulelang.syntax.trees import Syntax

_ELSEWHERE = {
    "one_each": "`one of each` is how a set, bag or deck of the state begins",
    "random_": "`random` is how a variable of the state begins",
    "random_with": "`random with` is how a variable of the state begins",
    "lines_span": "`rows 1..3` says where a value stands in a start by values",
    "or_else": "words for a value that is not there belong in a `glyph:` only",
}


def expression(s: Scope, c: Context, x: Syntax, want: Type | None = None) -> E:
    """The typed form of an expression. `want` helps where a literal could be of several types."""
    form = s.forms.get(x.kind)
    if form is None:
        return s.wrong(x.place, "wrong-form", f"no value can stand here so: {_ELSEWHERE.get(x.kind, x.kind)}")
    return form(s, c, x, want)


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
    if s.board is not None and has_numbers(s, kind):
        made = convert(s, c, e, Number(0, len(s.board.names) + 1))
        if made is not None:
            return made
    hint = "write `1 if … else 0`" if isinstance(kind, Switch) else ""
    return s.wrong(e.place, "wrong-type", f"a number is wanted here, and this is {a_(e.type)}", hint)


def arguments(
    s: Scope, c: Context, kinds: tuple[Type, ...], args: tuple[Syntax, ...], x: Syntax, name: str, index: bool = False,
) -> tuple[E, ...] | None:
    """The arguments or indices, each of its type; None (with a fault) if their number is wrong."""
    if len(kinds) != len(args):
        what = ("index", "indices") if index else ("value", "values")
        takes = f"no {what[0]}" if not kinds else f"one {what[0]}" if len(kinds) == 1 else f"{len(kinds)} {what[1]}"
        s.faults.add(x.place, "wrong-count", f"`{name}` takes {takes}, and here it has {len(args) or 'none'}",
                     f"its {what[1]}: {', '.join(describe(k) for k in kinds)}" if kinds else "")
        return None
    return tuple([
        expect(s, c, expression(s, c, a, kind), kind, f"this value of `{name}`", index)
        for kind, a in zip(kinds, args, strict=True)
    ])


def text(s: Scope, c: Context, x: Syntax | None) -> Text | None:
    """A sentence with its values; they are told, so they must be seen."""
    if x is None:
        return None
    inner = c.child(guard=c.guard or "a sentence")
    return Text(tuple([part if isinstance(part, str) else expression(s, inner, part) for part in x.parts]))


def domain(s: Scope, c: Context, x: Syntax) -> E:
    """An expression to go through."""
    return as_set(s, c, expression(s, c, x))


def broken(x: Syntax) -> E:
    """What stands for an expression that a fault was noted for already."""
    return E("const", WRONG, (), None, x.place)


def mentions(x: object, name: str) -> bool:
    """Whether a sentence names something, anywhere in it."""
    if isinstance(x, tuple):
        return any(mentions(part, name) for part in x)
    return isinstance(x, Syntax) and ((x.kind == "name" and x.parts[0] == name) or mentions(x.parts, name))
