"""Which variables hold a component, and what is left of it in the supply when the game begins.

A component is held by its bags, its decks and its supply, and by whatever the rules move it to or from: a set, a place
for a single thing. All of these are counted after each move, and what they begin with is taken from the supply.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulelang.model.game import Block, Component, Game, Start
from rulelang.model.ir import E, S
from rulelang.model.scope import Scope
from rulelang.model.types import BagOf, DeckOf, Maybe, SetOf, Type, bits, index_of, material_of, size_of


def with_supplies(s: Scope, game: Game) -> Game:
    """The game, each of its components with all that holds it, and with the supply that their starts leave over."""
    if not game.components:
        return game
    ways = frozenset(way for block in blocks(game) for way in _ways(block))
    components = tuple(replace(one, variables=_holders(game, one, ways)) for one in game.components)
    variables = list(game.variables)
    for one in components:
        left = _left(s, game, one)
        for number in one.variables:
            if variables[number].supply is not None:
                variables[number] = replace(variables[number], start=Start("value", (left,)))
    return replace(game, variables=tuple(variables), components=components)


def _holders(game: Game, component: Component, ways: frozenset[tuple[int, int]]) -> tuple[int, ...]:
    """The variables that hold a component's material, its supply among them, in order."""
    found = {n for n, v in enumerate(game.variables) if material_of(v.type) == component.name}
    size = -1
    while size != len(found):
        size = len(found)
        for way in ways:
            if found.intersection(way):
                found.update(n for n in way if _may_hold(game.variables[n].type, component))
    return tuple(sorted(found))


def _may_hold(kind: Type, component: Component) -> bool:
    if isinstance(kind, (SetOf, BagOf, DeckOf, Maybe)):
        return kind.of == component.kinds and material_of(kind) in (None, component.name)
    return False


def _left(s: Scope, game: Game, component: Component) -> tuple[int, ...]:
    """How many of each kind are in the supply; faults if that cannot be told, or if there are not so many."""
    left = [component.each] * size_of(component.kinds)
    for number in component.variables:
        v = game.variables[number]
        if v.supply is not None:
            continue
        if v.start.kind != "value":
            s.faults.add(v.place, "not-constant",
                         f"`{v.name}` holds `{component.name}`, and what it begins with is worked out only in play",
                         "begin it empty, and draw, deal or move to it in `setup:`")
        for held in v.start.values:
            for kind in _kinds_in(v.type, held):
                left[kind] -= 1
    if min(left) < 0:
        s.faults.add(component.place, "too-many",
                     f"the state begins with more of `{component.name}` than there are in the box",
                     f"there are {component.each} of each kind: put more into the box, or less into the state")
    return tuple([max(0, n) for n in left])


def _kinds_in(kind: Type, held: object) -> Iterator[int]:
    """The number of the kind of each thing that a value holds."""
    match kind, held:
        case BagOf(), tuple():
            yield from (k for k, n in enumerate(held) for _ in range(n))
        case SetOf(), int():
            yield from bits(held)
        case DeckOf(of), tuple():
            yield from (index_of(of, one) for one in held)
        case Maybe(of), _ if held is not None:
            yield index_of(of, held)


def blocks(game: Game) -> Iterator[Block]:
    """Every block of a game."""
    tops = [game.setup, game.turn_begin, game.turn_end, game.round_begin, game.round_end]
    for phase in game.phases:
        tops += [phase.begin, phase.after, phase.stuck]
    tops += [end.then for end in game.ends]
    tops += [step.body for step in game.steps]
    tops += [clause.effects for action in game.actions for clause in action.clauses]
    if game.limit is not None:
        tops.append(game.limit[1])
    if game.clock is not None:
        tops.append(game.clock[1])
    yield from (block for block in tops if block)


_CONVERSIONS = frozenset({"need", "fit", "one", "set_of", "bag_of", "one_bag", "as_bag", "kinds", "bag_list",
                          "list_bag"})


def _ways(block: Block) -> Iterator[tuple[int, int]]:
    """From which variable to which something is moved, drawn or dealt."""
    taken: tuple[int, int] | None = None           # a take: from which variable, and the local that is moved
    for s in block:
        if s.op in ("draw", "deal") and s.source is not None and s.target is not None:
            yield s.source.var, s.target.var
        elif s.op == "take" and s.target is not None:
            taken = s.target.var, carried(s)
        elif s.op == "put" and s.target is not None and taken is not None and taken[1] == carried(s):
            yield taken[0], s.target.var
        yield from _ways(s.body)
        yield from _ways(s.orelse)


def carried(s: S) -> int:
    """The local that a `move` carries, under its conversions; -1 if something else is taken or put."""
    e: E = s.args[0]
    while e.args:
        if e.op == "deck_plus" and e.args[0].op == "const" and not e.args[0].data:
            e = e.args[1]                          # any list as a deck
        elif e.op in _CONVERSIONS and len(e.args) == 1:
            e = e.args[0]
        else:
            return -1
    return e.data if e.op == "local" else -1
