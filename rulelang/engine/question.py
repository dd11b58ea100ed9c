"""A question that only the table, or a registered model, can answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Question:
    """`text` is asked of the table; `model` names who may answer instead, and `arguments` are what it is told."""

    text: str
    model: str | None
    name: str
    arguments: tuple[Any, ...] = ()
