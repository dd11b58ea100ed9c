"""Sets, not loops: conditions over the values of a set as algebra on sets.

`mask` gives, for a condition on a local, the set of all values that meet it, as a C expression, or None. A test of a
layer at the local is one of the layer's sets; what is static is a fixed set or a table of sets; `and`, `or`, `not` and
`if` are the operations of the same kind; what does not speak of the local chooses all or nothing. `some d in step(c,
ways) has …` over a static relation is the whole set of the answer moved back along the relation (a preimage).

Only conditions that can never be a fault are answered so: asking more values than the interpreter asks is then
invisible.
"""

from __future__ import annotations

from typing import Any

from rulelang.engine.values import lowest_of
from rulelang.model.ir import E
from rulelang.model.types import (
    SWITCH,
    BagOf,
    Maybe,
    Named,
    Number,
    Record,
    SetOf,
    Switch,
    Type,
    size_of,
    values_of,
)
from rulelang.native.bounds import sound, where_bounded
from rulelang.native.emitter import Emitter
from rulelang.native.inline import inlined, replaced, small
from rulelang.native.layers import alike, holding, layer, part_holding, union_of, value_board
from rulelang.native.shapes import SetShape, lowest, set_shape
from rulelang.native.text import Fn


def split(x: Emitter, fn: Fn, e: E, slot: int, of: Type, domain: E | None = None,
          goals: E | None = None) -> tuple[str | None, E | None]:
    """A condition as the set of values that meet one part of it, and the rest, to be asked of each value. `domain` is
    the set of the values that are asked; `goals` is the same where no search from it is wanted."""
    e = x.c.simple(e)
    fixed, value = x.c.constant(e)
    if fixed and value:
        return None, None
    if not x.passes.masks or lowest_of(of) is None:
        return None, e
    before, fn.goals = fn.goals, goals or domain
    found, rest = _split(x, fn, e, slot, of, domain)
    fn.goals = before
    return found, rest


def _split(x: Emitter, fn: Fn, e: E, slot: int, of: Type, domain: E | None) -> tuple[str | None, E | None]:
    from rulelang.native.closures import closure

    tried = None if e.op == "and" else e
    if tried is not None:
        whole = mask(x, fn, tried, slot, of)
        if whole is not None:
            return whole, None
    e = _opened(x, e)
    parts = list(e.args) if e.op == "and" else [e]
    shape = SetShape(size_of(of))
    found: str | None = None
    rest: list[E] = []
    for part in parts:
        made = mask(x, fn, part, slot, of) if all(x.total(r) for r in rest) and part is not tried else None
        if made is None and domain is not None and not rest:
            asked = x.value(fn, domain)
            made = closure(x, fn, part, slot, of, domain, asked if found is None else shape.both(asked, found))
        if made is None:
            rest.append(part)
        else:
            found = made if found is None else shape.both(found, made)
    if not rest:
        return found, None
    return found, rest[0] if len(rest) == 1 else E("and", SWITCH, tuple(rest), None, e.place)


def _opened(x: Emitter, e: E) -> E:
    """A call of a define that is a conjunction, written out."""
    if e.op == "call" and small(x, e):
        inner = x.c.simple(inlined(x, e))
        if inner.op in ("and", "call", "not"):
            return _opened(x, inner)
    return e


