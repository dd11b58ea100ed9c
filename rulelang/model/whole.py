"""The checks of the whole, once all in it is sound: what is never used or reached, and a game that never ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulelang.model.blocks import every, ops_in
from rulelang.model.game import Action, Block, End, Phase
from rulelang.model.kinds import branch_of
from rulelang.model.scope import Scope, Symbol
from rulelang.model.types import material_of
from rulelang.source.diagnostic import Place
from rulelang.syntax.overlay import BlockEdit, Layered, RuleEdit
from rulelang.syntax.trees import Branch, Clause, DataList, Leaf, Rule, Syntax

_FINAL = frozenset(("win", "lose", "tie", "finish", "out"))
# what may be never used, and how it is called; to leave the first ones unused is an error, since it is most often a
# misspelt edit of something else
_PARTS = {
    "define": "define", "step": "step", "option": "option",
    "table": "table", "variable": "state variable", "area": "area", "areas": "list of areas", "type": "type",
}
_ERRORS = ("define", "step", "option")


@dataclass(frozen=True, slots=True)
class Whole:
    """A game's running parts: `others` are the blocks of its set-up, turns and rounds."""

    phases: tuple[Phase, ...]
    actions: tuple[Action, ...]
    start: str
    others: tuple[Block | None, ...]
    ends: tuple[End, ...]
    limited: bool
    ranked: bool


def check_whole(s: Scope, root: Branch, game: Whole, mine: frozenset[str]) -> None:
    """Note what is never used or reached, among what the files in `mine` declare; phases that never come to a
    decision; and a game that cannot end."""
    _unused_actions(s, root, game, mine)
    _unused_parts(s, root, mine)
    reached = _reached(s, game)
    for i, p in enumerate(game.phases):
        if i not in reached and p.place.file in mine:
            s.faults.add(p.place, "unreachable", f"nothing goes to the phase `{p.name}`",
                         f"write `go {p.name}` where it comes next, or drop it", severity="warning")
    _decisions(s, game)
    _ending(s, root, game)


def _unused_actions(s: Scope, root: Branch, game: Whole, mine: frozenset[str]) -> None:
    used = {a for p in game.phases for a in p.actions}
    elsewhere = named_in(branch_of(root, "variants"))
    for i, entry in enumerate(branch_of(root, "actions") or ()):
        if i not in used and entry.place.file in mine and entry.name not in elsewhere:
            s.faults.add(entry.place, "unused", f"no phase has the action `{entry.name}`",
                         "list it in a phase's `actions`, or drop it; a misspelt edit of an old one reads like this")


def _unused_parts(s: Scope, root: Branch, mine: frozenset[str]) -> None:
    hint = "use it or drop it; a misspelt edit of an old one reads like this"
    elsewhere = named_in(branch_of(root, "variants"))
    by_each = {id(symbol.item) for name, symbol in s.symbols.items() if symbol.kind == "area_each" and name in s.used}
    for name, symbol in s.symbols.items():
        if name in s.used or symbol.kind not in _PARTS or symbol.place.file not in mine or name.startswith("supply of"):
            continue
        if name in elsewhere or (symbol.kind == "variable" and _keeps_material(s, symbol)):
            continue
        if symbol.kind != "areas" or id(symbol.item) not in by_each:
            s.faults.add(symbol.place, "unused", f"the {_PARTS[symbol.kind]} `{name}` is never used", hint,
                         severity="error" if symbol.kind in _ERRORS else "warning")
    for what, section in (("component", "components"), ("position", "positions")):
        for entry in branch_of(root, section) or ():
            if f"{what} {entry.name}" not in s.used and entry.place.file in mine:
                s.faults.add(entry.place, "unused", f"the {what} `{entry.name}` is never used", hint,
                             severity="warning")


