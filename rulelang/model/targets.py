"""What may stand left of `:=` and behind `from` and `to`: places in the state. Changing them."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.model.calculating import arithmetic
from rulelang.model.convert import convert, element_of, expect, has_numbers, plain
from rulelang.model.expressions import arguments, as_number, expression
from rulelang.model.game import Block
from rulelang.model.ir import E, S, Target
from rulelang.model.scope import Context, Effect, Scope
from rulelang.model.truths import not_none
from rulelang.model.types import (
    BagOf,
    DeckOf,
    Maybe,
    Nothing,
    Number,
    SetOf,
    Type,
    Wrong,
    a_,
    describe,
    is_scalar,
    material_of,
)
from rulelang.syntax.trees import Syntax


def target(s: Scope, c: Context, x: Syntax, whole: bool = False) -> tuple[Target, Type] | None:
    """A place in the state, and its type."""
    if x.kind == "target_of":
        word, name = x.parts
        symbol = s.find(f"{word} of {name}")
        if symbol is None:
            if word == "supply" and (name in s.components or s.is_lost(name)):
                return None
            if word == "supply":
                s.faults.add(x.place, "unknown-name", f"there is no component `{name}`",
                             "components are declared in `components:`")
            else:
                return target(s, c, Syntax("target", (word, (Syntax("name", (name,), x.place),)), x.place))
            return None
        s.used.add(f"component {name}")
        return Target(symbol.item, (), x.place), s.variables[symbol.item].type
    name, indices = x.parts
    symbol = s.find(name)
    if name in s.lost and name not in c.locals:
        return None
    if symbol is None or symbol.kind != "variable":
        if name in c.locals:
            s.faults.add(x.place, "not-state", f"`{name}` is a value of this rule and cannot be changed",
                         "only what is declared in `state:` changes")
        elif symbol is None:
            s.unknown(c, name, x.place)
        else:
            s.faults.add(x.place, "not-state", f"`{name}` is not part of the state and cannot be changed",
                         "only what is declared in `state:` changes")
        return None
    v = s.variables[symbol.item]
    if isinstance(v.type, Wrong):
        return None
    if whole and not indices and v.index_types:
        return Target(symbol.item, (), x.place, whole=True), v.type
    made = arguments(s, c, v.index_types, indices, x, name, index=True)
    if made is None:
        return None
    if c.together and not any(e.op == "me" for e in made):
        s.faults.add(x.place, "together", f"players choose together here, so `{name}` may be set only at `me`",
                     "set what all share in the phase's `after`")
    return Target(symbol.item, made, x.place), v.type


def _assign(s: Scope, c: Context, x: Syntax) -> Block | None:
    found = target(s, c, x.parts[0])
    value = expression(s, c, x.parts[1], None if found is None else found[1])
    if found is None:
        return None
    t, kind = found
    if not isinstance(value.type, (Maybe, Nothing, Wrong)):
        c.learned.append(not_none(E("get", kind, t.index, t.var)))
    return (S("set", x.place, (_value_for(s, c, value, kind, s.variables[t.var].name),), t),)


def _value_for(s: Scope, c: Context, value: E, kind: Type, name: str) -> E:
    """A value to be set; ranges are tested by the write, but not where they can never fit."""
    have, want = plain(value.type), plain(kind)
    if isinstance(have, Number) and isinstance(want, Number):
        if have.high < want.low or want.high < have.low:
            return s.wrong(value.place, "out-of-range", f"`{name}` is {describe(want)} and can never hold "
                           + (f"{have.low}" if have.low == have.high else describe(have)))
        if isinstance(value.type, Maybe) and not isinstance(kind, Maybe):
            return E("need", have, (value,), None, value.place)
        return value
    return expect(s, c, value, kind, f"what `{name}` is set to")


def _change(op: str) -> Callable[[Scope, Context, Syntax], Block | None]:
    def form(s: Scope, c: Context, x: Syntax) -> Block | None:
        found = target(s, c, x.parts[0])
        value = expression(s, c, x.parts[1], None if found is None else found[1])
        if found is None or isinstance(value.type, Wrong) or isinstance(found[1], Wrong):
            return None
        t, kind = found
        now = E("get", kind, t.index, t.var, t.place)
        name = s.variables[t.var].name
        if isinstance(plain(kind), Number):
            made = arithmetic(s, op, as_number(s, c, now), as_number(s, c, value), x.place)
            return (S("set", x.place, (_value_for(s, c, made, kind, name),), t),)
        if isinstance(kind, SetOf):
            part = expect(s, c, value, kind, f"what is added to `{name}`")
            changed = E("union" if op == "add" else "without", kind, (now, part), None, x.place)
            return (S("set", x.place, (changed,), t),)
        if isinstance(kind, BagOf):
            part = expect(s, c, value, BagOf(kind.of, kind.most), f"what is added to `{name}`")
            return (S("put" if op == "add" else "take", x.place, (part,), t),)
        if isinstance(kind, DeckOf) and op == "add":
            part = expect(s, c, value, kind, f"what is added to `{name}`")
            return (S("put", x.place, (part,), t),)
        sign = "+=" if op == "add" else "-="
        s.faults.add(x.place, "wrong-type",
                     f"`{sign}` changes numbers, sets and bags; `{name}` is {a_(kind)}", "use `:=`")
        return None
    return form


def _move(s: Scope, c: Context, x: Syntax) -> Block | None:
    from_, to = target(s, c, x.parts[-2]), target(s, c, x.parts[-1])
    if from_ is None or to is None:
        if x.kind == "move":
            expression(s, c, x.parts[0])
        return None
    (a, a_type), (b, b_type) = from_, to
    if x.kind == "move_all":
        what = E("get", a_type, a.index, a.var, a.place)
    else:
        what = expression(s, c, x.parts[0], a_type)
        what = E("need", plain(what.type), (what,), None, what.place) if isinstance(what.type, Maybe) else what
        if isinstance(a_type, DeckOf) and isinstance(what.type, Number) and not _holds_numbers(s, a_type):
            what = E("top", a_type, (E("get", a_type, a.index, a.var, a.place), what), None, what.place)
    kind = what.type
    if is_scalar(a_type) and not isinstance(a_type, Maybe):
        s.faults.add(x.parts[-2].place, "wrong-type",
                     f"`{s.variables[a.var].name}` always holds something, so nothing can be moved out of it",
                     "set both with `:=`, or declare what may be empty as `… or none`")
        return None
    if isinstance(kind, Wrong) or not same_material(s, x, a_type, b_type):
        return None
    slot = s.slot("moved")
    moved = E("local", kind, (), slot, x.place)
    first = S("let", x.place, (what,), data=slot)
    taken = _fitting(s, c, moved, a_type, x, "from")
    put = _fitting(s, c, moved, b_type, x, "to")
    if taken is None or put is None:
        return None
    return (first, S("take", x.place, (taken,), a), S("put", x.place, (put,), b))


def _holds_numbers(s: Scope, kind: DeckOf) -> bool:
    """Whether a number says which card of a deck is meant, not how many."""
    of = plain(kind.of)
    return isinstance(of, Number) or has_numbers(s, of)


def _fitting(s: Scope, c: Context, moved: E, place: Type, x: Syntax, word: str) -> E | None:
    """What is moved, as the place it leaves or comes to holds it."""
    want: Type = plain(place) if is_scalar(place) else place
    if isinstance(want, BagOf):
        want = BagOf(want.of, want.most)
    if isinstance(want, DeckOf) and is_scalar(moved.type):
        moved = convert(s, c, moved, BagOf(want.of, 1)) or moved
    made = convert(s, c, moved, want)
    if made is None and is_scalar(want) and element_of(moved.type) is not None:
        made = convert(s, c, moved, BagOf(want, 1))
    if made is None:
        s.faults.add(x.place, "wrong-type", f"{a_(moved.type)} cannot be moved {word} {a_(place)}")
    return made


def same_material(s: Scope, x: Syntax, a: Type, b: Type) -> bool:
    """Whether what leaves one place may come to another; a fault if one material would become another."""
    one, other = material_of(a), material_of(b)
    if one is not None and other is not None and one != other:
        s.faults.add(x.place, "wrong-material", f"this would make {other} of {one}",
                     f"each stays what it is: `supply of {one}` takes back what leaves the table")
        return False
    return True


FORMS: dict[str, Effect] = {
    "set": _assign, "add": _change("add"), "sub": _change("sub"), "move": _move, "move_all": _move,
}
