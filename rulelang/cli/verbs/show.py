"""`rulelang show`: what a rules file is made of."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from rulelang.cli import exits
from rulelang.cli.arguments import UsageError, add_game, add_json, open_game, open_position, players_of, span
from rulelang.cli.report import place_of

EXAMPLES = """examples:
  rulelang show rules/kakuzu.rules                                     players, options, variants, phases, actions
  rulelang show rules/kakuzu.rules --assumptions                       what the rulebook leaves open
  rulelang show rules/kakuzu.rules --machine --format mermaid          how phase leads to phase, as a diagram
  rulelang show rules/kakuzu.rules --board --format svg > board.svg    the board as a picture
  rulelang show kakuzu.game --board --after 12                         the board of a saved game after twelve moves"""

_FORMATS = {"summary": ("text",), "board": ("text", "mermaid", "svg"), "machine": ("text", "mermaid"),
            "assumptions": ("text",)}


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    add_game(parser)
    what = parser.add_mutually_exclusive_group()
    for word, text in (
        ("board", "the board, at the start or of a saved game"), ("machine", "the state machine"),
        ("assumptions", "what the rulebook leaves open and what is assumed"),
    ):
        what.add_argument(f"--{word}", action="store_const", const=word, dest="what", help=text)
    parser.add_argument("--after", metavar="N", type=int, help="the board after so many moves of a saved game")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="for the board at the start (0)")
    parser.add_argument("--format", choices=("text", "mermaid", "svg"), default="text", help="text is the default")
    add_json(parser, "print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print what was asked for."""
    what = args.what or "summary"
    if args.format not in _FORMATS[what]:
        known = " and ".join(_FORMATS[what])
        raise UsageError(f"the {what} can be shown as {known}, not as {args.format}")
    if what == "board":
        state = open_position(args)
        if args.json:
            print(json.dumps(_board_data(state.game), ensure_ascii=False))
        else:
            print("\n".join(_board(state, args.format)))
        return exits.YES
    rules = open_game(args)
    players = players_of(args, rules.player_counts)
    if args.json:
        print(json.dumps(_data(what, rules, players), ensure_ascii=False))
        return exits.YES
    lines = {"summary": _summary, "machine": _machine, "assumptions": _assumptions}[what](
        rules, players, args.format
    )
    print("\n".join(lines))
    return exits.YES


def _summary(rules: Any, players: int, style: str) -> list[str]:
    game = rules.model(players)
    lines = [f"{rules.title}, {span(rules.player_counts)} players"]
    if game.board is not None:
        lines.append(f"board: {_board_words(game.board)}")
    lines += _listed("options", [
        (option.name, f"{_type(option.type)} ({_value(option.type, game.settings[option.name])})", option.says)
        for option in rules.options
    ])
    lines += _listed("variants", [(name, "", says) for name, says in rules.variants])
    lines += _listed("phases", [
        (phase.name, ", ".join(game.actions[n].name for n in phase.actions) or "goes by itself", "")
        for phase in game.phases
    ])
    lines += _listed("actions", [
        (action.name, ", ".join(clause.name for clause in action.clauses if clause.kind != "do"), action.says)
        for action in game.actions
    ])
    lines += _listed("ends", [(end.name, place_of(end.place), "") for end in game.ends])
    return lines


def _listed(title: str, rows: list[tuple[str, str, str]]) -> list[str]:
    if not rows:
        return []
    first = max(len(row[0]) for row in rows)
    second = max(len(row[1]) for row in rows)
    return ["", f"{title}:", *(f"  {a:<{first}}  {b:<{second}}  {c}".rstrip() for a, b, c in rows)]


def _board_words(board: Any) -> str:
    sizes = "x".join(str(size) for size in board.sizes)
    return f"{board.kind} {sizes}, {len(board)} cells" if sizes else f"{board.kind}, {len(board)} points"


def _type(kind: Any) -> str:
    from rulelang.model.types import describe

    return describe(kind)


def _value(kind: Any, value: Any) -> str:
    from rulelang.model.types import show

    return show(kind, value)


def _board(state: Any, style: str) -> list[str]:
    """The board of a position, as somebody sees it who has no seat."""
    from rulelang.table.fitting import Sheet, sheet_of
    from rulelang.table.looks import look, picture

    board = state.game.board
    if board is None:
        return [f"{state.game.title} has no board"]
    if style == "mermaid":
        return _links(board)
    sheet = Sheet() if style == "svg" else sheet_of(sys.stdout)
    seen = look(state.interpreter, state.view(None), sheet)
    if style == "svg":
        return [picture(state.game, seen)]
    return ["".join(text for text, _ in line).rstrip() for line in sheet.board(board, seen.lettered())]


def _links(board: Any) -> list[str]:
    from rulelang.boards.board import bits

    lines = ["graph LR"]
    for cell, name in enumerate(board.names):
        lines.append(f'  c{cell}["{name}"]')
        lines += [f"  c{cell} --- c{other}" for other in bits(board.links[cell]) if other > cell]
    return lines


def _machine(rules: Any, players: int, style: str) -> list[str]:
    from rulelang.machine import draw

    machine = rules.machine(players)
    return (draw.mermaid(machine) if style == "mermaid" else draw.text(machine)).splitlines()


def _assumptions(rules: Any, players: int, style: str) -> list[str]:
    found = rules.model(players).assumptions
    if not found:
        return [f"{rules.title} assumes nothing beyond its rulebook"]
    lines = []
    for one in found:
        lines.append(f"{one.name}: {one.says}")
        lines.append(f"    because {one.because}" + (f"; switched by the option {one.option}" if one.option else ""))
    return lines


def _board_data(game: Any) -> dict[str, Any]:
    from rulelang.boards.board import bits

    board = game.board
    return {"game": game.title, "board": board and {
        "kind": board.kind, "sizes": list(board.sizes), "cells": list(board.names),
        "links": {name: [board.names[to] for to in bits(board.links[cell])] for cell, name in enumerate(board.names)},
    }}


def _data(what: str, rules: Any, players: int) -> dict[str, Any]:
    game = rules.model(players)
    if what == "machine":
        found: dict[str, Any] = rules.machine(players).to_json()
        return found
    if what == "assumptions":
        return {"game": rules.title, "assumptions": [
            {"name": a.name, "says": a.says, "because": a.because, "option": a.option} for a in game.assumptions
        ]}
    from rulelang.table.facts import options_data

    return {
        "game": rules.title, "players": list(rules.player_counts), "options": options_data(game),
        "variants": dict(rules.variants), "variant": list(rules.chosen),
        "phases": {phase.name: [game.actions[n].name for n in phase.actions] for phase in game.phases},
        "actions": {
            action.name: {"says": action.says, "clauses": [clause.name for clause in action.clauses]}
            for action in game.actions
        },
    }
