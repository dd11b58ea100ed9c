"""How often each part of the rules was used: clauses by how they came out, blocks, statements and defines by how often
they ran. Counted by an interpreter that was made with a `Coverage`; the others pay nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rulelang.source.diagnostic import Place


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """A part of the rules: its place and name. A part of an action is named `action open, box`."""

    place: Place
    name: str


@dataclass(slots=True)
class Coverage:
    """`counts` by part, then by outcome: `held` and `failed` for clauses, `ran` for the rest. Parts that were never
    used are there with 0."""

    counts: dict[Part, dict[str, int]] = field(default_factory=dict)

    def counter(self, place: Place, name: str, outcome: str) -> Callable[[], None]:
        """Something to call whenever a part comes out so."""
        by_outcome = self.counts.setdefault(Part(place, name), {})
        by_outcome.setdefault(outcome, 0)

        def count() -> None:
            by_outcome[outcome] += 1

        return count

    def unused(self) -> list[Part]:
        """The parts that never ran or held."""
        return sorted(part for part, by in self.counts.items() if not by.get("ran", 0) and not by.get("held", 0))

    def never_failed(self) -> list[Part]:
        """The clauses that never refused anything."""
        return sorted(part for part, by in self.counts.items() if by.get("failed") == 0 and by.get("held", 0))

    def add(self, other: Coverage) -> None:
        """Add the counts of another."""
        for part, by in other.counts.items():
            mine = self.counts.setdefault(part, {})
            for outcome, n in by.items():
                mine[outcome] = mine.get(outcome, 0) + n
