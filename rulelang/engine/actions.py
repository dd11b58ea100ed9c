"""The actions of a game: which choices are legal, and what a chosen one binds before its effects run.

An action's clauses become closures that call one another: a choice sets its local to each value in turn and calls the
next clause, so that what is refused early costs nothing later. Effects with an `ensure` after them are tried on a
copy. `found` is the list to fill, or None when only it is asked whether there is any legal choice at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from rulelang.engine.compiler import Compiler
from rulelang.engine.core import Core, Fn
from rulelang.engine.effects import Act, Effects
from rulelang.engine.ops_collections import walk
from rulelang.engine.values import values_in
from rulelang.model.game import Action, Clause
from rulelang.model.ir import TRUE, E
from rulelang.model.types import BagOf, SetOf, Type, bits

Values = tuple[Any, ...]
Found = list[Values] | None
Try = Callable[[Core, Found], Any]
_MOST_REMEMBERED = 12          # members of a bag whose parts are remembered: beyond that there are too many


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of an action, as the engine asks it. `domain` are the values before `where`, `amounts` how many may be
    taken of a bag."""

    clause: Clause
    slot: int
    type: Type
    domain: Callable[[Core], Any]
    where: Fn
    amounts: tuple[Fn, Fn] | None

    def options(self, rt: Core) -> list[Any]:
        """The values that it is chosen from, before `where`."""
        if self.amounts is not None:
            low, high = (f(rt) for f in self.amounts)
            return list(parts_of(self.type, self.domain(rt), low, high))
        found = list(dict.fromkeys(self.domain(rt)))
        if self.clause.optional:
            found.append(None)
        return found


