"""Chains: how many ways a turn of several steps can be played, with fewer steps made than there are ways.

A turn of several steps (`chain: one move`) is counted by making its steps (`chains.h`); a last step need not be made
(`endings`). An action that chooses n and then d, where what d comes from does not depend on n, has its choices as a set
of d for each n; as a set of n for each d (*across*) they are fewer sets where there are no more d's than n's, and a last
step with d is asked about once for all n. So they are listed for counting, not for choosing, which keeps the order of
the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from rulelang.model.game import Clause
from rulelang.model.types import SetOf, size_of
from rulelang.native.actions import ActionWriter
from rulelang.native.effects import EXITS
from rulelang.native.emitter import Emitter
from rulelang.native.endings import Ending, ending, written
from rulelang.native.plans import Plan
from rulelang.native.sequences import each_bit
from rulelang.native.shapes import set_shape, value_text
from rulelang.native.text import Fn


def across(x: Emitter, made: Plan) -> Plan | None:
    """The plan with the two choices of an action the other way round, if that makes fewer sets."""
    clauses = made.clauses
    if not x.passes.ways or not made.masked or made.tail is not None or made.ensures or made.chancy \
            or len(made.choices) != 2:
        return None
    first, second = made.choices
    if any(c.kind not in ("choose", "require") or c.optional for c in clauses) or first.domain is None or second.domain is None:
        return None
    one, two = first.domain.type, second.domain.type
    if not isinstance(one, SetOf) or not isinstance(two, SetOf) or size_of(two.of) > size_of(one.of):
        return None
    asked = [e for c in (first, second) for e in (c.domain, c.where) if e is not None]
    if not all(map(x.total, asked)) or first.slot in x.facts(second.domain).free:
        return None
    at = next(i for i, c in enumerate(clauses) if c is first)
    after = [c for c in clauses[at:] if c is not first and c is not second]
    if second.where is not None and first.slot in x.facts(second.where).free:
        late = Clause(second.name, "require", second.place, value=second.where)
        after.insert(0, late)
        second = replace(second, where=None)
    order = [*clauses[:at], second, first, *after]
    return replace(made, choices=[second, first], fields=made.fields[::-1], ctypes=made.ctypes[::-1], clauses=order,
                   last=at + 1, parted=None)


class AcrossWriter(ActionWriter):
    """Writes the listing of an action with its choices the other way round."""

    @property
    def pairs(self) -> None:
        """None: sets are by the other choice here."""
        return None

    def held(self) -> str:
        """The set in a group."""
        return f"q->last.{self.plan.name}_across"

    def declare_group(self) -> str:
        """The set of the first choice's legal values, in a group."""
        domain = self.plan.choices[-1].domain
        assert domain is not None
        return f"{self.x.ctype(domain.type)} {self.plan.name}_across;"

    def write(self) -> None:
        """The function that lists."""
        self._list("across", False, True)

    def _group(self, fn: Fn, held: str) -> None:
        domain = self.plan.choices[-1].domain
        assert domain is not None
        shape = set_shape(domain.type)
        fn.open(f"if ({shape.some(held)})")
        fn.line("Group *q = new_group(g);")
        fn.line(f"q->move.action = {self.plan.number}; q->count = {shape.count(held)}; {self.held()} = {held};")
        self._store(fn, self.plan.choices[:-1])
        fn.close()

    def chosen(self) -> list[str]:
        """The two choices of the k-th step of a group, in the order of the rules."""
        kind = self.plan.choices[-1].domain
        assert kind is not None and isinstance(kind.type, SetOf)
        nth = value_text(kind.type.of, f"(num){set_shape(kind.type).nth(self.held(), 'k')}")
        return [nth, f"q->move.of.{self.plan.name}.{self.plan.fields[0]}"]


class LastWriter(ActionWriter):
    """Writes how many last steps an action has, and what they come to; -1 if a step is not the last."""

    def __init__(self, x: Emitter, made: Plan, end: Ending) -> None:
        super().__init__(x, made)
        self.end = end

    @property
    def pairs(self) -> None:
        """None: the sets are those that are listed for counting."""
        return None

    def lines(self) -> list[str]:
        """The C lines."""
        fn = Fn(tag=f"_{self.plan.number}_")
        fn.hidden = frozenset(c.slot for c in self.plan.action.clauses)
        self.only_any, self.tested = False, True
        self._clause(fn, 0)
        return ["  {", *fn.lines, "  }"]

    def _group(self, fn: Fn, held: str) -> None:
        domain = self.plan.choices[-1].domain
        assert domain is not None and isinstance(domain.type, SetOf)
        shape, last = set_shape(domain.type), self.plan.choices[-1].slot
        fn.open(f"if ({shape.some(held)})")
        if self.end.alike:
            fn.bind(last, fn.atom("num", value_text(domain.type.of, f"(num){shape.low(held)}")))
            self._ends(fn, shape.count(held))
        else:
            with each_bit(fn, shape, held) as bit:
                fn.bind(last, fn.atom("num", value_text(domain.type.of, bit)))
                self._ends(fn, "1")
        fn.close()

    def _ends(self, fn: Fn, many: str) -> None:
        chosen = "".join(f", {fn.env[c.slot]}" for c in self.plan.choices)
        fn.line(f"if (!{self.end.name}(g, s, me{chosen}, now)) return -1;")
        fn.line(f"found = chain_more(found, value, now, {many}, {len(self.x.game.phases[self.end.phase].best)});")


