"""Running the examples that stand in a rules file, and saying what is wrong with one that fails."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from rulelang.engine import AmbiguousMove, Explanation, PlayFault, State
from rulelang.loading import Ruleset
from rulelang.proving.asking import holds, why
from rulelang.proving.positions import ExampleError, Examples, Form, let_models_answer
from rulelang.source.diagnostic import Place, RulelangError
from rulelang.syntax.trees import Leaf


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that an example says and that is not so."""

    place: Place
    message: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an example."""

    title: str
    place: Place
    problems: tuple[Problem, ...]
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether all is as the example says."""
        return not self.problems


def run_example(examples: Examples, title: str) -> Outcome:
    """Play one example and compare."""
    began = time.perf_counter()
    form = examples.form(title)
    try:
        problems = tuple(_compare(examples, form))
    except ExampleError as error:
        problems = (Problem(error.place, str(error), _details(error)),)
    return Outcome(title, form.place, problems, time.perf_counter() - began)


def run_examples(rules: Ruleset) -> Iterator[Outcome]:
    """Play all examples of a rules file."""
    examples = Examples(rules)
    for title in examples.forms:
        yield run_example(examples, title)


def position_of(rules: Ruleset, title: str) -> State:
    """Where an example ends, waiting for chance to be chosen where chance comes."""
    return Examples(rules).position(title, ask_chance=True)


def _compare(examples: Examples, form: Form) -> Iterator[Problem]:
    state = examples.position(form.title)
    try:
        let_models_answer(state)
    except RulelangError as error:
        yield Problem(form.place, f"the model cannot answer what is asked: {error}")
        return
    for text, place in form.listed("legal"):
        yield from _legal(state, text, place)
    for text, item, place in form.mapped("illegal"):
        yield from _illegal(state, text, str(item.value) if isinstance(item, Leaf) else "", place)
    then = examples.parts(form.title).then
    if then is None:
        return
    entry = form.branch.entry("then")
    place = entry.place if entry is not None else form.place
    try:
        held = holds(state, then)
    except PlayFault as error:
        yield Problem(place, f"its `then` cannot be worked out: {error.diagnostic.message}", tuple(why(state, then)))
        return
    if not held:
        yield Problem(place, "its `then` does not hold", tuple(why(state, then)))


def _legal(state: State, text: str, place: Place) -> Iterator[Problem]:
    try:
        found = _explained(state, text)
    except RulelangError as error:
        yield Problem(place, f"`{text}` should be legal: {error}")
        return
    if not found.legal:
        yield Problem(place, f"`{text}` should be legal, and is refused: {found.reason}", _clauses(found))


def _illegal(state: State, text: str, by: str, place: Place) -> Iterator[Problem]:
    try:
        found = _explained(state, text)
    except AmbiguousMove as error:
        yield Problem(place, f"`{text}` should be refused: {error}")
        return
    except RulelangError as error:
        if by and not _means(by, str(error)):
            yield Problem(place, f"`{text}` should be refused by `{by}`: {error}")
        return
    if found.legal:
        yield Problem(place, f"`{text}` should be refused, and is legal", _clauses(found))
    elif not found.action:
        yield Problem(place, f"`{text}` should be refused by a rule, and is no move of this game")
    elif by and not any(_refuses(one, by) for one in (found, *found.others)):
        message = f"`{text}` should be refused by `{by}`, and is refused by another: {found.reason}"
        yield Problem(place, message, _clauses(found))


def _refuses(found: Explanation, by: str) -> bool:
    """Whether a refusal is by that clause: its name, or a part of its sentence."""
    failed = found.failed
    return (failed is not None and (failed.name == by or _means(by, failed.sentence))) or _means(by, found.reason)


def _means(words: str, sentence: str) -> bool:
    return " ".join(words.split()).casefold() in " ".join(sentence.split()).casefold()


def _explained(state: State, text: str) -> Explanation:
    return state.explain(text, state.to_act[0] if state.to_act else None)


def _clauses(found: Explanation) -> tuple[str, ...]:
    """Each clause up to the one that decides, with the values of what fails."""
    words = {True: "holds", False: "fails", None: "not asked"}
    lines = []
    for clause in found.clauses:
        lines.append(f"{words[clause.holds]:<9}  {found.action}, {clause.name}  {clause.sentence}".rstrip())
        lines += [f"           {text} is {value}" for text, value in clause.values]
    return tuple(lines)


def _details(error: ExampleError) -> tuple[str, ...]:
    explanation = getattr(error.cause, "explanation", None)
    if isinstance(explanation, Explanation):
        return _clauses(explanation)
    if isinstance(error.cause, PlayFault):
        found = error.cause.diagnostic
        return (f"{found.place}: {found.message}", *([found.hint] if found.hint else []))
    return ()
