"""What a game declares: options, components, tables, state, defines and steps.

Types are worked out first, for everything; then bodies, on demand: a define is elaborated when it is first used, so
that they may stand in any order, and one that needs itself is found.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulelang.model.bodies import Body, params_of
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
    Named,
    Number,
    Switch,
    Type,
    Wrong,
    describe,
    is_scalar,
    size_of,
)
from rulelang.syntax.trees import Branch, Entry, Leaf, Syntax

MOST_ENTRIES = 1 << 16


def declare_options(s: Scope, section: Branch) -> list[Option]:
    """The options, with their values in `s.settings` checked."""
    made: list[Option] = []
    for entry in section:
        if not isinstance(entry.item, Branch):
            continue
        leaf, start = entry.item.get("type"), entry.item.get("start")
        kind: Type = type_of(s, leaf.value) if isinstance(leaf, Leaf) else SWITCH
        if not isinstance(kind, (Switch, Number, Named, Wrong)):
            s.faults.add(entry.place, "wrong-type", f"an option is a switch, a number or a name, not a {describe(kind)}")
            kind = WRONG
        value: Any = False if isinstance(kind, Switch) else kind.low if isinstance(kind, Number) else 0
        if isinstance(start, Leaf) and not isinstance(kind, Wrong):
            found = data_value(s, start.value, kind)
            value = value if found is WRONG else found
        s.declare(Symbol("option", entry.name, entry.place, value, kind))
        made.append(Option(entry.name, kind, value, text_of(entry.item, "says"), entry.place))
    return made


def declare_components(s: Scope, section: Branch) -> list[dict[str, Any]]:
    """The components, each with its supply as a variable."""
    made = []
    for entry in section:
        if not isinstance(entry.item, Branch):
            continue
        kinds, each = entry.item.get("kinds"), entry.item.get("each")
        kind: Type = WRONG
        if isinstance(kinds, Leaf):
            kind = type_of(s, Syntax("t_name", kinds.value.parts, kinds.place)) if kinds.value.kind == "name" else WRONG
            if kinds.value.kind == "range":
                kind = type_of(s, Syntax("t_range", kinds.value.parts, kinds.place))
        else:
            s.faults.add(entry.place, "missing", f"the component `{entry.name}` needs `kinds:`",
                         f"{entry.name}: {{kinds: …, each: 1}}")
        if not isinstance(kind, Wrong) and not is_scalar(kind):
            s.faults.add(entry.place, "wrong-type", f"material is of single kinds, not a {describe(kind)}")
            kind = WRONG
        number = constant_number(s, each.value) if isinstance(each, Leaf) else 1
        number = 1 if number is None else number
        if not 0 <= number <= 1000:
            s.faults.add(entry.place, "too-large", "there are up to 1,000 of each kind")
            number = 1
        total = 0 if isinstance(kind, Wrong) else number * size_of(kind)
        info = {"each": number, "total": total, "entry": entry}
        s.may_name(entry.name, entry.place)
        s.components[entry.name] = Symbol("component", entry.name, entry.place, info, kind)
        made.append(info)
    return made


def finish_components(s: Scope, infos: list[dict[str, Any]]) -> list[Component]:
    """The supply of each component, and what holds it. The variables are declared."""
    made = []
    for info in infos:
        entry = info["entry"]
        kind = s.components[entry.name].type if entry.name in s.components else WRONG
        if isinstance(kind, Wrong):
            continue
        holders = [i for i, v in enumerate(s.variables) if isinstance(v.type, BagOf) and v.type.component == entry.name]
        supply = s.symbols[f"supply of {entry.name}"].item
        left = [info["each"]] * size_of(kind)
        for i in holders:
            if i == supply:
                continue
            for held in s.variables[i].start.values:
                for k, n in enumerate(held):
                    left[k] -= n
        if min(left) < 0:
            s.faults.add(entry.place, "too-many", f"the state begins with more of `{entry.name}` than there are in the box")
            left = [max(0, n) for n in left]
        old = s.variables[supply]
        secret = any(s.variables[i].seen is not None for i in holders if i != supply)
        seen = E("const", SWITCH, (), False) if secret else None
    
        s.variables[supply] = replace(old, start=Start("value", (tuple(left),)), seen=seen)
        made.append(Component(entry.name, kind, info["each"], tuple(holders), entry.place))
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
        types = tuple(k for _, k in params)
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


def declare_state(s: Scope, section: Branch, components: Branch | None) -> None:
    """The variables with their types; `finish_state` adds who sees them and how they begin."""
    for entry in section:
        params = params_of(s, entry)
        leaf = entry.item.get("type") if isinstance(entry.item, Branch) else None
        if leaf is None:
            s.faults.add(entry.place, "missing", f"`{entry.name}` needs a type", f"{entry.name}: {{type: switch}}")
        kind: Type = type_of(s, leaf.value) if isinstance(leaf, Leaf) else WRONG
        types = tuple(k for _, k in params)
        slots: list[int] = []
        for name, index in params:
            s.may_name(name, entry.place)
            if not isinstance(index, Wrong) and not is_scalar(index):
                s.faults.add(entry.place, "wrong-type", f"an index is a single value, and this is a {describe(index)}")
                types = (WRONG,)
            slots.append(s.slot(name))
        if any(isinstance(k, Wrong) for k in types):
            kind, types = WRONG, ()
            slots = []
        elif entries(types) > MOST_ENTRIES:
            s.faults.add(entry.place, "too-large", f"`{entry.name}` has {entries(types):,} entries",
                         f"{MOST_ENTRIES:,} at most")
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
    return None if what == "seen" and e.op == "const" and e.data is True else e


# ------------------------------------------------------------------------------------------------ defines, steps


def declare_bodies(s: Scope, section: Branch, kind: str) -> None:
    """Declare defines or steps; their bodies wait until they are used."""
    for entry in section:
        s.declare(Symbol(kind, entry.name, entry.place, Body(entry)))


