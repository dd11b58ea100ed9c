"""What a seat sees: the state with what is hidden taken out, and nothing that leads to it.

Two games that differ only in what is hidden from a seat give it equal views.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache, partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

from rulelang.engine.chance import looks
from rulelang.engine.core import Core, Fn, Steps
from rulelang.engine.events import Heard, heard
from rulelang.engine.faults import PlayFault
from rulelang.engine.filters import Filter
from rulelang.engine.moves import Move
from rulelang.engine.results import Result
from rulelang.engine.trace import TraceEntry, differences
from rulelang.engine.values import is_container, size_of_value
from rulelang.machine.layout import Field
from rulelang.model.types import Type, show

if TYPE_CHECKING:
    from rulelang.engine.interpreter import Interpreter
    from rulelang.engine.state import State


class Hidden(Enum):
    """The type of what stands where a seat may not look."""

    HIDDEN = "hidden"

    def __repr__(self) -> str:
        return "HIDDEN"


HIDDEN = Hidden.HIDDEN


@dataclass(frozen=True, slots=True)
class Place:
    """Where in its course a game is, as far as everybody knows it: what a belief needs beside the values. `notes` of
    positions with something hidden in them are left out."""

    node: int
    phase: int
    actor: int
    chosen: tuple[bool, ...]                      # who has chosen in a `together` phase
    own_plan: Steps | None
    notes: tuple[Mapping[Any, int], ...]


@dataclass(frozen=True, slots=True)
class View:
    """The game as one seat (or an onlooker: `seat` None) sees it.

    `values`: by variable a tuple of its entries in flat order, HIDDEN where the seat may not look. `sizes`: by variable
    that holds several things, how many are in each entry, None where that is hidden too. `moves`: the legal moves,
    if the seat must choose. `messages`: what it was told so far, the oldest first.
    """

    seat: int | None
    values: Mapping[str, tuple[Any, ...]]
    sizes: Mapping[str, tuple[int | None, ...]]
    player: int
    to_act: tuple[int, ...]
    phase: str
    turns: int
    rounds: int
    out: tuple[int, ...]
    moves: tuple[Move, ...]
    heard: Heard
    result: Result | None
    question: str | None
    place: Place
    fields: Mapping[str, Field] = field(repr=False, compare=False, default_factory=dict)

    def value(self, name: str, *indices: Any) -> Any:
        """An entry of a variable."""
        at = self.fields[name]
        return self.values[name][at.place_of(indices) - at.offset]

    def size(self, name: str, *indices: Any) -> int | None:
        """How many an entry holds."""
        at = self.fields[name]
        return self.sizes[name][at.place_of(indices) - at.offset]

    @property
    def messages(self) -> tuple[str, ...]:
        """What the seat was told so far, the oldest first."""
        return self.heard.texts

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.result is not None


Values = dict[str, tuple[Any, ...]]
Sizes = dict[str, tuple[int | None, ...]]
Seen = Callable[[Core, int | None], Sequence[bool]]


class Views:
    """Makes the views of one machine."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        c, machine = interpreter.compiler, interpreter.machine
        self.fields = machine.fields
        self.by_name = {one.name: one for one in machine.fields}
        game = machine.game
        self.seen: list[Seen | None] = []
        self.size_seen: list[Seen | None] = []
        for number, variable in enumerate(game.variables):
            if number in c.hidden_supplies:
                self.seen.append(_nowhere(self.fields[number].length))
                self.size_seen.append(_everywhere(self.fields[number].length))
                continue
            self.seen.append(None if variable.seen is None else self._asked(c, number, variable.seen))
            self.size_seen.append(None if variable.size_seen is None else self._asked(c, number, variable.size_seen))
        self.open_positions = [all(self.seen[n] is None for n in position.variables) for position in game.positions]
        self.parts = [(at.name, at.offset, at.offset + at.length, seen, size_seen, sizer(at.type))
                      for at, seen, size_seen in zip(self.fields, self.seen, self.size_seen, strict=True)]

    def _asked(self, c: Any, number: int, condition: Any) -> Seen:
        """For each entry whether a seat may look."""
        variable, at = self.interpreter.game.variables[number], self.fields[number]
        viewer, slots, indices = variable.viewer_slot, variable.slots, at.indices()
        facts = c.depends.of(condition)
        if facts.static and facts.free <= {viewer, *slots}:
            return self._for_good(c.fn(condition), viewer, slots, indices)
        if len(slots) == 1:
            keep, whole = c.filters.make(condition, slots[0], variable.index_types[0])
            if whole:
                every = (1 << at.length) - 1

                def at_once(rt: Core, seat: int | None) -> Sequence[bool]:
                    rt.s[viewer] = seat
                    mask = keep(rt, every) if seat is not None else self._onlooker(keep, rt, at.length)
                    return _bools(mask, at.length)

                return at_once
        asked = c.fn(condition)

        return partial(_each, asked, viewer, slots, indices)

    def _for_good(self, asked: Fn, viewer: int, slots: Sequence[int], indices: Sequence[tuple[Any, ...]]) -> Seen:
        """For each entry whether a seat may look, where that is the same throughout a game."""
        known: dict[int | None, tuple[bool, ...]] = {}

        def kept(rt: Core, seat: int | None) -> Sequence[bool]:
            found = known.get(seat)
            if found is None:
                found = known[seat] = tuple(_each(asked, viewer, slots, indices, rt, seat))
            return found

        return kept

    @staticmethod
    def _onlooker(keep: Filter, rt: Core, length: int) -> int:
        mask = 0
        for i in range(length):
            if looks(partial(_kept, keep, 1 << i), rt):
                mask |= 1 << i
        return mask

    def values(self, rt: Core, seat: int | None) -> tuple[Values, Sizes]:
        """The values and sizes that a seat may see."""
        values: Values = {}
        sizes: Sizes = {}
        v = tuple(rt.v)
        for name, start, end, seen, size_seen, size in self.parts:
            held = v[start:end]
            may = None if seen is None else seen(rt, seat)
            if may is None:
                values[name] = held
                if size is not None:
                    sizes[name] = tuple(map(size, held))
                continue
            values[name] = tuple([x if open_ else HIDDEN for x, open_ in zip(held, may, strict=True)])
            if size is not None:
                told = may if size_seen is None else size_seen(rt, seat)
                sizes[name] = tuple([size(x) if may[i] or told[i] else None for i, x in enumerate(held)])
        return values, sizes

    def changes(self, entry: TraceEntry, seat: int | None) -> tuple[str, ...]:
        """What a block changed, as a seat may be told it: `hand[player 2]: 0 hidden -> 5 hidden`. What was hidden
        before and after is not told of at all, for that it changed may be a secret too."""
        old, new = (self._texts(rt, seat) for rt in (entry.before, entry.after))
        return tuple(text for at in self.fields for text in differences(at, old[at.name], new[at.name]))

    def hides(self, entry: TraceEntry, seat: int | None) -> bool:
        """Whether anything is hidden from a seat before or after a block."""
        return any(HIDDEN in held for rt in (entry.before, entry.after) for held in self._then(rt, seat)[0].values())

    def _then(self, rt: Core, seat: int | None) -> tuple[Values, Sizes]:
        """What a seat saw amid the course of a game: nothing, where what it may see was not known yet."""
        rt = rt.copy()
        rt.quiet = True
        rt.memo = [None] * len(rt.memo)
        try:
            return self.values(rt, seat)
        except PlayFault:
            return {at.name: (HIDDEN,) * at.length for at in self.fields}, {}

    def _texts(self, rt: Core, seat: int | None) -> dict[str, list[str]]:
        values, sizes = self._then(rt, seat)
        return {
            at.name: [
                show(at.type, value) if value is not HIDDEN else "hidden" if size is None else f"{size} hidden"
                for value, size in zip(values[at.name], sizes.get(at.name) or repeat(None), strict=False)
            ]
            for at in self.fields
        }

    def view(self, state: State, seat: int | None) -> View:
        """What a seat sees of a game."""
        rt = state.scratch()
        values, sizes = self.values(rt, seat)
        to_act = state.to_act
        moves = tuple(move.freed() for move in state.moves(seat)) if seat is not None and seat in to_act else ()
        core = state.core
        question = state.question
        known_to_all = zip(core.notes, self.open_positions, strict=True)
        notes = tuple(dict(known) if open_ else {} for known, open_ in known_to_all)
        place = Place(core.node, core.phase, core.actor, tuple(plan is not None for plan in core.plans),
                      None if seat is None else core.plans[seat], notes)
        return View(seat, values, sizes, state.player, to_act, state.phase, state.turns, state.rounds, state.out, moves,
                    heard(core, seat), state.result,
                    None if question is None else question.text, place, self.by_name)


def sizer(kind: Type) -> Callable[[Any], int | None] | None:
    """How to count what a value of a type holds; None for a type of single values."""
    return partial(size_of_value, kind) if is_container(kind) else None


@lru_cache(maxsize=4096)
def _bools(mask: int, length: int) -> tuple[bool, ...]:
    return tuple([bool(mask >> i & 1) for i in range(length)])


def _each(asked: Fn, viewer: int, slots: Sequence[int], indices: Sequence[tuple[Any, ...]], rt: Core,
          seat: int | None) -> list[bool]:
    """A condition asked entry by entry."""
    found = []
    for values in indices:
        rt.s[viewer] = seat
        for slot, value in zip(slots, values, strict=True):
            rt.s[slot] = value
        found.append(bool(asked(rt)) if seat is not None else looks(asked, rt))
    return found


def _kept(keep: Filter, mask: int, rt: Core) -> int:
    return keep(rt, mask)


def _nowhere(length: int) -> Seen:
    nothing = (False,) * length
    return lambda rt, seat: nothing


def _everywhere(length: int) -> Seen:
    everything = (True,) * length
    return lambda rt, seat: everything
