"""The one way from a file to a game: read, merge, choose variants and options, check.

`load` gives a `Ruleset` that is ready to play; `check` tells every fault of a file under all that may be chosen. Both
take the same path, so what `check` accepts, `load` loads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulelang.source.diagnostic import Diagnostic, Faults, Place, RulesError, did_you_mean, gathered

if TYPE_CHECKING:
    from rulelang.engine.state import State
    from rulelang.machine.nodes import Machine
    from rulelang.model.game import Game, Option
    from rulelang.native.engine import NativeEngine
    from rulelang.syntax.load import Loaded
    from rulelang.syntax.trees import Branch

COMMAND_LINE = Place("<command line>", 1, 1, 0)


def builtin_folder() -> Path | None:
    """Where the games that come with rulelang are: in the wheel, or beside the package in a checkout."""
    here = Path(__file__).parent
    for folder in (here / "builtin", here.parent / "rules"):
        if folder.is_dir():
            return folder
    return None


def builtin_games() -> dict[str, Path]:
    """The built-in games by name."""
    folder = builtin_folder()
    files = sorted(folder.glob("*.rules")) if folder is not None else []
    return {path.stem: path for path in files}


def find_builtin(name: str) -> Path | None:
    """The file of a built-in game, or None."""
    return builtin_games().get(name.removesuffix(".rules"))


def locate(source: str | Path) -> Path:
    """The file that a path or a built-in name means; a path that exists comes first. Raises RulesError for a name that
    is near to a built-in game's, and no file."""
    path = Path(source)
    if path.exists() or path.suffix or len(path.parts) != 1:
        return path
    found = find_builtin(str(source))
    near = did_you_mean(str(source).lower().replace("-", "_").replace(" ", "_"), builtin_games())
    if found is None and near:
        faults = Faults()
        faults.add(Place(str(source), 1, 1), "unreadable", "there is no such file, nor a game of that name", near)
        faults.raise_any()
    return found or path


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A rules file with its variants and options chosen: the way to games, and what may be chosen.

    `settings` holds the value of each option; `options` what they begin with in the file.
    """

    path: Path
    files: tuple[Path, ...]
    document: Branch
    title: str
    player_counts: tuple[int, ...]
    options: tuple[Option, ...]
    variants: tuple[tuple[str, str], ...]
    chosen: tuple[str, ...]
    settings: Mapping[str, Any]
    _models: dict[int, Game] = field(default_factory=dict, repr=False)

    def model(self, players: int | None = None) -> Game:
        """The checked game for so many players. Raises RulesError."""
        from rulelang.model.build import build
        count = self.players_or_default(players)
        if count not in self._models:
            faults = Faults()
            game, _ = build(self.document, count, self.settings, faults, frozenset((str(self.path),)))
            faults.raise_any()
            assert game is not None
            self._models[count] = game
        return self._models[count]

    def players_or_default(self, players: int | None = None) -> int:
        """The number of players asked for, or else the smallest from 2 on. Raises RulesError if it cannot be."""
        if players is None:
            return next((n for n in self.player_counts if n >= 2), self.player_counts[0])
        if players not in self.player_counts:
            counts = self.player_counts
            span = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
            message = f"{self.title} is for {span} players, not {players}"
            raise RulesError([Diagnostic(COMMAND_LINE, "players", message)])
        return players

    def machine(self, players: int | None = None) -> Machine:
        """The state machine for so many players, made once."""
        machine: Machine = self._interpreter(self.players_or_default(players)).machine
        return machine

    @cached_property
    def _interpreters(self) -> dict[int, Any]:
        return {}

    def _interpreter(self, players: int) -> Any:
        if players not in self._interpreters:
            from rulelang.engine import Interpreter
            from rulelang.machine import build
            self._interpreters[players] = Interpreter(build(self.model(players)))
        return self._interpreters[players]

    def interpreter(self, players: int | None = None) -> Any:
        """The interpreter for so many players, made once."""
        return self._interpreter(self.players_or_default(players))

    def native(self, players: int | None = None) -> NativeEngine:
        """The native engine for so many players, made once. Raises `native.shapes.Declined` or
        `native.compiling.NoCompiler`."""
        count = self.players_or_default(players)
        if count not in self._natives:
            from rulelang.machine import build
            from rulelang.native.compiling import hashed
            from rulelang.native.engine import NativeEngine
            texts = [path.read_text(encoding="utf-8", errors="replace") for path in self.files]
            tables = repr([(table.name, table.values) for table in self.model(count).tables])
            print_of = hashed(*texts, tables, repr(self.chosen), repr(sorted(self.settings.items())), str(count))
            made = self._interpreters.get(count)
            machine = made.machine if made is not None else build(self.model(count))
            self._natives[count] = NativeEngine(machine, fingerprint=print_of)
            self._natives[count]._interpreter = made
        return self._natives[count]

    def native_or_why(self, players: int | None = None) -> tuple[NativeEngine | None, str]:
        """The native engine, or None and one line that says why the interpreter serves."""
        from rulelang.native.compiling import NoCompiler
        from rulelang.native.shapes import Declined
        try:
            return self.native(players), ""
        except Declined as why:
            return None, f"the native engine does not play this game ({why}); the interpreter serves"
        except NoCompiler as why:
            return None, f"{why}; the interpreter serves"

    @cached_property
    def _natives(self) -> dict[int, NativeEngine]:
        return {}

    def start(
        self, players: int | None = None, seed: int = 0, chance: Mapping[str, Any] | None = None, given: Any = (),
    ) -> State:
        """A new game. `chance` scripts what is drawn, by variable; the seed decides the rest."""
        state: State = self.interpreter(players).start(seed=seed, chance=chance, given=given)
        return state


def load(
    source: str | Path, *, variants: Iterable[str] = (), options: Mapping[str, Any] | None = None,
) -> Ruleset:
    """Load a rules file or a built-in game with variants and options chosen.

    Options are given as their values or as text (`"on"`, `"7"`). Raises RulesError with every fault that can be found;
    faults of a number of players are found by `Ruleset.model`.
    """
    from rulelang.syntax.load import load_document
    path = locate(source)
    faults = Faults()
    rules = _choose(path, load_document(path, find_builtin), tuple(variants), options or {}, faults)
    faults.raise_any()
    return rules


def _choose(
    path: Path, loaded: Loaded, chosen: tuple[str, ...], options: Mapping[str, Any], faults: Faults,
) -> Ruleset:
    """A document with its variants and options chosen; what is wrong with the options is noted. Raises RulesError
    where variants do not go together, or nobody can play."""
    from rulelang.model.build import options_of, player_counts
    from rulelang.model.settings import setting
    from rulelang.syntax.trees import Leaf
    from rulelang.syntax.variants import apply_variants, variant_names
    document = apply_variants(loaded.document, chosen)
    counts = player_counts(document, faults)
    declared = options_of(document, faults)
    if not counts:
        raise RulesError(faults)
    settings = {o.name: o.start for o in declared}
    by_name = {o.name: o for o in declared}
    for name, value in options.items():
        if name not in by_name:
            there = f"there are: {', '.join(by_name)}" if by_name else "it has no options"
            faults.add(COMMAND_LINE, "unknown-option", f"there is no option `{name}`",
                       did_you_mean(name, by_name) or there)
            continue
        settings[name] = setting(by_name[name], _as_text(value, by_name[name]), COMMAND_LINE, faults)
    title = document.get("game")
    says = _says(document)
    return Ruleset(
        path, loaded.files, document, str(title.value) if isinstance(title, Leaf) else path.stem, counts, declared,
        tuple((name, says.get(name, "")) for name in variant_names(loaded.document)), chosen, settings)


def _as_text(value: Any, option: Option) -> str:
    """A value for an option as a person would write it."""
    from rulelang.model.types import SWITCH
    if isinstance(value, str):
        return value
    return ("on" if value else "off") if option.type == SWITCH else str(value)


def _says(document: Branch) -> dict[str, str]:
    from rulelang.model.kinds import branch_of, text_of
    section = branch_of(document, "variants")
    return {e.name: text_of(branch_of(section, e.name), "says") for e in section or ()}


def check(source: str | Path) -> tuple[Diagnostic, ...]:
    """Every fault and warning of a file: with its own options for each number of players, with each variant, and with
    each option at both ends if types, sizes or the board depend on it. What is found only under one of these says so.
    Empty if there is none."""
    try:
        return _check(locate(source), frozenset())
    except RulesError as error:
        return error.diagnostics


def _check(path: Path, above: frozenset[Path]) -> tuple[Diagnostic, ...]:
    """Every fault of a file; `above` are those that extend it."""
    from rulelang.syntax.load import read_all
    loaded, unread = read_all(path, find_builtin)
    found = _all_faults(path, loaded, unread)
    below = loaded.below if loaded is not None else None
    if loaded is None or below is None or below.resolve() in above:
        return found
    return tuple(_with_causes(found, loaded, below, above | {path.resolve()}))


def _with_causes(
    found: Iterable[Diagnostic], loaded: Loaded, below: Path, above: frozenset[Path],
) -> Iterator[Diagnostic]:
    """The faults; one in a file that is extended, and that this file has not by itself, with what makes it one."""
    alone: dict[object, Diagnostic] | None = None
    for each in found:
        if each.place.file in loaded.own or loaded.changes is None:
            yield each
            continue
        if alone is None:
            alone = {(d.place, d.code, d.message): d for d in _check(below, above)}
        same = alone.get((each.place, each.code, each.message))
        yield same or replace(each, notes=(*each.notes, _cause(each, loaded, loaded.changes)))


def _cause(each: Diagnostic, loaded: Loaded, changes: Branch) -> tuple[str, Place | None]:
    from rulelang.source.files import read_text
    from rulelang.syntax.causes import cause
    try:
        line = read_text(each.place.file).split("\n")[each.place.line - 1]
    except (RulesError, IndexError):
        line = ""
    return cause(each, line, loaded.document, changes) or ("by itself this file does not have the mistake: it comes of "
                                                          "the file that extends it", changes.place)


def _all_faults(path: Path, loaded: Loaded | None, unread: Faults) -> tuple[Diagnostic, ...]:
    if loaded is None or unread:
        return RulesError([*unread, *_beyond(path, loaded, unread)]).diagnostics
    try:
        plain = _choose(path, loaded, (), {}, Faults())
    except RulesError as error:
        return error.diagnostics
    found = _Found()
    found.note(_faults_of_choices(plain), "")
    usual = plain.players_or_default()
    shaping: frozenset[str] = frozenset()
    for count in sorted(plain.player_counts, key=lambda n: n != usual):
        faults, shapes = _faults(plain, count)
        shaping |= shapes
        found.note(faults, "" if count == usual else f"with {count} player{'s' if count > 1 else ''}")

    def also(variants: tuple[str, ...], options: dict[str, str], where: str) -> None:
        try:
            varied = _choose(path, loaded, variants, options, Faults())
        except RulesError as error:
            found.note(error.diagnostics, where)
        else:
            players = usual if usual in varied.player_counts else varied.player_counts[0]
            found.note(_faults(varied, players)[0], where)

    for name, _ in plain.variants:
        also((name,), {}, f"with the variant `{name}`")
    for option in plain.options:
        for value in _ends(option) if option.name in shaping else ():
            also((), {option.name: value}, f"with {option.name}={value}")
    return gathered(found.diagnostics)


class _Found:
    """What was found under one choice after the other: each fault once, with the first choice that shows it."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._known: set[tuple[Place, str]] = set()

    def note(self, diagnostics: Iterable[Diagnostic], where: str) -> None:
        """Add what is new. Under a choice (`where`) only errors count: what is idle there is of use elsewhere."""
        new = [d for d in dict.fromkeys(diagnostics) if (d.place, d.code) not in self._known]
        if where:
            new = [replace(d, notes=(*d.notes, (f"found {where}", None))) for d in new if d.severity == "error"]
        self.diagnostics += new
        self._known |= {(d.place, d.code) for d in new}


