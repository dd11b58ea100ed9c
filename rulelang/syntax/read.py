"""From a YAML tree to a document: each section read by its form, short forms written out, all faults collected."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from rulelang.source.compose import compose, is_verbatim
from rulelang.source.diagnostic import Faults, Place, did_you_mean
from rulelang.source.files import read_text
from rulelang.source.tree import Mapping, Node, Scalar, Sequence
from rulelang.syntax import forms
from rulelang.syntax.clauses import check_effects, clauses_of
from rulelang.syntax.forms import Form
from rulelang.syntax.overlay import BlockEdit, ClauseEdit, ListEdit, MapEdit, RuleEdit
from rulelang.syntax.parse import parse_block, parse_one
from rulelang.syntax.trees import Branch, Clause, DataList, Entry, Item, Leaf, Rule, Syntax

_MISSING = object()
_RANGE = re.compile(r"(\d{1,3})(?:\s*\.\.\s*(\d{1,3}))?$")
_NAME = re.compile(r"[^\W\d]\w*$")
_SIZE_SPLIT = re.compile(r"\s+x\s+|(?<=\d)x(?=\d)")
_SIZE_WORD = re.compile(r"(?P<size>.*[\w)\]])\s+(?P<word>[^\W\d]\w*)$")
_CLAUSE_EDIT = re.compile(r"(before|after)\s+(\S.*)$")


def read_document(path: Path | str) -> Branch:
    """The document in one file, its `extends` and `include` not followed; `RulesError` if it has faults."""
    faults = Faults()
    text = read_text(path)
    root = compose(text, str(path), faults)
    document = read(root, str(path), faults) if root is not None else None
    faults.raise_any()
    assert document is not None
    return document


def read(node: Mapping, file: str, faults: Faults) -> Branch:
    """The document that a file's map is; one with `extends` is read as an overlay, with edits in it."""
    overlay = any(key.text == "extends" for key, _ in node.entries)
    reader = Reader(faults, overlay)
    item = reader.read(forms.DOCUMENT, node, "this file")
    return item if isinstance(item, Branch) else Branch((), node.place)


def read_section(node: Node, section: str, faults: Faults) -> Item | None:
    """A section that stands in a file of its own."""
    return Reader(faults, False).read(forms.SECTIONS[section], node, section)


