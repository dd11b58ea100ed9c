"""How the examples of a rules file come about: the game they are of, what is given, the chance, the moves.

An example may go on `from` another: then it is a game of the same players, variants and options, and begins where the
other one ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rulelang.engine import Coverage, Interpreter, PlayError, State
from rulelang.loading import Ruleset, load
from rulelang.model.ir import E, S
from rulelang.source.diagnostic import Place, RulelangError, RulesError, did_you_mean
from rulelang.syntax.trees import Branch, DataList, Item, Leaf, Syntax


class ExampleParts(Protocol):
    """The checked sentences of an example."""

    @property
    def given(self) -> tuple[S, ...]:
        """Statements that bring the position about."""
        ...

    @property
    def then(self) -> E | None:
        """What must be true at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Form:
    """An example as it is written."""

    title: str
    branch: Branch
    place: Place

    def text(self, name: str) -> str:
        """A single text, empty if it is not there."""
        item = self.branch.get(name)
        return str(item.value) if isinstance(item, Leaf) else ""

    def listed(self, name: str) -> list[tuple[str, Place]]:
        """A list of texts with their places."""
        item = self.branch.get(name)
        if isinstance(item, DataList):
            return [(str(leaf.value), leaf.place) for leaf in item.items if isinstance(leaf, Leaf)]
        if isinstance(item, Leaf) and item.kind == "names":
            return [(str(leaf.value), leaf.place) for leaf in item.value]
        return []

    def mapped(self, name: str) -> list[tuple[str, Item, Place]]:
        """A map's entries with the places of their keys."""
        item = self.branch.get(name)
        return [(entry.name, entry.item, entry.place) for entry in item] if isinstance(item, Branch) else []


class ExampleError(RulelangError):
    """An example cannot be played as it is written; `place` is where."""

    def __init__(self, message: str, place: Place, cause: RulelangError | None = None) -> None:
        self.place, self.cause = place, cause
        super().__init__(message)


class Examples:
    """The examples of a rules file; games that several of them are of are loaded once. With `coverage` it is counted
    which parts of the rules they use."""

    def __init__(self, rules: Ruleset, coverage: Coverage | None = None) -> None:
        self.rules = rules
        self.coverage = coverage
        # Those of a file that is extended speak of its own game and not of this one: the model leaves them out.
        self.forms = {one.title: Form(one.title, one.form, one.place) for one in rules.model().examples}
        self._games: dict[tuple[Any, ...], Ruleset] = {}
        self._interpreters: dict[tuple[int, int], Interpreter] = {}

    def form(self, title: str) -> Form:
        """The example of that title."""
        if title not in self.forms:
            place = Place(str(self.rules.path), 1, 1, 0)
            raise ExampleError(f"there is no example `{title}`; {did_you_mean(title, self.forms)}".rstrip("; "), place)
        return self.forms[title]

    def chain(self, title: str) -> list[Form]:
        """The examples that lead to one, the first of them first."""
        found: list[Form] = []
        while title:
            form = self.form(title)
            if form in found:
                message = f"the examples `{form.title}` and `{found[0].title}` begin from each other"
                raise ExampleError(message, form.place)
            found.insert(0, form)
            title = form.text("from")
        return found

    def game(self, title: str) -> tuple[Ruleset, int]:
        """The game that an example is of, and how many play: what it says itself, else what it begins from says."""
        chain = self.chain(title)
        variants: tuple[str, ...] = self.rules.chosen
        options: dict[str, str] = {}
        players = ""
        for form in chain:
            named = tuple(name for name, _ in form.listed("variant"))
            variants = named or variants
            options |= {name: str(item.value) for name, item, _ in form.mapped("set") if isinstance(item, Leaf)}
            players = form.text("players") or players
        rules = self._load(variants, options, _said(chain, "variant", "set"))
        counts = rules.player_counts
        if players and int(players) not in counts:
            raise ExampleError(f"this game is not for {players} players", _said(chain, "players"))
        return rules, int(players) if players else rules.players_or_default()

    def _load(self, variants: tuple[str, ...], options: Mapping[str, str], place: Place) -> Ruleset:
        if variants == self.rules.chosen and not options:
            return self.rules
        key = (variants, tuple(sorted(options.items())))
        if key not in self._games:
            try:
                self._games[key] = load(self.rules.path, variants=variants, options=options)
            except RulesError as error:
                message = f"its game cannot be had: {error.diagnostics[0].message}"
                raise ExampleError(message, place, error) from error
        return self._games[key]

    def interpreter(self, rules: Ruleset, players: int) -> Interpreter:
        """The interpreter of a game of these examples."""
        if self.coverage is None:
            found: Interpreter = rules.interpreter(players)
            return found
        key = (id(rules), players)
        if key not in self._interpreters:
            self._interpreters[key] = Interpreter(rules.machine(players), self.coverage)
        return self._interpreters[key]

    def parts(self, title: str) -> ExampleParts:
        """The checked sentences of an example, as its own game reads them."""
        rules, players = self.game(title)
        for example in rules.model(players).examples:
            if example.title == title:
                if example.elsewhere:
                    raise ExampleError("its sentences do not fit the game that it is of", example.place)
                return example
        raise ExampleError(f"there is no example `{title}` in its own game", self.form(title).place)

    def position(self, title: str, *, ask_chance: bool = False) -> State:
        """Where an example ends. `ExampleError` if a move of it is refused."""
        state: State | None = None
        for form in self.chain(title):
            state = self._play(form, title, state)
        assert state is not None
        return state.going_on(ask_chance=True) if ask_chance else state

    def _play(self, form: Form, last: str, before: State | None) -> State:
        given = self.parts(form.title).given
        chance = {name: tuple(_values(item)) for name, item, _ in form.mapped("chance")}
        place = form.branch.entry("chance")
        try:
            if before is None:
                rules, players = self.game(last)
                seed = int(form.text("seed") or 0)
                state = self.interpreter(rules, players).start(seed=seed, chance=chance, given=given)
            else:
                if given:
                    before = before.copy()
                    let_models_answer(before)
                state = before.going_on(chance, given)
        except RulesError:
            raise
        except RulelangError as error:
            raise ExampleError(f"its position cannot be had: {error}", (place or form).place, error) from error
        for text, where in form.listed("play"):
            _make(state, text, where)
        return state


