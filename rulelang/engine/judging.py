"""What the registered model that a question names says to it."""

from __future__ import annotations

from typing import Any

from rulelang.engine.question import Question
from rulelang.judges.question import JudgeError, JudgeQuestion, chance_of_yes
from rulelang.judges.registry import get, names
from rulelang.model.game import Game


def chance(question: Question, game: Game) -> float | None:
    """The chance of yes; None if the question names no model. `JudgeError` if the model cannot answer."""
    if question.model is None:
        return None
    return chance_of_yes(get(question.model), _asked(question, game))


def told(question: Question, game: Game) -> str:
    """The model's answer in words, to be told to people: the answer, or its chance, and what else the model has to say
    (its `describe`, if it has one). Empty if there is no model that can answer."""
    if question.model is None:
        return ""
    try:
        yes = chance(question, game)
        describe: Any = getattr(get(question.model), "describe", None)
        more = str(describe(_asked(question, game))) if describe is not None else ""
    except JudgeError:
        return ""
    assert yes is not None
    answer = "yes" if yes == 1 else "no" if yes == 0 else f"yes with a chance of {100 * yes:.0f}%"
    return f"{question.model} says {answer}" + (f": {more}" if more else "")


def installed() -> str:
    """The models that there are, in words."""
    known = names()
    return f"installed: {', '.join(known)}" if known else "no judge is installed"


def _asked(question: Question, game: Game) -> JudgeQuestion:
    return JudgeQuestion(question.arguments, game.board, game.shapes)
