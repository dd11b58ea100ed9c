"""From Lark's reductions to position-free nodes: one method table, by the names in grammar.lark.

Lark calls a builder for each rule while it parses, so no Lark tree is ever made and nothing here recurs. A `Node`
counts lines and columns from the sentence's own start; parse.py moves it to its place in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

MAX_DEPTH = 100


class Node:
    """A `Syntax` to be: its marked stretch is (line, column, length); start to end is what it covers, with brackets."""

    __slots__ = ("column", "depth", "end", "kind", "length", "line", "parts", "start", "start_line", "stop_line")

    def __init__(self, kind: str, parts: tuple[Any, ...], line: int, column: int, length: int, depth: int = 1) -> None:
        self.kind = kind
        self.parts = parts
        self.line = self.start_line = self.stop_line = line
        self.column = self.start = column
        self.length = length
        self.end = column + length      # the end of the node's last token on its first line
        self.depth = depth


class SentenceFault(Exception):
    """What is wrong with a sentence, at its own lines and columns (both from 1)."""

    def __init__(self, line: int, column: int, length: int, message: str, hint: str = "", code: str = "syntax") -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.length = max(1, length)
        self.message = message
        self.hint = hint
        self.code = code
        self.resume = 0      # the line at which the next statement begins, if a bracket hides that


Build = Callable[[list[Any]], Any]
_LAYOUT = {"_NL", "_INDENT", "_DEDENT"}


def _span(kind: str, parts: tuple[Any, ...], children: Iterable[Any], mark: Any = None) -> Node:
    """A node over all its children; it is marked at `mark` if given, else from its first token on."""
    line = column = end = depth = 0
    stack = list(children)
    stack.reverse()
    while stack:
        child = stack.pop()
        if child is None:
            continue
        if child.__class__ is Node:
            at, start, stop = child.start_line, child.start, child.end
            if child.depth > depth:
                depth = child.depth
        elif child.__class__ is tuple:
            stack.extend(reversed(child))
            continue
        else:
            if child.type in _LAYOUT:
                continue
            at, start = child.line, child.column
            stop = start + len(child)
        if not line:
            line, column, end = at, start, stop
        elif at == line and stop > end:
            end = stop
    depth += 1
    if depth > MAX_DEPTH:
        raise SentenceFault(
            line, column, end - column, f"this sentence is nested more than {MAX_DEPTH} deep",
            "name a part of it in `define:`, or write the alternatives as a set `{a, b, c}`", "too-deep",
        )
    node = Node(kind, parts, line, column, end - column, depth)
    if mark is not None:
        node.line, node.column, node.length = mark.line, mark.column, len(mark)
    return node


def _plain(part: Any) -> Any:
    """What a kept child is in `parts`: names and operators are str, the rest is left as it is."""
    if part is None or part.__class__ in (Node, tuple):
        return part
    return str(part)


def _made(kind: str, *picks: int) -> Build:
    def build(children: list[Any]) -> Node:
        return _span(kind, tuple([_plain(children[pick]) for pick in picks]), children)

    return build


def _named(kind: str, *picks: int) -> Build:
    """As `_made`, but marked at the name that comes first."""

    def build(children: list[Any]) -> Node:
        return _span(kind, tuple([_plain(children[pick]) for pick in picks]), children, children[0])

    return build


def _leaf(kind: str) -> Build:
    def build(children: list[Any]) -> Node:
        return _span(kind, (), children)

    return build


def _nodes(children: Iterable[Any]) -> tuple[Node, ...]:
    return tuple([child for child in children if child.__class__ is Node])


def _first(children: list[Any]) -> Any:
    return children[0]


def _token(children: list[Any]) -> Node:
    """A word standing for itself, such as a name: the commonest node, made without a search."""
    token = children[0]
    return Node("name", (str(token),), token.line, token.column, len(token))


def _number(token: Any) -> int:
    if len(token) > 18:
        raise SentenceFault(token.line, token.column, len(token), "this number is too large")
    return int(token)


def _int(children: list[Any]) -> Node:
    token = children[0]
    return Node("int", (_number(token),), token.line, token.column, len(token))


def _player(children: list[Any]) -> Node:
    return _span("player", (_number(children[1]),), children)


def _group(children: list[Any]) -> Node:
    inner: Node = children[1]
    covering = _span(inner.kind, inner.parts, children)
    covering.line, covering.column, covering.length = inner.line, inner.column, inner.length
    return covering


def _called(kind: str) -> Build:
    def build(children: list[Any]) -> Node:
        return _span(kind, (str(children[0]), children[2] or ()), children, children[0])

    return build


def _signature(kind: str) -> Build:
    def build(children: list[Any]) -> Node:
        return _span(kind, (str(children[0]), _nodes(children)), children, children[0])

    return build


def _type(children: list[Any]) -> Node:
    return _span("type", (children[0], children[1] is not None), children)


def _union(children: list[Any]) -> Node:
    names = tuple([str(child) for child in children[1:] if child is not None and child.type == "NAME"])
    return _span("union", (children[0], names), children)


def _choose_one(children: list[Any]) -> Node:
    _, name, _, domain, or_none, _, where, sentence = children
    return _span("choose_one", (str(name), domain, or_none is not None, where, text(sentence)), children)


def _choose_some(children: list[Any]) -> Node:
    _, amount, _, bag, _, name, _, where, sentence = children
    return _span("choose_some", (amount, bag, str(name), where, text(sentence)), children)


def _labelled(kind: str) -> Build:
    def build(children: list[Any]) -> Node:
        _, label, _, condition, sentence = children
        return _span(kind, (None if label is None else str(label), condition, text(sentence)), children)

    return build


def _judge_table(children: list[Any]) -> Node:
    return _span("judge", (str(children[1]), None, (), text(children[2])), children)


def _judge_model(children: list[Any]) -> Node:
    _, name, _, dotted, _, arguments, _, question = children
    return _span("judge", (str(name), "".join(dotted), arguments or (), text(question)), children)


def _if(children: list[Any]) -> Node:
    otherwise: tuple[Any, ...] = ()
    for branch in reversed(children[4:]):
        if branch is None:
            continue
        if branch.kind == "else":
            otherwise = branch.parts
        else:
            nested = _span("if", (*branch.parts, otherwise), (branch, *branch.parts, otherwise))
            nested.line, nested.column, nested.length = branch.line, branch.column, branch.length
            otherwise = (nested,)
    return _span("if", (children[1], children[3], otherwise), (*children[:4], otherwise))


def _elif(children: list[Any]) -> Node:
    return _span("elif", (children[2], children[4]), children)


def _else(children: list[Any]) -> Node:
    return _span("else", children[2], children)


def _lines_span(children: list[Any]) -> Node:
    word, low, _, high = children
    if word not in ("rows", "columns"):
        raise SentenceFault(low.line, low.column, low.length, f"`{low.parts[0]}` cannot stand here",
                            "a stretch of the board is `rows 1..3` or `columns 2`")
    return _span("lines_span", (str(word), low, high or low), children)


def _suite(children: list[Any]) -> tuple[Node, ...]:
    return _nodes(children)


def text(token: Any) -> Node | None:
    """A sentence in quotes, with its `{expressions}` parsed."""
    if token is None:
        return None
    from rulelang.syntax.template import template_parts

    parts, depth = template_parts(str(token)[1:-1], token.line, token.column + 1)
    return Node("text", parts, token.line, token.column, len(token), depth + 1)


class Builder:
    """What Lark takes for its transformer: an attribute for each rule and alias of the grammar."""

    def __init__(self) -> None:
        for name, build in BUILDERS.items():
            setattr(self, name, build)


BUILDERS: dict[str, Build] = {
    "block": _suite, "line": _first, "suite": _suite,
    "let": lambda c: _span("let", (str(c[1]), c[3], text(c[4])), c),
    "says": lambda c: _span("says", (text(c[1]),), c),
    "choose_one": _choose_one, "choose_some": _choose_some, "or_none": lambda c: _span("or_none", (), c),
    "require": _labelled("require"), "ensure": _labelled("ensure"),
    "set": _made("set", 0, 2), "add": _made("add", 0, 2), "sub": _made("sub", 0, 2),
    "target_name": lambda c: _span("target", (str(c[0]), ()), c),
    "target_index": lambda c: _span("target", (str(c[0]), c[2]), c, c[0]),
    "target_of": _made("target_of", 0, 2),
    "draw": _made("draw", 1, 3), "deal": _made("deal", 1, 3, 5),
    "shuffle": _made("shuffle", 1), "roll": _made("roll", 1),
    "move_": _made("move", 1, 3, 5), "move_all": _made("move_all", 3, 5),
    "judge_table": _judge_table, "judge_model": _judge_model, "dotted": tuple,
    "go": _made("go", 1), "again": _leaf("again"), "end_turn": _leaf("end_turn"), "end_round": _leaf("end_round"),
    "next_player": _leaf("next_player"), "turn_to": _made("turn_to", 2), "win": _made("win", 1),
    "lose": _made("lose", 1), "tie": _leaf("tie"), "finish": _leaf("finish"), "out": _made("out", 1),
    "do_step": _called("do_step"),
    "if_": _if, "elif_": _elif, "else_": _else,
    "for_": _made("for", 2, 4, 6, 8), "repeat_": _made("repeat", 1, 4), "do_": _made("do", 2),
    "cond": _made("cond", 0, 2, 4),
    "or_": _made("or_", 0, 2), "and_": _made("and_", 0, 2), "not_": _made("not_", 1),
    "quant": _made("quant", 0, 1, 3, 5, 7), "no_two": _made("no_two", 2, 4, 6),
    "first": _made("first", 1, 3, 5), "last": _made("last", 1, 3, 5),
    "compare": _made("compare", 0, 1, 2), "equal": _made("equal", 0, 2), "unequal": _made("unequal", 0, 3),
    "is_a": _made("is_a", 0, 3), "in_": _made("in_", 0, 2), "not_in": _made("not_in", 0, 3),
    "within": _made("within", 0, 2), "meets": _made("meets", 0, 2), "holds": _made("holds", 0, 2),
    "without": _made("without", 0, 2), "both": _made("both", 0, 3),
    "range": _made("range", 0, 2), "plus": _made("plus", 0, 2), "minus": _made("minus", 0, 2),
    "times": _made("times", 0, 2), "over": _made("over", 0, 2), "mod": _made("mod", 0, 2),
    "negate": _made("negate", 1), "of_": _made("of_", 0, 2),
    "int": _int, "name": _token, "call": _called("call"), "index": _named("index", 0, 2), "player": _player,
    "none": _leaf("none"), "on": _leaf("on"), "off": _leaf("off"), "empty": _leaf("empty"), "group": _group,
    "set_of": lambda c: _span("set_of", (_nodes(c),), c),
    "set_where": _made("set_where", 1, 3, 5), "bag_for": _made("bag_for", 1, 3, 5, 7),
    "args": _nodes,
    "type": _type, "t_switch": _leaf("t_switch"), "t_name": _made("t_name", 0), "t_range": _made("t_range", 0, 2),
    "t_bag": _made("t_bag", 2, 5), "t_set": _made("t_set", 2), "t_deck": _made("t_deck", 2, 5),
    "union": _union, "decl": _signature("decl"), "sig": _signature("sig"),
    "param": lambda c: _span("param", (str(c[0]), c[2]), c, c[0]),
    "rank": _made("rank", 0, 1),
    "one_each": _leaf("one_each"), "random_": _leaf("random_"), "random_with": _made("random_with", 2),
    "lines_span": _lines_span,
    "quantor": _first, "article": _first, "op": _first, "rankword": _first,
}
