"""`rulelang fmt`: one style for rules files. Comments stay, meaning stays.

Each stage proposes changes; they are taken only if the file, read again, says the same as before and holds the same
signs. A stage of small changes that fails is halved until the change at fault is found, and that line is left.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import Any

from rulelang.source.compose import compose
from rulelang.source.diagnostic import Faults, RulesError
from rulelang.source.tree import Mapping, Node, Scalar, Sequence
from rulelang.syntax import forms
from rulelang.syntax.format_lines import align, blank_lines, indent
from rulelang.syntax.format_sentence import format_block, format_sentence
from rulelang.syntax.read import Reader
from rulelang.syntax.trees import Leaf, Syntax

_PASSES = 5

# a stretch of a line (from 0) and what is to stand there
Edit = tuple[int, int, int, str]


def format_text(text: str, file: str) -> str:
    """The text in the one style; `RulesError` if it has faults. Formatting twice changes nothing more."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    wanted = _meaning(text, file)
    text = _kept(text, blank_lines(text), file, wanted)
    for _ in range(_PASSES):
        before = text
        text = _edited(text, _sentence_edits(text, file) + _flow_edits(text, file), file, wanted)
        text = _kept(text, _blocks(text, file), file, wanted)
        for stage in (indent, align, blank_lines):
            text = _kept(text, stage(text), file, wanted)
        if text == before:
            break
    return text


# ---------------------------------------------------------------------- the same meaning


class _Recorder(Reader):
    """A reader that remembers which scalars are sentences, and of which kind."""

    def __init__(self, faults: Faults, overlay: bool) -> None:
        super().__init__(faults, overlay)
        self.written: list[tuple[Scalar, str]] = []

    def parsed(self, scalar: Scalar, start: str) -> Syntax | None:
        """As in the reader, and remembered."""
        self.written.append((scalar, start))
        return super().parsed(scalar, start)

    def parsed_block(self, scalar: Scalar) -> tuple[Syntax, ...] | None:
        """As in the reader, and remembered."""
        self.written.append((scalar, "block"))
        return super().parsed_block(scalar)


def _read(text: str, file: str) -> tuple[Mapping, _Recorder, Any]:
    faults = Faults()
    root = compose(text, file, faults)
    faults.raise_any()
    assert root is not None
    overlay = any(key.text == "extends" for key, _ in root.entries)
    recorder = _Recorder(faults, overlay)
    document = recorder.read(_form(root), root, file)
    faults.raise_any()
    return root, recorder, document


def _form(root: Mapping) -> forms.Form:
    """The form of a whole file; or of the section that stands in it alone, for `include:`."""
    keys = {key.text for key, _ in root.entries}
    if not keys <= forms.SECTIONS.keys():
        for form in forms.SECTIONS.values():
            if isinstance(form, forms.Section) and keys <= form.keys.keys():
                return form
    return forms.DOCUMENT


def _meaning(text: str, file: str) -> Any:
    return without_places(_read(text, file)[2])


def without_places(thing: Any) -> Any:
    """A tree as plain tuples, its places left out: two are equal if they say the same."""
    if isinstance(thing, tuple):
        return tuple([without_places(each) for each in thing])
    if isinstance(thing, Leaf) and thing.kind == "text" and isinstance(thing.value, str):
        return ("text", thing.value)
    if is_dataclass(thing) and not isinstance(thing, type):
        return (type(thing).__name__, *(without_places(getattr(thing, each.name)) for each in fields(thing)
                                        if each.name != "place"))
    return thing


def _signs(text: str) -> str:
    """All of a text but blanks and round brackets: no stage changes these."""
    return re.sub(r"[\s()]+", "", text)


def _kept(old: str, new: str, file: str, wanted: Any) -> str:
    """The new text if it says the same as the old, else the old."""
    if new == old or _signs(new) != _signs(old):
        return old
    try:
        return new if _meaning(new, file) == wanted else old
    except RulesError:
        return old


def _edited(text: str, edits: list[Edit], file: str, wanted: Any) -> str:
    """The text with all edits that leave its meaning alone."""
    done = _kept(text, _apply(text, edits), file, wanted)
    if done != text or len(edits) < 2:
        return done
    half = len(edits) // 2
    edits = sorted(edits)
    # the later lines first: edits change columns of their own line only, so lines must not be torn apart
    while half < len(edits) and edits[half][0] == edits[half - 1][0]:
        half += 1
    if half == len(edits):
        return text
    text = _edited(text, edits[half:], file, wanted)
    return _edited(text, edits[:half], file, wanted)


