"""`rulelang test`: the examples that stand in rules files, played and compared."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from rulelang.cli import exits
from rulelang.cli.arguments import UsageError, add_json, open_rules
from rulelang.cli.progress import Progress
from rulelang.cli.report import BOLD, RED, Paint, path_of, place_of

EXAMPLES = """examples:
  rulelang test rules/kakuzu.rules
  rulelang test rules/kakuzu.rules --only "zero ends the turn at once"
  rulelang test rules/kakuzu.rules --coverage --games 200

--coverage lists the clauses that made no difference: those that never held, or never refused anything, in the examples
and in --games random games. It goes by clause, never by line. After Ctrl-C it tells what was found until then."""

_GREEN = "\033[32m"


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="rules files, or built-in games")
    parser.add_argument("--only", metavar="TITLE", action="append", default=[], help="only the example of that title")
    parser.add_argument("--coverage", action="store_true", help="list the clauses that made no difference")
    parser.add_argument("--games", metavar="N", type=int, default=0, help="random games for --coverage (0)")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="for the random games (0)")
    add_json(parser, "print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Run the examples; 1 if one fails."""
    if args.games < 0:
        raise UsageError("--games is a number from 0")
    if args.games and not args.coverage:
        raise UsageError("--games goes with --coverage")
    paint = Paint(sys.stdout)
    data: list[dict[str, Any]] = []
    failed = 0
    for name in args.files:
        found = _file(open_rules(name, (), {}), args, paint)
        failed += sum(not one["holds"] for one in found["examples"])
        data.append(found)
        if "interrupted" in found:
            break
    code = exits.INTERRUPTED if "interrupted" in data[-1] else exits.NO if failed else exits.YES
    if args.json:
        print(json.dumps({"files": data, "failed": failed}, ensure_ascii=False))
    else:
        count = sum(len(one["examples"]) for one in data)
        words = f"{count} example{'s' if count != 1 else ''}"
        told = f"{failed} of {words} failed" if failed else f"{words} hold"
        if code == exits.INTERRUPTED:
            told = f"interrupted; until then {told}"
        print(paint(told, BOLD, RED if failed else _GREEN))
    return code


def _file(rules: Any, args: argparse.Namespace, paint: Paint) -> dict[str, Any]:
    """The examples of one file, and its coverage."""
    from rulelang.proving.coverage import Covered, random_games
    from rulelang.proving.examples import run_example
    from rulelang.proving.positions import Examples

    covered = Covered() if args.coverage else None
    examples = Examples(rules, covered.coverage if covered is not None else None)
    titles = _titles(list(examples.forms), args.only)
    outcomes: list[dict[str, Any]] = []
    found: dict[str, Any] = {"file": path_of(str(rules.path)), "examples": outcomes}
    with Progress() as progress:
        try:
            for number, title in enumerate(titles, 1):
                progress.say(f"{path_of(str(rules.path))}: example {number} of {len(titles)}")
                outcome = run_example(examples, title)
                outcomes.append(_outcome_data(outcome))
                progress.clear()
                if not args.json:
                    print("\n".join(_outcome_lines(outcome, paint)), flush=True)
            if covered is not None:
                random_games(rules, covered, args.games, args.seed,
                             lambda n: progress.say(f"game {n} of {args.games}"))
        except KeyboardInterrupt:
            found["interrupted"] = True
    if covered is not None:
        found["coverage"] = _coverage_data(covered)
        if not args.json:
            print("\n".join(_coverage_lines(rules, covered, len(outcomes))))
    return found


def _titles(all_titles: list[str], wanted: list[str]) -> list[str]:
    from rulelang.source.diagnostic import did_you_mean

    for title in wanted:
        if title not in all_titles:
            hint = did_you_mean(title, all_titles)
            raise UsageError(f"there is no example `{title}`", hint)
    return [title for title in all_titles if not wanted or title in wanted]


def _outcome_lines(outcome: Any, paint: Paint) -> list[str]:
    if outcome.holds:
        return [f"{paint('holds', _GREEN)}  {outcome.title}"]
    lines = [f"{paint('FAILS', BOLD, RED)}  {outcome.title}"]
    for problem in outcome.problems:
        lines.append(f"   {place_of(problem.place)}: {problem.message}")
        lines += [f"      {line}" for line in problem.details]
    return lines


def _outcome_data(outcome: Any) -> dict[str, Any]:
    return {
        "title": outcome.title, "holds": outcome.holds, "line": outcome.place.line,
        "problems": [
            {"file": path_of(p.place.file), "line": p.place.line, "column": p.place.column, "message": p.message,
             "details": list(p.details)}
            for p in outcome.problems
        ],
    }


def _coverage_lines(rules: Any, covered: Any, examples: int) -> list[str]:
    silent = covered.silent()
    rows = covered.rows()
    over = f"{examples} example{'s' if examples != 1 else ''}"
    over += f" and {covered.games} random games" if covered.games else ""
    lines = [f"{path_of(str(rules.path))}: {len(rows) - len(silent)} of {len(rows)} parts mattered in {over}"]
    width = max((len(f"{place_of(place)}") for _, place, _ in silent), default=0)
    lines += [f"   {place_of(place):<{width}}  {what:<12}  {name}" for name, place, what in silent]
    if covered.stopped:
        lines.append(f"   {covered.stopped} of the games were stopped by a fault: {covered.fault}")
    if covered.guessed:
        names = ", ".join(f"`{name}`" for name in sorted(covered.guessed))
        lines.append(f"   answered yes or no by chance, since no model is named: {names}")
    return lines


def _coverage_data(covered: Any) -> dict[str, Any]:
    return {
        "games": covered.games, "stopped": covered.stopped,
        "parts": [
            {"part": name, "file": path_of(place.file), "line": place.line, **counts}
            for name, place, counts in covered.rows()
        ],
    }