# What may follow from a part that could not be read.
_FOLLOWS = frozenset((
    "missing", "no-effects", "unused", "unreachable", "never-left", "never-ends", "no-rank", "wrong-board",
))


def _beyond(path: Path, loaded: Loaded | None, unread: Faults) -> list[Diagnostic]:
    """The faults of what could be read of a faulty file, but for those that may follow from the faults of reading."""
    from rulelang.syntax.partial import without_faulty
    if loaded is None:
        return []
    document, lost = without_faulty(loaded.document)
    lines = {(d.place.file, d.place.line) for d in unread}
    found: tuple[Diagnostic, ...]
    try:
        rules = _choose(path, replace(loaded, document=document), (), {}, Faults())
        found, _ = _faults(rules, rules.players_or_default(), frozenset(lost.keys | lost.words))
    except RulesError as error:
        found = error.diagnostics
    return [d for d in found if d.code not in _FOLLOWS and (d.place.file, d.place.line) not in lines
            and not any(f"`{name}`" in d.message for name in lost.keys)]


def _faults_of_choices(rules: Ruleset) -> tuple[Diagnostic, ...]:
    """What the examples of a file choose, and cannot have."""
    from rulelang.model.examples import check_choices
    faults = Faults()
    check_choices(rules.document, rules.player_counts, rules.options, frozenset((str(rules.path),)), faults)
    return tuple(faults)


def _faults(
    rules: Ruleset, players: int, lost: frozenset[str] = frozenset(),
) -> tuple[tuple[Diagnostic, ...], frozenset[str]]:
    from rulelang.model.build import build
    faults = Faults()
    game, shaping = build(rules.document, players, rules.settings, faults, frozenset((str(rules.path),)), lost)
    if game is not None:
        rules._models[players] = game
    return tuple(faults), shaping


def _ends(option: Option) -> tuple[str, ...]:
    """The option's values at both ends, as text."""
    from rulelang.model.types import Named, Number, Switch, show, size_of, value_at
    if isinstance(option.type, Number):
        return (str(option.type.low), str(option.type.high))
    if not isinstance(option.type, (Named, Switch)):
        return ()
    return tuple(show(option.type, value_at(option.type, i)) for i in (0, size_of(option.type) - 1))
