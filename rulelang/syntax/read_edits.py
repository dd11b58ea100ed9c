"""How overlays write edits: lists, blocks and rules as maps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulelang.source.tree import Mapping, Node, Sequence
from rulelang.syntax import forms
from rulelang.syntax.clauses import check_effects, clauses_of
from rulelang.syntax.forms import Form
from rulelang.syntax.overlay import BlockEdit, ClauseEdit, ListEdit, RuleEdit
from rulelang.syntax.read_scalars import short
from rulelang.syntax.trees import Clause, Item, Leaf, Rule, Syntax

if TYPE_CHECKING:
    from rulelang.syntax.read import Reader

_CLAUSE_EDIT = re.compile(r"(before|after)\s+(\S.*)$")


def is_list_edit(node: Mapping) -> bool:
    """Whether a map is `{add, drop}`."""
    words = {word.text for word, _ in node.entries}
    return bool(words) and words <= {"add", "drop"}


def list_edit(reader: Reader, form: Form, node: Mapping, key: str) -> Item | None:
    """`{add: […], drop: […]}` where a list may stand."""
    if not reader.overlay:
        reader.only_in_overlays(node, "`{add: …, drop: …}`")
        return None
    added: tuple[Item, ...] = ()
    drops: tuple[Leaf, ...] = ()
    for word, value in node.entries:
        if not isinstance(value, Sequence):
            reader.wrong(forms.Names("a list", f"{word.text}: [a, b]"), value, word.text)
        elif word.text == "add":
            if isinstance(form, forms.Listed):
                added = reader.items(form.of, value.items, key)
            else:
                added = reader.words(form, value, key) or ()
        else:
            drops = reader.words(form, value, key) or ()
    return ListEdit(added, node.place, drops)


def block_edit(reader: Reader, form: Form, node: Mapping, key: str) -> Leaf | None:
    """`{first: |, then: |}` where a block may stand."""
    if not reader.overlay:
        if {word.text for word, _ in node.entries} <= {"first", "then"}:
            reader.only_in_overlays(node, "`{first: …, then: …}`")
        else:
            reader.wrong(form, node, key)
        return None
    found: dict[str, tuple[Syntax, ...]] = {}
    for word, value in node.entries:
        if word.text not in ("first", "then"):
            reader.faults.add(word.place, "unknown-key", f"`{short(word.text)}` is no key here",
                            "a block is edited by `first: |` and `then: |`")
            continue
        statements = reader.statements(form, value, word.text)
        if statements is not None:
            check_effects(statements, reader.faults)
            found[word.text] = statements
    return BlockEdit("block", (), node.place, found.get("first", ()), found.get("then", ()))


def rule_edit(reader: Reader, form: Form, node: Mapping, key: str) -> Rule | None:
    """`{seven: |, before seven: |, after to: |, do: |, drop: [six]}` where a rule may stand."""
    if not reader.overlay:
        reader.only_in_overlays(node, "a rule that is written as a map")
        return None
    edits: list[ClauseEdit] = []
    drops: tuple[Leaf, ...] = ()
    for word, value in node.entries:
        if word.text == "drop" and isinstance(value, Sequence):
            drops = reader.words(form, value, "drop") or ()
            continue
        found = _CLAUSE_EDIT.match(word.text)
        where, target = (found[1], found[2]) if found else ("instead", word.text)
        statements = reader.statements(form, value, word.text)
        if statements is None:
            continue
        if not statements:
            reader.wrong(form, value, word.text, "a comment only")
            continue
        edits.append(ClauseEdit(where, target, _edit_clauses(reader, where, target, statements, value), word.place))
    return RuleEdit((), node.place, tuple(edits), drops)


def _edit_clauses(
    reader: Reader, where: str, target: str, statements: tuple[Syntax, ...], node: Node,
) -> tuple[Clause, ...]:
    if where == "instead" and target == "do" and not any(each.kind == "do" for each in statements):
        check_effects(statements, reader.faults)
        return (Clause("do", Syntax("do", (statements,), node.place)),)
    clauses = clauses_of(statements, reader.faults)
    if where != "instead" or not clauses:
        return clauses
    if len(clauses) > 1:
        second = clauses[1].statement
        reader.faults.add(second.place, "wrong-form", f"`{target}` is one clause; a second one stands here",
                        f"put further clauses in `before {target}: |` or `after {target}: |`")
        return clauses[:1]
    own = clauses[0]
    labelled = own.statement.kind in ("require", "ensure") and own.statement.parts[0] is None
    name = target if labelled or own.statement.kind == "says" else own.name
    if name != target:
        reader.faults.add(
            own.statement.place, "wrong-form", f"this clause is named `{name}`, the one it replaces `{target}`",
            "give it the same name; to have another clause, write `drop:` and `before …: |`",
        )
    return (Clause(target, own.statement),)