def named_in(item: object) -> frozenset[str]:
    """All words in the sentences and lists of a part of a document: what variants name is of use, if only in them."""
    found: set[str] = set()
    waiting: list[object] = [item]
    while waiting:
        x = waiting.pop()
        match x:
            case str():
                found.add(x)
            case tuple():
                waiting += x
            case Syntax():
                waiting += x.parts
            case BlockEdit():
                waiting += (x.first, x.then)
            case RuleEdit():
                waiting += [edit.clauses for edit in x.edits]
            case Rule():
                waiting.append(x.clauses)
            case Clause():
                waiting.append(x.statement)
            case Leaf():
                waiting.append(x.value)
            case DataList():
                waiting.append(x.items)
            case Branch():
                if isinstance(x, Layered):
                    waiting += x.later
                waiting += [entry.item for entry in x if entry.name not in ("set", "says")]
    return frozenset(found)


def _keeps_material(s: Scope, symbol: Symbol) -> bool:
    """Whether a variable keeps material out of the game from the beginning, which is use enough."""
    v = s.variables[symbol.item]
    return material_of(v.type) is not None and any(map(any, v.start.values))


# ------------------------------------------------------------------------------------------------ the way of a game


def _blocks(phase: Phase, actions: Sequence[Action]) -> list[Block | None]:
    """All blocks that are run in a phase."""
    return [phase.begin, phase.after, phase.stuck, *(k.effects for i in phase.actions for k in actions[i].clauses)]


def _goes(s: Scope, blocks: Sequence[Block | None]) -> set[int]:
    """The phases that blocks go to."""
    return {one.data for b in blocks for one in every(s, b) if one.op == "go"}


def _reached(s: Scope, game: Whole) -> set[int]:
    """The phases that a game may come to."""
    waiting = [i for i, p in enumerate(game.phases) if p.name == game.start]
    waiting += _goes(s, game.others)
    reached: set[int] = set()
    while waiting:
        i = waiting.pop()
        if i not in reached:
            reached.add(i)
            waiting += _goes(s, _blocks(game.phases[i], game.actions))
    return reached


def _decisions(s: Scope, game: Whole) -> None:
    """Note phases that only go to each other: no player is ever asked, and nothing ends."""
    passing = {i for i, p in enumerate(game.phases) if p.name == game.start} | _goes(s, game.others)
    leads = {}
    comes = set()
    for i, p in enumerate(game.phases):
        ops = ops_in(s, p.begin)
        if p.actions or ops & _FINAL:
            comes.add(i)
        leads[i] = _goes(s, [p.begin]) | (passing if ops & {"end_turn", "end_round"} else set())
    if any(ops_in(s, b) & _FINAL for b in game.others) or game.ends:
        return      # an end may be met on the way
    growing = True
    while growing:
        more = {i for i, after in leads.items() if i not in comes and after & comes}
        comes |= more
        growing = bool(more)
    for i, p in enumerate(game.phases):
        if i not in comes:
            s.faults.add(p.place, "never-left", f"from the phase `{p.name}` the game never comes to a decision",
                         "let one of the phases that it goes to have actions, or end the game")


def _ending(s: Scope, root: Branch, game: Whole) -> None:
    blocks: list[Block | None] = [b for p in game.phases for b in _blocks(p, game.actions)]
    blocks += [*game.others, *(e.then for e in game.ends)]
    ops = frozenset(op for b in blocks for op in ops_in(s, b))
    place: Place = (branch_of(root, "phases") or root).place
    entry = root.entry("phases")
    place = entry.place if entry is not None else place
    if not game.ends and not game.limited and not ops & _FINAL:
        s.faults.add(place, "never-ends", "nothing ends this game: there is no `end:`, `limit:`, `win`, `finish` …",
                     "say what ends it, or give it a `limit:`")
    if s.players > 1 and not game.ranked and ("finish" in ops or any(e.then is None for e in game.ends)):
        s.faults.add(place, "no-rank", "this game may finish, and nothing says who is first then",
                     "add `rank:` or `result:`, or say `win …` or `tie`", severity="warning")
