"""Random solutions of constraints over the entries of a variable: what `start: random with …` is made by.

The search assigns an entry with the fewest values left (the first of them), a value at random, and propagates: an
entry with one value left takes it, a value with one place left in an all-different group of as many entries as there
are values goes there. A search that fails too often starts again with new numbers, and may fail more often each
time. Solutions are **not** all equally likely. From the same numbers comes the same solution.

What is taken of the stream: one number below k at each choice of an entry with k values left, which counts its
values in order; after a failure of that value the entry is chosen again without it, if it still has several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rulelang.engine.core import Core

MOST_CHOICES = 200_000
FIRST_FAILURES = 200


class Unsolvable(Exception):
    """There is no solution, or none was found in time; the text says which."""


class Numbers(Protocol):
    """A source of chance."""

    def below(self, k: int) -> int:
        """A whole number from 0 to k - 1."""


@dataclass(frozen=True, slots=True)
class Check:
    """A condition of any form, asked once all the entries that it reads have values."""

    entries: tuple[int, ...]
    holds: Callable[[Core], bool]
    locals: tuple[tuple[int, Any], ...] = ()


@dataclass(slots=True)
class Problem:
    """The entries, their values by index, and what must hold of them.

    `different`: groups of entries without two alike. `allowed[i]`: (j, masks): if entry i has its value number k,
    entry j is within masks[k]. `write` sets an entry of a core, for checks.
    """

    size: int
    values: tuple[Any, ...]
    domains: list[int]
    different: list[tuple[int, ...]] = field(default_factory=list)
    allowed: list[list[tuple[int, tuple[int, ...]]]] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    write: Callable[[Core, int, Any], None] | None = None
    peers: list[tuple[int, ...]] = field(default_factory=list)
    full: list[tuple[int, ...]] = field(default_factory=list)
    checks_of: list[tuple[Check, ...]] = field(default_factory=list)
    plain: bool = True

    def prepare(self) -> None:
        """Work out what the search needs besides."""
        near: list[set[int]] = [set() for _ in range(self.size)]
        for group in self.different:
            for i in group:
                near[i].update(group)
        self.peers = [tuple(sorted(others - {i})) for i, others in enumerate(near)]
        self.full = [group for group in self.different if len(group) == len(self.values)]
        by_entry: list[list[Check]] = [[] for _ in range(self.size)]
        for check in self.checks:
            for i in check.entries:
                by_entry[i].append(check)
        self.checks_of = [tuple(checks) for checks in by_entry]
        self.plain = not self.checks and not any(self.allowed)


def solve(problem: Problem, rt: Core, fixed: dict[int, Any], numbers: Numbers) -> list[Any]:
    """Random values for all entries that meet the problem's conditions, those of `fixed` among them."""
    index = {value: i for i, value in enumerate(problem.values)}
    start = problem.domains[:]
    given = []
    for entry, value in fixed.items():
        bit = 1 << index[value] if value in index else 0
        start[entry] &= bit
        given.append(entry)
    if not all(start):
        raise Unsolvable("a value that is given cannot be there")
    search = _Search(problem, rt, numbers)
    for check in problem.checks:
        if not check.entries and not search.holds(check, start):
            raise Unsolvable("its condition never holds")
    first = [i for i in range(problem.size) if not start[i] & (start[i] - 1)]
    if not search.propagate(start, first):
        raise Unsolvable("its condition cannot be met")
    found = search.run(start)
    return [problem.values[mask.bit_length() - 1] for mask in found]


class _Search:
    def __init__(self, problem: Problem, rt: Core, numbers: Numbers) -> None:
        self.problem = problem
        self.numbers = numbers
        self.choices = 0
        self.core = rt.copy() if problem.checks else rt
        self.core.quiet = True if problem.checks else rt.quiet

    def run(self, start: list[int]) -> list[int]:
        """The masks of a solution: one bit for each entry."""
        failures = FIRST_FAILURES
        while True:
            found = self.attempt(start, failures)
            if found is not None:
                return found
            if self.choices > MOST_CHOICES:
                raise Unsolvable(f"none was found in {MOST_CHOICES:,} tries")
            failures += failures // 2

    def attempt(self, start: list[int], failures: int) -> list[int] | None:
        """A solution, or None after so many failures."""
        stack: list[tuple[list[int], int, int]] = []
        now = start[:]
        below = self.numbers.below
        while True:
            entry = _fewest(now)
            if entry < 0:
                return now
            mask = now[entry]
            self.choices += 1
            bit = _nth_bit(mask, below(mask.bit_count()))
            stack.append((now, entry, bit))
            after = now[:]
            after[entry] = bit
            if self.propagate(after, [entry]):
                now = after
                continue
            while True:                                    # take values back until one that failed can be left out
                failures -= 1
                if not stack:
                    raise Unsolvable("nothing meets its condition")
                if failures < 0 or self.choices > MOST_CHOICES:
                    return None
                now, entry, bit = stack.pop()
                now[entry] &= ~bit
                rest = now[entry]
                if rest and (rest & (rest - 1) or self.propagate(now, [entry])):
                    break

    def propagate(self, now: list[int], fresh: list[int]) -> bool:
        """Draw the consequences of entries that have one value left; False if something becomes impossible."""
        problem = self.problem
        peers, plain = problem.peers, problem.plain
        while True:
            while fresh:
                i = fresh.pop()
                bit = now[i]
                for j in peers[i]:
                    left = now[j]
                    if left & bit:
                        left ^= bit
                        if not left:
                            return False
                        now[j] = left
                        if not left & (left - 1):
                            fresh.append(j)
                if not plain and not self._more(now, i, bit, fresh):
                    return False
            for group in problem.full:
                once = several = 0
                for j in group:
                    left = now[j]
                    several |= once & left
                    once |= left
                if once != _all_of(len(group)):
                    return False
                once &= ~several
                if once:
                    for j in group:
                        left = now[j]
                        only = left & once
                        if only and only != left:
                            if only & (only - 1):
                                return False
                            now[j] = only
                            fresh.append(j)
            if not fresh:
                return True

    def _more(self, now: list[int], i: int, bit: int, fresh: list[int]) -> bool:
        """What follows from an entry's value besides all-different groups."""
        problem = self.problem
        value = bit.bit_length() - 1
        for j, masks in problem.allowed[i]:
            left = now[j] & masks[value]
            if left != now[j]:
                if not left:
                    return False
                now[j] = left
                if not left & (left - 1):
                    fresh.append(j)
        return all(self.holds(check, now) for check in problem.checks_of[i])

    def holds(self, check: Check, now: Sequence[int]) -> bool:
        """Whether a check holds, or cannot be asked yet."""
        problem, core = self.problem, self.core
        for j in check.entries:
            if now[j] & (now[j] - 1):
                return True
        assert problem.write is not None
        for j in check.entries:
            problem.write(core, j, problem.values[now[j].bit_length() - 1])
        for slot, value in check.locals:
            core.s[slot] = value
        return bool(check.holds(core))


def _fewest(now: list[int]) -> int:
    """The first entry among those with the fewest values left, of those with several; -1 if there is none."""
    found, least = -1, 1 << 30
    for i, mask in enumerate(now):
        if mask & (mask - 1):
            n = mask.bit_count()
            if n < least:
                if n == 2:
                    return i
                found, least = i, n
    return found


def _nth_bit(mask: int, n: int) -> int:
    for _ in range(n):
        mask &= mask - 1
    return mask & -mask


def _all_of(size: int) -> int:
    return (1 << size) - 1
