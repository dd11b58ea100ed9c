"""What a game declares: options, components, tables, state, defines and steps.

Types are worked out first, for everything; then bodies, on demand: a define is elaborated when it is first used, so
that they may stand in any order, and one that needs itself is found.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulelang.model.bodies import Body, params_of
from rulelang.model.constant import NotConstant, value_of
from rulelang.model.convert import MOST_IN_A_BAG, MOST_IN_A_SET
from rulelang.model.expressions import condition
from rulelang.model.game import Component, Option, Start, Table, Variable
from rulelang.model.ir import E
from rulelang.model.kinds import constant_number, text_of, type_of
from rulelang.model.scope import Context, Local, Scope, Symbol
from rulelang.model.starts import data_value, entries, start_of, table_values
from rulelang.model.types import (
    SWITCH,
    WRONG,
    BagOf,
    DeckOf,
    Named,
    Number,
    SetOf,
    Switch,
    Type,
    Wrong,
    a_,
    describe,
    is_scalar,
    material_of,
    size_of,
)
from rulelang.syntax.trees import Branch, Entry, Leaf, Syntax

MOST_ENTRIES = 1 << 16
MOST_PARTS = 1 << 20      # of the sets, bags or decks of one variable, all together


def declare_options(s: Scope, section: Branch) -> list[Option]:
    """The options, with their values in `s.settings` checked."""
    made: list[Option] = []
    for entry in section:
        if not isinstance(entry.item, Branch):
            continue
        leaf, start = entry.item.get("type"), entry.item.get("start")
        kind: Type = type_of(s, leaf.value) if isinstance(leaf, Leaf) else SWITCH
        if not isinstance(kind, (Switch, Number, Named, Wrong)):
            s.faults.add(entry.place, "wrong-type", f"an option is a switch, a number or a name, not {a_(kind)}")
            kind = WRONG
        value: Any = False if isinstance(kind, Switch) else kind.low if isinstance(kind, Number) else 0
        sound = not isinstance(kind, Wrong)
        if isinstance(start, Leaf) and sound:
            found = data_value(s, start.value, kind)
            sound = found is not WRONG
            value = found if sound else value
        elif start is not None and not isinstance(kind, Wrong):
            s.faults.add(start.place, "wrong-form", "an option starts with one value", f"{entry.name}: {{start: …}}")
        s.declare(Symbol("option", entry.name, entry.place, value, kind))
        made.append(Option(entry.name, kind, value, text_of(entry.item, "says"), entry.place))
        _setting(s, made[-1], sound)
    return made


def _setting(s: Scope, option: Option, sound: bool) -> None:
    """See that an option is set, and to something of its type, which other options may have narrowed."""
    if option.name not in s.settings:
        s.settings = {**s.settings, option.name: option.start}
    value, kind = s.settings[option.name], option.type
    if sound and isinstance(kind, Number) and not kind.low <= value <= kind.high:
        s.faults.add(option.place, "out-of-range",
                     f"`{option.name}` is {value} here, and only {describe(kind)} is possible",
                     "other options narrow its range: choose them so that they fit together")


def declare_components(s: Scope, section: Branch) -> list[dict[str, Any]]:
    """The components, each with its supply as a variable."""
    made = []
    for entry in section:
        if not isinstance(entry.item, Branch):
            continue
        kinds, each = entry.item.get("kinds"), entry.item.get("each")
        kind: Type = WRONG
        if isinstance(kinds, Leaf):
            form = {"name": "t_name", "range": "t_range"}.get(kinds.value.kind)
            if form is not None:
                kind = type_of(s, Syntax(form, kinds.value.parts, kinds.place))
            else:
                s.faults.add(kinds.place, "wrong-form", "`kinds:` names a type, or a range of numbers",
                             f"{entry.name}: {{kinds: Color, each: 1}}")
        else:
            s.faults.add(entry.place, "missing", f"the component `{entry.name}` needs `kinds:`",
                         f"{entry.name}: {{kinds: …, each: 1}}")
        if not isinstance(kind, Wrong) and not is_scalar(kind):
            s.faults.add(entry.place, "wrong-type", f"material is of single kinds, not {a_(kind)}")
            kind = WRONG
        if not isinstance(kind, Wrong) and size_of(kind) > MOST_IN_A_SET:
            s.faults.add(entry.place, "too-large", f"material of {size_of(kind):,} kinds is too much",
                         f"{MOST_IN_A_SET:,} at most")
            kind = WRONG
        number = constant_number(s, each.value) if isinstance(each, Leaf) else 1
        number = 1 if number is None else number
        total = 0 if isinstance(kind, Wrong) else number * size_of(kind)
        if number < 0 or total > MOST_IN_A_BAG:
            s.faults.add(each.place if each is not None else entry.place, "too-large",
                         f"there cannot be {number:,} of each kind", f"0 to {MOST_IN_A_BAG:,} in all")
            number, total = 1, 0 if isinstance(kind, Wrong) else size_of(kind)
        info = {"each": number, "total": total, "entry": entry}
        s.may_name(entry.name, entry.place)
        s.components[entry.name] = Symbol("component", entry.name, entry.place, info, kind)
        made.append(info)
    return made


def finish_components(s: Scope, infos: list[dict[str, Any]]) -> list[Component]:
    """The components, and who sees into their supplies; how these begin is told by all the rules (`material`)."""
    made = []
    for info in infos:
        entry = info["entry"]
        kind = s.components[entry.name].type if entry.name in s.components else WRONG
        if isinstance(kind, Wrong):
            continue
        supply = s.symbols[f"supply of {entry.name}"].item
        secret = any(v.seen is not None for v in s.variables if material_of(v.type) == entry.name)
        # nobody sees what is left of a material that somebody hides, but how much that is
        seen, sizes = (E("const", SWITCH, (), False), E("const", SWITCH, (), True)) if secret else (None, None)
        s.variables[supply] = replace(s.variables[supply], seen=seen, size_seen=sizes)
        made.append(Component(entry.name, kind, info["each"], (), entry.place))
    return made


def declare_tables(s: Scope, section: Branch) -> None:
    """Constants by index."""
    for entry in section:
        params = params_of(s, entry)
        item = entry.item
        leaf = item.get("type") if isinstance(item, Branch) else None
        kind: Type = type_of(s, leaf.value) if isinstance(leaf, Leaf) else WRONG
        if leaf is None:
            s.faults.add(entry.place, "missing", f"the table `{entry.name}` needs `type:`")
        types = _index_types(s, entry, params)
        values = None
        given = item.get("is") if isinstance(item, Branch) else None
        if given is None:
            s.faults.add(entry.place, "missing", f"the table `{entry.name}` needs its values, `is:`")
        elif not isinstance(kind, Wrong) and not any(isinstance(k, Wrong) for k in types):
            values = table_values(s, given, types, kind)
        if values is None:
            kind = WRONG
        s.tables.append(Table(entry.name, types, kind, values or ()))
        s.declare(Symbol("table", entry.name, entry.place, len(s.tables) - 1, kind))


def _index_types(s: Scope, entry: Entry, params: list[tuple[str, Type]]) -> tuple[Type, ...]:
    """The types of indices; all WRONG, with a fault, if they cannot be ones."""
    types = tuple([kind for _, kind in params])
    if any(isinstance(kind, Wrong) for kind in types):
        return (WRONG,) * len(types)
    for kind in types:
        if not is_scalar(kind):
            s.faults.add(entry.place, "wrong-type", f"an index is a single value, and this is {a_(kind)}")
            return (WRONG,) * len(types)
    if entries(types) > MOST_ENTRIES:
        s.faults.add(entry.place, "too-large", f"`{entry.name}` has {entries(types):,} entries",
                     f"{MOST_ENTRIES:,} at most")
        return (WRONG,) * len(types)
    return types


def declare_state(s: Scope, section: Branch, components: Branch | None) -> None:
    """The variables with their types; `finish_state` adds who sees them and how they begin."""
    for entry in section:
        params = params_of(s, entry)
        leaf = entry.item.get("type") if isinstance(entry.item, Branch) else None
        if leaf is None:
            s.faults.add(entry.place, "missing", f"`{entry.name}` needs a type", f"{entry.name}: {{type: switch}}")
        kind: Type = type_of(s, leaf.value) if isinstance(leaf, Leaf) else WRONG
        types = _index_types(s, entry, params)
        c = Context("state", {"viewer": Local(-1, s.seats, entry.place)})
        slots = [s.bind(c, name, index, entry.place) for name, index in params]
        if any(isinstance(k, Wrong) for k in types) or not _has_room(s, entry, types, kind):
            kind, types, slots = WRONG, (), []
        s.variables.append(Variable(entry.name, types, kind, Start("value", ()), None, None, tuple(slots),
                                    s.slot("viewer"), entry.place))
        s.declare(Symbol("variable", entry.name, entry.place, len(s.variables) - 1, kind))
    for entry in components or ():
        kind = s.components[entry.name].type if entry.name in s.components else WRONG
        if isinstance(kind, Wrong):
            continue
        total = s.components[entry.name].item["total"]
        s.variables.append(Variable(f"supply of {entry.name}", (), BagOf(kind, total, entry.name), Start("value", ()),
                                    None, None, (), s.slot("viewer"), entry.place, supply=entry.name))
        s.symbols[f"supply of {entry.name}"] = Symbol("variable", f"supply of {entry.name}", entry.place,
                                                      len(s.variables) - 1, s.variables[-1].type)


def _has_room(s: Scope, entry: Entry, types: tuple[Type, ...], kind: Type) -> bool:
    """Whether a variable of sets, bags or decks is small enough to be held; a fault if not."""
    parts = kind.most if isinstance(kind, DeckOf) else size_of(kind.of) if isinstance(kind, (SetOf, BagOf)) else 1
    if entries(types) * parts <= MOST_PARTS:
        return True
    s.faults.add(entry.place, "too-large", f"`{entry.name}` is {entries(types):,} times {a_(kind)}, which is too large",
                 f"{MOST_PARTS:,} values in all at most")
    return False


def finish_state(s: Scope, section: Branch) -> None:
    """Who sees each variable and how it begins."""
    for entry in section:
        symbol = s.symbols.get(entry.name)
        if symbol is None or symbol.kind != "variable" or not isinstance(entry.item, Branch):
            continue
        v: Variable = s.variables[symbol.item]
        if isinstance(v.type, Wrong):
            continue
        names = [p.parts[0] for p in entry.signature.parts[1]] if entry.signature is not None else []
        seen = _seen(s, entry, v, names, "seen")
        sizes = _seen(s, entry, v, names, "size seen")
        s.variables[symbol.item] = replace(v, seen=seen, size_seen=sizes)
    for entry in section:
        symbol = s.symbols.get(entry.name)
        if symbol is None or symbol.kind != "variable" or not isinstance(entry.item, Branch):
            continue
        v = s.variables[symbol.item]
        if isinstance(v.type, Wrong):
            continue
        names = [p.parts[0] for p in entry.signature.parts[1]] if entry.signature is not None else []
        start = start_of(s, entry.item.get("start"), entry.name, v.index_types, v.slots, names, v.type, entry.place)
        s.variables[symbol.item] = replace(v, start=start)


def _seen(s: Scope, entry: Entry, v: Variable, names: list[str], what: str) -> E | None:
    leaf = entry.item.get(what) if isinstance(entry.item, Branch) else None
    if not isinstance(leaf, Leaf):
        return None
    c = Context(f"state.{entry.name}", {}, me=False)
    for name, slot, kind in zip(names, v.slots, v.index_types, strict=True):
        c.locals[name] = Local(slot, kind, entry.place)
    c.locals["viewer"] = Local(v.viewer_slot, s.seats, entry.place)
    e = condition(s, c, leaf.value)
    if isinstance(e.type, Wrong):
        return None
    return None if what == "seen" and _always(s, e) else e


def _always(s: Scope, e: E) -> bool:
    """Whether a condition holds with the options as they are, whoever looks."""
    if e.op in ("or", "and"):
        return (any if e.op == "or" else all)(_always(s, a) for a in e.args)
    try:
        return value_of(e, s.settings, s.shaping) is True
    except NotConstant:
        return False


# ------------------------------------------------------------------------------------------------ defines, steps


def declare_bodies(s: Scope, section: Branch, kind: str) -> None:
    """Declare defines or steps; their bodies wait until they are used."""
    for entry in section:
        s.declare(Symbol(kind, entry.name, entry.place, Body(entry)))


