"""Statements: from syntax to typed form, with what each makes known and what each may not do where."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.model.convert import convert, domain_element, element_of, expect, plain
from rulelang.model.expressions import (
    arguments, arithmetic, as_number, condition, domain, expression, holds_when, not_none, number, text,
)
from rulelang.model.ir import TRUE, E, JudgeCall, S, Target
from rulelang.model.scope import Context, Key, Scope, key, suggest
from rulelang.model.types import (
    SWITCH, WRONG, BagOf, DeckOf, Maybe, Named, Number, SetOf, Type, Wrong, describe, is_scalar,
)
from rulelang.syntax.trees import Syntax

Block = tuple[S, ...]
EXITS = frozenset(("go", "again", "end_turn", "end_round", "win", "lose", "tie", "finish"))


def block(s: Scope, c: Context, statements: tuple[Syntax, ...]) -> Block:
    """A block of effects. What an assignment, an `if` or a `let` makes known holds for those after it."""
    inner = c.child()
    made: list[S] = []
    for x in statements:
        if made and made[-1].op in EXITS:
            s.faults.add(x.place, "unreachable", "this is never run: the line before it leaves the block")
            break
        statement = STATEMENTS.get(x.kind)
        if statement is None:
            s.faults.add(x.place, "wrong-form", f"`{x.kind.split('_')[0]}` belongs before the `do:` of an action's rule")
            continue
        one = statement(s, inner, x)
        if one is not None:
            made += one
            _learn(inner, one[-1], x)
    return tuple(made)


def _learn(c: Context, done: S, x: Syntax) -> None:
    """What is known after a statement."""
    written = written_by(done)
    if written is None:
        c.truths = frozenset(t for t in c.truths if not _reads_any(t))
    elif written:
        c.truths = frozenset(t for t in c.truths if not _reads(t, written))
    if done.op == "set" and done.target is not None and not isinstance(done.args[0].type, Maybe) \
            and done.args[0].op != "const":
        c.truths |= {not_none(E("get", WRONG, done.target.index, done.target.var))}
    if done.op == "if" and done.body and not done.orelse and done.body[-1].op in EXITS:
        c.truths |= frozenset(holds_when(done.args[0], False))


def written_by(done: S) -> set[int] | None:
    """The variables that a statement may change; None if it may be any."""
    if done.op in ("step", "judge"):
        return None
    found = {t.var for t in (done.target, done.source) if t is not None}
    for inner in (*done.body, *done.orelse):
        below = written_by(inner)
        if below is None:
            return None
        found |= below
    return found


def _reads(k: Key, written: set[int]) -> bool:
    return (k[0] == "get" and k[1] in written) or k[0] in ("call", "times") or any(_reads(a, written) for a in k[2])


def _reads_any(k: Key) -> bool:
    return k[0] in ("get", "call", "times") or any(_reads_any(a) for a in k[2])


# ------------------------------------------------------------------------------------------------ targets


def target(s: Scope, c: Context, x: Syntax, whole: bool = False) -> tuple[Target, Type] | None:
    """A place in the state, and its type."""
    if x.kind == "target_of":
        word, name = x.parts
        symbol = s.find(f"{word} of {name}")
        if symbol is None:
            if word == "supply":
                s.faults.add(x.place, "unknown-name", f"there is no component `{name}`",
                             "components are declared in `components:`")
            else:
                return target(s, c, Syntax("target", (word, (Syntax("name", (name,), x.place),)), x.place))
            return None
        s.used.add(name)
        return Target(symbol.item, (), x.place), s.variables[symbol.item].type
    name, indices = x.parts
    symbol = s.find(name)
    if symbol is None or symbol.kind != "variable":
        if name in c.locals:
            s.faults.add(x.place, "not-state", f"`{name}` is a value of this rule and cannot be changed",
                         "only what is declared in `state:` changes")
        elif symbol is None:
            s.unknown(c, name, x.place)
        else:
            s.faults.add(x.place, "not-state", f"`{name}` is not part of the state and cannot be changed")
        return None
    v = s.variables[symbol.item]
    if whole and not indices and v.index_types:
        return Target(symbol.item, (), x.place, whole=True), v.type
    made = arguments(s, c, v.index_types, indices, x, name, index=True)
    if made is None:
        return None
    if c.together and not any(e.op == "me" for e in made):
        s.faults.add(x.place, "together", f"players choose together here, so `{name}` may be set only at `me`",
                     "set what all share in the phase's `after`")
    return Target(symbol.item, made, x.place), v.type


def current(s: Scope, c: Context, t: Target, kind: Type) -> E:
    """What a target holds now."""
    return E("get", kind, t.index, t.var, t.place)


def _assign(s: Scope, c: Context, x: Syntax) -> Block | None:
    found = target(s, c, x.parts[0])
    value = expression(s, c, x.parts[1], None if found is None else found[1])
    if found is None:
        return None
    t, kind = found
    return (S("set", x.place, (_value_for(s, c, value, kind, s.variables[t.var].name),), t),)


def _value_for(s: Scope, c: Context, value: E, kind: Type, name: str) -> E:
    """A value to be set; ranges are tested by the write, but not where they can never fit."""
    have, want = plain(value.type), plain(kind)
    if isinstance(have, Number) and isinstance(want, Number):
        if have.high < want.low or want.high < have.low:
            return s.wrong(value.place, "out-of-range",
                           f"`{name}` is {describe(want)}, and this is {describe(have)}: it can never hold it")
        if isinstance(value.type, Maybe) and not isinstance(kind, Maybe):
            return E("need", have, (value,), None, value.place)
        return value
    return expect(s, c, value, kind, f"what `{name}` is set to")


def _change(op: str) -> Callable[[Scope, Context, Syntax], Block | None]:
    def form(s: Scope, c: Context, x: Syntax) -> Block | None:
        found = target(s, c, x.parts[0])
        value = expression(s, c, x.parts[1], None if found is None else found[1])
        if found is None or isinstance(value.type, Wrong):
            return None
        t, kind = found
        now = current(s, c, t, kind)
        name = s.variables[t.var].name
        if isinstance(plain(kind), Number):
            made = arithmetic("add" if op == "add" else "sub", as_number(s, c, now), as_number(s, c, value), x.place)
            return (S("set", x.place, (made,), t),)
        if isinstance(kind, SetOf):
            part = expect(s, c, value, kind, f"what is added to `{name}`")
            return (S("set", x.place, (E("union" if op == "add" else "without", kind, (now, part), None, x.place),), t),)
        if isinstance(kind, BagOf):
            part = expect(s, c, value, BagOf(kind.of, kind.most), f"what is added to `{name}`")
            return (S("put" if op == "add" else "take", x.place, (part,), t),)
        if isinstance(kind, DeckOf) and op == "add":
            part = expect(s, c, value, DeckOf(kind.of, kind.most), f"what is added to `{name}`")
            return (S("put", x.place, (part,), t),)
        s.faults.add(x.place, "wrong-type", f"`{'+=' if op == 'add' else '-='}` changes numbers, sets and bags; "
                                            f"`{name}` is a {describe(kind)}", "use `:=`")
        return None
    return form


# ------------------------------------------------------------------------------------------------ moving and chance


def _holds_what(kind: Type) -> Type:
    """What single values a place in the state can hold."""
    of = element_of(kind)
    return plain(kind) if of is None else of


def _move(s: Scope, c: Context, x: Syntax) -> Block | None:
    from_, to = target(s, c, x.parts[-2]), target(s, c, x.parts[-1])
    if from_ is None or to is None:
        if x.kind == "move":
            expression(s, c, x.parts[0])
        return None
    (a, a_type), (b, b_type) = from_, to
    if x.kind == "move_all":
        what = current(s, c, a, a_type)
    else:
        what = expression(s, c, x.parts[0], a_type)
        what = E("need", plain(what.type), (what,), None, what.place) if isinstance(what.type, Maybe) else what
    kind = what.type
    if isinstance(kind, Wrong):
        return None
    slot = s.slot("moved")
    moved = E("local", kind, (), slot, x.place)
    first = S("let", x.place, (what,), data=slot)
    taken = _fitting(s, c, moved, a_type, x, "from")
    put = _fitting(s, c, moved, b_type, x, "to")
    if taken is None or put is None:
        return None
    return (first, S("take", x.place, (taken,), a), S("put", x.place, (put,), b))


def _fitting(s: Scope, c: Context, moved: E, place: Type, x: Syntax, word: str) -> E | None:
    """What is moved, as the place it leaves or comes to holds it."""
    want: Type = plain(place) if is_scalar(place) else place
    if isinstance(want, BagOf):
        want = BagOf(want.of, want.most)
    made = convert(s, c, moved, want)
    if made is None and is_scalar(want) and element_of(moved.type) is not None:
        made = convert(s, c, moved, BagOf(want, 1))
    if made is None:
        s.faults.add(x.place, "wrong-type",
                     f"a {describe(moved.type)} cannot be moved {word} a {describe(place)}")
    return made


def _chance_allowed(s: Scope, c: Context, x: Syntax) -> None:
    if c.chance:
        s.faults.add(x.place, "chance-here", f"chance may not be here: {c.chance}",
                     "draw in a phase's `begin`, or in an action without `ensure`")


def _source(s: Scope, c: Context, x: Syntax) -> tuple[Target | None, E | None, Type] | None:
    """What is drawn from: a place in the state, or a value from which nothing is taken away."""
    as_target = {"name": lambda: Syntax("target", (x.parts[0], ()), x.place),
                 "index": lambda: Syntax("target", (x.parts[0], x.parts[1]), x.place),
                 "of_": lambda: Syntax("target_of", (x.parts[0], x.parts[1].parts[0]), x.place)}
    if x.kind in ("target", "target_of"):
        named = target(s, c, x)
        return None if named is None else (named[0], None, named[1])
    symbol = s.symbols.get(x.parts[0]) if x.parts and isinstance(x.parts[0], str) else None
    stored = symbol is not None and (symbol.kind == "variable" or x.kind == "of_" and x.parts[0] == "supply")
    if x.kind in as_target and stored:
        found = target(s, c, as_target[x.kind]())
        if found is None:
            return None
        if element_of(found[1]) is None:
            s.faults.add(x.place, "wrong-type", f"nothing can be drawn from a {describe(found[1])}")
            return None
        return found[0], None, found[1]
    e = domain(s, c, x)
    return None if isinstance(e.type, Wrong) else (None, e, e.type)


def _drawable(s: Scope, c: Context, x: Syntax, held: Type, kind: Type) -> bool:
    of, want = element_of(held), _holds_what(kind)
    ok = of is not None and (plain(of) == want or isinstance(of, Number) and isinstance(want, Number))
    if not ok:
        s.faults.add(x.place, "wrong-type", f"what is drawn is a {describe(of or held)}, and it goes to a {describe(kind)}")
    return ok


def _draw(s: Scope, c: Context, x: Syntax) -> Block | None:
    _chance_allowed(s, c, x)
    to, source = target(s, c, x.parts[0]), _source(s, c, x.parts[1])
    if to is None or source is None or not _drawable(s, c, x, source[2], to[1]):
        return None
    return (S("draw", x.place, () if source[1] is None else (source[1],), to[0], source[0], stream=_stream(s, c, to[0])),)


def _deal(s: Scope, c: Context, x: Syntax) -> Block | None:
    _chance_allowed(s, c, x)
    amount = number(s, c, x.parts[0])
    source, to = _source(s, c, x.parts[1]), target(s, c, x.parts[2])
    if to is None or source is None or not _drawable(s, c, x, source[2], to[1]):
        return None
    if source[0] is None:
        s.faults.add(x.place, "not-state", "dealing takes away, so it must be from a bag or deck of the state")
        return None
    return (S("deal", x.place, (amount,), to[0], source[0], stream=_stream(s, c, to[0])),)


def _roll(s: Scope, c: Context, x: Syntax) -> Block | None:
    _chance_allowed(s, c, x)
    to = target(s, c, x.parts[0], whole=True)
    if to is None:
        return None
    if not is_scalar(to[1]):
        s.faults.add(x.place, "wrong-type", f"`roll` sets a single value, and this is a {describe(to[1])}")
        return None
    return (S("roll", x.place, (), to[0], stream=_stream(s, c, to[0])),)


def _shuffle(s: Scope, c: Context, x: Syntax) -> Block | None:
    _chance_allowed(s, c, x)
    to = target(s, c, x.parts[0])
    if to is None:
        return None
    if not isinstance(to[1], DeckOf):
        s.faults.add(x.place, "wrong-type", f"only a deck has an order to shuffle, and this is a {describe(to[1])}",
                     "a bag is drawn from at random anyway")
        return None
    return (S("shuffle", x.place, (), to[0], stream=_stream(s, c, to[0])),)


def _stream(s: Scope, c: Context, t: Target) -> str:
    return s.stream(f"{c.path}/{s.variables[t.var].name}")


def _judge(s: Scope, c: Context, x: Syntax) -> Block | None:
    _chance_allowed(s, c, x)
    name, model, args, question = x.parts
    made = []
    for a in args:
        symbol = s.symbols.get(a.parts[0]) if a.kind == "name" else None
        if symbol is not None and symbol.kind == "variable" and s.variables[symbol.item].index_types:
            s.used.add(symbol.name)
            made.append(E("layer", s.variables[symbol.item].type, (), symbol.item, a.place))
        else:
            made.append(expression(s, c, a))
    asked = text(s, c, question)
    slot = s.bind(c, name, SWITCH, x.place)
    assert asked is not None
    return (S("judge", x.place, tuple(made), data=JudgeCall(slot, model, asked, name)),)


# ------------------------------------------------------------------------------------------------ flow


def _let(s: Scope, c: Context, x: Syntax) -> Block | None:
    from rulelang.model import secrets
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
    from rulelang.model.declare import step_of
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
        _chance_allowed(s, c, x)
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


STATEMENTS: dict[str, Callable[[Scope, Context, Syntax], Block | None]] = {
    "set": _assign, "add": _change("add"), "sub": _change("sub"), "move": _move, "move_all": _move,
    "draw": _draw, "deal": _deal, "roll": _roll, "shuffle": _shuffle, "judge": _judge,
    "let": _let, "if": _if, "for": _for, "repeat": _repeat, "do_step": _do_step,
    "go": _go, "again": _bare("again"), "end_turn": _bare("end_turn"), "end_round": _bare("end_round"),
    "next_player": _bare("next_player"), "turn_to": _with_player("turn_to"), "win": _with_player("win"),
    "lose": _with_player("lose"), "out": _with_player("out"), "tie": _bare("tie"), "finish": _bare("finish"),
    "says": _says,
}


def ops_in(statements: Block) -> set[str]:
    """The operations of statements, at every depth, but not of the steps they call."""
    found: set[str] = set()
    for one in statements:
        found.add(one.op)
        found |= ops_in(one.body) | ops_in(one.orelse)
    return found


CHANCE = frozenset(("draw", "deal", "roll", "shuffle", "judge"))


def leaves(s: Scope, statements: Block) -> bool:
    """Whether a block leaves by an exit whatever happens."""
    for one in statements:
        if one.op in EXITS:
            return True
        if one.op == "if" and one.orelse and leaves(s, one.body) and leaves(s, one.orelse):
            return True
        if one.op == "step" and leaves(s, s.steps[one.data].body):
            return True
    return False


__all__ = ["CHANCE", "EXITS", "Named", "block", "current", "leaves", "ops_in", "target", "written_by"]
