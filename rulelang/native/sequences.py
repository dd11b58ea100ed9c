"""Writers for what goes through a collection, one by one where it cannot be done at once (see `masks`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rulelang.machine.facts import BINDERS
from rulelang.model.ir import TRUE, E
from rulelang.model.types import SWITCH, BagOf, DeckOf, Line, ListOf, Maybe, SetOf
from rulelang.native.emitter import KEPT, Emitter, element_of, is_atom, writes
from rulelang.native.lengths import placed_shapes, size_of_domain
from rulelang.native.shapes import Declined, SetShape, bag_size, scalar, set_shape, value_text
from rulelang.native.text import Fn

LISTS = (Line, ListOf, DeckOf)


@contextmanager
def each_bit(fn: Fn, shape: SetShape, held: str, down: bool = False) -> Iterator[str]:
    """A loop over the bits of a set, lowest first; gives the name of the bit's number."""
    m, i = fn.name("m"), fn.name("i")
    if shape.small:
        if down:
            fn.open(f"for ({shape.ctype} {m} = {held}; {m}; {m} ^= {shape.bit(shape.high(m))})")
            fn.line(f"const num {i} = {shape.high(m)};")
        else:
            fn.open(f"for ({shape.ctype} {m} = {held}; {m}; {m} &= {m} - 1)")
            fn.line(f"const num {i} = {shape.low(m)};")
    else:
        held, w = fn.keep(shape.ctype, held), fn.name("w")
        if down:
            fn.open(f"for (int {w} = {shape.words - 1}; {w} >= 0; {w}--) "
                    f"for (u64 {m} = {shape.word(held, w)}; {m}; {m} ^= 1ull << u64_high({m}))")
            fn.line(f"const num {i} = 64 * {w} + u64_high({m});")
        else:
            fn.open(f"for (int {w} = 0; {w} < {shape.words}; {w}++) "
                    f"for (u64 {m} = {shape.word(held, w)}; {m}; {m} &= {m} - 1)")
            fn.line(f"const num {i} = 64 * {w} + u64_low({m});")
    yield i
    fn.close()


@contextmanager
def each(x: Emitter, fn: Fn, e: E) -> Iterator[str]:
    """A loop over the values of any collection; gives the name of the value."""
    e = x.c.simple(e)
    kind = e.type
    fixed, _ = x.c.constant(e)
    if isinstance(kind, SetOf):
        shape = set_shape(kind)
        with each_bit(fn, shape, x.value(fn, e)) as i:
            yield fn.atom("num", value_text(kind.of, i))
    elif isinstance(kind, BagOf):
        bag, i, k = fn.atom(x.ctype_of(e), x.value(fn, e)), fn.name("i"), fn.name("k")
        fn.open(f"for (int {i} = 0; {i} < {bag_size(kind)}; {i}++) for (int {k} = 0; {k} < {bag}.c[{i}]; {k}++)")
        yield fn.atom("num", value_text(kind.of, i))
        fn.close()
    elif e.op == "bag_list" and not fixed:
        with each(x, fn, e.args[0]) as value:
            yield value
    elif e.op == "placements" and not fixed:
        placed = placed_shapes(x)
        assert isinstance(kind, ListOf) and isinstance(kind.of, SetOf)
        flat = x.static_sets(tuple(m for one in placed for m in one), set_shape(kind.of))
        ends = [0]
        for one in placed:
            ends.append(ends[-1] + len(one))
        start = x.static_list_of_numbers(tuple(ends))
        shape_number, i = fn.atom("num", x.value(fn, e.args[0])), fn.name("i")
        fn.open(f"if ({shape_number} != NONE) for (int {i} = {start}[{shape_number}]; {i} < {start}[{shape_number} + 1]; {i}++)")
        yield fn.keep(x.element_ctype(kind.of), f"{flat}[{i}]")
        fn.close()
    elif e.op == "for" and not fixed and x.tabulated(fn, e) is None:
        domain, where, made = e.args
        with elements(x, fn, domain, where, e.data, (made,)):
            value = fn.atom(x.ctype_of(made), x.value(fn, made))
            if isinstance(made.type, Maybe):
                with fn.block(f"if ({value} != NONE)"):
                    yield value
            else:
                yield value
    elif e.op == "where" and not fixed and x.tabulated(fn, e) is None:
        with elements(x, fn, e.args[0], e.args[1], e.data) as value:
            yield value
    else:
        held, i = x.value(fn, e), fn.name("i")
        fn.open(f"for (int {i} = 0; {i} < {held}.n; {i}++)")
        yield fn.keep(x.element_ctype(element_of(kind)), f"{held}.v[{i}]")
        fn.close()


