"""`rulelang list`: the games that come with rulelang."""

from __future__ import annotations

import argparse
import json
from typing import Any

from rulelang.cli import exits
from rulelang.cli.arguments import add_json, span

EXAMPLES = """examples:
  rulelang list
  rulelang list --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    add_json(parser, "print one JSON object")


def run(args: argparse.Namespace) -> int:
    """List the games; exit code 1 if one of them cannot be loaded."""
    games = [_about(name) for name in _names()]
    if args.json:
        print(json.dumps({"games": games}, ensure_ascii=False))
    else:
        width = max((len(game["name"]) for game in games), default=0)
        for game in games:
            about = game.get("error") or f"{game['title']}, {game['players']} players"
            names = f" · variants: {', '.join(game['variants'])}" if game.get("variants") else ""
            print(f"{game['name']:<{width}}  {about}{names}")
    return exits.NO if any("error" in game for game in games) else exits.YES


def _names() -> list[str]:
    from rulelang.loading import builtin_games

    return list(builtin_games())


def _about(name: str) -> dict[str, Any]:
    from rulelang.loading import load
    from rulelang.source.diagnostic import RulesError

    try:
        rules = load(name)
    except RulesError as error:
        return {"name": name, "error": str(error.diagnostics[0].message)}
    return {
        "name": name, "title": rules.title, "players": span(rules.player_counts),
        "variants": [variant for variant, _ in rules.variants],
        "options": [option.name for option in rules.options], "path": str(rules.path),
    }
