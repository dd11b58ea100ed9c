"""Which locals are still read when the machine waits in the middle of a block, and so are part of the position."""

from __future__ import annotations

from dataclasses import replace

from rulelang.machine.facts import Dependence, expressions
from rulelang.machine.nodes import Entries, Node
from rulelang.model.game import Block, Game
from rulelang.model.ir import JudgeCall


def with_live_slots(game: Game, depends: Dependence, nodes: tuple[Node, ...], entries: Entries) -> tuple[Node, ...]:
    """The nodes with `live` filled in, found by going round until nothing changes."""
    uses = [_reads(depends, game, node) for node in nodes]
    sets = [_writes(node) for node in nodes]
    live: list[frozenset[int]] = [frozenset()] * len(nodes)
    changed = True
    while changed:
        changed = False
        for number in range(len(nodes)):
            node = nodes[number]
            if node.kind in ("settle", "wait", "enter", "over", "pass"):
                continue
            after: frozenset[int] = frozenset()
            for follower in (node.next, node.other):
                if follower >= 0:
                    after |= live[follower]
            found = uses[number] | (after - sets[number])
            if found != live[number]:
                live[number] = found
                changed = True
    return tuple(replace(node, live=tuple(sorted(found))) for node, found in zip(nodes, live, strict=True))


def _reads(depends: Dependence, game: Game, node: Node) -> frozenset[int]:
    found = frozenset[int]()
    if node.test is not None:
        bound = {node.element} if node.kind == "more" else set()
        found |= depends.of(node.test).free - bound
    if node.domain is not None:
        found |= depends.of(node.domain).free
    if node.statement is not None:
        found |= depends.of_all(expressions(node.statement)).free
    if node.kind in ("more", "count", "deal", "shuffle", "roll") and node.slot >= 0:
        found |= {node.slot}
    return found | _block_reads(depends, game, node.body)


def _block_reads(depends: Dependence, game: Game, block: Block) -> frozenset[int]:
    """The slots that a block may read before it sets them."""
    found: frozenset[int] = frozenset()
    bound: set[int] = set()
    for s in block:
        found |= depends.of_all(expressions(s)).free - bound - ({s.data} if s.op == "for" else set())
        if s.op == "for":
            found |= _block_reads(depends, game, s.body) - bound - {s.data}
        else:
            found |= (_block_reads(depends, game, s.body) | _block_reads(depends, game, s.orelse)) - bound
        if s.op == "let":
            bound.add(s.data)
    return found


def _writes(node: Node) -> frozenset[int]:
    found = {s.data for s in node.body if s.op == "let"}
    if node.kind in ("each", "times"):
        found.add(node.slot)
    if node.kind == "more":
        found.add(node.element)
    if node.kind == "judge" and node.statement is not None and isinstance(node.statement.data, JudgeCall):
        found.add(node.statement.data.slot)
    return frozenset(found)
