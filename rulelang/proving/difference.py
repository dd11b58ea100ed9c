"""What differs between two games, by the names of their rules.

Two merged documents are compared leaf by leaf, by what the leaves mean: places, comments and layout do not count.
What only one of them has is told once, at the highest name that is missing in the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rulelang.proving.wording import words_of, words_of_entry
from rulelang.source.diagnostic import Place
from rulelang.syntax.overlay import BlockEdit, Layered, ListEdit, MapEdit, RuleEdit
from rulelang.syntax.trees import Branch, Clause, DataList, Entry, Item, Leaf, Rule, Syntax

_PARAMETERS = ", parameters"      # behind the name of what has them
_NOT_RULES = frozenset({"rulelang", "extends", "include"})
_SINGULAR = {
    "options": "option", "variants": "variant", "types": "type", "components": "component", "tables": "table",
    "shapes": "shape", "define": "definition of", "steps": "step", "phases": "phase", "actions": "action",
    "positions": "position", "invariants": "invariant", "examples": "example", "assume": "assumption", "state": "state",
    "end": "end", "teams": "team", "sources": "sources",
}


@dataclass(frozen=True, slots=True)
class Side:
    """What one of the two says: its text in the one style, and where it stands."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference. `path` are the names that lead to it; `old` or `new` is None where only the other has it."""

    path: tuple[str, ...]
    old: Side | None
    new: Side | None

    @property
    def change(self) -> str:
        """`added`, `removed` or `changed`."""
        return "added" if self.old is None else "removed" if self.new is None else "changed"

    @property
    def rule(self) -> str:
        """The path in words: `action pick, clause do`."""
        return words(self.path)


def differences(old: Branch, new: Branch) -> list[Difference]:
    """All differences, in the order of the old document; what only the new one has stands after what it follows."""
    return list(_branches(_Named.of_branch(old), _Named.of_branch(new), ()))


def words(path: tuple[str, ...]) -> str:
    """A path in the words of rules: `option limit, start`."""
    section, *rest = path
    if not rest:
        return section
    first = f"{_SINGULAR[section]} {rest[0]}" if section in _SINGULAR else f"{section}, {rest[0]}"
    further = [part for part in rest[1:] if part != "rule"]
    if section == "actions" and len(rest) > 2 and rest[1] == "rule":
        further[-1] = f"clause {further[-1]}" if rest[2] != "order" else "order of the clauses"
    return ", ".join([first, *further])


@dataclass(frozen=True, slots=True)
class _Named:
    """Things by name, each with its place: a branch, or the clauses of a rule.

    What has parameters has them as a further thing, named after it, so that each is compared by itself.
    """

    items: dict[str, tuple[Item | Clause | str, Place]]
    with_parameters: dict[str, Entry] = field(default_factory=dict)

    @classmethod
    def of_branch(cls, branch: Branch) -> _Named:
        made = cls({})
        for entry in branch:
            made.items[entry.name] = (entry.item, entry.place)
            # a key of a map of values is a sentence too, but has no parameters
            if entry.signature is not None and entry.signature.kind in ("decl", "sig") and entry.signature.parts[1]:
                made.items[f"{entry.name}{_PARAMETERS}"] = (Leaf("decl", entry.signature, entry.place), entry.place)
                made.with_parameters[entry.name] = entry
        made._drops("drop", branch)
        for number, layer in enumerate(branch.later if isinstance(branch, Layered) else (), 1):
            made.items.update((f"change {number}: {entry.name}", (entry.item, entry.place)) for entry in layer)
            made._drops(f"change {number}: drop", layer)
        return made

    def _drops(self, name: str, branch: Branch) -> None:
        if isinstance(branch, MapEdit) and branch.drops:
            self.items[name] = (", ".join(drop.value for drop in branch.drops), branch.drops[0].place)

    @classmethod
    def of_rule(cls, rule: Rule) -> _Named:
        return cls({clause.name: (clause, clause.statement.place) for clause in rule.clauses})

    def side(self, name: str) -> Side:
        """What is said under a name that the other has not: with its parameters, if it has any."""
        item, place = self.items[name]
        if name in self.with_parameters:
            return Side(words_of_entry(self.with_parameters[name]), place)
        return _side(item, place)


def _branches(old: _Named, new: _Named, path: tuple[str, ...]) -> Iterator[Difference]:
    for name in _in_order(list(old.items), list(new.items)):
        here = (*path, name)
        if not path and name in _NOT_RULES:
            continue
        if name.endswith(_PARAMETERS) and not all(name.removesuffix(_PARAMETERS) in each.items for each in (old, new)):
            continue      # told with what has them
        if name not in new.items:
            yield Difference(here, old.side(name), None)
        elif name not in old.items:
            yield Difference(here, None, new.side(name))
        else:
            yield from _items(old.items[name], new.items[name], here)


def _items(
    old: tuple[Item | Clause | str, Place], new: tuple[Item | Clause | str, Place], path: tuple[str, ...]
) -> Iterator[Difference]:
    one, other = old[0], new[0]
    if isinstance(one, Branch) and isinstance(other, Branch):
        yield from _branches(_Named.of_branch(one), _Named.of_branch(other), path)
    elif isinstance(one, Rule) and isinstance(other, Rule) and RuleEdit not in (type(one), type(other)):
        yield from _branches(_Named.of_rule(one), _Named.of_rule(other), path)
        kept = {clause.name for clause in one.clauses} & {clause.name for clause in other.clauses}
        orders = [", ".join(c.name for c in rule.clauses if c.name in kept) for rule in (one, other)]
        if orders[0] != orders[1]:
            yield Difference((*path, "order"), Side(orders[0], one.place), Side(orders[1], other.place))
    elif meaning(one) != meaning(other):
        yield Difference(path, _side(*old), _side(*new))


def _side(item: Item | Clause | str, place: Place) -> Side:
    return Side(item if isinstance(item, str) else words_of(item), place)


def _in_order(old: list[str], new: list[str]) -> list[str]:
    """Both lists in one: names of the new list stand after the name that they follow there."""
    merged = list(old)
    for number, name in enumerate(new):
        if name not in merged:
            before = new[number - 1] if number else None
            merged.insert(merged.index(before) + 1 if before is not None else 0, name)
    return merged


def meaning(item: Any) -> Any:
    """An item without its places, so that equal meanings are equal."""
    match item:
        case Layered():
            return (meaning(MapEdit(item.entries, item.place, item.drops)), meaning(item.later))
        case MapEdit(drops=drops) if drops:
            return (meaning(Branch(item.entries, item.place)), meaning(drops))
        case RuleEdit():
            return (tuple((one.where, one.target, meaning(one.clauses)) for one in item.edits), meaning(item.drops))
        case BlockEdit():
            return (meaning(item.first), meaning(item.then))
        case ListEdit():
            return (meaning(item.items), meaning(item.drops))
        case Branch():
            return tuple((entry.name, meaning(entry.signature), meaning(entry.item)) for entry in item)
        case Leaf():
            return (item.kind, meaning(item.value))
        case Rule():
            return tuple(meaning(clause) for clause in item.clauses)
        case Clause():
            return (item.name, meaning(item.statement))
        case DataList():
            return tuple(meaning(one) for one in item.items)
        case Syntax():
            return (item.kind, tuple(meaning(part) for part in item.parts))
        case tuple():
            return tuple(meaning(part) for part in item)
    return item
