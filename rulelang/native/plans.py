"""What is known of an action before it is written: its choices, in which order its clauses are asked, which of them can be
counted instead of listed."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulelang.model.game import Action, Block, Clause, Game
from rulelang.model.types import BagOf, Number, SetOf
from rulelang.native.bags import MOST_IN_PART
from rulelang.native.emitter import Emitter, element_of
from rulelang.native.lengths import most_held
from rulelang.native.shapes import scalar
from rulelang.native.tails import Tail, tail_of
from rulelang.native.text import ident

CHOOSE = ("choose", "choose_some")


@dataclass
class Plan:
    """An action as it is written: its choices in order, the C names of their fields, whether the last is a set of
    legal values, the clauses in the order in which they are asked."""

    number: int
    action: Action
    name: str
    choices: list[Clause]
    fields: list[str]
    ctypes: list[str]
    masked: bool
    clauses: list[Clause]
    chancy: bool
    last: int = -1
    ensures: list[Clause] = field(default_factory=list)
    drawn: bool = False
    parted: Clause | None = None              # a choice of several that nothing later speaks of: it is counted, not listed
    tail: Tail | None = None                  # choices that are listed once for each class of an earlier one

    @property
    def nodes(self) -> int:
        """How many nodes of the machine are done once its effects are."""
        return int(not self.chancy and any(c.kind == "do" and c.effects for c in self.action.clauses))


def plan(x: Emitter, number: int) -> Plan:
    """What is known of an action before it is written."""
    action = x.game.actions[number]
    choices = [c for c in action.clauses if c.kind in CHOOSE]
    fields = [ident(f"c{i}", c.name) for i, c in enumerate(choices)]
    ctypes = []
    for c in choices:
        assert c.type is not None and c.domain is not None
        if c.kind == "choose":
            of = element_of(c.domain.type)
            ctypes.append("num" if scalar(of) else x.ctype(of))
        else:
            ctypes.append(x.ctype(c.domain.type))
    chancy = any(c.kind == "do" and x.depends.chancy(c.effects) for c in action.clauses)
    asked = _early(x, _needed(x, [c for c in action.clauses if c.kind != "do"]))
    ensures = [c for c in action.clauses if c.kind == "ensure"] if not chancy else []
    found = Plan(number, action, ident(f"a{number}", action.name), choices, fields, ctypes, False, asked, chancy,
                 ensures=ensures)
    if choices:
        last = choices[-1]
        assert last.domain is not None
        found.last = next(i for i, c in enumerate(asked) if c is last)
        found.masked = last.kind == "choose" and not last.optional and isinstance(last.domain.type, SetOf)
        found.drawn = x.passes.draws and found.masked and bool(ensures)
        found.tail = _tail(x, found)
        found.parted = _parted(x, found)
        if found.tail is not None and asked[found.tail.pivot].kind == "choose_some" and found.parted is None:
            found.tail = None
    return found


def going_on(game: Game, phase: int, plans: list[Plan]) -> set[int]:
    """The actions of a phase of chains after which a chain may go on."""
    rules = game.phases[phase]
    if not rules.chain:
        return set()
    always = rules.best or (rules.after is not None and _again(game, rules.after))
    return {a for a in rules.actions if always or plans[a].chancy
            or any(_again(game, c.effects) for c in game.actions[a].clauses if c.kind == "do")}


def _again(game: Game, block: Block) -> bool:
    """Whether a block may have the player go on."""
    return any(s.op == "again" or _again(game, s.body) or _again(game, s.orelse)
               or (s.op == "step" and _again(game, game.steps[s.data].body)) for s in block)


def _tail(x: Emitter, made: Plan) -> Tail | None:
    """The tail of an action, if it is not just a last choice that is a set anyway."""
    found = tail_of(x, made.clauses) if not made.ensures else None
    return None if found is None or (made.masked and len(found.choices) == 1) else found


def _parted(x: Emitter, made: Plan) -> Clause | None:
    """The choice of several of an action that can be counted."""
    several = [c for c in made.choices if c.kind == "choose_some"]
    if len(several) != 1 or made.ensures or not x.passes.parts:
        return None
    only = several[0]
    if _many(x, only):
        return None
    at = next(i for i, c in enumerate(made.clauses) if c is only)
    if only.where is not None and x.c.constant(only.where) != (True, True):
        return None
    for clause in made.clauses[at + 1:]:
        asked = [e for e in (clause.domain, clause.where, clause.value, *(clause.amount or ())) if e is not None]
        if clause.kind == "let" or any(only.slot in x.facts(e).free for e in asked):
            return None
        in_tail = made.tail is not None and made.clauses[made.tail.pivot] is only
        if clause.kind == "choose" and not in_tail and not (made.masked and clause is made.choices[-1]):
            return None
    return only


def _many(x: Emitter, several: Clause) -> bool:
    """Whether so many of a bag may be chosen that the ways are not counted."""
    assert several.domain is not None and several.amount is not None
    high = several.amount[1].type
    return isinstance(several.domain.type, BagOf) and isinstance(high, Number) \
        and min(high.high, most_held(x, several.domain)) > MOST_IN_PART


def _needed(x: Emitter, clauses: list[Clause]) -> list[Clause]:
    """The clauses that decide which choices are legal: without a `let` that only the effects read, unless an `ensure`
    has these tried."""
    found: list[Clause] = []
    read: set[int] = set()
    tried = any(clause.kind == "ensure" for clause in clauses)
    for clause in reversed(clauses):
        idle = not tried and clause.kind == "let" and clause.sentence is None and clause.slot not in read
        if idle and clause.value is not None and x.total(clause.value):
            continue
        for e in (clause.domain, clause.where, clause.value, *(clause.amount or ())):
            if e is not None:
                read |= x.facts(e).free
        if clause.kind in (*CHOOSE, "let", "require"):
            found.insert(0, clause)
    return found


def _early(x: Emitter, clauses: list[Clause]) -> list[Clause]:
    """The clauses with each `require` moved up to where what it reads is known, if it can be no fault and overtakes none.
    It overtakes others of its kind only together with what these read."""
    found: list[Clause] = []
    for clause in clauses:
        at = goal = len(found)
        if clause.kind == "require" and _total(x, clause):
            assert clause.value is not None
            free = x.facts(clause.value).free
            while at > 0 and found[at - 1].slot not in free:
                before = found[at - 1]
                if (before.kind == "let" and before.sentence is not None) or not _total(x, before):
                    break
                at -= 1
                goal = goal if before.kind == "require" else at
        found.insert(goal, clause)
    return found


def _total(x: Emitter, clause: Clause) -> bool:
    """Whether asking a clause can be no fault."""
    asked = (clause.domain, clause.where, clause.value, *(clause.amount or ()))
    return all(x.total(e) for e in asked if e is not None)
