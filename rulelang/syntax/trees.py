"""Syntax trees: sentences as Lark sees them, and documents made of them.

A sentence becomes a `Syntax`: its `kind` is the rule or alias of grammar.lark that made it, its `parts` are what the
rule kept: other `Syntax`, plain strings (names, operators), whole numbers, or None for an optional part left out.
The kinds and their parts are listed in `KINDS`.

A document is a tree of `Branch` (a map by name), `Leaf` (one value) and `Rule` (the clauses of an action).
Short forms in the file are written out here (`stone[c of Cell]: switch` becomes a branch with a `type`), so that
overlays meet leaf by leaf and the model reads one form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulelang.source.diagnostic import Place


@dataclass(frozen=True, slots=True)
class Syntax:
    """One node of a sentence. `place` is its first line's stretch in its own file."""

    kind: str
    parts: tuple[Any, ...]
    place: Place


# kind -> the names of its parts, in order ('*' = any number of the same; '?' = may be None)
KINDS: dict[str, tuple[str, ...]] = {
    # statements
    "let": ("name", "value", "sentence?"),
    "choose_one": ("name", "domain", "or_none: bool", "where?", "sentence?"),
    "choose_some": ("amount", "bag", "name", "where?", "sentence?"),
    "require": ("label?", "condition", "sentence?"),
    "ensure": ("label?", "condition", "sentence?"),
    "says": ("text",),
    "set": ("target", "value"), "add": ("target", "value"), "sub": ("target", "value"),
    "draw": ("target", "bag"), "deal": ("amount", "bag", "target"), "shuffle": ("target",), "roll": ("target",),
    "move": ("what", "from", "to"), "move_all": ("from", "to"),
    "judge": ("name", "model?", "arguments: tuple of Syntax", "question"),
    "go": ("phase",), "again": (), "end_turn": (), "end_round": (), "next_player": (), "turn_to": ("player",),
    "win": ("player",), "lose": ("player",), "tie": (), "finish": (), "out": ("player",),
    "do_step": ("name", "arguments: tuple of Syntax"),
    "if": ("condition", "then: tuple of Syntax", "else: tuple of Syntax"),       # else-if is an `if` in the else
    "for": ("name", "domain", "where?", "body: tuple of Syntax"),
    "repeat": ("amount", "body: tuple of Syntax"),
    "do": ("body: tuple of Syntax",),
    # what may stand left of := and after from/to
    "target": ("name", "indices: tuple of Syntax"), "target_of": ("word", "name"),   # supply of card
    # expressions
    "cond": ("value", "condition", "otherwise"),
    "or_": ("left", "right"), "and_": ("left", "right"), "not_": ("value",),
    "quant": ("some|every|no", "name", "domain", "where?", "condition"),
    "no_two": ("name", "domain", "key"),
    "first": ("name", "domain", "where?"), "last": ("name", "domain", "where?"),
    "compare": ("left", "op", "right"), "equal": ("left", "right"), "unequal": ("left", "right"),
    "is_a": ("value", "name"), "in_": ("left", "right"), "not_in": ("left", "right"), "within": ("left", "right"),
    "meets": ("left", "right"), "holds": ("left", "right"), "without": ("left", "right"), "both": ("left", "right"),
    "range": ("low", "high"), "plus": ("left", "right"), "minus": ("left", "right"), "times": ("left", "right"),
    "over": ("left", "right"), "mod": ("left", "right"), "negate": ("value",), "of_": ("name", "value"),
    "int": ("number: int",), "name": ("name",), "call": ("name", "arguments: tuple of Syntax"),
    "index": ("name", "indices: tuple of Syntax"), "player": ("number: int",),
    "none": (), "on": (), "off": (), "empty": (),
    "set_of": ("elements: tuple of Syntax",), "set_where": ("name", "domain", "where"),
    "bag_for": ("value", "name", "domain", "where?"),
    # types
    "type": ("base", "or_none: bool"), "t_switch": (), "t_name": ("name",), "t_range": ("low", "high"),
    "t_bag": ("base", "most?"), "t_set": ("base",), "t_deck": ("base", "most?"),
    "union": ("base", "names: tuple of str"),
    "decl": ("name", "params: tuple of Syntax"), "sig": ("name", "params: tuple of Syntax"),
    "param": ("name", "type"),
    "rank": ("highest|lowest", "value"),            # `score` alone is rank(highest, score)
    "one_each": (), "random_": (), "random_with": ("condition",),
    # data cells of maps of values, beside expressions
    "lines_span": ("rows|columns", "low", "high"),       # `rows 1..3`: the cells of those rows
    # texts with {expression} in them: parts are str and Syntax in turn
    "text": ("*",),
    "or_else": ("value", "words: str"),      # `{digit or o}` in a text: the words where the value is none or unseen
}


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value of a document. `kind` says what `value` is:

    text: str · names: tuple of `Leaf` text · expr, type, union, start, rank: Syntax · block: tuple of Syntax ·
    data: Syntax (a value in a table or a map of values) · players: Syntax (int | range) or tuple of names ·
    template: Syntax of kind text · flag: str
    """

    kind: str
    value: Any
    place: Place


@dataclass(frozen=True, slots=True)
class Clause:
    """A named statement of an action: choose, let, require, do, ensure or says. Twice a name in one rule is a fault."""

    name: str
    statement: Syntax


@dataclass(frozen=True, slots=True)
class Rule:
    """An action's rule: its clauses in order."""

    clauses: tuple[Clause, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class DataList:
    """A list of values: rows of pictures and tables, moves of an example."""

    items: tuple[Item, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and what it holds. `signature` is the parsed key where keys are `name[i of T]` or `name(x of T)`."""

    name: str
    item: Item
    place: Place
    signature: Syntax | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """A map by name, in the file's order."""

    entries: tuple[Entry, ...]
    place: Place

    def get(self, name: str) -> Item | None:
        """What stands under `name`, or None."""
        for entry in self.entries:
            if entry.name == name:
                return entry.item
        return None

    def entry(self, name: str) -> Entry | None:
        """The entry of that name, or None."""
        for entry in self.entries:
            if entry.name == name:
                return entry
        return None

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __contains__(self, name: str) -> bool:
        return self.entry(name) is not None


Item = Leaf | Rule | DataList | Branch
