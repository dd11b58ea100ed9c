"""Writers for statements. A block is a C function that returns the exit it took, 0 if it ran to its end; the seat or
phase of an exit is in the state's `exit_to`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.engine.effects import safe, writes
from rulelang.model.game import Block
from rulelang.model.ir import TRUE, E, S, Target
from rulelang.model.types import BagOf, DeckOf, Line, ListOf, Maybe, SetOf
from rulelang.native.bags import single
from rulelang.native.emitter import Emitter, inside
from rulelang.native.lengths import cap
from rulelang.native.sequences import LISTS, each, each_bit, materialise
from rulelang.native.setting import put, setter, test
from rulelang.native.shapes import Declined, index_text, scalar, set_shape, value_text
from rulelang.native.text import Fn, ident, place_comment

EXITS = {"go": 1, "again": 2, "end_turn": 3, "end_round": 4, "win": 5, "lose": 6, "tie": 7, "finish": 8}


def block(x: Emitter, fn: Fn, statements: Block) -> None:
    """Write the statements of a block."""
    for s in statements:
        fn.line(place_comment(s.place, s.op))
        statement(x, fn, s)


def statement(x: Emitter, fn: Fn, s: S) -> None:
    """Write one statement."""
    match s.op:
        case "let":
            _let(x, fn, s)
        case "set":
            assert s.target is not None
            kind = x.machine.fields[s.target.var].type
            value = _single(x, fn, s) or _held(x, fn, s.args[0], s.target)
            put(x, fn, s.target, value, tested=not safe(kind, s.args[0]))
        case "take":
            _take(x, fn, s)
        case "put":
            _put(x, fn, s)
        case "if":
            _if(x, fn, s)
        case "for":
            _for(x, fn, s)
        case "repeat":
            _repeat(x, fn, s)
        case "step":
            _step(x, fn, s)
        case "go":
            fn.line(f"{fn.state}->exit_to = {s.data};")
            fn.line(f"return {EXITS['go']};")
        case "win" | "lose":
            fn.line(f"{fn.state}->exit_to = (int){x.value(fn, s.args[0])};")
            fn.line(f"return {EXITS[s.op]};")
        case "again" | "end_turn" | "end_round" | "tie" | "finish":
            fn.line(f"return {EXITS[s.op]};")
        case "next_player":
            fn.line(f"{fn.state}->pending = -1;")
        case "turn_to":
            fn.line(f"{fn.state}->pending = (int8_t){x.value(fn, s.args[0])};")
        case "out":
            fn.line(f"{fn.state}->leaving |= 1u << {x.value(fn, s.args[0])};")
        case "says":
            pass
        case _:
            raise Declined(f"the native engine does not know the statement `{s.op}`")


def _held(x: Emitter, fn: Fn, e: E, target: Target) -> str:
    """A value for a variable, as the variable's type holds it."""
    kind = x.machine.fields[target.var].type
    if isinstance(kind, SetOf) and isinstance(e.type, SetOf):
        from rulelang.native.sets import fitted

        return fitted(x, fn, e, set_shape(kind))
    if isinstance(kind, DeckOf):
        return _deck(x, fn, e, kind)
    return x.value(fn, e)


def _single(x: Emitter, fn: Fn, s: S) -> str | None:
    """What is moved to a place that holds a single thing: the one thing in a bag."""
    e, target = s.args[0], s.target
    assert target is not None
    if not isinstance(e.type, BagOf) or not scalar(x.machine.fields[target.var].type):
        return None
    bag, i = fn.keep(x.ctype(e.type), x.value(fn, e), "b"), fn.name("i")
    number = x.fault(s.place, "out-of-range", "single", x.machine.fields[target.var].name)
    fn.line(f"if (unlikely({x.bag_type(e.type)}_count({bag}) != 1)) fail(g, {number}, {x.bag_type(e.type)}_count({bag}));")
    fn.line(f"int {i} = 0;")
    fn.line(f"while ({bag}.c[{i}] != 1) {i}++;")
    return value_text(e.type.of, i)


