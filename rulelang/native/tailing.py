"""How a tail is written (see `tails`): a C function that lists its ways for one value of the pivot, groups that hold a set of
pivots and how many ways each class has, and the k-th move of such a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.model.game import Clause
from rulelang.model.types import SetOf
from rulelang.native.shapes import set_shape, value_text
from rulelang.native.tails import Tail
from rulelang.native.text import Fn

if TYPE_CHECKING:
    from rulelang.native.emitter import Emitter
    from rulelang.native.plans import Plan


class Tailing:
    """The part of an action's writer that is about its tail. What it uses of the rest is declared first."""

    x: Emitter
    plan: Plan
    only_any: bool
    tested: bool
    several: tuple[str, str, str] | None
    in_tail = False

    if TYPE_CHECKING:
        def _clause(self, fn: Fn, i: int) -> None: ...
        def _legal(self, fn: Fn, clause: Clause, i: int, end: int, ensures: list[Clause], only_any: bool) -> str: ...
        def _store(self, fn: Fn, choices: list[Clause]) -> None: ...

    def _pivot_kind(self) -> SetOf | None:
        """The type of the set that the pivot is chosen from, if there is one and it is a single choice."""
        made = self.plan
        if made.tail is None or made.parted is not None:
            return None
        domain = made.clauses[made.tail.pivot].domain
        assert domain is not None and isinstance(domain.type, SetOf)
        return domain.type

    def _tail_fields(self, tail: Tail) -> list[str]:
        return [self.plan.fields[self.plan.choices.index(c)] for c in tail.choices]

    def _tail(self, tail: Tail) -> None:
        """The function that lists the ways to choose the tail, into `way` if that is not null; how many there are."""
        x, made, kind = self.x, self.plan, self._pivot_kind()
        x.types[f"tail_{made.name}"] = self._declared(tail, kind)
        fn = Fn()
        fn.hidden = frozenset(c.slot for c in made.action.clauses)
        if kind is not None:
            fn.bind(made.clauses[tail.pivot].slot, "pivot")
        self.only_any, self.tested, self.in_tail = False, True, True
        self._clause(fn, tail.begin)
        self.in_tail = False
        x.functions.append("\n".join([
            f"static int tail_{made.name}(Game *g UNUSED, const State *s UNUSED, num me UNUSED, num pivot UNUSED, "
            f"Way_{made.name} *way) {{", "  int n = 0;", *fn.lines, "  return n;", "}\n"]))

    def _declared(self, tail: Tail, kind: SetOf | None) -> str:
        """The C type of one way, and the classes of the pivot's values as tables."""
        name = self.plan.name
        lines = [f"typedef struct {{ {' '.join(f'num {f};' for f in self._tail_fields(tail))} }} Way_{name};"]
        if kind is not None:
            shape, sets = set_shape(kind), [0] * tail.count
            for value, number in enumerate(tail.classes):
                sets[number] |= 1 << value
            firsts = ", ".join(value_text(kind.of, str(tail.classes.index(n))) for n in range(tail.count))
            lines += [
                f"static const u8 class_{name}[{shape.size}] UNUSED = {{{', '.join(map(str, tail.classes))}}};",
                f"static const {self.x.set_type(shape)} of_class_{name}[{tail.count}] = {{{', '.join(map(shape.initial, sets))}}};",
                f"static const num first_{name}[{tail.count}] = {{{firsts}}};"]
        return "\n".join(lines)

    def _way(self, fn: Fn, tail: Tail) -> None:
        """All clauses of a tail hold: one way."""
        takes = " ".join(f"way[n].{f} = {fn.env[c.slot]};" for f, c in zip(self._tail_fields(tail), tail.choices, strict=True))
        fn.line(f"if (way) {{ {takes} }}")
        fn.line("n++;")

    def _pivot(self, fn: Fn, clause: Clause, i: int, tail: Tail) -> None:
        """The choice before a tail: the set of its legal values, and the ways of each class that turns up, eight bits a
        class in `ways`; `known` tells of which classes they are known."""
        made, kind = self.plan, self._pivot_kind()
        assert kind is not None
        shape, name = set_shape(kind), made.name
        held = self._legal(fn, clause, i, tail.begin, [], False)
        fn.open(f"if ({shape.some(held)})")
        fn.line("int many = 0;")
        fn.open(f"for (int i = 0; i < {tail.count}; i++)")
        fn.line(f"const {shape.ctype} part = {shape.both(held, f'of_class_{name}[i]')};")
        fn.line(f"if (!{shape.some('part')}) continue;")
        fn.line(f"if (!(known >> i & 1)) {{ known |= 1u << i; ways |= (u64)tail_{name}(g, s, me, first_{name}[i], 0) << 8 * i; }}")
        fn.line(f"many += (int)(ways >> 8 * i & 255) * {shape.count('part')};")
        fn.close()
        if self.only_any:
            fn.line("if (many) return 1;")
        else:
            fn.open("if (many)")
            fn.line("Group *q = new_group(g);")
            fn.line(f"q->move.action = {made.number}; q->count = many; q->ways = ways; q->last.{name} = {held};")
            self._store(fn, [c for c in made.choices if c is not clause and c not in tail.choices])
            fn.close()
        fn.close()

    def _times_tail(self, fn: Fn, tail: Tail) -> None:
        """The parts of a choice of several, times the ways to choose the tail."""
        made = self.plan
        assert self.several is not None
        many, low, high = self.several
        ways = fn.keep("int", f"tail_{made.name}(g, s, me, 0, 0)", "n")
        if self.only_any:
            fn.line(f"if ({ways}) return 1;")
            return
        fn.open(f"if ({ways})")
        fn.line("Group *q = new_group(g);")
        fn.line(f"q->move.action = {made.number}; q->count = {many} * {ways}; q->low = (int){low}; q->high = (int){high};")
        self._store(fn, [c for c in made.choices if c not in tail.choices])
        fn.close()

    def _pick_way(self, tail: Tail, parts: str) -> str:
        """The C statement that takes the k-th move of a group; `parts` takes the k-th part of a choice of several."""
        made, kind = self.plan, self._pivot_kind()
        name, ways = made.name, f"Way_{made.name} way[{tail.most}];"

        def taken(k: str) -> str:
            return " ".join(f"m->of.{name}.{f} = way[{k}].{f};" for f in self._tail_fields(tail))

        if kind is None:
            return f"{{ {ways} const int n = tail_{name}(g, s, me, 0, way), rest = k % n; k /= n; {parts} {taken('rest')} }}"
        shape, field = set_shape(kind), made.fields[made.choices.index(made.clauses[tail.pivot])]
        return (f"{{ {shape.ctype} left = q->last.{name}; int i; for (;;) {{ i = {shape.low('left')}; "
                f"const int n = (int)(q->ways >> 8 * class_{name}[i] & 255); if (k < n) break; k -= n; "
                f"left = {shape.without('left', shape.bit('i'))}; }} const num pivot = {value_text(kind.of, '(num)i')}; "
                f"{ways} tail_{name}(g, s, me, pivot, way); m->of.{name}.{field} = pivot; {taken('k')} }}")


__all__ = ["Tailing"]
