"""A condition on a whole variable as constraints over its entries.

Conjunctions and `every` over what is known are written out; `no two … share x[…]` becomes an all-different group,
comparisons of entries become tables of allowed pairs, and whatever else there is becomes a check that waits until
the entries it reads have values.
"""

from __future__ import annotations

from typing import Any

from rulelang.engine.compiler import Compiler
from rulelang.engine.core import Core
from rulelang.engine.faults import PlayFault
from rulelang.engine.ops_state import entry_fn
from rulelang.engine.solver import Check, Problem
from rulelang.engine.values import all_values, values_in
from rulelang.machine.facts import BINDERS
from rulelang.model.ir import TRUE, E
from rulelang.model.types import SWITCH

_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
_TESTS: dict[str, Any] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}
Locals = dict[int, Any]


def ground(c: Compiler, rt: Core, var: int) -> Problem:
    """The constraints of a variable's `random with`."""
    return Grounder(c, rt, var).problem_of()


class Grounder:
    """Turns a condition on a whole variable into groups and checks on its entries; the rest of the state is given."""

    def __init__(self, c: Compiler, rt: Core, var: int) -> None:
        self.c = c
        self.rt = rt.copy()
        self.var = var
        self.field = c.fields[var]
        self.values = all_values(self.field.type)
        every = (1 << len(self.values)) - 1
        self.problem = Problem(self.field.length, self.values, [every] * self.field.length)
        self.problem.allowed = [[] for _ in range(self.field.length)]
        writer, offset = c.memory.writer(var), self.field.offset
        self.problem.write = lambda core, i, value: writer(core, offset + i, value)

    def problem_of(self) -> Problem:
        condition = self.c.game.variables[self.var].start.expr
        assert condition is not None
        self.add(condition, {}, False)
        self.problem.prepare()
        return self.problem

    def add(self, e: E, env: Locals, negated: bool) -> None:
        """Add what must hold (or, negated, must not)."""
        e = self.c.simple(e)
        if self.known(e):
            if bool(self.value(e, env)) == negated:
                self.problem.checks.append(Check((), lambda rt: False))
            return
        if e.op == "not":
            self.add(e.args[0], env, not negated)
        elif (e.op == "and" and not negated) or (e.op == "or" and negated):
            for part in e.args:
                self.add(part, env, negated)
        elif e.op == "call" and all(self.known(a) for a in e.args):
            define = self.c.game.defines[e.data]
            inner = dict(env)
            inner.update(zip(define.slots, (self.value(a, env) for a in e.args), strict=True))
            self.add(define.body, inner, negated)
        elif e.op in ("every", "no", "some") and (e.op == "some") == negated and all(map(self.known, e.args[:2])):
            domain, where, condition = e.args
            for x in list(values_in(domain.type)(self.value(domain, env))):
                inner = {**env, e.data: x}
                if self.value(where, inner):
                    self.add(condition, inner, e.op != "every")
        elif not ((e.op == "no_two" and not negated and self.add_different(e, env))
                  or (e.op in _TESTS and self.add_comparison(e, env, negated))):
            self.add_check(e, env, negated)

    def add_different(self, e: E, env: Locals) -> bool:
        domain, key = e.args[0], self.c.simple(e.args[-1])
        if not self.known(domain) or (len(e.args) == 3 and not self.known(e.args[1])):
            return False
        where = e.args[1] if len(e.args) == 3 else TRUE
        entries = []
        for x in values_in(domain.type)(self.value(domain, env)):
            inner = {**env, e.data: x}
            if self.value(where, inner):
                entry = self.entry(key, inner)
                if entry is None:
                    return False
                entries.append(entry)
        if len(set(entries)) < len(entries):
            self.problem.checks.append(Check((), lambda rt: False))
        else:
            self.problem.different.append(tuple(entries))
        return True

    def add_comparison(self, e: E, env: Locals, negated: bool) -> bool:
        """A comparison of an entry with what is known or with another entry."""
        one, two = (self.c.simple(a) for a in e.args)
        a, b = self.entry(one, env), self.entry(two, env)
        test = _TESTS[_OPPOSITE[e.op] if negated else e.op]
        order = e.op not in ("eq", "ne")
        if order and None in self.values:
            return False
        if a is not None and b is not None:
            if test is _TESTS["ne"] and a != b:
                self.problem.different.append((a, b))
                return True
            forth = tuple(self.mask(lambda y, x=x: test(x, y)) for x in self.values)
            back = tuple(self.mask(lambda x, y=y: test(x, y)) for y in self.values)
            self.problem.allowed[a].append((b, forth))
            self.problem.allowed[b].append((a, back))
            return True
        if a is not None and self.known(two):
            other = self.value(two, env)
            self.problem.domains[a] &= self.mask(lambda x: test(x, other))
            return True
        if b is not None and self.known(one):
            other = self.value(one, env)
            self.problem.domains[b] &= self.mask(lambda x: test(other, x))
            return True
        return False

    def mask(self, test: Any) -> int:
        found = 0
        for i, x in enumerate(self.values):
            if test(x):
                found |= 1 << i
        return found

    def add_check(self, e: E, env: Locals, negated: bool) -> None:
        found: set[int] = set()
        self.reads(e, env, found)
        asked = self.c.fn(e if not negated else E("not", SWITCH, (e,), None, e.place))
        self.problem.checks.append(Check(tuple(sorted(found)), asked, tuple(env.items())))

    def known(self, e: E) -> bool:
        """Whether an expression does not depend on the variable that is being solved for."""
        return self.var not in self.c.depends.of(e).reads

    def value(self, e: E, env: Locals) -> Any:
        for slot, x in env.items():
            self.rt.s[slot] = x
        return self.c.fn(e)(self.rt)

    def entry(self, e: E, env: Locals) -> int | None:
        """The entry that an expression is, if it is one."""
        if e.op != "get" or e.data != self.var or not all(self.known(a) for a in e.args):
            return None
        for slot, x in env.items():
            self.rt.s[slot] = x
        try:
            return int(entry_fn(self.c, self.var, e.args)(self.rt)) - self.field.offset
        except PlayFault:
            return None

    def reads(self, e: E, env: Locals, found: set[int]) -> None:
        """The entries that an expression may read; all of them where that cannot be told."""
        if self.known(e):
            return
        if e.op == "get" and e.data == self.var:
            entry = self.entry(e, env)
            found.update(range(self.field.length) if entry is None else (entry,))
        elif e.op in BINDERS and self.known(e.args[0]):
            for x in values_in(e.args[0].type)(self.value(e.args[0], env)):
                for part in e.args[1:]:
                    self.reads(part, {**env, e.data: x}, found)
        elif e.op == "call" and all(self.known(a) for a in e.args):
            define = self.c.game.defines[e.data]
            inner = dict(env)
            inner.update(zip(define.slots, (self.value(a, env) for a in e.args), strict=True))
            self.reads(define.body, inner, found)
        elif e.op in BINDERS or e.op in ("call", "layer"):
            found.update(range(self.field.length))
        else:
            for part in e.args:
                self.reads(part, env, found)
