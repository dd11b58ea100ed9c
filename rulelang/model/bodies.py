"""The bodies of defines and steps, worked out when they are first used.

So they may stand in any order, and one that needs itself is found. What a body names is worked out before it, so that
a long row of defines that use each other does not go deep into Python's own stack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rulelang.model.blocks import block, expressions_in, ops_in
from rulelang.model.expressions import expression
from rulelang.model.game import Define, Step
from rulelang.model.ir import TRUE, E, S
from rulelang.model.kinds import type_of
from rulelang.model.scope import Context, Scope, Symbol
from rulelang.model.secrets import reads_secret
from rulelang.model.types import Type
from rulelang.syntax.trees import Entry, Leaf, Syntax

MOST_NESTED = 250         # an expression, with all the defines that it calls written out in it
MOST_STEPS_NESTED = 50
MOST_STATEMENTS = 20_000  # of a step, with all the steps that it takes written out in it

Params = list[tuple[int, Type]]


@dataclass(slots=True)
class Body:
    """A define or step on its way: its entry, and what has been made of it."""

    entry: Entry
    number: int = -1
    params: Params = field(default_factory=list)
    body: Any = None
    state: str = "new"


def params_of(s: Scope, entry: Entry) -> list[tuple[str, Type]]:
    """The parameters in a key such as `name[c of Cell]`."""
    made: list[tuple[str, Type]] = []
    for param in entry.signature.parts[1] if entry.signature is not None else ():
        name, kind = param.parts
        made.append((name, type_of(s, kind)))
    return made


def define_of(s: Scope, symbol: Symbol) -> tuple[int, Params, E] | None:
    """A define's number, parameters and body. None, with a fault, if it needs itself."""
    body: Body = symbol.item
    if body.state == "new":
        _prepare(s, symbol)
    if body.state == "new":
        _define(s, symbol, body)
    elif body.state == "open":
        _recursion(s, symbol)
        return None
    return body.number, body.params, body.body


def step_of(s: Scope, symbol: Symbol) -> tuple[int, Params] | None:
    """A step's number and parameters. None, with a fault, if it needs itself."""
    body: Body = symbol.item
    if body.state == "new":
        _prepare(s, symbol)
    if body.state == "new":
        _step(s, symbol, body)
    elif body.state == "open":
        _recursion(s, symbol)
        return None
    return body.number, body.params


def _prepare(s: Scope, symbol: Symbol) -> None:
    """Work out what a body names, and what that names, innermost first."""
    seen = {symbol.name}
    stack = [(symbol, _named_in(s, symbol))]
    while stack:
        current, names = stack[-1]
        for found in names:
            if found.name not in seen and found.item.state == "new":
                seen.add(found.name)
                stack.append((found, _named_in(s, found)))
                break
        else:
            stack.pop()
            if current is not symbol and current.item.state == "new":
                (_define if current.kind == "define" else _step)(s, current, current.item)


def _named_in(s: Scope, symbol: Symbol) -> Iterator[Symbol]:
    """The defines and steps that a body may name."""
    leaf = symbol.item.entry.item
    waiting: list[Any] = [leaf.value] if isinstance(leaf, Leaf) else []
    while waiting:
        x = waiting.pop()
        if isinstance(x, tuple):
            waiting += x
        elif isinstance(x, Syntax):
            waiting += x.parts
        elif isinstance(x, str):
            found = s.symbols.get(x)
            if found is not None and found.kind in ("define", "step"):
                yield found


def _open(s: Scope, symbol: Symbol, body: Body, c: Context) -> None:
    """Start on a body: bind its parameters."""
    body.state = "open"
    for name, kind in params_of(s, body.entry):
        body.params.append((s.bind(c, name, kind, body.entry.place), kind))


def _recursion(s: Scope, symbol: Symbol) -> None:
    """Tell of a circle at that one in it which stands first."""
    loop = _loop(s, symbol)
    first = min(loop, key=lambda one: one.place)
    at = loop.index(first)
    names = [one.name for one in (*loop[at:], *loop[:at], first)]
    s.faults.add(first.place, "recursion", f"`{first.name}` needs itself: {' -> '.join(names)}",
                 "nothing may need itself; use `reach`, `first` or a loop over a set")


