"""Writers for single values: logic, comparison, numbers, records, what is kept by index."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.engine.values import contains
from rulelang.model.ir import E
from rulelang.model.types import BagOf, DeckOf, Line, ListOf, Maybe, Record, SetOf, size_of
from rulelang.native.emitter import Emitter, element_of, writes
from rulelang.native.shapes import Declined, index_text, scalar, set_shape
from rulelang.native.text import Fn


def capture(fn: Fn, make: Callable[[], str]) -> tuple[list[str], str]:
    """What a part needs before it, apart from the function, and its value: for what is computed only sometimes."""
    before, fn.lines = fn.lines, []
    fn.known.append({})
    fn.depth += 1
    found = make()
    fn.depth -= 1
    fn.known.pop()
    lines, fn.lines = fn.lines, before
    return lines, found


@writes("me")
def _me(x: Emitter, fn: Fn, e: E) -> str:
    return fn.me


@writes("turns", "rounds")
def _course(x: Emitter, fn: Fn, e: E) -> str:
    return f"(num){fn.state}->{e.op}"


@writes("and", "or")
def _joined(x: Emitter, fn: Fn, e: E) -> str:
    sign = "&&" if e.op == "and" else "||"
    found = x.value(fn, e.args[0])
    for a in e.args[1:]:
        lines, value = capture(fn, lambda a=a: x.value(fn, a))  # type: ignore[misc]
        if not lines:
            found = f"({found} {sign} {value})"
            continue
        name = fn.name()
        fn.line(f"int {name} = {found};")
        fn.line(f"if ({'' if e.op == 'and' else '!'}{name}) {{")
        fn.lines += lines
        fn.line(f"  {name} = {value};")
        fn.line("}")
        found = name
    return found


@writes("not")
def _not(x: Emitter, fn: Fn, e: E) -> str:
    return f"(!{x.value(fn, e.args[0])})"


@writes("if")
def _if(x: Emitter, fn: Fn, e: E) -> str:
    fixed, chosen = x.c.constant(e.args[0])
    if fixed:
        return x.value(fn, e.args[1 if chosen else 2])
    if isinstance(e.type, (Line, ListOf, DeckOf)):
        from rulelang.native.sequences import materialise

        return materialise(x, fn, e)
    asked = x.value(fn, e.args[0])
    first, a = capture(fn, lambda: x.value(fn, e.args[1]))
    second, b = capture(fn, lambda: x.value(fn, e.args[2]))
    if not first and not second:
        return f"({asked} ? {a} : {b})"
    name = fn.name()
    fn.line(f"{x.ctype_of(e)} {name};")
    fn.line(f"if ({asked}) {{")
    fn.lines += first
    fn.line(f"  {name} = {a};")
    fn.line("} else {")
    fn.lines += second
    fn.line(f"  {name} = {b};")
    fn.line("}")
    return name


@writes("eq", "ne")
def _equal(x: Emitter, fn: Fn, e: E) -> str:
    one, two = e.args
    if one.op == "legal_moves" and x.c.constant(two) == (True, 0):
        return f"({'!' if e.op == 'eq' else ''}some_move(g, {fn.state}))"
    no = "!" if e.op == "ne" else ""
    for a, b in ((one, two), (two, one)):
        if isinstance(a.type, SetOf) and isinstance(b.type, SetOf):
            shape = set_shape(a.type)
            if shape.words != set_shape(b.type).words:
                raise Declined("sets of different kinds are compared")
            return f"({no}{shape.equal(x.value(fn, a), x.value(fn, b))})"
        if isinstance(a.type, BagOf) and x.c.constant(b)[0] and not any(x.c.constant(b)[1]):
            return f"({'' if no else '!'}{x.bag_type(a.type)}_some({x.value(fn, a)}.v))"
        if isinstance(a.type, BagOf):
            return f"({no}{x.bag_type(a.type)}_equal({x.value(fn, a)}, {x.value(fn, b)}))"
        if isinstance(a.type, (DeckOf, ListOf, Line)):
            if not scalar(element_of(a.type)):
                raise Declined("lists of sets are compared")
            left, right, same = x.value(fn, a), x.value(fn, b), fn.name()
            fn.line(f"int {same} = {left}.n == {right}.n;")
            fn.line(f"for (int i = 0; {same} && i < {left}.n; i++) {same} = {left}.v[i] == {right}.v[i];")
            return f"({no}{same})"
    return f"({x.value(fn, one)} {'==' if e.op == 'eq' else '!='} {x.value(fn, two)})"


@writes("lt", "le", "gt", "ge", "add", "sub", "mul")
def _binary(x: Emitter, fn: Fn, e: E) -> str:
    if e.op == "gt" and e.args[0].op == "legal_moves" and x.c.constant(e.args[1]) == (True, 0):
        return f"some_move(g, {fn.state})"
    sign = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "add": "+", "sub": "-", "mul": "*"}[e.op]
    a = x.value(fn, e.args[0])
    return f"({a} {sign} {x.value(fn, e.args[1])})"


@writes("neg")
def _neg(x: Emitter, fn: Fn, e: E) -> str:
    return f"(-{x.value(fn, e.args[0])})"


@writes("div", "mod")
def _divide(x: Emitter, fn: Fn, e: E) -> str:
    a = fn.atom("num", x.value(fn, e.args[0]))
    b = fn.atom("num", x.value(fn, e.args[1]))
    fixed, value = x.c.constant(e.args[1])
    if not fixed or not value:
        number = x.fault(e.place, "division-by-zero", "division")
        fn.line(f"if (unlikely({b} == 0)) fail(g, {number}, 0);")
    return f"floor_{e.op}({a}, {b})"


@writes("need")
def _need(x: Emitter, fn: Fn, e: E) -> str:
    value = x.value(fn, e.args[0])
    if not isinstance(e.args[0].type, Maybe):
        return value
    if not scalar(e.args[0].type):
        return value
    value = fn.atom("num", value)
    number = x.fault(e.place, "nothing-there", "need")
    fn.line(f"if (unlikely({value} == NONE)) fail(g, {number}, 0);")
    return value


@writes("fit")
def _fit(x: Emitter, fn: Fn, e: E) -> str:
    value = fn.atom("num", x.value(fn, e.args[0]))
    low, high = e.data
    number = x.fault(e.place, "out-of-range", "fit", (low, high))
    fn.line(f"if (unlikely({value} < {low} || {value} > {high})) fail(g, {number}, {value});")
    return value


@writes("recode", "number_of", "cell_of")
def _recode(x: Emitter, fn: Fn, e: E) -> str:
    if e.data is None:
        return x.value(fn, e.args[0])
    value = fn.atom("num", x.value(fn, e.args[0]))
    name = x.static_list_of_numbers(tuple(e.data))
    found = f"{name}[{value}]"
    if e.op == "cell_of":
        number = x.fault(e.place, "no-such-cell", "cell")
        name_in = fn.name()
        fn.line(f"num {name_in} = NONE;")
        fn.line(f"if ({value} != NONE) {{")
        fn.line(f"  {name_in} = {value} >= 0 && {value} < {len(e.data)} ? {found} : NONE;")
        fn.line(f"  if (unlikely({name_in} == NONE)) fail(g, {number}, {value});")
        fn.line("}")
        return name_in
    return f"({value} == NONE ? NONE : {found})" if isinstance(e.args[0].type, Maybe) else found


@writes("field")
def _field(x: Emitter, fn: Fn, e: E) -> str:
    divisor, size, offset = e.data
    of = e.args[0].type
    maybe = isinstance(of, Maybe)
    value = fn.atom("num", x.value(fn, e.args[0]))
    inner = of.of if isinstance(of, Maybe) else of
    found = value if divisor == 1 else f"{value} / {divisor}"
    if not (isinstance(inner, Record) and size_of(inner) == divisor * size):
        found = f"({found}) % {size}"
    if offset:
        found = f"{found} + {offset}" if offset > 0 else f"{found} - {-offset}"
    return f"({value} == NONE ? NONE : ({found}))" if maybe else f"({found})"


@writes("record")
def _record(x: Emitter, fn: Fn, e: E) -> str:
    found = ""
    for a, size in zip(e.args, e.data, strict=True):
        value = x.value(fn, a)
        found = f"({found} * {size} + {value})" if found else f"(num){value}"
    return found


@writes("is_part")
def _is_part(x: Emitter, fn: Fn, e: E) -> str:
    value = fn.atom("num", x.value(fn, e.args[0]))
    first, count = e.data
    return f"({value} >= {first} && {value} < {first + count})"


@writes("next_seat")
def _next_seat(x: Emitter, fn: Fn, e: E) -> str:
    value = fn.atom("num", x.value(fn, e.args[0]))
    seats = x.machine.seats
    moved = f"({value} + {e.data % seats}) % {seats}"
    return f"({value} == NONE ? NONE : {moved})" if isinstance(e.args[0].type, Maybe) else f"({moved})"


@writes("opponent")
def _opponent(x: Emitter, fn: Fn, e: E) -> str:
    value = fn.atom("num", x.value(fn, e.args[0]))
    return f"({value} == NONE ? NONE : 1 - {value})" if isinstance(e.args[0].type, Maybe) else f"(1 - {value})"


@writes("get")
def _get(x: Emitter, fn: Fn, e: E) -> str:
    store = x.stores[e.data]
    at = x.entry(fn, e.data, e.args)
    held = f"{fn.state}->{store.name}"
    if store.boards and not store.array:
        return f"(num){store.shape.test(f'{held}_on', at)}"
    if scalar(store.kind):
        if store.maybe:
            loaded: str = store.load(fn.atom(store.ctype, f"{held}[{at}]"))
            return loaded
        return f"(num){held}[{at}]"
    return f"{held}[{at}]"


@writes("table")
def _table(x: Emitter, fn: Fn, e: E) -> str:
    table = x.game.tables[e.data]
    if not scalar(table.type):
        if isinstance(table.type, SetOf):
            name = x.static_sets(table.values, set_shape(table.type))
        else:
            raise Declined(f"the table `{table.name}` holds lists")
    else:
        name = x.static_list_of_numbers(tuple(None if v is None else int(v) for v in table.values))
    held = [fn.atom("num", x.value(fn, a)) for a in e.args]
    found = fn.name()
    shape = set_shape(table.type) if isinstance(table.type, SetOf) else None
    fn.line(f"{x.ctype(table.type)} {found} = {shape.zero if shape else 'NONE'};")
    fn.open(f"if ({' && '.join(f'{h} != NONE' for h in held)})")
    place = ""
    for h, a, kind in zip(held, e.args, table.index_types, strict=True):
        inner = a.type.of if isinstance(a.type, Maybe) else a.type
        at = index_text(kind, h)
        if not contains(kind, inner):
            at = fn.keep("num", at)
            number = x.fault(a.place, "no-such-entry", "entry", table.name)
            fn.line(f"if (unlikely((u64)(i64){at} >= {size_of(kind)}u)) fail(g, {number}, {h});")
        place = f"({place}) * {size_of(kind)} + {at}" if place else at
    fn.line(f"{found} = {name}[{place}];")
    fn.close()
    return found


@writes("legal_moves")
def _legal_moves(x: Emitter, fn: Fn, e: E) -> str:
    return f"(num)count_moves(g, {fn.state})"


@writes("times")
def _times(x: Emitter, fn: Fn, e: E) -> str:
    key = f"{fn.keys}[{e.data}]" if fn.keys else f"position_{e.data}({fn.state}, {fn.me})"
    return f"(num)history_times(&g->history[{e.data}], {key}, {fn.state}->noted)"


@writes("call")
def _call(x: Emitter, fn: Fn, e: E) -> str:
    define = x.game.defines[e.data]
    kinds = [x.slot_types.get(slot, a.type) for slot, a in zip(define.slots, e.args, strict=True)]
    if any(isinstance(kind, (Line, ListOf, DeckOf)) for kind in kinds):
        for slot, a in zip(define.slots, e.args, strict=True):
            fn.bind(slot, x.value(fn, a) if not scalar(a.type) else fn.atom("num", x.value(fn, a)))
        return x.value(fn, define.body)
    values = [x.value(fn, a) for a in e.args]
    name, _ = x.define(e.data, e.args)
    return f"{name}({', '.join(['g', fn.state, fn.me, *values])})"
