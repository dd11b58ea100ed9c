"""Who may read what: the check that nothing a player chooses, is refused or is told rests on what they may not see.

A variable's `seen` is a condition over its index and the viewer. Where a guard reads `x[i]`, that condition, with the
index put in and the acting player for the viewer, must be known to hold: because it is so by its form (`hand[me]` with
`viewer = p`), or because a condition before it in the same sentence or rule says so. What a define reads is demanded
of those who call it, with the arguments put in. What is told to everybody must be open to every viewer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rulelang.model.constant import fold
from rulelang.model.ir import E
from rulelang.model.scope import Context, Demand, Key, Scope, key
from rulelang.model.types import SWITCH
from rulelang.syntax.trees import Syntax

if TYPE_CHECKING:
    from rulelang.model.game import Variable

ANYONE = -2     # the slot of a viewer of whom nothing is known


def put_in(e: E, values: Mapping[int, E]) -> E:
    """The expression with locals replaced, and simplified where that settles it."""
    if e.op == "local":
        return values.get(e.data, e)
    if not e.args:
        return e
    args = tuple(put_in(a, values) for a in e.args)
    made = fold(E(e.op, e.type, args, e.data, e.place))
    if made.op == "eq" and key(made.args[0]) == key(made.args[1]):
        return E("const", SWITCH, (), True, e.place)
    if made.op in ("and", "or"):
        stop = made.op == "or"
        if any(a.op == "const" and bool(a.data) is stop for a in made.args):
            return E("const", SWITCH, (), stop, e.place)
        rest = tuple(a for a in made.args if a.op != "const")
        if not rest:
            return E("const", SWITCH, (), not stop, e.place)
        return rest[0] if len(rest) == 1 else E(made.op, SWITCH, rest, None, e.place)
    return made


def established(e: E, truths: frozenset[Key]) -> bool:
    """Whether the truths settle that the condition holds."""
    if e.op == "const":
        return bool(e.data)
    if key(e) in truths:
        return True
    if e.op == "eq" and key(E("eq", e.type, e.args[::-1], None, e.place)) in truths:
        return True
    if e.op == "and":
        return all(established(a, truths) for a in e.args)
    if e.op == "or":
        return any(established(a, truths) for a in e.args)
    return False


def reading(s: Scope, c: Context, v: Variable, e: E) -> None:
    """Check (or demand of the callers) that the state read by `e` may be seen where it is read."""
    if v.seen is None:
        return
    who = E("local", s.seats, (), ANYONE) if c.told else E("me", s.seats)
    asked = put_in(v.seen, {**dict(zip(v.slots, e.args, strict=True)), v.viewer_slot: who})
    if established(asked, c.truths):
        return
    if s.demands is not None:
        s.demands.append(Demand(asked, c.truths, e.place, v.name))
    elif c.guard or c.told:
        _refuse(s, v.name, c, e)


def calling(s: Scope, c: Context, number: int, slots: list[int], values: tuple[E, ...], x: Syntax) -> None:
    """Settle what a define demands, where it is called."""
    if not (c.guard or c.told or s.demands is not None):
        return
    bound = dict(zip(slots, values, strict=True))
    for demand in s.define_demands.get(number, ()):
        asked = put_in(demand.condition, bound)
        if established(asked, c.truths):
            continue
        if s.demands is not None:
            s.demands.append(Demand(asked, c.truths, x.place, demand.name))
        else:
            _refuse(s, demand.name, c, E("const", SWITCH, (), None, x.place))
            return


def _refuse(s: Scope, name: str, c: Context, e: E) -> None:
    told = "everybody is told this" if c.told else f"the acting player may not see it ({c.guard or 'a condition'})"
    s.faults.add(
        e.place, "secret", f"`{name}` is read here, and {told}",
        f"ask first what `seen:` of `{name}` says, as `… and …`, or decide it in `do` or `after`",
    )


def reads_secret(s: Scope, e: E) -> bool:
    """Whether an expression reads, itself or through defines, anything that not everybody sees."""
    if e.op == "get" and s.variables[e.data].seen is not None:
        return True
    if e.op == "call" and s.define_demands.get(e.data):
        return True
    return any(reads_secret(s, a) for a in e.args)
