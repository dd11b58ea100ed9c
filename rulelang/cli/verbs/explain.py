"""`rulelang explain`: whether a move is legal, and by which line of the rules."""

from __future__ import annotations

import argparse
import json
from typing import Any

from rulelang.cli import exits
from rulelang.cli.arguments import UsageError, add_choices, add_json, open_position
from rulelang.cli.endings import Refused

EXAMPLES = """examples:
  rulelang explain kakuzu.game "pick e5"              in the position where a saved game stands
  rulelang explain kakuzu.game "pick e5" --after 12   in the position after its first twelve happenings
  rulelang explain rules/chess.rules "move b1 d2"     in the position at the start"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    parser.add_argument("file", metavar="SAVE", help="a saved game, or a rules file")
    parser.add_argument("move", metavar="MOVE", help="the move, as it would be typed at the table")
    parser.add_argument("--after", metavar="N", type=int, help="after so many moves and answers of the saved game")
    parser.add_argument("--seat", metavar="N", dest="seat", help="for this seat; else for the one that is to move")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="for the start of a rules file (0)")
    add_choices(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Explain; 1 if the move is not legal."""
    from rulelang.engine import AmbiguousMove, UnreadableMove
    from rulelang.table.explaining import explanation_data, explanation_lines, refusal_data

    if not args.move.strip():
        raise UsageError("which move? name one as it would be typed at the table")
    state = open_position(args)
    if state.over:
        raise Refused("the game is over, nothing can be moved")
    if state.question is not None:
        raise Refused(f"the table has to answer first: {state.question.text}")
    seat = _seat(args, state)
    try:
        found = state.explain(args.move, seat)
    except (AmbiguousMove, UnreadableMove) as error:
        raise Refused(str(error), data=refusal_data(error)) from error
    if args.json:
        print(json.dumps({"move": args.move, "seat": seat + 1, **explanation_data(found)}, ensure_ascii=False))
    else:
        print("\n".join(explanation_lines(found)))
    return exits.YES if found.legal else exits.NO


def _seat(args: argparse.Namespace, state: Any) -> int:
    from rulelang.table.seats import SeatError, seat_number

    if args.seat is None:
        return int(state.to_act[0])
    try:
        return seat_number(args.seat, state.game.seats)
    except SeatError as error:
        raise UsageError(str(error)) from error
