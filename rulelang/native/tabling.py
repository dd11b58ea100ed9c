"""What is static as tables: everything that depends on the board and on a few locals with few values only.

A static expression is computed by the interpreter for all values of its locals when the C text is made, and is one look
into a table in play. A question to the board about values that are known only in play is made such a table by giving
the values to locals first (`lift`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulelang.engine.faults import PlayFault
from rulelang.model.ir import E
from rulelang.model.types import BagOf, DeckOf, Line, ListOf, Maybe, Number, SetOf, Type, is_scalar, size_of, value_at
from rulelang.native.shapes import MOST_IN_BAG, Declined, index_text, plain_number, scalar, set_shape
from rulelang.native.storage import cell_type
from rulelang.native.text import Fn, place_comment

if TYPE_CHECKING:
    from rulelang.engine.compiler import Compiler
    from rulelang.machine.facts import Dependence
    from rulelang.machine.nodes import Machine
    from rulelang.native.shapes import SetShape
    from rulelang.source.diagnostic import Place

BOARD = frozenset({
    "row", "column", "x_of", "y_of", "z_of", "height", "mirror", "area_at", "cubes", "table", "recode", "number_of",
    "recode_set", "step", "step2", "ray", "rays", "leap", "between", "before", "neighbours", "distance", "placements",
})
_LIFTED = BOARD | {
    "if", "need", "one", "union", "both", "without", "set_of", "lift", "cells", "next_seat", "opponent", "field"}
MOST_ENTRIES = 8192
MOST_WORDS = 24576
_NONE_CODED: Any = "none is -128"


class Tabling:
    """The part of the emitter that makes tables. What it uses of the rest is declared first."""

    machine: Machine
    c: Compiler
    depends: Dependence
    tables: list[str]
    _static: dict[Any, str]
    _lifted: dict[Any, E]
    _lift_slots: dict[tuple[int, Type], int]
    _faulty: dict[str, int]
    _made_tables: dict[Any, tuple[str, list[tuple[int, Type]], Any] | None]

    if TYPE_CHECKING:
        def value(self, fn: Fn, e: E) -> str: ...
        def local(self, fn: Fn, e: E) -> str: ...
        def element_ctype(self, of: Type) -> str: ...
        def bag_type(self, kind: Type) -> str: ...
        def set_type(self, shape: SetShape) -> str: ...
        def list_type(self, element: str, most: int) -> str: ...
        def key(self, e: E) -> int: ...
        def static(self, e: E) -> bool: ...
        def total(self, e: E) -> bool: ...
        def fault(self, place: Place, code: str, what: str, more: Any = None) -> int: ...

    # What is fixed

    def const(self, kind: Type, value: Any) -> str:
        """A fixed value in C."""
        if isinstance(kind, SetOf):
            return set_shape(kind).const(int(value or 0))
        if isinstance(kind, BagOf):
            if sum(value) > MOST_IN_BAG:
                raise Declined(f"a bag comes to more than {MOST_IN_BAG:,} things")
            return f"(({self.bag_type(kind)}){{{{{', '.join(map(str, value))}}}}})"
        if isinstance(kind, (Line, ListOf, DeckOf)):
            return self.static_list(kind, value)
        return plain_number(value)

    def static_list(self, kind: Type, values: Any) -> str:
        """A fixed list as a static table."""
        of = element_of(kind)
        key = (kind if not isinstance(kind, ListOf) else ("list", of), tuple(values))
        known = self._static.get(key)
        if known is None:
            known = f"K{len(self._static)}"
            self._static[key] = known
            ctype = self.list_type(self.element_ctype(of), max(1, len(values)))
            self.tables.append(f"static const {ctype} {known} = {self._list_initial(of, values)};")
        return known

    def static_list_of_numbers(self, values: tuple[Any, ...]) -> str:
        """A fixed table of numbers, some perhaps none."""
        key = ("numbers", values)
        if key not in self._static:
            there = [v for v in values if v is not None]
            ctype = "num" if None in values else cell_type(min(there, default=0), max(there, default=0))
            self._static[key] = f"N{len(self._static)}"
            text = ", ".join(plain_number(v) for v in values)
            self.tables.append(f"static const {ctype} {self._static[key]}[{len(values)}] = {{{text}}};")
        return self._static[key]

    def static_sets(self, values: tuple[int, ...], shape: SetShape) -> str:
        """A fixed table of sets."""
        key = ("sets", values, shape)
        if key not in self._static:
            self._static[key] = f"M{len(self._static)}"
            text = ", ".join(shape.initial(v or 0) for v in values)
            self.tables.append(f"static const {self.set_type(shape)} {self._static[key]}[{len(values)}] = {{{text}}};")
        return self._static[key]

    def _list_initial(self, of: Type, values: Any) -> str:
        parts = ", ".join(self.initial(of, value) for value in values) or "0"
        return f"{{{len(values)}, {{{parts}}}}}"

    def initial(self, kind: Type, value: Any) -> str:
        """A fixed value in the initialiser of a table."""
        if isinstance(kind, SetOf):
            return set_shape(kind).initial(int(value))
        if isinstance(kind, BagOf):
            return f"{{{{{', '.join(map(str, value))}}}}}"
        if isinstance(kind, (Line, ListOf, DeckOf)):
            return self._list_initial(element_of(kind), value)
        return plain_number(value)

    # Tables of what is static

    def tabulated(self, fn: Fn, e: E) -> str | None:
        """A look into a table, for what is static in a few locals with few values."""
        made = self.table_of(e)
        if made is None:
            return None
        name, variables, kind = made
        place = ""
        if name in self._faulty and self.total(e):
            return None
        for slot, of in variables:
            held = fn.me if slot < 0 else self.local(fn, E("local", of, (), slot))
            if isinstance(of, Maybe):
                held = fn.atom("num", held)
            index = index_text(of, held)
            place = f"({place}) * {size_of(of)} + {index}" if place else index
        if name in self._faulty:
            place = fn.atom("int", place)
            fn.line(f"if (unlikely(F{name}[{place}])) fail(g, {self._faulty[name]}, 0);")
        return f"{name}[{place}]" if kind is not _NONE_CODED else f"({name}[{place}] == -128 ? NONE : (num){name}[{place}])"

    def table_of(self, e: E) -> tuple[str, list[tuple[int, Type]], Any] | None:
        """The table of a static expression: its name, the locals that it is indexed by, the type of its entries."""
        if not self.static(e) or not (scalar(e.type) or isinstance(e.type, (SetOf, Line, ListOf))):
            return None
        key = self.key(e)
        if key not in self._made_tables:
            self._made_tables[key] = self._make_table(e)
        return self._made_tables[key]

    def _make_table(self, e: E) -> tuple[str, list[tuple[int, Type]], Any] | None:
        from rulelang.engine.compiler import free_locals

        kinds = free_locals(self.c, e)
        if not all(is_scalar(kind) for kind in kinds.values()):
            return None
        variables = sorted(kinds.items())
        if self.depends.of(e).me:
            variables.insert(0, (-1, Number(0, self.machine.seats - 1)))
        entries = 1
        for _, kind in variables:
            entries *= size_of(kind)
        words = set_shape(e.type).words if isinstance(e.type, SetOf) else 1
        if not variables or entries > MOST_ENTRIES or entries * words > MOST_WORDS:
            return None
        faults: list[tuple[int, PlayFault]] = []
        values = self._all_values(e, variables, faults)
        if values is None:
            return None
        name = f"T{len(self.tables)}"
        if faults:
            places = {fault.diagnostic.place for _, fault in faults}
            if len(places) > 1 or any(fault.diagnostic.code != "nothing-there" for _, fault in faults):
                return None
            flags = ["0"] * entries
            for at, _ in faults:
                flags[at] = "1"
            self.tables.append(f"static const u8 F{name}[{entries}] = {{{', '.join(flags)}}};")
            name = f"T{len(self.tables)}"
            self.tables[-1] = self.tables[-1].replace(f"F{name[0]}{int(name[1:]) - 1}[", f"F{name}[", 1)
            self._faulty[name] = self.fault(next(iter(places)), "nothing-there", "need")
        if isinstance(e.type, SetOf):
            ctype: str = self.set_type(set_shape(e.type))
        elif isinstance(e.type, (Line, ListOf)):
            most = max(1, *map(len, values))
            if most * entries > MOST_WORDS:
                return None
            ctype = self.list_type(self.element_ctype(element_of(e.type)), most)
            self._static[("cap", self.key(e))] = str(most)
        else:
            there = [int(v) for v in values if v is not None]
            low, high = min(there, default=0), max(there, default=0)
            if None in values and low > -128 and high < 128:
                text = ", ".join(str(-128 if v is None else int(v)) for v in values)
                return self._table(name, f"int8_t [{entries}]", text, e.place), variables, _NONE_CODED
            ctype = "num" if None in values else cell_type(low, high)
        text = ", ".join(self.initial(e.type, value) for value in values)
        return self._table(name, f"{ctype} [{entries}]", text, e.place), variables, e.type

    def _table(self, name: str, kind: str, text: str, place: Place) -> str:
        """The table with these entries: one that is there already, or else a new one of this name. One with faults
        among its entries is always a new one, since a fault has a place."""
        key = ("table", kind, text, name if name in self._faulty else "")
        if key not in self._static:
            self._static[key] = name
            self.tables.append(f"static const {kind.replace('[', name + '[')} = {{{text}}};  {place_comment(place)}")
        return str(self._static[key])

    def _all_values(self, e: E, variables: list[tuple[int, Type]],
                    faults: list[tuple[int, PlayFault]] | None = None) -> list[Any] | None:
        asked, rt = self.c.fn(e), self.c.scratch()
        found: list[Any] = []

        def fill(i: int) -> None:
            if i == len(variables):
                empty: Any = 0 if isinstance(e.type, SetOf) else () if isinstance(e.type, (Line, ListOf)) else None
                try:
                    found.append(asked(rt))
                except TypeError:                       # none where the rules cannot come to it
                    found.append(empty)
                except PlayFault as fault:
                    if faults is None:
                        raise
                    faults.append((len(found), fault))
                    found.append(empty)
                return
            slot, kind = variables[i]
            for n in range(size_of(kind)):
                if slot < 0:
                    rt.me = n
                else:
                    rt.s[slot] = value_at(kind, n)
                fill(i + 1)

        try:
            fill(0)
        except (PlayFault, IndexError, TypeError, ValueError):
            return None
        return found

    def lift(self, fn: Fn, e: E) -> str | None:
        """A question to the board about computed values: these become locals, so that it can be a table."""
        held: list[tuple[int, str]] = []

        def lifted(x: E) -> E | None:
            if self.static(x):
                return x
            if scalar(x.type) and is_scalar(x.type) and x is not e:
                slot = self._lift_slots.get((len(held), x.type))
                if slot is None:
                    slot = self._lift_slots[len(held), x.type] = self.c.new_slot()
                    if slot >= len(self.c.scratch().s):
                        self.c._scratch = None
                held.append((slot, fn.atom("num", self.value(fn, x))))
                return E("local", x.type, (), slot)
            if x.op not in _LIFTED:
                return None
            args = []
            for a in x.args:
                made = lifted(a)
                if made is None:
                    return None
                args.append(made)
            return E(x.op, x.type, tuple(args), x.data, x.place)

        if not self._liftable(e, e):
            return None
        made = lifted(e)
        if made is None or not held:
            return None
        kept = self._lifted.setdefault(self.key(made), made)
        before = dict(fn.env)
        for slot, name in held:
            fn.env[slot] = name
        found = self.tabulated(fn, kept)
        fn.env = before
        return found

    def _liftable(self, x: E, top: E) -> bool:
        x = self.c.simple(x)
        if self.static(x) or (x is not top and is_scalar(x.type)):
            return True
        return x.op in _LIFTED and all(self._liftable(a, top) for a in x.args)


def element_of(kind: Type) -> Type:
    """What a collection holds."""
    if isinstance(kind, Line):
        return Number(0, 4095)
    assert isinstance(kind, (SetOf, BagOf, DeckOf, ListOf)), kind
    return kind.of
