"""Which variables hold a component: its bags, and whatever is filled from them."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.model.game import Block, Component, Game
from rulelang.model.ir import E, S
from rulelang.model.types import BagOf, DeckOf, Maybe, SetOf, Type


def holders(game: Game, component: Component) -> tuple[int, ...]:
    """The variables that hold a component's material, its supply among them, in order."""
    found = set(component.variables)
    found |= {n for n, v in enumerate(game.variables)
              if v.supply == component.name or (isinstance(v.type, BagOf) and v.type.component == component.name)}
    ways = list(_ways(game))
    size = -1
    while size != len(found):
        size = len(found)
        for start, goal in ways:
            if start in found and _holds(game.variables[goal].type, component.kinds):
                found.add(goal)
    return tuple(sorted(found))


def _holds(kind: Type, kinds: Type) -> bool:
    if isinstance(kind, (SetOf, BagOf, DeckOf, Maybe)):
        return kind.of == kinds
    return False


def _ways(game: Game) -> Iterator[tuple[int, int]]:
    """From which variable to which something is moved, drawn or dealt, anywhere in the rules."""
    for block in blocks(game):
        yield from _in_block(block)


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


def _in_block(block: Block) -> Iterator[tuple[int, int]]:
    taken: tuple[int, int] | None = None           # a take: from which variable, and the local that is moved
    for s in block:
        if s.op in ("draw", "deal") and s.source is not None and s.target is not None:
            yield s.source.var, s.target.var
        elif s.op == "take" and s.target is not None:
            taken = s.target.var, _local(s)
        elif s.op == "put" and s.target is not None and taken is not None and taken[1] == _local(s):
            yield taken[0], s.target.var
        yield from _in_block(s.body)
        yield from _in_block(s.orelse)


def _local(s: S) -> int:
    """The local that a `move` carries, under its conversions; -1 if there is none."""
    e: E = s.args[0]
    while e.args:
        e = e.args[0]
    return e.data if e.op == "local" else -1


def hidden_supplies(game: Game) -> frozenset[int]:
    """The supplies into which nobody sees, because some of their component is hidden elsewhere."""
    found: set[int] = set()
    for component in game.components:
        held = holders(game, component)
        if any(game.variables[n].seen is not None for n in held):
            found |= {n for n in held if game.variables[n].supply is not None}
    return frozenset(found)
