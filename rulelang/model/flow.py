"""Phases, turns, ends and what else runs a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.model.actions import action
from rulelang.model.blocks import CHANCE, block, leaves
from rulelang.model.convert import expect
from rulelang.model.expressions import condition, expression, number
from rulelang.model.game import Action, Block, End, Phase, Position, Rank
from rulelang.model.ir import E
from rulelang.model.kinds import branch_of, text_of, texts_of
from rulelang.model.scope import Context, Local, Scope, suggest
from rulelang.model.types import Maybe, Number, Wrong, a_
from rulelang.source.diagnostic import Place
from rulelang.syntax.trees import Branch, DataList, Entry, Item, Leaf, Syntax

_STEERING = ("go", "again", "end_turn", "end_round", "next_player", "turn_to")
# the exits that a block may not take, with the reason
ENDING = dict.fromkeys(_STEERING, "the game ends here, and only `win`, `lose`, `tie` or `finish` can say how")
OUTSIDE = {"again": "no phase is under way that could go on"}
ROUND_END = {**OUTSIDE, **dict.fromkeys(("end_turn", "end_round"), "the round is ending already")}


def effects(
    s: Scope, branch: Branch | None, name: str, path: str, me: bool = True, guard: str = "",
    exits: Mapping[str, str] | None = None,
) -> Block | None:
    """A block of a section, or None if it is not there."""
    item = branch.get(name) if branch is not None else None
    if not isinstance(item, Leaf):
        return None
    return block(s, Context(f"{path}.{name}", me=me, effects=True, guard=guard, exits=exits or {}), item.value)


def phases_and_actions(s: Scope, root: Branch) -> tuple[tuple[Phase, ...], tuple[Action, ...]]:
    """All phases and actions."""
    section, actions = branch_of(root, "phases"), branch_of(root, "actions")
    if section is None or not section.entries:
        s.faults.add(root.place, "missing", "a game needs `phases:`", "phases:\n  play: {actions: [move]}")
        return (), ()
    numbers = {e.name: i for i, e in enumerate(actions.entries if actions is not None else ())}
    together = _together_actions(section)
    made_actions = [action(s, e, e.name in together) for e in (actions.entries if actions is not None else ())]
    made = [_phase(s, e, numbers, made_actions) for e in section]
    return tuple(made), tuple([a for a in made_actions if a is not None])


def _together_actions(section: Branch) -> set[str]:
    found: set[str] = set()
    for entry in section:
        if isinstance(entry.item, Branch) and _is_together(entry.item):
            found |= {leaf.value for leaf in texts_of(entry.item.get("actions"))}
    return found


def _is_together(item: Branch) -> bool:
    who = item.get("who")
    return isinstance(who, Leaf) and who.value.kind == "name" and who.value.parts[0] == "together"


def _phase(s: Scope, entry: Entry, numbers: dict[str, int], actions: list[Action | None]) -> Phase:
    item = entry.item if isinstance(entry.item, Branch) else None
    path = f"phases.{entry.name}"
    who: E | str | None = None
    leaf = item.get("who") if item is not None else None
    if item is not None and _is_together(item):
        who = "together"
    elif isinstance(leaf, Leaf):
        c = Context(path, guard="it decides who acts")
        who = expect(s, c, expression(s, c, leaf.value, s.seats), s.seats, "who acts")
    names = {what: _names(s, item, what, numbers) for what in ("actions", "must")}
    for name, place in names["must"]:
        if name not in {n for n, _ in names["actions"]}:
            s.faults.add(place, "unknown-name", f"`must` names `{name}`, which is not among the phase's actions")
    chain = text_of(item, "chain")
    if chain and chain != "one move":
        leaf = item.get("chain") if item is not None else None
        s.faults.add(entry.place if leaf is None else leaf.place, "wrong-form", "`chain:` is `one move`, or left out")
    best = _best(s, item, path, bool(chain), entry.place)
    before = len(s.faults.found)
    begin = effects(s, item, "begin", path)
    sound = len(s.faults.found) == before
    phase = Phase(
        entry.name, who, begin, tuple([numbers[n] for n, _ in names["actions"]]),
        tuple([numbers[n] for n, _ in names["must"]]), bool(chain), best,
        effects(s, item, "after", path, me=who != "together"),
        effects(s, item, "stuck", path, guard="it decides what follows when nothing is legal"), entry.place)
    if best:
        acting = [actions[number_] for number_ in phase.actions]
        _no_chance(s, [phase.after, *(k.effects for a in acting if a is not None for k in a.clauses)])
    if sound and not names["actions"] and not _listed(item, "actions") and not (begin and leaves(s, begin)):
        s.faults.add(entry.place, "never-left", f"the phase `{entry.name}` has no actions and may not leave by itself",
                     "end its `begin` with `go …`, `end turn` or another exit on every way")
    return phase


def _listed(item: Branch | None, what: str) -> bool:
    """Whether names are listed at all, be they known or not."""
    return item is not None and bool(texts_of(item.get(what)))


def _no_chance(s: Scope, blocks: list[Block | None]) -> None:
    """`best` looks ahead until the phase is left, so nothing there may be left to chance."""
    for place in sorted({place for b in blocks for place in _chances(s, b or ())}):
        s.faults.add(place, "chance-here", "chance may not be here: `best` looks ahead over the moves of this phase",
                     "draw in a phase before it, as one rolls before one moves")


def _chances(s: Scope, statements: Block) -> Iterator[Place]:
    """Where there is chance in a block, or a step with chance in it is taken."""
    for one in statements:
        if one.op in CHANCE or (one.op == "step" and s.step_ops[one.data] & CHANCE):
            yield one.place
        yield from _chances(s, (*one.body, *one.orelse))


def _names(s: Scope, item: Branch | None, what: str, numbers: dict[str, int]) -> list[tuple[str, Place]]:
    found: dict[str, Place] = {}
    for leaf in texts_of(item.get(what) if item is not None else None):
        if leaf.value in found:
            s.faults.add(leaf.place, "twice-named", f"`{leaf.value}` is in this list already", "take it out")
        elif leaf.value in numbers:
            found[leaf.value] = leaf.place
        else:
            s.faults.add(leaf.place, "unknown-name", f"unknown action `{leaf.value}`", suggest(leaf.value, numbers))
    return list(found.items())


def _best(s: Scope, item: Branch | None, path: str, chain: bool, place: Place) -> tuple[E, ...]:
    listed = item.get("best") if item is not None else None
    if listed is None:
        return ()
    if not chain:
        s.faults.add(place, "wrong-form", "`best` compares whole chains, so the phase needs `chain: one move`")
    c = Context(f"{path}.best", guard="it decides which moves are legal")
    return tuple([number(s, c, leaf.value) for leaf in _leaves(listed)])


def _leaves(item: Item | None) -> list[Leaf]:
    """The leaves of a list, or one alone."""
    items = item.items if isinstance(item, DataList) else (item,)
    return [one for one in items if isinstance(one, Leaf)]


# ------------------------------------------------------------------------------------------------ the rest


def ends(s: Scope, section: Branch | None) -> tuple[End, ...]:
    """What ends the game."""
    made = []
    for entry in section or ():
        item = entry.item if isinstance(entry.item, Branch) else None
        leaf = item.get("when") if item is not None else None
        if not isinstance(leaf, Leaf):
            s.faults.add(entry.place, "missing", f"the end `{entry.name}` needs `when:`")
            continue
        when = condition(s, Context(f"end.{entry.name}", ending=True), leaf.value)
        then = effects(s, item, "then", f"end.{entry.name}", exits=ENDING)
        made.append(End(entry.name, when, then, entry.place))
    return tuple(made)


def ranks(s: Scope, root: Branch) -> tuple[tuple[Rank, ...], Rank | None]:
    """What `finish` goes by."""
    made: list[Rank] = []
    listed = root.get("rank")
    for leaf in _leaves(listed):
        word, value = leaf.value.parts
        found = _rank(s, leaf, value, word != "lowest")
        made += [found] if found is not None else []
    result = root.get("result")
    if not isinstance(result, Leaf):
        return tuple(made), None
    if listed is not None:
        s.faults.add(result.place, "contradiction", "a game has `rank` or `result`, not both")
    return tuple(made), _rank(s, result, result.value, True)


def _rank(s: Scope, leaf: Leaf, value: Syntax, highest: bool) -> Rank | None:
    """A variable or define with one player for its index, or an expression over `p`."""
    slot = s.slot("p")
    c = Context("rank", {"p": Local(slot, s.seats, leaf.place)}, me=False)
    x = value
    if value.kind == "name" and value.parts[0] in s.symbols:
        symbol = s.symbols[value.parts[0]]
        if symbol.kind in ("variable", "define", "table"):
            form = "call" if symbol.kind == "define" else "index"
            x = Syntax(form, (value.parts[0], (Syntax("name", ("p",), value.place),)), value.place)
    e = expression(s, c, x)
    if isinstance(e.type, Wrong):
        return None
    kind = e.type.of if isinstance(e.type, Maybe) else e.type
    if not isinstance(kind, Number):
        s.faults.add(leaf.place, "wrong-type", f"players are ranked by numbers, and this is {a_(e.type)}")
        return None
    name = value.parts[0] if value.kind == "name" else "rank"
    return Rank(name, highest, e, slot)


def positions(s: Scope, section: Branch | None) -> tuple[Position, ...]:
    """Named parts of the state whose history is kept."""
    made = []
    for entry in section or ():
        variables, with_me = [], False
        for leaf in texts_of(entry.item):
            symbol = s.find(leaf.value) if leaf.value != "me" else None
            if leaf.value == "me":
                with_me = True
            elif symbol is not None and symbol.kind == "variable":
                variables.append(symbol.item)
            else:
                known = [n for n, sym in s.symbols.items() if sym.kind == "variable"]
                s.faults.add(leaf.place, "unknown-name", f"`{leaf.value}` is not in the state",
                             suggest(leaf.value, known))
        made.append(Position(entry.name, tuple(variables), with_me, entry.place))
    return tuple(made)
