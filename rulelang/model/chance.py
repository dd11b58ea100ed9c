"""Statements that ask chance, or the table: draw, deal, roll, shuffle, judge."""

from __future__ import annotations

from rulelang.judges import registry
from rulelang.model.convert import element_of, plain
from rulelang.model.expressions import domain, expression, number, text
from rulelang.model.game import Block
from rulelang.model.ir import E, JudgeCall, S, Target
from rulelang.model.scope import Context, Effect, Scope
from rulelang.model.targets import same_material, target
from rulelang.model.types import SWITCH, DeckOf, Number, Type, Wrong, a_, is_scalar
from rulelang.syntax.trees import Syntax


def chance_allowed(s: Scope, c: Context, x: Syntax) -> None:
    """A fault if chance may not come here."""
    if c.chance:
        s.faults.add(x.place, "chance-here", f"chance may not be here: {c.chance}",
                     "draw in a phase's `begin`, or in an action without `ensure`")


def _holds_what(kind: Type) -> Type:
    """What single values a place in the state can hold."""
    of = element_of(kind)
    return plain(kind) if of is None else of


def _source(s: Scope, c: Context, x: Syntax) -> tuple[Target | None, E | None, Type] | None:
    """What is drawn from: a place in the state, or a value from which nothing is taken away."""
    place = _as_target(s, x)
    if place is not None:
        found = target(s, c, place)
        if found is None:
            return None
        if element_of(found[1]) is None:
            if not isinstance(found[1], Wrong):
                s.faults.add(x.place, "wrong-type", f"nothing can be drawn from {a_(found[1])}")
            return None
        return found[0], None, found[1]
    e = domain(s, c, x)
    return None if isinstance(e.type, Wrong) else (None, e, e.type)


def _as_target(s: Scope, x: Syntax) -> Syntax | None:
    """What is drawn from as a place in the state, if it is one."""
    if x.kind in ("target", "target_of"):
        return x
    if x.kind == "of_" and x.parts[0] == "supply" and x.parts[1].kind == "name":
        return Syntax("target_of", ("supply", x.parts[1].parts[0]), x.place)
    symbol = s.symbols.get(x.parts[0]) if x.kind in ("name", "index", "of_") else None
    if symbol is None or symbol.kind != "variable":
        return None
    indices = () if x.kind == "name" else x.parts[1] if x.kind == "index" else (x.parts[1],)
    return Syntax("target", (symbol.name, indices), x.place)


def _drawable(s: Scope, c: Context, x: Syntax, held: Type, kind: Type) -> bool:
    of, want = element_of(held), _holds_what(kind)
    if isinstance(kind, Wrong) or isinstance(of, Wrong):
        return False
    ok = of is not None and (plain(of) == want or (isinstance(of, Number) and isinstance(want, Number)))
    if not ok:
        s.faults.add(x.place, "wrong-type", f"what is drawn is {a_(of or held)}, and it goes to {a_(kind)}")
    return ok and same_material(s, x, held, kind)


def _draw(s: Scope, c: Context, x: Syntax) -> Block | None:
    chance_allowed(s, c, x)
    to, source = target(s, c, x.parts[0]), _source(s, c, x.parts[1])
    if to is None or source is None or not _drawable(s, c, x, source[2], to[1]):
        return None
    given = () if source[1] is None else (source[1],)
    return (S("draw", x.place, given, to[0], source[0], stream=_stream(s, c, to[0])),)


def _deal(s: Scope, c: Context, x: Syntax) -> Block | None:
    chance_allowed(s, c, x)
    amount = number(s, c, x.parts[0])
    source, to = _source(s, c, x.parts[1]), target(s, c, x.parts[2])
    if to is None or source is None or not _drawable(s, c, x, source[2], to[1]):
        return None
    if source[0] is None:
        s.faults.add(x.place, "not-state", "dealing takes away, so it must be from a bag or deck of the state")
        return None
    return (S("deal", x.place, (amount,), to[0], source[0], stream=_stream(s, c, to[0])),)


def _roll(s: Scope, c: Context, x: Syntax) -> Block | None:
    chance_allowed(s, c, x)
    to = target(s, c, x.parts[0], whole=True)
    if to is None:
        return None
    if not is_scalar(to[1]):
        if not isinstance(to[1], Wrong):
            s.faults.add(x.place, "wrong-type", f"`roll` sets a single value, and this is {a_(to[1])}")
        return None
    return (S("roll", x.place, (), to[0], stream=_stream(s, c, to[0])),)


def _shuffle(s: Scope, c: Context, x: Syntax) -> Block | None:
    chance_allowed(s, c, x)
    to = target(s, c, x.parts[0])
    if to is None:
        return None
    if not isinstance(to[1], DeckOf):
        if not isinstance(to[1], Wrong):
            s.faults.add(x.place, "wrong-type", f"only a deck has an order to shuffle, and this is {a_(to[1])}",
                         "a bag is drawn from at random anyway")
        return None
    return (S("shuffle", x.place, (), to[0], stream=_stream(s, c, to[0])),)


def _stream(s: Scope, c: Context, t: Target) -> str:
    return s.stream(f"{c.path}/{s.variables[t.var].name}")


def _judge(s: Scope, c: Context, x: Syntax) -> Block | None:
    chance_allowed(s, c, x)
    name, model, args, question = x.parts
    if model is not None and model not in registry.names():
        s.faults.add(x.place, "unknown-judge", f"unknown judge `{model}`", registry.hint(model))
    made = []
    for a in args:
        symbol = s.symbols.get(a.parts[0]) if a.kind == "name" else None
        if symbol is not None and symbol.kind == "variable" and s.variables[symbol.item].index_types:
            s.used.add(symbol.name)
            made.append(E("layer", s.variables[symbol.item].type, (), symbol.item, a.place))
        else:
            made.append(expression(s, c, a))
    asked = text(s, c.child(told=True), question)
    slot = s.bind(c, name, SWITCH, x.place)
    assert asked is not None
    stream = s.stream(f"{c.path}/{name}")
    return (S("judge", x.place, tuple(made), data=JudgeCall(slot, model, asked, name), stream=stream),)


FORMS: dict[str, Effect] = {
    "draw": _draw, "deal": _deal, "roll": _roll, "shuffle": _shuffle, "judge": _judge,
}
