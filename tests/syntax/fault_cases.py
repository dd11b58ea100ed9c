"""Faulty rules files with their faults marked below the lines:

    ===== a title
    setup: |
      x = 3
        ^ syntax: it sets nothing

A mark is a run of `^` below the stretch, the code, and words of the message or the hint. A case must give exactly the
faults that are marked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from rulelang.source.diagnostic import Diagnostic

_MARK = re.compile(r"^(?P<before> *)(?P<stretch>\^+) (?P<code>[a-z-]+): (?P<words>.*)$")
FOLDER = Path(__file__).parent / "faults"


@dataclass(frozen=True)
class Mark:
    """A fault that a case expects."""

    line: int
    column: int
    length: int
    code: str
    words: str

    def fits(self, found: Diagnostic) -> bool:
        """Whether this is the fault that was marked."""
        place = found.place
        at = (place.line, place.column, place.length, found.code)
        return at == (self.line, self.column, self.length, self.code) and (
            self.words in found.message or self.words in found.hint
        )


@dataclass(frozen=True)
class Case:
    """A faulty file."""

    topic: str
    title: str
    text: str
    marks: tuple[Mark, ...]


def cases() -> list[Case]:
    """All cases of all files in faults/."""
    return [case for path in sorted(FOLDER.glob("*.txt")) for case in _cases(path)]


def _cases(path: Path) -> list[Case]:
    found: list[Case] = []
    for part in re.split(r"^===== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        lines: list[str] = []
        marks: list[Mark] = []
        for line in body.rstrip("\n").split("\n"):
            mark = _MARK.match(line)
            if mark is None:
                lines.append(line)
                continue
            column, length = len(mark["before"]) + 1, len(mark["stretch"])
            marks.append(Mark(max(1, len(lines)), column, length, mark["code"], mark["words"]))
        found.append(Case(path.stem, title.strip(), "\n".join(lines) + "\n", tuple(marks)))
    return found
