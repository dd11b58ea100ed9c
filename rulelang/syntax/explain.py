"""Lark's errors, said in words: what stands where, what was most likely meant, and what could stand there.

The recognisers are asked in order; the first that knows the mistake speaks. If none does, the message lists what the
grammar would accept.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from rulelang.syntax.build import SentenceFault
from rulelang.syntax.expected import VALUE_STARTS, wanted
from rulelang.syntax.words import FOREIGN, RESERVED, SIGNS, STATEMENT_WORDS

_SIGN = re.compile(
    r"===?|!==?|<>|<=|>=|=<|=>|&&|\|\||\*\*|\+\+|--|->|<-|//|\.\.\.|:=|\+=|-=|\*=|/=|\.\.|[^\w\s]", re.UNICODE,
)
_WORD = re.compile(r"[^\W\d]\w*")
_ENDS = ("_NL", "$END", "_DEDENT")
_SETS = {"__ANON_0", "__ANON_1", "__ANON_2"}      # := += -= in Lark's naming; a test holds it
_PAIRS = {")": "(", "]": "[", "}": "{"}
_BRACKETS = {"RPAR": ")", "RSQB": "]", "RBRACE": "}"}


@dataclass(frozen=True, slots=True)
class Trouble:
    """The place of an error, and what stands round it."""

    kind: str               # the token's name, or CHARACTER
    seen: str               # the sign or word that cannot stand here
    line: int
    column: int
    row: str                # the line's text
    before: str             # the part of it to the left
    lines: list[str]
    accepted: set[str]
    start: str              # what the sentence was to be

    @property
    def block(self) -> bool:
        """Whether it is a block of statements."""
        return self.start == "block"

    @property
    def first(self) -> str:
        """The line's first word."""
        found = _WORD.match(self.row.strip())
        return found.group() if found else ""

    @property
    def only_first(self) -> bool:
        """Whether nothing but the first word stands to the left."""
        return self.block and bool(self.before.strip()) and self.before.strip() == self.first

    @property
    def ending(self) -> bool:
        """Whether the sentence ended where it should go on."""
        return self.kind in _ENDS

    def fault(self, message: str, hint: str = "", column: int = 0, length: int = 0) -> SentenceFault:
        """A fault on this line; at the error's place if not said otherwise."""
        return SentenceFault(self.line, column or self.column, length or len(self.seen), message, hint)

    def first_fault(self, message: str, hint: str) -> SentenceFault:
        """A fault at the line's first word."""
        return self.fault(message, hint, len(self.row) - len(self.row.lstrip()) + 1, len(self.first))


def explain(error: Any, start: str, text: str) -> SentenceFault:
    """The fault that a Lark error is."""
    trouble = _trouble(error, start, text)
    for recognise in _RECOGNISERS:
        found = recognise(trouble)
        if found is not None:
            return found
    could = wanted(trouble.accepted)
    subject = "the sentence ends too early" if trouble.ending else f"`{trouble.seen}` cannot stand here"
    return trouble.fault(f"{subject}; expected {could}" if could else subject, length=1 if trouble.ending else 0)


def _trouble(error: Any, start: str, text: str) -> Trouble:
    lines = text.split("\n")
    token = getattr(error, "token", None)
    kind = token.type if token is not None else "CHARACTER"
    if kind == "$END":
        while len(lines) > 1 and not lines[-1].strip():
            lines.pop()
        line, column = len(lines), len(lines[-1].split(" #")[0].rstrip()) + 1
    else:
        line, column = int(error.line), int(error.column)
    row = lines[line - 1] if line <= len(lines) else ""
    if kind == "_NL":
        column = min(column, len(row.split(" #")[0].rstrip()) + 1)
    sign = _SIGN.match(row, column - 1)
    seen = "" if token is None else str(token)
    if kind in (*_ENDS, "_INDENT"):
        seen = " "
    elif sign and kind != "STRING":
        seen = sign.group()
        for taken in (2, 1):      # Lark may have taken the first sign of `==` or `<>` already
            whole = row[max(0, column - 1 - taken) : column - 1] + seen
            if len(whole) > taken and (whole in SIGNS or whole in (":=", "+=", "-=")):
                column, seen = column - taken, whole
                break
    elif not seen:
        seen = row[column - 1 : column] or " "
    parser = getattr(error, "interactive_parser", None)
    accepted = set(parser.accepts()) if parser is not None else set(getattr(error, "expected", None) or ())
    return Trouble(kind, seen, line, column, row, row[: column - 1], lines, accepted or {"$END"}, start)


# ---------------------------------------------------------------------- lines and blocks


def _indented(trouble: Trouble) -> SentenceFault | None:
    if trouble.kind != "_INDENT":
        return None
    indent = len(trouble.row) - len(trouble.row.lstrip())
    return trouble.fault(
        "this line is indented further than the one above, which opens no block",
        "begin it below the first letter of the line above; a block opens with `:` at a line's end", indent + 1,
    )


