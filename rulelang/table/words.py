"""A game in words and in JSON: its title line, whose turn it is, how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulelang.model.types import Number, Switch, Type, show


def title_line(title: str, variants: Sequence[str], options: Mapping[str, str], players: int, seed: int) -> str:
    """The game, its variants, the options that were set, how many play, and the seed that gives the same game again."""
    parts = [title, *variants, *(f"{name} = {value}" for name, value in options.items())]
    parts += [f"{players} player{'s' if players != 1 else ''}", f"seed {seed}"]
    return " · ".join(parts)


def listed(texts: Sequence[str], width: int) -> list[str]:
    """Moves in lines that break between them. Commas stand between them, or where moves hold commas, points."""
    between = " · " if any("," in text for text in texts) else ", "
    lines: list[str] = []
    for text in texts:
        if lines and len(lines[-1] + between + text) < width:
            lines[-1] += between + text
            continue
        if lines:
            lines[-1] += between.rstrip()
        lines.append(text)
    return lines


def plain(value: Any) -> Any:
    """A value as JSON knows it."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    return value


def setting(kind: Type, value: Any) -> Any:
    """An option's value for JSON: numbers and switches as such, names as text."""
    return value if isinstance(kind, (Switch, Number)) else show(kind, value)


def scores_of(result: Any) -> list[Any] | None:
    """Each seat's score: a number, or a list of numbers where several things count."""
    if result is None or not result.scores or not any(result.scores):
        return None
    return [plain(score[0]) if len(score) == 1 else plain(score) for score in result.scores]


def result_line(result: Any, seats: Sequence[str], moves: int) -> str:
    """How the game ended, in one line."""
    scores = scores_of(result)
    listed = ", ".join(f"{name} {_score(score)}" for name, score in zip(seats, scores, strict=True)) if scores else ""
    if result is None or result.unfinished:
        why = f" ({result.reason})" if result is not None and result.reason else ""
        how = f"unfinished after {moves} move{'s' if moves != 1 else ''}{why}"
    elif len(seats) == 1:
        return f"result: {listed or seats[0] + (' wins' if result.winners else ' loses')}"
    elif result.tie or len(result.winners) != 1:
        winners = [seats[seat] for seat in result.winners]
        shared = len(winners) not in (0, len(seats))
        how = f"{' and '.join(winners)} win together" if shared else "a tie"
    else:
        how = f"{seats[result.winners[0]]} wins"
    return f"result: {how}{': ' + listed if listed else ''}"


def _score(score: Any) -> str:
    return " and ".join(map(str, score)) if isinstance(score, list) else str(score)


def result_data(
    *, title: str, variants: Sequence[str], options: Mapping[str, Any], players: int, seed: int, moves: Sequence[str],
    result: Any,
) -> dict[str, Any]:
    """The object that `rulelang run --json` prints; seats are counted from 1."""
    unfinished = result is None or result.unfinished
    single = not unfinished and not result.tie and len(result.winners) == 1
    return {
        "game": title, "variant": list(variants), "options": dict(options), "players": players, "seed": seed,
        "moves": list(moves), "scores": scores_of(result), "ranks": None if unfinished else list(result.ranks),
        "winner": result.winners[0] + 1 if single else None,
    }
