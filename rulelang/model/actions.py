"""Actions: the clauses of a rule, in order, each with what the clauses before it have made known."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.model.blocks import EXITS, block
from rulelang.model.convert import MOST_IN_A_BAG, MOST_IN_A_SET, as_set, domain_element, plain
from rulelang.model.expressions import condition, expression, mentions, number, text
from rulelang.model.game import Action, Block, Clause
from rulelang.model.ir import E
from rulelang.model.scope import Context, Local, Scope, suggest
from rulelang.model.statements import something
from rulelang.model.told import with_secrecy
from rulelang.model.truths import contradiction, holds_when, members_of, not_none
from rulelang.model.types import (
    WRONG,
    BagOf,
    DeckOf,
    ListOf,
    Maybe,
    Number,
    SetOf,
    Type,
    Wrong,
    a_,
    is_scalar,
    size_of,
)
from rulelang.syntax.trees import Branch, Entry, Leaf, Rule, Syntax
from rulelang.syntax.trees import Clause as SyntaxClause

# the effects that change a game, by the kind of their statements
_CHANGING = frozenset((
    "set", "add", "sub", "move", "move_all", "draw", "deal", "roll", "shuffle", "judge", "do_step", "go", "again",
    "end_turn", "end_round", "next_player", "turn_to", "win", "lose", "tie", "finish", "out",
))
# what may not be done while the others choose too: the order of the seats would matter
_TOGETHER = dict.fromkeys(
    (*EXITS, "next_player", "turn_to"), "players choose together, so it stands in the phase's `after`")


def action(s: Scope, entry: Entry, together: bool) -> Action | None:
    """An action, checked clause by clause. `together`: a phase has players choose it at once.

    That clauses stand in order and each once is known: the syntax has seen to it.
    """
    item = entry.item
    rule = item.get("rule") if isinstance(item, Branch) else None
    if not isinstance(rule, Rule):
        s.faults.add(entry.place, "missing", f"the action `{entry.name}` has no rule", f"{entry.name}: |")
        return None
    c = Context(f"actions.{entry.name}", guard="it decides whether the move is legal")
    c.later = {k.name: k.statement.place for k in rule.clauses if k.statement.kind in _BINDING}
    ensures = any(k.statement.kind == "ensure" for k in rule.clauses)
    made: list[Clause] = []
    for k in rule.clauses:
        if k.statement.kind == "do":
            made.append(_do(s, c, k, ensures, together))
            continue
        clause = CLAUSES[k.statement.kind](s, c, k)
        if clause is not None:
            made.append(clause)
    if not any(k.statement.kind == "do" and _changes(k.statement.parts[0]) for k in rule.clauses):
        s.faults.add(entry.place, "no-effects", f"the action `{entry.name}` does nothing",
                     "end its rule with a `do:` and what happens; a pass too changes something, if only a counter")
    made = [with_secrecy(s, k, made) for k in made]
    says = item.get("says") if isinstance(item, Branch) else None
    write = item.get("write") if isinstance(item, Branch) else None
    return Action(entry.name, says.value if isinstance(says, Leaf) else "", tuple(made),
                  _notation(s, write, made) if isinstance(write, Leaf) else None, entry.place)


def _changes(statements: tuple[Syntax, ...]) -> bool:
    """Whether there is a statement, at any depth, that can change the game."""
    return any(x.kind in _CHANGING or any(_changes(part) for part in x.parts if isinstance(part, tuple))
               for x in statements if isinstance(x, Syntax))


def _do(s: Scope, c: Context, k: SyntaxClause, ensures: bool, together: bool) -> Clause:
    """The effects. What holds after them is not known; the values that they have worked out are."""
    effects = Context(c.path, dict(c.locals), c.truths, effects=True, together=together, later=c.later)
    if ensures:
        effects.chance = "an `ensure` has still to be answered"
    if together:
        effects.chance, effects.exits = "players choose together", _TOGETHER
    made = Clause(k.name, "do", k.statement.place, effects=block(s, effects, k.statement.parts[0]))
    _keep_lets(s, c, k.statement.parts[0], made.effects)
    c.truths = frozenset()
    return made


def _keep_lets(s: Scope, c: Context, statements: tuple[Syntax, ...], effects: Block) -> None:
    """Values that `do` has worked out may be asked by the ensures below it."""
    lets = {x.parts[0] for x in statements if x.kind == "let"}
    for one in effects:
        if one.op == "let" and s.slots[one.data] in lets:
            c.locals[s.slots[one.data]] = Local(one.data, one.args[0].type, one.place)


def _choose_one(s: Scope, c: Context, k: SyntaxClause) -> Clause | None:
    name, over, optional, where, sentence = k.statement.parts
    held = _each_once(s, as_set(s, c, expression(s, c, over)))
    kind = domain_element(s, held)
    if held.op == "const" and not held.data and not isinstance(held.type, Wrong) and not mentions(over, "players"):
        s.faults.add(held.place, "never", "this is always empty, so there is nothing to choose")
    shown: Type = Maybe(kind) if optional and not isinstance(kind, Wrong) else kind
    slot = s.bind(c, name, shown, k.statement.place)
    if not optional:
        c.truths |= frozenset(members_of(s, held, slot, kind))
    asked = None if where is None else _asked(s, c, where)
    return Clause(k.name, "choose", k.statement.place, text(s, c, sentence), slot, shown, held, asked, optional)


def _each_once(s: Scope, held: E) -> E:
    """A list of single values as the set of them, so that no move comes twice."""
    kind = plain(domain_element(s, held))
    if isinstance(held.type, (ListOf, DeckOf)) and held.op != "const" and is_scalar(kind):
        if size_of(kind) > MOST_IN_A_SET:
            return s.wrong(held.place, "too-large", f"nobody can choose among {size_of(kind):,} values",
                           f"{MOST_IN_A_SET:,} at most")
        bag = E("list_bag", BagOf(kind, MOST_IN_A_BAG), (held,), None, held.place)
        return E("kinds", SetOf(kind), (bag,), None, held.place)
    return held


def _asked(s: Scope, c: Context, x: Syntax) -> E:
    """A condition of a clause, which is known to hold in the clauses after it."""
    asked = condition(s, c, x)
    if not contradiction(s, c, asked) and asked.op == "const" and asked.data is False and not mentions(x, "players"):
        s.faults.add(asked.place, "never", "this never holds, so the action is never legal",
                     "drop the action, or write what must hold")
    c.truths |= frozenset(holds_when(asked))
    return asked


def _choose_some(s: Scope, c: Context, k: SyntaxClause) -> Clause | None:
    amount, bag, name, where, sentence = k.statement.parts
    if amount.kind == "range":
        low, high = number(s, c, amount.parts[0]), number(s, c, amount.parts[1])
    else:
        low = high = number(s, c, amount)
    held = expression(s, c, bag)
    if not isinstance(held.type, (SetOf, BagOf)):
        if not isinstance(held.type, Wrong):
            s.faults.add(held.place, "wrong-type",
                         f"`choose … from` asks for a bag or set, and this is {a_(held.type)}",
                         "one value is chosen with `choose x in …`")
        s.bind(c, name, WRONG, k.statement.place)
        return None
    if isinstance(low.type, Number) and isinstance(high.type, Number) and (
            low.type.low > high.type.high or high.type.high < 1):
        s.faults.add(amount.place, "out-of-range", "nobody can choose so many",
                     "a range is written `1..5`" if amount.kind == "minus" else "")
    most = high.type.high if isinstance(high.type, Number) else 0
    kind: Type = held.type
    if isinstance(kind, BagOf):
        kind = BagOf(kind.of, min(kind.most, most), kind.component)
    slot = s.bind(c, name, kind, k.statement.place)
    asked = None if where is None else _asked(s, c, where)
    return Clause(k.name, "choose_some", k.statement.place, text(s, c, sentence), slot, kind, held, asked,
                  amount=(low, high))


def _let(s: Scope, c: Context, k: SyntaxClause) -> Clause | None:
    name, value, sentence = k.statement.parts
    e = something(s, expression(s, c, value))
    kind = e.type
    if sentence is not None and isinstance(kind, Maybe):
        kind = kind.of
    told = text(s, c, sentence)
    slot = s.bind(c, name, kind, k.statement.place)
    if not isinstance(kind, Maybe):
        c.truths |= {not_none(E("local", kind, (), slot))}
    return Clause(k.name, "let", k.statement.place, told, slot, kind, value=e)


def _require(s: Scope, c: Context, k: SyntaxClause) -> Clause:
    _, asked, sentence = k.statement.parts
    told = text(s, c, sentence)
    return Clause(k.name, "require", k.statement.place, told, value=_asked(s, c, asked))


def _ensure(s: Scope, c: Context, k: SyntaxClause) -> Clause:
    _, asked, sentence = k.statement.parts
    told = text(s, c, sentence)
    return Clause(k.name, "ensure", k.statement.place, told, value=_asked(s, c, asked))


def _says(s: Scope, c: Context, k: SyntaxClause) -> Clause:
    return Clause(k.name, "says", k.statement.place, text(s, c.child(told=True), k.statement.parts[0]))


CLAUSES: dict[str, Callable[[Scope, Context, SyntaxClause], Clause | None]] = {
    "choose_one": _choose_one, "choose_some": _choose_some, "let": _let, "require": _require, "says": _says,
    "ensure": _ensure,
}
_BINDING = ("choose_one", "choose_some", "let")


# ------------------------------------------------------------------------------------------------ notation


def _notation(s: Scope, write: Leaf, made: list[Clause]) -> tuple[str | tuple[str, str], ...] | None:
    """The notation: text, and the names of choices, each with the text that is printed only with it: of `[={kind}]` all
    is left out where there was nothing to choose."""
    chosen = {k.name for k in made if k.kind in ("choose", "choose_some", "let")}
    parts: list[str | tuple[str, str]] = []
    prefix: str | None = None
    for part in write.value.parts:
        if isinstance(part, str):
            prefix = _plain_text(s, write, part, prefix is not None, parts)
            continue
        if part.kind != "name":
            s.faults.add(part.place, "wrong-form", "a notation names choices, each by its name alone", '"{from}{to}"')
            return None
        name = part.parts[0]
        if name not in chosen:
            s.faults.add(part.place, "unknown-name", f"the notation names `{name}`, which the rule does not choose",
                         suggest(name, chosen))
            return None
        parts.append((name, prefix or ""))
    named = {part[0] for part in parts if isinstance(part, tuple)}
    missing = [k.name for k in made if k.kind in ("choose", "choose_some") and k.name not in named]
    if missing:
        s.faults.add(write.place, "incomplete-notation",
                     f"the notation leaves out `{missing[0]}`, so moves could not be read back",
                     f"add `{{{missing[0]}}}`")
        return None
    return tuple(parts)


def _plain_text(s: Scope, write: Leaf, text: str, open_: bool, parts: list[str | tuple[str, str]]) -> str | None:
    """Add the text between two choices; what stands behind an open bracket is given back: it goes with the next one."""
    if open_:
        closed = text.startswith("]")
        if not closed:
            s.faults.add(write.place, "wrong-form",
                         "a bracket in a notation holds one choice and what stands before it",
                         'write `"{from}{to}[={kind}]"`')
        text = text[1:] if closed else text
    before, bracket, behind = text.partition("[")
    if before:
        parts.append(before)
    return behind if bracket else None
