"""Writers for sets as words."""

from __future__ import annotations

from rulelang.model.ir import E
from rulelang.model.types import Maybe, SetOf, size_of
from rulelang.native.emitter import Emitter, element_of, inside, writes
from rulelang.native.shapes import Declined, SetShape, index_text, set_shape
from rulelang.native.text import Fn


def fitted(x: Emitter, fn: Fn, e: E, shape: SetShape) -> str:
    """A set's value as a set of that shape's C type."""
    own = set_shape(e.type)
    value = x.value(fn, e)
    if own.words == shape.words:
        return value
    if own.words <= 2 and shape.words <= 2:
        return f"({shape.ctype}){value}"
    raise Declined("sets of different sizes are joined")


@writes("in")
def _in(x: Emitter, fn: Fn, e: E) -> str:
    shape = set_shape(e.args[1].type)
    of = element_of(e.args[1].type)
    if e.args[1].op in ("set_of",) and len(e.args[1].args) <= 3 and all(not isinstance(a.type, Maybe) for a in e.args[1].args):
        value = fn.atom("num", x.value(fn, e.args[0]))
        return "(" + " || ".join(f"{value} == {x.value(fn, a)}" for a in e.args[1].args) + ")"
    value = fn.atom("num", x.value(fn, e.args[0]))
    held = x.value(fn, e.args[1])
    if inside(of, e.args[0]):
        return shape.test(held, index_text(of, value))
    at = fn.atom("num", index_text(of, value))
    return f"({value} != NONE && (u64)(i64){at} < {size_of(of)}u && {shape.test(held, at)})"


@writes("within")
def _within(x: Emitter, fn: Fn, e: E) -> str:
    shape = set_shape(e.args[0].type)
    a = x.value(fn, e.args[0])
    return f"(!{shape.some(shape.without(a, fitted(x, fn, e.args[1], shape)))})"


@writes("meets")
def _meets(x: Emitter, fn: Fn, e: E) -> str:
    from rulelang.native.families import reaches

    found = reaches(x, fn, e)
    if found is not None:
        return found
    shape = set_shape(e.args[0].type)
    a = x.value(fn, e.args[0])
    return shape.some(shape.both(a, fitted(x, fn, e.args[1], shape)))


@writes("union", "both", "without")
def _joined(x: Emitter, fn: Fn, e: E) -> str:
    shape = set_shape(e.type)
    a = fitted(x, fn, e.args[0], shape)
    b = fitted(x, fn, e.args[1], shape)
    return str(getattr(shape, e.op)(a, b))


@writes("set_of", "one")
def _set_of(x: Emitter, fn: Fn, e: E) -> str:
    shape, of = set_shape(e.type), element_of(e.type)
    x.set_type(shape)
    found = ""
    for a in e.args:
        value = x.value(fn, a)
        if isinstance(a.type, Maybe) or type(a.type).__name__ == "Nothing":
            value = fn.atom("num", value)
            low = index_text(of.of if isinstance(of, Maybe) else of, value)
            one = shape.choose(f"{value} == NONE", shape.zero, shape.bit(low))
        else:
            one = shape.bit(index_text(of, value))
        found = shape.union(found, one) if found else one
    return found or shape.zero


@writes("range")
def _range(x: Emitter, fn: Fn, e: E) -> str:
    shape, of = set_shape(e.type), element_of(e.type)
    low = fn.atom("num", index_text(of, x.value(fn, e.args[0])))
    high = fn.atom("num", index_text(of, x.value(fn, e.args[1])))
    name = fn.name("m")
    fn.line(f"{shape.ctype} {name} = {shape.zero};")
    if shape.words == 1:
        fn.line(f"if ({high} >= {low} && {high} >= 0 && {low} < 64) {name} = ({high} >= 63 ? ~0ull : (1ull << ({high} + 1)) - 1)"
                f" & (~0ull << ({low} > 0 ? {low} : 0)) & {shape.const(shape.every)};")
    else:
        fn.line(f"for (num i = {low} > 0 ? {low} : 0; i <= {high} && i < {shape.size}; i++) "
                f"{name} = {shape.union(name, shape.bit('i'))};")
    return name


@writes("lift")
def _lift(x: Emitter, fn: Fn, e: E) -> str:
    shape, own = set_shape(e.type), set_shape(e.args[0].type)
    wide = shape if shape.words >= own.words else own
    value = x.value(fn, e.args[0])
    if wide.words != own.words:
        if wide.words > 2:
            raise Declined("sets of different sizes are joined")
        value = f"({wide.ctype}){value}"
    moved = wide.both(wide.shift(value, e.data), wide.const(shape.every))
    return moved if wide.words == shape.words else f"({shape.ctype}){moved}"


@writes("cells")
def _cells(x: Emitter, fn: Fn, e: E) -> str:
    from rulelang.native.sequences import each

    shape = set_shape(e.type)
    name = fn.name("m")
    fn.line(f"{shape.ctype} {name} = {shape.zero};")
    with each(x, fn, e.args[0]) as cell:
        fn.line(f"{name} = {shape.union(name, shape.bit(cell))};")
    return name


@writes("recode_set")
def _recode_set(x: Emitter, fn: Fn, e: E) -> str:
    from rulelang.native.sequences import each_bit

    shape, own = set_shape(e.type), set_shape(e.args[0].type)
    held = x.value(fn, e.args[0])
    pairs = [(i, j) for i, j in enumerate(e.data) if j is not None]
    if pairs and len({j - i for i, j in pairs}) == 1 and own.words == shape.words:
        source = 0
        for i, _ in pairs:
            source |= 1 << i
        return shape.shift(own.both(held, own.const(source)), pairs[0][1] - pairs[0][0])
    name = fn.name("m")
    table = x.static_list_of_numbers(tuple(e.data))
    fn.line(f"{shape.ctype} {name} = {shape.zero};")
    with each_bit(fn, own, held) as bit:
        fn.line(f"if ({table}[{bit}] != NONE) {name} = {shape.union(name, shape.bit(f'{table}[{bit}]'))};")
    return name


@writes("count")
def _count(x: Emitter, fn: Fn, e: E) -> str:
    from rulelang.native.sequences import counted

    return counted(x, fn, e.args[0])


def is_set(e: E) -> bool:
    """Whether an expression is a set."""
    return isinstance(e.type, SetOf)