class Reader:
    """Reads nodes by forms. What is faulty is noted and left out."""

    def __init__(self, faults: Faults, overlay: bool) -> None:
        self.faults = faults
        self.overlay = overlay

    def read(self, form: Form, node: Node, key: str) -> Item | None:
        """The item that the node is by this form, or None if it is faulty."""
        match form:
            case forms.Section():
                return self._section(form, node, key)
            case forms.Named():
                return self._named(form, node, key)
            case forms.Variant():
                return self._variant(node, key)
            case forms.Sentence():
                return self._sentence(form, node, key)
            case forms.Block():
                return self._block(form, node, key)
            case forms.Clauses():
                return self._clauses(form, node, key)
            case forms.Names():
                return self._names(form, node, key)
            case forms.Listed():
                return self._listed(form, node, key)
            case forms.Choice():
                return self._choice(form, node, key)
            case forms.Players():
                return self._players(form, node, key)
            case forms.Size():
                return self._size(form, node, key)
            case forms.Data():
                return self._data(node, key)
            case forms.Start():
                return self._start(form, node, key)
            case forms.Illegal():
                return self._illegal(form, node, key)
            case forms.Number():
                return self._number(form, node, key)
            case _:
                return self._text(form, node, key)

    # ------------------------------------------------------------------ faults

    def _wrong(self, form: Form, node: Node, key: str, why: str = "") -> None:
        place = node.place
        if isinstance(node, Scalar) and not node.text and not node.style:
            self.faults.add(place, "wrong-form", f"nothing stands after `{key}:`, where {form.takes} should stand",
                            _shown(form))
            return
        what = why or {Scalar: "a text", Mapping: "a map", Sequence: "a list"}[type(node)]
        self.faults.add(place, "wrong-form", f"`{key}` takes {form.takes}; here stands {what}", _shown(form))

    def _only_in_overlays(self, node: Node, what: str) -> None:
        self.faults.add(
            node.place, "edit-outside-overlay", f"{what} edits something, and there is nothing to edit here",
            "edits stand in a variant, or in a file that begins with `extends:`",
        )

    # ------------------------------------------------------------------ scalars

    def _scalar(self, form: Form, node: Node, key: str) -> Scalar | None:
        if not isinstance(node, Scalar) or not (node.text.strip() or node.style in ('"', "'")):
            self._wrong(form, node, key)
            return None
        return node

    def _text(self, form: Form, node: Node, key: str) -> Leaf | None:
        scalar = self._scalar(form, node, key)
        return None if scalar is None else Leaf("text", _value(scalar), scalar.place)

    def _number(self, form: Form, node: Node, key: str) -> Leaf | None:
        scalar = self._scalar(form, node, key)
        if scalar is None:
            return None
        if not re.fullmatch(r"[0-9]{1,18}", scalar.text):
            self._wrong(form, node, key, f"`{_short(scalar.text)}`")
            return None
        if key == "rulelang" and int(scalar.text) != 1:
            self.faults.add(
                scalar.place, "version", f"this file is written for version {scalar.text} of the language",
                "this program reads version 1",
            )
        return Leaf("text", scalar.text, scalar.place)

    def _written_well(self, scalar: Scalar) -> bool:
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

    def _sentence(self, form: forms.Sentence, node: Node, key: str) -> Leaf | None:
        scalar = self._scalar(form, node, key)
        if scalar is None or (form.start != "template" and not self._written_well(scalar)):
            return None
        if form.start == "template" and not is_verbatim(scalar):
            self._written_well(scalar)
            return None
        syntax = parse_one(scalar, form.start, self.faults)
        return None if syntax is None else Leaf(form.start, syntax, scalar.place)

    def _block(self, form: Form, node: Node, key: str) -> Leaf | None:
        if isinstance(node, Mapping):
            return self._block_edit(form, node, key)
        statements = self._statements(form, node, key)
        if statements is None:
            return None
        check_effects(statements, self.faults)
        return Leaf("block", statements, node.place)

    def _statements(self, form: Form, node: Node, key: str) -> tuple[Syntax, ...] | None:
        scalar = self._scalar(form, node, key)
        if scalar is None or not self._written_well(scalar):
            return None
        return parse_block(scalar, self.faults)

    def _clauses(self, form: Form, node: Node, key: str) -> Rule | None:
        if isinstance(node, Mapping):
            return self._rule_edit(form, node, key)
        statements = self._statements(form, node, key)
        if statements is None:
            return None
        return Rule(clauses_of(statements, self.faults), node.place)

    def _players(self, form: Form, node: Node, key: str) -> Leaf | None:
        if isinstance(node, Sequence):
            names = self._words(form, node, key)
            return None if names is None else Leaf("players", ("names", names), node.place)
        scalar = self._scalar(form, node, key)
        if scalar is None:
            return None
        found = _RANGE.match(scalar.text)
        if not found:
            self._wrong(form, node, key, f"`{_short(scalar.text)}`")
            return None
        low, high = int(found[1]), int(found[2] or found[1])
        if not 1 <= low <= high:
            self.faults.add(scalar.place, "wrong-form", f"`{scalar.text}` is no number of players", "players: 2..4")
            return None
        return Leaf("players", ("range", low, high), scalar.place)

    def _size(self, form: Form, node: Node, key: str) -> Leaf | None:
        """`8x8`, `size x size rhombus`, `24`: the numbers are expressions."""
        scalar = self._scalar(form, node, key)
        if scalar is None or not self._written_well(scalar):
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

    # ------------------------------------------------------------------ lists

    def _words(self, form: Form, node: Sequence, key: str) -> tuple[Leaf, ...] | None:
        words: list[Leaf] = []
        for item in node.items:
            if not isinstance(item, Scalar) or not item.text.strip():
                self._wrong(form, item, key, "" if isinstance(item, Scalar) else "a map or list in it")
                return None
            words.append(Leaf("text", _value(item), item.place))
        return tuple(words)

    def _names(self, form: Form, node: Node, key: str) -> Item | None:
        if isinstance(node, Mapping) and self._is_list_edit(node):
            return self._list_edit(form, node, key)
        if not isinstance(node, Sequence):
            self._wrong(form, node, key)
            return None
        names = self._words(form, node, key)
        return None if names is None else Leaf("names", names, node.place)

    def _listed(self, form: forms.Listed, node: Node, key: str) -> Item | None:
        if isinstance(node, Mapping) and self._is_list_edit(node):
            return self._list_edit(form, node, key)
        if form.single and isinstance(node, Scalar):
            item = self.read(form.of, node, key)
            return None if item is None else DataList((item,), node.place)
        if not isinstance(node, Sequence):
            self._wrong(form, node, key)
            return None
        return DataList(self._items(form.of, node.items, key), node.place)

    def _items(self, form: Form, nodes: Iterable[Node], key: str) -> tuple[Item, ...]:
        found = [self.read(form, node, key) for node in nodes]
        return tuple([item for item in found if item is not None])

    # ------------------------------------------------------------------ maps

    def _section(self, form: forms.Section, node: Node, key: str) -> Item | None:
        if not isinstance(node, Mapping):
            if form.short and isinstance(node, Scalar) and (node.text.strip() or node.style):
                item = self.read(form.keys[form.short], node, key)
                return None if item is None else Branch(
                    (Entry(form.short, item, node.place),), node.place) if not self.overlay else MapEdit(
                    (Entry(form.short, item, node.place),), node.place)
            self._wrong(form, node, key)
            return None
        entries: list[Entry] = []
        drops: tuple[Leaf, ...] = ()
        for word, value in node.entries:
            if word.text == "drop" and self.overlay and isinstance(value, Sequence):
                drops = self._words(form, value, "drop") or ()
                continue
            inner = form.keys.get(word.text)
            if inner is None:
                self._unknown(word, value, form, node)
                continue
            item = self.read(inner, value, word.text)
            if item is not None:
                entries.append(Entry(word.text, item, word.place))
        return self._branch(entries, node.place, drops)

    def _branch(self, entries: list[Entry], place: Place, drops: tuple[Leaf, ...]) -> Branch:
        if self.overlay:
            return MapEdit(tuple(entries), place, drops)
        return Branch(tuple(entries), place)

    def _unknown(self, word: Scalar, value: Node, form: forms.Section, node: Mapping) -> None:
        place = word.place
        if isinstance(value, Scalar) and not value.text and not value.style and node.flow:
            self.faults.add(
                place, "unknown-key", f"YAML takes `{_short(word.text)}` for a key of its own",
                "inside `{…}` a `,` begins a new key: write the map in lines below instead, one `key: value` each",
            )
            return
        if word.text == "drop":
            self._only_in_overlays(word, "`drop`")
            return
        hint = did_you_mean(word.text, form.keys)
        if not hint and len(form.keys) <= 8:
            hint = "here may stand " + _listed(f"`{name}`" for name in form.keys)
        self.faults.add(place, "unknown-key", f"`{_short(word.text)}` is no key here", hint)

    def _named(self, form: forms.Named, node: Node, key: str) -> Item | None:
        if not isinstance(node, Mapping):
            self._wrong(form, node, key)
            return None
        entries: list[Entry] = []
        first: dict[str, Entry] = {}
        drops: tuple[Leaf, ...] = ()
        for word, value in node.entries:
            if word.text == "drop" and self.overlay and isinstance(value, Sequence):
                drops = self._words(form, value, "drop") or ()
                continue
            made = self._key(form, word)
            item = self.read(form.of, value, made[0] if made else word.text)
            if made is None or item is None:
                continue
            name, signature = made
            entry = Entry(name, item, word.place, signature)
            earlier = first.setdefault(name, entry)
            if earlier is not entry:
                self.faults.add(
                    word.place, "twice-named", f"`{name}` stands here for the second time", "keep one of the two",
                    [(f"the first is at {earlier.place}", earlier.place)],
                )
                continue
            entries.append(entry)
        return self._branch(entries, node.place, drops)

    def _key(self, form: forms.Named, word: Scalar) -> tuple[str, Syntax | None] | None:
        """The name that a key gives, and its parsed form; None if it is faulty."""
        if form.keys in ("decl", "sig", "data"):
            if not self._written_well(word):
                return None
            signature = parse_one(word, form.keys, self.faults)
            if signature is None:
                return None
            return (word.text if form.keys == "data" else str(signature.parts[0])), signature
        if form.keys == "section" and word.text not in forms.SECTIONS:
            self.faults.add(word.place, "unknown-key", f"`{_short(word.text)}` is no section",
                            did_you_mean(word.text, forms.SECTIONS))
            return None
        if form.keys == "name" and not _NAME.match(word.text):
            self.faults.add(word.place, "not-a-name", f"`{_short(word.text)}` is no name",
                            "a name is one word of letters, digits and `_`, and begins with a letter")
            return None
        if not word.text.strip():
            self.faults.add(word.place, "not-a-name", "a name is missing here", form.example)
            return None
        return word.text, None

    def _variant(self, node: Node, key: str) -> Item | None:
        return Reader(self.faults, True).read(forms.VARIANT, node, key)

    def _choice(self, form: forms.Choice, node: Node, key: str) -> Item | None:
        inner = form.sequence
        if isinstance(node, Scalar):
            inner = form.scalar
        elif isinstance(node, Mapping) and not (form.sequence and self._is_list_edit(node)):
            inner = form.mapping
        if inner is None:
            self._wrong(form, node, key)
            return None
        return self.read(inner, node, key)

    def _illegal(self, form: Form, node: Node, key: str) -> Item | None:
        if isinstance(node, Sequence):
            words = self._words(form, node, key)
            if words is None:
                return None
            return Branch(tuple([Entry(w.value, Leaf("text", "", w.place), w.place) for w in words]), node.place)
        if isinstance(node, Mapping):
            return self._named(forms.Named(form.takes, form.example, forms.TEXT, "text"), node, key)
        self._wrong(form, node, key)
        return None

    # ------------------------------------------------------------------ values

    def _data(self, node: Node, key: str) -> Item | None:
        if isinstance(node, Scalar):
            return self._sentence(forms.DATUM, node, key)
        if isinstance(node, Sequence):
            return DataList(self._items(forms.DATA, node.items, key), node.place)
        return self._named(forms.Named(forms.DATA.takes, forms.DATA.example, forms.DATA, "data"), node, key)

    def _start(self, form: Form, node: Node, key: str) -> Item | None:
        if isinstance(node, Scalar):
            return self._sentence(forms.Sentence(form.takes, form.example, "start"), node, key)
        if isinstance(node, Mapping):
            if any(word.text == "rows" for word, _ in node.entries):
                return self._section(forms.PICTURE, node, key)
            return self._data(node, key)
        self._wrong(form, node, key)
        return None

    # ------------------------------------------------------------------ edits

    def _is_list_edit(self, node: Mapping) -> bool:
        words = {word.text for word, _ in node.entries}
        return bool(words) and words <= {"add", "drop"}

    def _list_edit(self, form: Form, node: Mapping, key: str) -> Item | None:
        if not self.overlay:
            self._only_in_overlays(node, "`{add: …, drop: …}`")
            return None
        added: tuple[Item, ...] = ()
        drops: tuple[Leaf, ...] = ()
        for word, value in node.entries:
            if not isinstance(value, Sequence):
                self._wrong(forms.Names("a list", f"{word.text}: [a, b]"), value, word.text)
            elif word.text == "add":
                if isinstance(form, forms.Listed):
                    added = self._items(form.of, value.items, key)
                else:
                    added = self._words(form, value, key) or ()
            else:
                drops = self._words(form, value, key) or ()
        return ListEdit(added, node.place, drops)

    def _block_edit(self, form: Form, node: Mapping, key: str) -> Leaf | None:
        if not self.overlay:
            if {word.text for word, _ in node.entries} <= {"first", "then"}:
                self._only_in_overlays(node, "`{first: …, then: …}`")
            else:
                self._wrong(form, node, key)
            return None
        found: dict[str, tuple[Syntax, ...]] = {}
        for word, value in node.entries:
            if word.text not in ("first", "then"):
                self.faults.add(word.place, "unknown-key", f"`{_short(word.text)}` is no key here",
                                "a block is edited by `first: |` and `then: |`")
                continue
            statements = self._statements(form, value, word.text)
            if statements is not None:
                check_effects(statements, self.faults)
                found[word.text] = statements
        return BlockEdit("block", (), node.place, found.get("first", ()), found.get("then", ()))

    def _rule_edit(self, form: Form, node: Mapping, key: str) -> Rule | None:
        if not self.overlay:
            self._wrong(form, node, key)
            return None
        edits: list[ClauseEdit] = []
        drops: tuple[Leaf, ...] = ()
        for word, value in node.entries:
            if word.text == "drop" and isinstance(value, Sequence):
                drops = self._words(form, value, "drop") or ()
                continue
            found = _CLAUSE_EDIT.match(word.text)
            where, target = (found[1], found[2]) if found else ("instead", word.text)
            statements = self._statements(form, value, word.text)
            if statements is None:
                continue
            edits.append(ClauseEdit(where, target, self._edit_clauses(where, target, statements, value), word.place))
        return RuleEdit((), node.place, tuple(edits), drops)

    def _edit_clauses(
        self, where: str, target: str, statements: tuple[Syntax, ...], node: Node,
    ) -> tuple[Clause, ...]:
        if where == "instead" and target == "do" and not any(each.kind == "do" for each in statements):
            check_effects(statements, self.faults)
            return (Clause("do", Syntax("do", (statements,), node.place)),)
        clauses = clauses_of(statements, self.faults)
        if where != "instead" or not clauses:
            return clauses
        if len(clauses) > 1:
            second = clauses[1].statement
            self.faults.add(second.place, "wrong-form", f"`{target}` is one clause; a second one stands here",
                            f"put further clauses in `before {target}: |` or `after {target}: |`")
            return clauses[:1]
        own = clauses[0]
        labelled = own.statement.kind in ("require", "ensure") and own.statement.parts[0] is None
        name = target if labelled or own.statement.kind == "says" else own.name
        if name != target:
            self.faults.add(
                own.statement.place, "wrong-form", f"this clause is named `{name}`, the one it replaces `{target}`",
                "give it the same name; to have another clause, write `drop:` and `before …: |`",
            )
        return (Clause(target, own.statement),)


def _value(scalar: Scalar) -> str:
    """A text as it is meant: a block's last line end is none of it."""
    return scalar.text.rstrip("\n") if scalar.style == "|" else scalar.text


def _shown(form: Form) -> str:
    example = form.example
    if "\n" in example:
        return "such as:\n" + "\n".join(f"     {line}" for line in example.split("\n"))
    return f"such as `{example}`"


def _short(text: str) -> str:
    text = text.replace("\n", " ")
    return text if len(text) <= 40 else text[:39] + "…"


def _listed(words: Iterable[str]) -> str:
    several = list(words)
    return several[0] if len(several) == 1 else ", ".join(several[:-1]) + " or " + several[-1]
