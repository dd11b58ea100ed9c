"""What could stand at a place of a sentence, in words instead of Lark's names."""

from __future__ import annotations

from functools import cache

from rulelang.syntax.words import STATEMENT_WORDS

VALUE_STARTS = {"NAME", "INT", "LPAR", "LBRACE"}
_FRIENDLY = {
    "NAME": "a name", "INT": "a number", "STRING": "a sentence in quotes", "_NL": "the end of the line",
    "$END": "the end of the text", "_INDENT": "an indented block", "_DEDENT": "the end of the block",
}
# what may begin a value or a condition, beside a name
_BEGIN = {"-", "(", "{", "player", "none", "on", "off", "empty", "not", "some", "every", "no", "first", "last"}
_OPERATORS = {
    "+", "-", "*", "/", "mod", "..", "without", "also", "<", ">", "<=", ">=", "!=", "=", "in", "within", "meets",
    "holds", "is", "and", "or", "not", "(", "[", "of",
}
MOST = 6


@cache
def _literals() -> dict[str, str]:
    """Lark's names of the fixed words and signs."""
    from rulelang.syntax.engine import engine

    return {terminal.name: terminal.pattern.value for terminal in engine().terminals
            if terminal.pattern.type == "str"}


def wanted(accepted: set[str]) -> str:
    """A list of at most six things that could stand here; empty if nothing is known."""
    literals = _literals()
    words = {literals[name] for name in accepted if name in literals}
    others = {name for name in accepted if name not in literals}
    found: list[str] = []
    if {"choose", "let"} <= words:
        found.append("a statement")
        words -= set(STATEMENT_WORDS)
        others.discard("NAME")
    if accepted >= VALUE_STARTS:
        found.append("a value")
        words -= _BEGIN
        others -= {"NAME", "INT"}
    operator = len(words & _OPERATORS) > 3
    if operator:
        words -= _OPERATORS
    if others & {"_NL", "$END"}:
        others.discard("_DEDENT")
    if "_NL" in others:
        others.discard("$END")
    late = {"_NL", "$END", "_DEDENT"}
    found.extend(_FRIENDLY.get(name, name) for name in sorted(others - late))
    found.extend(f"`{word}`" for word in sorted(words))
    if operator:
        found.append("an operator")
    found = found[:MOST]
    found.extend(_FRIENDLY[name] for name in sorted(others & late))
    return found[0] if len(found) == 1 else ", ".join(found[:-1]) + " or " + found[-1] if found else ""
