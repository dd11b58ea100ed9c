"""C text in the making: names and comments that a rules file cannot turn into code, and functions with their blocks.

Nothing of a rules file gets into C but through `ident` and `comment`: an identifier keeps letters, digits and
underscores behind a prefix of ours, a comment keeps a short list of harmless characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rulelang.model.ir import E
from rulelang.source.diagnostic import Place

_ATOM = re.compile(r"^(?:[A-Za-z_]\w*(?:(?:->|\.)\w+)*|-?\d+|\(-\d+\))$")


def ident(prefix: str, name: str) -> str:
    """A C identifier that begins with a prefix of ours and reminds of a name of the rules."""
    return prefix + "_" + re.sub(r"[^A-Za-z0-9_]", "_", name)[:40]


def comment(text: str) -> str:
    """A text of the rules as a C comment."""
    return "/* " + re.sub(r"[^A-Za-z0-9 _.,:;()=<>+\[\]-]", "_", text)[:100] + " */"


def place_comment(place: Place, text: str = "") -> str:
    """Where a part stands in the rules."""
    name = place.file.replace("\\", "/").rsplit("/", 1)[-1]
    return comment(f"{name}:{place.line} {text}")


class Fn:
    """A C function being written: its lines, the C names of the locals of the rules (`env`), what has been computed in
    the blocks that are open (`known`), the state that it reads and who acts."""

    def __init__(self, state: str = "s", me: str = "me", tag: str = "") -> None:
        self.tag = tag                                  # keeps labels apart where several parts go into one function
        self.lines: list[str] = []
        self.depth = 1
        self.env: dict[int, str] = {}
        self.known: list[dict[Any, tuple[str, frozenset[int]]]] = [{}]
        self.state = state
        self.me = me
        self._names = 0
        self.pair: tuple[int, int, int] | None = None   # of two choices: the first, the distance, the seat (see `pairs`)
        self.keys = ""                                  # the position's keys, where they are known
        self.goals: E | None = None                     # the values that a condition is asked of (see `sights`)
        self.assumed: list[E] = []                      # static conditions that hold of all that is asked about now
        self.hidden: frozenset[int] = frozenset()       # locals of the state that are not yet set here

    def name(self, prefix: str = "t") -> str:
        """A new C name."""
        self._names += 1
        return f"{prefix}{self.tag if prefix == 'L' else ''}{self._names}"

    def line(self, text: str) -> None:
        """One more line."""
        self.lines.append("  " * self.depth + text)

    def open(self, text: str) -> None:
        """A block begins."""
        self.line(text + " {")
        self.depth += 1
        self.known.append({})

    def close(self, text: str = "}") -> None:
        """The innermost block ends."""
        self.known.pop()
        self.depth -= 1
        self.line(text)

    @contextmanager
    def block(self, text: str) -> Iterator[None]:
        """A block around what is written inside."""
        self.open(text)
        yield
        self.close()

    def atom(self, ctype: str, expression: str) -> str:
        """An expression that may be written several times: itself if it is a name or a number, else a new local."""
        if _ATOM.match(expression):
            return expression
        return self.keep(ctype, expression)

    def keep(self, ctype: str, expression: str, prefix: str = "t") -> str:
        """A new local that holds an expression."""
        name = self.name(prefix)
        self.line(f"const {ctype} {name} = {expression};")
        return name

    def bind(self, slot: int, name: str) -> None:
        """A local of the rules is this C expression from here on."""
        self.env[slot] = name

    def recall(self, key: Any) -> str | None:
        """What holds a value that was computed before in an open block."""
        for frame in reversed(self.known):
            if key in frame:
                name: str = frame[key][0]
                return name
        return None

    def remember(self, key: Any, name: str, reads: frozenset[int]) -> None:
        """A value is held by this name while the block is open."""
        self.known[-1][key] = name, reads

    def forget(self, variables: frozenset[int] | set[int]) -> None:
        """Variables of the state have been written: what came from them is unknown."""
        for frame in self.known:
            for key in [key for key, (_, reads) in frame.items() if reads & variables]:
                del frame[key]
