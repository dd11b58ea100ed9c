"""The generator of chance, written down so that every engine draws the same.

All arithmetic is on unsigned 64-bit numbers and wraps around.

1. `mix(z)` is the finaliser of SplitMix64: z ^= z >> 30; z *= 0xBF58476D1CE4E5B9; z ^= z >> 27;
   z *= 0x94D049BB133111EB; z ^= z >> 31.
2. `name_hash(name)` is FNV-1a of the name's UTF-8 bytes: h = 0xCBF29CE484222325, then for each byte h ^= byte;
   h *= 0x100000001B3.
3. The key of a stream is `mix(mix(seed + G) ^ name_hash(name))` with G = 0x9E3779B97F4A7C15. Only the seed's low 64
   bits count.
4. Number n (from 0) of a stream is `mix(key + (n + 1) * G)`. A stream has no other state than n, its count.
5. A whole number below k takes one number x of the stream: the high 64 bits of the 128-bit product x * k. Some
   results are likelier than others by at most k / 2^64.

Streams are named after the drawing places of the rules, so a rule changed elsewhere leaves their numbers alone, and
moves taken back and made again draw the same.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from functools import lru_cache
from typing import Any, TypeVar

T = TypeVar("T")

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """The finaliser of SplitMix64."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def name_hash(name: str) -> int:
    """FNV-1a, 64 bits, of a name."""
    found = 0xCBF29CE484222325
    for byte in name.encode():
        found = (found ^ byte) * 0x100000001B3 & MASK
    return found


@lru_cache(maxsize=65536)
def stream_key(seed: int, name: str) -> int:
    """The key of a stream of a seed."""
    return mix(mix((seed + GOLDEN) & MASK) ^ name_hash(name))


def number(key: int, n: int) -> int:
    """Number n of a stream, 64 bits."""
    return mix((key + (n + 1) * GOLDEN) & MASK)


class Stream:
    """A stream of chance with its count."""

    __slots__ = ("count", "key")

    def __init__(self, seed: int, name: str = "", count: int = 0) -> None:
        self.key = stream_key(seed, name)
        self.count = count

    def bits(self) -> int:
        """The next 64 bits."""
        found = number(self.key, self.count)
        self.count += 1
        return found

    def below(self, k: int) -> int:
        """A whole number from 0 to k - 1."""
        return self.bits() * k >> 64

    def choice(self, many: Sequence[T]) -> T:
        """One of several."""
        return many[self.below(len(many))]

    def shuffle(self, many: MutableSequence[Any]) -> None:
        """A new order, in place: from the last place down to the second, exchanged with one not after it."""
        for i in range(len(many) - 1, 0, -1):
            j = self.below(i + 1)
            many[i], many[j] = many[j], many[i]
