"""Variants: overlays in the file itself, chosen by name, merged in the order of the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rulelang.source.diagnostic import NOWHERE, Faults, Place, did_you_mean
from rulelang.source.tree import Scalar
from rulelang.syntax.clauses import check_order
from rulelang.syntax.forms import VARIANT_KEYS
from rulelang.syntax.merge import Insertions, Path, merge
from rulelang.syntax.overlay import BlockEdit, Layered, ListEdit, MapEdit, RuleEdit
from rulelang.syntax.parse import parse_one
from rulelang.syntax.trees import Branch, Clause, DataList, Entry, Item, Leaf, Rule, Syntax


def variant_names(document: Branch) -> tuple[str, ...]:
    """The variants that may be chosen: those that are not `when:` two others are."""
    return tuple([entry.name for entry in _variants(document) if not _names(entry, "when")])


def apply_variants(document: Branch, names: Sequence[str]) -> Branch:
    """The document with the chosen variants in it, and with each `when:` overlay whose variants are all chosen.

    `RulesError` if one is not known, if two exclude each other, or if two set one leaf differently.
    """
    faults = Faults()
    known = variant_names(document)
    place = _section_place(document)
    for name in names:
        if name not in known:
            faults.add(place, "unknown-variant", f"there is no variant `{name}`",
                       did_you_mean(name, known) or _there(known))
    faults.raise_any()
    chosen = [entry for entry in _variants(document) if _is_chosen(entry, names)]
    chosen.sort(key=lambda entry: bool(_names(entry, "when")))     # what is said for several has the last word
    _check_excluded(chosen, faults)
    faults.raise_any()
    overlays = [(entry, _overlays(entry, document, faults)) for entry in chosen]
    faults.raise_any()
    _check_meetings(overlays, faults)
    faults.raise_any()
    inserted = Insertions()
    for _, layers in overlays:
        for layer in layers:
            document = merge(document, layer, faults, inserted)
    if overlays:
        check_rules(document, faults)
    faults.raise_any()
    return document


def check_rules(document: Branch, faults: Faults) -> None:
    """The order of clauses in each action, once everything is merged."""
    actions = document.get("actions")
    for entry in actions if isinstance(actions, Branch) else ():
        rule = entry.item.get("rule") if isinstance(entry.item, Branch) else None
        if isinstance(rule, Rule):
            check_order(rule.clauses, faults)


def _variants(document: Branch) -> tuple[Entry, ...]:
    section = document.get("variants")
    return section.entries if isinstance(section, Branch) else ()


def _section_place(document: Branch) -> Place:
    entry = document.entry("variants") or next(iter(document.entries), None)
    return entry.place if entry else NOWHERE


def _names(entry: Entry, key: str) -> tuple[Leaf, ...]:
    found = entry.item.get(key) if isinstance(entry.item, Branch) else None
    return found.value if isinstance(found, Leaf) and found.kind == "names" else ()


def _is_chosen(entry: Entry, names: Sequence[str]) -> bool:
    together = _names(entry, "when")
    return all(leaf.value in names for leaf in together) if together else entry.name in names


def check_references(document: Branch, faults: Faults) -> None:
    """`not with` and `when` must name variants, `set` must name options."""
    known = variant_names(document)
    for entry in _variants(document):
        there = _known_options(entry, document)
        for leaf in (*_names(entry, "not with"), *_names(entry, "when")):
            if leaf.value not in known:
                faults.add(leaf.place, "unknown-variant", f"there is no variant `{leaf.value}`",
                           did_you_mean(leaf.value, known) or _there(known))
        choices = entry.item.get("set") if isinstance(entry.item, Branch) else None
        for choice in choices if isinstance(choices, Branch) else ():
            if choice.name not in there:
                faults.add(choice.place, "unknown-option", f"there is no option `{choice.name}`",
                           did_you_mean(choice.name, there) or _there(there))


def read_choices(document: Branch) -> None:
    """Parse what each variant sets, while the file is read: its sentences are kept with the others of the file."""
    for entry in _variants(document):
        choices = entry.item.get("set") if isinstance(entry.item, Branch) else None
        for choice in choices if isinstance(choices, Branch) else ():
            if isinstance(choice.item, Leaf) and choice.item.kind == "text":
                parse_one(_scalar(choice.item), "start", Faults())


def _check_excluded(chosen: Sequence[Entry], faults: Faults) -> None:
    names = {entry.name: entry for entry in chosen}
    for entry in chosen:
        for leaf in _names(entry, "not with"):
            if leaf.value in names and (leaf.value > entry.name or not _excludes(names[leaf.value], entry.name)):
                faults.add(leaf.place, "variants-exclude",
                           f"`{entry.name}` and `{leaf.value}` cannot be chosen together", "choose one of the two")


def _excludes(entry: Entry, name: str) -> bool:
    return any(leaf.value == name for leaf in _names(entry, "not with"))


def _there(names: Sequence[str]) -> str:
    return "there are " + ", ".join(f"`{name}`" for name in names) if names else "there are none"


def _layers(entry: Entry) -> tuple[Branch, ...]:
    """What a variant changes, as its own file says it and then as each extending file does."""
    item = entry.item
    if not isinstance(item, Branch):
        return ()
    drops = item.drops if isinstance(item, MapEdit) else ()
    own = MapEdit(tuple([each for each in item.entries if each.name not in VARIANT_KEYS]), item.place, drops)
    return (own, *item.later) if isinstance(item, Layered) else (own,)


def _known_options(entry: Entry, document: Branch) -> list[str]:
    """The options that a variant may set: those of the file, and its own."""
    sections = [branch.get("options") for branch in (document, *_layers(entry))]
    return [each.name for section in sections if isinstance(section, Branch) for each in section]


def _overlays(entry: Entry, document: Branch, faults: Faults) -> list[Branch]:
    """A variant's layers; the last and strongest is its `set`, as new starts of options."""
    own = entry.item.get("set") if isinstance(entry.item, Branch) else None
    known = _known_options(entry, document)
    starts: list[Entry] = []
    for choice in own if isinstance(own, Branch) else ():
        if choice.name not in known:
            faults.add(choice.place, "unknown-option", f"there is no option `{choice.name}`",
                       did_you_mean(choice.name, known) or _there(known))
        elif isinstance(choice.item, Leaf):
            value = parse_one(_scalar(choice.item), "start", faults)
            if value is not None:
                leaf = Leaf("start", value, choice.item.place)
                inner = MapEdit((Entry("start", leaf, choice.place),), choice.place)
                starts.append(Entry(choice.name, inner, choice.place))
    found = list(_layers(entry))
    if starts and isinstance(own, Branch):
        found.append(MapEdit((Entry("options", MapEdit(tuple(starts), own.place), own.place),), own.place))
    return found