def _deck(x: Emitter, fn: Fn, e: E, kind: DeckOf) -> str:
    """Any list as a deck, which is tested when it is put."""
    name = fn.name("k")
    fn.line(f"{x.ctype(kind)} {name};")
    fn.line(f"memset(&{name}, 0, sizeof {name});")
    _fill(x, fn, e, kind.most, name)
    return name


def _fill(x: Emitter, fn: Fn, e: E, most: int, name: str) -> None:
    """The values of any list in an empty one with room for so many; `n` counts all."""
    if not isinstance(e.type, (BagOf, SetOf, *LISTS)):
        raise Declined("a deck is set to what is no list")
    with each(x, fn, e) as value:
        fn.line(f"if (likely({name}.n < {most})) {name}.v[{name}.n] = {value};")
        fn.line(f"{name}.n++;")


@contextmanager
def _moved(x: Emitter, fn: Fn, s: S, kind: DeckOf) -> Iterator[str]:
    """A loop over what is taken out of a deck or put there. Where computing it may be a fault, or asks for the same
    variable, all of it is computed before."""
    assert s.target is not None
    e = s.args[0]
    if x.total(e) and s.target.var not in x.depends.of(e).reads:
        with each(x, fn, e) as value:
            yield value
        return
    name, i = fn.name("k"), fn.name("i")
    fn.line(f"{x.list_type('num', kind.most + 1)} {name};")
    fn.line(f"{name}.n = 0;")
    _fill(x, fn, e, kind.most + 1, name)
    with fn.block(f"for (int {i} = 0; {i} < {name}.n; {i}++)"):
        yield fn.keep("num", f"{name}.v[{i}]")


def _let(x: Emitter, fn: Fn, s: S) -> None:
    bind(x, fn, s.data, s.args[0])


def bind(x: Emitter, fn: Fn, slot: int, e: E) -> None:
    """Set a local of the rules."""
    value = x.value(fn, e)
    if slot in x.persistent:
        fn.line(f"{fn.state}->{x.persistent[slot]} = {value};")
        fn.known = [{} for _ in fn.known]
        return
    bind_local(x, fn, slot, e, value)


def bind_local(x: Emitter, fn: Fn, slot: int, e: E, value: str | None = None) -> None:
    """Let a local of the rules be a local of C."""
    value = x.value(fn, e) if value is None else value
    if isinstance(e.type, LISTS):
        x.caps[slot] = cap(x, e)
    if isinstance(e.type, (Line, ListOf)) or not value.replace("_", "").isalnum() or isinstance(e.type, (SetOf, BagOf, DeckOf)):
        value = fn.keep(x.ctype_of(e), value, "x")
    fn.bind(slot, value)


