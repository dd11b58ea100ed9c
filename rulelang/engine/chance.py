"""Draws, deals, rolls, shuffles and random starts: what can come, how likely each is, and what it does.

What is taken of a stream, so that every engine draws the same:

* from a bag with n copies in all, from a set or list of n: one number below n (even if n is 1), which picks the copy
  in the order of kinds; nothing from an empty one, and nothing from a deck, of which the top is taken;
* `deal` draws one by one; `roll` takes one number below the size of the type for each entry, and a type `… or none` is
  rolled as if `or none` were not there;
* `shuffle` of n: for i from n - 1 down to 1 one number j below i + 1, and the places i and j are exchanged;
* `start: random` takes one number below the size of the type for each entry, in flat order; none never comes here too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulelang.engine.core import Core, Fn
from rulelang.engine.effects import Effects
from rulelang.engine.events import EVERYONE, note
from rulelang.engine.faults import ChanceError, PlayFault
from rulelang.engine.ops_state import entry_fn
from rulelang.engine.parse import parse_value
from rulelang.engine.placing import putter
from rulelang.engine.rng import number
from rulelang.engine.values import all_values
from rulelang.machine.nodes import Node
from rulelang.model.ir import Target
from rulelang.model.types import BagOf, DeckOf, Maybe, SetOf, Type, show, size_of

Weights = list[tuple[Any, int]]


@dataclass(frozen=True, slots=True)
class Draw:
    """A chance node, ready to run. `weights` gives what can come and how likely each is, `apply` makes one come."""

    node: Node
    type: Type
    name: str                                  # of the variable that it changes
    stream: int
    weights: Callable[[Core], Weights]         # [(None, 1)] if there is nothing to draw
    from_top: bool                             # of a deck: nothing is random about it, and no number is taken
    apply: Callable[[Core, Any], None]


class Chances:
    """Makes the draws of one machine."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.c = effects.c
        self.machine = effects.c.machine
        self.numbers = {name: i for i, name in enumerate(self.machine.streams)}

    def make(self, node: Node) -> Draw:
        """The draw of a chance node."""
        if node.kind == "start":
            return self._start(node)
        assert node.statement is not None and node.statement.target is not None
        if node.kind in ("draw", "deal"):
            return self._draw(node)
        return self._roll(node) if node.kind == "roll" else self._shuffle(node)

    def pick(self, rt: Core, draw: Draw) -> Any:
        """The value that comes: what is scripted, else by the stream."""
        scripted = self.scripted(rt, draw)
        weights = draw.weights(rt)
        if scripted is not _NOT_SCRIPTED:
            if not any(value == scripted and weight for value, weight in weights):
                raise ChanceError(f"`{draw.name}` cannot come out as {show(draw.type, scripted)} here")
            if not (draw.from_top or weights[0][0] is None):
                rt.counts[draw.stream] += 1
            return scripted
        if draw.from_top or weights[0][0] is None:
            return weights[0][0]
        total = sum(weight for _, weight in weights)
        place = self.below(rt, draw.stream, total)
        for value, weight in weights:
            place -= weight
            if place < 0:
                return value
        raise AssertionError("weights are whole numbers")

    def below(self, rt: Core, stream: int, k: int) -> int:
        """The next whole number below k of a stream."""
        n = rt.counts[stream]
        rt.counts[stream] = n + 1
        return number(rt.keys[stream], n) * k >> 64

    def scripted(self, rt: Core, draw: Draw) -> Any:
        """The next scripted value for this draw, taken off the script."""
        if not rt.script:
            return _NOT_SCRIPTED
        for name in (self.machine.streams[draw.stream], draw.name):
            values = rt.script.get(name)
            if values:
                rt.script = {**rt.script, name: values[1:]}
                value = values[0]
                if isinstance(value, str):
                    value = parse_value(draw.type, value)
                return value
        return _NOT_SCRIPTED

    def outcomes(self, rt: Core, draw: Draw) -> list[tuple[Any, Fraction]]:
        """What can come, each with its probability."""
        weights = [(value, weight) for value, weight in draw.weights(rt) if weight]
        total = sum(weight for _, weight in weights)
        return [(value, Fraction(weight, total)) for value, weight in weights]

    def _draw(self, node: Node) -> Draw:
        s = node.statement
        assert s is not None and s.target is not None
        target, source = s.target, s.source
        field = self.c.fields[target.var]
        at = entry_fn(self.c, target.var, target.index)
        put, write = putter(field.type), self.effects.put_at(target)
        place, name, kind = s.place, field.name, field.type
        held: Fn
        if source is not None:
            from_type = self.c.fields[source.var].type
            from_at = entry_fn(self.c, source.var, source.index)
            from_write = self.c.memory.writer(source.var)

            def held(rt: Core) -> Any:
                return rt.v[from_at(rt)]
        else:
            from_type = s.args[0].type
            held = self.c.fn(s.args[0])
        weigh, is_deck = _weigher(from_type), isinstance(from_type, DeckOf)
        single = _single(from_type)
        wrap = _wrapper(kind)
        tell = self._teller(target, single)
        may_be_none = isinstance(kind, Maybe)

        def weights(rt: Core) -> Weights:
            return weigh(held(rt)) or [(None, 1)]

        def apply(rt: Core, value: Any) -> None:
            if value is None:
                if not may_be_none:
                    raise PlayFault(_nothing_to_draw(place, name))
                write(rt, at(rt), None)
                return
            if source is not None:
                i = from_at(rt)
                from_write(rt, i, without_one(from_type, rt.v[i], value))
            i = at(rt)
            write(rt, i, put(rt.v[i], wrap(value)))
            if not rt.quiet:
                tell(rt, i, value)

        return Draw(node, Maybe(single), name, self.numbers[s.stream], weights, is_deck, apply)

    def _roll(self, node: Node) -> Draw:
        s = node.statement
        assert s is not None and s.target is not None
        target = s.target
        field = self.c.fields[target.var]
        fair = _fair(field.type)
        write = self.c.memory.writer(target.var)
        tell = self._teller(target, field.type)
        at: Fn
        if target.whole:
            offset, slot = field.offset, node.slot

            def at(rt: Core) -> int:
                return offset + int(rt.s[slot])
        else:
            at = entry_fn(self.c, target.var, target.index)

        def apply(rt: Core, value: Any) -> None:
            i = at(rt)
            write(rt, i, value)
            if not rt.quiet:
                tell(rt, i, value)

        return Draw(node, field.type, field.name, self.numbers[s.stream], lambda rt: fair, False, apply)

    def _shuffle(self, node: Node) -> Draw:
        s = node.statement
        assert s is not None and s.target is not None
        target = s.target
        field = self.c.fields[target.var]
        at = entry_fn(self.c, target.var, target.index)
        write = self.c.memory.writer(target.var)
        slot = node.slot

        def weights(rt: Core) -> Weights:
            return [(j, 1) for j in range(len(rt.v[at(rt)]) - rt.s[slot])]

        def apply(rt: Core, j: Any) -> None:
            i = at(rt)
            deck = list(rt.v[i])
            k = len(deck) - 1 - rt.s[slot]
            deck[k], deck[j] = deck[j], deck[k]
            write(rt, i, tuple(deck))

        return Draw(node, field.type, field.name, self.numbers[s.stream], weights, False, apply)

    def _start(self, node: Node) -> Draw:
        field = self.c.fields[node.var]
        fair = _fair(field.type)
        write = self.c.memory.writer(node.var)
        slot = node.slot

        def apply(rt: Core, value: Any) -> None:
            write(rt, field.offset + rt.s[slot], value)

        stream = self.numbers[f"state.{field.name}"]
        return Draw(node, field.type, field.name, stream, lambda rt: fair, False, apply)

    def whole_shuffle(self, rt: Core, draw: Draw, order: Sequence[Any]) -> None:
        """Bring a deck into a scripted order."""
        s = draw.node.statement
        assert s is not None and s.target is not None
        at = entry_fn(self.c, s.target.var, s.target.index)(rt)
        held = rt.v[at]
        if sorted(order, key=repr) != sorted(held, key=repr):
            raise ChanceError(f"`{draw.name}` holds other cards than the scripted order")
        self.c.memory.writer(s.target.var)(rt, at, tuple(order))

    def _teller(self, target: Target, kind: Type) -> Callable[[Core, int, Any], None]:
        """How to tell of a draw: who may see the target's entry learns the value."""
        audience = self.audience(target.var)
        field = self.c.fields[target.var]
        name = field.name
        indices = [", ".join(map(show, field.index_types, at)) for at in field.indices()]

        def tell(rt: Core, at: int, value: Any) -> None:
            seats = audience(rt, at)
            index = indices[at - field.offset]
            told = f"{name}[{index}]: {show(kind, value)}" if index else f"{name}: {show(kind, value)}"
            note(rt, "draw", rt.me, told, None if seats == EVERYONE else f"{name}: …", seats)

        return tell

    def audience(self, var: int) -> Callable[[Core, int], int]:
        """Which seats may see an entry of a variable, as a mask (-1: everybody)."""
        variable, field = self.machine.game.variables[var], self.c.fields[var]
        if variable.seen is None:
            return lambda rt, at: EVERYONE
        seen, indices = self.c.fn(variable.seen), field.indices()

        def audience(rt: Core, at: int) -> int:
            for slot, value in zip(variable.slots, indices[at - field.offset], strict=True):
                rt.s[slot] = value
            rt.s[variable.viewer_slot] = None
            if looks(seen, rt):
                return EVERYONE
            seats = 0
            for seat in range(self.machine.seats):
                rt.s[variable.viewer_slot] = seat
                if seen(rt):
                    seats |= 1 << seat
            return seats

        return audience


