"""The machine as lists and maps of plain values, for tools in other languages and for reading."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from rulelang.machine.layout import Field
from rulelang.machine.nodes import Entries, Machine, Node
from rulelang.model.game import Action, Clause, Phase, Variable
from rulelang.model.ir import E, JudgeCall, S, Target, Text
from rulelang.model.types import (
    BagOf,
    DeckOf,
    ListOf,
    Maybe,
    Named,
    Number,
    Record,
    SetOf,
    Type,
    describe,
)
from rulelang.source.diagnostic import Place

Plain = Any


def machine_to_json(machine: Machine) -> dict[str, Any]:
    """Everything an engine needs, without Python objects. Lists begin with what they are; places are
    [file, line, column]."""
    game = machine.game
    return {
        "title": game.title,
        "seats": list(game.seats),
        "settings": dict(game.settings),
        "size": machine.size,
        "names": {name: list(kind.members) for name, kind in game.types.items() if isinstance(kind, Named)},
        "fields": [{**field_to_json(field), **_variable(variable)}
                   for field, variable in zip(machine.fields, game.variables, strict=True)],
        "slots": list(machine.slot_names),
        "streams": list(machine.streams),
        "tables": [{"name": table.name, "index": [type_to_json(kind) for kind in table.index_types],
                    "type": type_to_json(table.type), "values": value_to_json(table.values)} for table in game.tables],
        "defines": [{"name": define.name, "slots": list(define.slots), "body": e_to_json(define.body),
                     "place": place_to_json(define.place)} for define in game.defines],
        "steps": [{"name": step.name, "slots": list(step.slots), "body": block_to_json(step.body),
                   "place": place_to_json(step.place)} for step in game.steps],
        "actions": [_action(action) for action in game.actions],
        "phases": [_phase(phase) for phase in game.phases],
        "ends": [{"name": end.name, "when": e_to_json(end.when)} for end in game.ends],
        "ranks": [{"name": rank.name, "highest": rank.highest, "slot": rank.slot, "value": e_to_json(rank.value)}
                  for rank in ((game.result,) if game.result is not None else game.ranks)],
        "positions": [{"name": position.name, "variables": list(position.variables), "me": position.with_me}
                      for position in game.positions],
        "limit": None if game.limit is None else e_to_json(game.limit[0]),
        "clock": None if game.clock is None else e_to_json(game.clock[0]),
        "invariants": [{"name": name, "holds": e_to_json(e)} for name, e in game.invariants],
        "nodes": [_node(node) for node in machine.nodes],
        "entries": {f.name: value_to_json(getattr(machine.entries, f.name)) for f in fields(Entries)},
    }


def field_to_json(field: Field) -> dict[str, Any]:
    """A variable's place in the flat state."""
    return {"name": field.name, "offset": field.offset, "length": field.length, "sizes": list(field.sizes),
            "strides": list(field.strides), "index": [type_to_json(kind) for kind in field.index_types],
            "type": type_to_json(field.type)}


def type_to_json(kind: Type) -> Plain:
    """A type: a word, or a list that begins with one."""
    match kind:
        case Number(low, high):
            return ["number", low, high]
        case Named(name, members):
            return ["named", name, len(members)]
        case Record(name, parts):
            return ["record", name, [[part, type_to_json(of)] for part, of in parts]]
        case Maybe(of):
            return ["maybe", type_to_json(of)]
        case SetOf(of):
            return ["set", type_to_json(of)]
        case BagOf(of, most, component):
            return ["bag", type_to_json(of), most, component]
        case DeckOf(of, most, component):
            return ["deck", type_to_json(of), most, component]
        case ListOf(of):
            return ["list", type_to_json(of)]
    return describe(kind).split()[0]


def e_to_json(e: E | None) -> Plain:
    """An expression: [operation, data, arguments …]; `data` is null where the operation has none."""
    if e is None:
        return None
    return [e.op, value_to_json(e.data), *(e_to_json(a) for a in e.args)]


