"""Places in rules files, and the one kind of message that speaks of them.

Every fault in a rules file, found by whichever room, becomes a `Diagnostic`: where it is, what is wrong in a
sentence, what to write instead. A room collects all independent faults in a `Faults` and raises them together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A stretch of one line: `line` and `column` count from 1, `length` is in characters (at least 1 when marked)."""

    file: str
    line: int
    column: int
    length: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Place("<rulelang>", 1, 1, 0)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault. `code` names its page in docs/errors/; `notes` are further sentences, each with its place if any."""

    place: Place
    code: str
    message: str
    hint: str = ""
    notes: tuple[tuple[str, Place | None], ...] = ()
    severity: str = "error"


class RulelangError(Exception):
    """The root of everything that rulelang raises on purpose."""


class RulesError(RulelangError):
    """A rules file has faults; `diagnostics` holds all that could be found, sorted by place."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = gathered(diagnostics)
        super().__init__("; ".join(f"{d.place}: {d.message}" for d in self.diagnostics))


_UNKNOWN = frozenset(("unknown-name", "unknown-type"))
_OFTEN = 3
_MOST_LINES = 8


def gathered(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """All of them sorted by place, each once. A name that nothing has, and that stands in many places, is told at the
    first, with the lines of the others: then it is not misspelt there, but where it is declared."""
    found = sorted(set(diagnostics), key=lambda d: (d.place, d.code, d.message))
    places: dict[tuple[str, str], list[Place]] = {}
    for each in found:
        if each.code in _UNKNOWN and each.message.startswith("unknown "):
            places.setdefault(_unknown(each), []).append(each.place)
    told: list[Diagnostic] = []
    for each in found:
        here = places.get(_unknown(each), [])
        if len(here) <= _OFTEN:
            told.append(each)
        elif each.place == here[0]:
            lines = [str(line) for line in dict.fromkeys(place.line for place in here[1:])]
            shown = ", ".join(lines[:_MOST_LINES]) + (" …" if len(lines) > _MOST_LINES else "")
            note = (f"it stands in {len(here) - 1} other places, in line{'s' if len(lines) > 1 else ''} {shown}", None)
            told.append(Diagnostic(each.place, each.code, each.message, each.hint, (*each.notes, note), each.severity))
    return tuple(told)


def _unknown(each: Diagnostic) -> tuple[str, str]:
    """The file, and the name at the end of the message."""
    return (each.place.file, each.message.rpartition(" ")[2]) if each.code in _UNKNOWN else ("", "")


@dataclass(slots=True)
class Faults:
    """A growing collection of diagnostics."""

    found: list[Diagnostic] = field(default_factory=list)

    def add(
        self, place: Place, code: str, message: str, hint: str = "",
        notes: Iterable[tuple[str, Place | None]] = (), severity: str = "error",
    ) -> None:
        """Note one fault and go on. A `severity` of "warning" is told, but refuses nothing."""
        self.found.append(Diagnostic(place, code, message, hint, tuple(notes), severity))

    def __bool__(self) -> bool:
        return any(d.severity == "error" for d in self.found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.found)

    def raise_any(self) -> None:
        """Raise `RulesError` if there is an error among what was found."""
        if self:
            raise RulesError(self.found)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` was most likely meant to be, or None."""
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return found[0] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint sentence for a misspelt word; empty if nothing is near."""
    near = nearest(word, known)
    return f"did you mean `{near}`?" if near else ""
