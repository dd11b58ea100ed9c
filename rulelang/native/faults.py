"""Faults of compiled code as the interpreter tells them: the place of the rule, and the same words."""

from __future__ import annotations

from typing import Any

from rulelang.engine.effects import out_of_range, too_long
from rulelang.engine.faults import PlayFault, fault
from rulelang.engine.legal import MOST_CHAINS
from rulelang.model.types import BagOf, DeckOf, Maybe
from rulelang.source.diagnostic import Diagnostic, Place


def play_fault(entry: tuple[Place, str, str, Any], value: int) -> PlayFault:
    """The fault that a number of the C text stands for, with the value at hand."""
    place, code, what, more = entry
    shown: Any = None if abs(value) in (1 << 30, 1 << 62) else value
    match what:
        case "need":
            return fault(place, code, "a value is needed here, and there is none")
        case "index":
            return fault(place, code, f"there is nothing at none of `{more}`")
        case "entry":
            return fault(place, code, f"`{more}` has no entry at {shown}")
        case "fit":
            text = "none" if shown is None else shown
            return fault(place, code, f"a value leaves its range: {text} is not in {more[0]}..{more[1]}")
        case "cell":
            return fault(place, code, f"the board has no cell {shown}")
        case "division":
            return fault(place, code, "this divides by 0")
        case "holds":
            name, kind = more
            inner = kind.of if isinstance(kind, Maybe) else kind
            held: Any = shown
            if isinstance(inner, (BagOf, DeckOf)):
                held = [value] if isinstance(inner, BagOf) else [0] * value
            found = out_of_range(place, name, kind, held)
            assert isinstance(found, PlayFault)
            return found
        case "single":
            return fault(place, code, f"`{more}` holds one thing, and here {value} are moved")
        case "top":
            name, told = more
            return fault(place, code, f"there are not {shown if told else 'so many'} in `{name}`", f"ask first: `count of {name}`")
        case "take":
            return fault(place, code, f"what is taken is not all in `{more[0]}`")
        case "work":
            found = too_long(place)
            assert isinstance(found, PlayFault)
            return found
        case "draw":
            return PlayFault(Diagnostic(place, code, f"there is nothing to draw for `{more}`"))
        case "unsolved":
            return fault(place, code, f"`{more}` cannot begin as asked for")
        case "material":
            return fault(place, code, "material of the box has been lost or made")
        case "no move":
            return fault(place, code, f"there is no legal move in the phase `{more}`, and it has no `stuck:`")
        case "endless":
            return fault(place, code, f"a chain in the phase `{more}` does not end")
        case "many":
            return fault(place, code, f"there are over {MOST_CHAINS:,} ways to move here")
    return fault(place, code, what)
