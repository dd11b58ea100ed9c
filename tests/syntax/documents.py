"""Helpers: documents from texts, and their contents without places."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulelang.source.diagnostic import RulesError
from rulelang.syntax.format import without_places
from rulelang.syntax.load import load_document
from rulelang.syntax.trees import Branch, DataList, Leaf, Rule
from rulelang.syntax.variants import apply_variants

DRAFTS = Path(__file__).parent.parent / "drafts"


def builtin(name: str) -> Path | None:
    """The drafts as built-in games."""
    path = DRAFTS / f"{name}.rules"
    return path if path.is_file() else None


def loaded(folder: Path, base: str, overlay: str = "", variants: Sequence[str] = ()) -> Branch:
    """The document of a base and a file that extends it, with variants chosen."""
    (folder / "base.rules").write_text(base, encoding="utf-8")
    path = folder / "base.rules"
    if overlay:
        path = folder / "over.rules"
        path.write_text("extends: base.rules\n" + overlay, encoding="utf-8")
    document = load_document(path, builtin).document
    return apply_variants(document, variants) if variants else document


def faults(folder: Path, base: str, overlay: str = "", variants: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Code, and message with hint, of what is wrong with it."""
    try:
        loaded(folder, base, overlay, variants)
    except RulesError as error:
        return [(each.code, f"{each.message} | {each.hint}") for each in error.diagnostics]
    return []


def at(document: Branch, *path: str) -> Any:
    """The item at a path of names."""
    item: Any = document
    for name in path:
        assert isinstance(item, Branch), f"no map above {name}"
        item = item.get(name)
    return item


def names(item: Any) -> list[str]:
    """What an item lists: entries of a map, words of a list, clauses of a rule, kinds of a block's statements."""
    if isinstance(item, Branch):
        return [entry.name for entry in item.entries]
    if isinstance(item, DataList):
        return [str(each.value) for each in item.items if isinstance(each, Leaf)]
    if isinstance(item, Rule):
        return [clause.name for clause in item.clauses]
    assert isinstance(item, Leaf)
    if item.kind == "names":
        return [leaf.value for leaf in item.value]
    return [str(statement.parts[0] if statement.kind == "go" else statement.kind) for statement in item.value]


content = without_places
