"""What writes the C text of one game: expressions go through `Emitter.value`, which knows what is fixed, what is a
table, what was computed before, and else asks the writer of the operation (`WRITERS`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulelang.engine.compiler import COSTLY, Compiler
from rulelang.engine.effects import MOST_WORK
from rulelang.engine.values import contains, indexer
from rulelang.machine.facts import BINDERS, Facts
from rulelang.machine.nodes import Machine
from rulelang.model.ir import E
from rulelang.model.types import BagOf, DeckOf, Line, ListOf, Maybe, SetOf, Type, size_of
from rulelang.native.passes import Passes
from rulelang.native.shapes import (
    Declined,
    SetShape,
    bag_size,
    index_text,
    lowest,
    scalar,
    set_shape,
)
from rulelang.native.storage import Store, make_store
from rulelang.native.tabling import BOARD, Tabling, element_of
from rulelang.native.text import Fn, ident, place_comment
from rulelang.source.diagnostic import NOWHERE, Place

Writer = Callable[["Emitter", Fn, E], str]
WRITERS: dict[str, Writer] = {}

KEPT = COSTLY | {"call", "union", "both", "without", "count", "set_of", "plus", "minus", "in", "meets", "within", "need"}


def writes(*names: str) -> Callable[[Writer], Writer]:
    """Register the writer of some operations."""

    def register(function: Writer) -> Writer:
        for name in names:
            WRITERS[name] = function
        return function

    return register


class Emitter(Tabling):
    """Writes the C text of one machine."""

    def __init__(self, machine: Machine, passes: Passes) -> None:
        from rulelang.native import bags, boards, scalars, sequences, sets  # noqa: F401  (they register their writers)

        self.machine = machine
        self.game = machine.game
        self.passes = passes
        self.c = Compiler(machine)
        self.depends = self.c.depends
        self.stores: list[Store] = [make_store(n, f, passes.layers) for n, f in enumerate(machine.fields)]
        self.types: dict[str, str] = {}                     # declarations of C types by name, in order
        self.set_vars: set[int] = set()                     # variables whose entries are set by a C function
        self.step_names: set[str] = set()
        self.bound: dict[int, list[E]] = {}                 # the bags that locals may stand for (see `lengths`)
        self.caps: dict[int, int] = {}                      # the most values of lists in locals
        self.tables: list[str] = []                         # static tables
        self.functions: list[str] = []
        self.faults: list[tuple[Place, str, str, Any]] = []  # place, code, what happened, more
        self.persistent: dict[int, str] = {}                # slots that live in the state: their C declaration
        self._ids: dict[Any, int] = {}
        self._keys: dict[int, tuple[E, int]] = {}
        self._total: dict[int, tuple[E, bool]] = {}
        self._faulty: dict[str, int] = {}                   # tables with entries that are faults
        self._made_tables: dict[Any, tuple[str, list[tuple[int, Type]], Type] | None] = {}
        self._static: dict[Any, str] = {}
        self._defines: dict[int, tuple[str, list[int]]] = {}
        self._lifted: dict[Any, E] = {}
        self._lift_slots: dict[tuple[int, Type], int] = {}
        self.slot_types = _slot_types(machine)
        self.most_work = MOST_WORK

    # Values

    def value(self, fn: Fn, e: E) -> str:
        """An expression in C; what it needs before is written to `fn`."""
        e = self.c.simple(e)
        fixed, value = self.c.constant(e)
        if fixed:
            return self.const(e.type, value)
        if e.op == "local":
            return self.local(fn, e)
        if e.op == "call" and self.passes.common:
            from rulelang.native.inline import inlined, small

            if small(self, e) and not (self.boardy(e) and self.tabulated(fn, e) is not None):
                return self.value(fn, inlined(self, e))
        kept = e.op in KEPT and self.passes.common
        key = (self.key(e), fn.state, fn.me) if kept else None
        if kept:
            known = fn.recall(key)
            if known is not None:
                return known
        found = self.tabulated(fn, e) if e.op in BOARD or self.boardy(e) else None
        if found is None:
            found = self.lift(fn, e) if e.op in BOARD else None
        if found is None:
            writer = WRITERS.get(e.op)
            if writer is None:
                raise Declined(f"the native engine does not know the operation `{e.op}`")
            found = writer(self, fn, e)
        if kept and not self.depends.of(e).course and not isinstance(e.type, (Line, ListOf, DeckOf)):
            found = fn.atom(self.ctype_of(e), found)
            fn.remember(key, found, self.depends.of(e).reads)
        return found

    def local(self, fn: Fn, e: E) -> str:
        """A local of the rules."""
        if e.data in fn.env:
            return fn.env[e.data]
        if e.data in self.persistent:
            return f"{fn.state}->{self.persistent[e.data]}"
        raise Declined(f"a local of the rules is read before it is set ({e.data})")

    # C types

    def ctype_of(self, e: E) -> str:
        """The C type of an expression's value."""
        kind = e.type
        if isinstance(kind, (Line, ListOf, DeckOf)):
            from rulelang.native.lengths import cap

            fixed, value = self.c.constant(e)
            most = max(1, len(value)) if fixed else cap(self, e)
            return self.list_type(self.element_ctype(element_of(kind)), most)
        return self.ctype(kind)

    def ctype(self, kind: Type) -> str:
        """The C type of values of a type."""
        if isinstance(kind, SetOf):
            return self.set_type(set_shape(kind))
        if isinstance(kind, BagOf):
            return self.bag_type(kind)
        if isinstance(kind, DeckOf):
            return self.list_type("num", max(1, kind.most))
        if isinstance(kind, Line):
            return self.list_type("num", len(self.c.board.board))
        if scalar(kind):
            return "num"
        raise Declined(f"a value of the type {kind} is kept where the native engine does not know how")

    def element_ctype(self, of: Type) -> str:
        """The C type of a list's elements."""
        return "num" if scalar(of) else self.ctype(of)

    def set_type(self, shape: SetShape) -> str:
        """The C type of a set, declared if it is a struct."""
        if shape.words > 2:
            from rulelang.native.prelude import wide_sets

            self.types.setdefault(shape.ctype, wide_sets(shape.words))
        return shape.ctype

    def bag_type(self, kind: Type) -> str:
        """The C type of a bag, declared with its operations."""
        n = bag_size(kind)
        name = f"bag{n}"
        if name not in self.types:
            from rulelang.native.bags import declared

            self.types[name] = declared(n)
        return name

    def list_type(self, element: str, most: int) -> str:
        """The C type of a list of at most so many."""
        name = f"list{most}_{element}"
        if name not in self.types:
            self.types[name] = f"typedef struct {{ int n; {element} v[{most}]; }} {name};"
        return name

    # What is known about expressions

    def key(self, e: E) -> int:
        """The same number for expressions that are written alike."""
        known = self._keys.get(id(e))
        if known is not None:
            return known[1]
        data = e.data if _hashable(e.data) else repr(e.data)
        shape = (e.op, type(data).__name__, data, str(e.type) if e.op in ("const", "local", "if") else None,
                 tuple(self.key(a) for a in e.args))
        found = self._ids.setdefault(shape, len(self._ids))
        self._keys[id(e)] = e, found
        return found

    def facts(self, e: E) -> Facts:
        """What an expression depends on."""
        return self.depends.of(e)

    def static(self, e: E) -> bool:
        """Whether an expression depends on locals and the acting seat only."""
        facts = self.depends.of(e)
        return not (facts.reads or facts.course)

    def boardy(self, e: E) -> bool:
        """Whether an expression is worth a table: static, with a question to the board or a binder in it."""
        return self.static(e) and not is_atom(e) and _asks(self, e)

    def total(self, e: E) -> bool:
        """Whether computing an expression can never be a fault."""
        known = self._total.get(id(e))
        if known is not None:
            return known[1]
        found = self._is_total(e)
        self._total[id(e)] = e, found
        return found

    def _is_total(self, e: E) -> bool:
        if e.op in ("need", "fit", "cell_of"):
            from rulelang.native.bounds import never_faults

            return self.static(e) and never_faults(self, e, ())
        if e.op == "top":
            return False
        if e.op in ("div", "mod"):
            fixed, value = self.c.constant(e.args[1])
            if not fixed or not value:
                return False
        if e.op == "get":
            kinds = self.machine.fields[e.data].index_types
            if not all(inside(kind, a) for kind, a in zip(kinds, e.args, strict=True)):
                return False
        if e.op == "table":
            kinds = self.game.tables[e.data].index_types
            if not all(contains(kind, a.type.of if isinstance(a.type, Maybe) else a.type)
                       for kind, a in zip(kinds, e.args, strict=True)):
                return False
        if e.op == "call" and not self.total(self.game.defines[e.data].body):
            return False
        return all(self.total(a) for a in e.args)

    # Faults

    def fault(self, place: Place, code: str, what: str, more: Any = None) -> int:
        """The number of a fault; `what` and `more` say what `native.faults` makes of it."""
        entry = (place, code, what, more)
        for number, known in enumerate(self.faults):
            if known == entry:
                return number
        self.faults.append(entry)
        return len(self.faults) - 1

    def index(self, fn: Fn, e: E, kind: Type, name: str) -> str:
        """The number of an index in C, tested where it can lie outside."""
        value = self.value(fn, e)
        if inside(kind, e):
            return index_text(kind, value)
        value = fn.atom("num", value)
        if isinstance(e.type, Maybe) and not isinstance(kind, Maybe):
            number = self.fault(e.place, "nothing-there", "index", name)
            fn.line(f"if (unlikely({value} == NONE)) fail(g, {number}, 0);")
            if contains(kind, e.type.of):
                return index_text(kind, value)
        number = self.fault(e.place, "no-such-entry", "entry", name)
        at = fn.atom("num", index_text(kind, value))
        fn.line(f"if (unlikely((u64)(i64){at} >= {size_of(kind)}u)) fail(g, {number}, {value});")
        return at

    def entry(self, fn: Fn, var: int, indices: tuple[E, ...]) -> str:
        """The flat place of an entry within its variable."""
        at = self.machine.fields[var]
        fixed, parts = 0, []
        for e, kind, stride in zip(indices, at.index_types, at.strides, strict=True):
            known, value = self.c.constant(e)
            if known and value is not None and 0 <= indexer(kind)(value) < size_of(kind):
                fixed += indexer(kind)(value) * stride
            else:
                text = self.index(fn, e, kind, at.name)
                parts.append(text if stride == 1 else f"({text}) * {stride}")
        if fixed or not parts:
            parts.append(str(fixed))
        return " + ".join(parts)

    # Defines

    def define(self, number: int, arguments: tuple[E, ...]) -> tuple[str, list[int]]:
        """The C function of a define, and its parameters' slots."""
        known = self._defines.get(number)
        if known is not None:
            return known
        define = self.game.defines[number]
        name = ident(f"d{number}", define.name)
        self._defines[number] = name, list(define.slots)
        fn = Fn()
        heads = []
        for i, slot in enumerate(define.slots):
            kind = self.slot_types.get(slot, arguments[i].type)
            if isinstance(kind, ListOf):
                raise Declined(f"`{define.name}` takes a list")
            heads.append(f"{self.ctype(kind)} p{i}")
            fn.env[slot] = f"p{i}"
        ctype = self.ctype_of(define.body)
        result = self.value(fn, define.body)
        head = ", ".join(["Game *g UNUSED", "const State *s UNUSED", "num me UNUSED", *heads])
        body = "\n".join([*fn.lines, f"  return {result};"])
        self.functions.append(f"{place_comment(define.place, 'define ' + define.name)}\n"
                              f"static {ctype} {name}({head}) {{\n{body}\n}}\n")
        return self._defines[number]


