"""The leaves of documents: texts, sentences, sizes, and the refusals that all forms share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from rulelang.source.compose import is_verbatim
from rulelang.source.diagnostic import Faults
from rulelang.source.tree import Mapping, Node, Scalar, Sequence
from rulelang.syntax import forms
from rulelang.syntax.forms import Form
from rulelang.syntax.parse import parse_block, parse_one
from rulelang.syntax.trees import Leaf, Syntax

_RANGE = re.compile(r"(\d{1,3})(?:\s*\.\.\s*(\d{1,3}))?$")
_SIZE_SPLIT = re.compile(r"\s+x\s+|(?<=\d)x(?=\d)")
_SIZE_WORD = re.compile(r"(?P<size>.*[\w)\]])\s+(?P<word>[^\W\d]\w*)$")


class ScalarReader:
    """Reads scalars by their forms. What is faulty is noted, and None stands for it."""

    def __init__(self, faults: Faults, overlay: bool) -> None:
        self.faults = faults
        self.overlay = overlay

    # ------------------------------------------------------------------ faults

    def wrong(self, form: Form, node: Node, key: str, why: str = "") -> None:
        place = node.place
        if isinstance(node, Scalar) and not node.text.strip():
            self.faults.add(place, "wrong-form", f"nothing stands after `{key}:`, where {form.takes} should stand",
                            shown(form))
            return
        what = why or {Scalar: "a text", Mapping: "a map", Sequence: "a list"}[type(node)]
        self.faults.add(place, "wrong-form", f"`{key}` takes {form.takes}; here stands {what}", shown(form))

    def only_in_overlays(self, node: Node, what: str) -> None:
        self.faults.add(
            node.place, "edit-outside-overlay", f"{what} edits something, and there is nothing to edit here",
            "edits stand in a variant, or in a file that begins with `extends:`",
        )

    # ------------------------------------------------------------------ scalars

    def scalar(self, form: Form, node: Node, key: str) -> Scalar | None:
        if not isinstance(node, Scalar) or not (node.text.strip() or node.style in ('"', "'")):
            self.wrong(form, node, key)
            return None
        return node

    def text(self, form: Form, node: Node, key: str) -> Leaf | None:
        scalar = self.scalar(form, node, key)
        return None if scalar is None else Leaf("text", value_of(scalar), scalar.place)

    def number(self, form: Form, node: Node, key: str) -> Leaf | None:
        scalar = self.scalar(form, node, key)
        if scalar is None:
            return None
        if not re.fullmatch(r"[0-9]{1,18}", scalar.text):
            self.wrong(form, node, key, f"`{short(scalar.text)}`")
            return None
        if key == "rulelang" and int(scalar.text) != 1:
            self.faults.add(
                scalar.place, "version", f"this file is written for version {scalar.text} of the language",
                "this program reads version 1",
            )
        return Leaf("text", scalar.text, scalar.place)

    def written_well(self, scalar: Scalar) -> bool:
        """A sentence must stand in the file as it is: on one line, or in a `|` block."""
        if scalar.style == "'":
            self.faults.add(scalar.place, "quotes", "a sentence stands in single quotes",
                            'use double quotes: "…", or a `|` block')
            return False
        if is_verbatim(scalar):
            return True
        if scalar.style == '"' and scalar.place.length > 1:
            self.faults.add(scalar.place, "quotes", "this sentence has a backslash in it, which means nothing here",
                            "put it in a `|` block")
        else:
            self.faults.add(scalar.place, "several-lines", "this sentence goes on over several lines",
                            "put it in a block: `|`, and the text on the lines below, indented further")
        return False

    def sentence(self, form: forms.Sentence, node: Node, key: str) -> Leaf | None:
        scalar = self.scalar(form, node, key)
        if scalar is None or (form.start != "template" and not self.written_well(scalar)):
            return None
        if form.start == "template" and not is_verbatim(scalar):
            self.written_well(scalar)
            return None
        if form.start == "template":
            scalar = replace(scalar, text=value_of(scalar))
        syntax = self.parsed(scalar, form.start)
        return None if syntax is None else Leaf(form.start, syntax, scalar.place)

    def statements(self, form: Form, node: Node, key: str) -> tuple[Syntax, ...] | None:
        scalar = self.scalar(form, node, key)
        if scalar is None:
            return None
        if scalar.style == "" and not is_verbatim(scalar):
            self.faults.add(scalar.place, "several-lines", f"`{key}:` has several lines, and no `|` before them",
                            f"write `{key}: |`, and the statements on the lines below, indented further")
            return None
        return self.parsed_block(scalar) if self.written_well(scalar) else None

    def parsed(self, scalar: Scalar, start: str) -> Syntax | None:
        """Every sentence but blocks is parsed here."""
        return parse_one(scalar, start, self.faults)

    def parsed_block(self, scalar: Scalar) -> tuple[Syntax, ...] | None:
        """Every block is parsed here."""
        return parse_block(scalar, self.faults)

    def players(self, form: Form, node: Node, key: str) -> Leaf | None:
        if isinstance(node, Sequence):
            names = self.words(form, node, key)
            return None if names is None else Leaf("players", ("names", names), node.place)
        scalar = self.scalar(form, node, key)
        if scalar is None:
            return None
        found = _RANGE.match(scalar.text)
        if not found:
            self.wrong(form, node, key, f"`{short(scalar.text)}`")
            return None
        low, high = int(found[1]), int(found[2] or found[1])
        if not 1 <= low <= high:
            self.faults.add(scalar.place, "wrong-form", f"`{scalar.text}` is no number of players", "players: 2..4")
            return None
        return Leaf("players", ("range", low, high), scalar.place)

    def size(self, form: Form, node: Node, key: str) -> Leaf | None:
        """`8x8`, `size x size rhombus`, `24`: the numbers are expressions."""
        scalar = self.scalar(form, node, key)
        if scalar is None or not self.written_well(scalar):
            return None
        text, word = scalar.text, None
        found = _SIZE_WORD.match(text)
        if found and not re.search(r"(^|\W)(x|mod|of)$", found["size"]):
            text, word = found["size"].rstrip(), found["word"]
        numbers: list[Syntax] = []
        at = 0
        for piece in _SIZE_SPLIT.split(text):
            begin = text.index(piece, at) if piece else at
            at = begin + len(piece)
            part = Scalar(piece, scalar.place, "", scalar.line, scalar.column + begin)
            number = parse_one(part, "expr", self.faults)
            if number is None:
                return None
            numbers.append(number)
        return Leaf("size", (tuple(numbers), word), scalar.place)

    def words(self, form: Form, node: Sequence, key: str) -> tuple[Leaf, ...] | None:
        words: list[Leaf] = []
        for item in node.items:
            if not isinstance(item, Scalar) or not item.text.strip():
                self.wrong(form, item, key, "" if isinstance(item, Scalar) else "a map or list in it")
                return None
            words.append(Leaf("text", value_of(item), item.place))
        return tuple(words)


def value_of(scalar: Scalar) -> str:
    """A text as it is meant: a block's last line end is none of it."""
    return scalar.text.rstrip("\n") if scalar.style == "|" else scalar.text


def shown(form: Form) -> str:
    example = form.example
    if "\n" in example:
        return "such as:\n" + "\n".join(f"     {line}" for line in example.split("\n"))
    return f"such as `{example}`"


def short(text: str) -> str:
    text = text.replace("\n", " ")
    return text if len(text) <= 40 else text[:39] + "…"


def listed(words: Iterable[str]) -> str:
    several = list(words)
    return several[0] if len(several) == 1 else ", ".join(several[:-1]) + " or " + several[-1]
