"""The clauses of an action's rule: their names, and which statements may stand where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulelang.source.diagnostic import Faults
from rulelang.syntax.trees import Clause, Syntax

PREAMBLE = frozenset({"choose_one", "choose_some", "let", "require", "says"})
_ONLY_IN_RULES = frozenset({"choose_one", "choose_some", "require", "ensure", "do", "says"})
_WORDS = {"choose_one": "choose", "choose_some": "choose"}


def clauses_of(statements: Iterable[Syntax], faults: Faults) -> tuple[Clause, ...]:
    """The clauses that the statements of a rule are; what may not stand in a rule is noted and left out."""
    clauses: list[Clause] = []
    for statement in statements:
        if statement.kind not in _ONLY_IN_RULES and statement.kind != "let":
            faults.add(
                statement.place, "misplaced-statement", "this statement changes the game, and stands outside `do:`",
                "write `do:` on a line of its own and indent the effects below it",
            )
            continue
        if statement.kind == "do":
            check_effects(statement.parts[0], faults)
        clauses.append(Clause(_name(statement, clauses), statement))
    check_names(clauses, faults)
    return tuple(clauses)


def _name(statement: Syntax, before: list[Clause]) -> str:
    """A clause's own name, or one made from its first word."""
    if statement.kind in ("choose_one", "let"):
        return str(statement.parts[0])
    if statement.kind == "choose_some":
        return str(statement.parts[2])
    if statement.kind in ("require", "ensure") and statement.parts[0]:
        return str(statement.parts[0])
    if statement.kind == "do":
        return "do"
    taken = {clause.name for clause in before}
    name, number = statement.kind, 1
    while name in taken:
        number += 1
        name = f"{statement.kind} {number}"
    return name


def check_names(clauses: Iterable[Clause], faults: Faults) -> None:
    """Twice a name in one rule is a fault."""
    first: dict[str, Syntax] = {}
    for clause in clauses:
        earlier = first.setdefault(clause.name, clause.statement)
        if earlier is clause.statement:
            continue
        what = "a second `do:`" if clause.name == "do" else f"a second clause named `{clause.name}`"
        faults.add(
            clause.statement.place, "twice-named", f"this is {what} in one rule",
            "put all effects below one `do:`" if clause.name == "do" else "give one of the two another name",
            [(f"the first is at {earlier.place}", earlier.place)],
        )


def check_order(clauses: Iterable[Clause], faults: Faults) -> None:
    """First what is asked, then one `do:`, then the `ensure`s."""
    done: Syntax | None = None
    for clause in clauses:
        kind = clause.statement.kind
        if kind == "do":
            done = clause.statement
        elif done is not None and kind in PREAMBLE:
            faults.add(
                clause.statement.place, "clause-order", f"`{_WORDS.get(kind, kind)}` stands after the `do:`",
                "what is asked before the effects stands above `do:`; a condition on their outcome is an `ensure`",
                [(f"the `do:` is at {done.place}", done.place)],
            )
        elif done is None and kind == "ensure":
            faults.add(
                clause.statement.place, "clause-order", "`ensure` stands before the `do:`",
                "a condition before the effects is a `require`; an `ensure` stands below `do:`",
            )


def check_effects(statements: Iterable[Syntax], faults: Faults) -> None:
    """In blocks of effects nothing is asked and nothing refused."""
    for statement in _all(statements):
        if statement.kind in _ONLY_IN_RULES:
            word = _WORDS.get(statement.kind, statement.kind)
            faults.add(
                statement.place, "misplaced-statement", f"`{word}` stands among effects",
                "it belongs into an action's rule, outside `do:`; a condition among effects is an `if`",
            )
        elif statement.kind == "let" and statement.parts[2] is not None:
            faults.add(
                statement.parts[2].place, "misplaced-statement", "a sentence stands behind a `let` among effects",
                "only in an action's rule can a `let` refuse a move: take the sentence out",
            )


def _all(statements: Iterable[Syntax]) -> Iterator[Syntax]:
    """The statements and those in their blocks (an `if` and `for` have at most two)."""
    for statement in statements:
        yield statement
        if statement.kind in ("if", "for", "repeat", "do"):
            for part in statement.parts:
                if isinstance(part, tuple):
                    yield from _all(part)
