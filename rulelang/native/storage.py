"""Where each state variable is in the C struct: layout by use.

A variable over one parameter with few values (a layer) is kept as sets, one for each value (for each value of each
field, if it is a record), and besides as an array of bytes where single entries are read. Sets that no rule asks for
are left out in the end (`Store.trim`): a state is copied often. Everything else is an array
of the smallest integers that hold its values; none is the number after the highest value.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from rulelang.engine.values import lowest_of
from rulelang.machine.layout import Field
from rulelang.model.types import BagOf, DeckOf, Maybe, Number, Record, SetOf, Switch, Type, size_of
from rulelang.native.shapes import MOST_IN_BAG, Declined, SetShape, lowest, scalar, set_shape
from rulelang.native.text import ident

MOST_BOARDS = 20
MOST_IN_LAYER = 512


def cell_type(low: int, high: int) -> str:
    """The smallest C integer for a range."""
    for name, least, most in (("u8", 0, 255), ("int8_t", -128, 127), ("u16", 0, 65535), ("int16_t", -32768, 32767),
                              ("int32_t", -(1 << 31), (1 << 31) - 1)):
        if least <= low and high <= most:
            return name
    return "i64"


@dataclass
class Store:
    """How one variable is held. `boards`: it is a layer, of sets of `shape`; `array`: single entries can be read."""

    number: int
    field: Field
    name: str
    boards: bool = False
    array: bool = True
    filled: bool = False                                   # of bags and sets: the set of entries that hold something
    single: bool = False                                   # a set, where the rules say a bag (see `singles`)
    ctype: str = ""
    none: int = 0
    shape: SetShape = dataclasses.field(default_factory=lambda: SetShape(1))
    parts: tuple[tuple[str, int, int], ...] = ()           # of a record: suffix, divisor, size
    bounds: set[int] = dataclasses.field(default_factory=set)   # a set each of where the entry is above (see `bounds`)
    none_board: bool = True                                # of a record that may be none: where there is none

    @property
    def kind(self) -> Type:
        """The type of an entry."""
        return self.field.type

    @property
    def maybe(self) -> bool:
        """Whether an entry may be none."""
        return isinstance(self.kind, Maybe)

    @property
    def inner(self) -> Type:
        """The type of an entry that is not none."""
        return self.kind.of if isinstance(self.kind, Maybe) else self.kind

    @property
    def low(self) -> int:
        """The value with index 0."""
        return lowest(self.kind)

    @property
    def values(self) -> int:
        """How many values there are without none."""
        return size_of(self.inner)

    def declare(self) -> list[str]:
        """The members of the struct."""
        length = self.field.length
        found = []
        if self.boards:
            if isinstance(self.inner, Record):
                found += [f"{self.shape.ctype} {self.name}_{suffix}[{size}];" for suffix, _, size in self.parts]
                if self.maybe and self.none_board:
                    found.append(f"{self.shape.ctype} {self.name}_none;")
            elif isinstance(self.kind, Switch):
                found.append(f"{self.shape.ctype} {self.name}_on;")
            else:
                found.append(f"{self.shape.ctype} {self.name}_is[{self.values + self.maybe}];")
        found += [f"{SetShape(length).ctype} {self.over(bound)};" for bound in sorted(self.bounds)]
        if self.array:
            found.append(f"{self.ctype} {self.name}[{length}];")
        return found

    def over(self, bound: int) -> str:
        """The name of the set of entries that are above a bound."""
        return f"{self.name}_over_{bound}".replace("-", "m")

    def trim(self, text: str) -> None:
        """Leave out the sets that a text never asks for."""
        def asked(suffix: str) -> bool:
            return f"->{self.name}_{suffix}" in text

        self.bounds = {bound for bound in self.bounds if f"->{self.over(bound)} " in text}
        if not self.boards or not self.array:
            return
        if isinstance(self.inner, Record):
            self.parts = tuple(part for part in self.parts if asked(part[0]))
            self.none_board = asked("none")
            self.boards = bool(self.parts) or (self.maybe and self.none_board)
        else:
            self.boards = asked("is[")

    def refill(self, state: str, at: str, bag: str) -> str:
        """The statement that notes whether an entry of bags holds something."""
        shape, some = self.shape, f"{state}->{self.name}_some"
        yes = shape.union(some, shape.bit(at))
        no = shape.without(some, shape.bit(at))
        return f"{some} = {bag}_count({state}->{self.name}[{at}]) ? {yes} : {no};"

    def load(self, text: str) -> str:
        """A stored scalar as a value."""
        return f"({text} == {self.none} ? NONE : (num){text})" if self.maybe else f"(num){text}"

    def save(self, value: str) -> str:
        """A value as it is stored."""
        return f"({value} == NONE ? {self.none} : {value})" if self.maybe else value


def make_store(number: int, at: Field, layers: bool) -> Store:
    """The plainest way to hold a variable that serves what may be asked of it."""
    store = Store(number, at, ident(f"v{number}", at.name))
    kind = at.type
    if isinstance(kind, SetOf):
        store.ctype = set_shape(kind).ctype
        store.shape = set_shape(kind)
        return store
    several = len(at.index_types) == 1 and 8 <= at.length <= MOST_IN_LAYER and lowest_of(at.index_types[0]) is not None
    if isinstance(kind, (BagOf, DeckOf)):
        if kind.most > MOST_IN_BAG:
            raise Declined(f"`{at.name}` may hold more than {MOST_IN_BAG:,} things")
        if layers and several and isinstance(kind, BagOf):
            store.filled, store.shape = True, SetShape(at.length)
        return store
    if not scalar(kind):
        raise Declined(f"`{at.name}` holds what the native engine does not know")
    low, size = lowest(kind), size_of(store.inner)
    store.none = low + size
    store.ctype = cell_type(low, low + size - 1 + store.maybe)
    if not layers or len(at.index_types) != 1 or not 2 <= at.length <= MOST_IN_LAYER or lowest_of(at.index_types[0]) is None:
        return store
    if isinstance(store.inner, Record):
        parts: list[tuple[str, int, int]] = []
        divisor = 1
        for name, part in reversed(store.inner.fields):
            parts.insert(0, (ident(f"f{len(store.inner.fields) - 1 - len(parts)}", name), divisor, size_of(part)))
            divisor *= size_of(part)
        boards = sum(n for _, _, n in parts)
        store.parts = tuple(parts)
    else:
        boards = size
    if boards > MOST_BOARDS or (isinstance(store.kind, Maybe) and isinstance(store.inner, Switch)):
        return store
    store.boards = True
    store.shape = SetShape(at.length)
    store.array = not isinstance(kind, Switch)
    return store


def index_is_value(kind: Type) -> bool:
    """Whether an index type's values are their indices."""
    return not (isinstance(kind, Number) and kind.low != 0)
