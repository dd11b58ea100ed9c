"""A document with faults in it, made fit for checking the rest: one report holds every fault that stands by itself."""

from __future__ import annotations

from rulelang.syntax.trees import Branch, DataList, Entry, Item, Leaf


def without_faulty(document: Branch) -> tuple[Branch, frozenset[str]]:
    """The document without what could not be read, and the names that went with it: what needs them is no fault."""
    gone: set[str] = set()
    return _branch(document, gone), frozenset(gone)


def _branch(branch: Branch, gone: set[str]) -> Branch:
    kept: list[Entry] = []
    for entry in branch.entries:
        item = _item(entry.item, gone)
        if item is None:
            gone.add(entry.name)
        else:
            kept.append(Entry(entry.name, item, entry.place, entry.signature))
    return Branch(tuple(kept), branch.place)


def _item(item: Item, gone: set[str]) -> Item | None:
    if isinstance(item, Leaf):
        return None if item.kind == "faulty" else item
    if isinstance(item, DataList):
        inner = [_item(one, gone) for one in item.items]
        return DataList(tuple([one for one in inner if one is not None]), item.place)
    return _branch(item, gone) if isinstance(item, Branch) else item
