"""Statements that steer: let, if, for each, repeat, steps, and the exits; and `says`."""

from __future__ import annotations

from contextlib import nullcontext

from rulelang.model.blocks import CHANCE, before_rounds, block
from rulelang.model.bodies import step_of
from rulelang.model.chance import chance_allowed
from rulelang.model.convert import expect
from rulelang.model.expressions import arguments, condition, expression, number, text
from rulelang.model.game import Block
from rulelang.model.ir import TRUE, E, S
from rulelang.model.logic import decided
from rulelang.model.quantors import asked_of, bound
from rulelang.model.scope import Context, Effect, Scope, suggest
from rulelang.model.secrets import taint
from rulelang.model.truths import contradiction, holds_when
from rulelang.model.types import Empty, Nothing, Number, a_
from rulelang.syntax.trees import Syntax

MOST_ROUNDS = 65_536
_WORDS = {"end_turn": "end turn", "end_round": "end round", "next_player": "next player", "turn_to": "turn to"}


def _let(s: Scope, c: Context, x: Syntax) -> Block | None:
    name, value, _ = x.parts
    e = something(s, expression(s, c, value))
    slot = s.bind(c, name, e.type, x.place)
    taint(s, c, slot, e)
    return (S("let", x.place, (e,), data=slot),)


def something(s: Scope, e: E) -> E:
    """The value of a `let`: `none` and `empty` alone say too little."""
    if isinstance(e.type, (Nothing, Empty)):
        word = a_(e.type)
        return s.wrong(e.place, "wrong-type", f"`{word}` alone does not say what it is {word} of",
                       f"write `{word}` where it is used")
    return e


def _if(s: Scope, c: Context, x: Syntax) -> Block | None:
    asked, then, otherwise = x.parts
    test = condition(s, c, asked)
    contradiction(s, c, test)
    live = decided(test, asked)
    with s.unheard() if live is False else nullcontext():
        yes = block(s, c.knowing(holds_when(test)), then)
    with s.unheard() if live is True else nullcontext():
        no = block(s, c.knowing(holds_when(test, False)), otherwise)
    if live is not None:
        yes, no = (yes, ()) if live else ((), no)
    return (S("if", x.place, (test,), body=yes, orelse=no),)


def _for(s: Scope, c: Context, x: Syntax) -> Block | None:
    name, over, where, body = x.parts
    held, slot, inner = bound(s, c, name, over)
    inner = before_rounds(s, inner, body)
    limit = TRUE
    if where is not None:
        limit = asked_of(s, inner, where)
        inner = inner.knowing(holds_when(limit))
    return (S("for", x.place, (held, limit), body=block(s, inner, body), data=slot),)


def _repeat(s: Scope, c: Context, x: Syntax) -> Block | None:
    amount, body = x.parts
    times = number(s, c, amount)
    if isinstance(times.type, Number) and times.type.high > MOST_ROUNDS:
        s.faults.add(times.place, "too-large", f"this may go round {times.type.high:,} times",
                     f"{MOST_ROUNDS:,} at most")
    return (S("repeat", x.place, (times,), body=block(s, before_rounds(s, c, body), body)),)


# ------------------------------------------------------------------------------------------------ steps


def _do_step(s: Scope, c: Context, x: Syntax) -> Block | None:
    name, args = x.parts
    symbol = s.find(name)
    if symbol is None or symbol.kind != "step":
        if s.is_lost(name):
            return None
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
    step, params = found
    values = arguments(s, c, tuple([k for _, k in params]), args, x, name)
    if s.step_ops[step] & CHANCE:
        chance_allowed(s, c, x)
    for op in sorted(s.step_ops[step]):
        _may_leave(s, c, x, op)
    if step in s.me_steps and not c.me:
        s.faults.add(x.place, "no-me", f"`{name}` says `me`, and there is no acting player here",
                     "give it the player as a parameter")
    if values is None:
        return None
    if c.together:
        _mine_only(s, x, s.steps[step].body, _my_slots(s, step, values, frozenset()))
    return (S("step", x.place, values, data=step),)


def _my_slots(s: Scope, step: int, values: tuple[E, ...], mine: frozenset[int]) -> frozenset[int]:
    """The parameters of a step that are the acting player."""
    return frozenset(slot for slot, e in zip(s.steps[step].slots, values, strict=True) if _is_me(e, mine))


def _is_me(e: E, mine: frozenset[int]) -> bool:
    return e.op == "me" or (e.op == "local" and e.data in mine)


def _mine_only(s: Scope, x: Syntax, statements: Block, mine: frozenset[int]) -> bool:
    """Whether all that a step sets is the acting player's own; a fault, told once, if not."""
    for one in statements:
        for t in (one.target, one.source):
            if t is not None and not any(_is_me(e, mine) for e in t.index):
                name = s.variables[t.var].name
                s.faults.add(x.place, "together", f"players choose together here, and this sets `{name}` not at `me`",
                             "set what all share in the phase's `after`")
                return False
        if not _mine_only(s, x, (*one.body, *one.orelse), mine):
            return False
        if one.op == "step" and not _mine_only(s, x, s.steps[one.data].body, _my_slots(s, one.data, one.args, mine)):
            return False
    return True


# ------------------------------------------------------------------------------------------------ exits


def _may_leave(s: Scope, c: Context, x: Syntax, op: str) -> None:
    if op in c.exits:
        s.faults.add(x.place, "exit-here", f"`{_WORDS.get(op, op)}` may not stand here: {c.exits[op]}")


def _go(s: Scope, c: Context, x: Syntax) -> Block | None:
    _may_leave(s, c, x, "go")
    name = x.parts[0]
    if name not in s.phases:
        s.faults.add(x.place, "unknown-name", f"unknown phase `{name}`", suggest(name, s.phases))
        return None
    return (S("go", x.place, data=s.phases[name]),)


def _with_player(op: str) -> Effect:
    def form(s: Scope, c: Context, x: Syntax) -> Block | None:
        _may_leave(s, c, x, op)
        who = expect(s, c, expression(s, c, x.parts[0], s.seats), s.seats, "a player")
        return (S(op, x.place, (who,)),)
    return form


def _bare(op: str) -> Effect:
    def form(s: Scope, c: Context, x: Syntax) -> Block | None:
        _may_leave(s, c, x, op)
        return (S(op, x.place),)
    return form


def _says(s: Scope, c: Context, x: Syntax) -> Block | None:
    return (S("says", x.place, data=text(s, c.child(told=True), x.parts[0])),)


FORMS: dict[str, Effect] = {
    "let": _let, "if": _if, "for": _for, "repeat": _repeat, "do_step": _do_step,
    "go": _go, "again": _bare("again"), "end_turn": _bare("end_turn"), "end_round": _bare("end_round"),
    "next_player": _bare("next_player"), "turn_to": _with_player("turn_to"), "win": _with_player("win"),
    "lose": _with_player("lose"), "out": _with_player("out"), "tie": _bare("tie"), "finish": _bare("finish"),
    "says": _says,
}
