"""The words of sentences, and what is written here instead of what other languages write."""

from __future__ import annotations

STATEMENT_WORDS = (
    "choose", "let", "require", "ensure", "says", "draw", "deal", "shuffle", "roll", "move", "judge", "go", "again",
    "end", "next", "turn", "win", "lose", "tie", "finish", "out", "if", "else", "for", "repeat", "do",
)
# no value may be called so: these begin a statement, or stand for a value or an operator
RESERVED = frozenset((
    "again", "choose", "deal", "do", "draw", "empty", "end", "ensure", "every", "finish", "first", "for", "go", "if",
    "judge", "last", "let", "lose", "move", "next", "no", "none", "not", "off", "on", "out", "player", "repeat",
    "require", "roll", "says", "shuffle", "some", "tie", "turn", "win",
))
# first words of statements elsewhere
FOREIGN = {
    "elif": "write `else if C:`", "elseif": "write `else if C:`", "elsif": "write `else if C:`",
    "while": "loops are bounded: `for each x in SET:` or `repeat N times:`",
    "foreach": "write `for each x in SET:`", "loop": "write `repeat N times:`",
    "return": "a definition is an expression: it stands in `define:` and needs no `return`",
    "print": "what players see is in `view:`; a refusal is the sentence behind a `require`",
    "set": "write `name := value`", "var": "write `let x = value`",
    "pass": "leave the block out, or write what it does",
    "function": "named effects stand in `steps:`, named expressions in `define:`",
    "def": "named effects stand in `steps:`, named expressions in `define:`",
    "goto": "write `go PHASE`", "then": "after a condition stands `:`",
}
# signs that are not in the language, or not as here
SIGNS = {
    "==": "equality is written `=`", "<>": "write `!=`", "!==": "write `!=`", "=<": "write `<=`", "=>": "write `>=`",
    "≤": "write `<=`", "≥": "write `>=`", "≠": "write `!=`", "&&": "write `and`", "||": "write `or`",
    "&": "write `and`; the common part of two sets is `a also in b`", "|": "write `or`; sets are joined by `+`",
    "!": "write `not`", "%": "the rest of a division is `mod`", "**": "write the product: `n * n`",
    "++": "write `x += 1`", "--": "write `x -= 1`", "^": "write the product: `n * n`", "?": "write `A if C else B`",
    ";": "a statement ends with its line: put the next one on a line of its own",
    "'": "a sentence stands in double quotes", "“": 'use straight quotes: "', "”": 'use straight quotes: "',
    "->": "take it out", "–": "write `-`", "−": "write `-`", "×": "write `*`", "…": "write `..`",
    "...": "write `..`", "//": "`/` rounds down already; a comment begins with `#`", "÷": "write `/`",
    "*=": "write `x := x * …`", "/=": "write `x := x / …`", "<-": "write `:=`", "←": "write `:=`",
}
_SWITCH = "a switch is `on` or `off`"
# values elsewhere, and what stands here for them
FOREIGN_VALUES = {
    "true": _SWITCH, "false": _SWITCH, "yes": _SWITCH, "True": _SWITCH, "False": _SWITCH,
    "null": "write `none`", "nil": "write `none`", "None": "write `none`", "nothing": "write `none`",
    "max": "write `highest of {a, b}`", "min": "write `lowest of {a, b}`", "len": "write `count of SET`",
    "size": "write `count of SET`", "any": "write `some x in SET has C`", "exists": "write `some x in SET has C`",
    "current_player": "who acts is `me`", "self": "who acts is `me`", "other_player": "the other of two is `opponent`",
}
# keys elsewhere, and the section that is meant
FOREIGN_KEYS = {
    "title": "game", "name": "game", "score": "rank", "scoring": "rank", "scores": "rank", "ranking": "rank",
    "winner": "end", "win": "end", "endings": "end", "moves": "actions", "rules": "actions", "functions": "define",
    "definitions": "define", "variables": "state", "constants": "tables", "start": "setup", "version": "rulelang",
}
