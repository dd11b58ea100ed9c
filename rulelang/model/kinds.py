"""Types as they are written: from syntax to types, and the names that types bring."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulelang.model.constant import NotConstant, value_of
from rulelang.model.convert import MOST_IN_A_BAG, MOST_IN_A_SET
from rulelang.model.expressions import number
from rulelang.model.scope import Context, Scope, Symbol, suggest
from rulelang.model.types import (
    SWITCH,
    WRONG,
    BagOf,
    DeckOf,
    Maybe,
    Named,
    Number,
    Record,
    SetOf,
    Type,
    Wrong,
    a_,
    is_scalar,
    size_of,
)
from rulelang.source.diagnostic import Place, did_you_mean
from rulelang.syntax.trees import Branch, DataList, Entry, Leaf, Syntax

MOST_NUMBER = 1 << 31
WORD = re.compile(r"[^\W\d]\w*")


def constant_number(s: Scope, x: Syntax) -> int | None:
    """A size or bound: a number known before the game. None with a fault otherwise."""
    e = number(s, Context("bounds", me=False), x)
    if isinstance(e.type, Wrong):
        return None
    try:
        found = value_of(e, s.settings, s.shaping)
    except NotConstant:
        s.faults.add(x.place, "not-constant", "this must be known before the game starts",
                     "use numbers, options and `players`")
        return None
    if found is None:
        s.faults.add(x.place, "not-constant", "this is none, and a number is wanted")
    return int(found)


def type_of(s: Scope, x: Syntax) -> Type:
    """The type that a sentence of `type` writes; WRONG with a fault if there is none."""
    match x.kind:
        case "type":
            base = type_of(s, x.parts[0])
            if not x.parts[1] or isinstance(base, Wrong):
                return base
            if not is_scalar(base) or isinstance(base, Maybe):
                s.faults.add(x.place, "wrong-type", f"{a_(base)} is never none; it may be `empty`")
                return WRONG
            return Maybe(base)
        case "t_switch":
            return SWITCH
        case "t_name":
            return _named(s, x.parts[0], x.place)
        case "t_range":
            return _range(s, x)
        case "t_set":
            of, _ = _base(s, x.parts[0])
            return of if isinstance(of, Wrong) else SetOf(of)
        case "t_bag" | "t_deck":
            return _pile(s, x)
        case "union":
            return _union_or_base(s, x)
    raise ValueError(x.kind)


def _range(s: Scope, x: Syntax) -> Type:
    low, high = constant_number(s, x.parts[0]), constant_number(s, x.parts[1])
    if low is None or high is None:
        return WRONG
    if low > high:
        s.faults.add(x.place, "out-of-range", f"the range {low}..{high} holds nothing", "the lower end stands first")
        return WRONG
    if not -MOST_NUMBER <= low <= high <= MOST_NUMBER:
        s.faults.add(x.place, "too-large", f"numbers of the state go from -{MOST_NUMBER:,} to {MOST_NUMBER:,}")
        return WRONG
    return Number(low, high)


def _named(s: Scope, name: str, place: Place, hint: str = "") -> Type:
    symbol = s.find(name)
    if symbol is not None and symbol.kind == "type":
        return symbol.type
    if name in s.components:
        s.used.add(f"component {name}")
        return s.components[name].type
    if s.is_lost(name):
        return WRONG
    if name in ("Cell", "Direction", "Placement"):
        if s.above:
            s.faults.add(place, "wrong-type", f"an option is a switch, a number or a name, not a {name}",
                         "there may be a board for each value of an option, so options come before the board")
            return WRONG
        if s.boardless:
            what = "no board" if s.board is None else "a board without directions"
            s.faults.add(place, "no-board", f"this game has {what}, so there is no {name}", "add a `board:` section"
                         if s.board is None else "")
        return WRONG
    if name in s.below:
        s.faults.add(place, "too-early", f"the type `{name}` is used before it is declared",
                     s.above or f"put `{name}` above this type",
                     [(f"`{name}` is declared at {s.below[name]}", s.below[name])])
        return WRONG
    known = [*(n for n, sym in s.symbols.items() if sym.kind == "type"), *s.components]
    s.faults.add(place, "unknown-type", f"unknown type `{name}`",
                 did_you_mean(name, [*known, "switch"]) or hint or suggest(name, [*known, "switch"]))
    return WRONG


def _base(s: Scope, x: Syntax) -> tuple[Type, str | None]:
    """What a set, bag or deck holds, and the component if it is one."""
    component = None
    if x.kind == "t_name":
        symbol = s.symbols.get(x.parts[0])
        if x.parts[0] in s.components and (symbol is None or symbol.kind != "type"):
            component = x.parts[0]
    of = type_of(s, x)
    if not isinstance(of, Wrong) and not is_scalar(of):
        s.faults.add(x.place, "wrong-type", f"sets and bags hold single values, and this is {a_(of)}")
        return WRONG, None
    if not isinstance(of, Wrong) and size_of(of) > MOST_IN_A_SET:
        s.faults.add(x.place, "too-large", f"a set or bag over {size_of(of):,} values is too large",
                     f"{MOST_IN_A_SET:,} at most")
        return WRONG, None
    return of, component


def _pile(s: Scope, x: Syntax) -> Type:
    of, component = _base(s, x.parts[0])
    if isinstance(of, Wrong):
        return of
    most: int | None
    if x.parts[1] is not None:
        most = constant_number(s, x.parts[1])
        if most is None:
            return WRONG
    elif component is not None:
        most = s.components[component].item["total"]
    else:
        most = size_of(of)
    if not 0 <= most <= MOST_IN_A_BAG:
        s.faults.add(x.place, "too-large", f"a bag or deck cannot hold up to {most:,}", f"0 to {MOST_IN_A_BAG:,}")
        return WRONG
    return (DeckOf if x.kind == "t_deck" else BagOf)(of, most, component)


def _union_or_base(s: Scope, x: Syntax) -> Type:
    base, names = x.parts
    if not names:
        return type_of(s, base)
    if base.kind != "t_name":
        s.faults.add(x.place, "wrong-type", "a union joins names and types of names", "Occupant: Player or neutral")
        return WRONG
    members: list[str] = []
    parts: list[tuple[str, int, int]] = []
    for name in (base.parts[0], *names):
        if s.is_lost(name):
            return WRONG
        symbol = s.symbols.get(name)
        first = len(members)
        if symbol is not None and symbol.kind == "type":
            s.used.add(name)
            if isinstance(symbol.type, Wrong):
                return WRONG
            if not isinstance(symbol.type, Named):
                s.faults.add(x.place, "wrong-type",
                             f"a union joins names and types of names, and `{name}` is {a_(symbol.type)}")
                return WRONG
            parts.append((name, first, len(symbol.type.members)))
            parts += [(inner, first + at, count) for inner, at, count in symbol.type.parts]
            members += symbol.type.members
        elif name in s.below or name[:1].isupper():
            return _named(s, name, x.place, "a word is written small: `neutral`")      # this was to be a type
        else:
            parts.append((name, first, 1))
            members.append(name)
    if len(set(members)) < len(members):
        twice = next(m for i, m in enumerate(members) if m in members[:i])
        s.faults.add(x.place, "twice-named", f"`{twice}` comes twice in this union", "take one of the two out")
        return WRONG
    return Named("", tuple(members), tuple(parts))


def declare_types(s: Scope, section: Branch) -> None:
    """Declare each type and the words it brings. Types may use those declared before them."""
    s.below = {entry.name: entry.place for entry in section}
    for entry in section:
        item = entry.item
        del s.below[entry.name]
        kind: Type = WRONG
        words: dict[str, tuple[int, Place]] = {}
        if isinstance(item, Leaf) and item.kind == "names":
            kind = _names(s, entry, item)
            places = {leaf.value: leaf.place for leaf in item.value}
            words = {name: (i, places[name]) for i, name in enumerate(kind.members if isinstance(kind, Named) else ())}
        elif isinstance(item, Leaf):
            kind = type_of(s, item.value)
            if isinstance(kind, Named) and kind.name == "":
                kind = Named(entry.name, kind.members, kind.parts)
                direct = {item.value.parts[0].parts[0], *item.value.parts[1]}
                words = {name: (first, entry.place) for name, first, _ in kind.parts
                         if name in direct and (name not in s.symbols or s.symbols[name].kind != "type")}
        elif isinstance(item, Branch):
            kind = _record(s, entry, item)
        s.declare(Symbol("type", entry.name, entry.place, None, kind))
        for name, (number_, place) in words.items():
            s.declare(Symbol("word", name, place, number_, kind))


def _names(s: Scope, entry: Entry, item: Leaf) -> Type:
    """A type that is a list of names."""
    names = [leaf.value for leaf in item.value]
    if not names:
        s.faults.add(item.place, "wrong-form", "a type has at least one name", f"{entry.name}: [red, blue]")
        return WRONG
    if len(names) > MOST_IN_A_SET:
        s.faults.add(item.place, "too-large", f"a type of {len(names):,} names is too large",
                     f"{MOST_IN_A_SET:,} at most")
        return WRONG
    sound = sound_words(s, item.value)
    return Named(entry.name, tuple([leaf.value for leaf in sound])) if sound else WRONG


def sound_words(s: Scope, leaves: Iterable[Leaf]) -> list[Leaf]:
    """Those that are words which a sentence can write, each once; a fault for each of the others."""
    seen: dict[str, Place] = {}
    sound: list[Leaf] = []
    for leaf in leaves:
        if not WORD.fullmatch(leaf.value):
            s.faults.add(leaf.place, "not-a-name", f"`{leaf.value}` is no name",
                         "a name is one word of letters, digits and `_`, and begins with a letter")
        elif leaf.value in seen:
            s.faults.add(leaf.place, "twice-named", f"`{leaf.value}` is in this list already", "take it out",
                         [(f"the first is at {seen[leaf.value]}", seen[leaf.value])])
        else:
            seen[leaf.value] = leaf.place
            sound.append(leaf)
    return sound


def _record(s: Scope, of: Entry, fields: Branch) -> Type:
    made: list[tuple[str, Type]] = []
    sound = True
    for entry in fields:
        kind = type_of(s, entry.item.value) if isinstance(entry.item, Leaf) else WRONG
        if isinstance(kind, Named) and kind.name == "":
            s.faults.add(entry.place, "wrong-type", "a union needs a name of its own",
                         "declare it above as a type, and name that here")
            kind = WRONG
        elif not isinstance(kind, Wrong) and (not is_scalar(kind) or isinstance(kind, Maybe)):
            s.faults.add(entry.place, "wrong-type", f"a field holds a single value, and this is {a_(kind)}")
            kind = WRONG
        sound = sound and not isinstance(kind, Wrong)
        made.append((entry.name, kind))
    if not made:
        s.faults.add(of.place, "wrong-form", "a record has at least one field", f"{of.name}: {{owner: Player}}")
    if not made or not sound:
        return WRONG
    record = Record(of.name, tuple(made))
    if size_of(record) > MOST_IN_A_SET:
        s.faults.add(of.place, "too-large", f"{a_(record)} has {size_of(record):,} values",
                     f"{MOST_IN_A_SET:,} at most")
        return WRONG
    return record


def text_of(branch: Branch | None, name: str) -> str:
    """A text of a section, '' if it is not there."""
    item = branch.get(name) if branch is not None else None
    return str(item.value) if isinstance(item, Leaf) else ""


def texts_of(item: object) -> tuple[Leaf, ...]:
    """The leaves of a list of texts or names."""
    if isinstance(item, Leaf):
        return item.value if item.kind == "names" else (item,)
    return tuple(leaf for leaf in item.items if isinstance(leaf, Leaf)) if isinstance(item, DataList) else ()


def branch_of(branch: Branch | None, name: str) -> Branch | None:
    """A map below a section, or None."""
    item = branch.get(name) if branch is not None else None
    return item if isinstance(item, Branch) else None
