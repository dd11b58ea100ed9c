"""Actions: the clauses of a rule, in order, each with what the clauses before it have made known."""

from __future__ import annotations

from dataclasses import replace

from rulelang.model.blocks import CHANCE, block, ops_in
from rulelang.model.convert import as_set, domain_element, plain
from rulelang.model.expressions import condition, expression, number, text
from rulelang.model.game import Action, Block, Clause
from rulelang.model.ir import TRUE, E, S
from rulelang.model.scope import Context, Local, Scope, key, suggest
from rulelang.model.secrets import reads_secret
from rulelang.model.truths import contradiction, holds_when, not_none
from rulelang.model.types import BagOf, DeckOf, ListOf, Maybe, Number, SetOf, Type, Wrong, describe, is_scalar
from rulelang.source.diagnostic import Place
from rulelang.syntax.trees import Branch, Entry, Leaf, Rule, Syntax
from rulelang.syntax.trees import Clause as SyntaxClause

PREAMBLE = ("choose_one", "choose_some", "let", "require", "says")


def action(s: Scope, entry: Entry, together: bool) -> Action | None:
    """An action, checked clause by clause. `together`: a phase has players choose it at once."""
    item = entry.item
    rule = item.get("rule") if isinstance(item, Branch) else None
    if not isinstance(rule, Rule):
        s.faults.add(entry.place, "missing", f"the action `{entry.name}` has no rule", f"{entry.name}: |")
        return None
    c = Context(f"actions.{entry.name}", guard="it decides whether the move is legal")
    made: list[Clause] = []
    done = False
    ensures = any(k.statement.kind == "ensure" for k in rule.clauses)
    for k in rule.clauses:
        kind = k.statement.kind
        if kind == "do":
            if done:
                s.faults.add(k.statement.place, "wrong-order", "an action has one `do:`")
                continue
            done = True
            chance = "an `ensure` has still to be answered" if ensures else \
                "players choose together" if together else ""
            effects = Context(c.path, dict(c.locals), c.truths, effects=True, chance=chance, together=together)
            made.append(Clause(k.name, "do", k.statement.place, effects=block(s, effects, k.statement.parts[0])))
            _keep_lets(s, c, k.statement.parts[0], made[-1].effects)
            c.truths = frozenset()
        elif kind == "ensure":
            if not done:
                s.faults.add(k.statement.place, "wrong-order", "`ensure` is asked after the effects, so it stands below `do:`",
                             "what is asked before is a `require`")
            made.append(_ensure(s, c, k))
        elif kind in PREAMBLE:
            if done:
                s.faults.add(k.statement.place, "wrong-order", "choices and conditions stand before `do:`")
                continue
            clause = CLAUSES[kind](s, c, k)
            if clause is not None:
                made.append(clause)
        else:
            s.faults.add(k.statement.place, "wrong-form", "effects stand below `do:`", "do:\n        …")
    if not done or not any(k.kind == "do" and k.effects for k in made):
        if not s.faults.found or done is False:
            s.faults.add(rule.place, "no-effects", f"the action `{entry.name}` does nothing",
                         "end its rule with a `do:` and what happens; a pass too changes something")
    made = [_with_secrecy(s, k, made) for k in made]
    says = item.get("says") if isinstance(item, Branch) else None
    write = item.get("write") if isinstance(item, Branch) else None
    return Action(entry.name, says.value if isinstance(says, Leaf) else "", tuple(made),
                  _notation(s, write, made) if isinstance(write, Leaf) else None, entry.place)


def _keep_lets(s: Scope, c: Context, statements: tuple[Syntax, ...], effects: Block) -> None:
    """Values that `do` has worked out may be asked by the ensures below it."""
    lets = {x.parts[0] for x in statements if x.kind == "let"}
    for one in effects:
        if one.op == "let" and s.slots[one.data] in lets:
            c.locals[s.slots[one.data]] = Local(one.data, one.args[0].type, one.place)


def _choose_one(s: Scope, c: Context, k: SyntaxClause) -> Clause | None:
    name, over, optional, where, sentence = k.statement.parts
    held = as_set(s, c, expression(s, c, over))
    if isinstance(held.type, (ListOf, DeckOf)) and held.op != "const" and is_scalar(domain_element(s, held)):
        held = E("kinds", SetOf(plain(domain_element(s, held))),
                 (E("list_bag", BagOf(plain(domain_element(s, held)), 1 << 16), (held,), None, held.place),), None, held.place)
    kind = domain_element(s, held)
    shown: Type = Maybe(kind) if optional and not isinstance(kind, Wrong) else kind
    slot = s.bind(c, name, shown, k.statement.place)
    if not optional:
        c.truths |= {("in", None, (("local", slot, ()), key(held)))}
    asked = None
    if where is not None:
        asked = condition(s, c, where)
        contradiction(s, c, TRUE, asked, asked.place)
        c.truths |= frozenset(holds_when(asked))
    return Clause(k.name, "choose", k.statement.place, text(s, c, sentence), slot, shown, held, asked, optional)


