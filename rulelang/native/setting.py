"""Writers for what sets a state variable: its arrays and sets together, the range tested."""

from __future__ import annotations

from rulelang.model.ir import Target
from rulelang.model.types import BagOf, DeckOf, Maybe, Number, Record, SetOf, Switch, size_of
from rulelang.native.emitter import Emitter
from rulelang.native.shapes import VECTOR, SetShape, scalar, set_shape
from rulelang.native.storage import Store
from rulelang.native.text import Fn


def setter(x: Emitter, var: int) -> str:
    """The C function that sets an entry of a variable of single values and keeps its sets in step."""
    x.set_vars.add(var)
    return f"set_{x.stores[var].name}"


def written_setter(store: Store) -> str:
    """The text of that function, when it is known which sets there are."""
    name, shape, lines = f"set_{store.name}", store.shape, []
    if not store.boards:
        lines = [f"s->{store.name}[i] = ({store.ctype}){store.save('v')};"]
        for bound in sorted(store.bounds):
            over, one = f"s->{store.over(bound)}", SetShape(store.field.length)
            lines.append(f"{over} = ({over} & ~{one.bit('i')}) | ({one.ctype})(v > {bound}) << i;")
    elif isinstance(store.kind, Switch):
        on = f"s->{store.name}_on"
        if shape.words == VECTOR:
            lines = [f"const {shape.ctype} b = {shape.bit('i')};", f"{on} = v ? {on} | b : {on} & ~b;"]
        elif shape.small:
            lines = [f"{on} = ({on} & ~{shape.bit('i')}) | ({shape.ctype})(v != 0) << i;"]
        else:
            lines = [f"if (v) {on}.w[i >> 6] |= 1ull << (i & 63); else {on}.w[i >> 6] &= ~(1ull << (i & 63));"]
    else:
        base = f"s->{store.name}"
        lines = [f"const int o = {base}[i], n = (int){store.save('v')};", f"{base}[i] = ({store.ctype})n;"]
        if shape.small or shape.words == VECTOR:
            lines.append(f"const {shape.ctype} b = {shape.bit('i')};")
        if isinstance(store.inner, Record):
            old = " ".join(_change(shape, f"{base}_{p}[o / {d} % {n}]", False) for p, d, n in store.parts)
            new = " ".join(_change(shape, f"{base}_{p}[n / {d} % {n}]", True) for p, d, n in store.parts)
            if store.maybe:
                gone = _change(shape, base + "_none", False) if store.none_board else ""
                come = _change(shape, base + "_none", True) if store.none_board else ""
                lines.append(f"if (o == {store.none}) {{ {gone} }} else {{ {old} }}")
                lines.append(f"if (n == {store.none}) {{ {come} }} else {{ {new} }}")
            else:
                lines += [old, new]
        else:
            low = store.low
            lines.append(_change(shape, f"{base}_is[o - ({low})]", False))
            lines.append(_change(shape, f"{base}_is[n - ({low})]", True))
    return f"INL void {name}(State *s, int i, num v) {{ {' '.join(lines)} }}"


def _change(shape: SetShape, board: str, on: bool) -> str:
    if shape.small or shape.words == VECTOR:
        return f"{board} {'|= b' if on else '&= ~b'};"
    return f"{board}.w[i >> 6] {'|= ' if on else '&= ~'}(1ull << (i & 63));"


def put(x: Emitter, fn: Fn, target: Target, value: str, tested: bool, at: str | None = None) -> None:
    """Set a target (its flat place: `at`) to a value in C; a fault if the variable cannot hold it."""
    store = x.stores[target.var]
    kind = store.kind
    if scalar(kind):
        value = fn.atom("num", value)
        at = x.entry(fn, target.var, target.index) if at is None else at
        if tested:
            test(x, fn, target, value)
        fn.line(f"{setter(x, target.var)}({fn.state}, {at}, {value});")
    else:
        value = fn.atom(x.ctype(kind), value)
        at = x.entry(fn, target.var, target.index) if at is None else at
        if tested or isinstance(kind, DeckOf):
            test(x, fn, target, value)
        fn.line(f"{fn.state}->{store.name}[{at}] = {value};")
        if store.filled:
            fn.line(store.refill(fn.state, at, x.bag_type(kind)))
    fn.forget({target.var})


def test(x: Emitter, fn: Fn, target: Target, value: str) -> None:
    """A fault if a value is not of the variable's type."""
    at = x.machine.fields[target.var]
    kind = at.type
    number = x.fault(target.place, "out-of-range", "holds", (at.name, kind))
    inner = kind.of if isinstance(kind, Maybe) else kind
    if isinstance(kind, BagOf):
        bag = x.bag_type(kind)
        fn.line(f"if (unlikely({bag}_count({value}) > {kind.most} || {bag}_negative({value}))) "
                f"fail(g, {number}, {bag}_count({value}));")
    elif isinstance(kind, SetOf):
        shape = set_shape(kind)
        fn.line(f"if (unlikely({shape.some(shape.without(value, shape.const(shape.every)))})) fail(g, {number}, 0);")
    elif isinstance(kind, DeckOf):
        fn.line(f"if (unlikely({value}.n > {kind.most})) fail(g, {number}, {value}.n);")
    elif isinstance(inner, (Number, Switch, Record)) or inner is not None:
        low = inner.low if isinstance(inner, Number) else 0
        high = low + size_of(inner) - 1
        none = f"{value} != NONE && " if isinstance(kind, Maybe) else ""
        fn.line(f"if (unlikely({none}({value} < {low} || {value} > {high}))) fail(g, {number}, {value});")
