"""From a YAML tree to a document: each section read by its form, short forms written out, all faults collected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from rulelang.source.compose import compose
from rulelang.source.diagnostic import Faults, Place, nearest
from rulelang.source.files import read_text
from rulelang.source.tree import Mapping, Node, Scalar, Sequence
from rulelang.syntax import forms
from rulelang.syntax.clauses import check_effects, clauses_of
from rulelang.syntax.forms import Form
from rulelang.syntax.overlay import MapEdit
from rulelang.syntax.read_edits import block_edit, is_list_edit, list_edit, rule_edit
from rulelang.syntax.read_scalars import ScalarReader, listed, short
from rulelang.syntax.trees import Branch, DataList, Entry, Item, Leaf, Rule, Syntax
from rulelang.syntax.words import FOREIGN_KEYS

_NAME = re.compile(r"[^\W\d]\w*$")
_WORD = re.compile(r"[^\W\d]\w*")
_NO_LISTS = (forms.Section, forms.Variant, forms.Sentence, forms.Block, forms.Text)


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


class Reader(ScalarReader):
    """Reads nodes by forms. What is faulty is noted and left out."""

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
                return self.sentence(form, node, key)
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
                return self.players(form, node, key)
            case forms.Size():
                return self.size(form, node, key)
            case forms.Data():
                return self._data(node, key)
            case forms.Start():
                return self._start(form, node, key)
            case forms.Illegal():
                return self._illegal(form, node, key)
            case forms.Number():
                return self.number(form, node, key)
            case _:
                return self.text(form, node, key)

    # ------------------------------------------------------------------ blocks

    def _block(self, form: Form, node: Node, key: str) -> Leaf | None:
        if isinstance(node, Mapping):
            return block_edit(self, form, node, key)
        statements = self.statements(form, node, key)
        if statements is None:
            return None
        check_effects(statements, self.faults)
        return Leaf("block", statements, node.place)

    def _clauses(self, form: Form, node: Node, key: str) -> Rule | None:
        if isinstance(node, Mapping):
            return rule_edit(self, form, node, key)
        statements = self.statements(form, node, key)
        if statements is None:
            return None
        return Rule(clauses_of(statements, self.faults), node.place)

    # ------------------------------------------------------------------ lists

    def _names(self, form: Form, node: Node, key: str) -> Item | None:
        if isinstance(node, Mapping) and is_list_edit(node):
            return list_edit(self, form, node, key)
        if not isinstance(node, Sequence):
            self.wrong(form, node, key)
            return None
        names = self.words(form, node, key)
        return None if names is None else Leaf("names", names, node.place)

    def _listed(self, form: forms.Listed, node: Node, key: str) -> Item | None:
        if isinstance(node, Mapping) and is_list_edit(node):
            return list_edit(self, form, node, key)
        if form.single and isinstance(node, Scalar):
            item = self.read(form.of, node, key)
            return None if item is None else DataList((item,), node.place)
        if not isinstance(node, Sequence):
            self.wrong(form, node, key)
            return None
        return DataList(self.items(form.of, node.items, key), node.place)

    def items(self, form: Form, nodes: Iterable[Node], key: str) -> tuple[Item, ...]:
        """All of a list that is not faulty."""
        found = [self.read(form, node, key) for node in nodes]
        return tuple([item for item in found if item is not None])

    # ------------------------------------------------------------------ maps

    def _section(self, form: forms.Section, node: Node, key: str) -> Item | None:
        if not isinstance(node, Mapping):
            if form.short and isinstance(node, Scalar) and (node.text.strip() or node.style):
                item = self.read(form.keys[form.short], node, key)
                return None if item is None else self._branch([Entry(form.short, item, node.place)], node.place, ())
            self.wrong(form, node, key)
            return None
        entries: list[Entry] = []
        drops: tuple[Leaf, ...] = ()
        for word, value in node.entries:
            if word.text == "drop" and self.overlay and isinstance(value, Sequence):
                drops = self.words(form, value, "drop") or ()
                continue
            name = word.text
            if name not in form.keys:
                name = self._unknown(word, value, form, node) or ""
                if not name:
                    entries.append(Entry(word.text, _faulty(value), word.place))
                    continue
            told = len(self.faults.found)
            item = self.read(form.keys[name], value, name)
            if item is None and name != word.text:
                del self.faults.found[told:]      # it was not meant so
            entries.append(Entry(name, item or _faulty(value), word.place))
        return self._branch(entries, node.place, drops)

    def _branch(self, entries: list[Entry], place: Place, drops: tuple[Leaf, ...]) -> Branch:
        if self.overlay:
            return MapEdit(tuple(entries), place, drops)
        return Branch(tuple(entries), place)

    def _unknown(self, word: Scalar, value: Node, form: forms.Section, node: Mapping) -> str | None:
        """Note a key that means nothing here; the key that was meant, if there is none such yet."""
        place = word.place
        if isinstance(value, Scalar) and not value.text and not value.style and node.flow:
            self.faults.add(
                place, "unknown-key", f"`{short(word.text)}` is read as a key of its own",
                "inside `{…}` a `,` begins a new key: write the map in lines below instead, one `key: value` each",
            )
            return None
        if word.text == "drop":
            self.only_in_overlays(word, "`drop`")
            return None
        whole = form is forms.DOCUMENT or form is forms.VARIANT
        near = (FOREIGN_KEYS.get(word.text) if whole else None) or nearest(word.text, form.keys)
        hint = f"did you mean `{near}`?" if near else ""
        if not hint and len(form.keys) <= 8:
            hint = "here may stand " + listed(f"`{name}`" for name in form.keys)
        if word.text == "do" and "rule" in form.keys:
            hint = "a rule is a block: write `|` behind the action's name"
        if not hint and form is forms.VARIANT and isinstance(value, Scalar):
            hint = f"an option is set by `set: {{{short(word.text)}: {short(value.text)}}}`"
        self.faults.add(place, "unknown-key", f"`{short(word.text)}` is no key here", hint)
        return near if near not in {each.text for each, _ in node.entries} else None

    def _named(self, form: forms.Named, node: Node, key: str) -> Item | None:
        if not isinstance(node, Mapping):
            self.wrong(form, node, key)
            return None
        entries: list[Entry] = []
        first: dict[str, Entry] = {}
        drops: tuple[Leaf, ...] = ()
        for word, value in node.entries:
            if word.text == "drop" and self.overlay and isinstance(value, Sequence):
                drops = self.words(form, value, "drop") or ()
                continue
            if word.text == "drop" and isinstance(value, Sequence) and isinstance(form.of, _NO_LISTS):
                self.only_in_overlays(word, "`drop`")
                continue
            made = self._key(form, word)
            item = self.read(form.of, value, made[0] if made else word.text)
            if made is None:
                named = _NAME.match(word.text.split("[")[0].split("(")[0].strip())
                entries.append(Entry(named[0] if named else word.text, _faulty(value), word.place))
                continue
            name, signature = made
            entry = Entry(name, item or _faulty(value), word.place, signature)
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
            if not self.written_well(word):
                return None
            signature = self.parsed(word, form.keys)
            if signature is None:
                return None
            return (word.text if form.keys == "data" else str(signature.parts[0])), signature
        if form.keys == "section" and word.text not in forms.SECTIONS:
            near = nearest(word.text, forms.SECTIONS)
            self.faults.add(word.place, "unknown-key", f"`{short(word.text)}` is no section",
                            f"did you mean `{near}`?" if near else "")
            return (near, None) if near else None
        if form.keys == "name" and not _NAME.match(word.text):
            self.faults.add(word.place, "not-a-name", f"`{short(word.text)}` is no name",
                            "a name is one word of letters, digits and `_`, and begins with a letter")
            return None
        if not word.text.strip():
            self.faults.add(word.place, "not-a-name", "a name is missing here", form.example)
            return None
        return word.text, None

    def _variant(self, node: Node, key: str) -> Item | None:
        outside, self.overlay = self.overlay, True
        item = self.read(forms.VARIANT, node, key)
        self.overlay = outside
        return item

    def _choice(self, form: forms.Choice, node: Node, key: str) -> Item | None:
        inner = form.sequence
        if isinstance(node, Scalar):
            inner = form.scalar
        elif isinstance(node, Mapping) and not (form.sequence and is_list_edit(node)):
            inner = form.mapping
        if inner is None:
            self.wrong(form, node, key)
            return None
        return self.read(inner, node, key)

    def _illegal(self, form: Form, node: Node, key: str) -> Item | None:
        if isinstance(node, Sequence):
            words = self.words(form, node, key)
            if words is None:
                return None
            return Branch(tuple([Entry(w.value, Leaf("text", "", w.place), w.place) for w in words]), node.place)
        if isinstance(node, Mapping):
            return self._named(forms.Named(form.takes, form.example, forms.TEXT, "text"), node, key)
        self.wrong(form, node, key)
        return None

    # ------------------------------------------------------------------ values

    def _data(self, node: Node, key: str) -> Item | None:
        if isinstance(node, Scalar):
            return self.sentence(forms.DATUM, node, key)
        if isinstance(node, Sequence):
            return DataList(self.items(forms.DATA, node.items, key), node.place)
        return self._named(forms.Named(forms.DATA.takes, forms.DATA.example, forms.DATA, "data"), node, key)

    def _start(self, form: Form, node: Node, key: str) -> Item | None:
        if isinstance(node, Scalar):
            return self.sentence(forms.Sentence(form.takes, form.example, "start"), node, key)
        if isinstance(node, Mapping):
            if any(word.text == "rows" for word, _ in node.entries):
                return self._section(forms.PICTURE, node, key)
            return self._data(node, key)
        self.wrong(form, node, key)
        return None


def _faulty(node: Node) -> Leaf:
    """Stands for what is faulty, so that an overlay's edit of it is no further fault; no such document is given out.
    It holds the words in it, which it may have been about to declare."""
    return Leaf("faulty", tuple(_words(node)), node.place)


def _words(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield from _WORD.findall(node.text)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _words(item)
    else:
        for key, value in node.entries:
            yield from _words(key)
            yield from _words(value)