def _take(x: Emitter, fn: Fn, s: S) -> None:
    assert s.target is not None
    store, kind = x.stores[s.target.var], x.machine.fields[s.target.var].type
    number = x.fault(s.place, "not-there", "take", (store.field.name, kind))
    at = fn.atom("int", x.entry(fn, s.target.var, s.target.index))
    held = f"{fn.state}->{store.name}[{at}]"
    e = s.args[0]
    if isinstance(kind, SetOf):
        shape = set_shape(kind)
        value = fn.atom(shape.ctype, _held(x, fn, e, s.target))
        fn.line(f"if (unlikely({shape.some(shape.without(value, held))})) fail(g, {number}, 0);")
        fn.line(f"{held} = {shape.without(held, value)};")
    elif isinstance(kind, BagOf):
        bag, one = x.bag_type(kind), single(e)
        if one is not None and inside(kind.of, one):
            k = fn.atom("int", index_text(kind.of, x.value(fn, one)))
            fn.line(f"if (unlikely({held}.c[{k}] < 1)) fail(g, {number}, 0);")
            fn.line(f"{held} = {bag}_drop({held}, {k}, 1);")
            if store.filled:
                fn.line(store.refill(fn.state, at, bag))
            fn.forget({s.target.var})
            return
        left = fn.keep(bag, f"{bag}_less({held}, {x.value(fn, e)})", "b")
        fn.line(f"if (unlikely({bag}_negative({left}))) fail(g, {number}, 0);")
        fn.line(f"{held} = {left};")
        if store.filled:
            fn.line(store.refill(fn.state, at, bag))
    elif isinstance(kind, DeckOf):
        deck, i = fn.keep(x.ctype(kind), held), fn.name("i")
        with _moved(x, fn, s, kind) as value:
            fn.line(f"int {i} = 0;")
            fn.line(f"while ({i} < {held}.n && {held}.v[{i}] != {value}) {i}++;")
            fn.line(f"if (unlikely({i} == {held}.n)) fail(g, {number}, {deck}.n);")
            fn.line(f"for ({held}.n--; {i} < {held}.n; {i}++) {held}.v[{i}] = {held}.v[{i} + 1];")
    else:
        value = fn.atom("num", x.value(fn, e))
        own = x.value(fn, E("get", kind, s.target.index, s.target.var, s.place))
        if isinstance(kind, Maybe):
            fn.line(f"if (unlikely({own} != {value})) fail(g, {number}, 0);")
            fn.line(f"{setter(x, s.target.var)}({fn.state}, {at}, NONE);")
        else:
            fn.line(f"fail(g, {number}, 0);")
    fn.forget({s.target.var})


def _put(x: Emitter, fn: Fn, s: S) -> None:
    assert s.target is not None
    store, kind = x.stores[s.target.var], x.machine.fields[s.target.var].type
    e = s.args[0]
    if scalar(kind):
        from rulelang.native.material import spill

        at = fn.atom("int", x.entry(fn, s.target.var, s.target.index))
        value = fn.atom("num", _single(x, fn, s) or x.value(fn, e))
        lost = spill(x, s.target.var, at, fn.state)
        if lost:
            fn.line(lost)
        put(x, fn, s.target, value, not safe(kind, e), at)
        return
    at = fn.atom("int", x.entry(fn, s.target.var, s.target.index))
    held = f"{fn.state}->{store.name}[{at}]"
    if isinstance(kind, SetOf):
        shape = set_shape(kind)
        fn.line(f"{held} = {shape.union(held, _held(x, fn, e, s.target))};")
    elif isinstance(kind, BagOf):
        bag = x.bag_type(kind)
        made = fn.keep(bag, f"{bag}_plus({held}, {x.value(fn, e)})", "b")
        test(x, fn, s.target, made)
        fn.line(f"{held} = {made};")
        if store.filled:
            fn.line(store.refill(fn.state, at, bag))
    else:
        assert isinstance(kind, DeckOf)
        number = x.fault(s.target.place, "out-of-range", "holds", (store.field.name, kind))
        with _moved(x, fn, s, kind) as value:
            fn.line(f"if (unlikely({held}.n >= {kind.most})) fail(g, {number}, {held}.n + 1);")
            fn.line(f"{held}.v[{held}.n++] = {value};")
    fn.forget({s.target.var})


def _if(x: Emitter, fn: Fn, s: S) -> None:
    fixed, chosen = x.c.constant(s.args[0])
    if fixed:
        fn.open("")
        block(x, fn, s.body if chosen else s.orelse)
        fn.close()
        return
    asked = x.value(fn, s.args[0])
    fn.open(f"if ({asked})")
    block(x, fn, s.body)
    if s.orelse:
        fn.known.pop()
        fn.depth -= 1
        fn.open("} else")
        block(x, fn, s.orelse)
    fn.close()


