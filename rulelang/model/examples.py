"""The examples of a rules file: what is given and what must then hold, checked like everything else."""

from __future__ import annotations

from rulelang.model.blocks import block
from rulelang.model.expressions import condition
from rulelang.model.game import Example, Option
from rulelang.model.kinds import branch_of, text_of, texts_of
from rulelang.model.scope import Context, Scope, suggest
from rulelang.model.settings import setting
from rulelang.source.diagnostic import Faults
from rulelang.syntax.trees import Branch, Entry, Item, Leaf


def examples(s: Scope, section: Branch | None, usual: int, plain: bool = True) -> tuple[Example, ...]:
    """All examples. Those for another number of players than this game's are left without their sentences; `usual` is
    the number where an example, and those it goes on from, say none. Where options are set that they know nothing of
    (not `plain`), sentences that do not fit are left out too."""
    made = []
    titles = [e.name for e in section or ()]
    for entry in section or ():
        item = entry.item if isinstance(entry.item, Branch) else Branch((), entry.place)
        _check_references(s, section, entry, item, titles)
        c = Context(f"examples.{entry.name}", example=True, effects=True)
        given, then = item.get("given"), item.get("then")
        players = _said(section, entry.name, "players")
        wanted = str(players.value) if isinstance(players, Leaf) else ""
        outer = s.faults
        elsewhere = not plain or any(item.get(key) is not None for key in ("set", "variant"))
        if elsewhere or (wanted or str(usual)) != str(s.players):
            s.faults = Faults()         # its sentences are meant for another game than this one
        statements = block(s, c, given.value) if isinstance(given, Leaf) else ()
        asked = condition(s, c, then.value) if isinstance(then, Leaf) else None
        if s.faults is outer and not outer:
            _check_chance(s, item)
        broken = bool(s.faults) and s.faults is not outer
        s.faults = outer
        made.append(Example(entry.name, item, () if broken else statements, None if broken else asked, entry.place,
                            broken))
    return tuple(made)


def _check_references(s: Scope, section: Branch | None, entry: Entry, item: Branch, titles: list[str]) -> None:
    """What an example names: the example that it goes on from, options, and what chance is to give."""
    source = item.get("from")
    if isinstance(source, Leaf) and source.value not in titles:
        s.faults.add(source.place, "unknown-name", f"there is no example `{source.value}`",
                     suggest(source.value, titles))
    elif isinstance(source, Leaf):
        loop = _loop(section, entry.name)
        if loop and titles.index(entry.name) == min(titles.index(name) for name in loop):
            s.faults.add(source.place, "circle", f"the example goes on from itself: {' -> '.join(loop)}",
                         "take one of the `from:` out")
    options = [n for n, symbol in s.symbols.items() if symbol.kind == "option"]
    for choice in branch_of(item, "set") or ():
        if choice.name not in options:
            s.faults.add(choice.place, "unknown-option", f"there is no option `{choice.name}`",
                         suggest(choice.name, options))


def check_choices(document: Branch, counts: tuple[int, ...], options: tuple[Option, ...], mine: frozenset[str],
                  faults: Faults) -> None:
    """Note what examples choose and cannot have: variants that are not there, numbers of players, values of options.
    Options and players are those of the file; where a variant is chosen it may have others."""
    section, variants = branch_of(document, "examples"), branch_of(document, "variants")
    known = [entry.name for entry in variants or ()]
    by_name = {option.name: option for option in options}
    for entry in section or ():
        if entry.place.file not in mine or not isinstance(entry.item, Branch):
            continue
        named = texts_of(entry.item.get("variant"))
        for leaf in named:
            if leaf.value not in known:
                faults.add(leaf.place, "unknown-variant", f"there is no variant `{leaf.value}`",
                           suggest(leaf.value, known))
        if named or _said(section, entry.name, "variant") is not None:
            continue
        players = entry.item.get("players")
        if isinstance(players, Leaf) and int(players.value) not in counts:
            faults.add(players.place, "players", f"this game is not for {players.value} players",
                       f"its `players:` says {counts[0]}" + (f"..{counts[-1]}" if len(counts) > 1 else ""))
        for choice in branch_of(entry.item, "set") or ():
            if choice.name in by_name and isinstance(choice.item, Leaf):
                setting(by_name[choice.name], str(choice.item.value), choice.item.place, faults)


def _check_chance(s: Scope, item: Branch) -> None:
    """What chance is to give must be something that is drawn, rolled or judged in this game."""
    drawn = {path.rpartition("/")[2] for path in s.streams}
    drawn |= {v.name for v in s.variables if v.start.kind in ("random", "random_with")}
    for entry in branch_of(item, "chance") or ():
        if entry.name not in drawn:
            s.faults.add(entry.place, "unknown-name", f"nothing called `{entry.name}` is left to chance in this game",
                         suggest(entry.name, sorted(drawn)))


def _loop(section: Branch | None, title: str) -> list[str]:
    """The way from an example to example by `from`, if it comes back to where it began."""
    way = [title]
    while section is not None:
        name = text_of(branch_of(section, way[-1]), "from")
        if name == title:
            return [*way, title]
        if name not in section or name in way:
            return []
        way.append(name)
    return []


def _said(section: Branch | None, title: str, key: str) -> Item | None:
    """What an example, or else what it goes on from, says under a key."""
    seen: set[str] = set()
    while section is not None and title not in seen:
        seen.add(title)
        item = section.get(title)
        if not isinstance(item, Branch):
            return None
        if item.get(key) is not None:
            return item.get(key)
        title = text_of(item, "from")
    return None
