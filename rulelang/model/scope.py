"""What names mean while a game is checked: the symbols of the whole game, and the locals and truths of one place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any

from rulelang.boards.board import Board
from rulelang.model.ir import E, S
from rulelang.model.types import NOTHING, WRONG, Named, Type
from rulelang.source.diagnostic import NOWHERE, Faults, Place, did_you_mean, nearest
from rulelang.syntax.partial import ANY_NAME
from rulelang.syntax.trees import Syntax
from rulelang.syntax.words import FOREIGN_VALUES, RESERVED

NO_SEATS = Named("Player", ())
_SEAT = re.compile("[Pp]layer_?([0-9]+)")
_CELL = re.compile("[a-z]{1,2}[0-9]{1,2}")


@dataclass(slots=True)
class Symbol:
    """A name of the game. `kind`: option, type, word, variable, table, define, step, area, areas, area_each, builtin
    (and component, apart). `item` is what the kind needs: its number, type, value or syntax."""

    kind: str
    name: str
    place: Place
    item: Any = None
    type: Type = WRONG


@dataclass(frozen=True, slots=True)
class Local:
    """A name that a choose, let, quantifier or parameter has bound."""

    slot: int
    type: Type
    place: Place = NOWHERE


Key = tuple[Any, ...]
# known where a condition has a fault of its own: then nobody can say what is known, and no further fault is made of it
DOUBT: Key = ("doubt", None, ())


def key(e: E) -> Key:
    """An expression without its places, to compare by."""
    return (e.op, e.data, tuple([key(a) for a in e.args]) if e.args else ())


@dataclass(slots=True)
class Context:
    """One place in the rules.

    `guard` says why what is read here must be seen by the seat that acts ('' if it need not be); `told` that it must
    be seen by everybody. `truths` are the keys of conditions known to hold here. `later` are the names that are bound
    further down. `exits` are the exits that may not be taken here, each with the reason.
    """

    path: str
    locals: dict[str, Local] = field(default_factory=dict)
    truths: frozenset[Key] = frozenset()
    me: bool = True
    guard: str = ""
    told: bool = False
    example: bool = False
    ending: bool = False                   # it is asked whether the game ends: what moves there would be can be counted
    effects: bool = False
    size_only: bool = False                # of what is read next only the size is asked
    chance: str = ""                       # why chance may not be here ('' if it may)
    together: bool = False                 # effects here may set only what is indexed by me
    later: Mapping[str, Place] = field(default_factory=dict)
    exits: Mapping[str, str] = field(default_factory=dict)
    learned: list[Key] = field(default_factory=list)      # what holds after the statement that is being made

    def child(self, **changes: Any) -> Context:
        """The same place with its own locals, and changes."""
        made = Context(*_all_of(self))      # `replace` takes several times as long, a thousand times a check
        made.locals = dict(self.locals)
        for name, value in changes.items():
            setattr(made, name, value)
        return made

    def knowing(self, truths: Iterable[Key]) -> Context:
        """The same place where these hold too."""
        return self.child(truths=self.truths | frozenset(truths))


_all_of = attrgetter(*(each.name for each in fields(Context)))


@dataclass(slots=True)
class Demand:
    """A condition that must hold for the seat that acts (`told`: for every seat), or a define has read of `name` what
    may not be seen."""

    condition: E
    name: str
    told: bool


@dataclass(slots=True)
class Scope:
    """Everything known of the game so far."""

    faults: Faults
    players: int
    settings: Mapping[str, Any]
    symbols: dict[str, Symbol] = field(default_factory=dict)
    components: dict[str, Symbol] = field(default_factory=dict)       # material has names of its own
    seats: Named = NO_SEATS
    most_players: int = 0                                  # in any game by these rules
    teams: tuple[tuple[int, ...], ...] = ()
    board: Board | None = None
    board_words: frozenset[str] = frozenset()              # the built-in words that say something on this board
    cell: Named | None = None
    direction: Named | None = None
    shapes: Named | None = None
    shape_cells: dict[str, Any] = field(default_factory=dict)
    cell_names: dict[str, int] = field(default_factory=dict)
    phases: dict[str, int] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)
    position_parts: dict[str, tuple[str, ...]] = field(default_factory=dict)      # the names of what each is made of
    forms: Mapping[str, Form] = field(default_factory=dict)           # of expressions, by kind (see sentences.py)
    effects: Mapping[str, Effect] = field(default_factory=dict)       # of statements among effects
    variables: list[Any] = field(default_factory=list)
    tables: list[Any] = field(default_factory=list)
    defines: list[Any] = field(default_factory=list)
    steps: list[Any] = field(default_factory=list)
    slots: list[str] = field(default_factory=list)
    shaping: set[str] = field(default_factory=set)         # options that types, sizes or the board depend on
    used: set[str] = field(default_factory=set)
    boardless: bool = True                                 # no `board:` was given; else its own faults say enough
    lost: set[str] = field(default_factory=set)            # declared, but wrongly: nothing follows from what they are
    below: dict[str, Place] = field(default_factory=dict)  # types that are declared further down
    above: str = ""                                        # why they cannot be used yet ('' if they need only be moved)
    ahead: frozenset[str] = frozenset()                    # names of the state and of defines: after all types
    demands: list[Demand] | None = None                    # of the define being elaborated
    define_demands: dict[int, list[Demand]] = field(default_factory=dict)
    secret_defines: set[int] = field(default_factory=set)  # those that read what not everybody sees
    me_defines: set[int] = field(default_factory=set)      # those that need an acting player
    me_steps: set[int] = field(default_factory=set)
    depths: dict[int, int] = field(default_factory=dict)   # how deep a define is nested, with those it calls
    step_ops: dict[int, frozenset[str]] = field(default_factory=dict)     # of a step and those it takes
    step_extents: dict[int, tuple[int, int]] = field(default_factory=dict)
    tainted: set[int] = field(default_factory=set)         # slots that hold what the acting seat may not see
    open_defines: list[str] = field(default_factory=list)  # being elaborated, to find recursion
    streams: dict[str, int] = field(default_factory=dict)

    def slot(self, name: str) -> int:
        """A new local."""
        self.slots.append(name)
        return len(self.slots) - 1

    def bind(self, c: Context, name: str, kind: Type, place: Place) -> int:
        """Bind a local in a context; a fault if the name is taken."""
        self.may_name(name, place)
        if name in c.locals:
            self.faults.add(place, "name-taken", f"`{name}` is already the name of another value here",
                            "choose another name: names do not hide each other")
        elif name in self.symbols:
            self.taken(name, place)
        slot = self.slot(name)
        c.locals[name] = Local(slot, kind, place)
        return slot

    def taken(self, name: str, place: Place) -> None:
        """Say that a name is used already."""
        old = self.symbols[name]
        where = "is a built-in word" if old.place is NOWHERE else f"is already declared at {old.place}"
        self.faults.add(place, "name-taken", f"`{name}` {where}", "choose another name: names do not hide each other")

    def may_name(self, name: str, place: Place) -> None:
        """Refuse the words of the language and the names of cells."""
        if name in RESERVED:
            self.faults.add(place, "reserved-word", f"`{name}` is a word of the language and cannot be a name")
        elif name in self.cell_names and not name.isdigit():
            self.faults.add(place, "name-taken", f"`{name}` is a cell of the board", "choose another name")

    def declare(self, symbol: Symbol) -> None:
        """Add a symbol of the game; a fault if the name is taken."""
        if symbol.place is not NOWHERE:
            self.may_name(symbol.name, symbol.place)
        old = self.symbols.get(symbol.name)
        if old is not None:
            self.taken(symbol.name, symbol.place)
            if old.place is not NOWHERE:
                self.lost.add(symbol.name)      # nobody knows which of the two is meant
            return
        self.symbols[symbol.name] = symbol

    def is_lost(self, name: str) -> bool:
        """Whether a name was declared, but wrongly, or may have been: that it means nothing is no further fault."""
        return name in self.lost or (
            name not in self.symbols and (ANY_NAME in self.lost or (self.no_cells and bool(_CELL.fullmatch(name)))))

    @property
    def no_cells(self) -> bool:
        """Whether there is a board, and it is so wrong that nobody knows its cells."""
        return self.board is None and not self.boardless

    def find(self, name: str) -> Symbol | None:
        """The symbol of that name, marked as used."""
        symbol = self.symbols.get(name)
        if symbol is not None:
            self.used.add(name)
        return symbol

    def unknown(self, c: Context, name: str, place: Place, what: str = "name") -> None:
        """Say that nothing has this name, and which is nearest."""
        if name in c.later:
            self.faults.add(place, "too-early", f"`{name}` is used before it is there: it gets its value further down",
                            "put this line below the other", [(f"`{name}` gets its value at {c.later[name]}",
                                                                c.later[name])])
            return
        if name in self.ahead:
            self.faults.add(place, "not-constant", f"`{name}` is known only in play, and this must be known before",
                            "use numbers, words, options and `players`")
            return
        if self.is_lost(name):
            return
        known = [*c.locals, *self.symbols, *self.cell_names]
        seat = _SEAT.fullmatch(name)
        hint = f"did you mean `player {seat[1]}`?" if seat else FOREIGN_VALUES.get(name, "")
        near = None if hint else nearest(name, known)
        if near is not None:
            hint = f"did you mean `{near}`"
            old = self.symbols.get(near)
            if old is not None and old.place is not NOWHERE:
                hint += f", declared at {old.place.file}:{old.place.line}"
            hint += "?"
        self.faults.add(place, "unknown-name", f"unknown {what} `{name}`", hint)

    def wrong(self, place: Place, code: str, message: str, hint: str = "") -> E:
        """Note a fault; the expression that stands for what cannot be made."""
        self.faults.add(place, code, message, hint)
        return E("const", WRONG, (), None, place)

    @contextmanager
    def unheard(self) -> Iterator[Faults]:
        """Elaborate something whose faults are not told: it is not meant for this game, or only tried."""
        outer, self.faults = self.faults, Faults()
        try:
            yield self.faults
        finally:
            self.faults = outer

    @contextmanager
    def within_define(self, name: str) -> Iterator[None]:
        """Elaborate a define or step: its demands are collected apart."""
        outer, self.demands = self.demands, []
        self.open_defines.append(name)
        try:
            yield
        finally:
            self.open_defines.pop()
            self.demands = outer

    def stream(self, path: str) -> str:
        """The name of a drawing place: its path, numbered where one block draws for the same target again."""
        count = self.streams.get(path, 0) + 1
        self.streams[path] = count
        return path if count == 1 else f"{path}#{count}"


Form = Callable[[Scope, Context, Syntax, Type | None], E]
Effect = Callable[[Scope, Context, Syntax], tuple[S, ...] | None]


def none_of(place: Place) -> E:
    """The constant `none`."""
    return E("const", NOTHING, (), None, place)


def suggest(word: str, known: Iterable[str]) -> str:
    """A hint for a misspelt word of a closed list, or the list."""
    known = list(known)
    return did_you_mean(word, known) or (f"there are: {', '.join(known)}" if 0 < len(known) <= 12 else "")
