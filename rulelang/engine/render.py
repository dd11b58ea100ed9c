"""Expressions as a person would write them, for explanations. Not the words of the file, but their meaning."""

from __future__ import annotations

from rulelang.model.game import Game
from rulelang.model.ir import E
from rulelang.model.types import show

_SIGNS = {"eq": "=", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "add": "+", "sub": "-", "mul": "*",
          "div": "/", "mod": "mod", "in": "in", "in_bag": "in", "in_list": "in", "within": "within", "meets": "meets",
          "holds": "holds", "union": "+", "plus": "+", "without": "without", "minus": "without", "both": "also in",
          "bag_both": "also in", "and": "and", "or": "or", "join_lists": "+", "deck_plus": "+"}
_WORDS = {"row": "row of", "column": "column of", "height": "height of", "neighbours": "neighbours of",
          "mirror": "mirror of", "cubes": "cubes of", "area_at": "area of"}
_SAME = frozenset({"need", "fit", "recode", "one", "one_bag", "as_bag", "kinds", "cells", "list_bag", "bag_list",
                   "lift", "recode_set", "cell_of", "number_of"})
QUANTORS = frozenset({"some", "every", "no", "no_two", "first", "last", "where", "for"})


def render(game: Game, e: E) -> str:
    """An expression as text."""
    args = [render(game, a) for a in e.args]
    match e.op:
        case "const":
            return show(e.type, e.data) if e.data is not None else "none"
        case "local":
            return game.slot_names[e.data] if e.data < len(game.slot_names) else "it"
        case "option":
            return str(e.data)
        case "get" | "layer":
            name = game.variables[e.data].name
            return f"{name}[{', '.join(args)}]" if args else name
        case "table":
            return f"{game.tables[e.data].name}[{', '.join(args)}]"
        case "call":
            name = game.defines[e.data].name
            return f"{name}({', '.join(args)})" if args else name
        case "field":
            return f"{_field_name(e)} of {args[0]}"
        case "not":
            return f"not {args[0]}"
        case "if":
            return f"{args[1]} if {args[0]} else {args[2]}"
        case "opponent":
            return f"opponent of {args[0]}"
        case "legal_moves":
            return "count of moves"
        case "set_of" | "bag_of":
            return "{" + ", ".join(args) + "}"
        case "range":
            return f"{args[0]}..{args[1]}"
        case "neg":
            return f"-{args[0]}"
        case "rays":
            return f"ray({', '.join(args)})"
        case "record":
            return f"{getattr(e.type, 'name', '')}({', '.join(args)})"
        case "next_seat":
            return f"{'left' if e.data == 1 else 'right'} of {args[0]}"
        case "is_part":
            return f"the kind of {args[0]}"
        case "times":
            return f"times({game.positions[e.data].name})"
        case "count" | "sum" | "highest" | "lowest":
            return f"{e.op} of {args[0]}"
    if e.op in _SIGNS:
        return f" {_SIGNS[e.op]} ".join(args)
    if e.op in _WORDS:
        return f"{_WORDS[e.op]} {args[0]}"
    if e.op in _SAME:
        return args[0]
    if e.op in QUANTORS:
        name = game.slot_names[e.data] if e.data < len(game.slot_names) else "x"
        return f"{e.op.replace('_', ' ')} {name} in {args[0]} …"
    return f"{e.op}({', '.join(args)})" if args else e.op


def _field_name(e: E) -> str:
    kind = e.args[0].type
    fields = getattr(getattr(kind, "of", kind), "fields", ())
    divisor = 1
    for name, of in reversed(fields):
        if divisor == e.data[0]:
            return str(name)
        from rulelang.model.types import size_of

        divisor *= size_of(of)
    return "part"


def parts(e: E) -> list[E]:
    """The parts of a condition whose values say why it fails: what is compared or asked, down to single values."""
    if e.op in ("and", "or", "not"):
        return [part for a in e.args for part in parts(a)]
    if e.op in ("eq", "ne", "lt", "le", "gt", "ge", "in", "in_bag", "in_list", "within", "meets", "holds"):
        return [a for a in e.args if a.op not in ("const", "option")]
    return [e] if e.op not in ("const", "option") else []
