"""Moves as text and back.

Written with the action's `write`, or else as its name and the chosen values: what is `none` is left out, and so is a
choice whose set held a single value. Values of bags and sets are joined by `+`. The steps of a chain are joined by a
comma; only the first leaves anything out. Moves of one position whose texts would be the same are written in full.

Read is what can be told apart among the legal moves: case and spaces do not matter, the action's name may be left
out, and of a chain as much is enough as belongs to one only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from rulelang.engine.actions import ActionRules, Values
from rulelang.engine.core import Core
from rulelang.engine.faults import AmbiguousMove, IllegalMove, UnreadableMove
from rulelang.engine.moves import Move
from rulelang.engine.parse import beginnings, plain
from rulelang.engine.values import members
from rulelang.model.game import Clause
from rulelang.model.types import BagOf, DeckOf, ListOf, Maybe, Record, SetOf, Type, show, size_of, value_at

if TYPE_CHECKING:
    from rulelang.engine.interpreter import Interpreter
    from rulelang.engine.state import State

SECRET = "…"
MISSING: Any = object()
_MOST_KEPT = 10_000
_BRACED = re.compile(r"\{([^{}]*)\}")
Step = tuple[int, Values]
Part = tuple[str, int | None, Clause | None]          # of a template: what comes before, the choice or else the `let`


def value_text(kind: Type, value: Any) -> str:
    """A chosen value as it is written in a move."""
    if value is None:
        return "none"
    if isinstance(kind, Maybe):
        return value_text(kind.of, value)
    if isinstance(kind, SetOf):
        return "+".join(show(kind.of, value_at(kind.of, i)) for i in members(value)) or "empty"
    if isinstance(kind, BagOf):
        return "+".join(show(kind.of, value_at(kind.of, i)) for i, n in enumerate(value) for _ in range(n)) or "empty"
    if isinstance(kind, (DeckOf, ListOf)):
        return "+".join(show(kind.of, one) for one in value) or "empty"
    return show(kind, value)


def _writer(kind: Type) -> Callable[[Any], str]:
    """`value_text` of one type; parts of a hand, say, are written from the texts of the cards."""
    if not isinstance(kind, (SetOf, BagOf)) or size_of(kind.of) > _MOST_KEPT:
        return lambda value: value_text(kind, value)
    texts = [show(kind.of, value_at(kind.of, i)) for i in range(size_of(kind.of))]
    if isinstance(kind, SetOf):
        return lambda mask: "none" if mask is None else "+".join([texts[i] for i in members(mask)]) or "empty"
    return lambda bag: "none" if bag is None else (
        "+".join(["+".join([texts[i]] * n) for i, n in enumerate(bag) if n]) or "empty")


class Notation:
    """Writes and reads the moves of one machine."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.actions = interpreter.actions
        self._written: list[list[dict[Any, str]]] = [[{} for _ in rules.choices] for rules in self.actions]
        self._writers = [[_writer(choice.type) for choice in rules.choices] for rules in self.actions]
        self.earlier = [_earlier(rules) for rules in self.actions]
        self.templates = [_template(rules) for rules in self.actions]
        self.reads_locals = [any(let is not None and i is None for _, i, let in template or ())
                             for template in self.templates]     # whether an action is written with what is not chosen

    # Writing

    def full(self, step: Step) -> str:
        """The action's name and all values."""
        number, values = step
        return " ".join([self.actions[number].action.name, *(self._value(number, i, x) for i, x in enumerate(values))])

    def _value(self, number: int, i: int, value: Any) -> str:
        """A value of an action's choice as text."""
        known = self._written[number][i]
        found = known.get(value)
        if found is None:
            if len(known) > _MOST_KEPT:
                known.clear()
            found = known[value] = self._writers[number][i](value)
        return found

    def default(self, step: Step, single: Sequence[bool], hide: bool = False) -> str:
        """The action's name and the values that must be told."""
        number, values = step
        rules = self.actions[number]
        words = [rules.action.name]
        for i, value in enumerate(values):
            if hide and rules.choices[i].clause.secret:
                words.append(SECRET)
            elif value is not None and not single[i]:
                words.append(self._value(number, i, value))
        return " ".join(words)

    def template(self, step: Step, single: Sequence[bool], rt: Core | None, hide: bool = False) -> str | None:
        """The step by its action's `write`; None if it has none."""
        number, values = step
        template = self.templates[number]
        if template is None:
            return None
        choices = self.actions[number].choices
        words = []
        for prefix, i, let in template:
            if i is not None:
                value = values[i]
                if hide and choices[i].clause.secret:
                    words.append(prefix + SECRET)
                elif value is not None and not (prefix and single[i]):
                    words.append(prefix + self._value(number, i, value))
            elif let is None:
                words.append(prefix)
            elif rt is not None and let.type is not None and rt.s[let.slot] is not None:
                words.append(prefix + value_text(let.type, rt.s[let.slot]))
        text = "".join(words)
        return " ".join(text.split()) if " " in text else text

    def singles(self, rt: Core, step: Step) -> list[bool]:
        """Which choices of a step had one possible value. Binds the step's locals on the way."""
        number, values = step
        rules = self.actions[number]
        found = []
        i = 0
        for kind, slot, value in rules.binders:
            if kind == "choose":
                choice = rules.choices[i]
                found.append(self._alone(rt, choice))
                rt.s[slot] = values[i]
                i += 1
            elif value is not None:
                rt.s[slot] = value(rt)
        return found

    def _alone(self, rt: Core, choice: Any) -> bool:
        if choice.amounts is not None:
            low, high = (f(rt) for f in choice.amounts)
            held = choice.domain(rt)
            if isinstance(choice.type, BagOf):
                return bool(low == high and (sum(held) == low or sum(1 for n in held if n) == 1))
            return bool(low == high == held.bit_count())
        options = choice.domain(rt)
        try:
            return bool(len(options) + choice.clause.optional == 1)
        except TypeError:
            return len(list(choice.options(rt))) == 1

    def step_text(self, rt: Core, step: Step, hide: bool = False) -> str:
        """A step as it is written at the decision where a core waits."""
        single = self.singles(rt, step)
        return self.template(step, single, rt, hide) or self.default(step, single, hide)

    def later_text(self, step: Step) -> str:
        """A later step of a chain."""
        single = [False] * len(step[1])
        return self.template(step, single, None) or self.default(step, single)

    def plain_text(self, move: Move) -> str:
        """A move in full, whatever the position."""
        return ", ".join(self.full(step) for step in move.steps)

    def has_secret(self, move: Move) -> bool:
        """Whether something that was chosen is not told to the others."""
        return any(choice.clause.secret for number, _ in move.steps for choice in self.actions[number].choices)

    def public(self, move: Move) -> str:
        """A move as the others are told it."""
        found = []
        for step in move.steps:
            single = [False] * len(step[1])
            found.append(self.template(step, single, None, True) or self.default(step, single, True))
        return ", ".join(found)

    # Reading

    def forms(self, move: Move) -> Iterator[str]:
        """All the ways in which a move may be written, plain."""
        yield plain(move.text)
        texts = [[self.full(step), self.later_text(step)] for step in move.steps]
        for choice in (0, 1):
            yield plain(", ".join(one[choice] for one in texts))
        first = self.actions[move.steps[0][0]].action.name
        for text in (move.text, texts[0][0], texts[0][1]):
            if len(move.steps) == 1 and plain(text).startswith(plain(first) + " "):
                yield plain(text)[len(plain(first)) + 1:]
        if len(move.steps) > 1:
            rules = [self.actions[step[0]] for step in move.steps]
            for choice in (0, 1):
                yield plain(", ".join(_without(one[choice], its) for one, its in zip(texts, rules, strict=True)))

    def read(self, state: State, text: str, seat: int) -> Move:
        """The legal move that a text means."""
        found = self.meant(state, text, seat)
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousMove(text, tuple(move.text for move in found))
        wanted = self.as_said(plain(text))
        if any(True for _ in self.parse(wanted, state)):
            raise IllegalMove(text, self.interpreter.explainer.refuse(state, text, seat))
        texts = {plain(move.text): move.text for move in state.moves(seat)}
        near = get_close_matches(wanted, texts, n=3, cutoff=0.5)
        raise UnreadableMove(text, tuple(texts[one] for one in near))

    def meant(self, state: State, text: str, seat: int) -> list[Move]:
        """The legal moves that a text may mean; none if it means no legal move."""
        wanted = self.as_said(plain(text))
        legal = state.moves(seat)
        exact = [move for move in legal if plain(move.text) == wanted]
        if len(exact) == 1:
            return exact
        squeezed = wanted.replace(" ", "")
        forms = [(move, list(self.forms(move))) for move in legal]
        ways: tuple[Callable[[str], bool], ...] = (
            lambda form: form == wanted,
            lambda form: form.replace(" ", "") == squeezed,
            lambda form: form.startswith(wanted + ","),
        )
        for same in ways:
            found = [move for move, written in forms if any(same(form) for form in written)]
            if found:
                return found
        parsed = list(self.parse(wanted, state))
        return [move for move in legal if any(self._fits(move.steps, steps) for steps in parsed)]

    def _fits(self, steps: Sequence[Step], parsed: Sequence[Step]) -> bool:
        """Whether a move is what was parsed: with the values that were left out as they have to be."""
        return len(steps) == len(parsed) and all(
            number == one and all(
                value == given or (given is MISSING and (value is None or not choice.clause.optional))
                for value, given, choice in zip(values, some, self.actions[number].choices, strict=True))
            for (number, values), (one, some) in zip(steps, parsed, strict=True))

    def as_said(self, wanted: str) -> str:
        """A (plain) text with records and sets written as moves write them: `spades queen` for `card(spades, queen)`,
        `iris+rose` for `{iris, rose}`."""
        if "(" in wanted:
            wanted = self._without_brackets(wanted)
        if "{" in wanted:
            wanted = _BRACED.sub(lambda found: re.sub(r"\s*,\s*", "+", found[1].strip()) or "empty", wanted)
        return wanted

    def _without_brackets(self, wanted: str) -> str:
        kinds = [choice.type for rules in self.actions for choice in rules.choices]
        held = [getattr(kind, "of", kind) for kind in kinds]
        names = {re.escape(plain(kind.name)) for kind in held if isinstance(kind, Record)}
        record = re.compile(rf"\b(?:{'|'.join(sorted(names))}) ?\(([^()]*)\)")
        return record.sub(lambda found: plain(found[1].replace(",", " ")), wanted) if names else wanted

    def parse(self, wanted: str, state: State) -> Iterator[tuple[Step, ...]]:
        """What a (plain) text may mean by the types of what is chosen, legal or not. Values left out are MISSING."""
        here = state.game.phases[state.core.phase].actions
        others = [n for n in range(len(self.actions)) if n not in here]
        parts = re.split(r"\s*,\s*", self.as_said(wanted))
        for number in (*here, *others):
            rules = self.actions[number]
            for values in self._parse_step(rules, parts[0], number in here):
                if len(parts) == 1:
                    yield ((number, values),)
                    continue
                rest = [self._first_reading(here, part) for part in parts[1:]]
                if all(step is not None for step in rest):
                    yield ((number, values), *(step for step in rest if step is not None))

    def _first_reading(self, numbers: Sequence[int], text: str) -> Step | None:
        return next(((n, found) for n in numbers for found in self._parse_step(self.actions[n], text, True)), None)

    def _parse_step(self, rules: ActionRules, text: str, here: bool) -> Iterator[Values]:
        """The values that a text gives to an action's choices."""
        name = plain(rules.action.name)
        seen = set()
        bodies = []
        if text == name:
            bodies.append("")
        elif text.startswith(name + " "):
            bodies.append(text[len(name) + 1:])
        elif here and rules.choices:
            bodies.append(text)
        for body in bodies:
            for values in self._in_order(rules, 0, body):
                if values not in seen:
                    seen.add(values)
                    yield values
        if rules.action.write is not None and here:
            for found in self._by_template(rules, list(rules.action.write), text):
                values = tuple(found.get(choice.clause.name, MISSING) for choice in rules.choices)
                if values not in seen:
                    seen.add(values)
                    yield values

    def _in_order(self, rules: ActionRules, place: int, text: str) -> Iterator[Values]:
        text = text.strip()
        if place == len(rules.choices):
            if not text:
                yield ()
            return
        kind = rules.choices[place].type
        if text:
            for value, rest in beginnings(kind, text):
                if not rest or rest[0] == " ":
                    for others in self._in_order(rules, place + 1, rest):
                        yield (value, *others)
            if text == "none" or text.startswith("none "):
                for others in self._in_order(rules, place + 1, text[4:]):
                    yield (None, *others)
        for others in self._in_order(rules, place + 1, text):
            yield (MISSING, *others)

    def _by_template(self, rules: ActionRules, parts: list[Any], text: str) -> Iterator[dict[str, Any]]:
        if not parts:
            if not text.strip():
                yield {}
            return
        part, later = parts[0], parts[1:]
        if isinstance(part, str):
            word = plain(part)
            if text.lstrip().startswith(word):
                yield from self._by_template(rules, later, text.lstrip()[len(word):])
            return
        name, prefix = part[0], plain(part[1]) if isinstance(part[1], str) else ""
        kinds = {clause.name: clause.type for clause in rules.action.clauses}
        kind = kinds.get(name)
        rest = text.lstrip()
        if kind is not None and rest.startswith(prefix):
            for value, after in beginnings(kind, rest[len(prefix):].lstrip()):
                for found in self._by_template(rules, later, after):
                    yield {name: value, **found}
        for found in self._by_template(rules, later, text):
            yield found

    def complete(self, state: State, prefix: str, seat: int) -> list[str]:
        """How the texts of legal moves go on after a beginning, up to the next space or comma."""
        start = plain(prefix) + (" " if prefix.endswith(" ") and prefix.strip() else "")
        found: dict[str, None] = {}
        for move in state.moves(seat):
            for text in (move.text, _without(move.text, self.actions[move.steps[0][0]])):
                if plain(text).startswith(start) and len(plain(text)) > len(plain(start)):
                    cut = re.compile(r"[ ,]").search(text, len(start))
                    found[text if cut is None else text[:cut.start()]] = None
                    break
        return list(found)


