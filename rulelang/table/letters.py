"""By which letter each name is shown on a board: the one that the rules give it, else one that no other name has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rulelang.model.types import BagOf, DeckOf, Maybe, Named, Record, SetOf, Type


def letters_for(kinds: Iterable[Type], seats: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """A letter for each name that values of these types may be shown by, beside those that are given."""
    names: dict[str, None] = {}
    for kind in kinds:
        names |= dict.fromkeys(_names(kind, seats))
    return {**given, **dict(zip(names, short_names(list(names), given), strict=True))}


def _names(kind: Type, seats: Sequence[str]) -> Iterable[str]:
    match kind:
        case Named():
            yield from kind.members
        case Maybe() | SetOf() | BagOf() | DeckOf():
            yield from _names(kind.of, seats)
        case Record():
            for part in lettered_fields(kind, seats):
                yield from _names(part, seats)


def lettered_fields(kind: Record, seats: Sequence[str]) -> list[Type]:
    """The types of a record's fields that are shown by letters: not a seat that is told by capitals and small ones."""
    by_case = owner_by_case(kind, seats)
    return [part for n, (_, part) in enumerate(kind.fields) if n not in by_case]


def owner_by_case(kind: Record, seats: Sequence[str]) -> tuple[int, ...]:
    """Which fields of a record are a seat that is shown by capitals (the first seat) or small letters: if there are two
    seats, and another field whose letters can show it."""
    owners = tuple(n for n, (_, part) in enumerate(kind.fields) if isinstance(part, Named) and part.members == seats)
    return owners if len(seats) == 2 and len(owners) < len(kind.fields) else ()


def short_names(names: Sequence[str], given: Mapping[str, str] | None = None) -> list[str]:
    """For each name what is given, or as few letters as tell it from the others and from all that is given: `player 1`
    is 1, `knight` beside `king` is N."""
    found = {name: given[name] for name in names if name in given} if given else {}
    taken = {letter.upper() for letter in (given or {}).values()}
    open_names = [name for name in names if name not in found]
    begin = Counter(name[0] for name in open_names)
    # Rarer letters of later names may have to make way, so a name's first letter is given to the first that wants it.
    for name in sorted(open_names, key=lambda name: begin[name[0]] > 1 and len(name)):
        number = name.rpartition(" ")[2]
        letters = [letter.upper() for letter in name if letter.isalnum()]
        wanted = [*([number] if number.isdecimal() else []), *letters, *_SPARE]
        found[name] = next((letter for letter in wanted if letter not in taken), name)
        taken.add(found[name])
    return [found[name] for name in names]


_SPARE = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