def mask(x: Emitter, fn: Fn, e: E, slot: int, of: Type) -> str | None:
    """The set of all values that meet a condition, or None where that is not so simple."""
    e = x.c.simple(e)
    shape = SetShape(size_of(of))
    x.set_type(shape)
    fixed, value = x.c.constant(e)
    if fixed:
        return shape.const(shape.every if value else 0)
    facts = x.facts(e)
    total = x.total(e)
    if not total and not (slot in facts.free and fn.assumed and sound(x, e, tuple(fn.assumed))):
        return None
    if fn.pair is not None and fn.pair[0] in facts.free and e.op not in ("and", "or", "not", "if", "call"):
        return _of_pair(x, fn, e, slot, of, fn.pair)
    if slot not in facts.free and (fn.pair is None or fn.pair[0] not in facts.free):
        return shape.choose(x.value(fn, e), shape.const(shape.every))
    if e.op in ("and", "or"):
        parts = []
        for a in e.args:
            made = mask(x, fn, a, slot, of)
            if made is None:
                return None
            parts.append(made)
        found = parts[0]
        for other in parts[1:]:
            found = shape.both(found, other) if e.op == "and" else shape.union(found, other)
        return found
    if e.op == "not":
        inner = mask(x, fn, e.args[0], slot, of)
        return None if inner is None else shape.inverse(inner)
    if e.op == "if":
        made_all = [mask(x, fn, a, slot, of) for a in e.args]
        if any(made is None for made in made_all):
            return None
        asked = fn.atom(shape.ctype, str(made_all[0]))
        return shape.union(shape.both(asked, str(made_all[1])), shape.without(str(made_all[2]), asked))
    if total and x.static(e):
        found_static = _static(x, fn, e, slot, of)
        if found_static is not None:
            return found_static
    if e.op == "call":
        return mask(x, fn, inlined(x, e), slot, of)
    bounded = where_bounded(x, fn, e, slot, of)
    if bounded is not None or not total:
        return bounded
    if e.op == "in" and _is(e.args[0], slot) and slot not in x.facts(e.args[1]).free:
        held = e.args[1].type
        if isinstance(held, SetOf) and lowest(held.of) == lowest(of) and not isinstance(held.of, Maybe):
            own = set_shape(held)
            if own.words == shape.words:
                return x.value(fn, e.args[1])
        return None
    if e.op == "get" and len(e.args) == 1 and _is(e.args[0], slot) and isinstance(e.type, Switch):
        store = layer(x, e.data, of)
        return None if store is None else f"{fn.state}->{store.name}_on"
    if e.op in ("eq", "ne"):
        found_equal = _equal(x, fn, e, slot, of)
        if found_equal is not None:
            return shape.inverse(found_equal) if e.op == "ne" else found_equal
    filled = _filled(x, fn, e, slot, of)
    if filled is not None:
        return filled
    through = _through_layer(x, fn, e, slot, of)
    if through is not None:
        return through
    from rulelang.native.preimages import preimage
    from rulelang.native.sights import hidden
    from rulelang.native.slides import slide_back

    unseen = hidden(x, fn, e, slot, of)
    if unseen is not None:
        return unseen
    slid = slide_back(x, fn, e, slot, of)
    return slid if slid is not None else preimage(x, fn, e, slot, of)


def _filled(x: Emitter, fn: Fn, e: E, slot: int, of: Type) -> str | None:
    """`count of x[c] > 0`, `x[c] is empty` and the like: where a variable of bags holds something."""
    if e.op not in ("gt", "ge", "lt", "le", "eq", "ne"):
        return None
    about = x.c.simple(e.args[0])
    fixed, value = x.c.constant(e.args[1])
    if not fixed:
        return None
    if about.op == "count":
        about = x.c.simple(about.args[0])
        if (e.op, value) in (("gt", 0), ("ge", 1), ("ne", 0)):
            some = True
        elif (e.op, value) in (("eq", 0), ("lt", 1), ("le", 0)):
            some = False
        else:
            return None
    elif e.op in ("eq", "ne") and isinstance(about.type, BagOf) and not any(value):
        some = e.op == "ne"
    else:
        return None
    if about.op != "get" or len(about.args) != 1 or not _is(about.args[0], slot):
        return None
    store = x.stores[about.data]
    if not store.filled or not alike(store.field.index_types[0], of):
        return None
    held = f"{fn.state}->{store.name}_some"
    return held if some else store.shape.inverse(held)


def _of_pair(x: Emitter, fn: Fn, e: E, slot: int, of: Type, pair: tuple[int, int, int]) -> str | None:
    """A condition on the first of two choices, or a static one on both, as a set of seconds at a fixed distance."""
    shape = SetShape(size_of(of))
    first, distance, seat = pair
    facts = x.facts(e)
    if slot not in facts.free:
        before, fn.pair = fn.pair, None
        made = mask(x, fn, e, first, of)
        fn.pair = before
        return None if made is None else shape.shift(f"({made})", distance)
    if not x.static(e):
        from rulelang.native.preimages import preimage

        return preimage(x, fn, e, slot, of)
    if facts.free - {first, slot} or (facts.me and seat < 0):
        return None
    variables: list[tuple[int, Type]] = [(first, of), (slot, of)]
    if facts.me:
        variables.insert(0, (-1, Number(0, x.machine.seats - 1)))
    answers = x._all_values(e, variables)
    if answers is None:
        return None
    size = size_of(of)
    base = seat * size * size if facts.me else 0
    found = 0
    for b in range(size):
        a = b - distance
        if 0 <= a < size and answers[base + a * size + b]:
            found |= 1 << b
    return shape.const(found)


