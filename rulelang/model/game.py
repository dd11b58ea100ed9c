"""The checked game for one set of options and one number of players: what the machine is compiled from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rulelang.boards.board import Board
from rulelang.model.ir import E, S, Text
from rulelang.model.types import Type
from rulelang.source.diagnostic import Place
from rulelang.syntax.trees import Branch

Block = tuple[S, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """A switch or number that a person may set before a game starts."""

    name: str
    type: Type
    start: Any
    says: str
    place: Place


@dataclass(frozen=True, slots=True)
class Start:
    """How a variable begins. kind: 'value' (`values` in flat order) · 'expr' (`expr` for each index, with the index in
    `slots`) · 'random' (each entry alike over its type) · 'random_with' (`expr` must hold of the whole)."""

    kind: str
    values: tuple[Any, ...] = ()
    expr: E | None = None


@dataclass(frozen=True, slots=True)
class Variable:
    """A part of the state. `index_types` are its parameters, whose slots (`slots`) `seen` and a start expression read;
    `viewer_slot` holds the seat that looks, in `seen`. `seen` None is open to all.
    `supply` marks the store of a component that is not on the table."""

    name: str
    index_types: tuple[Type, ...]
    type: Type
    start: Start
    seen: E | None
    size_seen: E | None
    slots: tuple[int, ...]
    viewer_slot: int
    place: Place
    supply: str | None = None


@dataclass(frozen=True, slots=True)
class Component:
    """Material of the box: how many of each kind there are. `variables` hold it, with its supply."""

    name: str
    kinds: Type
    each: int
    variables: tuple[int, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Table:
    """A constant by index: `values` in flat order."""

    name: str
    index_types: tuple[Type, ...]
    type: Type
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Define:
    """A named expression with parameters in `slots`."""

    name: str
    slots: tuple[int, ...]
    body: E
    place: Place


@dataclass(frozen=True, slots=True)
class Step:
    """Named effects with parameters in `slots`."""

    name: str
    slots: tuple[int, ...]
    body: Block
    place: Place


@dataclass(frozen=True, slots=True)
class Clause:
    """A named part of an action.

    kind: choose (`domain`, `where`, `slot`; `optional`: or none) · choose_some (`domain` is the bag or set, `amount`
    low and high expressions, `slot`, `where`) · let (`value`, `slot`; with a `sentence` none refuses the move) ·
    require (`value`) · do (`effects`) · ensure (`value`, asked after the effects).
    `secret`: the value chosen is not told to the others (it comes out of what only the actor sees and does not end
    in the open).
    """

    name: str
    kind: str
    place: Place
    sentence: Text | None = None
    slot: int = -1
    type: Type | None = None
    domain: E | None = None
    where: E | None = None
    optional: bool = False
    amount: tuple[E, E] | None = None
    value: E | None = None
    effects: Block = ()
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a player may do. `write` is the notation: strings, and names of choices each with the text that is
    printed before it, if it is printed."""

    name: str
    says: str
    clauses: tuple[Clause, ...]
    write: tuple[str | tuple[str, str], ...] | None
    place: Place


@dataclass(frozen=True, slots=True)
class Phase:
    """A state of the turn. `who` is None (the player in turn), 'together', or an expression. `actions` and `must` are
    numbers of actions. Blocks that are not there are None."""

    name: str
    who: E | str | None
    begin: Block | None
    actions: tuple[int, ...]
    must: tuple[int, ...]
    chain: bool
    best: tuple[E, ...]
    after: Block | None
    stuck: Block | None
    place: Place


@dataclass(frozen=True, slots=True)
class End:
    """A condition that ends the game, and what is done then (None: finish)."""

    name: str
    when: E
    then: Block | None
    place: Place


@dataclass(frozen=True, slots=True)
class Rank:
    """One thing that `finish` goes by: `value` for the player in `slot`; `highest` or lowest wins."""

    name: str
    highest: bool
    value: E
    slot: int


@dataclass(frozen=True, slots=True)
class Position:
    """A named part of the state whose history is kept: variables, and whether the acting player is part of it."""

    name: str
    variables: tuple[int, ...]
    with_me: bool
    place: Place


@dataclass(frozen=True, slots=True)
class View:
    """How a table shows the game. `glyph`: what stands on a cell, strings and expressions over the cell in `slot` (each
    with the text to show where it is none or unseen); `letters` a glyph for a value's text; `colours` a colour
    for a value's text; `ground`: what fills the cell in `slot` with its colour; `areas` are drawn apart; `panel`: label
    and expression for the seat in `seat_slot`."""

    slot: int = -1
    seat_slot: int = -1
    glyph: tuple[str | tuple[E, str], ...] = ()
    letters: Mapping[str, str] = field(default_factory=dict)
    colours: Mapping[str, str] = field(default_factory=dict)
    ground: E | None = None
    areas: tuple[int, ...] = ()
    panel: tuple[tuple[str, E], ...] = ()


@dataclass(frozen=True, slots=True)
class Assumption:
    """What the rulebook leaves open, and what is assumed here."""

    name: str
    says: str
    because: str
    option: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class Example:
    """An example of the rulebook: statements that bring the position about, moves and chance as text (in `form`), and
    a condition. `elsewhere`: it is meant for other players or options, and its sentences are read there."""

    title: str
    form: Branch
    given: Block
    then: E | None
    place: Place
    elsewhere: bool


@dataclass(frozen=True, slots=True)
class Game:
    """Everything about a game, checked. Numbers of variables, defines, steps, actions and phases are places in these
    tuples."""

    title: str
    seats: tuple[str, ...]                      # their names: "player 1" ... or as declared
    teams: tuple[tuple[int, ...], ...]
    options: tuple[Option, ...]
    settings: Mapping[str, Any]                 # the value of each option
    board: Board | None
    shapes: Mapping[str, Any]
    types: Mapping[str, Type]
    variables: tuple[Variable, ...]
    components: tuple[Component, ...]
    tables: tuple[Table, ...]
    defines: tuple[Define, ...]
    steps: tuple[Step, ...]
    slots: int                                  # how many locals there are
    slot_names: tuple[str, ...]
    setup: Block | None
    turn_starts: int                            # a phase
    turn_begin: Block | None
    turn_end: Block | None
    round_begin: Block | None
    round_end: Block | None
    phases: tuple[Phase, ...]
    actions: tuple[Action, ...]
    ends: tuple[End, ...]
    ranks: tuple[Rank, ...]
    result: Rank | None                         # a value for each player, instead of ranks
    positions: tuple[Position, ...]
    limit: tuple[E, Block | None] | None
    clock: tuple[E, Block] | None
    invariants: tuple[tuple[str, E], ...]
    view: View
    assumptions: tuple[Assumption, ...]
    examples: tuple[Example, ...]
