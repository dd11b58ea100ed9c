"""The page of games, `docs/games.md`, made from the rules files: who plays, what of the language a game shows, where
its rules are from, and what it has been held against.

    python -m rulelang.proving.catalogue

writes the page, from the folder of a checkout. What a game has been held against stands beside the tests, in
`tests/rules/held_against.toml`.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from rulelang.loading import Ruleset, load
from rulelang.model.game import Game
from rulelang.model.ir import E, S
from rulelang.model.types import BagOf, DeckOf, Record, SetOf
from rulelang.syntax.trees import Branch, DataList, Leaf

HELD = Path("tests/rules/held_against.toml")
PAGE = Path("docs/games.md")

HEAD = """\
# Games

Made from the rules files by `python -m rulelang.proving.catalogue`: change those, not this page. `rulelang list` lists
the games of `rules/`, whose names work wherever a file does; those of `examples/` say only what they change in another.
"""

BOARDS = {
    "grid": "a board of squares", "hexes": "a board of hexagons", "track": "a track",
    "lattice": "a board in space", "graph": "a board of points and lines",
}

SHOWS: tuple[tuple[str, Callable[[Game, set[str]], bool]], ...] = (
    ("places by shapes", lambda game, ops: bool(game.shapes)),
    ("tables", lambda game, ops: bool(game.tables)),
    ("pieces with several properties", lambda game, ops: any(isinstance(t, Record) for t in game.types.values())),
    ("bags", lambda game, ops: _holds(game, BagOf)),
    ("decks", lambda game, ops: _holds(game, DeckOf)),
    ("sets", lambda game, ops: _holds(game, SetOf)),
    ("material of a box", lambda game, ops: bool(game.components)),
    ("teams", lambda game, ops: bool(game.teams)),
    ("secrets", lambda game, ops: any(v.seen is not None for v in game.variables)),
    ("random starts", lambda game, ops: any(v.start.kind.startswith("random") for v in game.variables)),
    ("drawing", lambda game, ops: bool(ops & {"draw", "deal", "shuffle"})),
    ("dice", lambda game, ops: "roll" in ops),
    ("choosing at once", lambda game, ops: any(p.who == "together" for p in game.phases)),
    ("several phases", lambda game, ops: len(game.phases) > 1),
    ("turns and rounds with blocks of their own", lambda game, ops: any((
        game.turn_begin, game.turn_end, game.round_begin, game.round_end))),
    ("moves that come first (`must`)", lambda game, ops: any(p.must for p in game.phases)),
    ("chains", lambda game, ops: any(p.chain for p in game.phases)),
    ("the best of all ways to go on (`best`)", lambda game, ops: any(p.best for p in game.phases)),
    ("what must hold afterwards (`ensure`)", lambda game, ops: any(
        clause.kind == "ensure" for action in game.actions for clause in action.clauses)),
    ("the course of a game kept (`positions`)", lambda game, ops: bool(game.positions)),
    ("the moves that would follow counted in `end:`", lambda game, ops: "legal_moves" in set(_ops(game.ends))),
    ("what is linked (`reach`)", lambda game, ops: "reach" in ops),
    ("straight lines (`slide`, `ray`, `between`)", lambda game, ops: bool(ops & {"slide", "ray", "rays", "between"})),
    ("leaps", lambda game, ops: "leap" in ops),
    ("the table's judgement", lambda game, ops: "judge" in ops),
    ("a clock", lambda game, ops: game.clock is not None),
    ("players who drop out", lambda game, ops: "out" in ops),
)


def page(root: Path) -> str:
    """The page for a checkout."""
    held = tomllib.loads((root / HELD).read_text(encoding="utf-8"))
    parts = [HEAD]
    for path in sorted((root / "rules").glob("*.rules")):
        parts.append(entry(path, held.get(path.stem, [])))
    parts.append("## In examples/\n")
    for path in sorted((root / "examples").glob("*.rules")):
        if "\nextends:" in "\n" + path.read_text(encoding="utf-8"):      # one shows mistakes, and is no game
            parts.append(overlay(path, root, held.get(path.stem, [])))
    return "\n".join(parts)


def entry(path: Path, held: list[str]) -> str:
    """What the page says of a game."""
    rules = load(path)
    game = rules.model()
    lines = [f"## {rules.title}", "", f"[`{path.name}`](../rules/{path.name}) · {_players(rules)}", ""]
    lines.append(f"- shows: {', '.join(shown(game, path))}")
    if rules.options:
        lines.append(f"- options: {'; '.join(_option(o.name, o.says) for o in rules.options)}")
    if rules.variants:
        lines.append(f"- variants: {'; '.join(_option(name, says) for name, says in rules.variants)}")
    lines += _ends_of(rules, held)
    return "\n".join(lines) + "\n"


def overlay(path: Path, root: Path, held: list[str]) -> str:
    """What the page says of a file that extends another."""
    rules = load(path)
    text = path.read_text(encoding="utf-8").splitlines()
    base = next((line.split(":", 1)[1].strip() for line in text if line.startswith("extends:")), "")
    lines = [f"### {rules.title}", "", f"[`{path.name}`](../examples/{path.name}) · changes `{Path(base).name}`", ""]
    if text and text[0].startswith("# "):
        lines.append(f"- {text[0].removeprefix('# ')}")
    own = "sources:" in path.read_text(encoding="utf-8")
    lines += _ends_of(rules, held) if own else [line for line in _ends_of(rules, held) if "held against" in line]
    return "\n".join(lines) + "\n"


def shown(game: Game, path: Path) -> list[str]:
    """What of the language a game shows, in a fixed order."""
    ops = set(_ops(game))
    found = [BOARDS[game.board.kind]] if game.board is not None else []
    found += [says for says, holds in SHOWS if holds(game, ops)]
    if "lines(" in path.read_text(encoding="utf-8"):
        found.append("rows of n (`lines`)")
    return found or ["turns and a score"]


def _ends_of(rules: Ruleset, held: list[str]) -> list[str]:
    lines = []
    sources = _texts(rules.document, "sources")
    if sources:
        lines.append(f"- sources: {'; '.join(sources)}")
    own = "its own examples" if rules.model().examples else "nothing yet"
    lines.append(f"- held against: {'; '.join(held) or own}")
    return lines


def _players(rules: Ruleset) -> str:
    counts = rules.player_counts
    return f"{counts[0]} players" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} players"


def _option(name: str, says: str) -> str:
    return f"`{name}` ({says})" if says else f"`{name}`"


def _texts(document: Branch, name: str) -> list[str]:
    item = document.get(name)
    if isinstance(item, DataList):
        return [str(leaf.value) for leaf in item.items if isinstance(leaf, Leaf)]
    if isinstance(item, Leaf):
        return [str(item.value)]
    return []


def _holds(game: Game, kind: type) -> bool:
    return any(isinstance(v.type, kind) for v in game.variables if not v.name.startswith("supply of "))


def _ops(part: Any) -> Iterator[str]:
    if isinstance(part, (E, S)):
        yield part.op
    if is_dataclass(part):
        for one in fields(part):
            yield from _ops(getattr(part, one.name))
    elif isinstance(part, (tuple, list)):
        for one in part:
            yield from _ops(one)


def strangers(root: Path) -> list[str]:
    """Names in `held_against.toml` that no rules file has."""
    held: Mapping[str, Any] = tomllib.loads((root / HELD).read_text(encoding="utf-8"))
    there = {path.stem for folder in ("rules", "examples") for path in (root / folder).glob("*.rules")}
    return sorted(set(held) - there)


def main() -> int:
    """Write the page; 1 if it was out of date."""
    root = Path.cwd()
    made = page(root)
    before = (root / PAGE).read_text(encoding="utf-8") if (root / PAGE).exists() else ""
    (root / PAGE).write_text(made, encoding="utf-8")
    print(f"{PAGE}: {'as it was' if made == before else 'written anew'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
