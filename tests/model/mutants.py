"""Rules files changed at random: words and numbers exchanged, taken out or doubled, lines put elsewhere."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

DRAFTS = Path(__file__).parents[1] / "drafts"
_TOKEN = re.compile(r'"[^"\n]*"|[^\W\d]\w*|\d+|:=|\+=|-=|\.\.|[<>!]=|[^\w\s]')
_OPERATORS = ("+", "-", "*", "/", "mod", "=", "!=", "<", ">=", "and", "or", "in", "not in", "within", "meets", "holds",
              "without", "also in", "is", "is not", "is a", "..", "if", "of", ",")
_ATOMS = ("none", "empty", "on", "off", "0", "1", "-1", "99999", "me", "player 1", "player 9", "Cell", "Player",
          "Direction", "left", "count", "sum", "kinds", "highest", "first", "rows", "rim", "lanes", "moves", "viewer",
          "times", "supply")


def mutated(text: str, random: Random, most: int = 4) -> str:
    """The text with up to `most` changes."""
    for _ in range(random.randint(1, most)):
        found = list(_TOKEN.finditer(text))
        if not found:
            return text
        one, other = random.choice(found), random.choice(found)
        text = _change(text, one, other, random)
    return text


def _change(text: str, one: re.Match[str], other: re.Match[str], random: Random) -> str:
    start, end, word = one.start(), one.end(), one.group()
    match random.randrange(8):
        case 0:
            new = other.group()
        case 1:
            new = ""
        case 2:
            new = f"{word} {random.choice(_OPERATORS)} {other.group()}"
        case 3:
            new = random.choice(_ATOMS)
        case 4:
            new = f"({word})" if random.random() < 0.5 else f"{{{word}}}"
        case 5:
            new = f"{random.choice(_ATOMS)} of {word}"
        case 6:
            new = str(int(word) + random.choice((-3, -1, 1, 40))) if word.isdecimal() else other.group()
        case _:      # a line in the place of another, as far indented
            lines = text.split("\n")
            i, j = random.randrange(len(lines)), random.randrange(len(lines))
            lines[i] = lines[i][:len(lines[i]) - len(lines[i].lstrip())] + lines[j].lstrip()
            return "\n".join(lines)
    return text[:start] + new + text[end:]
