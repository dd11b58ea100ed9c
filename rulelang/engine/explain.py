"""Why a move is legal or not: its action's clauses, one after the other, with what came of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rulelang.engine import judging
from rulelang.engine.actions import ActionRules, Values
from rulelang.engine.core import Core
from rulelang.engine.faults import AmbiguousMove, PlayFault
from rulelang.engine.moves import Move
from rulelang.engine.ops_state import entry_fn
from rulelang.engine.parse import plain
from rulelang.engine.render import QUANTORS, parts, render
from rulelang.model.game import Clause
from rulelang.model.ir import E, Text
from rulelang.model.types import show
from rulelang.source.diagnostic import Place

if TYPE_CHECKING:
    from rulelang.engine.interpreter import Interpreter
    from rulelang.engine.state import State


@dataclass(frozen=True, slots=True)
class ClauseOutcome:
    """What came of one clause. `holds` is None where it was not reached; `values` are the parts of a condition that
    fails, each as text with its value as text."""

    name: str
    kind: str
    sentence: str
    place: Place
    holds: bool | None
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """Whether a move is legal. `clauses` are those of the action that the text comes nearest to, `others` the other
    actions that it might have meant. `reason` is one sentence; `place` the rule that decides. `judged` is for a legal
    move that leads to a question of the table: the question, and what its model says."""

    text: str
    legal: bool
    action: str
    clauses: tuple[ClauseOutcome, ...]
    reason: str
    place: Place | None
    others: tuple[Explanation, ...] = ()
    judged: tuple[str, str] | None = None

    @property
    def failed(self) -> ClauseOutcome | None:
        """The clause that refuses the move."""
        return next((clause for clause in self.clauses if clause.holds is False), None)


class Explainer:
    """Explains the moves of one machine."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.game = interpreter.game

    def explain(self, state: State, text: str, seat: int) -> Explanation:
        """Whether a text is a legal move, and by which clauses. Raises AmbiguousMove if it could be several."""
        meant = self.interpreter.notation.meant(state, text, seat)
        if len(meant) > 1:
            raise AmbiguousMove(text, tuple(move.text for move in meant))
        if not meant:
            return self.refuse(state, text, seat)
        number, values = meant[0].steps[0]
        return replace(self._action(state, seat, text, number, values), judged=_judged(state, meant[0]))

    def refuse(self, state: State, text: str, seat: int) -> Explanation:
        """Why a text that means no legal move is none."""
        notation = self.interpreter.notation
        wanted = notation.as_said(plain(text))
        found: list[Explanation] = []
        for steps in notation.parse(wanted, state):
            number, values = steps[0]
            one = self._action(state, seat, text, number, values)
            if len(steps) > 1 and one.legal:
                one = replace(one, legal=False, reason="the chain cannot go on like this")
            found.append(one)
            if len(found) > 200:
                break
        if not found:
            return Explanation(text, False, "", (), "this is no move of the game", None)
        found.sort(key=lambda one: -_reached(one))
        best = found[0]
        names = {best.action}
        others = []
        for one in found[1:]:
            if one.action not in names:
                names.add(one.action)
                others.append(one)
        return replace(best, others=tuple(others))

    def _action(self, state: State, seat: int, text: str, number: int, values: Values) -> Explanation:
        rules = self.interpreter.actions[number]
        action = rules.action
        rt = state.core.copy()
        rt.quiet = True
        rt.me = seat
        phase = self.game.phases[rt.phase]
        outcomes: list[ClauseOutcome] = []
        if number not in phase.actions:
            unknown = _bound_by(rules)
            outcomes = [ClauseOutcome(clause.name, clause.kind, self.sentence(rt, clause.sentence, unknown, True),
                                      clause.place, None) for clause in action.clauses]
            reason = f"`{action.name}` is not possible in the phase `{phase.name}`"
            return Explanation(text, False, action.name, tuple(outcomes), reason, phase.place)
        outcomes, chosen = self._clauses(rt, rules, values)
        failed = next((one for one in outcomes if one.holds is False), None)
        if failed is not None:
            return Explanation(text, False, action.name, tuple(outcomes), _reason(failed), failed.place)
        legal = self.interpreter.legal
        rt = state.core.copy()
        rt.quiet = True
        rt.me = seat
        if phase.must and number not in phase.must:
            for other in phase.must:
                if self.interpreter.actions[other].any_legal(rt):
                    name = self.game.actions[other].name
                    reason = f"while `{name}` is possible it must be done"
                    return Explanation(text, False, action.name, tuple(outcomes), reason, phase.place)
        if phase.best and not any(steps[0] == (number, tuple(chosen)) for steps in legal.moves(rt)):
            return Explanation(text, False, action.name, tuple(outcomes), "another way reaches more", phase.place)
        return Explanation(text, True, action.name, tuple(outcomes), "it is legal", None)

    def _clauses(self, rt: Core, rules: ActionRules, values: Values) -> tuple[list[ClauseOutcome], list[Any]]:
        """Each clause's outcome, up to the first that fails, and the values with those left out filled in."""
        outcomes: list[ClauseOutcome] = []
        chosen: list[Any] = []
        going = True
        after = rt
        unknown = _bound_by(rules)                      # the locals that nothing has been said of yet
        i = 0
        for clause in rules.action.clauses:
            holds: bool | None = None
            told: tuple[tuple[str, str], ...] = ()
            if going:
                if clause.kind in ("choose", "choose_some"):
                    holds, value = self._chosen(rt, rules, i, values[i])
                    chosen.append(value)
                    i += 1
                    if holds or value is not None:
                        unknown -= {clause.slot}
                    if not holds and clause.where is not None and clause.slot not in unknown:
                        told = self._values(rt, clause.where)
                elif clause.kind == "let":
                    holds = self._let(rt, clause)
                    unknown -= {clause.slot}
                elif clause.kind in ("require", "ensure"):
                    assert clause.value is not None
                    holds = self._ask(after, clause.value)
                    if not holds:
                        told = self._values(after, clause.value)
                elif clause.kind == "do":
                    after = rt.copy()
                    holds = self._do(after, rules)
                else:
                    holds = True
                going = bool(holds)
                self._count(rules, clause, going)
            sentence = self.sentence(after, clause.sentence, unknown, holds is not False)
            outcomes.append(ClauseOutcome(clause.name, clause.kind, sentence, clause.place, holds, told))
        return outcomes, chosen

    def _count(self, rules: ActionRules, clause: Clause, held: bool) -> None:
        """A clause that is asked here has mattered as much as one that is asked for the legal moves."""
        coverage = self.interpreter.compiler.coverage
        counted = clause.kind in ("choose", "choose_some", "require", "ensure") or (
            clause.kind == "let" and clause.sentence is not None)
        if coverage is not None and counted:
            name = f"action {rules.action.name}, {clause.name}"
            coverage.counter(clause.place, name, "held" if held else "failed")()

    def _chosen(self, rt: Core, rules: ActionRules, i: int, value: Any) -> tuple[bool, Any]:
        """Whether a value may be chosen; one that was left out is the first that may, or none."""
        from rulelang.engine.notation import MISSING

        choice = rules.choices[i]
        options = choice.options(rt)
        if value is MISSING:
            value = None if choice.clause.optional else self._first(rt, choice, options)
            if value is None and not choice.clause.optional:
                return False, None
        rt.s[choice.slot] = value
        if value not in options:
            return False, value
        return bool(self._safe(rt, choice.where)), value

    def _first(self, rt: Core, choice: Any, options: Sequence[Any]) -> Any:
        """The first value that may be chosen, or the only one there is; None if there is none."""
        for value in options:
            rt.s[choice.slot] = value
            if self._safe(rt, choice.where):
                return value
        return options[0] if len(options) == 1 else None

    def _let(self, rt: Core, clause: Clause) -> bool:
        assert clause.value is not None
        value = self._safe(rt, self.interpreter.compiler.fn(clause.value))
        rt.s[clause.slot] = value
        return clause.sentence is None or value is not None

    def _ask(self, rt: Core, e: E) -> bool:
        return bool(self._safe(rt, self.interpreter.compiler.fn(e)))

    def _do(self, rt: Core, rules: ActionRules) -> bool:
        if rules.do is None:
            return True
        try:
            rules.do(rt)
        except PlayFault:
            return False
        return True

    @staticmethod
    def _safe(rt: Core, asked: Any) -> Any:
        """A value that cannot be worked out counts as none: the clause that needs it fails."""
        try:
            return asked(rt)
        except PlayFault:
            return None

    def sentence(
        self, rt: Core, text: Text | None, unknown: frozenset[int] = frozenset(), out_of_place: bool = False,
    ) -> str:
        """A clause's sentence with its values; what hangs on an `unknown` local, or is not seen, by its name.
        So is what is none where the clause is `out_of_place`: it holds, or belongs to another phase, and so speaks of
        what has its value at other times."""
        if text is None:
            return ""
        return "".join([
            part if isinstance(part, str) else self._told(rt, part, unknown, out_of_place) for part in text.parts])

    def _told(self, rt: Core, part: E, unknown: frozenset[int], out_of_place: bool) -> str:
        if not _speaks_of(part, unknown):
            try:
                asked = self.interpreter.compiler.fn(part)
                self.interpreter.make_room(rt)
                if self._in_sight(rt.copy(), part, frozenset()):
                    value = asked(rt)
                    if value is not None or not out_of_place:
                        return show(part.type, value)
            except (PlayFault, TypeError, IndexError, AttributeError):
                pass
        return render(self.game, part)

    def _values(self, rt: Core, e: E) -> tuple[tuple[str, str], ...]:
        found: dict[str, str] = {}
        for part in parts(e):
            try:
                if not self._in_sight(rt.copy(), part, frozenset()):
                    continue
                asked = self.interpreter.compiler.fn(part)
                self.interpreter.make_room(rt)
                value = asked(rt)
                found[render(self.game, part)] = "none" if value is None else show(part.type, value)
            except (PlayFault, TypeError, IndexError, AttributeError):
                continue
        return tuple(found.items())

    def _in_sight(self, rt: Core, e: E, bound: frozenset[int]) -> bool:
        """Whether all that an expression reads of the state is seen by who acts, or at least counted where no more is
        asked. `bound` are the locals that go through something; what they stand for is not known here."""
        if e.op == "count" and e.args[0].op == "get":
            held = e.args[0]
            return all(self._in_sight(rt, a, bound) for a in held.args) and (
                self._sees(rt, held, bound, self.interpreter.views.seen) or (
                    self.interpreter.views.size_seen[held.data] is not None
                    and self._sees(rt, held, bound, self.interpreter.views.size_seen)))
        if e.op == "get" and not self._sees(rt, e, bound, self.interpreter.views.seen):
            return False
        if e.op == "layer" and self.interpreter.views.seen[e.data] is not None:
            return False
        if not all(self._in_sight(rt, a, bound) for a in e.args[:1]):
            return False
        inner = bound | {e.data} if e.op in QUANTORS else bound
        if not all(self._in_sight(rt, a, inner) for a in e.args[1:]):
            return False
        if e.op != "call":
            return True
        define = self.game.defines[e.data]
        unknown = set()
        for slot, value in zip(define.slots, e.args, strict=True):
            if _speaks_of(value, bound):
                unknown.add(slot)
            else:
                rt.s[slot] = self.interpreter.compiler.fn(value)(rt)
        return self._in_sight(rt, define.body, bound | unknown)

    def _sees(self, rt: Core, e: E, bound: frozenset[int], who: Sequence[Any]) -> bool:
        """Whether who acts sees the entry that is read; every entry, if it is not known here which."""
        seen = who[e.data]
        if seen is None:
            return True
        entries: list[bool] = seen(rt.copy(), rt.me)
        if any(_speaks_of(a, bound) for a in e.args):
            return all(entries)
        at = entry_fn(self.interpreter.compiler, e.data, e.args)(rt)
        return bool(entries[at - self.interpreter.machine.fields[e.data].offset])


