"""Bags that can hold one of each kind at most, held as sets.

Where a component is one of each (`each: 1`) and no rule can make more (`material.conserves`), a bag of it never holds two
alike: which kinds it holds says everything. The game is rewritten before anything is written for it: such variables
become sets, and `count of`, `kinds of`, `in` and comparisons of them questions to a set; then a deal takes the k-th bit,
a move between places is two operations, and none of the passes after this one need know. Where a bag is asked for all
the same, `as_bag` makes one.

A variable is rewritten only if everything that rules take from it or put into it is known to hold one of each at
most: what a set or a single value becomes, what another such variable holds, or a local that one of these was given to.
Taking two from a bag of one is a fault, which a set would not see.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rulelang.machine import Machine, build
from rulelang.model.game import Action, Block, Clause, End, Game, Phase, Rank, Start, Variable
from rulelang.model.ir import E, S, Target
from rulelang.model.material import blocks
from rulelang.model.types import BagOf, SetOf, size_of
from rulelang.native.material import conserves


def with_sets(machine: Machine) -> tuple[Machine, frozenset[int]]:
    """The machine with bags of single things as sets, and which variables these are."""
    found = _single(machine.game)
    if not found:
        return machine, found
    made = build(_Rewriter(machine.game, found).game())
    assert len(made.nodes) == len(machine.nodes) and made.streams == machine.streams
    return made, found


def _single(game: Game) -> frozenset[int]:
    """The variables that can be sets."""
    found: set[int] = set()
    for component in game.components:
        if component.each == 1 and conserves(game, component):
            for var in component.variables:
                kind = game.variables[var].type
                if isinstance(kind, BagOf) and kind.most >= size_of(kind.of):
                    found.add(var)
    size = -1
    while size != len(found):
        size = len(found)
        rewriter = _Rewriter(game, found)
        for block in blocks(game):
            found -= rewriter.unfit(block)
    return frozenset(found)


class _Rewriter:
    """Writes a game anew. `sets`: locals that hold a set instead of a bag."""

    def __init__(self, source: Game, variables: Iterable[int]) -> None:
        self.source = source
        self.variables = frozenset(variables)
        self.sets: dict[int, SetOf] = {}

    def unfit(self, block: Block) -> set[int]:
        """Variables from which something is taken, or into which it is put, that may hold two alike."""
        found: set[int] = set()
        for s in block:
            if s.op == "let":
                self.s(s)
            elif s.target is not None and s.target.var in self.variables and s.op not in ("draw", "deal") \
                    and (s.op not in ("take", "put") or self.as_set(self.e(s.args[0])) is None):
                found.add(s.target.var)
            found |= self.unfit(s.body) | self.unfit(s.orelse)
        return found

    # Expressions

    def e(self, e: E) -> E:
        """An expression, of the same type as before."""
        args = tuple(self.e(a) for a in e.args)
        if e.op == "get" and e.data in self.variables:
            assert isinstance(e.type, BagOf)
            return E("as_bag", e.type, (E("get", SetOf(e.type.of), args, e.data, e.place),), None, e.place)
        if e.op == "local" and e.data in self.sets:
            return E("as_bag", e.type, (E("local", self.sets[e.data], (), e.data, e.place),), None, e.place)
        made = self._asked(e, args)
        if made is not None:
            return made
        return E(e.op, e.type, args, e.data, e.place) if args else e

    def _asked(self, e: E, args: tuple[E, ...]) -> E | None:
        """A question to a bag that is a set, asked of the set."""
        if e.op not in ("count", "kinds", "in_bag", "holds", "eq", "ne", "bag_list"):
            return None
        sets = [self.as_set(a) if isinstance(a.type, BagOf) else None for a in args]
        if e.op == "kinds":
            return sets[0]
        if e.op in ("count", "bag_list") and sets[0] is not None:
            return E(e.op, e.type, (sets[0],), e.data, e.place)
        if e.op == "in_bag" and sets[1] is not None:
            return E("in", e.type, (args[0], sets[1]), None, e.place)
        if e.op == "holds" and sets[0] is not None and sets[1] is not None:
            return E("within", e.type, (sets[1], sets[0]), None, e.place)
        if e.op in ("eq", "ne") and sets[0] is not None and sets[1] is not None:
            return E(e.op, e.type, (sets[0], sets[1]), e.data, e.place)
        return None

    def as_set(self, e: E) -> E | None:
        """A bag that holds one of each at most as the set of its kinds; None if it may hold more."""
        if not isinstance(e.type, BagOf):
            return None
        kind = SetOf(e.type.of)
        if e.op == "as_bag":
            return e.args[0]
        if e.op == "one_bag":
            return E("one", kind, e.args, None, e.place)
        if e.op == "const" and max(e.data, default=0) <= 1:
            return E("const", kind, (), sum(n << i for i, n in enumerate(e.data)), e.place)
        return None

    def _e(self, e: Any) -> Any:
        return self.e(e) if isinstance(e, E) else e

    # Statements

    def block(self, block: Block | None) -> Any:
        """A block."""
        return None if block is None else tuple(self.s(s) for s in block)

    def s(self, s: S) -> S:
        """A statement."""
        args = tuple(self.e(a) for a in s.args)
        if s.op == "let" and args[0].op == "as_bag" and args[0].args[0].op in ("get", "local"):
            held = args[0].args[0]
            assert isinstance(held.type, SetOf)
            self.sets[s.data] = held.type
            args = (held,)
        elif s.op in ("take", "put") and s.target is not None and s.target.var in self.variables:
            whole = self.as_set(args[0])
            assert whole is not None
            args = (whole,)
        elif s.op == "draw" and args and self.as_set(args[0]) is not None:
            args = (self.as_set(args[0]),)  # type: ignore[assignment]
        return replace(s, args=args, target=self._target(s.target), source=self._target(s.source),
                       body=self.block(s.body), orelse=self.block(s.orelse))

    def _target(self, target: Target | None) -> Target | None:
        return None if target is None else replace(target, index=tuple(self.e(i) for i in target.index))

    # The game

    def game(self) -> Game:
        """The whole game."""
        g = self.source
        return replace(
            g, variables=tuple(self._variable(n, v) for n, v in enumerate(g.variables)),
            defines=tuple(replace(d, body=self.e(d.body)) for d in g.defines),
            steps=tuple(replace(step, body=self.block(step.body)) for step in g.steps),
            setup=self.block(g.setup), turn_begin=self.block(g.turn_begin), turn_end=self.block(g.turn_end),
            round_begin=self.block(g.round_begin), round_end=self.block(g.round_end),
            phases=tuple(self._phase(p) for p in g.phases), actions=tuple(self._action(a) for a in g.actions),
            ends=tuple(self._end(end) for end in g.ends), ranks=tuple(self._rank(r) for r in g.ranks),
            result=None if g.result is None else self._rank(g.result),
            limit=None if g.limit is None else (self.e(g.limit[0]), self.block(g.limit[1])),
            clock=None if g.clock is None else (self.e(g.clock[0]), self.block(g.clock[1])))

    def _variable(self, number: int, v: Variable) -> Variable:
        start = v.start if v.start.expr is None else replace(v.start, expr=self.e(v.start.expr))
        if number not in self.variables:
            return replace(v, start=start)
        assert isinstance(v.type, BagOf)
        masks = tuple(sum(n << i for i, n in enumerate(bag)) for bag in start.values)
        return replace(v, type=SetOf(v.type.of), start=Start("value", masks))

    def _phase(self, p: Phase) -> Phase:
        return replace(p, who=self._e(p.who), begin=self.block(p.begin), best=tuple(self.e(e) for e in p.best),
                       after=self.block(p.after), stuck=self.block(p.stuck))

    def _action(self, a: Action) -> Action:
        return replace(a, clauses=tuple(self._clause(c) for c in a.clauses))

    def _clause(self, c: Clause) -> Clause:
        amount = None if c.amount is None else (self.e(c.amount[0]), self.e(c.amount[1]))
        return replace(c, domain=self._e(c.domain), where=self._e(c.where), amount=amount, value=self._e(c.value),
                       effects=self.block(c.effects))

    def _end(self, end: End) -> End:
        return replace(end, when=self.e(end.when), then=self.block(end.then))

    def _rank(self, rank: Rank) -> Rank:
        return replace(rank, value=self.e(rank.value))