def s_to_json(s: S) -> dict[str, Any]:
    """A statement: what it has, and its place."""
    found: dict[str, Any] = {"op": s.op, "place": place_to_json(s.place)}
    if s.args:
        found["args"] = [e_to_json(a) for a in s.args]
    for name, target in (("target", s.target), ("source", s.source)):
        if isinstance(target, Target):
            found[name] = {"var": target.var, "index": [e_to_json(a) for a in target.index], "whole": target.whole}
    if s.body:
        found["body"] = block_to_json(s.body)
    if s.orelse:
        found["else"] = block_to_json(s.orelse)
    if s.data is not None:
        found["data"] = value_to_json(s.data)
    if s.stream:
        found["stream"] = s.stream
    return found


def block_to_json(block: tuple[S, ...] | None) -> Plain:
    """A block's statements."""
    return None if block is None else [s_to_json(s) for s in block]


def place_to_json(place: Place) -> Plain:
    """[file, line, column]."""
    return [place.file, place.line, place.column]


def value_to_json(value: Any) -> Plain:
    """Constants and data of any form."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Text):
        return [part if isinstance(part, str) else {"value": e_to_json(part)} for part in value.parts]
    if isinstance(value, JudgeCall):
        return {"slot": value.slot, "model": value.model, "name": value.name, "question": value_to_json(value.question)}
    if isinstance(value, Type):
        return type_to_json(value)
    if isinstance(value, (tuple, list)):
        return [value_to_json(one) for one in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: value_to_json(getattr(value, f.name)) for f in fields(value)}
    raise TypeError(f"{value!r} has no plain form")


def _variable(variable: Variable) -> dict[str, Any]:
    """How a variable begins and who sees it; left out where everybody does."""
    start: Plain = variable.start.kind
    if start == "value":
        start = ["value", value_to_json(variable.start.values)]
    elif variable.start.expr is not None:
        start = [start, e_to_json(variable.start.expr)]
    found: dict[str, Any] = {"start": start, "slots": list(variable.slots), "viewer": variable.viewer_slot}
    for name in ("seen", "size_seen"):
        if getattr(variable, name) is not None:
            found[name] = e_to_json(getattr(variable, name))
    return found


def _node(node: Node) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": node.kind, "rule": node.rule, "place": place_to_json(node.place)}
    for name in ("next", "other", "slot", "element", "var", "phase"):
        if getattr(node, name) >= 0:
            found[name] = getattr(node, name)
    if node.body:
        found["body"] = block_to_json(node.body)
    for name in ("test", "domain"):
        if getattr(node, name) is not None:
            found[name] = e_to_json(getattr(node, name))
    if node.statement is not None:
        found["statement"] = s_to_json(node.statement)
    if node.block:
        found["block"] = node.block
        found["keeps_me"] = node.keeps_me
    if node.live:
        found["live"] = list(node.live)
    return found


def _clause(clause: Clause) -> dict[str, Any]:
    found: dict[str, Any] = {"name": clause.name, "kind": clause.kind, "place": place_to_json(clause.place)}
    if clause.sentence is not None:
        found["sentence"] = value_to_json(clause.sentence)
    if clause.slot >= 0:
        found["slot"] = clause.slot
    if clause.type is not None:
        found["type"] = type_to_json(clause.type)
    for name in ("domain", "where", "value"):
        if getattr(clause, name) is not None:
            found[name] = e_to_json(getattr(clause, name))
    if clause.amount is not None:
        found["amount"] = [e_to_json(e) for e in clause.amount]
    if clause.optional:
        found["optional"] = True
    if clause.secret:
        found["secret"] = True
    if clause.effects:
        found["effects"] = block_to_json(clause.effects)
    return found


def _action(action: Action) -> dict[str, Any]:
    return {"name": action.name, "says": action.says, "place": place_to_json(action.place),
            "write": value_to_json(action.write), "clauses": [_clause(clause) for clause in action.clauses]}


def _phase(phase: Phase) -> dict[str, Any]:
    who = phase.who if phase.who is None or isinstance(phase.who, str) else e_to_json(phase.who)
    return {"name": phase.name, "who": who, "actions": list(phase.actions), "must": list(phase.must),
            "chain": phase.chain, "best": [e_to_json(e) for e in phase.best], "place": place_to_json(phase.place)}
