"""Small rules files with their faults marked below the lines:

    ===== a title
    setup: |
      kepp := 1
      ^^^^ unknown-name: did you mean `kept`
    state:
      kept: 0..9

A mark is a run of `^` below the stretch, the code, and words of the message, the hint or a note; a warning is marked
`warning CODE`. A case must give exactly the errors that are marked, and at least the warnings that are.

What a case leaves out of a game is added below it, so that its lines keep their numbers: two players; a phase with the
actions that there are, or one that passes; a limit. A title that ends with `(whole)` says that nothing is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from rulelang.source.diagnostic import Diagnostic

_MARK = re.compile(r"^(?P<before> *)(?P<stretch>\^+) (?P<warning>warning )?(?P<code>[a-z-]+)(: (?P<words>.*))?$")
_SECTION = re.compile(r"^(\w+):", re.MULTILINE)
FOLDER = Path(__file__).parent / "faults"


@dataclass(frozen=True)
class Mark:
    """A fault that a case expects."""

    line: int
    column: int
    length: int
    severity: str
    code: str
    words: str

    def fits(self, found: Diagnostic) -> bool:
        """Whether this is the fault that was marked."""
        place = found.place
        at = (place.line, place.column, place.length, found.severity, found.code)
        told = [found.message, found.hint, *(text for text, _ in found.notes)]
        return at == (self.line, self.column, self.length, self.severity, self.code) and any(
            self.words in text for text in told)


@dataclass(frozen=True)
class Case:
    """A rules file, and what is wrong with it."""

    topic: str
    title: str
    text: str
    marks: tuple[Mark, ...]


def cases(folder: Path = FOLDER) -> list[Case]:
    """All cases of all files in a folder."""
    return [case for path in sorted(folder.glob("*.txt")) for case in _cases(path)]


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
            marks.append(Mark(max(1, len(lines)), len(mark["before"]) + 1, len(mark["stretch"]),
                              "warning" if mark["warning"] else "error", mark["code"], mark["words"] or ""))
        text = "\n".join(lines) + "\n"
        whole = title.strip().endswith("(whole)")
        found.append(Case(path.stem, title.strip(), text if whole else completed(text), tuple(marks)))
    return found


def completed(text: str) -> str:
    """A rules file with what it leaves out added below it; its own lines stay where they are."""
    sections = set(_SECTION.findall(text))
    if "extends" in sections:
        return text
    below = [] if "players" in sections else ["players: 2"]
    names = _actions(text)
    if "phases" not in sections:
        if not names:
            below += ["actions:", "  pass: |", "    do:", "      next player"]
            names = ["pass"]
        below += ["phases:", f"  play: {{actions: [{', '.join(names)}]}}"]
    if not sections & {"limit", "end"}:
        below += ["limit: {turns: 100}"]
    return text + "\n".join(below) + "\n"


def _actions(text: str) -> list[str]:
    """The names of the actions that a text has."""
    found = re.search(r"^actions:\n((?: .*\n|\n)*)", text, re.MULTILINE)
    return re.findall(r"^  (\w+):", found[1], re.MULTILINE) if found else []
