"""Printing diagnostics: the place, the line of the file with the faulty words marked, and what to write instead."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from rulelang.source.diagnostic import Diagnostic, Place

BOLD, RED, YELLOW, CYAN, PLAIN = "\033[1m", "\033[31m", "\033[33m", "\033[36m", "\033[0m"
_LONGEST = 160  # characters of a source line that are shown


class Paint:
    """Colours for a stream: none unless it is a terminal, and none where NO_COLOR asks for none."""

    def __init__(self, stream: TextIO) -> None:
        self.on = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def __call__(self, text: str, *codes: str) -> str:
        """The text in those colours."""
        return f"{''.join(codes)}{text}{PLAIN}" if self.on and text else text


class Sources:
    """The lines of the files that diagnostics point into, each file read once."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def line(self, place: Place) -> str | None:
        """The line that a place is in, if it can be read."""
        if place.file not in self._lines:
            try:
                with open(place.file, encoding="utf-8", errors="replace", newline="") as file:
                    text = file.read(2_000_000)
            except (OSError, ValueError):
                text = ""
            # Only what editors count as line ends: str.splitlines would also split at form feeds and others.
            self._lines[place.file] = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        lines = self._lines[place.file]
        return lines[place.line - 1] if 1 <= place.line <= len(lines) else None


def path_of(file: str) -> str:
    """A file's name as seen from where the command was given, if that is shorter."""
    if file.startswith("<"):
        return file
    try:
        near = os.path.relpath(file)
    except ValueError:  # on another drive
        return file
    return near if not near.startswith("..") or len(near) < len(file) else file


def place_of(place: Place) -> str:
    """`file:line:column`, the file as seen from here."""
    return f"{path_of(place.file)}:{place.line}:{place.column}"


def describe(found: Diagnostic, sources: Sources, paint: Paint) -> list[str]:
    """One diagnostic in lines of text."""
    mark_colour = YELLOW if found.severity == "warning" else RED
    word = f"{found.severity}: " if found.severity != "error" else ""
    lines = [f"{paint(place_of(found.place), BOLD)}: {paint(word, mark_colour)}{found.message} [{found.code}]"]
    source = sources.line(found.place)
    if source is not None and source.strip() and not _garbage(found, source):
        lines += _marked(found.place, source, paint, mark_colour)
    if found.hint:
        lines += [f"   {paint(line, CYAN)}" for line in found.hint.splitlines()]
    for text, place in found.notes:
        lines.append(f"   {text}" + (f" ({place_of(place)})" if place is not None else ""))
    return lines


def _garbage(found: Diagnostic, source: str) -> bool:
    """Whether the line says nothing to a reader: much of it is no text at all."""
    odd = sum(c == "\N{REPLACEMENT CHARACTER}" or not (c.isprintable() or c == "\t") for c in source[:_LONGEST])
    return found.code == "not-text" and 4 * odd > min(len(source), _LONGEST)


def _marked(place: Place, source: str, paint: Paint, colour: str) -> list[str]:
    """The source line and the marks below it."""
    start = max(0, place.column - 1)
    cut = 0
    if len(source) > _LONGEST and start > _LONGEST - 40:
        cut = start - _LONGEST // 2
    shown = "".join(c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in source)
    shown = shown[cut : cut + _LONGEST].rstrip()
    before = source[cut:start]
    marked = source[start : start + max(1, place.length)]
    # A tab stays a tab, so that marks stand under the words whatever the terminal makes of it.
    pad = "".join("\t" if c == "\t" else " " * _width(c) for c in before)
    marks = "^" * max(1, min(sum(_width(c) for c in marked) if marked else 1, _LONGEST - len(before)))
    number = f"{place.line:>5}"
    return [f"{number} | {shown}", f"{' ' * len(number)} | {pad}{paint(marks, colour)}"]


def _width(character: str) -> int:
    """How many columns of a terminal a character takes."""
    from unicodedata import combining, east_asian_width

    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def closing(found: Sequence[Diagnostic]) -> str:
    """`3 errors in 1 file`."""
    parts = []
    for severity, name in (("error", "error"), ("warning", "warning")):
        number = sum(d.severity == severity for d in found)
        if number:
            parts.append(f"{number} {name}{'s' if number != 1 else ''}")
    files = len({d.place.file for d in found})
    return f"{' and '.join(parts) or 'nothing'} in {files} file{'s' if files != 1 else ''}"


def ordered(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """By file, line and column; each once."""
    return sorted(set(found), key=lambda d: (path_of(d.place.file), d.place, d.code, d.message))


def report(found: Iterable[Diagnostic], stream: TextIO) -> None:
    """Print diagnostics and a closing line."""
    listed = ordered(found)
    sources, paint = Sources(), Paint(stream)
    for diagnostic in listed:
        stream.write("\n".join(describe(diagnostic, sources, paint)) + "\n")
    stream.write(paint(closing(listed), BOLD) + "\n")


def as_data(found: Diagnostic) -> dict[str, Any]:
    """A diagnostic for machines."""
    return {
        "file": path_of(found.place.file), "line": found.place.line, "column": found.place.column,
        "length": found.place.length, "severity": found.severity, "code": found.code, "message": found.message,
        "hint": found.hint,
        "notes": [
            {"message": text, "file": path_of(p.file), "line": p.line, "column": p.column} if p else {"message": text}
            for text, p in found.notes
        ],
    }
