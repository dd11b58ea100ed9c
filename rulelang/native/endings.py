"""How a turn of several steps ends, without making its last step.

After the last step of a turn (the last die is used) only what `best` says of the end is wanted. What decides that, and
whether the turn goes on, is found backwards: what `after` and `best` read, what the statements of the action read that
write it, the conditions around these, until nothing is added. The rest of the action (the man that is moved) is left
out: a C function does what is left on the few variables that it needs, and says whether the turn is over and what it
comes to. If what is left does not read the last choice of an action, the answer is the same for all its values (`alike`).

What is left out must be no fault. Of `men[p, n] += 1` that is so as long as no entry is near the end of its range, which
is asked of the state; of `men[me, n] -= 1` if the action asks for `men[me, n] > 0`. Otherwise the step is made.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rulelang.engine.effects import safe
from rulelang.model.game import Block
from rulelang.model.ir import E, S
from rulelang.model.types import Number
from rulelang.native.bounds import sound, static_parts
from rulelang.native.effects import EXITS, block_function
from rulelang.native.emitter import Emitter, inside
from rulelang.native.inline import inlined, replaced
from rulelang.native.plans import Plan
from rulelang.native.shapes import SetShape
from rulelang.native.storage import Store

TURNS = frozenset({*EXITS, "next_player", "turn_to", "out"})
REGISTERS = ("pending", "leaving", "out", "player", "actor", "me", "phase", "exit_to")


@dataclass(frozen=True, slots=True)
class Ending:
    """What ends a turn with an action: the variables that decide, when the rest can be no fault (in C), whether all
    values of the last choice are alike, the node of `after`."""

    phase: int
    plan: Plan
    needed: tuple[int, ...]
    when: str
    alike: bool
    after: int

    @property
    def name(self) -> str:
        """The name of its C function."""
        return f"ends_{self.phase}_{self.plan.name}"


def ending(x: Emitter, phase: int, made: Plan) -> Ending | None:
    """How a turn ends with an action, if it can be told without making the step. Writes what is left of its effects."""
    rules = x.game.phases[phase]
    lets = any(c.kind == "let" for c in made.action.clauses)
    if not x.passes.ways or not made.choices or made.chancy or made.ensures or lets or isinstance(rules.who, E):
        return None
    after = _after(x, phase)
    if after < 0 or rules.after is None or x.game.positions:
        return None
    needed: set[int] = set()
    for e in rules.best:
        needed |= x.facts(e).reads
    if not _reads(x, rules.after, needed) or any(x.facts(e).course or x.facts(e).free for e in rules.best):
        return None
    does = [c.effects for c in made.action.clauses if c.kind == "do"]
    size = -1
    while size != len(needed):
        size = len(needed)
        look = _Look(x, made, needed)
        if not all(look.block(block, ()) for block in does):
            return None
    when = look.condition()
    if when is None:
        return None
    found = Ending(phase, made, tuple(sorted(needed)), when, not look.tells, after)
    heads = [f"{ctype} {name} UNUSED" for ctype, name in zip(made.ctypes, made.fields, strict=True)]
    env = dict(zip((c.slot for c in made.choices), made.fields, strict=True))
    block_function(x, f"rest_{found.name}", tuple(s for block in does for s in look.left(block)), heads, env, "INL")
    return found


def written(x: Emitter, one: Ending, members: dict[int, list[str]]) -> str:
    """The C function: whether the turn ends with a step, and what it comes to. `members`: what holds a variable."""
    made, phase = one.plan, one.phase
    heads = "".join(f", {ctype} {name}" for ctype, name in zip(made.ctypes, made.fields, strict=True))
    copies = [f"  memcpy(&t.{name}, &s->{name}, sizeof t.{name});" for var in one.needed for name in members[var]]
    copies += [f"  t.{name} = s->{name};" for name in REGISTERS]
    best = [f"  value[{i}] = best_{phase}_{i}(g, &t, me);" for i in range(len(x.game.phases[phase].best))]
    return "\n".join([
        f"INL int {one.name}(Game *g, const State *s, num me{heads}, num *value) {{", f"  if (!({one.when})) return 0;",
        "  State t;", *copies, f"  int exit = rest_{one.name}(g, &t, me{''.join(f', {name}' for name in made.fields)});",
        f"  if (!exit) exit = run_{one.after}(g, &t, me);",
        f"  if (exit == {EXITS['again']} && goes_on_{phase}(g, &t, me)) return 0;", *best, "  return 1;", "}\n"])


def _after(x: Emitter, phase: int) -> int:
    """The node of a phase's `after`, if it is one block without chance; else -1."""
    entries, nodes = x.machine.entries, x.machine.nodes
    block = nodes[entries.afters[phase]]
    if block.kind != "block" or nodes[block.next].kind != "run" or nodes[block.next].next != entries.settles[phase]:
        return -1
    return block.next


