"""Which choices the others are not told: those that come out of a secret, or of which only secrets are made."""

from __future__ import annotations

from dataclasses import replace

from rulelang.model.game import Block, Clause
from rulelang.model.ir import E, Text
from rulelang.model.scope import Scope
from rulelang.model.secrets import reads_secret


def with_secrecy(s: Scope, k: Clause, all_: list[Clause]) -> Clause:
    """Mark a choice that the others are not told: it comes out of a secret and does not end in the open, or all that is
    made of it is a secret."""
    if k.kind not in ("choose", "choose_some") or k.domain is None:
        return k
    effects = next((one.effects for one in all_ if one.kind == "do"), ())
    if reads_secret(s, k.domain):
        return k if _ends_open(s, k.slot, effects) else replace(k, secret=True)
    told = any(one.kind == "says" and one.sentence is not None and _speaks_of(one.sentence, {k.slot}) for one in all_)
    made = _made_of(s, {k.slot}, effects, False)
    return replace(k, secret=True) if made == {True} and not told else k


def _made_of(s: Scope, slots: set[int], effects: Block, decided: bool) -> set[bool]:
    """Where what is made of some slots goes: True for what not everybody sees, False for what comes to light.
    `decided`: the slots decide whether the effects are run at all."""
    carried = set(slots)
    found: set[bool] = set()
    for one in effects:
        asked = any(_mentions(a, carried) for a in one.args)
        places = [t for t in (one.target, one.source) if t is not None]
        asked = asked or any(_mentions(i, carried) for t in places for i in t.index)
        match one.op:
            case "let":
                carried |= {one.data} if asked else set()
            case "step":
                body = s.steps[one.data]
                inner = {p for p, a in zip(body.slots, one.args, strict=True) if _mentions(a, carried)}
                if inner or decided:
                    found |= _made_of(s, inner, body.body, decided)
            case "if" | "for" | "repeat":
                if one.op == "for" and asked:
                    carried.add(one.data)
                for block in (one.body, one.orelse):
                    found |= _made_of(s, carried, block, decided or asked)
            case _ if places:
                found |= {s.variables[t.var].seen is not None for t in places} if asked or decided else set()
            case _:
                found |= {False} if asked or decided else set()
    return found


def _mentions(e: E, slots: set[int]) -> bool:
    return (e.op == "local" and e.data in slots) or any(_mentions(a, slots) for a in e.args)


def _speaks_of(sentence: Text, slots: set[int]) -> bool:
    return any(isinstance(part, E) and _mentions(part, slots) for part in sentence.parts)


def _ends_open(s: Scope, slot: int, effects: Block) -> bool:
    """Whether the value of a slot is put, whatever happens, where everybody sees it."""
    carried = {slot}
    for one in effects:
        if one.op == "let" and one.args[0].op == "local" and one.args[0].data in carried:
            carried.add(one.data)
        opens = one.target is not None and s.variables[one.target.var].seen is None and one.op in ("set", "put")
        if opens and one.target is not None and any(_carries(a, carried) for a in (*one.args, *one.target.index)):
            return True
        if one.op == "step":
            body = s.steps[one.data]
            inner = {p for p, a in zip(body.slots, one.args, strict=True) if _carries(a, carried)}
            if any(_ends_open(s, p, body.body) for p in inner):
                return True
    return False


_WRAPS = frozenset((
    "one", "set_of", "bag_of", "one_bag", "union", "plus", "as_bag", "need", "recode", "lift", "fit", "bag_list",
    "list_bag", "kinds",
))


def _carries(e: E, slots: set[int]) -> bool:
    """Whether an expression is the slot's value itself, perhaps within conversions."""
    if e.op == "local":
        return e.data in slots
    return e.op in _WRAPS and any(_carries(a, slots) for a in e.args)
