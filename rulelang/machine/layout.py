"""Where each state variable stands in the flat state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from rulelang.model.game import Variable
from rulelang.model.types import Type, index_of, size_of, value_at


@dataclass(frozen=True, slots=True)
class Field:
    """A variable's stretch of the flat state: `length` entries from `offset`, the last parameter running fastest."""

    name: str
    offset: int
    length: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    index_types: tuple[Type, ...]
    type: Type

    def place_of(self, indices: Sequence[Any]) -> int:
        """The flat place of the entry at these parameters. An `IndexError` says that there is none."""
        if len(indices) != len(self.index_types):
            raise IndexError(f"{self.name} has {len(self.index_types)} parameters")
        place = self.offset
        for kind, size, stride, value in zip(self.index_types, self.sizes, self.strides, indices, strict=True):
            number = index_of(kind, value)
            if not 0 <= number < size:
                raise IndexError(f"{self.name} has no such entry")
            place += number * stride
        return place

    def indices(self) -> list[tuple[Any, ...]]:
        """The parameters of every entry, in flat order."""
        ranges = [[value_at(kind, i) for i in range(size_of(kind))] for kind in self.index_types]
        return list(product(*ranges))


def lay_out(variables: Sequence[Variable]) -> tuple[tuple[Field, ...], int]:
    """The fields of all variables, one after the other, and how many entries there are in all."""
    fields = []
    offset = 0
    for variable in variables:
        sizes = tuple(size_of(kind) for kind in variable.index_types)
        strides: list[int] = []
        length = 1
        for size in reversed(sizes):
            strides.insert(0, length)
            length *= size
        fields.append(Field(variable.name, offset, length, sizes, tuple(strides), variable.index_types, variable.type))
        offset += length
    return tuple(fields), offset
