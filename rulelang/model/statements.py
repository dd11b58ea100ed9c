"""Statements that steer: let, if, for each, repeat, steps, and the exits; and `says`."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.model import secrets
from rulelang.model.blocks import block
from rulelang.model.bodies import step_of
from rulelang.model.chance import chance_allowed
from rulelang.model.convert import domain_element, expect
from rulelang.model.expressions import arguments, condition, domain, expression, number, text
from rulelang.model.game import Block
from rulelang.model.ir import TRUE, S
from rulelang.model.scope import Context, Scope, key, suggest
from rulelang.model.truths import holds_when
from rulelang.syntax.trees import Syntax


def _let(s: Scope, c: Context, x: Syntax) -> Block | None:
    name, value, _ = x.parts
    e = expression(s, c, value)
    slot = s.bind(c, name, e.type, x.place)
    if secrets.reads_secret(s, e) and not c.guard:
        s.tainted.add(slot)
    return (S("let", x.place, (e,), data=slot),)


def _if(s: Scope, c: Context, x: Syntax) -> Block | None:
    asked, then, otherwise = x.parts
    test = condition(s, c, asked)
    yes = block(s, c.knowing(holds_when(test)), then)
    no = block(s, c.knowing(holds_when(test, False)), otherwise)
    return (S("if", x.place, (test,), body=yes, orelse=no),)


def _for(s: Scope, c: Context, x: Syntax) -> Block | None:
    name, over, where, body = x.parts
    held = domain(s, c, over)
    inner = c.child()
    slot = s.bind(inner, name, domain_element(s, held), over.place)
    inner = inner.knowing([("in", None, (("local", slot, ()), key(held)))])
    limit = TRUE
    if where is not None:
        limit = condition(s, inner, where)
        inner = inner.knowing(holds_when(limit))
    return (S("for", x.place, (held, limit), body=block(s, inner, body), data=slot),)


def _repeat(s: Scope, c: Context, x: Syntax) -> Block | None:
    amount, body = x.parts
    return (S("repeat", x.place, (number(s, c, amount),), body=block(s, c, body)),)


def _do_step(s: Scope, c: Context, x: Syntax) -> Block | None:
    name, args = x.parts
    symbol = s.find(name)
    if symbol is None or symbol.kind != "step":
        if symbol is None:
            steps = [n for n, sym in s.symbols.items() if sym.kind == "step"]
            s.faults.add(x.place, "unknown-name", f"unknown step `{name}`", suggest(name, steps))
        else:
            s.faults.add(x.place, "wrong-form", f"`{name}` has a value and does nothing",
                         "effects with a name stand in `steps:`")
        return None
    found = step_of(s, symbol)
    if found is None:
        return None
    number_, params, chance = found
    if chance:
        chance_allowed(s, c, x)
    values = arguments(s, c, tuple(k for _, k in params), args, x, name)
    return None if values is None else (S("step", x.place, values, data=number_),)


def _go(s: Scope, c: Context, x: Syntax) -> Block | None:
    name = x.parts[0]
    if name not in s.phases:
        s.faults.add(x.place, "unknown-name", f"unknown phase `{name}`", suggest(name, s.phases))
        return None
    s.gone.add(name)
    return (S("go", x.place, data=s.phases[name]),)


def _with_player(op: str) -> Callable[[Scope, Context, Syntax], Block | None]:
    def form(s: Scope, c: Context, x: Syntax) -> Block | None:
        who = expect(s, c, expression(s, c, x.parts[0], s.seats), s.seats, "a player")
        return (S(op, x.place, (who,)),)
    return form


def _bare(op: str) -> Callable[[Scope, Context, Syntax], Block | None]:
    return lambda s, c, x: (S(op, x.place),)


def _says(s: Scope, c: Context, x: Syntax) -> Block | None:
    told = text(s, c.child(told=True), x.parts[0])
    return (S("says", x.place, data=told),)


FORMS: dict[str, Callable[[Scope, Context, Syntax], Block | None]] = {
    "let": _let, "if": _if, "for": _for, "repeat": _repeat, "do_step": _do_step,
    "go": _go, "again": _bare("again"), "end_turn": _bare("end_turn"), "end_round": _bare("end_round"),
    "next_player": _bare("next_player"), "turn_to": _with_player("turn_to"), "win": _with_player("win"),
    "lose": _with_player("lose"), "out": _with_player("out"), "tie": _bare("tie"), "finish": _bare("finish"),
    "says": _says,
}
