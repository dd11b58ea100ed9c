"""Writers for chance: for each node what can come, the draw by its stream, and what a drawn value does."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.machine.nodes import Node
from rulelang.model.ir import E, Target
from rulelang.model.types import BagOf, DeckOf, Maybe, SetOf, Type, size_of
from rulelang.native.emitter import Emitter, element_of
from rulelang.native.lengths import cap
from rulelang.native.material import spill
from rulelang.native.setting import setter
from rulelang.native.shapes import Declined, bag_size, index_text, scalar, set_shape, value_text
from rulelang.native.text import Fn, place_comment

HEAD = "Game *g UNUSED, State *s UNUSED, num me UNUSED"


class ChanceWriter:
    """Writes the C functions of one chance node: `outcomes_N` fills values and weights, `apply_N` makes one come."""

    def __init__(self, x: Emitter, number: int, node: Node) -> None:
        self.x = x
        self.number = number
        self.node = node
        s = node.statement
        if node.kind == "start":
            name = f"state.{x.machine.fields[node.var].name}"
        else:
            assert s is not None
            name = s.stream
        self.stream = x.machine.streams.index(name)
        self.deck = False
        self.most = 1

    def write(self) -> None:
        """The functions, and `draw_N`, which draws by the stream."""
        if self.node.kind in ("draw", "deal"):
            self._draw()
        elif self.node.kind == "shuffle":
            self._shuffle()
        else:
            self._roll()

    def _emit(self, name: str, fn: Fn, head: str, result: str = "void") -> None:
        self.x.functions.append("\n".join([f"static {result} {name}_{self.number}({HEAD}{head}) {{", *fn.lines, "}\n"]))

    # Draws and deals

    def _source(self, fn: Fn) -> tuple[str, Type]:
        x, s = self.x, self.node.statement
        assert s is not None
        if s.source is not None:
            store = x.stores[s.source.var]
            return f"s->{store.name}[{x.entry(fn, s.source.var, s.source.index)}]", store.kind
        e = s.args[0]
        return x.value(fn, e), e.type

    def _draw(self) -> None:
        x, s = self.x, self.node.statement
        assert s is not None and s.target is not None
        fn = Fn()
        fn.line(place_comment(s.place, s.op))
        held, kind = self._source(fn)
        self.deck = isinstance(kind, DeckOf)
        count, pick = self._pick(fn, held, kind)
        none_kind = isinstance(x.machine.fields[s.target.var].type, Maybe)
        fn.line(f"const int n = {count};")
        if self.node.kind == "deal":
            fn.line("if (n == 0) return 0;")
        else:
            number = x.fault(s.place, "nothing-to-draw", "draw", x.machine.fields[s.target.var].name)
            none = f"apply_{self.number}(g, s, me, NONE); return 0;" if none_kind else f"fail(g, {number}, 0);"
            fn.line(f"if (n == 0) {{ {none} }}")
        if self.deck:
            fn.line(f"apply_{self.number}(g, s, me, {held}.v[0]);")
        else:
            fn.line(f"if (unlikely(g->ask | g->probe)) {{ s->node = {self.number}; return 1; }}")
            fn.line(f"int k = (int)below(g, s, {self.stream}, (u64)n);")
            pick(f"apply_{self.number}(g, s, me, %s);")
        fn.line("return 0;")
        self._apply()
        self._emit("draw", fn, "", "int")
        self._outcomes()
        if self.node.kind == "deal":
            test = Fn()
            held, kind = self._source(test)
            count, _ = self._pick(test, held, kind)
            test.line(f"return {count} > 0;")
            self._emit("more", test, "", "int")

    def _pick(self, fn: Fn, held: str, kind: Type) -> tuple[str, Callable[[str], None]]:
        """How many can be drawn, and what writes the choice of the k-th."""
        x = self.x
        if isinstance(kind, BagOf):
            bag = x.bag_type(kind)

            def from_bag(use: str) -> None:
                fn.line(f"const int i = {bag}_kind({held}, k);")
                fn.line(use % value_text(kind.of, "i"))

            return f"{bag}_count({held})", from_bag
        if isinstance(kind, SetOf):
            shape = set_shape(kind)

            def from_set(use: str) -> None:
                fn.line(f"const num i = {shape.nth(held, 'k')};")
                fn.line(use % value_text(kind.of, "i"))

            return shape.count(held), from_set

        def from_list(use: str) -> None:
            fn.line(use % f"{held}.v[k]")

        return f"{held}.n", from_list

    def _apply(self) -> None:
        x, s = self.x, self.node.statement
        assert s is not None and s.target is not None
        fn = Fn()
        kind = x.machine.fields[s.target.var].type
        if isinstance(kind, Maybe):
            with fn.block("if (v == NONE)"):
                at = fn.atom("int", x.entry(fn, s.target.var, s.target.index))
                self._spill(fn, s.target, at)
                fn.line(f"{setter(x, s.target.var)}(s, {at}, NONE);")
                fn.line("return;")
        if s.source is not None:
            self._without(fn, s.source)
        self._put(fn, s.target)
        self._emit("apply", fn, ", num v UNUSED")

    def _spill(self, fn: Fn, target: Target, at: str) -> None:
        lost = spill(self.x, target.var, at, "s")
        if lost:
            fn.line(lost)

    def _without(self, fn: Fn, source: Target) -> None:
        x = self.x
        store = x.stores[source.var]
        kind, at = store.kind, fn.atom("int", x.entry(fn, source.var, source.index))
        held = f"s->{store.name}[{at}]"
        if isinstance(kind, SetOf):
            shape = set_shape(kind)
            fn.line(f"{held} = {shape.without(held, shape.bit(index_text(kind.of, 'v')))};")
        elif isinstance(kind, BagOf):
            fn.line(f"{held} = {x.bag_type(kind)}_drop({held}, {index_text(kind.of, 'v')}, 1);")
            if store.filled:
                fn.line(store.refill("s", at, x.bag_type(kind)))
        elif isinstance(kind, DeckOf):
            fn.line(f"{held}.n--;")
            fn.line(f"for (int i = 0; i < {held}.n; i++) {held}.v[i] = {held}.v[i + 1];")
        else:
            raise Declined("something is drawn from what is no collection")

    def _put(self, fn: Fn, target: Target) -> None:
        x = self.x
        store = x.stores[target.var]
        kind, at = store.kind, fn.atom("int", x.entry(fn, target.var, target.index))
        if scalar(kind):
            number = x.fault(target.place, "out-of-range", "holds", (store.field.name, kind))
            inner = store.inner
            low = store.low
            self._spill(fn, target, at)
            fn.line(f"if (unlikely(v < {low} || v > {low + size_of(inner) - 1})) fail(g, {number}, v);")
            fn.line(f"{setter(x, target.var)}(s, {at}, v);")
            return
        held = f"s->{store.name}[{at}]"
        if isinstance(kind, SetOf):
            shape = set_shape(kind)
            fn.line(f"{held} = {shape.union(held, shape.bit(index_text(kind.of, 'v')))};")
        elif isinstance(kind, BagOf):
            number = x.fault(target.place, "out-of-range", "holds", (store.field.name, kind))
            fn.line(f"{held} = {x.bag_type(kind)}_add({held}, {index_text(kind.of, 'v')}, 1);")
            if store.filled:
                fn.line(store.refill("s", at, x.bag_type(kind)))
            fn.line(f"if (unlikely({x.bag_type(kind)}_count({held}) > {kind.most})) fail(g, {number}, {kind.most} + 1);")
        else:
            assert isinstance(kind, DeckOf)
            number = x.fault(target.place, "out-of-range", "holds", (store.field.name, kind))
            fn.line(f"if (unlikely({held}.n >= {kind.most})) fail(g, {number}, {held}.n + 1);")
            fn.line(f"{held}.v[{held}.n++] = v;")

    def _outcomes(self) -> None:
        x = self.x
        fn = Fn()
        held, kind = self._source(fn)
        fn.line("int n = 0;")
        if isinstance(kind, BagOf):
            self.most = bag_size(kind)
            fn.line(f"for (int i = 0; i < {self.most}; i++) "
                    f"if ({held}.c[i]) {{ w[n] = {held}.c[i]; v[n++] = {value_text(kind.of, 'i')}; }}")
        elif isinstance(kind, SetOf):
            shape = set_shape(kind)
            self.most = shape.size
            fn.line(f"for (int i = 0; i < {shape.size}; i++) "
                    f"if ({shape.test(held, 'i')}) {{ w[n] = 1; v[n++] = {value_text(kind.of, 'i')}; }}")
        elif isinstance(kind, DeckOf):
            fn.line(f"if ({held}.n) {{ w[0] = 1; v[n++] = {held}.v[0]; }}")
        else:
            s = self.node.statement
            assert s is not None and isinstance(s.args[0], E)
            self.most = cap(x, s.args[0])
            if not scalar(element_of(kind)):
                raise Declined("a set is drawn from a list")
            fn.line(f"for (int i = 0; i < {held}.n; i++) {{ w[n] = 1; v[n++] = {held}.v[i]; }}")
        fn.line("return n;")
        self._emit("outcomes", fn, ", num *v UNUSED, num *w UNUSED", "int")

    # Rolls and starts at random

    def _roll(self) -> None:
        x, node = self.x, self.node
        if node.kind == "start":
            at = x.machine.fields[node.var]
            where, kind = f"(int)s->{x.persistent[node.slot]}", at.type
            var = node.var
            fn = Fn()
        else:
            s = node.statement
            assert s is not None and s.target is not None
            var = s.target.var
            kind = x.machine.fields[var].type
            fn = Fn()
            where = f"(int)s->{x.persistent[node.slot]}" if s.target.whole else x.entry(fn, var, s.target.index)
        size = self.most = x.stores[var].values                 # none never comes
        kind = x.stores[var].inner
        fn.line(f"{setter(x, var)}(s, {where}, v);")
        self._emit("apply", fn, ", num v UNUSED")
        draw = Fn()
        draw.line(f"if (unlikely(g->ask | g->probe)) {{ s->node = {self.number}; return 1; }}")
        draw.line(f"const num i = (num)below(g, s, {self.stream}, {size});")
        draw.line(f"apply_{self.number}(g, s, me, {value_text(kind, 'i')});")
        draw.line("return 0;")
        self._emit("draw", draw, "", "int")
        out = Fn()
        out.line(f"for (int i = 0; i < {size}; i++) {{ w[i] = 1; v[i] = {value_text(kind, 'i')}; }}")
        out.line(f"return {size};")
        self._emit("outcomes", out, ", num *v UNUSED, num *w UNUSED", "int")

    # Shuffles

    def _shuffle(self) -> None:
        x, s = self.x, self.node.statement
        assert s is not None and s.target is not None
        store = x.stores[s.target.var]
        kind = store.kind
        if not isinstance(kind, DeckOf):
            raise Declined("only a deck can be shuffled")
        self.most = max(1, kind.most)
        place = f"s->{x.persistent[self.node.slot]}"
        fn = Fn()
        held = f"s->{store.name}[{fn.atom('int', x.entry(fn, s.target.var, s.target.index))}]"
        fn.line(f"const int k = {held}.n - 1 - (int){place};")
        fn.line(f"const num t = {held}.v[k]; {held}.v[k] = {held}.v[v]; {held}.v[v] = t;")
        self._emit("apply", fn, ", num v UNUSED")
        for name, head, result in (("outcomes", ", num *v UNUSED, num *w UNUSED", "int"), ("draw", "", "int")):
            fn = Fn()
            held = f"s->{store.name}[{fn.atom('int', x.entry(fn, s.target.var, s.target.index))}]"
            fn.line(f"const int n = {held}.n - (int){place};")
            if name == "outcomes":
                fn.line("for (int i = 0; i < n; i++) { w[i] = 1; v[i] = i; }")
                fn.line("return n > 1 ? n : 0;")
            else:
                fn.line("if (n <= 1) return 2;")
                fn.line(f"if (unlikely(g->ask | g->probe)) {{ s->node = {self.number}; return 1; }}")
                fn.line(f"apply_{self.number}(g, s, me, (num)below(g, s, {self.stream}, (u64)n));")
                fn.line(f"{place}++;")
                fn.line("return 0;")
            self._emit(name, fn, head, result)
