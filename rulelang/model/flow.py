"""Phases, turns, ends and what else runs a game; and the checks of the whole: what is unused, unreachable, unending."""

from __future__ import annotations

from rulelang.model.actions import action
from rulelang.model.blocks import CHANCE, block, every, leaves, ops_in
from rulelang.model.convert import expect
from rulelang.model.expressions import condition, expression, number
from rulelang.model.game import Action, Block, End, Phase, Position, Rank
from rulelang.model.ir import E
from rulelang.model.kinds import branch_of, text_of, texts_of
from rulelang.model.scope import Context, Local, Scope, suggest
from rulelang.model.types import Maybe, Number, Wrong, describe
from rulelang.source.diagnostic import Place
from rulelang.syntax.trees import Branch, DataList, Entry, Leaf, Syntax


def effects(s: Scope, branch: Branch | None, name: str, path: str, me: bool = True, **more: object) -> Block | None:
    """A block of a section, or None if it is not there."""
    item = branch.get(name) if branch is not None else None
    if not isinstance(item, Leaf):
        return None
    return block(s, Context(f"{path}.{name}", me=me, effects=True, **more), item.value)  # type: ignore[arg-type]


def phases_and_actions(s: Scope, root: Branch) -> tuple[tuple[Phase, ...], tuple[Action, ...]]:
    """All phases and actions. Names of phases are known before the blocks that go there."""
    section, actions = branch_of(root, "phases"), branch_of(root, "actions")
    if section is None or not section.entries:
        s.faults.add(root.place, "missing", "a game needs `phases:`", "phases:\n  play: {actions: [move]}")
        return (), ()
    numbers = {e.name: i for i, e in enumerate(actions.entries if actions is not None else ())}
    s.phases = {e.name: i for i, e in enumerate(section)}
    together = _together_actions(section)
    made_actions = [action(s, e, e.name in together) for e in (actions.entries if actions is not None else ())]
    made = [_phase(s, e, numbers, made_actions) for e in section]
    return tuple(made), tuple(a for a in made_actions if a is not None)


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
        s.faults.add(entry.place, "wrong-form", "`chain:` is `one move`")
    best = _best(s, item, path, bool(chain), entry.place)
    phase = Phase(
        entry.name, who, effects(s, item, "begin", path), tuple(numbers[n] for n, _ in names["actions"]),
        tuple(numbers[n] for n, _ in names["must"]), bool(chain), best,
        effects(s, item, "after", path, me=who != "together"),
        effects(s, item, "stuck", path, guard="it decides what follows when nothing is legal"), entry.place)
    if best:
        acting = [actions[number_] for number_ in phase.actions]
        _no_chance(s, [phase.after, *(k.effects for a in acting if a is not None for k in a.clauses)])
    if not phase.actions and not (phase.begin is not None and leaves(s, phase.begin)):
        s.faults.add(entry.place, "never-left", f"the phase `{entry.name}` has no actions and may not leave by itself",
                     "end its `begin` with `go …`, `end turn` or another exit on every way")
    return phase


def _no_chance(s: Scope, blocks: list[Block | None]) -> None:
    """`best` looks ahead until the phase is left, so nothing there may be left to chance."""
    told = {one.place for b in blocks for one in every(s, b) if one.op in CHANCE}
    for place in sorted(told):
        s.faults.add(place, "chance-here", "`best` looks ahead over the moves of a phase, so there may be no chance in them",
                     "draw in a phase before it, as backgammon rolls before it moves")


def _names(s: Scope, item: Branch | None, what: str, numbers: dict[str, int]) -> list[tuple[str, Place]]:
    found = []
    for leaf in texts_of(item.get(what) if item is not None else None):
        if leaf.value in numbers:
            found.append((leaf.value, leaf.place))
        else:
            s.faults.add(leaf.place, "unknown-name", f"unknown action `{leaf.value}`", suggest(leaf.value, numbers))
    return found


def _best(s: Scope, item: Branch | None, path: str, chain: bool, place: Place) -> tuple[E, ...]:
    listed = item.get("best") if item is not None else None
    if listed is None:
        return ()
    if not chain:
        s.faults.add(place, "wrong-form", "`best` compares whole chains, so the phase needs `chain: one move`")
    c = Context(f"{path}.best", guard="it decides which moves are legal")
    leaves_ = listed.items if isinstance(listed, DataList) else (listed,)
    return tuple(number(s, c, leaf.value) for leaf in leaves_ if isinstance(leaf, Leaf))


# ------------------------------------------------------------------------------------------------ the rest


def ends(s: Scope, section: Branch | None) -> tuple[End, ...]:
    """What ends the game."""
    made = []
    for entry in section or ():
        item = entry.item
        leaf = item.get("when") if isinstance(item, Branch) else None
        if not isinstance(leaf, Leaf):
            s.faults.add(entry.place, "missing", f"the end `{entry.name}` needs `when:`")
            continue
        when = condition(s, Context(f"end.{entry.name}", ending=True), leaf.value)
        made.append(End(entry.name, when, effects(s, item, "then", f"end.{entry.name}"), entry.place))  # type: ignore[arg-type]
    return tuple(made)


