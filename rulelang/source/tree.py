"""The YAML tree: scalars, maps and lists, each with its place. No meaning yet."""

from __future__ import annotations

from dataclasses import dataclass

from rulelang.source.diagnostic import Place


@dataclass(frozen=True, slots=True)
class Scalar:
    """A piece of text. `style` is '' (plain), '"', "'" or '|'.

    `place` is where the scalar starts in the file (its opening quote or its `|`). `line`, `column` are where the
    first character of `text` stands: for a block, the line below the `|` and the indentation that YAML removed
    plus 1; so character k of line n of `text` stands at (line + n, column + k) for a block, and at
    (line, column + k) for one-line text.
    """

    text: str
    place: Place
    style: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Mapping:
    """A map; keys are scalars and no key comes twice. `flow` is true for `{…}`."""

    entries: tuple[tuple[Scalar, Node], ...]
    place: Place
    flow: bool


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list. `flow` is true for `[…]`."""

    items: tuple[Node, ...]
    place: Place
    flow: bool


Node = Scalar | Mapping | Sequence
