"""Types of values, and how a value of each is held.

| type            | held as                                                                          |
|-----------------|----------------------------------------------------------------------------------|
| Switch          | True or False                                                                    |
| Number          | int                                                                              |
| Named           | int, the member's place in the order of declaration from 0 (players, cells, ...)  |
| Record          | int, mixed radix over its fields, the first field most significant               |
| Maybe           | None, or a value of `of`                                                         |
| SetOf           | int, bit i for the value with index i (`index_of`)                               |
| BagOf           | tuple of int, how many of each value, by index                                   |
| DeckOf          | tuple of values, the top first                                                   |
| Line            | tuple of int, cells in order                                                     |
| ListOf          | tuple of values in order; may hold the same twice (comprehensions, areas, ...)    |

A scalar type has finitely many values, numbered from 0 by `index_of`; `value_at` is its inverse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Type:
    """What a value may be."""


@dataclass(frozen=True, slots=True)
class Switch(Type):
    """On or off."""


@dataclass(frozen=True, slots=True)
class Number(Type):
    """A whole number from `low` to `high`, both included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Named(Type):
    """One of a list of names. `parts` names the stretches of a union: (name of the type or word, first, how many)."""

    name: str
    members: tuple[str, ...]
    parts: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Record(Type):
    """A value with named fields, each a scalar without none."""

    name: str
    fields: tuple[tuple[str, Type], ...]


@dataclass(frozen=True, slots=True)
class Maybe(Type):
    """A value or none. `partial`: came of a search or of a look into none, so it is taken to be there where a value
    is needed, and tested in play; otherwise declared `or none`, and the rules must ask before they use it."""

    of: Type
    partial: bool = False


@dataclass(frozen=True, slots=True)
class SetOf(Type):
    """A set of values of a scalar type."""

    of: Type


@dataclass(frozen=True, slots=True)
class BagOf(Type):
    """Values of a scalar type, some perhaps several times; `most` in all. `component` names the material it holds."""

    of: Type
    most: int
    component: str | None = None


@dataclass(frozen=True, slots=True)
class DeckOf(Type):
    """An ordered pile of values of a scalar type, at most `most`. `component` names the material it holds."""

    of: Type
    most: int
    component: str | None = None


@dataclass(frozen=True, slots=True)
class Line(Type):
    """Cells in an order."""


@dataclass(frozen=True, slots=True)
class ListOf(Type):
    """A collection of any values, in order."""

    of: Type


@dataclass(frozen=True, slots=True)
class Nothing(Type):
    """The type of `none`."""


@dataclass(frozen=True, slots=True)
class Empty(Type):
    """The type of `empty`, before it is known what it is empty of."""


@dataclass(frozen=True, slots=True)
class Wrong(Type):
    """The type of what has a fault already; it fits everywhere, so that one fault is told once."""


WRONG = Wrong()
SWITCH = Switch()
LINE = Line()
NOTHING = Nothing()
EMPTY = Empty()


def is_scalar(kind: Type) -> bool:
    """Whether the type has finitely many single values that can be numbered."""
    return isinstance(kind, (Switch, Number, Named, Record)) or (isinstance(kind, Maybe) and is_scalar(kind.of))


def size_of(kind: Type) -> int:
    """How many values a scalar type has (none counts as one, the last)."""
    match kind:
        case Switch():
            return 2
        case Number(low, high):
            return max(0, high - low + 1)
        case Named():
            return len(kind.members)
        case Record():
            total = 1
            for _, field in kind.fields:
                total *= size_of(field)
            return total
        case Maybe():
            return size_of(kind.of) + 1
    raise TypeError(f"{kind} has no size")


def index_of(kind: Type, value: Any) -> int:
    """The number of a scalar value, from 0; of none, the last."""
    if isinstance(kind, Number):
        return int(value) - kind.low
    if isinstance(kind, Maybe):
        return size_of(kind.of) if value is None else index_of(kind.of, value)
    return int(value)


def value_at(kind: Type, index: int) -> Any:
    """The scalar value with that number."""
    if isinstance(kind, Number):
        return index + kind.low
    if isinstance(kind, Switch):
        return bool(index)
    if isinstance(kind, Maybe):
        return None if index == size_of(kind.of) else value_at(kind.of, index)
    return index


def values_of(kind: Type) -> list[Any]:
    """All values of a scalar type, in order."""
    return [value_at(kind, i) for i in range(size_of(kind))]


def field_place(record: Record, name: str) -> tuple[int, int, Type]:
    """For a record's field: (divisor, size, type), so that the field of value v is v // divisor % size, as an index."""
    divisor = 1
    for field, kind in reversed(record.fields):
        if field == name:
            return divisor, size_of(kind), kind
        divisor *= size_of(kind)
    raise KeyError(name)


def make_record(record: Record, values: tuple[Any, ...]) -> int:
    """The record with those field values, in the order of declaration."""
    total = 0
    for (_, kind), value in zip(record.fields, values, strict=True):
        total = total * size_of(kind) + index_of(kind, value)
    return total


def show(kind: Type, value: Any) -> str:
    """A value as a person says it in a move; a record by its fields alone."""
    match kind:
        case Switch():
            return "on" if value else "off"
        case Number():
            return str(value)
        case Named():
            return str(kind.members[value])
        case Record():
            parts = []
            for name, _ in kind.fields:
                divisor, size, field = field_place(kind, name)
                parts.append(show(field, value_at(field, value // divisor % size)))
            return " ".join(parts)
        case Maybe():
            return "none" if value is None else show(kind.of, value)
        case SetOf():
            return "{" + ", ".join(show(kind.of, value_at(kind.of, i)) for i in bits(value)) + "}"
        case BagOf():
            several = (value_at(kind.of, i) for i, n in enumerate(value) for _ in range(n))
            return "{" + ", ".join(show(kind.of, one) for one in several) + "}"
        case DeckOf() | ListOf():
            return "{" + ", ".join(show(kind.of, one) for one in value) + "}"
    return "none" if value is None else str(value)


def material_of(kind: Type) -> str | None:
    """The component that a bag or deck was declared to hold, or None."""
    return kind.component if isinstance(kind, (BagOf, DeckOf)) else None


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set, lowest first."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def empty_of(kind: Type) -> Any:
    """The value without anything in it, of a set, bag, deck or list type."""
    match kind:
        case SetOf():
            return 0
        case BagOf():
            return (0,) * size_of(kind.of)
    return ()


def describe(kind: Type) -> str:
    """The type in the words of a rules file, for messages."""
    match kind:
        case Switch():
            return "switch"
        case Number(low, high):
            return f"{low}..{high}"
        case Named() | Record():
            return kind.name
        case Maybe():
            return f"{describe(kind.of)} or none"
        case SetOf():
            return f"set of {describe(kind.of)}"
        case BagOf():
            return f"bag of {kind.component or describe(kind.of)}"
        case DeckOf():
            return f"deck of {kind.component or describe(kind.of)}"
        case Line():
            return "line of cells"
        case ListOf():
            return f"collection of {describe(kind.of)}"
        case Nothing():
            return "none"
        case Empty():
            return "empty"
    return "value"


def a_(kind: Type) -> str:
    """The type with its article, as it stands in "this is …"."""
    text = describe(kind)
    if text[0].isdigit() or text[0] == "-":
        return f"a number {text}"
    if text in ("none", "empty"):
        return text
    return f"an {text}" if text[0] in "aeiouAEIO" else f"a {text}"