@dataclass
class Ways:
    """What the search for chains calls: written in `functions` before the course of the game, and in `tail` after it."""

    x: Emitter
    actions: list[ActionWriter]
    writers: dict[int, AcrossWriter] = field(default_factory=dict)
    endings: list[Ending] = field(default_factory=list)
    lasts: dict[int, list[str]] = field(default_factory=dict)

    def functions(self) -> str:
        """Lists of steps for counting, and what makes one of them."""
        x, lists = self.x, []
        begins: dict[int, list[str]] = {}
        for n, phase in enumerate(x.game.phases):
            if not phase.chain:
                continue
            calls = []
            for a in (*(a for a in phase.actions if a in phase.must), *(a for a in phase.actions if a not in phase.must)):
                made = self.actions[a].plan
                if a not in self.writers:
                    turned = across(x, made)
                    if turned is not None:
                        self.writers[a] = AcrossWriter(x, turned)
                        self.writers[a].write()
                calls.append(f"{'across' if a in self.writers else 'list'}_{made.name}(g, s, me);")
                begins[a] = list(self._chosen(a, f"return do_{made.name}(g, s, me%s);"))
                end = ending(x, n, self.writers[a].plan if a in self.writers else made)
                if end is not None:
                    self.endings.append(end)
                if end is not None and end.plan.masked and end.plan.tail is None:
                    last = LastWriter(x, end.plan, end).lines()
                else:
                    last = [f"  if (any_{made.name}(g, s, me)) return -1;"]
                self.lasts.setdefault(n, []).extend(last)
            if phase.must:
                self.lasts.pop(n)
                calls.insert(sum(a in phase.must for a in phase.actions), "if (g->group_count > from) return;")
            lists.append(f"    case {n}: {' '.join(calls)} return;")
        return "\n".join([
            "UNUSED static void list_ways(Game *g UNUSED, const State *s UNUSED, num me UNUSED) {",
            "  const int from UNUSED = g->group_count;", "  switch (s->phase) {", *lists, "  }", "}",
            "INL int begin_way(Game *g, State *s, const Group *q, int k UNUSED, int across UNUSED, num me) {",
            "  switch (q->move.action) {", *(line for lines in begins.values() for line in lines), "  }",
            "  Move m = q->move;", "  pick_last(g, s, me, q, k, &m);", "  return begin(g, s, &m, me);", "}\n"])

    def tail(self, members: dict[int, list[str]]) -> list[str]:
        """Whether a step ends the turn. `members`: what holds a variable."""
        cases, alike, lasts = [], [], []
        courses: list[str] = []
        for phase, lines in self.lasts.items():
            ends = [end for end in self.endings if end.phase == phase]
            if ends and not any(self.actions[a].plan.chancy for a in self.x.game.phases[phase].actions):
                courses += [f"  if (phase == {phase}) {{", f"    if (!exit) exit = run_{ends[0].after}(g, s, me);",
                            f"    if (exit != {EXITS['again']} || !goes_on_{phase}(g, s, me)) return 0;", "    s->chained = 1;",
                            f"    s->actor = (int8_t)actor_{phase}(g, s, &me); s->me = s->actor;",
                            f"    s->node = {self.x.machine.entries.waits[phase]};", "    return 1;", "  }"]
            if ends:
                lasts += [f"  if (s->phase == {phase}) {{", *lines, "  return found;", "  }"]
        for end in self.endings:
            chosen = self._chosen(end.plan.number, f"return {end.name}(g, s, s->actor%s, value);")
            cases += [f"  if (s->phase == {end.phase}) switch (q->move.action) {{", *chosen, "  }"]
            if end.alike:
                alike.append(f"  if (phase == {end.phase} && action == {end.plan.number}) return 1;")
        return [*(written(self.x, end, members) for end in self.endings),
                "INL int ends_way(Game *g UNUSED, const State *s UNUSED, const Group *q UNUSED, int k UNUSED, int across UNUSED, "
                "num *value UNUSED) {", *cases, "  return 0;", "}",
                "INL int course_way(Game *g, State *s, num me UNUSED, int phase, int action, int exit) {", *courses,
                "  s->node = (int16_t)after_action(phase, action, exit);",
                "  g->nodes = made_nodes[action];",
                "  return run(g, s, exit) == WAIT_MOVE && s->chained && s->actor >= 0;", "}",
                "UNUSED static int last_ways(Game *g UNUSED, const State *restrict s UNUSED, num me UNUSED, num *value UNUSED) {",
                "  num now[BEST_MOST] UNUSED;", "  int found = 0;", *lasts, "  return -1;", "}",
                "INL int alike(int phase UNUSED, int action UNUSED) {", *alike, "  return 0;", "}", ""]

    def _chosen(self, action: int, then: str) -> Iterator[str]:
        """The case of an action in C: its choices in the k-th step of a group, and what is done with them."""
        writer, turned = self.actions[action], self.writers.get(action)
        made = writer.plan
        if made.chancy or not made.masked or made.parted is not None or made.tail is not None:
            return
        domain = made.choices[-1].domain
        assert domain is not None and isinstance(domain.type, SetOf)
        last = value_text(domain.type.of, f"(num){set_shape(domain.type).nth(f'q->last.{made.name}', 'k')}")
        yield f"    case {made.number}: {{"
        for values, test in (((turned.chosen(), "if (across)") if turned is not None else (None, "")),
                             ([*(f"q->move.of.{made.name}.{name}" for name in made.fields[:-1]), last], "")):
            if values is None:
                continue
            fn = Fn()
            fn.depth = 3
            fn.open(test)
            for clause, ctype, value in zip(made.choices, made.ctypes, values, strict=True):
                fn.bind(clause.slot, fn.keep(ctype, value, "x"))
            if "do_" in then:
                writer.bind_lets(fn)
                fn.line(then % writer.arguments(fn))
            else:
                fn.line(then % "".join(f", {fn.env[c.slot]}" for c in (turned.plan if turned is not None else made).choices))
            fn.close()
            yield from fn.lines
        yield "    }"