def looks(seen: Fn, rt: Core) -> bool:
    """Whether an onlooker may see something: not, where the answer depends on who looks."""
    try:
        return bool(seen(rt))
    except (PlayFault, TypeError):
        return False


_NOT_SCRIPTED: Any = object()
NOT_SCRIPTED = _NOT_SCRIPTED


def _nothing_to_draw(place: Any, name: str) -> Any:
    from rulelang.source.diagnostic import Diagnostic

    return Diagnostic(place, "nothing-to-draw", f"there is nothing to draw for `{name}`",
                      "ask first: `… is not empty`; or declare it `or none`")


def _fair(kind: Type) -> Weights:
    """Each value of a type alike, but for none."""
    return [(value, 1) for value in all_values(kind) if value is not None]


def _single(kind: Type) -> Type:
    of = getattr(kind, "of", kind)
    return of if isinstance(of, Type) else kind


def _weigher(kind: Type) -> Callable[[Any], Weights]:
    """What can be drawn of a collection, with weights; of a deck the top."""
    if isinstance(kind, DeckOf):
        return lambda deck: [(deck[0], 1)] if deck else []
    if isinstance(kind, BagOf):
        table = all_values(kind.of)
        return lambda bag: [(table[i], n) for i, n in enumerate(bag) if n]
    if isinstance(kind, SetOf):
        table = all_values(kind.of)
        return lambda mask: [(value, 1) for i, value in enumerate(table) if mask >> i & 1]
    return lambda many: [(value, 1) for value in many]


def without_one(kind: Type, held: Any, value: Any) -> Any:
    """A bag, set or deck with one copy of a value less."""
    if isinstance(kind, SetOf):
        return held & ~(1 << all_values(kind.of).index(value))
    if isinstance(kind, BagOf):
        i = all_values(kind.of).index(value)
        return (*held[:i], held[i] - 1, *held[i + 1:])
    i = held.index(value)
    return held[:i] + held[i + 1:]


def _wrapper(kind: Type) -> Callable[[Any], Any]:
    """A single value as it is put into a place of that type."""
    if isinstance(kind, SetOf):
        table = all_values(kind.of)
        return lambda value: 1 << table.index(value)
    if isinstance(kind, BagOf):
        table, size = all_values(kind.of), size_of(kind.of)

        def one(value: Any) -> Any:
            i = table.index(value)
            return tuple([int(k == i) for k in range(size)])

        return one
    if isinstance(kind, DeckOf):
        return lambda value: (value,)
    return lambda value: value
