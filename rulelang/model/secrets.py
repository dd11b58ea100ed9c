"""Who may read what: the check that nothing a player chooses, is refused or is told rests on what they may not see.

A variable's `seen` is a condition over its index and the viewer. Where a guard reads `x[i]`, that condition, with the
index put in and the acting player for the viewer, must be known to hold: because it is so by its form (`hand[me]` with
`viewer = p`), or because a condition before it in the same sentence or rule says so. What a define reads is demanded
of those who call it, with the arguments put in. What is told to everybody must be open to every viewer. Of a bag or
set whose `size seen` holds, the size may be asked.

Effects may read all. A local that holds what they have read is *tainted*: nobody may be told it, and no `ensure` may
ask it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.model.ir import E
from rulelang.model.scope import DOUBT, Context, Demand, Key, Scope, key
from rulelang.model.substitute import put_in
from rulelang.model.types import SWITCH
from rulelang.source.diagnostic import Place

if TYPE_CHECKING:
    from rulelang.model.game import Variable

ANYONE = -2             # the slot of a viewer of whom nothing is known
MOST_DEMANDS = 200      # a define that demands more of its callers may be called where everything may be read only


def unsettled(e: E, truths: frozenset[Key]) -> E | None:
    """What of a condition the truths leave open; None if they settle that it holds."""
    if e.op == "const":
        return None if e.data else e
    if DOUBT in truths or key(e) in truths:
        return None
    if e.op == "eq" and ("eq", None, tuple(key(a) for a in e.args[::-1])) in truths:
        return None
    if e.op == "and":
        rest = [left for a in e.args if (left := unsettled(a, truths)) is not None]
        return None if not rest else rest[0] if len(rest) == 1 else E("and", SWITCH, tuple(rest), None, e.place)
    if e.op == "or" and any(unsettled(a, truths) is None for a in e.args):
        return None
    return e


def reading(s: Scope, c: Context, v: Variable, e: E) -> None:
    """Check (or demand of the callers) that the state read by `e` may be seen where it is read."""
    if v.seen is None or not _matters(s, c):
        return
    index = dict(zip(v.slots, e.args, strict=True))
    for told in (False, True) if s.demands is not None else (c.told,):
        values = {**index, v.viewer_slot: E("local", s.seats, (), ANYONE) if told else E("me", s.seats)}
        asked = unsettled(put_in(v.seen, values), c.truths)
        if asked is not None and c.size_only and v.size_seen is not None:
            asked = unsettled(put_in(v.size_seen, values), c.truths)
        if asked is not None:
            _demand(s, c, Demand(asked, v.name, told), e.place)


def calling(s: Scope, c: Context, number: int, slots: list[int], values: tuple[E, ...], place: Place) -> None:
    """Settle what a define demands, where it is called."""
    if not _matters(s, c):
        return
    bound = dict(zip(slots, values, strict=True))
    for demand in s.define_demands.get(number, ()):
        if s.demands is None and demand.told is not c.told:
            continue
        asked = unsettled(put_in(demand.condition, bound), c.truths)
        if asked is not None:
            _demand(s, c, Demand(asked, demand.name, demand.told), place)
            if s.demands is None:
                return      # one of its reads is enough to refuse the call


def remembering(s: Scope, c: Context, position: str, place: Place) -> None:
    """Check that all of a position is open, where it is asked how often it stood: the answer tells of its parts."""
    hidden = _hidden_part(s, position)
    if hidden and _matters(s, c):
        for told in (False, True) if s.demands is not None else (c.told,):
            _demand(s, c, Demand(E("const", SWITCH, (), False), hidden, told), place)


def _hidden_part(s: Scope, position: str) -> str:
    """A variable of a position that not everybody sees; '' if there is none."""
    for name in s.position_parts.get(position, ()):
        symbol = s.symbols.get(name)
        if symbol is not None and symbol.kind == "variable" and s.variables[symbol.item].seen is not None:
            return name
    return ""


def _matters(s: Scope, c: Context) -> bool:
    return bool(c.guard) or c.told or s.demands is not None


def _demand(s: Scope, c: Context, demand: Demand, place: Place) -> None:
    if s.demands is None:
        _refuse(s, demand.name, c, place)
    elif len(s.demands) >= MOST_DEMANDS:
        s.demands[0] = Demand(E("const", SWITCH, (), False), demand.name, False)
        s.demands[1] = Demand(E("const", SWITCH, (), False), demand.name, True)
    elif not any((d.name, d.told) == (demand.name, demand.told) and key(d.condition) == key(demand.condition)
                 for d in s.demands):
        s.demands.append(demand)


def _refuse(s: Scope, name: str, c: Context, place: Place) -> None:
    told = "everybody is told this" if c.told else f"the acting player may not see it ({c.guard or 'a condition'})"
    s.faults.add(
        place, "secret", f"`{name}` is read here, and {told}",
        f"ask first what `seen:` of `{name}` says, as `… and …`, or decide it in `do` or `after`",
    )


# ------------------------------------------------------------------------------------------------ what is carried on


def reads_secret(s: Scope, e: E) -> bool:
    """Whether an expression reads, itself or through defines and locals, anything that not everybody sees."""
    if e.op == "get" and s.variables[e.data].seen is not None:
        return True
    if e.op == "call" and e.data in s.secret_defines:
        return True
    if e.op == "local" and e.data in s.tainted:
        return True
    if e.op == "times" and _hidden_part(s, list(s.position_parts)[e.data]):
        return True
    return any(reads_secret(s, a) for a in e.args)


def taint(s: Scope, c: Context, slot: int, e: E) -> None:
    """Note that a local holds what was read where everything may be read, if that was a secret."""
    if not c.guard and s.demands is None and reads_secret(s, e):
        s.tainted.add(slot)