@contextmanager
def elements(x: Emitter, fn: Fn, domain: E, where: E, slot: int, body: Sequence[E] = ()) -> Iterator[str]:
    """A loop over the values of a collection that meet a condition; binds them to a slot, and takes out of the loop
    what `body` computes without them."""
    from rulelang.native.masks import split

    if isinstance(domain.type, SetOf):
        shape, of = set_shape(domain.type), domain.type.of
        mask, rest = split(x, fn, where, slot, of, domain)
        held = x.value(fn, domain)
        if mask is not None:
            held = shape.both(held, mask)
        held = fn.atom(shape.ctype, held)
        hoist(x, fn, [*body, *([rest] if rest is not None else [])], slot)
        with each_bit(fn, shape, held) as i:
            value = fn.atom("num", value_text(of, i))
            fn.bind(slot, value)
            if rest is None:
                yield value
            else:
                with fn.block(f"if ({x.value(fn, rest)})"):
                    yield value
        return
    domain, where = _narrowed(x, fn, domain, where, slot)
    hoist(x, fn, [*body, where], slot)
    fixed, always = x.c.constant(where)
    with each(x, fn, domain) as value:
        fn.bind(slot, value)
        if fixed and always:
            yield value
        else:
            with fn.block(f"if ({x.value(fn, where)})"):
                yield value


def _narrowed(x: Emitter, fn: Fn, domain: E, where: E, slot: int) -> tuple[E, E]:
    """A fixed list with what is static in its condition (`some m in mills where c in m …`) taken into a table of lists."""
    if not x.c.constant(domain)[0] or not isinstance(domain.type, ListOf):
        return domain, where
    parts = _conjuncts(x, where)
    fixed = []
    while parts and x.static(parts[0]) and slot in x.facts(parts[0]).free and all(
            s in fn.env for s in x.facts(parts[0]).free - {slot}):
        fixed.append(parts.pop(0))
    if not fixed:
        return domain, where
    condition = conjunction(*fixed)
    key = ("narrowed", x.key(domain), x.key(condition), slot)
    less = x._lifted.setdefault(key, E("where", domain.type, (domain, condition), slot, where.place))
    if x.c.constant(less)[0] or x.table_of(less) is not None:
        return less, conjunction(*parts)
    return domain, where


def _conjuncts(x: Emitter, e: E) -> list[E]:
    e = x.c.simple(e)
    if e.op == "and":
        return [part for a in e.args for part in _conjuncts(x, a)]
    return [e]


def hoist(x: Emitter, fn: Fn, body: Sequence[E], slot: int) -> None:
    """Compute before a loop what costs something and stays the same in it."""
    if not x.passes.common:
        return

    def look(e: E, bound: frozenset[int]) -> None:
        e = x.c.simple(e)
        if is_atom(e) or x.c.constant(e)[0]:
            return
        if e.op == "call":
            from rulelang.native.inline import inlined, small

            if small(x, e):
                look(inlined(x, e), bound)
                return
        facts = x.facts(e)
        here = all(s in fn.env or (s in x.persistent and s not in fn.hidden) for s in facts.free)
        if e.op in KEPT and not facts.free & bound and here and not facts.course and x.total(e) and not _cheap(x, e):
            if not isinstance(e.type, LISTS):
                x.value(fn, e)
            return
        if e.op in BINDERS:
            look(e.args[0], bound)
            for a in e.args[1:]:
                look(a, bound | {e.data})
            return
        for a in e.args:
            look(a, bound)

    for e in body:
        look(e, frozenset({slot}))


def _cheap(x: Emitter, e: E) -> bool:
    return e.op in ("in", "meets", "within", "need") or x.boardy(e)


