"""Overlays applied: a document and the edits of an extending file or a variant become one document.

The unit of merging is the leaf that has a name: a map's key, a clause of a rule, elsewhere a whole block. Every leaf
and clause keeps the place where it was written. What comes out holds no edits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rulelang.source.diagnostic import Faults, Place, did_you_mean
from rulelang.syntax.clauses import check_names
from rulelang.syntax.forms import VARIANT_KEYS
from rulelang.syntax.overlay import BlockEdit, ClauseEdit, Layered, ListEdit, MapEdit, RuleEdit
from rulelang.syntax.trees import Branch, Clause, DataList, Entry, Item, Leaf, Rule, Syntax

Path = tuple[str, ...]
# a new entry of these sections must have this key; without it, it is most likely a misspelt edit
_MAKES = {"options": "type", "state": "type", "tables": "type", "actions": "rule", "end": "when", "components": "kinds"}


@dataclass(slots=True)
class Insertions:
    """How much was inserted where already, so that two insertions at one place stand in the order they came."""

    counts: dict[Path, int] = field(default_factory=dict)

    def next(self, at: Path, number: int) -> int:
        """How many stand there already; `number` more now do."""
        before = self.counts.get(at, 0)
        self.counts[at] = before + number
        return before


def merge(base: Branch, overlay: Branch, faults: Faults, inserted: Insertions | None = None) -> Branch:
    """The document `base` with the edits of `overlay`; edits of what is not there are noted."""
    merger = _Merger(faults, inserted or Insertions())
    return merger.branch(base, overlay, ())


def plain(document: Branch, faults: Faults) -> Branch:
    """The document with no edits left; since there is nothing below it, each edit is a fault."""
    return merge(Branch((), document.place), document, faults)


class _Merger:
    def __init__(self, faults: Faults, inserted: Insertions) -> None:
        self.faults = faults
        self.inserted = inserted

    def _missing(self, place: Place, path: Path, name: str, known: Iterable[str], what: str) -> None:
        there = list(known)
        where = f" in `{': '.join(path)}`" if path else ""
        self.faults.add(place, "nothing-to-edit", f"there is no {what} `{name}`{where} to change",
                        did_you_mean(name, there) or (f"there are: {', '.join(there[:12])}" if there else ""))

    def item(self, base: Item | None, edit: Item, path: Path) -> Item | None:
        """What stands at `path` afterwards."""
        if isinstance(base, Leaf) and base.kind == "faulty":
            return base
        if isinstance(edit, ListEdit):
            return self._list(base, edit, path)
        if isinstance(edit, BlockEdit):
            return self._block(base, edit, path)
        if isinstance(edit, RuleEdit):
            return self._rule(base, edit, path)
        if isinstance(edit, Branch):
            below = base if isinstance(base, Branch) and not _other_kind(base, edit) else None
            return self.branch(below or Branch((), edit.place), edit, path)
        return edit

    def branch(self, base: Branch, edit: Branch, path: Path) -> Branch:
        """A map: key by key, in the order of the base, what is new behind it."""
        drops = edit.drops if isinstance(edit, MapEdit) else ()
        known = [entry.name for entry in base.entries]
        gone = set()
        for drop in drops:
            if drop.value in known:
                gone.add(drop.value)
            else:
                self._missing(drop.place, path, drop.value, known, "entry")
        changed: dict[str, Entry] = {}
        for entry in edit.entries:
            if path == ("variants",):
                changed[entry.name] = self._variant(None if entry.name in gone else base.entry(entry.name), entry)
                continue
            if entry.name in gone:
                self.faults.add(entry.place, "variant-conflict", f"`{entry.name}` is dropped and changed at once",
                                "keep one of the two")
                continue
            below = base.entry(entry.name)
            if below is None and self._misspelt(base, entry, path):
                continue
            item = self.item(below.item if below else None, entry.item, (*path, entry.name))
            if item is None:
                continue
            signature, place = entry.signature, entry.place
            if below is not None and signature is not None and not _parameters(signature):
                signature = below.signature
            if below is not None and isinstance(item, Branch):
                place = below.place
            changed[entry.name] = Entry(entry.name, item, place, signature)
        entries = [changed.pop(entry.name, entry) for entry in base.entries if entry.name not in gone]
        entries.extend(changed.values())
        return Branch(tuple(entries), base.place if base.entries else edit.place)

    def _variant(self, below: Entry | None, entry: Entry) -> Entry:
        """A variant is itself an overlay: what it says of itself is merged, its edits stay edits, one layer each."""
        if not isinstance(entry.item, Branch):
            return entry
        old = below.item if below is not None and isinstance(below.item, Branch) else Branch((), entry.item.place)
        own = MapEdit(tuple([each for each in entry.item if each.name in VARIANT_KEYS]), entry.item.place)
        said = self.branch(Branch(tuple([each for each in old if each.name in VARIANT_KEYS]), old.place), own,
                           ("variants", entry.name))
        drops = entry.item.drops if isinstance(entry.item, MapEdit) else ()
        edits = MapEdit(tuple([each for each in entry.item if each.name not in VARIANT_KEYS]), entry.item.place, drops)
        if below is None or not isinstance(below.item, Branch):
            return Entry(entry.name, MapEdit((*said.entries, *edits.entries), edits.place, drops), entry.place)
        kept = [each for each in old if each.name not in VARIANT_KEYS]
        item = Layered((*said.entries, *kept), old.place, old.drops if isinstance(old, MapEdit) else (),
                       (*(old.later if isinstance(old, Layered) else ()), edits))
        return Entry(entry.name, item, below.place)

    def _misspelt(self, base: Branch, entry: Entry, path: Path) -> bool:
        """Whether a new entry lacks what makes it one; then it was meant to change an old one."""
        if len(path) != 1 or not base.entries or not isinstance(entry.item, Branch):
            return False
        needed = _MAKES.get(path[0])
        if needed is None or (needed in entry.item and not isinstance(entry.item.get(needed), RuleEdit)):
            return False
        self._missing(entry.place, path, entry.name, [each.name for each in base.entries], "entry")
        return True

    def _list(self, base: Item | None, edit: ListEdit, path: Path) -> Item | None:
        if isinstance(base, Leaf) and base.kind == "names":
            old: tuple[Item, ...] = base.value
        elif isinstance(base, DataList):
            old = base.items
        else:
            self.faults.add(edit.place, "nothing-to-edit", f"there is no list in `{': '.join(path)}` to change",
                            "write the list itself: `[a, b]`")
            return None
        gone = set()
        words = [_words(item) for item in old]
        for drop in edit.drops:
            if drop.value in words:
                gone.add(drop.value)
            else:
                self._missing(drop.place, path, drop.value, [word for word in words if word], "item")
        kept = [item for item, word in zip(old, words, strict=True) if word not in gone]
        for item in edit.items:
            if _words(item) and _words(item) in [_words(each) for each in kept]:
                self.faults.add(item.place, "twice-named", f"`{_words(item)}` is in this list already", "take it out")
                continue
            kept.append(item)
        if isinstance(base, Leaf):
            return Leaf("names", tuple(kept), base.place)
        return DataList(tuple(kept), base.place)

    def _block(self, base: Item | None, edit: BlockEdit, path: Path) -> Item | None:
        if not isinstance(base, Leaf) or base.kind != "block":
            self.faults.add(edit.place, "nothing-to-edit", f"there is no block in `{': '.join(path)}` to add to",
                            "write the block itself: `|`")
            return None
        at = self.inserted.next((*path, "first"), len(edit.first))
        return Leaf("block", (*base.value[:at], *edit.first, *base.value[at:], *edit.then), base.place)

    # ------------------------------------------------------------------ rules

    def _rule(self, base: Item | None, edit: RuleEdit, path: Path) -> Item | None:
        if not isinstance(base, Rule):
            self.faults.add(edit.place, "nothing-to-edit", f"there is no rule in `{': '.join(path)}` to change",
                            "write the rule itself: `|`")
            return None
        clauses = list(base.clauses)
        names = [clause.name for clause in clauses]
        for change in edit.edits:
            self._clause(clauses, change, path)
        for drop in edit.drops:
            if drop.value in names:
                clauses = [clause for clause in clauses if clause.name != drop.value]
            else:
                self._missing(drop.place, path, drop.value, names, "clause")
        before = len(self.faults.found)
        check_names(clauses, self.faults)
        if len(self.faults.found) > before:
            return base
        return Rule(tuple(clauses), base.place)

    def _clause(self, clauses: list[Clause], change: ClauseEdit, path: Path) -> None:
        names = [clause.name for clause in clauses]
        if change.target not in names:
            self._missing(change.place, path, change.target, names, "clause")
            return
        at = names.index(change.target)
        if change.where == "instead":
            clauses[at : at + 1] = change.clauses
        elif change.where == "before":
            clauses[at:at] = change.clauses
        else:
            at += 1 + self.inserted.next((*path, "after", change.target), len(change.clauses))
            clauses[at:at] = change.clauses


def _other_kind(base: Branch, edit: Branch) -> bool:
    """Whether a map of values stands where a picture stood, or the other way round."""
    return ("rows" in base) != ("rows" in edit) and (
        all(entry.signature is not None for entry in base) or all(entry.signature is not None for entry in edit)
    )


def _parameters(signature: Syntax) -> bool:
    return len(signature.parts) > 1 and bool(signature.parts[1])


def _words(item: Item) -> str:
    return item.value if isinstance(item, Leaf) and item.kind == "text" else ""
