"""What an expression or a block depends on: locals, variables, the acting player; and whether chance is in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulelang.model.game import Block, Game
from rulelang.model.ir import E, JudgeCall, S, Target, Text

BINDERS = frozenset({"where", "for", "some", "every", "no", "no_two", "first", "last"})
CHANCE = frozenset({"draw", "deal", "roll", "shuffle", "judge"})
COURSE = frozenset({"turns", "rounds", "times", "legal_moves"})


@dataclass(frozen=True, slots=True)
class Facts:
    """`free`: slots that are read and bound outside. `reads`: variables, through defines too. `course`: reads
    something else that changes in the course of a game (turns, rounds, the history)."""

    free: frozenset[int] = frozenset()
    reads: frozenset[int] = frozenset()
    me: bool = False
    course: bool = False

    @property
    def static(self) -> bool:
        """The same throughout a game, whoever acts."""
        return not (self.reads or self.me or self.course)

    def __or__(self, other: Facts) -> Facts:
        return Facts(self.free | other.free, self.reads | other.reads, self.me or other.me, self.course or other.course)

    def without(self, slots: Iterable[int]) -> Facts:
        """The same where these slots are bound."""
        return Facts(self.free.difference(slots), self.reads, self.me, self.course)


NOTHING = Facts()


class Dependence:
    """Answers what expressions of one game depend on; each is looked at once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: dict[int, tuple[E, Facts]] = {}
        self._defines: dict[int, Facts] = {}
        self._chancy: dict[int, bool] = {}

    def of(self, e: E) -> Facts:
        """What an expression depends on."""
        known = self._known.get(id(e))
        if known is not None:
            return known[1]
        found = self._look(e)
        self._known[id(e)] = e, found
        return found

    def _look(self, e: E) -> Facts:
        match e.op:
            case "const" | "option":
                return NOTHING
            case "local":
                return Facts(free=frozenset({e.data}))
            case "me":
                return Facts(me=True)
            case "turns" | "rounds" | "legal_moves":
                return Facts(course=True)
            case "times":
                position = self.game.positions[e.data]
                return Facts(reads=frozenset(position.variables), me=position.with_me, course=True)
        found = self.of_all(e.args)
        if e.op in BINDERS:
            found = self.of(e.args[0]) | self.of_all(e.args[1:]).without({e.data})
        elif e.op in ("get", "layer"):
            found |= Facts(reads=frozenset({e.data}))
        elif e.op == "call":
            found |= self.define(e.data)
        return found

    def of_all(self, many: Iterable[E]) -> Facts:
        """What several expressions depend on."""
        found = NOTHING
        for e in many:
            found |= self.of(e)
        return found

    def define(self, number: int) -> Facts:
        """What a define depends on besides its parameters."""
        found = self._defines.get(number)
        if found is None:
            define = self.game.defines[number]
            found = self._defines[number] = self.of(define.body).without(define.slots)
        return found

    def text(self, text: Text | None) -> Facts:
        """What a sentence with values in it depends on."""
        return NOTHING if text is None else self.of_all(part for part in text.parts if isinstance(part, E))

    def chancy(self, block: Block) -> bool:
        """Whether chance or a judge may come in a block, or in a step that it takes."""
        return any(self._chance_in(statement) for statement in block)

    def _chance_in(self, s: S) -> bool:
        if s.op in CHANCE:
            return True
        if s.op == "step":
            found = self._chancy.get(s.data)
            if found is None:
                found = self._chancy[s.data] = self.chancy(self.game.steps[s.data].body)
            return found
        return self.chancy(s.body) or self.chancy(s.orelse)


def expressions(s: S) -> Iterator[E]:
    """The expressions of a statement itself, without those of blocks inside it."""
    yield from s.args
    for target in (s.target, s.source):
        if isinstance(target, Target):
            yield from target.index
    if isinstance(s.data, Text):
        yield from (part for part in s.data.parts if isinstance(part, E))
    if isinstance(s.data, JudgeCall):
        yield from (part for part in s.data.question.parts if isinstance(part, E))
