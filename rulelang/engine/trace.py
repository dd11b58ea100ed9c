"""What the rules did, one entry for each block: which rule, where it stands, what it changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rulelang.engine.core import Core
from rulelang.machine.nodes import Machine
from rulelang.model.types import show
from rulelang.source.diagnostic import Place


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """A block that ran. `changes` are texts such as `stone[a1]: on -> off`; `exit` is how it was left, or ''."""

    rule: str
    place: Place
    seat: int
    changes: tuple[str, ...]
    exit: str

    def __str__(self) -> str:
        left = f" [{self.exit}]" if self.exit else ""
        changes = "; ".join(self.changes) or "nothing changed"
        return f"{self.place.file}:{self.place.line}: {self.rule}: {changes}{left}"


class Tracer:
    """Calls back with an entry for each block of a game that is played (not of searches)."""

    def __init__(self, machine: Machine, tell: Callable[[TraceEntry], None]) -> None:
        self.machine = machine
        self.tell = tell
        self._open: tuple[str, Place, int, list[Any]] | None = None

    def begin(self, rt: Core, rule: str, place: Place) -> None:
        """A block begins; one that is open (a `do` before its `after`) ends."""
        self.end(rt, None)
        self._open = rule, place, rt.me, rt.v[:]

    def end(self, rt: Core, exit_: tuple[str, int] | None) -> None:
        """The open block ends."""
        if self._open is None:
            return
        rule, place, seat, before = self._open
        self._open = None
        text = "" if exit_ is None else exit_[0].replace("_", " ")
        if exit_ is not None and exit_[0] == "go":
            text += f" {self.machine.game.phases[exit_[1]].name}"
        self.tell(TraceEntry(rule, place, seat, changes(self.machine, before, rt.v), text))


def changes(machine: Machine, before: list[Any], after: list[Any]) -> tuple[str, ...]:
    """What differs between two flat states, in words."""
    found = []
    for field in machine.fields:
        start, end = field.offset, field.offset + field.length
        if before[start:end] == after[start:end]:
            continue
        indices = field.indices()
        for i in range(start, end):
            if before[i] != after[i]:
                at = ", ".join(show(kind, x) for kind, x in zip(field.index_types, indices[i - start], strict=True))
                name = f"{field.name}[{at}]" if at else field.name
                found.append(f"{name}: {show(field.type, before[i])} -> {show(field.type, after[i])}")
    return tuple(found)
