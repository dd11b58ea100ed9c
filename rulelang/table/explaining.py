"""Why a move is legal or not, in words and for machines."""

from __future__ import annotations

import os
from typing import Any

from rulelang.engine import AmbiguousMove, ClauseOutcome, Explanation, IllegalMove, MoveError, UnreadableMove, quoted
from rulelang.source.diagnostic import Place

_LONGEST = 120
_CLOSES = {"{": "}", "[": "]", "(": ")"}
_MARKS = {True: "holds", False: "fails", None: "not asked"}


def explanation_lines(found: Explanation) -> list[str]:
    """The verdict, then each clause in its order: whether it holds, its sentence, its place in the rules."""
    said = quoted(found.text)
    verdict = f"{said} is legal" if found.legal else f"{said} is not legal: {found.reason}"
    if not found.legal and found.place is not None and found.failed is None:
        verdict += f" ({where(found.place)})"
    asked = [f"the table is then asked: {found.judged[0]}", f"   {found.judged[1]}"] if found.judged else []
    return [verdict, *asked, *_action_lines(found)]


def _action_lines(found: Explanation) -> list[str]:
    if not found.action:
        return []
    lines = [f"{found.action}:"]
    width = max((len(clause.name) for clause in found.clauses), default=0)
    for clause in found.clauses:
        mark = _MARKS[clause.holds]
        lines.append(f"  {mark:<9}  {clause.name:<{width}}  {where(clause.place)}  {_said(clause)}".rstrip())
        lines += [f"    {' ' * 9}  {text} is {shortened(value)}" for text, value in clause.values]
    for other in found.others:
        lines.append(f"or {other.action}: {other.reason}")
    return lines


def _said(clause: ClauseOutcome) -> str:
    """The clause's sentence, which is what it says when it refuses."""
    if not clause.sentence:
        return ""
    return clause.sentence if clause.holds is False else f"(else: {clause.sentence})"


def refusal_lines(error: MoveError) -> list[str]:
    """What stands below the message of a move that was refused."""
    if isinstance(error, IllegalMove):
        failed = error.explanation.failed
        place = failed.place if failed is not None else error.explanation.place
        lines = []
        if failed is not None:
            lines.append(f"by the clause `{failed.name}` of `{error.explanation.action}`, {where(failed.place)}")
            lines += [f"{text} is {shortened(value)}" for text, value in failed.values]
        elif place is not None:
            lines.append(f"by {where(place)}")
        return lines + [f"or {other.action}: {other.reason}" for other in error.explanation.others]
    return []


def shortened(text: str) -> str:
    """A value that is told in a line: of many things only the first."""
    if len(text) <= _LONGEST:
        return text
    whole = 1 if _CLOSES.get(text[0]) == text[-1] else 0
    depth, ends = 0, []
    for at, letter in enumerate(text):
        depth += (letter in _CLOSES) - (letter in _CLOSES.values())
        if letter == "," and depth == whole:
            ends.append(at)
    kept = max((end for end in ends if end < _LONGEST // 2), default=0)
    if not kept:
        return text[:_LONGEST] + "…"
    return f"{text[:kept]}, …{text[-1] if whole else ''} ({len(ends) + 1} in all)"


def where(place: Place) -> str:
    """`file:line`, the file as seen from here if that is shorter."""
    try:
        near = os.path.relpath(place.file)
    except ValueError:
        near = place.file
    return f"{near if len(near) < len(place.file) else place.file}:{place.line}"


def explanation_data(found: Explanation) -> dict[str, Any]:
    """An explanation for machines."""
    return {
        "legal": found.legal, "action": found.action or None, "reason": found.reason,
        "place": _place_data(found.place) or None,
        **({"judged": {"question": found.judged[0], "answer": found.judged[1]}} if found.judged else {}),
        "clauses": [_clause_data(clause) for clause in found.clauses],
        "others": [{"action": other.action, "reason": other.reason} for other in found.others],
    }


def refusal_data(error: MoveError) -> dict[str, Any]:
    """A refused move for machines: `kind` is illegal, unreadable or ambiguous."""
    if isinstance(error, IllegalMove):
        failed = error.explanation.failed
        clause = failed.name if failed is not None else None
        return {"kind": "illegal", "message": str(error), "clause": clause, **explanation_data(error.explanation)}
    if isinstance(error, AmbiguousMove):
        return {"kind": "ambiguous", "message": str(error), "candidates": list(error.candidates)}
    if isinstance(error, UnreadableMove):
        return {"kind": "unreadable", "message": str(error), "suggestions": list(error.suggestions)}
    return {"kind": "move", "message": str(error)}


def _clause_data(clause: ClauseOutcome) -> dict[str, Any]:
    return {
        "name": clause.name, "kind": clause.kind, "sentence": clause.sentence, "holds": clause.holds,
        "values": dict(clause.values), **_place_data(clause.place),
    }


def _place_data(place: Place | None) -> dict[str, Any]:
    return {} if place is None else {"file": where(place).rpartition(":")[0], "line": place.line}
