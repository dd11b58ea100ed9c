"""Types as they are written: from syntax to types, and the names that types bring."""

from __future__ import annotations

from rulelang.model.constant import NotConstant, value_of
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
    describe,
    is_scalar,
    size_of,
)
from rulelang.source.diagnostic import Place
from rulelang.syntax.trees import Branch, DataList, Leaf, Syntax


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
    return int(found) if found is not None else None


def type_of(s: Scope, x: Syntax) -> Type:
    """The type that a sentence of `type` writes; WRONG with a fault if there is none."""
    match x.kind:
        case "type":
            base = type_of(s, x.parts[0])
            if not x.parts[1] or isinstance(base, Wrong):
                return base
            if not is_scalar(base) or isinstance(base, Maybe):
                s.faults.add(x.place, "wrong-type", f"a {describe(base)} is never none; it may be `empty`")
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
    raise AssertionError(x.kind)


def _range(s: Scope, x: Syntax) -> Type:
    low, high = constant_number(s, x.parts[0]), constant_number(s, x.parts[1])
    if low is None or high is None:
        return WRONG
    if low > high:
        s.faults.add(x.place, "out-of-range", f"the range {low}..{high} holds nothing")
        return WRONG
    if not -(1 << 31) <= low <= high <= 1 << 31:
        s.faults.add(x.place, "too-large", "numbers go from -2,147,483,648 to 2,147,483,648")
        return WRONG
    return Number(low, high)


def _named(s: Scope, name: str, place: Place) -> Type:
    symbol = s.find(name)
    if symbol is not None and symbol.kind == "type":
        return symbol.type
    if name in s.components:
        return s.components[name].type
    if name in ("Cell", "Direction"):
        s.faults.add(place, "no-board", f"this game has no board, so there is no {name}", "add a `board:` section")
        return WRONG
    known = [*(n for n, sym in s.symbols.items() if sym.kind == "type"), *s.components]
    s.faults.add(place, "unknown-type", f"unknown type `{name}`", suggest(name, [*known, "switch"]))
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
        s.faults.add(x.place, "wrong-type", f"sets and bags hold single values, and this is a {describe(of)}")
        return WRONG, None
    if not isinstance(of, Wrong) and size_of(of) > 4096:
        s.faults.add(x.place, "too-large", f"a set or bag over {size_of(of):,} values is too large", "4,096 at most")
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
    if not 0 <= most <= 65535:
        s.faults.add(x.place, "too-large", f"a bag or deck of up to {most:,} is too large", "65,535 at most")
        return WRONG
    return DeckOf(of, most) if x.kind == "t_deck" else BagOf(of, most, component)


def _union_or_base(s: Scope, x: Syntax) -> Type:
    base, names = x.parts
    if not names:
        return type_of(s, base)
    first = base.parts[0] if base.kind == "t_name" else None
    if first is None:
        s.faults.add(x.place, "wrong-type", "a union joins names and types of names")
        return WRONG
    members: list[str] = []
    parts: list[tuple[str, int, int]] = []
    for name in (first, *names):
        symbol = s.symbols.get(name)
        if symbol is not None and symbol.kind == "type":
            s.used.add(name)
            if not isinstance(symbol.type, Named):
                s.faults.add(x.place, "wrong-type", f"a union joins names and types of names; {name} is neither")
                return WRONG
            parts.append((name, len(members), len(symbol.type.members)))
            members += symbol.type.members
        else:
            parts.append((name, len(members), 1))
            members.append(name)
    return Named("", tuple(members), tuple(parts))


def declare_types(s: Scope, section: Branch) -> None:
    """Declare each type and the words it brings. Types may use those declared before them."""
    for entry in section:
        item, kind = entry.item, WRONG
        if isinstance(item, Leaf) and item.kind == "names":
            kind = Named(entry.name, tuple(leaf.value for leaf in item.value))
        elif isinstance(item, Leaf):
            kind = type_of(s, item.value)
            if isinstance(kind, Named) and kind.name == "":
                kind = Named(entry.name, kind.members, kind.parts)
        elif isinstance(item, Branch):
            kind = _record(s, entry.name, item)
        s.declare(Symbol("type", entry.name, entry.place, None, kind))
        if isinstance(item, Leaf) and item.kind == "names" and isinstance(kind, Named):
            for i, leaf in enumerate(item.value):
                s.declare(Symbol("word", leaf.value, leaf.place, i, kind))
        elif isinstance(kind, Named) and kind.name == entry.name:
            for name, first, count in kind.parts:
                if count == 1 and (name not in s.symbols or s.symbols[name].kind != "type"):
                    s.declare(Symbol("word", name, entry.place, first, kind))


def _record(s: Scope, name: str, fields: Branch) -> Type:
    made: list[tuple[str, Type]] = []
    for entry in fields:
        kind = type_of(s, entry.item.value) if isinstance(entry.item, Leaf) else WRONG
        if isinstance(kind, Wrong):
            return WRONG
        if not is_scalar(kind) or isinstance(kind, Maybe):
            s.faults.add(entry.place, "wrong-type", f"a field holds a single value, and this is a {describe(kind)}")
            return WRONG
        made.append((entry.name, kind))
    record = Record(name, tuple(made))
    if size_of(record) > 4096:
        s.faults.add(fields.place, "too-large", f"a {name} has {size_of(record):,} values", "4,096 at most")
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
