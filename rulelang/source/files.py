"""Reading a rules file into text that every later room can trust.

Whatever is let through here is UTF-8, of bounded size, without control characters, and breaks its lines where an
editor breaks them: so a line number means the same to YAML, to the sentences and to the reader of a message.
"""

from __future__ import annotations

import re
from pathlib import Path

from rulelang.source.diagnostic import Faults, Place

MAX_BYTES = 1_000_000

# what YAML's reader refuses, and the three line ends that YAML sees and editors do not
_UNWANTED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
_LINE_ENDS = {"\x85": "NEL", "\u2028": "LINE SEPARATOR", "\u2029": "PARAGRAPH SEPARATOR"}


def read_text(path: Path | str) -> str:
    """The text of a rules file, its byte order mark dropped and its line ends made one; `RulesError` if it is none."""
    faults = Faults()
    path = Path(path)
    text = _decoded(path, faults)
    faults.raise_any()
    check_characters(text, str(path), faults)
    faults.raise_any()
    if not text.strip():
        faults.add(Place(str(path), 1, 1), "empty-file", "this file is empty", "a rules file begins with `rulelang: 1`")
    faults.raise_any()
    return text


def _decoded(path: Path, faults: Faults) -> str:
    file = str(path)
    start = Place(file, 1, 1)
    try:
        if path.is_dir():
            faults.add(start, "unreadable", "this is a directory, not a rules file", "name a file in it")
            return ""
        with path.open("rb") as handle:
            data = handle.read(MAX_BYTES + 1)
    except FileNotFoundError:
        near = _neighbour(path)
        faults.add(start, "unreadable", "there is no such file", f"did you mean `{near}`?" if near else "")
        return ""
    except (OSError, ValueError) as error:
        faults.add(start, "unreadable", f"this file cannot be read: {getattr(error, 'strerror', None) or error}")
        return ""
    if len(data) > MAX_BYTES:
        faults.add(
            start, "too-large", "this file is larger than one megabyte",
            "move a section into a file of its own, with `include:`",
        )
        return ""
    if b"\x00" in data:
        line = data.count(b"\n", 0, data.index(b"\x00")) + 1
        faults.add(Place(file, line, 1), "not-text", "this is a binary file, not a text", "save it as text, UTF-8")
        return ""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        skipped = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        before = data[: error.start + skipped]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1 - (1 if skipped and line == 1 else 0)
        faults.add(
            Place(file, line, column), "not-text",
            f"the byte {data[error.start + skipped]:#04x} is not UTF-8", "save the file with the encoding UTF-8",
        )
        return ""
    return text.replace("\r\n", "\n")


def _neighbour(path: Path) -> str | None:
    """A file beside the missing one whose name is near to it."""
    from difflib import get_close_matches

    try:
        names = [entry.name for _, entry in zip(range(1000), path.parent.iterdir(), strict=False)]
    except OSError:
        return None
    found = get_close_matches(path.name, names, n=1, cutoff=0.6)
    return found[0] if found else None


def check_characters(text: str, file: str, faults: Faults) -> None:
    """Refuse characters that are invisible or that break lines otherwise than an editor does."""
    for found in _UNWANTED.finditer(text):
        character = found.group()
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        place = Place(file, line, column)
        if character in _LINE_ENDS:
            faults.add(
                place, "odd-character",
                f"here stands the character {_LINE_ENDS[character]}, which YAML takes for a line end",
                "take it out, or break the line with Enter",
            )
        elif character == "\r":
            faults.add(
                place, "odd-character", "here stands a carriage return without a line feed",
                "save the file with the line ends of Unix or Windows",
            )
        else:
            faults.add(
                place, "odd-character", f"here stands an invisible character (U+{ord(character):04X})", "take it out",
            )
        if len(faults.found) >= 20:
            return
