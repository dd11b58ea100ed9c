"""The bodies of defines and steps, worked out when they are first used.

So they may stand in any order, and one that needs itself is found.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rulelang.model.blocks import CHANCE, block, ops_in
from rulelang.model.expressions import expression
from rulelang.model.game import Define, Step
from rulelang.model.ir import TRUE, E
from rulelang.model.kinds import type_of
from rulelang.model.scope import Context, Demand, Scope, Symbol
from rulelang.model.types import Type
from rulelang.syntax.trees import Entry, Leaf


@dataclass(slots=True)
class Body:
    """A define or step on its way: its entry, and what has been made of it."""

    entry: Entry
    number: int = -1
    params: list[tuple[int, Type]] = field(default_factory=list)
    body: Any = None
    state: str = "new"
    chance: bool = False


def params_of(s: Scope, entry: Entry) -> list[tuple[str, Type]]:
    """The parameters in a key such as `name[c of Cell]`."""
    made: list[tuple[str, Type]] = []
    for param in entry.signature.parts[1] if entry.signature is not None else ():
        name, kind = param.parts
        made.append((name, type_of(s, kind)))
    return made


def _open(s: Scope, symbol: Symbol, c: Context) -> Body | None:
    """Start on a body: bind its parameters. None if it is open already, which is recursion."""
    body: Body = symbol.item
    if body.state == "open":
        loop = " -> ".join([*s.open_defines[s.open_defines.index(symbol.name):], symbol.name])
        s.faults.add(body.entry.place, "recursion", f"`{symbol.name}` needs itself: {loop}",
                     "nothing may recurse; use `reach`, `first` or a loop over a set")
        return None
    body.state = "open"
    for name, kind in params_of(s, body.entry):
        body.params.append((s.bind(c, name, kind, body.entry.place), kind))
    return body


def define_of(s: Scope, symbol: Symbol) -> tuple[int, list[tuple[int, Type]], E] | None:
    """A define's number, parameters and body, elaborated once."""
    if symbol.item.state != "done":
        c = Context(f"define.{symbol.name}")
        body = _open(s, symbol, c)
        if body is None:
            return None
        with s.within_define(symbol.name):
            leaf = body.entry.item
            e = expression(s, c, leaf.value) if isinstance(leaf, Leaf) else TRUE
            demands: list[Demand] = s.demands or []
        body.body, body.state, body.number = e, "done", len(s.defines)
        s.define_demands[body.number] = demands
        s.defines.append(Define(symbol.name, tuple(slot for slot, _ in body.params), e, body.entry.place))
    body = symbol.item
    return body.number, body.params, body.body


def step_of(s: Scope, symbol: Symbol) -> tuple[int, list[tuple[int, Type]], bool] | None:
    """A step's number, parameters and whether there is chance in it, elaborated once."""
    if symbol.item.state != "done":
        c = Context(f"steps.{symbol.name}", effects=True)
        body = _open(s, symbol, c)
        if body is None:
            return None
        s.open_defines.append(symbol.name)
        leaf = body.entry.item
        made = block(s, c, leaf.value) if isinstance(leaf, Leaf) else ()
        s.open_defines.pop()
        body.body, body.state, body.number = made, "done", len(s.steps)
        ops = ops_in(made)
        body.chance = bool(ops & CHANCE) or any(
            symbol_of.item.chance for symbol_of in s.symbols.values()
            if symbol_of.kind == "step" and symbol_of.item.state == "done" and _calls(made, symbol_of.item.number))
        s.steps.append(Step(symbol.name, tuple(slot for slot, _ in body.params), made, body.entry.place))
    body = symbol.item
    return body.number, body.params, body.chance


def _calls(statements: Any, number: int) -> bool:
    return any((one.op == "step" and one.data == number) or _calls(one.body, number) or _calls(one.orelse, number)
               for one in statements)