def _loop(s: Scope, symbol: Symbol) -> list[Symbol]:
    """The shortest way from a body through what it names back to it, without the end."""
    ways = [[symbol]]
    seen = {symbol.name}
    while ways:
        way = ways.pop(0)
        for found in _named_in(s, way[-1]):
            if found is symbol:
                return way
            if found.name not in seen:
                seen.add(found.name)
                ways.append([*way, found])
    return [symbol]


def _define(s: Scope, symbol: Symbol, body: Body) -> None:
    c = Context(f"define.{symbol.name}")
    _open(s, symbol, body, c)
    with s.within_define(symbol.name):
        leaf = body.entry.item
        e = expression(s, c, leaf.value) if isinstance(leaf, Leaf) else TRUE
        demands = s.demands or []
    deep = _depth(s, e)
    if deep > MOST_NESTED:
        e = s.wrong(body.entry.place, "too-deep", f"`{symbol.name}` is nested {deep} deep, with what it calls",
                    "keep a part of it in the state, or write it flatter")
        deep = 1
    body.body, body.state, body.number = e, "done", len(s.defines)
    s.define_demands[body.number] = demands
    s.depths[body.number] = deep
    if reads_secret(s, e):
        s.secret_defines.add(body.number)
    if _needs_me(s, e):
        s.me_defines.add(body.number)
    s.defines.append(Define(symbol.name, tuple([slot for slot, _ in body.params]), e, body.entry.place))


def _step(s: Scope, symbol: Symbol, body: Body) -> None:
    c = Context(f"steps.{symbol.name}", effects=True)
    _open(s, symbol, body, c)
    s.open_defines.append(symbol.name)
    leaf = body.entry.item
    made = block(s, c, leaf.value) if isinstance(leaf, Leaf) else ()
    s.open_defines.pop()
    size, deep = _extent(s, made)
    if size > MOST_STATEMENTS or deep > MOST_STEPS_NESTED:
        s.faults.add(body.entry.place, "too-deep", f"`{symbol.name}` takes steps {deep} deep, and does {size:,} things",
                     f"steps lie {MOST_STEPS_NESTED} deep in each other at most, and do {MOST_STATEMENTS:,} things")
        made, size, deep = (), 0, 0
    body.body, body.state, body.number = made, "done", len(s.steps)
    s.step_extents[body.number] = size, deep
    s.step_ops[body.number] = ops_in(s, made)
    if any(_act_needs_me(s, one) for one in made):
        s.me_steps.add(body.number)
    s.steps.append(Step(symbol.name, tuple([slot for slot, _ in body.params]), made, body.entry.place))


def _extent(s: Scope, statements: Iterable[S]) -> tuple[int, int]:
    """How many statements there are, those of the steps that are taken among them, and how deep steps lie in steps."""
    size = deep = 0
    for one in statements:
        inner = s.step_extents[one.data] if one.op == "step" else _extent(s, (*one.body, *one.orelse))
        size += 1 + inner[0]
        deep = max(deep, inner[1] + (one.op == "step"))
    return size, deep


def _depth(s: Scope, e: E) -> int:
    """How deep an expression is nested, with the bodies of what it calls."""
    below = max((_depth(s, a) for a in e.args), default=0)
    return 1 + max(below, s.depths[e.data] if e.op == "call" else 0)


def _needs_me(s: Scope, e: E) -> bool:
    return e.op == "me" or (e.op == "call" and e.data in s.me_defines) or any(_needs_me(s, a) for a in e.args)


def _act_needs_me(s: Scope, one: S) -> bool:
    if one.op == "step" and one.data in s.me_steps:
        return True
    return any(_needs_me(s, e) for e in expressions_in(one)) or \
        any(_act_needs_me(s, inner) for inner in (*one.body, *one.orelse))
