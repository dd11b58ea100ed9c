"""Every rules file tells a player why a move is refused."""

from __future__ import annotations

import pytest
from lockstep import RULES

from rulelang.loading import load
from rulelang.model.types import SetOf, size_of

FILES = sorted(path.stem for path in RULES.glob("*.rules"))


@pytest.mark.parametrize("name", FILES)
def test_every_refusal_has_a_sentence(name: str) -> None:
    """What is required, and what is chosen out of less than all there are, says what is wrong if it is not so."""
    game = load(RULES / f"{name}.rules").model()
    silent = []
    for action in game.actions:
        for clause in action.clauses:
            of_all = clause.where is None and clause.domain is not None and clause.domain.op == "const" \
                and isinstance(clause.domain.type, SetOf) \
                and int(clause.domain.data).bit_count() == size_of(clause.domain.type.of)
            asks = clause.kind in ("require", "ensure") or (clause.kind in ("choose", "choose_some") and not of_all)
            if asks and clause.sentence is None:
                silent.append(f"{clause.place}: {action.name}, {clause.name}")
    assert not silent, "\n".join(silent)