def _no_block(trouble: Trouble) -> SentenceFault | None:
    if "_INDENT" not in trouble.accepted:
        return None
    # what comes instead of the block stands in a line below; at the text's end there is none, and this is the line
    above = min(trouble.line, len(trouble.lines)) - (not trouble.before.strip())
    while above and (not (row := trouble.lines[above - 1].strip()) or row.startswith("#")):
        above -= 1
    head = trouble.lines[above - 1].split(" #")[0].rstrip() if above else ""
    return SentenceFault(max(1, above), max(1, len(head)), 1, "this `:` opens a block, and there is none below it",
                         "indent by two blanks what belongs to it")


def _no_colon(trouble: Trouble) -> SentenceFault | None:
    if trouble.first not in ("if", "for", "repeat", "do", "else") or "COLON" not in trouble.accepted:
        return None
    if trouble.ending:
        return trouble.fault(f"`{trouble.first}` needs a `:` after it", "add `:` here")
    if trouble.seen == "then":
        return trouble.fault("`then` is not needed", "after the condition stands `:`")
    return None


def _loose_else(trouble: Trouble) -> SentenceFault | None:
    if not trouble.block or trouble.first != "else" or not (trouble.only_first or not trouble.before.strip()):
        return None
    return trouble.first_fault("this `else` belongs to no `if`",
                               "it stands directly after the block of an `if`, below its first letter")


def _open_bracket(trouble: Trouble) -> SentenceFault | None:
    if not trouble.ending:
        above = _unclosed(trouble.lines[: trouble.line - 1]) if not trouble.before.strip() else []
        if not above:
            return None
        line, column, opening = above[-1]
        fault = SentenceFault(line, column, 1, f"this `{opening}` is not closed in its sentence", "add its other half")
        fault.resume = trouble.line
        return fault
    for name, bracket in _BRACKETS.items():
        unclosed = _unclosed(trouble.lines) if name in trouble.accepted else []
        if unclosed:
            line, column, opening = unclosed[-1]
            return SentenceFault(line, column, 1, f"this `{opening}` is not closed", f"add `{bracket}`")
    return None


def _unclosed(lines: list[str]) -> list[tuple[int, int, str]]:
    """Where brackets are open at the end of the text, outermost first."""
    stack: list[tuple[int, int, str]] = []
    for number, line in enumerate(lines, 1):
        quoted = False
        for column, character in enumerate(line, 1):
            if character == '"':
                quoted = not quoted
            elif quoted:
                continue
            elif character == "#" and (column == 1 or line[column - 2] in " \t"):
                break
            elif character in "([{":
                stack.append((number, column, character))
            elif character in ")]}" and stack:
                stack.pop()
    return stack


# ---------------------------------------------------------------------- words and signs


def _foreign(trouble: Trouble) -> SentenceFault | None:
    """A statement of another language, or a misspelt one of ours."""
    if not trouble.only_first or trouble.first in STATEMENT_WORDS or trouble.seen in (":=", "+=", "-=", "=", "=="):
        return None
    message = f"`{trouble.first}` is not a statement"
    if trouble.first.lower() in FOREIGN:
        return trouble.first_fault(message, FOREIGN[trouble.first.lower()])
    near = get_close_matches(trouble.first.lower(), STATEMENT_WORDS, n=1, cutoff=0.7)
    return trouble.first_fault(message, f"did you mean `{near[0]}`?") if near else None


def _setting(trouble: Trouble) -> SentenceFault | None:
    if trouble.seen in ("=", "==") and trouble.block and trouble.accepted & _SETS:
        return trouble.fault(f"`{trouble.seen}` asks whether two things are equal; it sets nothing",
                             "write `:=` to set a value")
    if trouble.seen == ":=" and trouble.first == "turn":
        return trouble.first_fault("whose turn it is changes by a statement of its own",
                                   "write `turn to SEAT`, or `next player`")
    if trouble.seen in (":=", "+=", "-="):
        return trouble.fault(f"`{trouble.seen}` sets a value, which no expression does",
                             "equality is asked with `=`; setting is a statement of its own")
    return None


def _open_quote(trouble: Trouble) -> SentenceFault | None:
    if trouble.seen != '"' or trouble.kind != "CHARACTER":
        return None
    return trouble.fault("this quote is not closed", "a sentence begins and ends with a quote, on one line",
                         length=max(1, len(trouble.row) - trouble.column + 1))


def _string(trouble: Trouble) -> SentenceFault | None:
    if trouble.kind != "STRING" or not trouble.accepted >= VALUE_STARTS:
        return None
    return trouble.fault("a text in quotes is no value",
                         "names stand without quotes; a refusal's sentence stands at the end")


def _decimals(trouble: Trouble) -> SentenceFault | None:
    number = re.search(r"\d+$", trouble.before)
    rest = re.match(r"\.\d+", trouble.row[trouble.column - 1 :])
    if trouble.seen != "." or not number or not rest:
        return None
    return trouble.fault("numbers are whole", "count in halves or hundredths instead: double the points",
                         trouble.column - len(number.group()), len(number.group()) + len(rest.group()))


