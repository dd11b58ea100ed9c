"""Which choices of an action are legal: count, then pick.

The legal choices are found as groups: all choices but the last as values, and the last, where it comes out of a set,
as the set of its legal values. A playout needs how many there are and the k-th of them, which is a popcount and the
k-th bit of one group; nothing is listed. A `require` is asked as soon as what it reads is chosen; one that speaks of
the last choice is algebra on its set where it can be (see `masks`). An `ensure` is asked of a copy of the state.
"""

from __future__ import annotations

from rulelang.model.types import BagOf, DeckOf, Line, ListOf, SetOf, Type
from rulelang.native.effects import block_function
from rulelang.native.emitter import Emitter
from rulelang.native.lengths import cap
from rulelang.native.pairs import Pairs
from rulelang.native.plans import CHOOSE, Plan, plan
from rulelang.native.related import pairs_of
from rulelang.native.rows import Rows
from rulelang.native.sequences import each, each_bit
from rulelang.native.shapes import index_text, set_shape, value_text
from rulelang.native.text import Fn, place_comment
from rulelang.native.walking import Walking


class ActionWriter(Walking):
    """Writes the C functions of one action."""

    def __init__(self, x: Emitter, made: Plan) -> None:
        self.x = x
        self.plan = made
        self.flat: tuple[str, str] | None = None
        self.several: tuple[str, str, str] | None = None
        self.in_rest = self.rests = False
        self._pairs: list[Pairs | Rows | None] = []

    @property
    def pairs(self) -> Pairs | Rows | None:
        """The pair that the action chooses, if its sets can be written."""
        if not self._pairs:
            self._pairs.append(pairs_of(self.x, self.plan.clauses, self.plan.ensures))
        return self._pairs[0]

    def declare(self) -> str:
        """The struct of the action's choices."""
        members = [f"{t} {n};" for t, n in zip(self.plan.ctypes, self.plan.fields, strict=True)]
        return f"struct {{ {' '.join(members) or 'char nothing;'} }} {self.plan.name};"

    def declare_group(self) -> str:
        """The set of the last choice's legal values, in a group."""
        if not self.plan.masked and self._pivot_kind() is None:
            return ""
        domain = (self.plan.choices[-1] if self.plan.tail is None else self.plan.clauses[self.plan.tail.pivot]).domain
        assert domain is not None
        return f"{self.x.ctype(domain.type)} {self.plan.name};"

    def write(self) -> None:
        """All functions of the action."""
        if not self.plan.chancy:
            self._do()
        if self.plan.tail is not None:
            self._tail(self.plan.tail)
        self._list("list", False, True)
        self._list("any", True, True)
        if self.plan.drawn:
            self._list("candidates", False, False)
            self._try()

    # Effects

    def _do(self) -> None:
        x, made = self.x, self.plan
        heads, env = [], {}
        for clause, name, ctype in zip(made.choices, made.fields, made.ctypes, strict=True):
            heads.append(f"{ctype} {name} UNUSED")
            env[clause.slot] = name
        for i, clause in enumerate(c for c in made.action.clauses if c.kind == "let"):
            assert clause.value is not None
            name = f"let{i}"
            ctype = x.ctype_of(clause.value)
            if isinstance(clause.value.type, (Line, ListOf, DeckOf)):
                x.caps[clause.slot] = cap(x, clause.value)
            heads.append(f"{ctype} {name} UNUSED")
            env[clause.slot] = name
        does = [c.effects for c in made.action.clauses if c.kind == "do"]
        x.functions.append(place_comment(made.action.place, "action " + made.action.name))
        block_function(x, f"do_{made.name}", does[0] if does else (), heads, env)

    # Legal choices

    def _list(self, name: str, only_any: bool, tested: bool) -> None:
        x, made = self.x, self.plan
        fn = Fn()
        fn.hidden = frozenset(c.slot for c in made.action.clauses)
        self.only_any, self.tested = only_any, tested
        if self.pairs is not None:
            self._list_pairs(fn, self.pairs)
        else:
            if self._pivot_kind() is not None:
                fn.line("u32 known = 0;")
                fn.line("u64 ways = 0;")
            self._clause(fn, 0)
        ctype = "int" if only_any else "void"
        tail = ["  return 0;"] if only_any else []
        x.functions.append("\n".join([f"static {ctype} {name}_{made.name}(Game *g UNUSED, const State *restrict s UNUSED, "
                                      "num me UNUSED) {", *fn.lines, *tail, "}\n"]))

    def _list_pairs(self, fn: Fn, pairs: Pairs | Rows) -> None:
        """The legal pairs, as a group for each first."""
        pairs.declare(self.x, fn, "legal")
        pairs.write(self.x, fn, "legal")
        with each_bit(fn, pairs.shape, pairs.firsts("legal")) as first:
            fn.bind(pairs.first.slot, first)
            self._group(fn, pairs.seconds(self.x, fn, "legal", first))

    def write_flat(self, fn: Fn, held: str, count: str, tested: bool) -> None:
        """Write the legal values of the only choice into a set, and how many there are; without a choice, whether the
        action is legal."""
        fn.hidden = frozenset(c.slot for c in self.plan.action.clauses)
        self.only_any, self.tested, self.flat = False, tested, (held, count)
        self._clause(fn, 0)
        self.flat = None

    def bind_lets(self, fn: Fn) -> None:
        """Bind what follows from the choices, which are bound."""
        for clause in self.plan.action.clauses:
            if clause.kind == "let":
                assert clause.value is not None
                value = self.x.value(fn, clause.value)
                fn.bind(clause.slot, fn.keep(self.x.ctype_of(clause.value), value, "x"))

    def keep_lets(self, fn: Fn) -> None:
        """The same, kept in the state for effects with chance in them."""
        self.bind_lets(fn)
        for clause in self.plan.action.clauses:
            if clause.slot in self.x.persistent and clause.kind == "let":
                fn.line(f"s->{self.x.persistent[clause.slot]} = {fn.env[clause.slot]};")

    def _try(self) -> None:
        """Make a candidate; if an `ensure` refuses it, all is as before."""
        x, made = self.x, self.plan
        fn = Fn()
        self._bound(fn, "m->of")
        fn.line("const State before = *s;")
        fn.line("const i64 work = g->work;")
        fn.line("g->work = 0;")
        fn.line(f"*exit = do_{made.name}(g, s, me{self.arguments(fn)});")
        fn.line("const State *const made UNUSED = s;")
        self._ask(fn, made.ensures, "made")
        fn.line("return 1;")
        for _ in made.ensures:
            fn.close()
        fn.line("*s = before;")
        fn.line("g->work = work;")
        x.functions.append("\n".join([f"static int try_{made.name}(Game *g, State *s, num me UNUSED, const Move *m UNUSED, int *exit) {{",
                                      *fn.lines, "  return 0;", "}\n"]))

    def _bound(self, fn: Fn, held: str) -> None:
        """Bind a move's choices, and the lets that follow from them."""
        names = dict(zip((c.slot for c in self.plan.choices), self.plan.fields, strict=True))
        for clause in self.plan.action.clauses:
            if clause.kind in CHOOSE:
                fn.bind(clause.slot, f"{held}.{self.plan.name}.{names[clause.slot]}")
            elif clause.kind == "let":
                assert clause.value is not None
                value = self.x.value(fn, clause.value)
                fn.bind(clause.slot, fn.keep(self.x.ctype_of(clause.value), value, "x"))

    def begin(self) -> list[str]:
        """The C lines that make a move: bind it and run its effects, or stand before them if chance is in them."""
        x, made = self.x, self.plan
        fn = Fn()
        fn.depth = 3
        self._bound(fn, "m->of")
        if made.chancy:
            for clause in made.action.clauses:
                if clause.slot in x.persistent and clause.kind in (*CHOOSE, "let"):
                    fn.line(f"s->{x.persistent[clause.slot]} = {fn.env[clause.slot]};")
            fn.line("return 0;")
        else:
            fn.line(f"return do_{made.name}(g, s, me{self.arguments(fn)});")
        return fn.lines

    def _pick_part(self) -> str:
        """The C statement that takes the k-th part of what a choice of several is made from."""
        made = self.plan
        if made.parted is None or made.parted.domain is None:
            return ""
        name = made.fields[next(i for i, c in enumerate(made.choices) if c is made.parted)]
        held, kind = f"m->of.{made.name}.{name}", made.parted.domain.type
        if isinstance(kind, BagOf):
            return f"{held} = {self.x.bag_type(kind)}_part({held}, q->low, q->high, k);"
        shape = set_shape(kind)
        return (f"{{ int at[{shape.size + 1}], of[{shape.size + 1}], n = 0; const {shape.ctype} all = {held}; "
                f"for (int i = 0; i < {shape.size}; i++) if ({shape.test('all', 'i')}) of[n++] = i; "
                f"const int size = combination_kth(at, n, q->low, k); {shape.ctype} part = {shape.zero}; "
                f"for (int i = 0; i < size; i++) part = {shape.union('part', shape.bit('of[at[i]]'))}; {held} = part; }}")

    def pick(self) -> str:
        """The C statement that takes the k-th value of a group's last choice."""
        made = self.plan
        parts = self._pick_part()
        if made.tail is not None:
            return self._pick_way(made.tail, parts)
        if not made.masked:
            return parts
        clause = made.choices[-1]
        assert clause.domain is not None and isinstance(clause.domain.type, SetOf)
        shape = set_shape(clause.domain.type)
        if parts:
            many = shape.count(f"q->last.{made.name}")
            nth = shape.nth(f"q->last.{made.name}", f"rest % {many}")
            return (f"{{ const int rest = k; k /= {many}; {parts} m->of.{made.name}.{made.fields[-1]} = "
                    f"{value_text(clause.domain.type.of, '(num)' + nth)}; }}")
        nth = shape.nth(f"q->last.{made.name}", "k")
        return f"m->of.{made.name}.{made.fields[-1]} = {value_text(clause.domain.type.of, '(num)' + nth)};"


__all__ = ["ActionWriter", "Plan", "Type", "each", "index_text", "plan"]
