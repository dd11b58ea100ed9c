"""All forms of sentences: the one table of expressions and the one of effects that a scope carries."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.model import atoms, calculating, chance, comparing, logic, quantors, sets, statements, targets
from rulelang.model.scope import Effect, Form

EXPRESSIONS: Mapping[str, Form] = {
    **atoms.FORMS, **logic.FORMS, **comparing.FORMS, **sets.FORMS, **calculating.FORMS, **quantors.FORMS,
}
EFFECTS: Mapping[str, Effect] = {**targets.FORMS, **chance.FORMS, **statements.FORMS}
