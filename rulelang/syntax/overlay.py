"""What an overlay may write where a file would write a value: edits, in the same tree as what they change.

Each is a kind of the item that it edits, so that a tree with edits in it is still a tree. `merge.py` applies them;
what it returns has none left.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulelang.source.diagnostic import Place
from rulelang.syntax.trees import Branch, Clause, DataList, Leaf, Rule, Syntax


@dataclass(frozen=True, slots=True)
class MapEdit(Branch):
    """A map of an overlay; `drops` are the names under its `drop: […]`."""

    drops: tuple[Leaf, ...] = ()


@dataclass(frozen=True, slots=True)
class Layered(MapEdit):
    """A variant that extending files change: `later` is what each of them says, laid over what was said before it."""

    later: tuple[MapEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class ListEdit(DataList):
    """`{add: […], drop: […]}`: `items` are added."""

    drops: tuple[Leaf, ...] = ()


@dataclass(frozen=True, slots=True)
class BlockEdit(Leaf):
    """`{first: |, then: |}`: statements put before and after a block; `value` is unused."""

    first: tuple[Syntax, ...] = ()
    then: tuple[Syntax, ...] = ()


@dataclass(frozen=True, slots=True)
class ClauseEdit:
    """Clauses put before or after the clause `target`, or instead of it (`where` says which of the three)."""

    where: str
    target: str
    clauses: tuple[Clause, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class RuleEdit(Rule):
    """An action's rule written as a map; `clauses` is empty."""

    edits: tuple[ClauseEdit, ...] = ()
    drops: tuple[Leaf, ...] = ()