def _template(rules: ActionRules) -> list[Part] | None:
    """The parts of an action's `write`; None if it has none."""
    if rules.action.write is None:
        return None
    chosen = {choice.clause.name: i for i, choice in enumerate(rules.choices)}
    found: list[Part] = []
    for part in rules.action.write:
        if isinstance(part, str):
            found.append((part, None, None))
            continue
        name, prefix = part[0], str(part[1]) if isinstance(part[1], str) else ""
        let = next(clause for clause in rules.action.clauses if clause.name == name)
        found.append((prefix, chosen.get(name), let))
    return found


def _earlier(rules: ActionRules) -> list[tuple[int, ...]]:
    """For each choice those before it on which it depends what it is chosen from."""
    found: list[tuple[int, ...]] = []
    lets: set[int] = set()
    for clause in rules.action.clauses:
        if clause.kind == "let":
            lets.add(clause.slot)
        if clause.kind not in ("choose", "choose_some") or clause.domain is None:
            continue
        free = rules.c.depends.of_all((clause.domain, *(clause.amount or ()))).free
        everything = free & lets
        found.append(tuple(i for i in range(len(found)) if everything or rules.slots[i] in free))
    return found


def _without(text: str, rules: ActionRules) -> str:
    """A text without its action's name."""
    name = rules.action.name
    return text[len(name) + 1:] if text.startswith(name + " ") else text


__all__ = ["MISSING", "Notation", "value_text"]