def conjunction(*parts: E) -> E:
    """All of these."""
    kept = [p for p in parts if not (p.op == "const" and p.data is True)]
    if not kept:
        return TRUE
    return kept[0] if len(kept) == 1 else E("and", SWITCH, tuple(kept), None, kept[0].place)


def negation(e: E) -> E:
    """The opposite."""
    return e.args[0] if e.op == "not" else E("not", SWITCH, (e,), None, e.place)


def materialise(x: Emitter, fn: Fn, e: E) -> str:
    """A list computed into a local."""
    name = fn.name("v")
    fn.line(f"{x.ctype_of(e)} {name};")
    fn.line(f"{name}.n = 0;")
    _push(x, fn, e, name)
    return name


def _push(x: Emitter, fn: Fn, e: E, name: str) -> None:
    e = x.c.simple(e)
    if e.op == "if" and not x.c.constant(e)[0]:
        fn.open(f"if ({x.value(fn, e.args[0])})")
        _push(x, fn, e.args[1], name)
        fn.close("} else {")
        fn.depth += 1
        fn.known.append({})
        _push(x, fn, e.args[2], name)
        fn.close()
    elif e.op in ("join_lists", "deck_plus"):
        _push(x, fn, e.args[0], name)
        _push(x, fn, e.args[1], name)
    else:
        with each(x, fn, e) as value:
            fn.line(f"{name}.v[{name}.n++] = {value};")


@writes("for", "bag_list", "join_lists", "deck_plus")
def _list(x: Emitter, fn: Fn, e: E) -> str:
    return materialise(x, fn, e)


@writes("top")
def _top(x: Emitter, fn: Fn, e: E) -> str:
    name = fn.name("v")
    fn.line(f"{x.ctype_of(e)} {name} = {x.value(fn, e.args[0])};")
    amount = fn.atom("num", x.value(fn, e.args[1]))
    number = x.fault(e.place, "not-there", "top", (x.machine.fields[e.args[0].data].name, x.c.in_the_open(e)))
    fn.line(f"if (unlikely({amount} > {name}.n)) fail(g, {number}, {amount});")
    fn.line(f"{name}.n = {amount} > 0 ? (int){amount} : 0;")
    return name


@writes("where")
def _where(x: Emitter, fn: Fn, e: E) -> str:
    from rulelang.native.masks import split

    domain, condition = e.args
    if not isinstance(domain.type, SetOf):
        return materialise(x, fn, e)
    shape = set_shape(domain.type)
    mask, rest = split(x, fn, condition, e.data, domain.type.of, domain)
    held = x.value(fn, domain)
    if mask is not None:
        held = shape.both(held, mask)
    if rest is None:
        return held
    name = fn.name("m")
    held = fn.atom(shape.ctype, held)
    fn.line(f"{shape.ctype} {name} = {shape.zero};")
    hoist(x, fn, [rest], e.data)
    with each_bit(fn, shape, held) as i:
        fn.bind(e.data, fn.atom("num", value_text(domain.type.of, i)))
        fn.line(f"if ({x.value(fn, rest)}) {name} = {shape.union(name, shape.bit(i))};")
    return name


@writes("some", "no", "every")
def _some(x: Emitter, fn: Fn, e: E) -> str:
    from rulelang.native.families import pattern
    from rulelang.native.masks import split

    domain, where, condition = e.args
    wanted = e.op == "some"
    found = pattern(x, fn, e)
    if found is not None:
        return found
    asked = conjunction(where, negation(condition) if e.op == "every" else condition)
    rest: E | None = asked
    if isinstance(domain.type, SetOf):
        shape, of = set_shape(domain.type), domain.type.of
        mask, rest = split(x, fn, asked, e.data, of, domain)
        if rest is None:
            held = x.value(fn, domain)
            if mask is not None:
                held = shape.both(held, mask)
            return shape.some(held) if wanted else f"(!{shape.some(held)})"
        rest = asked
    name, label = fn.name("q"), fn.name("L")
    fn.line(f"int {name} = {int(not wanted)};")
    with elements(x, fn, domain, asked, e.data):
        fn.line(f"{name} = {int(wanted)};")
        fn.line(f"goto {label};")
    fn.line(f"{label}:;")
    return name


