"""The values of options, from what a person writes."""

from __future__ import annotations

import re
from typing import Any

from rulelang.model.game import Option
from rulelang.model.types import SWITCH, Named, Number, Type, describe
from rulelang.source.diagnostic import Faults, Place


def setting(option: Option, text: str, place: Place, faults: Faults) -> Any:
    """The value of an option from what a person wrote; a fault and its start if it cannot be."""
    kind: Type = option.type
    text = text.strip()
    if kind == SWITCH and text in ("on", "off"):
        return text == "on"
    if isinstance(kind, Number) and re.fullmatch("-?[0-9]{1,18}", text):
        if kind.low <= int(text) <= kind.high:
            return int(text)
        faults.add(place, "out-of-range", f"the option `{option.name}` is {describe(kind)}, not {text}")
        return option.start
    if isinstance(kind, Named) and text in kind.members:
        return kind.members.index(text)
    choices = "on or off" if kind == SWITCH else ", ".join(kind.members) if isinstance(kind, Named) else describe(kind)
    faults.add(place, "wrong-type", f"the option `{option.name}` is {choices}, not `{text}`")
    return option.start
