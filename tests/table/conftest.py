"""Tables over the small games, with records in a temporary folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rulelang.loading import load
from rulelang.table.session import Table

GAMES = Path(__file__).parent / "games"

NewTable = Callable[..., Table]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[NewTable]:
    """`sit("dice", seats=("human", "random"), seed=3, variants=(), goal="4")`."""

    def new(
        name: str, seats: tuple[str, ...] = ("human", "human"), seed: int = 1, variants: tuple[str, ...] = (),
        **options: str,
    ) -> Table:
        rules: Any = load(GAMES / f"{name}.rules", variants=variants, options=options)
        return Table.new(
            rules, players=len(seats), seed=seed, seats=seats, options=options, path=tmp_path / f"{name}.game"
        )

    yield new