def is_atom(e: E) -> bool:
    """Whether an expression costs nothing."""
    return e.op in ("local", "const", "me", "option", "turns", "rounds")


def _asks(x: Emitter, e: E) -> bool:
    if e.op in BOARD or e.op in BINDERS or e.op in ("range", "call", "cell_of"):
        return True
    return any(_asks(x, a) for a in e.args)


def inside(kind: Type, e: E) -> bool:
    """Whether an index can never lie outside."""
    return contains(kind, e.type) and (isinstance(kind, Maybe) or not isinstance(e.type, Maybe))


def _hashable(data: Any) -> bool:
    try:
        hash(data)
    except TypeError:
        return False
    return True


def expressions(machine: Machine) -> Iterator[E]:
    """Every expression of the rules, with those in it."""
    seen: set[int] = set()

    def walk(x: Any) -> Iterator[E]:
        if isinstance(x, E):
            if id(x) in seen:
                return
            seen.add(id(x))
            yield x
            for a in x.args:
                yield from walk(a)
        elif isinstance(x, (tuple, list)):
            for one in x:
                yield from walk(one)
        elif hasattr(x, "__dataclass_fields__") and not isinstance(x, (Type, Place)):
            for name in x.__dataclass_fields__:
                yield from walk(getattr(x, name))

    game = machine.game
    for part in (game.defines, game.steps, game.actions, game.phases, game.ends, game.ranks, game.result,
                 game.variables, game.limit, game.clock, machine.nodes):
        yield from walk(part)


def _slot_types(machine: Machine) -> dict[int, Type]:
    """The type of each local, as it is read somewhere; one that may be none counts more."""
    found: dict[int, Type] = {}
    for e in expressions(machine):
        if e.op == "local" and not isinstance(found.get(e.data), Maybe):
            found[e.data] = e.type
    return found


__all__ = ["NOWHERE", "Emitter", "element_of", "lowest", "writes"]