def ranks(s: Scope, root: Branch) -> tuple[tuple[Rank, ...], Rank | None]:
    """What `finish` goes by."""
    made: list[Rank] = []
    listed = root.get("rank")
    for leaf in listed.items if isinstance(listed, DataList) else () if listed is None else (listed,):
        if isinstance(leaf, Leaf):
            word, value = leaf.value.parts
            found = _rank(s, leaf, value, word != "lowest")
            made += [found] if found is not None else []
    leaf = root.get("result")
    result = None
    if isinstance(leaf, Leaf):
        result = _rank(s, leaf, leaf.value, True)
        if listed is not None:
            s.faults.add(leaf.place, "contradiction", "a game has `rank` or `result`, not both")
    return tuple(made), result


def _rank(s: Scope, leaf: Leaf, value: object, highest: bool) -> Rank | None:
    """A variable or define with one player for its index, or an expression over `p`."""
    assert isinstance(value, Syntax)
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
        s.faults.add(leaf.place, "wrong-type", f"players are ranked by numbers, and this is a {describe(e.type)}")
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
                s.faults.add(leaf.place, "unknown-name", f"`{leaf.value}` is not in the state", suggest(leaf.value, known))
        made.append(Position(entry.name, tuple(variables), with_me, entry.place))
    return tuple(made)


# ------------------------------------------------------------------------------------------------ the whole


def check_whole(s: Scope, root: Branch, phases: tuple[Phase, ...], actions: tuple[Action, ...], start: str,
                mine: frozenset[str], ending: bool, others: tuple[Block | None, ...]) -> None:
    """What is never used or reached, among what the files in `mine` declare; and a game that cannot end."""
    used_actions = {a for p in phases for a in p.actions}
    section = branch_of(root, "actions")
    if section is not None and len(actions) == len(section.entries):
        for i, entry in enumerate(section):
            if i not in used_actions and entry.place.file in mine:
                s.faults.add(entry.place, "unused", f"no phase has the action `{entry.name}`",
                             "list it in a phase's `actions`, or drop it; a misspelt edit of an old one reads like this")
    reached = {p.name for i, p in enumerate(phases) if i in _reached(s, phases, actions, start, others)}
    for p in phases:
        if p.name not in reached and p.place.file in mine:
            s.faults.add(p.place, "unreachable", f"nothing goes to the phase `{p.name}`",
                         f"write `go {p.name}` where it comes next, or drop it", severity="warning")
    what = {"define": "define", "step": "step", "option": "option", "table": "table", "variable": "state variable",
            "area": "area"}
    for name, symbol in s.symbols.items():
        if symbol.kind in what and name not in s.used and symbol.place.file in mine and not name.startswith("supply of"):
            harmless = symbol.kind in ("table", "variable", "area")
            s.faults.add(symbol.place, "unused", f"the {what[symbol.kind]} `{name}` is never used",
                         "use it or drop it; a misspelt edit of an old one reads like this",
                         severity="warning" if harmless else "error")
    if phases and not ending and not _may_end(s, phases, actions, others):
        s.faults.add(branch_of(root, "phases").place, "never-ends",  # type: ignore[union-attr]
                     "nothing ends this game: there is no `end:`, `limit:`, `win`, `finish` …",
                     "say what ends it, or give it a `limit:`")


def _reached(s: Scope, phases: tuple[Phase, ...], actions: tuple[Action, ...], start: str,
             others: tuple[Block | None, ...]) -> set[int]:
    """The phases that a game may come to."""
    waiting = [i for i, p in enumerate(phases) if p.name == start]
    waiting += [one.data for b in others for one in every(s, b) if one.op == "go"]
    reached: set[int] = set()
    while waiting:
        i = waiting.pop()
        if i not in reached:
            reached.add(i)
            waiting += [one.data for b in blocks_of(phases[i], actions) for one in every(s, b) if one.op == "go"]
    return reached


def blocks_of(phase: Phase, actions: tuple[Action, ...]) -> list[Block | None]:
    """All blocks that are run in a phase."""
    own = [phase.begin, phase.after, phase.stuck]
    return own + [k.effects for i in phase.actions if i < len(actions) for k in actions[i].clauses]


def _may_end(s: Scope, phases: tuple[Phase, ...], actions: tuple[Action, ...], others: tuple[Block | None, ...]) -> bool:
    final = {"win", "lose", "tie", "finish", "out"}
    blocks = [b for p in phases for b in (p.begin, p.after, p.stuck) if b is not None]
    blocks += [b for b in others if b is not None]
    blocks += [k.effects for a in actions for k in a.clauses]
    blocks += [step.body for step in s.steps]
    return any(ops_in(s, b) & final for b in blocks)
