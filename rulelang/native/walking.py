"""The walk over an action's clauses that finds its legal choices: what each clause becomes in C.

Choices before the last are loops, a `require` is asked as soon as what it reads is chosen, the last choice is a set
where it can be one. What is found goes into groups (see `actions`), or, asked only whether there is any, ends the walk.
It must agree with `rulelang.engine.actions`.
"""

from __future__ import annotations

from rulelang.model.game import Clause
from rulelang.model.ir import TRUE, E
from rulelang.model.types import BagOf, DeckOf, Line, ListOf, SetOf
from rulelang.native.ahead import apart
from rulelang.native.bounds import static_parts
from rulelang.native.effects import bind_local
from rulelang.native.emitter import Emitter, element_of
from rulelang.native.lengths import cap
from rulelang.native.masks import split
from rulelang.native.plans import Plan
from rulelang.native.sequences import conjunction, each_bit, elements, hoist
from rulelang.native.shapes import Declined, bag_size, scalar, set_shape, value_text
from rulelang.native.tailing import Tailing
from rulelang.native.text import Fn, place_comment


class Walking(Tailing):
    """The part of an action's writer that goes from clause to clause."""

    x: Emitter
    plan: Plan
    flat: tuple[str, str] | None
    several: tuple[str, str, str] | None
    only_any: bool
    tested: bool
    in_rest: bool
    rests: bool

    def arguments(self, fn: Fn) -> str:
        """The choices and lets of the action, for its `do`."""
        names = [fn.env[c.slot] for c in self.plan.choices]
        names += [fn.env[c.slot] for c in self.plan.action.clauses if c.kind == "let"]
        return ", ".join(["", *names])

    def _later(self, i: int) -> list[E]:
        """What is computed from a clause on, to take what does not change out of loops."""
        found = []
        for clause in self.plan.clauses[i:]:
            for e in (clause.domain, clause.where, clause.value, *(clause.amount or ())):
                if e is not None:
                    found.append(e)
        return found

    def _clause(self, fn: Fn, i: int) -> None:
        x, made = self.x, self.plan
        if i == len(made.clauses):
            self._end(fn)
            return
        clause = made.clauses[i]
        if made.tail is not None and not self.in_tail:
            if made.parted is None and i == made.tail.pivot:
                self._pivot(fn, clause, i, made.tail)
                return
            if made.parted is not None and i == made.tail.begin:
                self._times_tail(fn, made.tail)
                return
        if clause.kind == "require":
            assert clause.value is not None
            fn.open(f"if ({x.value(fn, clause.value)})  {place_comment(clause.place, 'require ' + clause.name)}")
            self._clause(fn, i + 1)
            fn.close()
        elif clause.kind == "let":
            assert clause.value is not None
            bind_local(x, fn, clause.slot, clause.value)
            if clause.sentence is not None and scalar(clause.value.type):
                fn.open(f"if ({fn.env[clause.slot]} != NONE)")
                self._clause(fn, i + 1)
                fn.close()
            else:
                self._clause(fn, i + 1)
        elif clause.kind == "choose_some":
            self._some(fn, clause, i)
        elif made.masked and i == made.last and not self.in_tail:
            self._masked(fn, clause, i)
        else:
            self._choose(fn, clause, i)

    def _choose(self, fn: Fn, clause: Clause, i: int) -> None:
        x = self.x
        assert clause.domain is not None
        where = clause.where or TRUE
        fn.line(place_comment(clause.place, "choose " + clause.name))
        domain = x.c.simple(clause.domain)
        if not clause.optional and isinstance(domain.type, SetOf):
            fn.open("")
            after, asked = i + 1, [where]
            while x.passes.masks and self._about(after, clause):        # a set of what meets the first of them too
                other = self.plan.clauses[after]
                assert other.value is not None
                fn.line(place_comment(other.place, "require " + other.name))
                asked.append(other.value)
                after += 1
            ahead = not self.in_rest and apart(x, self.plan, after)
            if ahead:
                fn.line("int rest = -1;")
            with elements(x, fn, domain, conjunction(*asked), clause.slot, self._later(after)):
                if ahead:
                    fn.open(f"if (rest < 0 ? (rest = {self._rest(after)}(g, s, me)) : rest)")
                self._clause(fn, after)
                if ahead:
                    fn.close()
            fn.close()
            return
        of = element_of(domain.type)
        ctype = x.element_ctype(of)
        fn.open("")
        v, k = fn.name("v"), fn.name("k")
        most = cap(x, domain) if isinstance(domain.type, (Line, ListOf, DeckOf)) else 0
        if isinstance(domain.type, SetOf):
            most = set_shape(domain.type).size
        elif isinstance(domain.type, BagOf):
            most = bag_size(domain.type)
        fn.line(f"{ctype} {v}[{most + 1}];")
        fn.line(f"int {v}_n = 0;")
        if isinstance(domain.type, BagOf):
            bag, j = fn.atom(x.ctype_of(domain), x.value(fn, domain)), fn.name("j")
            fn.open(f"for (int {j} = 0; {j} < {most}; {j}++) if ({bag}.c[{j}])")
            fn.bind(clause.slot, fn.atom("num", value_text(of, j)))
            fn.line(f"if ({x.value(fn, where)}) {v}[{v}_n++] = {fn.env[clause.slot]};")
            fn.close()
        else:
            with elements(x, fn, domain, where, clause.slot) as value:
                if isinstance(domain.type, SetOf):
                    fn.line(f"{v}[{v}_n++] = {value};")
                else:
                    if domain.op == "placements":
                        fn.line(f"{v}[{v}_n++] = {value};")
                        same = ""
                    else:
                        same = fn.name("q")
                        fn.line(f"int {same} = 0;")
                        equal = f"{v}[j] == {value}" if ctype in ("num", "u64", "u128") else None
                        if equal is None:
                            if not isinstance(of, SetOf):
                                raise Declined("a choice among bags")
                            equal = set_shape(of).equal(f"{v}[j]", value)
                        fn.line(f"for (int j = 0; j < {v}_n; j++) {same} |= {equal};")
                        fn.line(f"if (!{same}) {v}[{v}_n++] = {value};")
        if clause.optional:
            fn.bind(clause.slot, "NONE")
            fn.line(f"if ({x.value(fn, where)}) {v}[{v}_n++] = NONE;")
        hoist(x, fn, self._later(i + 1), clause.slot)
        fn.open(f"for (int {k} = 0; {k} < {v}_n; {k}++)")
        fn.bind(clause.slot, fn.keep(ctype, f"{v}[{k}]", "x"))
        self._clause(fn, i + 1)
        fn.close()
        fn.close()

    def _rest(self, i: int) -> str:
        """The function that tells whether the clauses from one on can be met, which hang on none before (see `ahead`)."""
        name = f"rest_{self.plan.name}"
        if not self.rests:
            fn = Fn()
            fn.hidden = frozenset(c.slot for c in self.plan.action.clauses)
            before = self.only_any, self.tested
            self.only_any, self.tested, self.in_rest = True, False, True
            self._clause(fn, i)
            (self.only_any, self.tested), self.in_rest, self.rests = before, False, True
            self.x.functions.append("\n".join([f"static int {name}(Game *g UNUSED, const State *s UNUSED, num me UNUSED) {{",
                                               *fn.lines, "  return 0;", "}\n"]))
        return name

    def _about(self, i: int, choice: Clause) -> bool:
        """Whether a clause is a `require` that speaks of a choice and cannot be a fault."""
        if i == len(self.plan.clauses) or self.plan.clauses[i].kind != "require":
            return False
        value = self.plan.clauses[i].value
        return value is not None and choice.slot in self.x.facts(value).free and self.x.total(value)

    def _some(self, fn: Fn, clause: Clause, i: int) -> None:
        x = self.x
        assert clause.domain is not None and clause.amount is not None
        fn.line(place_comment(clause.place, "choose " + clause.name))
        fn.open("")
        kind = clause.domain.type
        low = fn.atom("num", x.value(fn, clause.amount[0]))
        high = fn.atom("num", x.value(fn, clause.amount[1]))
        held = fn.atom(x.ctype(kind), x.value(fn, clause.domain))
        if self.plan.parted is clause:
            several = fn.name("parts")
            if isinstance(kind, BagOf):
                fn.line(f"const int {several} = {x.bag_type(kind)}_parts({held}, {low}, {high});")
            else:
                fn.line(f"const int {several} = combinations({set_shape(kind).count(held)}, {low}, {high});")
            number = x.fault(clause.place, "too-many-moves", "there are too many ways to choose here")
            fn.line(f"if (unlikely({several} < 0)) fail(g, {number}, 0);")
            fn.open(f"if ({several})")
            self.several = several, low, high
            fn.bind(clause.slot, held)
            self._clause(fn, i + 1)
            fn.close()
            fn.close()
            return
        hoist(x, fn, [*self._later(i + 1), clause.where or TRUE], clause.slot)
        amount, part = fn.name("amount"), fn.name("part")
        if isinstance(kind, BagOf):
            bag = x.bag_type(kind)
            fn.line(f"{bag} {part};")
            fn.open(f"for (num {amount} = {low} > 0 ? {low} : 0; {amount} <= {high}; {amount}++) "
                    f"if ({bag}_first({held}, {amount}, &{part})) do")
            self._part(fn, clause, i, part)
            fn.close(f"}} while ({bag}_next({held}, &{part}));")
        else:
            shape = set_shape(kind)
            n, at = fn.name("n"), fn.name("at")
            fn.line(f"int {at}[{shape.size + 1}], {n}_of[{shape.size + 1}], {n} = 0;")
            with each_bit(fn, shape, held) as j:
                fn.line(f"{n}_of[{n}++] = {j};")
            fn.open(f"for (num {amount} = {low} > 0 ? {low} : 0; {amount} <= {high}; {amount}++) "
                    f"if (combination_first({at}, {amount}, {n})) do")
            fn.line(f"{shape.ctype} {part} = {shape.zero};")
            fn.line(f"for (int j = 0; j < {amount}; j++) {part} = {shape.union(part, shape.bit(f'{n}_of[{at}[j]]'))};")
            self._part(fn, clause, i, part)
            fn.close(f"}} while (combination_next({at}, {amount}, {n}));")
        fn.close()

    def _part(self, fn: Fn, clause: Clause, i: int, part: str) -> None:
        fn.bind(clause.slot, part)
        fixed, always = self.x.c.constant(clause.where or TRUE)
        if fixed and always:
            self._clause(fn, i + 1)
        else:
            fn.open(f"if ({self.x.value(fn, clause.where or TRUE)})")
            self._clause(fn, i + 1)
            fn.close()

    def _masked(self, fn: Fn, clause: Clause, i: int) -> None:
        """The last choice: the set of its legal values."""
        made = self.plan
        self._group(fn, self._legal(fn, clause, i, len(made.clauses), made.ensures if self.tested else [], self.only_any))

    def _legal(self, fn: Fn, clause: Clause, i: int, end: int, ensures: list[Clause], only_any: bool) -> str:
        """The set of the values of a choice that meet the clauses up to `end`."""
        x, made = self.x, self.plan
        assert clause.domain is not None and isinstance(clause.domain.type, SetOf)
        shape, of = set_shape(clause.domain.type), clause.domain.type.of
        fn.line(place_comment(clause.place, "choose " + clause.name))
        held = x.value(fn, clause.domain)
        rests: list[tuple[Clause | None, E]] = []
        later = made.clauses[i + 1:end]
        tests = [(None, clause.where or TRUE)]
        while later and later[0].kind == "require":
            assert later[0].value is not None
            tests.append((later[0], later[0].value))  # type: ignore[arg-type]
            later = later[1:]
        assumed = fn.assumed
        fn.assumed = assumed[:]
        for owner, e in tests:
            if any(not x.total(r) for _, r in rests):
                rests.append((owner, e))
                continue
            mask, rest = split(x, fn, e, clause.slot, of, goals=clause.domain)
            if mask is not None:
                held = shape.both(held, mask)
            if rest is not None:
                rests.append((owner, rest))
            else:
                fn.assumed += static_parts(x, e)
        fn.assumed = assumed
        held = fn.atom(shape.ctype, held)
        if not rests and not later and not ensures:
            return held
        found = fn.name("ok")
        fn.line(f"{shape.ctype} {found} = {shape.zero};")
        hoist(x, fn, [*(e for _, e in rests), *self._later(end - len(later))], clause.slot)
        with each_bit(fn, shape, held) as bit:
            fn.bind(clause.slot, fn.atom("num", value_text(of, bit)))
            opened = 0
            for owner, rest in rests:
                fn.open(f"if ({x.value(fn, rest)})" + ("" if owner is None else f"  {place_comment(owner.place, owner.name)}"))
                opened += 1
            for other in later:
                assert other.value is not None
                if other.kind == "let":
                    bind_local(x, fn, other.slot, other.value)
                    if other.sentence is None or not scalar(other.value.type):
                        continue
                    fn.open(f"if ({fn.env[other.slot]} != NONE)")
                else:
                    fn.open(f"if ({x.value(fn, other.value)})  {place_comment(other.place, other.name)}")
                opened += 1
            opened += self._ensured(fn, ensures)
            if only_any:
                fn.line("return 1;")
            else:
                fn.line(f"{found} = {shape.union(found, shape.bit(bit))};")
            for _ in range(opened):
                fn.close()
        return found

    def _ensured(self, fn: Fn, ensures: list[Clause]) -> int:
        """Try the effects on a copy, which has its own count of work, and ask each `ensure`; how many blocks were opened."""
        if not ensures:
            return 0
        copy, e, work = fn.name("copy"), fn.name("e"), fn.name("work")
        fn.line(f"State {copy} = *{fn.state}; State *const {e} = &{copy};")
        fn.line(f"const i64 {work} = g->work;")
        fn.line("g->work = 0;")
        fn.line(f"do_{self.plan.name}(g, {e}, {fn.me}{self.arguments(fn)});")
        fn.line(f"g->work = {work};")
        return self._ask(fn, ensures, e)

    def _ask(self, fn: Fn, ensures: list[Clause], state: str) -> int:
        """Ask each `ensure` of a state; how many blocks were opened."""
        before, fn.state = fn.state, state
        for clause in ensures:
            assert clause.value is not None
            fn.open(f"if ({self.x.value(fn, clause.value)})  {place_comment(clause.place, 'ensure ' + clause.name)}")
        fn.state = before
        return len(ensures)

    def _end(self, fn: Fn) -> None:
        """All clauses hold: one legal choice."""
        if self.in_tail:
            assert self.plan.tail is not None
            self._way(fn, self.plan.tail)
            return
        opened = self._ensured(fn, self.plan.ensures if self.tested else [])
        if self.only_any:
            fn.line("return 1;")
        elif self.flat is not None:
            fn.line(f"{self.flat[1]} = 1;")
        else:
            fn.line("Group *q = new_group(g);")
            if self.plan.parted is not None:
                assert self.several is not None
                several, low, high = self.several
                fn.line(f"q->move.action = {self.plan.number}; q->count = {several}; q->low = (int){low}; q->high = (int){high};")
            else:
                fn.line(f"q->move.action = {self.plan.number}; q->count = 1;")
            self._store(fn, self.plan.choices)
        for _ in range(opened):
            fn.close()

    def _group(self, fn: Fn, held: str) -> None:
        made = self.plan
        domain = made.choices[-1].domain
        assert domain is not None
        shape = set_shape(domain.type)
        if self.only_any:
            fn.line(f"if ({shape.some(held)}) return 1;")
            return
        if self.flat is not None:
            fn.line(f"{self.flat[0]} = {held}; {self.flat[1]} = {shape.count(held)};")
            return
        fn.open(f"if ({shape.some(held)})")
        fn.line("Group *q = new_group(g);")
        many = shape.count(held)
        if made.parted is not None:
            assert self.several is not None
            many = f"{self.several[0]} * {many}"
            fn.line(f"q->low = (int){self.several[1]}; q->high = (int){self.several[2]};")
        fn.line(f"q->move.action = {made.number}; q->count = {many}; q->last.{made.name} = {held};")
        self._store(fn, made.choices[:-1])
        fn.close()

    def _store(self, fn: Fn, choices: list[Clause]) -> None:
        for clause in choices:
            name = self.plan.fields[self.plan.choices.index(clause)]
            fn.line(f"q->move.of.{self.plan.name}.{name} = {fn.env[clause.slot]};")
