"""What is known to hold once a condition does: for values that may be none, for secrets, for contradictions.

A truth is the key of a condition (`scope.key`): its operation, data and arguments, without places. Two conditions
that are written alike are one truth; nothing is proved beyond that, but for numbers compared with constants and for
the members of sets that a condition picks out.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulelang.model.ir import E
from rulelang.model.scope import DOUBT, Context, Key, Scope, key
from rulelang.model.substitute import put_in
from rulelang.model.types import Maybe, Nothing, Type, Wrong

_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}
_NO_LIMIT = float("inf")


def holds_when(e: E, outcome: bool = True) -> list[Key]:
    """What is known once `e` is known to be on (or off)."""
    if isinstance(e.type, Wrong):
        return [DOUBT]
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
        case "eq" | "in" if outcome:
            found += _there(e)
        case "ne" if not outcome:
            found += _there(e)
    found += [key(e)] if outcome else opposites(key(e))
    return found


def _there(e: E) -> list[Key]:
    """What is not none once two values are alike, or one is in a set."""
    if e.op == "in":
        return [not_none(e.args[0])]
    return [not_none(a.args[0] if a.op == "number_of" else a) for a, b in (e.args, e.args[::-1])
            if isinstance(a.type, Maybe) and (not isinstance(b.type, (Maybe, Nothing)) or _is_value(b))]


def _is_value(e: E) -> bool:
    return e.op == "const" and e.data is not None


def not_none(e: E) -> Key:
    """The truth that `e` is not none."""
    return ("ne", None, (key(e), ("const", None, ())))


def opposites(k: Key) -> list[Key]:
    """The truths that say just that `k` does not hold."""
    if k[0] == "not":
        return [k[2][0]]
    found: list[Key] = [("not", None, (k,))]
    if k[0] in _OPPOSITE:
        found.append((_OPPOSITE[k[0]], None, k[2]))
        if k[0] in ("eq", "ne"):
            found.append((_OPPOSITE[k[0]], None, k[2][::-1]))
    return found


def members_of(s: Scope, over: E, slot: int, kind: Type) -> list[Key]:
    """What is known of a local that is one of `over`: that it is in it, and what picked out its members."""
    found: list[Key] = [("in", None, (("local", slot, ()), key(over)))]
    here = E("local", kind, (), slot)
    while True:
        if over.op == "call":
            define = s.defines[over.data]
            over = put_in(define.body, dict(zip(define.slots, over.args, strict=True)))
        elif over.op == "where":
            found += holds_when(put_in(over.args[1], {over.data: here}))
            over = over.args[0]
        else:
            return found


# ------------------------------------------------------------------------------------------------ contradictions


def contradiction(s: Scope, c: Context, asked: E) -> bool:
    """Whether a condition can never hold where it is asked, as far as that can be seen; then a fault is noted."""
    found = False
    for part in asked.args if asked.op == "and" else (asked,):
        if not isinstance(part.type, Wrong) and part.op != "const" and impossible(part, c.truths):
            found = True
            s.faults.add(part.place, "contradiction", "this can never hold together with the conditions before it",
                         "drop one of the two, or write `or` between them")
    return found


def impossible(part: E, known: Iterable[Key]) -> bool:
    """Whether what is known rules a condition out."""
    if part.op == "or":
        return all(impossible(a, known) for a in part.args)
    for truth in holds_when(part):
        if any(other in known for other in opposites(truth)) or _outside(known, truth):
            return True
    return False


def _outside(known: Iterable[Key], truth: Key) -> bool:
    """Whether the numbers that the known truths allow for an expression leave none for `truth`."""
    bounds = _bounds(truth)
    if bounds is None:
        return False
    subject, low, high = bounds
    for other in known:
        more = _bounds(other)
        if more is not None and more[0] == subject:
            low, high = max(low, more[1]), min(high, more[2])
    return low > high


def _bounds(k: Key) -> tuple[Key, float, float] | None:
    """The expression that a truth compares with a constant, and the numbers that it leaves."""
    op, _, args = k
    if op not in ("eq", "lt", "le", "gt", "ge") or len(args) != 2 or args[0][0] == "const":
        return None
    subject, limit = args
    if limit[0] != "const" or not isinstance(limit[1], int) or isinstance(limit[1], bool):
        return None
    n = limit[1]
    low, high = {"eq": (n, n), "lt": (-_NO_LIMIT, n - 1), "le": (-_NO_LIMIT, n), "gt": (n + 1, _NO_LIMIT),
                 "ge": (n, _NO_LIMIT)}[op]
    return subject, low, high
