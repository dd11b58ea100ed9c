"""The typed form of sentences: what the checker makes of syntax trees and what engines run.

Names are gone: a state variable is its number in `Game.variables`, a local its *slot*. Slots are numbered over the
whole game, each used by one binder (a choose, let, quantifier, parameter ...): nothing recurses, so one array of
slots is enough for every local of a game. All conversions between types stand in the tree as operations, so that an
engine needs to know only how values are held (see types.py).

Operations of `E` (args; `data`); "set" is a bit mask over the index of its element type:

const (; value) · local (; slot) · me · option (; name, the value is fixed once a game starts) · turns · rounds
get (index of each parameter; variable): a state variable's value
layer (; variable): all values of a variable, a tuple in flat order (only as an argument of a judge)
need (x): x, or the fault "nothing there" if it is None
fit (x; (low, high)): the number, or a fault if outside
recode (x; tuple): the tuple's entry at x, of None None (between a union and its parts; a missing part is None)
cell_of (number; tuple or None): on boards whose cells are numbers, the cell of that number (tuple maps number ->
    cell or None; a fault if there is none), and number_of (cell; tuple) back
and · or (short-circuit, two or more args) · not · if (condition, then, else)
eq · ne · lt · le · gt · ge: two values held alike (eq and ne also None)
add · sub · mul · div (floor; a fault if by 0) · mod (sign of the divisor; a fault if by 0) · neg
in (x, set): None, and a number outside the set's range, is in nothing. in_bag (x, bag) · in_list (x, list)
within (set, set) · meets (set, set) · holds (bag, bag)
join_lists (list, list) · union · both · without (sets) · plus · minus (bags; minus takes one copy for each and stops
    at 0) · bag_both
deck_plus (deck, list) · top (deck, n): its first n as a deck, a fault if there are fewer
set_of (elements; None left out) · bag_of (elements) · range (low, high) as a set of its Number type
copies (n, x): a bag of n times x
one (x): the set of x alone, empty if None · one_bag (x) the same as a bag
lift (set; k): the bits moved up by k (down if negative; what falls off is lost): another range of numbers
cells (line): the set of a line's cells · as_bag (set) · kinds (bag) as a set · list_bag (list) as a bag
bag_list (bag or deck or set): its values as a list in order
recode_set (set; tuple): the set of the recoded elements
where (domain, condition; slot): the part of a domain (set -> set, line or list -> list) that meets the condition
for (domain, condition, value; slot): the list of values, None left out
some · every · no (domain, where, condition; slot) · no_two (domain, key; slot): no two share the key (None shares)
first · last (domain, condition; slot): a value or None
    domains are a set (gone through by index), a line, a list or a deck; `where` is const True if left out
count (set, bag, deck, line or list) · sum · highest · lowest (list of numbers; highest and lowest of nothing: None)
call (arguments; define)
field (record; (divisor, size, offset)): index of the field plus offset; of None None (a Switch field: 0 or 1)
record (values as indices; radices): mixed radix, radices[i] the size of field i
table (indices; table): a constant; None at any None
is_part (x; (first, how many)): whether a union's value is of that part
next_seat (player; step): the seat so many further on, over all seats
opponent (player): the other of two seats
row · column · height (cell) · step (set, ways) · step2 (cell, ways) · ray (cell, way): line · rays (cell, ways): set
leap (cell, a, b): set · slide (cell, ways, free): set · between (cell, cell): set · before (cell, line): set
neighbours (set) · reach (set, through) · distance (cell, cell): number or None · mirror (cell)
area_at (cell; tuple of sets): the set of the area that holds the cell, 0 if none
placements (shape) : list of sets · cubes (shape): number
times (; position) · legal_moves: how many moves are legal (only in examples and ends)

A cell argument that is None makes the result empty (or None).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulelang.model.types import SWITCH, Type
from rulelang.source.diagnostic import NOWHERE, Place


@dataclass(frozen=True, slots=True)
class E:
    """An expression: `op` says what is done with `args` and `data`; `type` what comes of it."""

    op: str
    type: Type
    args: tuple[E, ...] = ()
    data: Any = None
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Target:
    """Part of the state that can be set: a variable at its indices. `whole` is a variable with parameters but
    without indices (`roll dice`): all of it, in flat order."""

    var: int
    index: tuple[E, ...]
    place: Place
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence with values in it: strings and expressions in turn."""

    parts: tuple[str | E, ...]


@dataclass(frozen=True, slots=True)
class JudgeCall:
    """A question that the table or a model answers: `model` is a registered name or None (the table only)."""

    slot: int
    model: str | None
    question: Text
    name: str


@dataclass(frozen=True, slots=True)
class S:
    """A statement.

    let (value; data slot) · set (value; target): a fault if the value is not of the variable's type
    take (value; target): what is in the target less the value; a fault if it is not all there
    put (value; target): what is in the target and the value; the value is of the target's type (an element for a
        scalar: set it)
    draw (target; args: a value drawn from without taking it away, or none and `source`): one at random
        (from a bag: each copy alike). Of nothing: None, a fault if the target cannot hold it
    deal (amount; source, target): so many single draws from source to target; fewer if the source runs out
    roll (target): each value of its type alike; all of them if `whole` · shuffle (target): the deck in a new order
    judge (arguments; data JudgeCall): sets its slot to True or False
    if (condition; body, orelse) · for (domain, where; data slot; body; the domain is taken once, before the rounds)
    repeat (amount; body) · step (arguments; data step)
    go (data phase) · again · end_turn · end_round · win (player) · lose (player) · tie · finish: exits
    next_player · turn_to (player) · out (player): take effect when the block ends
    says (data Text): told to everyone
    """

    op: str
    place: Place
    args: tuple[E, ...] = ()
    target: Target | None = None
    source: Target | None = None
    body: tuple[S, ...] = ()
    orelse: tuple[S, ...] = ()
    data: Any = None
    stream: str = ""           # the name of a drawing place, for its stream of chance


TRUE = E("const", SWITCH, (), True)