def _reads(x: Emitter, block: Block, found: set[int]) -> bool:
    """Add what a block reads and writes; whether nothing in it comes from outside but variables."""
    for s in block:
        index = s.target.index if s.target is not None else ()
        for e in (*s.args, *index):
            facts = x.facts(e)
            if facts.free or facts.course:
                return False
            found |= facts.reads
        if s.target is not None:
            found.add(s.target.var)
        if s.op not in TURNS and s.op not in ("if", "set", "take", "put", "says"):
            return False
        if not _reads(x, s.body, found) or not _reads(x, s.orelse, found):
            return False
    return True


@dataclass
class _Look:
    """Goes through what an action does. `needed` are the variables that decide; it grows. `values`: what locals and
    parameters stand for; `more`: how much is added to entries of a variable, at most; `most`: the highest that an entry of it
    is set to; `written`: variables so far; `tells`: whether what decides depends on the last choice."""

    x: Emitter
    plan: Plan
    needed: set[int]
    values: dict[int, E] = field(default_factory=dict)
    more: dict[int, int] = field(default_factory=dict)
    most: dict[int, int] = field(default_factory=dict)
    written: set[int] = field(default_factory=set)
    tells: bool = False

    def __post_init__(self) -> None:
        self.slot = self.plan.choices[-1].slot
        self.known: list[E] = []
        for clause in self.plan.clauses:
            for e in (clause.where, clause.value if clause.kind == "require" else None):
                if e is not None:
                    self.known += self._parts(e)
        self.given = tuple(part for e in self.known for part in static_parts(self.x, e))

    def _parts(self, e: E) -> list[E]:
        e = self.x.c.simple(e)
        if e.op == "and":
            return [part for a in e.args for part in self._parts(a)]
        return [self._open(e)]

    def _open(self, e: E) -> E:
        """An expression with its calls written out."""
        e = self.x.c.simple(e)
        while e.op == "call":
            e = self.x.c.simple(inlined(self.x, e))
        return E(e.op, e.type, tuple(self._open(a) for a in e.args), e.data, e.place) if e.args else e

    def _e(self, e: E) -> E:
        return self._open(replaced(self._open(e), self.values))

    def _deciding(self, s: S) -> bool:
        return s.op in TURNS or (s.target is not None and s.target.var in self.needed)

    # What decides, and whether the rest can be no fault

    def block(self, block: Block, conditions: tuple[E, ...]) -> bool:
        """A block under conditions; whether it can be told apart into what decides and what is no fault."""
        return all(self._statement(s, conditions) for s in block)

    def _statement(self, s: S, conditions: tuple[E, ...]) -> bool:
        if s.op == "step":
            step = self.x.game.steps[s.data]
            values = [self._e(a) for a in s.args]
            if not all(sound(self.x, value, self.given) for value in values):
                return False
            self.values.update(zip(step.slots, values, strict=True))
            return self.block(step.body, conditions)
        args = tuple(self._e(a) for a in s.args)
        if s.op == "if":
            inner = (*conditions, args[0])
            return sound(self.x, args[0], self.given) and self.block(s.body, inner) and self.block(s.orelse, inner)
        if s.op == "says":
            return True
        target = s.target
        if self._deciding(s):
            if s.op not in TURNS and s.op not in ("set", "take", "put"):
                return False
            index = () if target is None else tuple(self._e(i) for i in target.index)
            for e in (*args, *index, *conditions):
                facts = self.x.facts(e)
                if facts.course:
                    return False
                self.tells |= self.slot in facts.free
                self.needed |= facts.reads
            if target is not None:
                self.written.add(target.var)
            return True
        return s.op == "set" and target is not None and self._harmless(target.var, tuple(map(self._e, target.index)), args[0])

    def _harmless(self, var: int, index: tuple[E, ...], value: E) -> bool:
        """Whether setting an entry can be no fault, as far as is known here."""
        x, at = self.x, self.x.machine.fields[var]
        kind = at.type
        if not all(inside(k, i) and sound(x, i, self.given) for k, i in zip(at.index_types, index, strict=True)):
            return False
        first, key = var not in self.written, x.key(E("get", kind, index, var))
        self.written.add(var)
        if safe(kind, value):
            fixed, number = x.c.constant(value)
            if isinstance(kind, Number):
                self.most[var] = max(self.most.get(var, kind.low), int(number) if fixed else kind.high)
            return sound(x, value, self.given)
        if not isinstance(kind, Number) or value.op not in ("add", "sub") or x.key(value.args[0]) != key:
            return False
        fixed, amount = x.c.constant(value.args[1])
        if not fixed:
            return False
        amount = int(amount) if value.op == "add" else -int(amount)
        if amount >= 0:
            self.more[var] = self.more.get(var, 0) + amount
            return True
        return first and any(self._at_least(e, key, kind.low - amount) for e in self.known)

    def _at_least(self, e: E, key: int, least: int) -> bool:
        """Whether a condition says that an entry is at least so much."""
        if e.op not in ("gt", "ge") or self.x.key(e.args[0]) != key:
            return False
        fixed, value = self.x.c.constant(e.args[1])
        return bool(fixed) and int(value) + (e.op == "gt") >= least

    def condition(self) -> str | None:
        """No entry to which something is added is near the end of its range. None: that may not be enough."""
        asked = []
        for var, amount in sorted(self.more.items()):
            store = self.x.stores[var]
            assert isinstance(store.kind, Number)
            bound = store.kind.high - amount
            if self.most.get(var, bound) > bound:
                return None
            asked += _below(self.x, store, bound)
        return " && ".join(asked) or "1"

    # What is left

    def left(self, block: Block) -> Block:
        """The statements that decide."""
        found: list[S] = []
        for s in block:
            if s.op == "if":
                body, orelse = self.left(s.body), self.left(s.orelse)
                if body or orelse:
                    found.append(replace(s, body=body, orelse=orelse))
            elif s.op == "step":
                step = self.x.game.steps[s.data]
                body = self.left(step.body)
                used = self._used(body)
                found += [S("let", s.place, (a,), data=slot) for slot, a in zip(step.slots, s.args, strict=True) if slot in used]
                found += body
            elif self._deciding(s):
                found.append(s)
        return tuple(found)

    def _used(self, block: Block) -> set[int]:
        """The locals that a block reads."""
        found: set[int] = set()
        for s in block:
            for e in (*s.args, *(s.target.index if s.target is not None else ())):
                found |= self.x.facts(e).free
            found |= self._used(s.body) | self._used(s.orelse)
        return found


def _below(x: Emitter, store: Store, bound: int) -> list[str]:
    """Conditions in C that no entry is above a bound."""
    if not store.boards and 4 < store.field.length <= 128 and x.passes.bounds:
        store.bounds.add(bound)
        return [f"!{SetShape(store.field.length).some(f's->{store.over(bound)} ')}"]
    return [f"s->{store.name}[{i}] <= {bound}" for i in range(store.field.length)]
