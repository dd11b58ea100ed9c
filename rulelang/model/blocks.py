"""Blocks of effects: the statements in turn, and what is known after each.

The forms of statements stand in `statements` and `chance`; the scope carries their table (see `sentences`).
"""

from __future__ import annotations

from rulelang.model.game import Block
from rulelang.model.ir import E, S
from rulelang.model.scope import Context, Key, Scope
from rulelang.model.truths import holds_when, not_none
from rulelang.model.types import WRONG, Maybe
from rulelang.syntax.trees import Syntax

EXITS = frozenset(("go", "again", "end_turn", "end_round", "win", "lose", "tie", "finish"))
CHANCE = frozenset(("draw", "deal", "roll", "shuffle", "judge"))


def block(s: Scope, c: Context, statements: tuple[Syntax, ...]) -> Block:
    """A block of effects. What an assignment, an `if` or a `let` makes known holds for those after it."""
    inner = c.child()
    made: list[S] = []
    for x in statements:
        if made and made[-1].op in EXITS:
            s.faults.add(x.place, "unreachable", "this is never run: the line before it leaves the block")
            break
        statement = s.effects.get(x.kind)
        if statement is None:
            s.faults.add(x.place, "wrong-form", f"`{x.kind.split('_')[0]}` belongs before the `do:` of an action's rule")
            continue
        one = statement(s, inner, x)
        if one is not None:
            made += one
            _learn(inner, one[-1], x)
    return tuple(made)


def _learn(c: Context, done: S, x: Syntax) -> None:
    """What is known after a statement."""
    written = written_by(done)
    if written is None:
        c.truths = frozenset(t for t in c.truths if not _reads_any(t))
    elif written:
        c.truths = frozenset(t for t in c.truths if not _reads(t, written))
    if done.op == "set" and done.target is not None and not isinstance(done.args[0].type, Maybe) \
            and done.args[0].op != "const":
        c.truths |= {not_none(E("get", WRONG, done.target.index, done.target.var))}
    if done.op == "if" and done.body and not done.orelse and done.body[-1].op in EXITS:
        c.truths |= frozenset(holds_when(done.args[0], False))


def written_by(done: S) -> set[int] | None:
    """The variables that a statement may change; None if it may be any."""
    if done.op in ("step", "judge"):
        return None
    found = {t.var for t in (done.target, done.source) if t is not None}
    for inner in (*done.body, *done.orelse):
        below = written_by(inner)
        if below is None:
            return None
        found |= below
    return found


def _reads(k: Key, written: set[int]) -> bool:
    return (k[0] == "get" and k[1] in written) or k[0] in ("call", "times") or any(_reads(a, written) for a in k[2])


def _reads_any(k: Key) -> bool:
    return k[0] in ("get", "call", "times") or any(_reads_any(a) for a in k[2])



def ops_in(statements: Block) -> set[str]:
    """The operations of statements, at every depth, but not of the steps they call."""
    found: set[str] = set()
    for one in statements:
        found.add(one.op)
        found |= ops_in(one.body) | ops_in(one.orelse)
    return found




def leaves(s: Scope, statements: Block) -> bool:
    """Whether a block leaves by an exit whatever happens."""
    for one in statements:
        if one.op in EXITS:
            return True
        if one.op == "if" and one.orelse and leaves(s, one.body) and leaves(s, one.orelse):
            return True
        if one.op == "step" and leaves(s, s.steps[one.data].body):
            return True
    return False
