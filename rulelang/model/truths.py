"""What is known to hold once a condition does: for values that may be none, for secrets, for contradictions.

A truth is the key of a condition (`scope.key`): its operation, data and arguments, without places. Two conditions
that are written alike are one truth; nothing is proved beyond that, but for numbers compared with constants.
"""

from __future__ import annotations

from rulelang.model.ir import E
from rulelang.model.scope import Context, Key, Scope, key
from rulelang.model.types import Maybe, Nothing, Wrong
from rulelang.source.diagnostic import Place


def holds_when(e: E, outcome: bool = True) -> list[Key]:
    """What is known once `e` is known to be on (or off)."""
    found: list[Key] = []
    match e.op:
        case "and" if outcome:
            for a in e.args:
                found += holds_when(a)
        case "or" if not outcome:
            for a in e.args:
                found += holds_when(a, False)
        case "not":
            found += holds_when(e.args[0], not outcome)
        case "if" if e.args[1].op == "const" and e.args[1].data is False and outcome:
            found += holds_when(e.args[2])
    if outcome:
        found.append(key(e))
        if e.op == "eq":
            for a, b in (e.args, e.args[::-1]):
                if isinstance(a.type, Maybe) and not isinstance(b.type, (Maybe, Nothing)):
                    found.append(not_none(a))
        if e.op == "in":
            found.append(not_none(e.args[0]))
    else:
        found.append(("not", None, (key(e),)))
        if e.op == "eq":
            found.append(("ne", None, tuple(key(a) for a in e.args)))
        if e.op == "ne":
            found.append(("eq", None, tuple(key(a) for a in e.args)))
    return found


def not_none(e: E) -> Key:
    """The truth that `e` is not none."""
    return ("ne", None, (key(e), ("const", None, ())))


def contradiction(s: Scope, c: Context, left: E, right: E, place: Place) -> None:
    """Note a fault where the right cannot hold when the left does, as far as that can be seen."""
    known = set(holds_when(left)) | c.truths
    for part in right.args if right.op == "and" else (right,):
        if isinstance(part.type, Wrong) or part.op == "const":
            continue
        if any(k in known for k in holds_when(part, False)) or _outside(known, part):
            s.faults.add(part.place, "contradiction", "this can never hold together with the conditions before it",
                         "drop one of the two, or write `or` between them")


def _outside(known: set[Key], part: E) -> bool:
    """Whether numbers that the known truths allow for an expression leave none for `part`."""
    bounds = _bounds(key(part))
    if bounds is None:
        return False
    subject, low, high = bounds
    for truth in known:
        other = _bounds(truth)
        if other is not None and other[0] == subject:
            low, high = max(low, other[1]), min(high, other[2])
    return low > high


def _bounds(k: Key) -> tuple[Key, float, float] | None:
    op, _, args = k
    if op not in ("eq", "lt", "le", "gt", "ge") or len(args) != 2 or args[0][0] == "const":
        return None
    subject, limit = args
    if limit[0] != "const" or not isinstance(limit[1], int) or isinstance(limit[1], bool):
        return None
    n, no = limit[1], float("inf")
    low, high = {"eq": (n, n), "lt": (-no, n - 1), "le": (-no, n), "gt": (n + 1, no), "ge": (n, no)}[op]
    return subject, low, high
