"""From text to a YAML tree of `Scalar`, `Mapping` and `Sequence` whose places are the file's own.

Built from PyYAML's events, never by its composer: so depth is bounded while reading, anchors, aliases and tags are
seen where they stand, and the second of two equal keys is not lost. PyYAML reports one syntax error and stops; all
that we refuse ourselves is collected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from rulelang.source.diagnostic import Faults, Place
from rulelang.source.files import check_characters
from rulelang.source.mistakes import explain_yaml_error
from rulelang.source.tree import Mapping, Node, Scalar, Sequence

MAX_DEPTH = 64
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

_BLANK_LINE = re.compile(r"^[ \t]+$", re.MULTILINE)
_LEADING_TAB = re.compile(r"^ *\t", re.MULTILINE)
_MARKS = re.compile(r"(?:[&!]\S*\s+)+")
_BLOCK_HEADER = re.compile(r"[|>][+\-0-9]*")


def compose(text: str, file: str, faults: Faults) -> Mapping | None:
    """The map that the text is, or None if it cannot be read; what is refused is noted in `faults`."""
    before = len(faults.found)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    check_characters(text, file, faults)
    text = _BLANK_LINE.sub("", text)      # blanks on an empty line mean nothing, but mislead YAML in blocks
    for found in _LEADING_TAB.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        faults.add(
            Place(file, line, found.end() - found.start()), "tab",
            "a tab stands before the first character of this line", "indent with spaces, two for each level",
        )
    if len(faults.found) > before:
        return None
    return _Composer(text, file, faults).compose()


def is_verbatim(scalar: Scalar) -> bool:
    """Whether the text of a plain or quoted scalar stands in the file on one line, character by character."""
    if scalar.style == "|":
        return True
    return scalar.place.length == len(scalar.text) + (2 if scalar.style else 0) or not scalar.text


@dataclass(frozen=True, slots=True)
class _Mark:
    line: int
    column: int


class _Stop(Exception):
    """What follows cannot be read; why is noted already."""


@dataclass(slots=True)
class _Open:
    """A collection that is being read."""

    place: Place
    flow: bool
    mapping: bool
    key: Scalar | None = None
    entries: list[tuple[Scalar, Node]] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    first_of: dict[str, Place] = field(default_factory=dict)
    skip_value: bool = False      # the key was refused: read its value, keep nothing


class _Composer:
    def __init__(self, text: str, file: str, faults: Faults) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.file = file
        self.faults = faults
        self.previous_end = 0
        self.aliases = False

    def compose(self) -> Mapping | None:
        before = len(self.faults.found)
        try:
            root = self._read(self._events())
        except _Stop:
            return None
        except yaml.MarkedYAMLError as error:
            explain_yaml_error(error, self.lines, self.file, self.faults)
            return None
        except (yaml.YAMLError, RecursionError):
            self.faults.add(Place(self.file, 1, 1), "yaml", "this file cannot be read as YAML")
            return None
        if self.aliases:
            return None      # what they stand for is not known
        if root is None:
            if len(self.faults.found) == before:
                self._fault(
                    Place(self.file, 1, 1), "empty-file", "this file holds nothing",
                    "a rules file begins with `rulelang: 1`",
                )
            return None
        if not isinstance(root, Mapping):
            self._fault(
                root.place, "wrong-form", "a rules file is a map of sections",
                "write a section's name and a colon, as in `players: 2`",
            )
            return None
        return root

    def _events(self) -> Iterator[Any]:
        return yaml.parse(self.text, Loader=_LOADER)

    def _fault(self, place: Place, code: str, message: str, hint: str = "") -> None:
        self.faults.add(place, code, message, hint)

    def _place(self, mark: Any, length: int = 1) -> Place:
        return Place(self.file, mark.line + 1, mark.column + 1, length)

    # ------------------------------------------------------------------ the events

    def _read(self, events: Iterator[Any]) -> Node | None:
        root: Node | None = None
        stack: list[_Open] = []
        documents = 0
        for event in events:
            done: Node | None = None
            if isinstance(event, yaml.ScalarEvent):
                self._check_marks(event)
                done = self._scalar(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                self._check_marks(event)
                self._check_explicit_key(event, stack)
                if len(stack) >= MAX_DEPTH:
                    self._fault(
                        self._place(event.start_mark), "too-deep",
                        f"more than {MAX_DEPTH} levels lie in each other here",
                    )
                    raise _Stop
                mapping = isinstance(event, yaml.MappingStartEvent)
                stack.append(_Open(self._place(event.start_mark), bool(event.flow_style), mapping))
            elif isinstance(event, yaml.CollectionEndEvent):
                top = stack.pop()
                if top.mapping:
                    done = Mapping(tuple(top.entries), top.place, top.flow)
                else:
                    done = Sequence(tuple(top.items), top.place, top.flow)
            elif isinstance(event, yaml.AliasEvent):
                place = self._place(event.start_mark, len(event.anchor or "") + 1)
                self._fault(
                    place, "alias", f"`*{event.anchor}` refers to an anchor; rules files have none",
                    "write the value out, or put a sentence that begins with `*` in a `|` block",
                )
                done = Scalar("", place, "", place.line, place.column)
                self.aliases = True
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._fault(
                        self._place(event.start_mark, 3), "second-document", "a second document begins here",
                        "a rules file is one document: take out the `---`",
                    )
                    raise _Stop
                if event.version or event.tags:
                    self._fault(
                        self._place(event.start_mark), "directive", "rules files have no `%` directives", "take it out",
                    )
            if done is not None:
                if stack:
                    self._put(stack[-1], done, event)
                else:
                    root = done
                self.previous_end = event.end_mark.index
        return root

    def _put(self, top: _Open, node: Node, event: Any) -> None:
        if not top.mapping:
            top.items.append(node)
            return
        if top.key is None:
            self._put_key(top, node, event)
            return
        if not top.skip_value:
            top.entries.append((top.key, node))
        top.key, top.skip_value = None, False

    def _put_key(self, top: _Open, node: Node, event: Any) -> None:
        if not isinstance(node, Scalar):
            self._fault(
                node.place, "complex-key", "a list or a map cannot be a key",
                "a key is a word; a sentence that begins with `[` or `{` belongs in quotes or a `|` block",
            )
            top.key, top.skip_value = Scalar("", node.place, "", node.place.line, node.place.column), True
            return
        self._check_explicit_key(event, None)
        top.key = node
        if node.text == "<<" and not node.style:
            self._fault(
                node.place, "merge-key", "`<<` is not used in rules files", "a variant or `extends:` says what differs",
            )
            top.skip_value = True
        elif node.text in top.first_of:
            first = top.first_of[node.text]
            self.faults.add(
                node.place, "second-key", f"`{node.text}` stands here for the second time",
                "keep one of the two",
                [(f"the first is at {first}", first)],
            )
            top.skip_value = True
        else:
            top.first_of[node.text] = node.place

    # ------------------------------------------------------------------ what is refused

    def _check_marks(self, event: Any) -> None:
        if event.anchor is not None:
            self._fault(
                self._place(event.start_mark, len(event.anchor) + 1), "anchor",
                f"`&{event.anchor}` is an anchor; rules files have none",
                "write the value out where it is used, or put a sentence that begins with `&` in a `|` block",
            )
        if event.tag is not None:
            self._fault(
                self._place(event.start_mark), "tag", "a `!` tag stands here; rules files have none",
                "take it out, or put a sentence that begins with `!` in a `|` block",
            )

    def _check_explicit_key(self, event: Any, stack: list[_Open] | None) -> None:
        """Refuse `? key`; for a collection only where a key is awaited."""
        if stack is not None and not (stack and stack[-1].mapping and stack[-1].key is None):
            return
        before = self.text[self.previous_end : event.start_mark.index]
        found = before.rstrip()
        if found.endswith("?") and (len(found) == 1 or found[-2] in " \n{,[-"):
            at = self.previous_end + len(found) - 1
            line = self.text.count("\n", 0, at) + 1
            column = at - self.text.rfind("\n", 0, at)
            self._fault(
                Place(self.file, line, column), "complex-key", "`? ` makes a key of several lines",
                "write `key: value`",
            )

    # ------------------------------------------------------------------ scalars

    def _scalar(self, event: Any) -> Scalar:
        style = event.style or ""
        start, end = event.start_mark, event.end_mark
        if event.anchor is not None or event.tag is not None:
            start = self._behind_marks(start)
        if style in "|>" and style:
            return self._block(event, style, start)
        one_line = start.line == end.line
        if one_line:
            length = max(1, end.column - start.column)
        elif style:
            length = 1
        else:
            length = max(1, len(self.lines[start.line].rstrip()) - start.column)
        place = self._place(start, length)
        shift = 1 if style else 0
        return Scalar(event.value, place, style, place.line, place.column + shift)

    def _behind_marks(self, mark: Any) -> _Mark:
        """Where the text begins behind anchors and tags."""
        found = _MARKS.match(self.lines[mark.line], mark.column)
        return _Mark(mark.line, found.end() if found else mark.column)

    def _block(self, event: Any, style: str, start: Any) -> Scalar:
        header = _BLOCK_HEADER.match(self.lines[start.line], start.column)
        shown = header.group() if header else style
        place = self._place(start, len(shown))
        if style == ">":
            self._fault(
                place, "folded", "a `>` text loses its line ends, and with them the places in it", "write `|` instead",
            )
        elif any(character.isdigit() for character in shown):
            self._fault(
                place, "block-indent", f"`{shown}` says how far the block is indented",
                "write `|`: the first line shows it",
            )
        indent = 0
        for line in self.lines[start.line + 1 :]:
            if line.strip():
                indent = len(line) - len(line.lstrip(" "))
                break
        if not event.value.strip():
            indent = 0
        return Scalar(event.value, place, "|", place.line + 1, indent + 1)
