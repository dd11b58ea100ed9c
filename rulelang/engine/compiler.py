"""From typed expressions to Python closures over a `Core`.

Each operation has a maker in one of the `ops_…` modules, registered in `MAKERS`: it takes the compiler and the
expression and gives a function of the core. Nothing is generated as text and nothing is evaluated from text.

What saves time, all of it invisible in what the rules mean:

* what depends on nothing is computed once (options, static board facts);
* what depends on one or two locals only, and costs something, is kept by their values;
* defines are kept by their arguments in `Core.memo` until a variable that they read is written;
* sets over one parameter are answered from masks by value (`engine.filters`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulelang.boards.tables import Tables, tables
from rulelang.engine.core import Core, Fn
from rulelang.engine.faults import PlayFault
from rulelang.engine.memory import Memory
from rulelang.machine.facts import BINDERS, Dependence
from rulelang.machine.material import hidden_supplies
from rulelang.machine.nodes import Machine
from rulelang.model.ir import E
from rulelang.model.types import BagOf, ListOf, SetOf, Type, is_scalar
from rulelang.source.diagnostic import RulelangError

if TYPE_CHECKING:
    from rulelang.engine.coverage import Coverage
    from rulelang.engine.filters import Filters

Maker = Callable[["Compiler", E], Fn]
MAKERS: dict[str, Maker] = {}

COSTLY = BINDERS | {
    "step", "step2", "ray", "rays", "leap", "slide", "between", "before", "neighbours", "reach", "distance", "area_at",
    "range", "kinds", "sum", "highest", "lowest", "placements", "bag_list", "list_bag", "recode_set", "plus", "minus",
    "copies", "bag_of", "bag_both", "as_bag", "cells",
}
_ATOMS = frozenset({"local", "const", "me", "option"})
_MISSING: Any = object()
_MOST_KEPT = 50_000


def maker(*names: str) -> Callable[[Maker], Maker]:
    """Register the maker of some operations."""

    def register(function: Maker) -> Maker:
        for name in names:
            MAKERS[name] = function
        return function

    return register


class Compiler:
    """Makes closures for the expressions of one machine."""

    def __init__(self, machine: Machine, coverage: Coverage | None = None) -> None:
        from rulelang.engine import (  # noqa: F401  (they register their makers)
            ops_basic,
            ops_board,
            ops_calls,
            ops_collections,
            ops_sets,
            ops_state,
        )
        from rulelang.engine.filters import Filters

        self.machine = machine
        self.game = machine.game
        self.hidden_supplies = hidden_supplies(machine.game)
        self.hidden = self.hidden_supplies | {n for n, one in enumerate(self.game.variables) if one.seen is not None}
        self.fields = machine.fields
        self.depends = Dependence(machine.game)
        self.coverage = coverage
        self.memory = Memory(machine)
        self.slots = machine.slots
        self.filters: Filters = Filters(self)
        self.count_moves: Callable[[Core], int] = _no_moves
        self._made: dict[int, tuple[E, Fn]] = {}
        self._simple: dict[int, tuple[E, E]] = {}
        self._scratch: Core | None = None

    @property
    def board(self) -> Tables:
        """The board's tables."""
        if self.game.board is None:
            raise RulelangError("this game has no board")
        return tables(self.game.board)

    def fn(self, e: E) -> Fn:
        """The closure of an expression."""
        known = self._made.get(id(e))
        if known is not None:
            return known[1]
        found = self._make(e)
        self._made[id(e)] = e, found
        return found

    def constant(self, e: E) -> tuple[bool, Any]:
        """Whether an expression is the same throughout a game, and its value then."""
        if e.op == "const":
            return True, e.data
        if e.op == "option":
            return True, self.game.settings[e.data]
        facts = self.depends.of(e)
        if facts.free or not facts.static:
            return False, None
        try:
            return True, self._raw(e)(self.scratch())
        except PlayFault:
            return False, None

    def in_the_open(self, e: E) -> bool:
        """Whether everybody may know what an expression comes to: nothing in it is, or may come from, what is hidden
        from somebody. Faults tell of other values only that they do not fit."""
        if not self.hidden:
            return True
        facts = self.depends.of(e)
        return not facts.free and not facts.reads & self.hidden

    def local(self, e: E) -> int:
        """The slot of an expression that is a local, else -1."""
        return e.data if e.op == "local" else -1

    def new_slot(self) -> int:
        """One more local, for the engine's own use."""
        self.slots += 1
        return self.slots - 1

    def scratch(self) -> Core:
        """A core to evaluate what needs no state in."""
        if self._scratch is None or len(self._scratch.s) < self.slots:
            self._scratch = Core(0, self.slots + 64, 0, 0, self.machine.seats, 0)
        return self._scratch

    def simple(self, e: E) -> E:
        """The expression with small defines written out where they are called with plain arguments."""
        known = self._simple.get(id(e))
        if known is not None:
            return known[1]
        found = self._simplify(e)
        self._simple[id(e)] = e, found
        return found

    def _simplify(self, e: E) -> E:
        if not e.args and e.op != "call":
            return e
        args = tuple(self.simple(a) for a in e.args)
        if e.op == "call" and self.coverage is None and all(a.op in _ATOMS for a in args):
            define = self.game.defines[e.data]
            if not costly(self.simple(define.body)):
                return substitute(self.simple(define.body), dict(zip(define.slots, args, strict=True)))
        if all(new is old for new, old in zip(args, e.args, strict=True)):
            return e
        return E(e.op, e.type, args, e.data, e.place)

    def _make(self, e: E) -> Fn:
        e = self.simple(e)
        fixed, value = self.constant(e)
        if fixed:
            return lambda rt: value
        facts = self.depends.of(e)
        if facts.static and e.op in COSTLY and 1 <= len(facts.free) <= 2:
            kept = self._keep(e)
            if kept is not None:
                return kept
        return self._raw(e)

    def _raw(self, e: E) -> Fn:
        make = MAKERS.get(e.op)
        if make is None:
            raise RulelangError(f"{e.place}: the interpreter does not know the operation `{e.op}`")
        return make(self, e)

    def _keep(self, e: E) -> Fn | None:
        """The closure of a static expression over few locals, which remembers its values."""
        kinds = free_locals(self, e)
        if not all(is_scalar(kind) or isinstance(kind, (SetOf, BagOf, ListOf)) for kind in kinds.values()):
            return None
        made = self._raw(e)
        table: dict[Any, Any] = {}
        slots = sorted(kinds)
        if len(slots) == 1:
            slot = slots[0]

            def one(rt: Core) -> Any:
                x = rt.s[slot]
                found = table.get(x, _MISSING)
                if found is _MISSING:
                    if len(table) > _MOST_KEPT:
                        table.clear()
                    found = table[x] = made(rt)
                return found

            return one
        first, second = slots

        def two(rt: Core) -> Any:
            s = rt.s
            pair = s[first], s[second]
            found = table.get(pair, _MISSING)
            if found is _MISSING:
                if len(table) > _MOST_KEPT:
                    table.clear()
                found = table[pair] = made(rt)
            return found

        return two


def costly(e: E) -> bool:
    """Whether anything in an expression is worth remembering, or binds locals."""
    return e.op in COSTLY or e.op == "call" or any(costly(a) for a in e.args)


def substitute(e: E, values: dict[int, E]) -> E:
    """An expression without binders, with these locals replaced."""
    if e.op == "local":
        return values.get(e.data, e)
    if not e.args:
        return e
    return E(e.op, e.type, tuple(substitute(a, values) for a in e.args), e.data, e.place)


def free_locals(c: Compiler, e: E) -> dict[int, Type]:
    """The types of the locals that an expression reads from outside."""
    found: dict[int, Type] = {}

    def walk(x: E, bound: frozenset[int]) -> None:
        if x.op == "local":
            if x.data not in bound:
                found[x.data] = x.type
        elif x.op in BINDERS:
            walk(x.args[0], bound)
            for a in x.args[1:]:
                walk(a, bound | {x.data})
        else:
            for a in x.args:
                walk(a, bound)

    walk(e, frozenset())
    return found


def _no_moves(rt: Core) -> int:
    raise RulelangError("moves are counted only once the whole game is compiled")