def _for(x: Emitter, fn: Fn, s: S) -> None:
    domain = s.args[0]
    where = s.args[1] if len(s.args) > 1 else TRUE
    written = writes(x.depends, s.body)
    reads = x.depends.of(where)
    asked_before = not reads.course and not (reads.reads & written)
    always = x.c.constant(where) == (True, True)
    work = x.fault(s.place, "never-decides", "work")
    whole = E("where", domain.type, (domain, where), s.data, s.place) if asked_before and not always else domain
    if isinstance(domain.type, SetOf):
        shape = set_shape(domain.type)
        held = fn.keep(shape.ctype, x.value(fn, whole), "m")
        fn.forget(written)
        fn.line(f"if (unlikely((g->work += {shape.count(held)}) > {x.most_work})) fail(g, {work}, 0);")
        loop = each_bit(fn, shape, held)
        with loop as i:
            fn.bind(s.data, fn.atom("num", value_text(domain.type.of, i)))
            _body(x, fn, s, where, always or asked_before)
        return
    held, i = materialise(x, fn, whole) if not x.c.constant(whole)[0] else x.value(fn, whole), fn.name("i")
    fn.forget(written)
    fn.line(f"if (unlikely((g->work += {held}.n) > {x.most_work})) fail(g, {work}, 0);")
    fn.open(f"for (int {i} = 0; {i} < {held}.n; {i}++)")
    from rulelang.native.emitter import element_of

    fn.bind(s.data, fn.keep(x.element_ctype(element_of(domain.type)), f"{held}.v[{i}]"))
    _body(x, fn, s, where, always or asked_before)
    fn.close()


def _body(x: Emitter, fn: Fn, s: S, where: E, plain: bool) -> None:
    if plain:
        block(x, fn, s.body)
    else:
        with fn.block(f"if ({x.value(fn, where)})"):
            block(x, fn, s.body)


def _repeat(x: Emitter, fn: Fn, s: S) -> None:
    amount, i = fn.atom("num", x.value(fn, s.args[0])), fn.name("i")
    fn.forget(writes(x.depends, s.body))
    work = x.fault(s.place, "never-decides", "work")
    fn.line(f"if (unlikely({amount} > 0 && (g->work += {amount}) > {x.most_work})) fail(g, {work}, 0);")
    with fn.block(f"for (num {i} = 0; {i} < {amount}; {i}++)"):
        block(x, fn, s.body)


def _step(x: Emitter, fn: Fn, s: S) -> None:
    step = x.game.steps[s.data]
    values = []
    for a in s.args:
        if isinstance(a.type, LISTS):
            raise Declined(f"the step `{step.name}` takes a list")
        values.append(fn.atom(x.ctype(a.type), x.value(fn, a)))
    name = step_function(x, s.data, s.args)
    taken = fn.name("exit")
    fn.line(f"const int {taken} = {name}({', '.join(['g', fn.state, fn.me, *values])});")
    fn.line(f"if ({taken}) return {taken};")
    fn.forget(writes(x.depends, step.body))


def step_function(x: Emitter, number: int, arguments: tuple[E, ...]) -> str:
    """The C function of a step."""
    step = x.game.steps[number]
    name = ident(f"step{number}", step.name)
    if name in x.step_names:
        return name
    x.step_names.add(name)
    fn = Fn()
    heads = []
    for i, slot in enumerate(step.slots):
        kind = x.slot_types.get(slot, arguments[i].type)
        heads.append(f"{x.ctype(kind)} p{i} UNUSED")
        fn.env[slot] = f"p{i}"
    block(x, fn, step.body)
    head = ", ".join(["Game *g UNUSED", "State *s UNUSED", "num me UNUSED", *heads])
    body = "\n".join([*fn.lines, "  return 0;"])
    x.functions.append(f"{place_comment(step.place, 'step ' + step.name)}\nstatic int {name}({head}) {{\n{body}\n}}\n")
    return name


def block_function(x: Emitter, name: str, statements: Block, heads: list[str] | None = None,
                   env: dict[int, str] | None = None, how: str = "static") -> None:
    """A C function of a block."""
    fn = Fn()
    fn.env.update(env or {})
    block(x, fn, statements)
    head = ", ".join(["Game *g UNUSED", "State *s UNUSED", "num me UNUSED", *(heads or [])])
    body = "\n".join([*fn.lines, "  return 0;"])
    x.functions.append(f"{how} int {name}({head}) {{\n{body}\n}}\n")


__all__ = ["block_function", "cap", "statement"]
