"""How values are held in C: a C type for each type of the rules, and what is written to work on it.

| rules                            | C                                                                                    |
|----------------------------------|--------------------------------------------------------------------------------------|
| switch, number, name, record     | `num`, the value as the interpreter holds it; none is `NONE`                         |
| set of n                         | `u64`, `u128`, a vector of four 64-bit words, or a struct of more: nothing allocates |
| bag of n kinds                   | a struct of n counts                                                                 |
| deck, line, list                 | a struct with a length and room for the most it can hold                             |
"""

from __future__ import annotations

from dataclasses import dataclass

from rulelang.model.types import BagOf, Maybe, Number, SetOf, Switch, Type, is_scalar, size_of

VECTOR = 4                                               # sets of so many words are one vector (`wide.h`)

MOST_IN_BAG = 30_000        # counts are 16 bits, with a sign


class Declined(Exception):
    """The native engine does not play this game; the text says why."""


@dataclass(frozen=True, slots=True)
class SetShape:
    """Sets over `size` values."""

    size: int

    @property
    def words(self) -> int:
        """How many 64-bit words."""
        needed = max(1, (self.size + 63) // 64)
        return VECTOR if needed == 3 else needed

    @property
    def ctype(self) -> str:
        """The C type."""
        return {1: "u64", 2: "u128"}.get(self.words, f"set{self.words}")

    @property
    def small(self) -> bool:
        """Whether C's own operators work on it."""
        return self.words <= 2

    def const(self, mask: int) -> str:
        """A fixed set."""
        parts = [f"0x{mask >> 64 * i & (1 << 64) - 1:x}ull" for i in range(self.words)]
        if self.words == 1:
            return parts[0]
        if self.words == 2:
            return f"W2({parts[0]}, {parts[1]})"
        return f"((set{self.words}){self._words(parts)})"

    def initial(self, mask: int) -> str:
        """The same in the initialiser of a table."""
        if self.small:
            return self.const(mask)
        parts = [f"0x{mask >> 64 * i & (1 << 64) - 1:x}ull" for i in range(self.words)]
        return self._words(parts)

    def _words(self, parts: list[str]) -> str:
        text = "{" + ", ".join(parts) + "}"
        return text if self.words == VECTOR else "{" + text + "}"

    def word(self, a: str, i: str) -> str:
        """A word of a set that has several."""
        return f"{a}[{i}]" if self.words == VECTOR else f"{a}.w[{i}]"

    @property
    def zero(self) -> str:
        """The empty set."""
        return "0ull" if self.words == 1 else self.const(0)

    @property
    def every(self) -> int:
        """The mask of all values."""
        return (1 << self.size) - 1

    def both(self, a: str, b: str) -> str:
        """What is in both."""
        return f"({a} & {b})" if self.small else f"set{self.words}_and({a}, {b})"

    def union(self, a: str, b: str) -> str:
        """What is in either."""
        return f"({a} | {b})" if self.small else f"set{self.words}_or({a}, {b})"

    def without(self, a: str, b: str) -> str:
        """What is in the first only."""
        return f"({a} & ~{b})" if self.small else f"set{self.words}_without({a}, {b})"

    def inverse(self, a: str) -> str:
        """What is not in it (and bits beyond)."""
        return f"(~{a})" if self.small else f"set{self.words}_not({a})"

    def some(self, a: str) -> str:
        """Whether anything is in it."""
        return f"({a} != 0)" if self.small else f"set{self.words}_some({a})"

    def equal(self, a: str, b: str) -> str:
        """Whether both are the same."""
        return f"({a} == {b})" if self.small else f"set{self.words}_equal({a}, {b})"

    def count(self, a: str) -> str:
        """How many are in it."""
        return f"{self.ctype}_count({a})"

    def low(self, a: str) -> str:
        """The lowest bit's number, of a set that is not empty."""
        return f"{self.ctype}_low({a})"

    def high(self, a: str) -> str:
        """The highest bit's number, of a set that is not empty."""
        return f"{self.ctype}_high({a})"

    def nth(self, a: str, k: str) -> str:
        """The number of the k-th bit that is set, from 0."""
        return f"{self.ctype}_nth({a}, {k})"

    def bit(self, i: str) -> str:
        """The set of one."""
        if self.words == 1:
            return f"(1ull << ({i}))"
        return f"((u128)1 << ({i}))" if self.words == 2 else f"set{self.words}_bit({i})"

    def test(self, a: str, i: str) -> str:
        """Whether bit i is set."""
        if self.words == 1:
            return f"(int)(({a}) >> ({i}) & 1)"
        return f"{self.ctype}_test({a}, {i})"

    def shift(self, a: str, k: int) -> str:
        """Moved up by a fixed k (down if negative)."""
        if k == 0:
            return a
        if self.small:
            if abs(k) >= 64 * self.words:
                return self.zero
            return f"({a} << {k})" if k > 0 else f"({a} >> {-k})"
        return f"set{self.words}_up({a}, {k})" if k > 0 else f"set{self.words}_down({a}, {-k})"

    def choose(self, condition: str, a: str, b: str | None = None) -> str:
        """One or the other (or nothing)."""
        return f"({condition} ? {a} : {b if b is not None else self.zero})"


def scalar(kind: Type) -> bool:
    """Whether a value is held as one number."""
    return is_scalar(kind) or type(kind).__name__ in ("Nothing", "Wrong")


def set_shape(kind: Type) -> SetShape:
    """The shape of a set type."""
    assert isinstance(kind, SetOf), kind
    return SetShape(size_of(kind.of))


def lowest(kind: Type) -> int:
    """The value whose index is 0 (of none the index is the last)."""
    inner = kind.of if isinstance(kind, Maybe) else kind
    return inner.low if isinstance(inner, Number) else 0


def index_text(kind: Type, value: str) -> str:
    """The index of a scalar value in C; `value` is written twice where there may be none."""
    low = lowest(kind)
    plain = value if low == 0 else f"({value} - ({low}))"
    if isinstance(kind, Maybe):
        return f"({value} == NONE ? {size_of(kind.of)} : {plain})"
    return plain


def value_text(kind: Type, index: str) -> str:
    """The scalar value with an index in C."""
    low = lowest(kind)
    plain = index if low == 0 else f"({index} + ({low}))"
    if isinstance(kind, Maybe):
        return f"({index} == {size_of(kind.of)} ? NONE : {plain})"
    return plain


def bag_size(kind: Type) -> int:
    """How many kinds a bag tells apart."""
    assert isinstance(kind, BagOf), kind
    return size_of(kind.of)


def plain_number(value: object) -> str:
    """A scalar constant in C."""
    if value is None:
        return "NONE"
    number = int(value)  # type: ignore[call-overload]
    return f"({number})" if number < 0 else str(number)


def may_be_none(kind: Type) -> bool:
    """Whether a scalar may be none."""
    return isinstance(kind, Maybe) or type(kind).__name__ == "Nothing"


def is_switch(kind: Type) -> bool:
    """Whether a scalar is on or off."""
    return isinstance(kind, Switch) or (isinstance(kind, Maybe) and isinstance(kind.of, Switch))
