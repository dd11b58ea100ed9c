"""Sentences kept from one process to the next: who edits one sentence of a file parses one, and often loads no Lark.

For each rules file, the sentences without faults that it was made of are kept in the user's own cache directory, as
position-free trees in Python's marshal form behind a checksum. What cannot be read or written is parsed anew.
"""

from __future__ import annotations

import marshal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from rulelang.syntax.build import Node
from rulelang.syntax.cache import GRAMMAR, digest, directory, read_checked, write_checked

MOST_FILES = 200
_CODE = ("build.py", "parse.py", "layout.py", "template.py")      # what makes trees of sentences
FORM = 1      # of what is written below: another form is another file

Key = tuple[str, str]
_known: dict[Key, Any] = {}      # packed, as read
_used: dict[Key, Any] = {}      # packed, since `recall`
_fresh = False


def recall(path: Path) -> None:
    """Begin on a rules file: what was kept of it is at hand."""
    global _fresh
    _used.clear()
    _fresh = False
    stored = _stored(path)
    if stored is None:
        return
    data = read_checked(stored)
    if data is not None:
        with suppress(EOFError, ValueError, TypeError):
            _known.update(marshal.loads(data))


def known(start: str, text: str) -> Any:
    """The nodes of a sentence that was kept, or None."""
    packed = _known.get((start, text))
    if packed is None:
        return None
    _used[start, text] = packed
    return _unpack(packed)


def note(start: str, text: str, found: Any) -> None:
    """A sentence has been parsed."""
    global _fresh
    _fresh = True
    _used[start, text] = _pack(found)


def keep(path: Path) -> None:
    """Done with a rules file: keep its sentences, if any was new."""
    stored = _stored(path) if _fresh else None
    if stored is None:
        return
    with suppress(OSError, ValueError):
        write_checked(stored, marshal.dumps(dict(_used)))
        files = sorted(stored.parent.glob("sentences-*.bin"), key=lambda each: each.stat().st_mtime)
        for old in files[:-MOST_FILES]:
            old.unlink()
    _known.update(_used)


def _stored(path: Path) -> Path | None:
    folder = directory()
    if folder is None:
        return None
    code = (*(Path(__file__).with_name(name).read_bytes() for name in _CODE),
            GRAMMAR.read_bytes(), str(path.absolute()).encode(), f"{sys.version_info[:2]}|{FORM}".encode())
    key = digest(b"|".join(code)).hex()
    return folder / f"sentences-{key}.bin"


def _pack(part: Any) -> Any:
    if part.__class__ is Node:
        parts = tuple([_pack(each) for each in part.parts])
        return ("", part.kind, parts, part.line, part.column, part.length, part.depth)
    if part.__class__ is tuple:
        return ("(", *[_pack(each) for each in part])
    return part


def _unpack(packed: Any) -> Any:
    if packed.__class__ is not tuple:
        return packed
    if packed[0] == "(":
        return tuple([_unpack(each) for each in packed[1:]])
    _, kind, parts, line, column, length, depth = packed
    return Node(kind, tuple([_unpack(each) for each in parts]), line, column, length, depth)
