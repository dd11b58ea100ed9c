"""A document with faults in it, made fit for checking the rest: one report holds every fault that stands by itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulelang.syntax.trees import Branch, DataList, Entry, Item, Leaf

ANY_NAME = "*"      # in place of names that nobody knows: those of a section in a file that could not be read
# sections whose values declare names, beside their keys
_DECLARE = frozenset(("types", "players", "board"))


@dataclass(frozen=True, slots=True)
class Lost:
    """What could not be read: the names of its keys, and the words that it may have been about to declare."""

    keys: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)


def without_faulty(document: Branch) -> tuple[Branch, Lost]:
    """The document without what could not be read, and what went with it: what needs that is no fault."""
    lost = Lost()
    kept: list[Entry] = []
    for entry in document.entries:
        item = _item(entry.item, lost, entry.name in _DECLARE)
        if item is not None:
            kept.append(Entry(entry.name, item, entry.place, entry.signature))
            continue
        lost.keys.add(entry.name)
        if isinstance(entry.item, Leaf):
            lost.words.update(entry.item.value)
    return Branch(tuple(kept), document.place), lost


def _branch(branch: Branch, lost: Lost, declares: bool) -> Branch:
    kept: list[Entry] = []
    for entry in branch.entries:
        item = _item(entry.item, lost, declares)
        if item is None:
            lost.keys.add(entry.name)
        else:
            kept.append(Entry(entry.name, item, entry.place, entry.signature))
    return Branch(tuple(kept), branch.place)


def _item(item: Item, lost: Lost, declares: bool) -> Item | None:
    if isinstance(item, Leaf):
        if item.kind != "faulty":
            return item
        if declares:
            lost.words.update(item.value)
        return None
    if isinstance(item, DataList):
        inner = [_item(one, lost, declares) for one in item.items]
        return DataList(tuple([one for one in inner if one is not None]), item.place)
    return _branch(item, lost, declares) if isinstance(item, Branch) else item
