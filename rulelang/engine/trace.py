"""What the rules did, one entry for each block: which rule, where it stands, what it changed.

An entry knows all that its block changed. What a seat may be told of that is `Views.changes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rulelang.engine.core import Core
from rulelang.machine.layout import Field
from rulelang.machine.nodes import Machine
from rulelang.model.types import show
from rulelang.source.diagnostic import Place


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """A block that ran. `changes` are texts such as `stone[a1]: on -> off`; `exit` is how it was left, or ''. `before`
    and `after` are the game as it was then."""

    rule: str
    place: Place
    seat: int
    changes: tuple[str, ...]
    exit: str
    before: Core = field(repr=False, compare=False)
    after: Core = field(repr=False, compare=False)

    def __str__(self) -> str:
        left = f" [{self.exit}]" if self.exit else ""
        changes = "; ".join(self.changes) or "nothing changed"
        return f"{self.place.file}:{self.place.line}: {self.rule}: {changes}{left}"


class Tracer:
    """Calls back with an entry for each block of a game that is played (not of searches)."""

    def __init__(self, machine: Machine, tell: Callable[[TraceEntry], None]) -> None:
        self.machine = machine
        self.tell = tell
        self._open: tuple[str, Place, int, Core] | None = None

    def begin(self, rt: Core, rule: str, place: Place) -> None:
        """A block begins; one that is open (a `do` before its `after`) ends."""
        self.end(rt, None)
        self._open = rule, place, rt.me, rt.copy()

    def end(self, rt: Core, exit_: tuple[str, int] | None) -> None:
        """The open block ends."""
        if self._open is None:
            return
        rule, place, seat, before = self._open
        self._open = None
        text = "" if exit_ is None else exit_[0].replace("_", " ")
        if exit_ is not None and exit_[0] == "go":
            text += f" {self.machine.game.phases[exit_[1]].name}"
        after = rt.copy()
        self.tell(TraceEntry(rule, place, seat, changes(self.machine, before, after), text, before, after))


def changes(machine: Machine, before: Core, after: Core) -> tuple[str, ...]:
    """What is otherwise in one position than in another, as texts such as `stone[a1]: on -> off`."""
    found: list[str] = []
    for at in machine.fields:
        start, end = at.offset, at.offset + at.length
        if before.v[start:end] != after.v[start:end]:
            old, new = ([show(at.type, x) for x in rt.v[start:end]] for rt in (before, after))
            found += differences(at, old, new)
    return tuple(found)


def differences(at: Field, before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Which entries of a variable changed, in words; its values as texts."""
    found = []
    for index, old, new in zip(at.indices(), before, after, strict=True):
        if old != new:
            where = ", ".join(show(kind, x) for kind, x in zip(at.index_types, index, strict=True))
            found.append(f"{at.name}[{where}]: {old} -> {new}" if where else f"{at.name}: {old} -> {new}")
    return found
