"""Which change of an extending file is behind a fault that is found in a file below it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulelang.source.diagnostic import Diagnostic, Place
from rulelang.syntax import forms
from rulelang.syntax.merge import Path
from rulelang.syntax.trees import Branch, Item, Rule
from rulelang.syntax.variants import Edit, edits

_WORD = re.compile(r"[^\W\d]\w*")
_QUOTED = re.compile(r"`([^`]*)`")
# what no mistake elsewhere can come of
_IDLE = frozenset(("rulelang", "game", "sources", "extends", "include", "assume", "examples"))


def cause(found: Diagnostic, line: str, document: Branch, changes: Branch) -> tuple[str, Place] | None:
    """A note that names the change, if one can be told; `line` is the line of the fault, `document` what all the files
    make together, `changes` what the extending file says."""
    made = [edit for edit in edits(changes, ()) if edit.path[0] not in _IDLE]
    said = set(_QUOTED.findall(found.message))
    here = _path_of(document, found.place)
    likely = (
        lambda edit: edit.how == "drop" and edit.path[-1] in said,
        lambda edit: not said.isdisjoint(edit.path[1:]),
        lambda edit: _meet(edit.path, here),
        lambda edit: not set(_WORD.findall(line)).isdisjoint(edit.path[1:]),
    )
    for fits in likely:
        edit = next(filter(fits, made), None)
        if edit is not None:
            return _told(edit)
    return _told(made[0]) if len(made) == 1 else None


def _told(edit: Edit) -> tuple[str, Place]:
    done = "dropped" if edit.how == "drop" else "changed"
    return f"`{': '.join(edit.path)}` is {done} by the file that extends this one", edit.place


def _meet(one: Path, other: Path) -> bool:
    """Whether two paths lead to one thing, or into one section that is a single thing."""
    same = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return same > 1 or (same == 1 and isinstance(forms.SECTIONS.get(one[0]), forms.Section))


def _path_of(document: Branch, place: Place) -> Path:
    """The names that lead to what stands at a place: to the last thing of its file that begins before it."""
    best: tuple[tuple[int, int], Path] = ((0, 0), ())
    for path, at in _places(document, ()):
        start = (at.line, at.column)
        if at.file == place.file and best[0] <= start <= (place.line, place.column):
            best = (start, path)
    return best[1]


def _places(item: Item, path: Path) -> Iterable[tuple[Path, Place]]:
    if isinstance(item, Branch):
        for entry in item:
            yield (*path, entry.name), entry.place
            yield from _places(entry.item, (*path, entry.name))
    elif isinstance(item, Rule):
        for clause in item.clauses:
            yield (*path, clause.name), clause.statement.place
