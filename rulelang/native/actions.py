"""Which choices of an action are legal: count, then pick.

The legal choices are found as groups: all choices but the last as values, and the last, where it comes out of a set,
as the set of its legal values. A playout needs how many there are and the k-th of them, which is a popcount and the
k-th bit of one group; nothing is listed. A `require` is asked as soon as what it reads is chosen; one that speaks of
the last choice is algebra on its set where it can be (see `masks`). An `ensure` is asked of a copy of the state.
"""

from __future__ import annotations

from rulelang.engine.actions import ActionRules  # noqa: F401  (what this must agree with)
from rulelang.model.game import Clause
from rulelang.model.ir import TRUE, E
from rulelang.model.types import BagOf, DeckOf, Line, ListOf, SetOf, Type
from rulelang.native.ahead import apart
from rulelang.native.bounds import static_parts
from rulelang.native.effects import bind_local, block_function
from rulelang.native.emitter import Emitter, element_of
from rulelang.native.masks import split
from rulelang.native.pairs import Pairs
from rulelang.native.plans import CHOOSE, Plan, plan
from rulelang.native.related import pairs_of
from rulelang.native.rows import Rows
from rulelang.native.sequences import cap, conjunction, each, each_bit, elements, hoist
from rulelang.native.shapes import Declined, bag_size, index_text, scalar, set_shape, value_text
from rulelang.native.tailing import Tailing
from rulelang.native.text import Fn, place_comment


class ActionWriter(Tailing):
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

    def arguments(self, fn: Fn) -> str:
        """The choices and lets of the action, for its `do`."""
        names = [fn.env[c.slot] for c in self.plan.choices]
        names += [fn.env[c.slot] for c in self.plan.action.clauses if c.kind == "let"]
        return ", ".join(["", *names])

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
        """Try the effects on a copy, and ask each `ensure`; how many blocks were opened."""
        if not ensures:
            return 0
        copy, e = fn.name("copy"), fn.name("e")
        fn.line(f"State {copy} = *{fn.state}; State *const {e} = &{copy};")
        fn.line(f"do_{self.plan.name}(g, {e}, {fn.me}{self.arguments(fn)});")
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

    def _try(self) -> None:
        """Make a candidate; if an `ensure` refuses it, all is as before."""
        x, made = self.x, self.plan
        fn = Fn()
        self._bound(fn, "m->of")
        fn.line("const State before = *s;")
        fn.line("g->work = 0;")
        fn.line(f"*exit = do_{made.name}(g, s, me{self.arguments(fn)});")
        fn.line("const State *const made UNUSED = s;")
        self._ask(fn, made.ensures, "made")
        fn.line("return 1;")
        for _ in made.ensures:
            fn.close()
        fn.line("*s = before;")
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
