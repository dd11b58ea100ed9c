"""Who sits where: a person, or one of the bots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulelang.source.diagnostic import RulelangError, did_you_mean

HUMAN = "human"
BOTS = ("random", "greedy", "careful")
KINDS = (HUMAN, *BOTS)


class SeatError(RulelangError):
    """A seat was given that is not there, or somebody that is nobody."""


def seat_number(text: str, names: Sequence[str]) -> int:
    """The seat that a word means: its number from 1, or its name. Counted from 0."""
    if text.isdecimal() and 1 <= int(text) <= len(names):
        return int(text) - 1
    if text in names:
        return names.index(text)
    if f"player {text}" in names:
        return names.index(f"player {text}")
    raise SeatError(_with_hint(f"there is no seat `{text}`, the seats are {', '.join(names)}", text, names))


def read_seats(texts: Iterable[str], names: Sequence[str], unsaid: Sequence[str]) -> tuple[str, ...]:
    """Who sits at each seat, after words like `2=greedy`, `white=human` or `all=random`; `unsaid` sit at the others."""
    found = list(unsaid)
    given: dict[int, str] = {}
    for text in texts:
        who, equals, kind = text.partition("=")
        if not equals:
            raise SeatError(f"`--seat {text}` is not of the form N=WHO")
        if kind not in KINDS:
            raise SeatError(_with_hint(f"`{kind}` cannot sit down: {', '.join(KINDS)} can", kind, KINDS))
        if who == "all":
            found = [kind] * len(names)
            continue
        seat = seat_number(who, names)
        if given.setdefault(seat, kind) != kind:
            raise SeatError(f"seat {seat + 1} is given to two, {given[seat]} and {kind}")
    for seat, kind in given.items():
        found[seat] = kind
    return tuple(found)


def _with_hint(message: str, word: str, known: Sequence[str]) -> str:
    hint = did_you_mean(word, known)
    return f"{message}; {hint}" if hint else message


def against_bots(count: int) -> tuple[str, ...]:
    """What a person at a terminal expects: the first seat is theirs, bots take the others."""
    return (HUMAN, *("random",) * (count - 1))