class ActionRules:
    """One action, compiled."""

    def __init__(self, effects: Effects, action: Action) -> None:
        self.action = action
        self.effects = effects
        self.c: Compiler = effects.c
        self.choices: list[Choice] = [self._choice(clause) for clause in action.clauses
                                      if clause.kind in ("choose", "choose_some")]
        self.slots = [choice.slot for choice in self.choices]
        chancy = any(clause.kind == "do" and self.c.depends.chancy(clause.effects) for clause in action.clauses)
        self.do: Act | None = None
        if not chancy:
            does = [effects.block(clause.effects) for clause in action.clauses if clause.kind == "do"]
            self.do = does[0] if does else _nothing
        self.binders: list[tuple[str, int, Fn | None]] = []
        for clause in action.clauses:
            if clause.kind in ("choose", "choose_some"):
                self.binders.append(("choose", clause.slot, None))
            elif clause.kind == "let":
                assert clause.value is not None
                self.binders.append(("let", clause.slot, self.c.fn(clause.value)))
        self.attempt: Try = self._clauses()

    def legal(self, rt: Core) -> list[Values]:
        """The values of all legal choices for the seat `me`, in order."""
        found: list[Values] = []
        self.attempt(rt, found)
        return found

    def any_legal(self, rt: Core) -> bool:
        """Whether there is a legal choice."""
        return bool(self.attempt(rt, None))

    def bind(self, rt: Core, values: Values) -> None:
        """Set the locals of chosen values, and of the `let`s that follow from them."""
        i = 0
        for kind, slot, value in self.binders:
            if kind == "choose":
                rt.s[slot] = values[i]
                i += 1
            else:
                assert value is not None
                rt.s[slot] = value(rt)

    def _choice(self, clause: Clause) -> Choice:
        assert clause.domain is not None and clause.type is not None
        where = self.c.fn(clause.where or TRUE)
        held = self.c.fn(clause.domain)
        if clause.kind == "choose_some":
            assert clause.amount is not None
            amounts = self.c.fn(clause.amount[0]), self.c.fn(clause.amount[1])
            return Choice(clause, clause.slot, clause.domain.type, held, where, amounts)
        values = values_in(clause.domain.type)
        return Choice(clause, clause.slot, clause.type, lambda rt: values(held(rt)), where, None)

    def _clauses(self) -> Try:
        """The closures of all clauses, the last made first."""
        then = self._end()
        for clause in reversed(self.action.clauses):
            if clause.kind in ("choose", "choose_some"):
                then = self._counted_choice(clause, then)
            elif clause.kind == "let":
                then = self._let(clause, then)
            elif clause.kind == "require":
                then = self._require(clause, then)
        return then

    def _end(self) -> Try:
        slots = self.slots
        take: Callable[[Core, list[Values]], None]
        if len(slots) == 1:
            only = slots[0]

            def take(rt: Core, found: list[Values]) -> None:
                found.append((rt.s[only],))
        elif len(slots) == 2:
            one, two = slots

            def take(rt: Core, found: list[Values]) -> None:
                found.append((rt.s[one], rt.s[two]))
        else:
            def take(rt: Core, found: list[Values]) -> None:
                s = rt.s
                found.append(tuple([s[slot] for slot in slots]))

        ensures = [self._ensured(clause) for clause in self.action.clauses if clause.kind == "ensure"]
        do = self.do
        if not ensures or do is None:
            def end(rt: Core, found: Found) -> Any:
                if found is None:
                    return True
                take(rt, found)
                return None

            return end

        def end_after(rt: Core, found: Found) -> Any:
            after = rt.copy()
            after.quiet = True
            do(after)
            for ensured in ensures:
                if not ensured(after):
                    return None
            if found is None:
                return True
            take(rt, found)
            return None

        return end_after

    def _ensured(self, clause: Clause) -> Fn:
        assert clause.value is not None
        return self._counted(clause, self.c.fn(clause.value))

    def _counted(self, clause: Clause, asked: Fn) -> Fn:
        """A condition that is counted by how it came out, if coverage is wanted."""
        if self.c.coverage is None:
            return asked
        name = f"action {self.action.name}, {clause.name}"
        held = self.c.coverage.counter(clause.place, name, "held")
        failed = self.c.coverage.counter(clause.place, name, "failed")

        def counted(rt: Core) -> bool:
            if asked(rt):
                held()
                return True
            failed()
            return False

        return counted

    def _counted_choice(self, clause: Clause, then: Try) -> Try:
        if self.c.coverage is None:
            return self._choose(clause, then)
        name = f"action {self.action.name}, {clause.name}"
        held = self.c.coverage.counter(clause.place, name, "held")
        failed = self.c.coverage.counter(clause.place, name, "failed")
        came = False                                    # something was chosen, or refused

        def reached(rt: Core, found: Found) -> Any:
            nonlocal came
            came = True
            held()
            return then(rt, found)

        def refused() -> None:
            nonlocal came
            came = True
            failed()

        choose = self._choose(clause, reached, refused)

        def counted(rt: Core, found: Found) -> Any:
            nonlocal came
            outer, came = came, False
            stop = choose(rt, found)
            if not came:
                failed()                                # there was nothing to choose from
            came = outer
            return stop

        return counted

    def _choose(self, clause: Clause, then: Try, refused: Callable[[], None] | None = None) -> Try:
        """The choice of a value, each in turn. Who counts what is `refused` has each value asked for on its own."""
        assert clause.domain is not None
        slot = clause.slot
        where = clause.where or TRUE
        if refused is not None and clause.where is not None:
            then, where = self._telling(clause.where, then, refused), TRUE
        if clause.kind == "choose_some":
            choice = next(one for one in self.choices if one.clause is clause)

            def some(rt: Core, found: Found) -> Any:
                for x in choice.options(rt):
                    rt.s[slot] = x
                    if (refused is not None or choice.where(rt)) and then(rt, found):
                        return True
                return None

            return some
        values = walk(self.c, clause.domain, where, slot)
        once = not isinstance(clause.domain.type, SetOf)
        none_too = self.c.fn(where) if clause.optional else None

        def choose(rt: Core, found: Found) -> Any:
            s = rt.s
            for x in dict.fromkeys(values(rt)) if once else values(rt):
                s[slot] = x
                if then(rt, found):
                    return True
            if none_too is not None:
                s[slot] = None
                if none_too(rt):
                    return then(rt, found)
            return None

        return choose

    def _telling(self, where: E, then: Try, refused: Callable[[], None]) -> Try:
        """Goes on with a value that meets a condition, and tells of one that does not."""
        asked = self.c.fn(where)

        def telling(rt: Core, found: Found) -> Any:
            if asked(rt):
                return then(rt, found)
            refused()
            return None

        return telling

    def _let(self, clause: Clause, then: Try) -> Try:
        assert clause.value is not None
        slot, value = clause.slot, self.c.fn(clause.value)
        if clause.sentence is None:
            def let(rt: Core, found: Found) -> Any:
                rt.s[slot] = value(rt)
                return then(rt, found)

            return let

        def there(rt: Core) -> bool:
            rt.s[slot] = x = value(rt)
            return x is not None

        tested = self._counted(clause, there)

        def let_there(rt: Core, found: Found) -> Any:
            return then(rt, found) if tested(rt) else None

        return let_there

    def _require(self, clause: Clause, then: Try) -> Try:
        assert clause.value is not None
        asked = self._counted(clause, self.c.fn(clause.value))

        def require(rt: Core, found: Found) -> Any:
            return then(rt, found) if asked(rt) else None

        return require


def parts_of(kind: Type, held: Any, low: int, high: int) -> Iterator[Any]:
    """The parts of a bag or set with low to high members: smaller ones first; among equals those first that hold more
    of the first kind, then more of the second, and so on."""
    if isinstance(kind, BagOf):
        yield from _parts_of_bag(held, max(0, low), high)
        return
    for amount in range(max(0, low), high + 1):
        if isinstance(kind, SetOf):
            for chosen in combinations([1 << i for i in bits(held)], amount):
                yield sum(chosen)


def _parts_of_bag(held: tuple[int, ...], low: int, high: int) -> Iterable[tuple[int, ...]]:
    if sum(held) > _MOST_REMEMBERED:
        return (part for amount in range(low, high + 1) for part in _bags(held, amount, 0, []))
    return _parts_of_small_bag(held, low, high)


@lru_cache(maxsize=4096)
def _parts_of_small_bag(held: tuple[int, ...], low: int, high: int) -> tuple[tuple[int, ...], ...]:
    """The parts of a hand, say: the same hands come again."""
    return tuple(part for amount in range(low, high + 1) for part in _bags(held, amount, 0, []))


def _bags(held: tuple[int, ...], amount: int, kind: int, taken: list[int]) -> Iterator[tuple[int, ...]]:
    if kind == len(held):
        if amount == 0:
            yield tuple(taken)
        return
    if amount > sum(held[kind:]):
        return
    for n in range(min(amount, held[kind]), -1, -1):
        yield from _bags(held, amount - n, kind + 1, [*taken, n])


def _nothing(rt: Core) -> None:
    return None