def _bound_by(rules: ActionRules) -> frozenset[int]:
    """The locals that an action's choices and `let`s set."""
    return frozenset(slot for _, slot, _ in rules.binders)


def _speaks_of(e: E, slots: frozenset[int]) -> bool:
    return bool(e.op == "local" and e.data in slots) or any(_speaks_of(a, slots) for a in e.args)


def _judged(state: State, move: Move) -> tuple[str, str] | None:
    """The question that a legal move leads to, with what its model says; None if there is none."""
    if all(node.kind != "judge" for node in state.machine.nodes) or len(state.to_act) > 1:
        return None
    after = state.copy()
    after.core.quiet = True
    try:
        after.play(move)
        question = after.question
    except PlayFault:
        return None
    found = "" if question is None else judging.told(question, state.game)
    return (question.text, found) if question is not None and found else None


def _reached(one: Explanation) -> int:
    """How far an explanation came: the further, the likelier it was meant."""
    held = sum(1 for clause in one.clauses if clause.holds)
    reachable = any(clause.holds is not None for clause in one.clauses)
    return (1000 if one.legal else 0) + (100 if reachable else 0) + held * 2 - (len(one.clauses) == held)


def _reason(failed: ClauseOutcome) -> str:
    if failed.sentence:
        return failed.sentence
    if failed.kind in ("choose", "choose_some"):
        return f"this cannot be chosen as `{failed.name}`"
    return f"the rule `{failed.name}` does not hold"