def _scalar(leaf: Leaf) -> Scalar:
    return Scalar(leaf.value, leaf.place, "", leaf.place.line, leaf.place.column)


# ---------------------------------------------------------------------- where two variants meet


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit: `how` is set, drop or insert; `content` tells whether two are the same."""

    path: Path
    how: str
    content: object
    place: Place


def _check_meetings(overlays: Sequence[tuple[Entry, Sequence[Branch]]], faults: Faults) -> None:
    seen: list[tuple[str, Edit]] = []
    every = [(entry, {leaf.value for leaf in _names(entry, "when")}, _edits_of(layers)) for entry, layers in overlays]
    for entry, together, mine in every:
        for edit in mine:
            for name, other in seen:
                if name not in together and _clash(edit, other) and not any(
                    {name, entry.name} <= both and _covers(says, _shorter(edit, other).path) for _, both, says in every
                ):
                    faults.add(
                        edit.place, "variant-conflict",
                        f"`{name}` and `{entry.name}` both change `{': '.join(_shorter(edit, other).path)}`,"
                        " and not in the same way",
                        "say in one of them `not with:` the other, or write an overlay with `when:` both",
                        [(f"`{name}` changes it at {other.place}", other.place)],
                    )
        seen.extend((entry.name, edit) for edit in mine)


def _edits_of(layers: Sequence[Branch]) -> list[Edit]:
    """The edits of all layers, but for those that a later one says anew."""
    found: list[Edit] = []
    for layer in layers:
        new = list(edits(layer, ()))
        found = [edit for edit in found if not _covers(new, edit.path)] + new
    return found


def _covers(edits: Iterable[Edit], path: Path) -> bool:
    """Whether one of the edits says anew what stands at a path."""
    return any(edit.how != "insert" and edit.path == path[: len(edit.path)] for edit in edits)


def _clash(one: Edit, other: Edit) -> bool:
    if one.path == other.path:
        if one.how == other.how == "insert":
            return False
        return (one.how, one.content) != (other.how, other.content)
    short = _shorter(one, other)
    long = other if short is one else one
    return short.how != "insert" and long.path[: len(short.path)] == short.path


def _shorter(one: Edit, other: Edit) -> Edit:
    return one if len(one.path) <= len(other.path) else other


def edits(item: Item, path: Path) -> Iterator[Edit]:
    """All that an overlay says, edit by edit."""
    if isinstance(item, BlockEdit):
        yield Edit((*path, "first"), "insert", None, item.place)
    elif isinstance(item, RuleEdit):
        for change in item.edits:
            if change.where == "instead":
                yield Edit((*path, change.target), "set", _content(change.clauses), change.place)
            else:
                yield Edit((*path, change.where, change.target), "insert", None, change.place)
        yield from _drops(item.drops, path)
    elif isinstance(item, ListEdit):
        for each in item.items:
            yield Edit((*path, "add"), "insert", None, each.place)
        for leaf in item.drops:
            yield Edit((*path, "drop"), "insert", None, leaf.place)
    elif isinstance(item, Branch):
        for entry in item.entries:
            yield from edits(entry.item, (*path, entry.name))
        yield from _drops(item.drops if isinstance(item, MapEdit) else (), path)
    else:
        yield Edit(path, "set", _content(item), item.place)


def _drops(drops: Iterable[Leaf], path: Path) -> Iterator[Edit]:
    for leaf in drops:
        yield Edit((*path, leaf.value), "drop", None, leaf.place)


def _content(thing: Any) -> Any:
    """What something says, without its places."""
    match thing:
        case Syntax():
            return (thing.kind, tuple([_content(part) for part in thing.parts]))
        case Leaf():
            return (thing.kind, _content(thing.value))
        case Clause():
            return (thing.name, _content(thing.statement))
        case Rule():
            return tuple([_content(clause) for clause in thing.clauses])
        case DataList():
            return tuple([_content(each) for each in thing.items])
        case Branch():
            return tuple([(entry.name, _content(entry.item)) for entry in thing.entries])
        case tuple():
            return tuple([_content(each) for each in thing])
        case _:
            return thing


same_content = _content