@writes("no_two")
def _no_two(x: Emitter, fn: Fn, e: E) -> str:
    domain, key = e.args[0], e.args[-1]
    where = e.args[1] if len(e.args) == 3 else TRUE
    if not scalar(key.type):
        raise Declined("`no two` compares what is no single value")
    name, label, seen = fn.name("q"), fn.name("L"), fn.name("seen")
    most = size_of_domain(x, domain)
    fn.line(f"int {name} = 1, {seen}_n = 0;")
    fn.line(f"num {seen}[{most}];")
    with elements(x, fn, domain, where, e.data, (key,)):
        value = fn.atom("num", x.value(fn, key))
        fn.line(f"for (int j = 0; j < {seen}_n; j++) if ({seen}[j] == {value}) {{ {name} = 0; goto {label}; }}")
        fn.line(f"{seen}[{seen}_n++] = {value};")
    fn.line(f"{label}:;")
    return name


@writes("first", "last")
def _first(x: Emitter, fn: Fn, e: E) -> str:
    from rulelang.native.masks import split

    domain, condition = e.args
    lowest = e.op == "first"
    name, label = fn.name("f"), fn.name("L")
    if isinstance(domain.type, SetOf):
        shape, of = set_shape(domain.type), domain.type.of
        mask, rest = split(x, fn, condition, e.data, of, domain)
        held = x.value(fn, domain)
        if mask is not None:
            held = shape.both(held, mask)
        held = fn.atom(shape.ctype, held)
        if rest is None:
            at = value_text(of, shape.low(held) if lowest else shape.high(held))
            return f"({shape.some(held)} ? (num){at} : NONE)"
        fn.line(f"num {name} = NONE;")
        hoist(x, fn, [rest], e.data)
        with each_bit(fn, shape, held, not lowest) as i:
            value = fn.atom("num", value_text(of, i))
            fn.bind(e.data, value)
            fn.line(f"if ({x.value(fn, rest)}) {{ {name} = {value}; goto {label}; }}")
        fn.line(f"{label}:;")
        return name
    if not scalar(element_of(domain.type)):
        raise Declined("the first set of a list is asked for")
    fn.line(f"num {name} = NONE;")
    with elements(x, fn, domain, condition, e.data) as value:
        fn.line(f"{name} = {value};")
        if lowest:
            fn.line(f"goto {label};")
    if lowest:
        fn.line(f"{label}:;")
    return name


@writes("sum", "highest", "lowest")
def _numbers(x: Emitter, fn: Fn, e: E) -> str:
    name = fn.name("n")
    fn.line(f"num {name} = {'0' if e.op == 'sum' else 'NONE'};")
    with each(x, fn, e.args[0]) as value:
        if e.op == "sum":
            fn.line(f"if ({value} != NONE) {name} += {value};")
        else:
            sign = ">" if e.op == "highest" else "<"
            fn.line(f"if ({value} != NONE && ({name} == NONE || {value} {sign} {name})) {name} = {value};")
    return name


def counted(x: Emitter, fn: Fn, e: E) -> str:
    """How many a collection holds."""
    e = x.c.simple(e)
    if isinstance(e.type, SetOf):
        return f"(num){set_shape(e.type).count(x.value(fn, e))}"
    if isinstance(e.type, BagOf):
        return f"(num){x.bag_type(e.type)}_count({x.value(fn, e)})"
    fixed, value = x.c.constant(e)
    if fixed:
        return str(len(value))
    if e.op in ("for", "where") and x.tabulated(fn, e) is None:
        name = fn.name("n")
        fn.line(f"num {name} = 0;")
        with each(x, fn, e):
            fn.line(f"{name}++;")
        return name
    return f"(num){x.value(fn, e)}.n"


@writes("in_list")
def _in_list(x: Emitter, fn: Fn, e: E) -> str:
    value, name, label = fn.atom("num", x.value(fn, e.args[0])), fn.name("q"), fn.name("L")
    if not scalar(e.args[0].type):
        raise Declined("a set is looked for in a list")
    fn.line(f"int {name} = 0;")
    with each(x, fn, e.args[1]) as other:
        fn.line(f"if ({value} == {other} && {value} != NONE) {{ {name} = 1; goto {label}; }}")
    fn.line(f"{label}:;")
    return name
