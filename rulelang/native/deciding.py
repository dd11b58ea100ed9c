"""Random decisions in place: a whole playout is one C function, with no call and no list between decisions.

Where the game waits for a decision, the code of a playout counts the legal choices, draws one, makes it and jumps on to
what follows. Actions whose choice is one value out of a set are *flat*: their legal values are a set in a register, and
the k-th is one of its bits. Other actions list groups (`actions`). An action with an `ensure` is drawn as a candidate,
and drawn again if the `ensure` refuses it (see `playouts`); it is made to try it, and stays made
unless it is refused.
"""

from __future__ import annotations

from rulelang.model.types import SetOf
from rulelang.native.actions import ActionWriter
from rulelang.native.emitter import Emitter
from rulelang.native.plans import CHOOSE
from rulelang.native.shapes import set_shape, value_text
from rulelang.native.text import Fn


class Decision:
    """Writes the random decision of one phase."""

    def __init__(self, x: Emitter, phase: int, writers: list[ActionWriter], drawn: bool, going: set[int]) -> None:
        self.x = x
        self.phase = phase
        self.rules = x.game.phases[phase]
        self.writers = [writers[n] for n in self.rules.actions]
        self.drawn = drawn
        self.going = going                              # the actions after which a chain may go on
        self.entries = x.machine.entries
        self.no_move = x.fault(self.rules.place, "no-move", "no move", self.rules.name)

    def lines(self) -> list[str]:
        """The code, which ends in a jump."""
        if self.rules.who == "together" or not self.writers or (self.rules.chain and self.rules.best):
            return []
        stuck = self.entries.stucks[self.phase]
        none = f"goto N{stuck};" if stuck >= 0 else f"fail(g, {self.no_move}, 0);"
        fn = Fn()
        chain = " && !s->chained" if self.rules.chain else ""
        fn.open(f"if (likely(g->bulk > g->probe){chain})")
        strict = bool(self.rules.must or self.rules.chain)
        if all(self._flat(w) and not (strict and w.plan.drawn) for w in self.writers):
            self._in_place(fn, none)
        elif self.rules.chain:
            self._single(fn, none)
        else:
            self._listed(fn, none)
        fn.close()
        return [line[2:] for line in fn.lines]

    def _flat(self, writer: ActionWriter) -> bool:
        made = writer.plan
        if made.chancy and made.choices:
            return False
        if not made.choices:
            return not made.ensures or not self.x.passes.draws
        return (len(made.choices) == 1 and made.masked) or writer.pairs is not None

    def _in_place(self, fn: Fn, none: str) -> None:
        must = [w for a in self.rules.must for w in self.writers if w.plan.number == a]
        rest = [w for w in self.writers if w not in must]
        for writer in self.writers:
            self._declare(fn, writer)
        for writer in must:
            self._count(fn, writer)
        if must:
            fn.open(f"if (!({' + '.join(self._many(must))}))")
        for writer in rest:
            self._count(fn, writer)
        if must:
            fn.close()
        ordered = must + rest
        going = [w for w in ordered if w.plan.number in self.going]
        fn.line(f"int total = {' + '.join(self._many(ordered))};")
        if going:
            fn.line(f"if (!total) {none}")
            for writer in going:
                if not writer.plan.chancy:
                    self._forced(fn, writer)
            ordered = [w for w in ordered if w not in going]
            if not ordered:
                return
        again = any(w.plan.drawn for w in self.writers)
        without = f"if (!({' + '.join(self._many(going))}))" if going else ""
        fn.open("while (total)" if again else without or f"if (!total) {none} else")
        fn.line("int k = (int)stream_below(g->choice_key, g->drawn++, (u64)total);")
        for i, writer in enumerate(ordered):
            made = writer.plan
            last = i == len(ordered) - 1
            fn.open("" if last else f"if (k < n_{made.number})")
            self._make(fn, writer)
            fn.close()
            if not last:
                fn.line(f"k -= n_{made.number};")
        fn.close()
        if again:
            fn.line(none)

    def _many(self, writers: list[ActionWriter]) -> list[str]:
        """The C names of how many choices of actions are legal."""
        return [f"n_{w.plan.number}" for w in writers]

    def _forced(self, fn: Fn, writer: ActionWriter) -> None:
        """The only first step of a chain is made at once; the number for the chain is drawn when there is more than one
        (see `chain_move`)."""
        fn.open(f"if (n_{writer.plan.number} == 1 && total == 1)")
        fn.line("int k = 0;")
        fn.line("g->drawn++;")
        self._make(fn, writer)
        fn.close()

    def _declare(self, fn: Fn, writer: ActionWriter) -> None:
        made, x = writer.plan, self.x
        held = f"legal_{made.number}"
        if writer.pairs is not None:
            writer.pairs.declare(x, fn, held)
        elif made.masked:
            domain = made.choices[0].domain
            assert domain is not None
            shape = set_shape(domain.type)
            fn.line(f"{x.set_type(shape)} {held} = {shape.zero};")
        fn.line(f"int n_{made.number} = 0;")

    def _count(self, fn: Fn, writer: ActionWriter) -> None:
        """Write the sets of an action's legal choices, and how many there are."""
        made = writer.plan
        held, n = f"legal_{made.number}", f"n_{made.number}"
        inner = Fn(tag=f"_{self.phase}_{made.number}_")
        inner.depth = fn.depth + 1
        fn.line("{")
        if writer.pairs is not None:
            writer.pairs.write(self.x, inner, held, n)
        else:
            writer.write_flat(inner, held, n, tested=not made.drawn)
        fn.lines += inner.lines
        fn.line("}")

    def _make(self, fn: Fn, writer: ActionWriter) -> None:
        made = writer.plan
        inner = Fn(tag=f"_{self.phase}_{made.number}_made_")
        inner.depth = fn.depth
        pairs = writer.pairs
        if pairs is not None:
            pairs.pick(self.x, inner, f"legal_{made.number}")
        elif made.masked:
            clause = made.choices[0]
            assert clause.domain is not None and isinstance(clause.domain.type, SetOf)
            shape, held = set_shape(clause.domain.type), f"legal_{made.number}"
            inner.line(f"const int bit = {shape.nth(held, 'k')};")
            inner.line(f"const num chosen UNUSED = {value_text(clause.domain.type.of, '(num)bit')};")
            inner.bind(clause.slot, "chosen")
            if made.drawn:
                inner.line(f"Move m; m.action = {made.number}; m.of.{made.name}.{made.fields[0]} = chosen;")
                inner.line(f"if (!try_{made.name}(g, s, me, &m, &exit)) {{ {held} = {shape.without(held, shape.bit('bit'))}; "
                           f"n_{made.number}--; total--; continue; }}")
        inner.line(f"g->plies++; steps = {made.nodes}; s->moving = 1; s->chained = 0;")
        if not made.drawn:                              # what is tried has begun its own count of work
            inner.line("g->work = 0;")
        if made.drawn:
            self._on(inner)
        elif made.chancy:
            writer.keep_lets(inner)
            inner.line(f"goto N{self.entries.dos[self.phase][self.rules.actions.index(made.number)]};")
        else:
            writer.bind_lets(inner)
            inner.line(f"exit = do_{made.name}(g, s, me{writer.arguments(inner)});")
            self._on(inner)
        fn.lines += inner.lines

    def _on(self, fn: Fn) -> None:
        settle, after = self.entries.settles[self.phase], self.entries.afters[self.phase]
        if settle == after:
            fn.line(f"goto N{after};")
        else:
            fn.line(f"if (exit) goto N{settle}; goto N{after};")

    def _single(self, fn: Fn, none: str) -> None:
        """Where chains are moves: a move in place if no legal step can go on; else the game waits, and chains are
        searched outside."""
        fn.line("const int total = legal(g, s, me, 0);")
        fn.line(f"if (!total) {none}")
        fn.line("int single = 1;")
        fn.line(f"for (int i = 0; i < g->group_count; i++) single &= !may_go_on({self.phase}, g->groups[i].move.action);")
        fn.open("if (single)")
        fn.line("Move m;")
        fn.line("kth(g, s, me, 0, (int)stream_below(g->choice_key, g->drawn++, (u64)total), &m);")
        fn.line("g->plies++; g->work = 0; steps = made_nodes[m.action]; s->moving = 1; s->chained = 0;")
        fn.line("exit = begin(g, s, &m, me);")
        for made in (w.plan for w in self.writers if w.plan.chancy):
            at = self.entries.dos[self.phase][self.rules.actions.index(made.number)]
            fn.line(f"if (m.action == {made.number}) goto N{at};")
        self._on(fn)
        fn.close()

    def _listed(self, fn: Fn, none: str) -> None:
        fn.line("Move m;")
        if self.drawn:
            fn.line(f"if (!draw_move(g, s, me, &m, &exit)) {none}")
        else:
            fn.line("const int total = legal(g, s, me, 0);")
            fn.line(f"if (!total) {none}")
            fn.line("kth(g, s, me, 0, (int)stream_below(g->choice_key, g->drawn++, (u64)total), &m);")
        fn.line("g->plies++; steps = made_nodes[m.action]; s->moving = 1; s->chained = 0;")
        if not self.drawn:                              # what is drawn has been made
            fn.line("g->work = 0;")
            fn.line("exit = begin(g, s, &m, me);")
        chancy = [w.plan for w in self.writers if w.plan.chancy]
        for made in chancy:
            at = self.entries.dos[self.phase][self.rules.actions.index(made.number)]
            fn.line(f"if (m.action == {made.number}) goto N{at};")
        self._on(fn)


__all__ = ["CHOOSE", "Decision"]
