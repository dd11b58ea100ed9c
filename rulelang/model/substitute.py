"""An expression with its locals replaced by others, and simplified where that settles it."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.model.constant import fold
from rulelang.model.ir import E
from rulelang.model.scope import key
from rulelang.model.types import SWITCH


def put_in(e: E, values: Mapping[int, E]) -> E:
    """The expression with locals replaced, by slot."""
    if e.op == "local":
        return values.get(e.data, e)
    if not e.args:
        return e
    args = tuple([put_in(a, values) for a in e.args])
    made = fold(E(e.op, e.type, args, e.data, e.place))
    if made.op == "eq" and key(made.args[0]) == key(made.args[1]):
        return E("const", SWITCH, (), True, e.place)
    if made.op in ("and", "or"):
        stop = made.op == "or"
        if any(a.op == "const" and bool(a.data) is stop for a in made.args):
            return E("const", SWITCH, (), stop, e.place)
        rest = tuple([a for a in made.args if a.op != "const"])
        if not rest:
            return E("const", SWITCH, (), not stop, e.place)
        return rest[0] if len(rest) == 1 else E(made.op, SWITCH, rest, None, e.place)
    return made