def _said(chain: list[Form], *keys: str) -> Place:
    """Where the last of some examples that says something under one of the keys does so; else its title."""
    for form in reversed(chain):
        for key in keys:
            item = form.branch.get(key)
            if item is not None:
                return item.place
    return chain[-1].place


def let_models_answer(state: State) -> None:
    """Where an example does not say what the table answers, the model does that the question names."""
    while state.question is not None and state.question.model is not None:
        state.answer_by_model()


def _make(state: State, text: str, where: Place) -> None:
    """A move of an example, or the answer to a question."""
    try:
        if text not in ("yes", "no"):
            let_models_answer(state)
        if state.question is not None:
            if text not in ("yes", "no"):
                raise PlayError(f"a question waits (`{state.question.text}`), answer yes or no")
            state.answer(text == "yes")
        elif text == "clock out":
            state.clock_out(state.to_act[0])
        elif state.over:
            raise PlayError("the game is over already")
        else:
            state.play(text, state.to_act[0])  # of several who choose together the first who has not
        state.check_invariants()
    except RulelangError as error:
        raise ExampleError(f"the move `{text}` cannot be played: {error}", where, error) from error


def _values(item: Item) -> Iterator[Any]:
    """The values that chance is told to give."""
    for leaf in item.items if isinstance(item, DataList) else (item,):
        if isinstance(leaf, Leaf):
            yield written(leaf.value)


def written(value: Any) -> Any:
    """A value's tree as the text that the engine reads."""
    if not isinstance(value, Syntax):
        return str(value)
    if value.kind in ("int", "name"):
        return str(value.parts[0])
    if value.kind == "player":
        return f"player {value.parts[0]}"
    if value.kind == "call":
        return f"{value.parts[0]}({', '.join(written(part) for part in value.parts[1])})"
    if value.kind == "negate":
        return f"-{written(value.parts[0])}"
    if value.kind == "set_of":
        return "{" + ", ".join(written(part) for part in value.parts[0]) + "}"
    return value.kind