def _apply(text: str, edits: list[Edit]) -> str:
    lines = text.split("\n")
    for line, begin, end, new in sorted(edits, reverse=True):
        row = lines[line]
        lines[line] = _with_comment(row[:begin] + new + row[end:], row)
    return "\n".join(lines)


def _with_comment(new: str, old: str) -> str:
    """Keep a comment behind the code in its column, if there is room for it."""
    column = old.find(" #")
    tail = old[column:] if column >= 0 else ""
    if not tail or not new.endswith(tail) or len(new) == len(old):
        return new
    code = new[: len(new) - len(tail)].rstrip()
    return code + " " * max(2 if len(code) + 1 > column else 1, column + 1 - len(code)) + tail[1:]


# ---------------------------------------------------------------------- sentences and flow collections


def _one_line(scalar: Scalar) -> bool:
    return scalar.style != "|" and "\n" not in scalar.text


def _sentence_edits(text: str, file: str) -> list[Edit]:
    _, recorder, _ = _read(text, file)
    edits: list[Edit] = []
    seen: set[tuple[int, int]] = set()
    for scalar, start in recorder.written:
        where = (scalar.line, scalar.column)
        if not _one_line(scalar) or where in seen or start == "template":
            continue
        seen.add(where)
        new = format_block(scalar.text).strip() if start == "block" else format_sentence(start, scalar.text)
        if new != scalar.text and "\n" not in new:
            edits.append((scalar.line - 1, scalar.column - 1, scalar.column - 1 + len(scalar.text), new))
    return edits


def _flow_edits(text: str, file: str) -> list[Edit]:
    """The blanks between the pieces of a `{…}` or `[…]` on one line."""
    root, _, _ = _read(text, file)
    lines = text.split("\n")
    edits: list[Edit] = []
    for node in _flows(root):
        pieces = sorted(_pieces(node), key=lambda piece: (piece.place.line, piece.place.column))
        at_line, at = node.place.line, node.place.column - 1
        for piece in pieces:
            begin = piece.place.column - 1
            if piece.place.line == at_line:
                edits.extend(_gap(lines[at_line - 1], at_line - 1, at, begin))
            at_line, at = piece.place.line, begin + _length(piece)
        row = lines[at_line - 1]
        closing = re.compile(r"[\s\]},]*[\]}]").match(row, at)
        if closing:
            edits.extend(_gap(row, at_line - 1, at, closing.end()))
    return edits


def _length(scalar: Scalar) -> int:
    return scalar.place.length if scalar.text or scalar.style else 0


def _gap(row: str, line: int, begin: int, end: int) -> list[Edit]:
    old = row[begin:end]
    if set(old) - set(" ,:[]{}"):
        return []
    new = re.sub(r" *([\[\]{}]) *", r"\1", old)
    new = re.sub(r" *, *", ", ", new)
    new = re.sub(r" *: *", ": ", new)
    return [(line, begin, end, new)] if new != old else []


def _flows(node: Node) -> list[Node]:
    """The outermost flow collections."""
    if isinstance(node, Scalar):
        return []
    if node.flow:
        return [node]
    inner = [value for _, value in node.entries] if isinstance(node, Mapping) else list(node.items)
    return [flow for each in inner for flow in _flows(each)]


def _pieces(node: Node) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Sequence):
        return [piece for item in node.items for piece in _pieces(item)]
    return [piece for key, value in node.entries for piece in (key, *_pieces(value))]


# ---------------------------------------------------------------------- blocks


def _blocks(text: str, file: str) -> str:
    """Each `|` block of sentences in the one style, at the indentation it has."""
    _, recorder, _ = _read(text, file)
    lines = text.split("\n")
    for scalar, start in recorder.written:
        if scalar.style != "|":
            continue
        body = scalar.text.rstrip("\n")
        new = format_block(body).rstrip("\n") if start == "block" else format_sentence(start, body)
        old_lines, new_lines = body.split("\n"), new.split("\n")
        if len(old_lines) != len(new_lines):
            continue
        margin = " " * (scalar.column - 1)
        for number, (old, fresh) in enumerate(zip(old_lines, new_lines, strict=True)):
            at = scalar.line - 1 + number
            if lines[at].strip() == old.strip():
                lines[at] = _with_comment(margin + fresh.rstrip() if fresh.strip() else "", lines[at])
    return "\n".join(lines)

