"""Writers for how variables begin. What begins with fixed values is part of a template that a new game copies."""

from __future__ import annotations

from typing import Any

from rulelang.model.ir import Target
from rulelang.model.types import BagOf, DeckOf, Record, SetOf, Switch, value_at
from rulelang.native.emitter import Emitter
from rulelang.native.setting import setter, test
from rulelang.native.shapes import SetShape, index_text, plain_number, scalar, set_shape
from rulelang.native.solving import SolverWriter
from rulelang.native.storage import Store
from rulelang.native.text import Fn, place_comment


def template(x: Emitter) -> list[str]:
    """The lines that make the state in which every game begins: fixed starts, and the first value everywhere else."""
    lines = []
    for number, variable in enumerate(x.game.variables):
        store = x.stores[number]
        if variable.start.kind == "value":
            values: list[Any] = list(variable.start.values)
        elif scalar(store.kind):
            values = [value_at(store.kind, 0)] * store.field.length
        else:
            continue
        lines += [f"  {line}" for line in _filled(x, store, values)]
    return lines


def _filled(x: Emitter, store: Store, values: list[Any]) -> list[str]:
    kind, held = store.kind, f"s->{store.name}"
    if isinstance(kind, SetOf):
        shape = set_shape(kind)
        return [f"{held}[{i}] = {shape.const(int(v))};" for i, v in enumerate(values) if v]
    if isinstance(kind, BagOf):
        some = [f"{held}_some = {store.shape.const(sum(1 << i for i, bag in enumerate(values) if any(bag)))};"]
        return [*(some if store.filled else []),
                *(f"{held}[{i}].c[{j}] = {n};" for i, bag in enumerate(values) for j, n in enumerate(bag) if n)]
    if isinstance(kind, DeckOf):
        lines = []
        for i, deck in enumerate(values):
            lines += [f"{held}[{i}].v[{j}] = {plain_number(v)};" for j, v in enumerate(deck)]
            lines.append(f"{held}[{i}].n = {len(deck)};")
        return lines
    lines = []
    if store.array:
        stored = [store.none if v is None else int(v) for v in values]
        if len(set(stored)) == 1 and store.ctype in ("u8", "int8_t"):
            lines.append(f"memset({held}, {stored[0]}, sizeof {held});")
        elif any(stored):
            text = ", ".join(map(str, stored))
            lines.append(f"{{ static const {store.ctype} at_start[] = {{{text}}}; memcpy({held}, at_start, sizeof {held}); }}")
    for bound in sorted(store.bounds):
        over = SetShape(store.field.length).const(sum(1 << i for i, v in enumerate(values) if v > bound))
        lines.append(f"s->{store.over(bound)} = {over};")
    if store.boards:
        lines += _boards(store, held, values)
    return lines


def _boards(store: Store, held: str, values: list[Any]) -> list[str]:
    def where(test: Any) -> str:
        return store.shape.const(sum(1 << i for i, v in enumerate(values) if test(v)))

    if isinstance(store.kind, Switch):
        return [f"{held}_on = {where(bool)};"]
    if isinstance(store.inner, Record):
        lines = []
        for suffix, divisor, size in store.parts:
            for n in range(size):
                lines.append(f"{held}_{suffix}[{n}] = "
                             f"{where(lambda v, n=n, d=divisor, m=size: v is not None and v // d % m == n)};")
        if store.maybe and store.none_board:
            lines.append(f"{held}_none = {where(lambda v: v is None)};")
        return lines
    lines = [f"{held}_is[{i}] = {where(lambda v, i=i: v == i + store.low)};" for i in range(store.values)]
    if store.maybe:
        lines.append(f"{held}_is[{store.values}] = {where(lambda v: v is None)};")
    return lines


class StartWriter:
    """Writes the C function that sets one variable to a start that is computed."""

    def __init__(self, x: Emitter, var: int) -> None:
        self.x = x
        self.var = var

    def write(self) -> None:
        """The function, if the start is not a fixed one."""
        x, variable = self.x, self.x.game.variables[self.var]
        if variable.start.kind == "value":
            return
        if variable.start.kind == "random_with":
            SolverWriter(x, self.var).write()
            return
        assert variable.start.expr is not None
        fn = Fn()
        store = x.stores[self.var]
        for slot, kind, size in zip(variable.slots, store.field.index_types, store.field.sizes, strict=True):
            i = fn.name("i")
            fn.open(f"for (int {i} = 0; {i} < {size}; {i}++)")
            from rulelang.native.shapes import value_text

            fn.bind(slot, fn.keep("num", value_text(kind, i), "x"))
        value = x.value(fn, variable.start.expr)
        at = " + ".join(f"{index_text(kind, fn.env[slot])} * {stride}" for slot, kind, stride in
                        zip(variable.slots, store.field.index_types, store.field.strides, strict=True)) or "0"
        target = Target(self.var, (), variable.place)
        if scalar(store.kind):
            value = fn.atom("num", value)
            test(x, fn, target, value)
            fn.line(f"{setter(x, self.var)}(s, {at}, {value});")
        else:
            value = fn.atom(x.ctype(store.kind), value)
            if not isinstance(store.kind, DeckOf):
                test(x, fn, target, value)
            fn.line(f"s->{store.name}[{at}] = {value};")
            if store.filled:
                fn.line(store.refill("s", at, x.bag_type(store.kind)))
        for _ in variable.slots:
            fn.close()
        x.functions.append("\n".join([
            place_comment(variable.place, "state " + variable.name),
            f"static void start_{self.var}(Game *g UNUSED, State *s, num me UNUSED) {{", *fn.lines, "}\n"]))
