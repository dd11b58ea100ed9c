"""Lark's errors, said in words: what stands where, what could stand there, and what was most likely meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from rulelang.source.diagnostic import nearest
from rulelang.syntax.build import SentenceFault

STATEMENT_WORDS = (
    "choose", "let", "require", "ensure", "says", "draw", "deal", "shuffle", "roll", "move", "judge", "go", "again",
    "end", "next", "turn", "win", "lose", "tie", "finish", "out", "if", "else", "for", "repeat", "do",
)
# a value may not be called so: these begin a statement or stand for a value or an operator
RESERVED = frozenset(
    (
        "again choose deal do draw empty end ensure every finish first for go if judge last let lose move next no none"
        " not off on out player repeat require roll says shuffle some tie turn win and or"
    ).split(" ")
)
_FRIENDLY = {
    "NAME": "a name", "INT": "a number", "STRING": "a sentence in quotes", "_NL": "the end of the line",
    "$END": "the end of the text", "_INDENT": "an indented block", "_DEDENT": "the end of the block",
}
_VALUE_STARTS = {"NAME", "INT", "LPAR", "LBRACE"}
_HINTS = {
    "==": "equality is written `=`", "<>": "write `!=`", "!==": "write `!=`", "=<": "write `<=`", "=>": "write `>=`",
    "≤": "write `<=`", "≥": "write `>=`", "≠": "write `!=`", "&&": "write `and`", "||": "write `or`",
    "&": "write `and`; the common part of two sets is `a also in b`", "|": "write `or`; sets are joined by `+`",
    "!": "write `not`", "%": "the rest of a division is `mod`", "**": "powers are not in the language",
    "++": "write `+= 1`", "--": "write `-= 1`", "^": "powers are not in the language", "?": "write `A if C else B`",
    ";": "a statement ends with its line: put the next one on a line of its own",
    "'": "a sentence stands in double quotes", "“": 'use straight quotes: "', "”": 'use straight quotes: "',
    "->": "this sign is not in the language", "–": "write `-`", "−": "write `-`", "×": "write `*`", "…": "write `..`",
    "...": "write `..`",
}
_SIGNS = re.compile(
    r"===?|!==|<>|=<|=>|&&|\|\||\*\*|\+\+|--|->|\.\.\.|:=|\+=|-=|\*=|/=|!=|<=|>=|\.\.|[^\w\s]", re.UNICODE,
)
_WORD = re.compile(r"[^\W\d]\w*")
_LITERAL = {"COLON": ":", "EQUAL": "=", "COMMA": ",", "RPAR": ")", "RSQB": "]", "RBRACE": "}"}


def explain(error: Any, start: str, text: str) -> SentenceFault:
    """The fault that a Lark error is."""
    from lark.exceptions import UnexpectedToken

    shift = 0
    lines = text.split("\n")
    if isinstance(error, UnexpectedToken):
        token = error.token
        accepted = set(error.accepts or error.expected)
        if token.type == "$END":
            line, column = len(lines), len(lines[-1]) + 1
            if lines and not lines[-1] and start == "block":
                line, column = len(lines) - 1, len(lines[-2]) + 1
            word = ""
        else:
            line, column, word = int(token.line), int(token.column), str(token)
        kind = token.type
    else:
        line, column, kind = int(error.line), int(error.column), "CHARACTER"
        accepted = set(error.allowed or ())
        word = lines[line - 1][column - 1 : column] if line <= len(lines) else ""
    row = lines[line - 1] if line <= len(lines) else ""
    before = row[: column - 1]
    sign = _SIGNS.match(row, column - 1)
    seen = sign.group() if sign and kind not in ("_NL", "_INDENT", "_DEDENT", "$END", "STRING") else word
    where = (line + shift, column)
    found = (
        _layout(kind, lines, line, accepted, start)
        or _mistake(kind, seen, before, row, where, accepted, start)
        or _reserved(kind, word, where, accepted)
    )
    if found:
        return found
    length = len(seen) if kind not in ("_NL", "$END") else 1
    ending = kind in ("_NL", "$END", "_DEDENT")
    subject = "the sentence ends too early" if ending else f"`{seen}` cannot stand here"
    wanted = _wanted(accepted, start)
    return SentenceFault(*where, length, f"{subject}; expected {wanted}" if wanted else subject)


def _layout(kind: str, lines: list[str], line: int, accepted: set[str], start: str) -> SentenceFault | None:
    """What is wrong with line ends and indentation."""
    if kind == "_INDENT":
        row = lines[line - 1]
        indent = len(row) - len(row.lstrip())
        return SentenceFault(
            line, indent + 1, 1, "this line is indented further than the one above, which opens no block",
            "begin it below the first letter of the line above; a block opens with `:` at a line's end",
        )
    if kind in ("_NL", "_DEDENT", "$END") and "_INDENT" in accepted:
        return SentenceFault(
            line, 1, 1, "after the `:` of the line above a block is missing", "indent what belongs to it by two blanks",
        )
    row = lines[line - 1] if line <= len(lines) else ""
    if kind in ("_NL", "$END") and "COLON" in accepted:
        first = _WORD.match(row.strip())
        if first and first.group() in ("if", "for", "repeat", "do", "else"):
            end = len(row.split(" #")[0].rstrip())
            return SentenceFault(line, end + 1, 1, f"`{first.group()}` needs a `:` at the end of its line", "add `:`")
    if kind in ("_NL", "$END"):
        for name, bracket in (("RPAR", ")"), ("RSQB", "]"), ("RBRACE", "}")):
            if name in accepted and _unclosed(lines):
                at_line, at_column, opening = _unclosed(lines)[-1]
                return SentenceFault(
                    at_line, at_column, 1, f"this `{opening}` is not closed", f"add `{bracket}` where it should end",
                )
    return None


def _mistake(
    kind: str, seen: str, before: str, row: str, where: tuple[int, int], accepted: set[str], start: str,
) -> SentenceFault | None:
    """What people write who know other languages, or who mistyped a word."""
    line, column = where
    words = _WORD.findall(before)
    first = words[0] if words else ""
    only_word = start == "block" and before.strip() == first and bool(first)
    if seen in ("=", "==", "←") and start == "block" and accepted & {"__ANON_0", "__ANON_1", "__ANON_2"} and (
        re.fullmatch(r"[\w\s,\[\]().+*-]+", before) and first not in STATEMENT_WORDS
    ):
        return SentenceFault(line, column, len(seen), f"`{seen}` asks whether two things are equal; it sets nothing",
                             "write `:=` to set a value")
    if only_word and (first in ("elif", "elseif", "elsif") or (first == "else" and seen == "if")):
        if first != "else":
            return SentenceFault(line, len(before) - len(before.lstrip()) + 1, len(first),
                                 f"`{first}` is not a statement", "write `else if C:`")
        return SentenceFault(line, column - len("else "), 7, "this `else if` belongs to no `if`",
                             "it stands directly after the block of an `if`, below its first letter")
    if seen == "else" and start == "block" and not before.strip():
        return SentenceFault(line, column, 4, "this `else` belongs to no `if`",
                             "it stands directly after the block of an `if`, below its first letter")
    if only_word and first not in STATEMENT_WORDS:
        near = nearest(first, STATEMENT_WORDS)
        if near and seen not in (":=", "+=", "-=", "[", "("):
            return SentenceFault(line, len(before) - len(before.lstrip()) + 1, len(first),
                                 f"`{first}` is not a statement", f"did you mean `{near}`?")
    if seen == ":" and only_word and first in ("when", "while", "unless"):
        return None
    if seen == '"' and kind == "CHARACTER":
        return SentenceFault(line, column, max(1, len(row) - column + 1), "this quote is not closed",
                             "a sentence begins and ends with a quote, on one line")
    if seen.startswith(".") and re.search(r"\d$", before) and re.match(r"\.\d", row[column - 1 :]):
        number = re.search(r"\d+$", before)
        begin = column - len(number.group() if number else "")
        rest = re.match(r"\.\d+", row[column - 1 :])
        return SentenceFault(line, begin, column - begin + len(rest.group() if rest else "."),
                             "numbers are whole", "count in halves or hundredths instead: double the points")
    if seen == "." and re.search(r"\w$", before):
        return SentenceFault(line, column, 1, "a dot joins nothing here",
                             "a part is read with `of`, as in `kind of at[c]`; a range is `1..9`")
    if seen in (")", "]", "}"):
        opening = {")": "(", "]": "[", "}": "{"}[seen]
        if before.count(opening) <= before.count(seen):
            return SentenceFault(line, column, 1, f"this `{seen}` closes nothing", "take it out, or open it before")
    if seen in (":=", "+=", "-=", "*=", "/=") and start == "block" and seen in ("*=", "/="):
        return SentenceFault(line, column, 2, f"`{seen}` is not in the language", f"write `x := x {seen[0]} …`")
    if seen in (":=", "+=", "-="):
        return SentenceFault(line, column, len(seen), f"`{seen}` sets a value, which no expression does",
                             "equality is asked with `=`; setting is a statement of its own")
    if seen in ("True", "true", "False", "false", "yes") and "NAME" not in accepted:
        return None
    if seen in _HINTS and (kind == "CHARACTER" or seen not in ("->",)):
        return SentenceFault(line, column, len(seen), f"`{seen}` is not in the language here", _HINTS[seen])
    if seen == "[" and re.search(r"[\])]\s*$", before):
        return SentenceFault(line, column, 1, "an index follows a name only", "two indices are written `name[i, j]`")
    if kind == "INT" and re.search(r"\bplayer\s*$", before) is None and seen.startswith("0x"):
        return SentenceFault(line, column, len(seen), "numbers are written in tens", "")
    return None


def _reserved(kind: str, word: str, where: tuple[int, int], accepted: set[str]) -> SentenceFault | None:
    if word in RESERVED and "NAME" in accepted and not accepted & _VALUE_STARTS - {"NAME"}:
        return SentenceFault(*where, len(word), f"`{word}` is a word of the language and cannot be a name",
                             "choose another name")
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


def _wanted(accepted: set[str], start: str) -> str:
    """What could stand here, in words; at most six of them."""
    from rulelang.syntax.engine import engine

    literal = {terminal.name: terminal.pattern.value for terminal in engine().terminals
               if terminal.pattern.type == "str"}
    names = set(accepted)
    wanted: list[str] = []
    if {"CHOOSE", "LET"} <= names:
        wanted.append("a statement")
        names -= {name for name in names if literal.get(name) in STATEMENT_WORDS} | {"NAME"}
    if names >= _VALUE_STARTS:
        wanted.append("a value")
        names -= {"NAME", "INT", "LPAR", "LBRACE", "MINUS", "PLAYER", "NONE", "ON", "OFF", "EMPTY", "NOT", "SOME",
                  "EVERY", "NO", "FIRST", "LAST"}
    arithmetic = {name for name in names if literal.get(name) in
                  ("+", "-", "*", "/", "mod", "..", "without", "also", "<", ">", "<=", ">=", "!=", "within", "meets",
                   "holds", "is", "and", "or", "not")}
    operator = len(arithmetic) > 4
    if operator:
        names -= arithmetic
        names = {name for name in names if literal.get(name) not in ("=", "in")} if len(arithmetic) > 10 else names
    names -= {"_DEDENT"} if "_NL" in names or len(names) > 1 else set()
    if "_NL" in names:
        names.discard("$END")
    ordered = sorted(names, key=lambda name: (name.startswith(("_NL", "$")), name not in _FRIENDLY,
                                              literal.get(name, "")))
    for name in ordered:
        wanted.append(_FRIENDLY.get(name) or f"`{literal.get(name, _LITERAL.get(name, name))}`")
    if operator:
        wanted.append("an operator")
    return _listed(wanted[:6])


def _listed(words: Iterable[str]) -> str:
    several = list(words)
    if len(several) < 2:
        return "".join(several)
    return ", ".join(several[:-1]) + " or " + several[-1]
