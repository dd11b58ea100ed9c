"""Blocks of effects: the statements in turn, and what is known after each.

The forms of statements stand in `targets`, `chance` and `statements`; the scope carries their table (see `sentences`).
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.model.game import Block
from rulelang.model.ir import E, JudgeCall, S, Text
from rulelang.model.scope import Context, Key, Scope
from rulelang.model.truths import holds_when
from rulelang.syntax.trees import Syntax

EXITS = frozenset(("go", "again", "end_turn", "end_round", "win", "lose", "tie", "finish"))
CHANCE = frozenset(("draw", "deal", "roll", "shuffle", "judge"))
_CHANGING = frozenset(("set", "add", "sub", "draw", "deal", "roll", "shuffle", "move", "move_all"))
_NESTED = frozenset(("if", "for", "repeat"))


def block(s: Scope, c: Context, statements: tuple[Syntax, ...]) -> Block:
    """A block of effects. What an assignment, an `if` or a `let` makes known holds for those after it."""
    inner = c.child(later={**c.later, **{x.parts[0]: x.place for x in statements if x.kind in ("let", "judge")}})
    made: list[S] = []
    left = False
    for x in statements:
        if left:
            s.faults.add(x.place, "unreachable", "this is never run: the line before it leaves the block",
                         "drop it, or put it before what leaves")
            left = False      # told once a block
        inner.learned = []
        form = s.effects.get(x.kind)
        one = form(s, inner, x) if form is not None else None
        if one is not None:
            made += one
            left = leaves(s, one)
            for done in one:
                _learn(s, inner, done)
            inner.truths |= frozenset(inner.learned)
    return tuple(made)


# ------------------------------------------------------------------------------------------------ what is known


def _learn(s: Scope, c: Context, done: S) -> None:
    """Forget what a statement may have changed; after an `if` that leaves, its condition is known not to hold."""
    if done.op == "if" and leaves(s, done.body):
        c.truths = unread(c.truths | frozenset(holds_when(done.args[0], False)), _all_written(s, done.orelse))
    elif done.op == "if" and leaves(s, done.orelse):
        c.truths = unread(c.truths | frozenset(holds_when(done.args[0])), _all_written(s, done.body))
    else:
        c.truths = unread(c.truths, written_by(s, done))


def written_by(s: Scope, done: S) -> set[int]:
    """The variables that a statement may change."""
    if done.op == "step":
        return _all_written(s, s.steps[done.data].body)
    found = {t.var for t in (done.target, done.source) if t is not None}
    return found | _all_written(s, done.body) | _all_written(s, done.orelse)


def _all_written(s: Scope, statements: Block) -> set[int]:
    return {var for one in statements for var in written_by(s, one)}


def unread(truths: frozenset[Key], written: set[int]) -> frozenset[Key]:
    """The truths that hold still when these variables have changed."""
    return frozenset(t for t in truths if not _reads(t, written)) if written and truths else truths


def _reads(k: Key, written: set[int]) -> bool:
    return (k[0] == "get" and k[1] in written) or k[0] in ("call", "times") or any(_reads(a, written) for a in k[2])


def before_rounds(s: Scope, c: Context, statements: tuple[Syntax, ...]) -> Context:
    """The context of a loop's body: what the body changes is not known in its second round."""
    return c.child(truths=unread(c.truths, set(_written_in(s, statements))))


def _written_in(s: Scope, statements: tuple[Syntax, ...]) -> Iterator[int]:
    """The variables that statements may change, before they are made; all of them if a step is taken."""
    for x in statements:
        if x.kind == "do_step":
            yield from range(len(s.variables))
        elif x.kind in _NESTED:
            for part in x.parts:
                if isinstance(part, tuple):
                    yield from _written_in(s, part)
        elif x.kind in _CHANGING:
            for part in x.parts:
                if isinstance(part, Syntax) and part.parts and isinstance(part.parts[0], str):
                    of = f"{part.parts[0]} of {part.parts[1]}" if part.kind == "target_of" else part.parts[0]
                    symbol = s.symbols.get(of)
                    if symbol is not None and symbol.kind == "variable":
                        yield symbol.item


# ------------------------------------------------------------------------------------------------ what is in a block


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


def every(s: Scope, statements: Block | None) -> Iterator[S]:
    """The statements of a block, at every depth, and those of the steps that they take."""
    for one in statements or ():
        yield one
        yield from every(s, one.body)
        yield from every(s, one.orelse)
        if one.op == "step":
            yield from every(s, s.steps[one.data].body)


def ops_in(s: Scope, statements: Block | None) -> frozenset[str]:
    """The operations of a block, at every depth, and of the steps that it takes."""
    found: set[str] = set()
    for one in statements or ():
        found.add(one.op)
        found |= ops_in(s, one.body) | ops_in(s, one.orelse)
        if one.op == "step":
            found |= s.step_ops[one.data]
    return frozenset(found)


def expressions_in(one: S) -> Iterator[E]:
    """The expressions of a statement itself, not of those in its blocks."""
    yield from one.args
    for t in (one.target, one.source):
        if t is not None:
            yield from t.index
    told = one.data.question if isinstance(one.data, JudgeCall) else one.data
    if isinstance(told, Text):
        yield from (part for part in told.parts if isinstance(part, E))