def _is(e: E, slot: int) -> bool:
    return bool(e.op == "local" and e.data == slot)


def _static(x: Emitter, fn: Fn, e: E, slot: int, of: Type) -> str | None:
    """The values that meet a static condition: a table over the other locals in it, if there are any."""
    shape = SetShape(size_of(of))
    kind = SetOf(of)
    whole = E("const", kind, (), shape.every)
    key = ("where", x.key(e), slot, of)
    where = x._lifted.setdefault(key, E("where", kind, (whole, e), slot, e.place))
    fixed, value = x.c.constant(where)
    if fixed:
        return shape.const(value)
    return x.tabulated(fn, where)


def _equal(x: Emitter, fn: Fn, e: E, slot: int, of: Type) -> str | None:
    """`x[c] = y`, `part of x[c] = y`, `f(c) = y` with f static."""
    for about, other in (e.args, e.args[::-1]):
        about = x.c.simple(about)
        if slot in x.facts(other).free:
            continue
        if about.op == "get" and len(about.args) == 1 and _is(about.args[0], slot):
            store = layer(x, about.data, of)
            if store is not None:
                return holding(x, fn, store, other)
        if about.op == "field" and about.args[0].op == "get" and len(about.args[0].args) == 1 \
                and _is(about.args[0].args[0], slot):
            store = layer(x, about.args[0].data, of)
            if store is not None and store.parts:
                return part_holding(x, fn, store, about, other)
        if x.static(about) and x.facts(about).free == {slot} and not x.facts(about).me and not x.static(other) \
                and _countable(other.type):
            other_slot = x._lift_slots.setdefault((90, other.type), -1)
            if other_slot < 0:
                other_slot = x._lift_slots[90, other.type] = x.c.new_slot()
            test = x._lifted.setdefault(("eq", x.key(about), other.type),
                                        E("eq", SWITCH, (about, E("local", other.type, (), other_slot)), None, e.place))
            before = dict(fn.env)
            fn.env[other_slot] = fn.atom("num", x.value(fn, other))
            found = _static(x, fn, test, slot, of)
            fn.env = before
            return found
    return None


def _countable(kind: Type) -> bool:
    inner = kind.of if isinstance(kind, Maybe) else kind
    return isinstance(inner, (Switch, Number, Named, Record)) and size_of(kind) <= 64


def _through_layer(x: Emitter, fn: Fn, e: E, slot: int, of: Type) -> str | None:
    """A condition that knows the local only by a layer's value there: the sets of the values that meet it."""
    from rulelang.engine.filters import only_looks, replace_looks

    looks: set[int] = set()
    if not only_looks(e, slot, looks) or len(looks) != 1:
        return None
    store = layer(x, looks.pop(), of)
    if store is None:
        return None
    values: list[Any] = values_of(store.kind)
    shape, held = store.shape, f"{fn.state}->{store.name}"
    slot_held = x._lift_slots.setdefault((91, store.kind), -1)
    if slot_held < 0:
        slot_held = x._lift_slots[91, store.kind] = x.c.new_slot()
        x.c._scratch = None
    seen = x._lifted.setdefault(("seen", x.key(e), slot), replace_looks(e, slot, E("local", store.kind, (), slot_held)))
    facts = x.facts(seen)
    if x.static(seen) and facts.free <= {slot_held} and not facts.me:
        answers = x._all_values(seen, [(slot_held, store.kind)])
        if answers is None:
            return None
        return union_of(store, held, [v for v, yes in zip(values, answers, strict=True) if yes], values)
    if len(values) > 7 or slot in facts.free:
        return None
    found = ""
    for value in values:
        kind = store.inner if value is not None else store.kind
        asked = x._lifted.setdefault(("at", x.key(seen), value), replaced(seen, {slot_held: E("const", kind, (), value)}))
        one = shape.choose(f"({x.value(fn, asked)})", value_board(store, held, value))
        found = shape.union(found, one) if found else one
    return found


__all__ = ["mask", "split"]