def _dot(trouble: Trouble) -> SentenceFault | None:
    if trouble.seen != "." or not re.search(r"[\w\])]$", trouble.before):
        return None
    return trouble.fault("a dot joins nothing here",
                         "a part is read with `of`, as in `kind of at[c]`; a range is `1..9`")


def _closing(trouble: Trouble) -> SentenceFault | None:
    opening = _PAIRS.get(trouble.seen)
    if opening is None or trouble.before.count(opening) > trouble.before.count(trouble.seen):
        return None
    return trouble.fault(f"this `{trouble.seen}` closes nothing", f"take it out, or add `{opening}` before")


def _sign(trouble: Trouble) -> SentenceFault | None:
    hint = SIGNS.get(trouble.seen)
    return trouble.fault(f"`{trouble.seen}` is not written here", hint) if hint else None


def _player_alone(trouble: Trouble) -> SentenceFault | None:
    if "INT" not in trouble.accepted or len(trouble.accepted) > 1 or not re.search(r"\bplayer\s*$", trouble.before):
        return None
    found = trouble.before.rstrip()
    return trouble.fault("`player` alone is no value",
                         "all seats are `Player`, who acts is `me`, the first seat is `player 1`",
                         len(found) - len("player") + 1, len("player"))


def _no_alone(trouble: Trouble) -> SentenceFault | None:
    if not trouble.ending or not re.search(r"(^|\s)no\s*$", trouble.before):
        return None
    return trouble.fault("`no` alone is no value", "a switch is `on` or `off`; nothing at all is `none`",
                         len(trouble.before.rstrip()) - 1, 2)


def _between(trouble: Trouble) -> SentenceFault | None:
    """`1 < k < 5`."""
    left = re.search(r"([\w\[\]]+)\s*(<=|>=|<|>|=)\s*([\w\[\]]+)\s*$", trouble.before)
    if left is None or trouble.seen not in ("<", "<=", ">", ">=", "="):
        return None
    right = re.match(r"\s*([\w\[\]]+)", trouble.row[trouble.column - 1 + len(trouble.seen) :])
    joined = f": `{left[0].strip()} and {left[3]} {trouble.seen} {right[1]}`" if right else ""
    return trouble.fault("a comparison is of two values", f"two comparisons are joined by `and`{joined}")


def _choosing(trouble: Trouble) -> SentenceFault | None:
    found = re.match(r"\s*choose\s+(\w+)\s+(from)\s", trouble.row)
    if found is None or "AS" not in trouble.accepted:
        return None
    if found[1].isdigit():
        return trouble.fault("what is taken needs a name", f"write `choose {found[1]} from … as x`")
    return trouble.fault("`choose … from` takes several out of a bag or set",
                         f"one value is chosen with `in`: `choose {found[1]} in …`; several are taken `as` a name",
                         found.start(2) + 1, len("from"))


def _go_to(trouble: Trouble) -> SentenceFault | None:
    if trouble.before.split() != ["go", "to"]:
        return None
    return trouble.fault("`to` is not needed", f"write `go {trouble.seen}`", trouble.row.index("to") + 1, 2)


def _names_or_range(trouble: Trouble) -> SentenceFault | None:
    """`red, green` or `0-5` where a type stands."""
    if trouble.start not in ("type", "union"):
        return None
    if trouble.seen == ",":
        return trouble.fault("a list of names stands in brackets", f"write `[{trouble.row.strip()}]`")
    found = re.search(r"(\d+)\s*[-–]\s*(\d+)\s*$", trouble.before)
    if found is None or not trouble.ending:
        return None
    return trouble.fault("a range is written with `..`", f"write `{found[1]}..{found[2]}`", found.start() + 1,
                         len(found[0].rstrip()))


def _index(trouble: Trouble) -> SentenceFault | None:
    if trouble.seen != "[" or not re.search(r"[\])]\s*$", trouble.before):
        return None
    return trouble.fault("an index follows a name only", "two indices are written `name[i, j]`")


def _reserved(trouble: Trouble) -> SentenceFault | None:
    if trouble.seen in RESERVED and "NAME" in trouble.accepted and not trouble.accepted & VALUE_STARTS - {"NAME"}:
        return trouble.fault(f"`{trouble.seen}` is a word of the language and cannot be a name", "choose another name")
    return None


def _conditional(trouble: Trouble) -> SentenceFault | None:
    if trouble.before.strip() != "if" or trouble.block:
        return None
    return trouble.first_fault("an expression cannot begin with `if`", "write `A if C else B`")


_RECOGNISERS: tuple[Callable[[Trouble], SentenceFault | None], ...] = (
    _indented, _no_block, _loose_else, _no_colon, _open_bracket, _setting, _choosing, _go_to,
    _foreign, _open_quote, _string, _decimals, _dot, _closing, _between, _sign, _index, _player_alone, _no_alone,
    _names_or_range, _reserved, _conditional,
)
