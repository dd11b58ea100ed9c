"""Looking ahead: what is chosen later is asked for before a loop that it does not hang on.

`choose at in mine`, then `choose 4 from blocks[me] as used`, then a price for what is used: which blocks can be paid has
nothing to do with the place, and mostly there are none. Whether the rest can be chosen at all is asked once, at the
first value of the loop, and the others are passed over if it cannot. An `ensure` is not looked at: it speaks of all.
"""

from __future__ import annotations

from rulelang.native.emitter import Emitter
from rulelang.native.plans import CHOOSE, Plan


def apart(x: Emitter, made: Plan, after: int) -> bool:
    """Whether the clauses from one on hold several choices that do not hang on those before, and can be no fault."""
    if not x.passes.ahead or made.tail is not None or made.parted is not None:
        return False
    before = {clause.slot for clause in made.clauses[:after] if clause.kind != "require"}
    rest = made.clauses[after:]
    if sum(clause.kind in CHOOSE for clause in rest) < 2 or any(clause.kind == "let" for clause in rest):
        return False
    asked = [e for c in rest for e in (c.domain, c.where, c.value, *(c.amount or ())) if e is not None]
    return all(x.total(e) and not x.facts(e).free & before and not x.facts(e).course for e in asked)


__all__ = ["apart"]