def _choose_some(s: Scope, c: Context, k: SyntaxClause) -> Clause | None:
    amount, bag, name, where, sentence = k.statement.parts
    if amount.kind == "range":
        low, high = number(s, c, amount.parts[0]), number(s, c, amount.parts[1])
    else:
        low = high = number(s, c, amount)
    held = expression(s, c, bag)
    if not isinstance(held.type, (SetOf, BagOf)):
        if not isinstance(held.type, Wrong):
            s.faults.add(held.place, "wrong-type", f"`choose … from` asks for a bag or set, and this is a {describe(held.type)}")
        s.bind(c, name, held.type, k.statement.place)
        return None
    most = high.type.high if isinstance(high.type, Number) else 0
    kind: Type = held.type
    if isinstance(kind, BagOf):
        kind = BagOf(kind.of, min(kind.most, most), kind.component)
    slot = s.bind(c, name, kind, k.statement.place)
    asked = None
    if where is not None:
        asked = condition(s, c, where)
        c.truths |= frozenset(holds_when(asked))
    return Clause(k.name, "choose_some", k.statement.place, text(s, c, sentence), slot, kind, held, asked,
                  amount=(low, high))


def _let(s: Scope, c: Context, k: SyntaxClause) -> Clause | None:
    name, value, sentence = k.statement.parts
    e = expression(s, c, value)
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
    e = condition(s, c, asked)
    contradiction(s, c, TRUE, e, e.place)
    if e.op == "const" and e.data is False:
        s.faults.add(e.place, "never", "this never holds, so the action is never legal")
    c.truths |= frozenset(holds_when(e))
    return Clause(k.name, "require", k.statement.place, told, value=e)


def _ensure(s: Scope, c: Context, k: SyntaxClause) -> Clause:
    _, asked, sentence = k.statement.parts
    return Clause(k.name, "ensure", k.statement.place, text(s, c, sentence), value=condition(s, c, asked))


def _says(s: Scope, c: Context, k: SyntaxClause) -> Clause:
    return Clause(k.name, "says", k.statement.place, text(s, c, k.statement.parts[0]))


CLAUSES = {"choose_one": _choose_one, "choose_some": _choose_some, "let": _let, "require": _require, "says": _says}


# ------------------------------------------------------------------------------------------------ what is told


def _with_secrecy(s: Scope, k: Clause, all_: list[Clause]) -> Clause:
    """Mark a choice that the others are not told: it comes out of a secret and does not end in the open."""
    if k.kind not in ("choose", "choose_some") or k.domain is None or not reads_secret(s, k.domain):
        return k
    effects = next((one.effects for one in all_ if one.kind == "do"), ())
    return k if _ends_open(s, k.slot, effects) else replace(k, secret=True)


def _ends_open(s: Scope, slot: int, effects: Block) -> bool:
    """Whether the value of a slot is put, whatever happens, where everybody sees it."""
    carried = {slot}
    for one in effects:
        if one.op == "let" and one.args[0].op == "local" and one.args[0].data in carried:
            carried.add(one.data)
        opens = one.target is not None and s.variables[one.target.var].seen is None and one.op in ("set", "put")
        if opens and any(_carries(a, carried) for a in one.args):
            return True
        if one.op == "step":
            body = s.steps[one.data]
            inner = {p for p, a in zip(body.slots, one.args, strict=True) if _carries(a, carried)}
            if any(_ends_open(s, p, body.body) for p in inner):
                return True
    return False


def _carries(e: E, slots: set[int]) -> bool:
    """Whether an expression is the slot's value itself, perhaps within conversions."""
    if e.op == "local":
        return e.data in slots
    wraps = ("one", "set_of", "bag_of", "one_bag", "union", "plus", "as_bag", "need", "recode", "lift", "fit", "bag_list",
             "list_bag", "kinds")
    return e.op in wraps and any(_carries(a, slots) for a in e.args)


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
        name = part.parts[0] if part.kind == "name" else ""
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
    """Add the text between two choices; what stands behind an open bracket is given back, it goes with the next choice."""
    if open_:
        closed = text.startswith("]")
        if not closed:
            s.faults.add(write.place, "wrong-form", "a bracket in a notation holds one choice and what stands before it",
                         'write `"{from}{to}[={kind}]"`')
        text = text[1:] if closed else text
    before, bracket, behind = text.partition("[")
    if before:
        parts.append(before)
    return behind if bracket else None


def chain_ok(s: Scope, effects: Block, place: Place) -> None:
    """`best` looks ahead, so there may be no chance in its phase."""
    if _has_chance(s, effects):
        s.faults.add(place, "chance-here", "`best` looks ahead over the moves of this phase, so there may be no chance in them")


def _has_chance(s: Scope, effects: tuple[S, ...]) -> bool:
    return bool(ops_in(effects) & CHANCE) or any(
        _has_chance(s, s.steps[one.data].body) for one in _all(effects) if one.op == "step")


def _all(effects: tuple[S, ...]) -> list[S]:
    found: list[S] = []
    for one in effects:
        found += [one, *_all(one.body), *_all(one.orelse)]
    return found
