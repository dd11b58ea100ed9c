"""A rules file with all that it extends and includes, as one document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rulelang.source.compose import compose
from rulelang.source.diagnostic import Faults, Place, RulesError, nearest
from rulelang.source.files import read_text
from rulelang.source.tree import Mapping
from rulelang.syntax import memory
from rulelang.syntax.merge import merge, plain
from rulelang.syntax.partial import ANY_NAME
from rulelang.syntax.read import read, read_section
from rulelang.syntax.trees import Branch, Entry, Leaf
from rulelang.syntax.variants import check_references, check_rules, read_choices

MAX_FILES = 20
Builtin = Callable[[str], Path | None]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A document without edits but those in its variants; and the files it is made of, the named one first.

    Of a file that extends another: `below` is that one, `changes` what the file itself says, `own` are the file and
    those that it includes.
    """

    document: Branch
    files: tuple[Path, ...]
    below: Path | None = None
    changes: Branch | None = None
    own: frozenset[str] = frozenset()


def load_document(path: Path | str, builtin: Builtin) -> Loaded:
    """The document of a rules file; `builtin` finds the games that come with rulelang by name.

    `RulesError` with the faults of all files that could be read.
    """
    loaded, faults = read_all(path, builtin)
    faults.raise_any()
    assert loaded is not None
    return loaded


def read_all(path: Path | str, builtin: Builtin) -> tuple[Loaded | None, Faults]:
    """What could be read of a rules file, and the faults: what is faulty is a leaf that says so."""
    faults = Faults()
    loader = _Loader(builtin, faults)
    memory.recall(Path(path))
    document = loader.load(Path(path), ())
    if document is not None:
        read_choices(document)
    memory.keep(Path(path))
    if document is None:
        return None, faults
    check_references(document, faults)
    check_rules(document, faults)
    return Loaded(document, tuple(loader.files), loader.below, loader.changes, loader.own), faults


class _Loader:
    def __init__(self, builtin: Builtin, faults: Faults) -> None:
        self.builtin = builtin
        self.faults = faults
        self.files: list[Path] = []
        self.below: Path | None = None
        self.changes: Branch | None = None
        self.own: frozenset[str] = frozenset()

    def load(self, path: Path, above: tuple[Path, ...]) -> Branch | None:
        """One file, and below it what it extends."""
        root = self._compose(path)
        if root is None:
            return None
        own = read(root, str(path), self.faults)
        included = self._included(own, path, above)
        extends = own.get("extends")
        if not isinstance(extends, Leaf) or extends.kind != "text":
            return merge(included, own, self.faults) if included.entries else plain(own, self.faults)
        own_files = frozenset(str(file) for file in self.files)
        below = self._file(extends, path, above)
        if not above:
            self.below, self.changes, self.own = below, own, own_files
        base = self.load(below, (*above, path.resolve())) if below is not None else None
        if base is None:
            return None
        if included.entries:
            base = merge(base, included, self.faults)
        return merge(base, own, self.faults)

    def _compose(self, path: Path) -> Mapping | None:
        self.files.append(path)
        try:
            text = read_text(path)
        except RulesError as error:
            self.faults.found.extend(error.diagnostics)
            return None
        return compose(text, str(path), self.faults)

    def _included(self, own: Branch, path: Path, above: tuple[Path, ...]) -> Branch:
        """The sections that stand in files of their own."""
        entries: list[Entry] = []
        include = own.get("include")
        for entry in include if isinstance(include, Branch) else ():
            if entry.name in ("include", "extends", "rulelang"):
                self.faults.add(entry.place, "unknown-key", f"`{entry.name}` cannot be included",
                                "sections such as `board` or `tables` can")
                continue
            if not isinstance(entry.item, Leaf) or entry.item.kind != "text":
                continue
            file = self._file(entry.item, path, above)
            root = self._compose(file) if file is not None else None
            item = read_section(root, entry.name, self.faults) if root is not None else None
            entries.append(Entry(entry.name, item or Leaf("faulty", (ANY_NAME,), entry.place), entry.place))
        return Branch(tuple(entries), own.place)

    def _file(self, leaf: Leaf, path: Path, above: tuple[Path, ...]) -> Path | None:
        """The file that a text names: beside this one, or built in."""
        name, place = str(leaf.value), leaf.place
        if len(self.files) >= MAX_FILES:
            self.faults.add(place, "too-deep", f"more than {MAX_FILES} files are read for one game")
            return None
        found = self._found(name, path, place)
        if found is not None and found.resolve() in (*above, path.resolve()):
            chain = " → ".join(each.name for each in (*above, path.resolve(), found.resolve()))
            self.faults.add(place, "circle", f"this file would be part of itself: {chain}",
                            "take one of the `extends:` or `include:` out")
            return None
        return found

    def _found(self, name: str, path: Path, place: Place) -> Path | None:
        given = Path(name)
        if given.is_absolute() or (given.suffix and given.suffix != ".rules"):
            self.faults.add(place, "unreadable", f"`{name}` is no rules file that can be read from here",
                            "name a file ending in `.rules` by its way from this file, or a built-in game")
            return None
        beside = path.parent / (name if given.suffix else f"{name}.rules")
        try:
            return self._there(name, path, beside, place)
        except OSError as error:
            self.faults.add(place, "unreadable", f"this file cannot be read: {error.strerror or error}")
            return None

    def _there(self, name: str, path: Path, beside: Path, place: Place) -> Path | None:
        if beside.is_file() and beside.resolve() != path.resolve():
            return beside
        built_in = self.builtin(name.removesuffix(".rules")) if Path(name).name == name else None
        if built_in is not None:
            return built_in
        if beside.is_file():
            return beside
        folder = next((each for each in (path.parent / name, beside) if each.is_dir()), None)
        way = Path(name) if folder is not None else Path(name).parent
        others = sorted(each for each in (folder or beside.parent).glob("*.rules") if each.resolve() != path.resolve())
        names = {(way / each.stem).as_posix(): (way / each.name).as_posix() for each in others}
        if folder is not None:
            self.faults.add(place, "unreadable", f"`{name}` is a folder, not a rules file" if name else
                            "no file is named here",
                            f"name a file, such as `{next(iter(names.values()))}`" if names else "name a file")
            return None
        near = nearest((way / beside.stem).as_posix(), names)      # without the endings, which are near in any case
        self.faults.add(place, "unreadable", f"there is no file `{name}` beside this one, and no such built-in game",
                        f"did you mean `{names[near]}`?" if near else
                        "name a file by its way from this one, or a built-in game")
        return None
