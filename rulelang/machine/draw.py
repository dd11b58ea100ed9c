"""The machine as a picture for the author of the rules: phases, and what leads from one to another.

Nodes inside blocks are left out: what is drawn are the phases, each with its actions, the chance and the questions in
it, and the ends. An arrow is named after the rule that takes it.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulelang.machine.nodes import Machine
from rulelang.model.game import Block, Game, Phase
from rulelang.model.ir import S

_RESULTS = {"win": "win", "lose": "lose", "tie": "tie", "finish": "finish"}


@dataclass(frozen=True, slots=True, order=True)
class Arrow:
    """From a phase (or `start`, `turn`, `round`) to a phase, `turn`, `round` or `end`, by these rules."""

    start: str
    goal: str
    rule: str


def arrows(game: Game) -> list[Arrow]:
    """What leads where, in the order of the rules, each once."""
    found: dict[Arrow, None] = {}

    def add(start: str, goal: str, rule: str) -> None:
        found[Arrow(start, goal, rule)] = None

    begins = "round" if game.round_begin is not None else "turn"
    add("start", begins, "setup" if game.setup is not None else "")
    if begins == "round":
        add("round", "turn", "begin")
    for name, block in (("round", game.round_begin), ("round", game.round_end), ("turn", game.turn_begin),
                        ("turn", game.turn_end)):
        for goal in exits(game, block):
            add(name, goal or name, "begin" if block in (game.round_begin, game.turn_begin) else "end")
    if game.phases:
        add("turn", game.phases[game.turn_starts].name, "begin" if game.turn_begin is not None else "")
    for phase in game.phases:
        for block, rule in ((phase.begin, "begin"), (phase.after, "after"), (phase.stuck, "stuck")):
            for goal in exits(game, block):
                add(phase.name, goal or phase.name, rule)
            if rule == "after" and block is not None and not leaves(game, block):
                add(phase.name, phase.name, rule)
        for number in phase.actions:
            action = game.actions[number]
            effects = tuple(s for clause in action.clauses for s in clause.effects)
            for goal in exits(game, effects):
                add(phase.name, goal or phase.name, action.name)
            if phase.after is None and not leaves(game, effects):
                add(phase.name, phase.name, action.name)
    for end in game.ends:
        add("any move", "end", end.name)
    if game.limit is not None:
        add("turn", "end", "limit")
    return list(found)


def exits(game: Game, block: Block | None) -> list[str]:
    """Where a block may leave to, through steps too: phases, `turn`, `round`, `end`, or '' for `again`."""
    found: dict[str, None] = {}

    def walk(statements: Block) -> None:
        for s in statements:
            goal = _goal(game, s)
            if goal is not None:
                found[goal] = None
            walk(s.body)
            walk(s.orelse)
            if s.op == "step":
                walk(game.steps[s.data].body)

    walk(block or ())
    return list(found)


def leaves(game: Game, block: Block) -> bool:
    """Whether a block leaves by an exit whatever happens."""
    for s in block:
        if _goal(game, s) is not None:
            return True
        if s.op == "if" and s.orelse and leaves(game, s.body) and leaves(game, s.orelse):
            return True
        if s.op == "step" and leaves(game, game.steps[s.data].body):
            return True
    return False


def _goal(game: Game, s: S) -> str | None:
    if s.op == "go":
        return str(game.phases[s.data].name)
    if s.op == "again":
        return ""
    if s.op in _RESULTS:
        return "end"
    return {"end_turn": "turn", "end_round": "round"}.get(s.op)


def mermaid(machine: Machine) -> str:
    """The machine as the text of a Mermaid state diagram."""
    game = machine.game
    lines = ["stateDiagram-v2"]
    for phase in game.phases:
        lines.append(f"    state \"{_title(game, phase)}\" as {_id(phase.name)}")
    merged: dict[tuple[str, str], list[str]] = {}
    for arrow in arrows(game):
        if arrow.start == "any move":
            continue
        merged.setdefault((arrow.start, arrow.goal), []).append(arrow.rule)
    for (start, goal), rules in merged.items():
        names = ", ".join(dict.fromkeys(rule for rule in rules if rule))
        tail = f": {names}" if names else ""
        lines.append(f"    {_id(start)} --> {_id(goal)}{tail}")
    ends = [arrow.rule for arrow in arrows(game) if arrow.start == "any move"]
    if ends and game.phases:
        lines.append(f"    note right of {_id(game.phases[-1].name)}")
        lines.append(f"        ends after any move: {', '.join(ends)}")
        lines.append("    end note")
    return "\n".join(lines) + "\n"


def text(machine: Machine) -> str:
    """The machine in lines of plain text."""
    game = machine.game
    lines = [f"{game.title}: {len(game.phases)} phases, {len(game.actions)} actions, {machine.size} values in all"]
    for phase in game.phases:
        lines.append("")
        lines.append(f"phase {phase.name}, {_who(phase)} ({phase.place})")
        for number in phase.actions:
            action = game.actions[number]
            must = ", must be done if it can" if number in phase.must else ""
            clauses = ", ".join(clause.name for clause in action.clauses if clause.kind != "do")
            lines.append(f"  action {action.name}{must}{': ' + clauses if clauses else ''}")
        chance = _chance(machine, phase)
        if chance:
            lines.append(f"  chance: {', '.join(chance)}")
        for arrow in arrows(game):
            if arrow.start == phase.name:
                lines.append(f"  -> {arrow.goal} by {arrow.rule}")
    others = [arrow for arrow in arrows(game) if arrow.start in ("start", "round", "turn", "any move")]
    lines.append("")
    lines += [f"{arrow.start} -> {arrow.goal}{' by ' + arrow.rule if arrow.rule else ''}" for arrow in others]
    return "\n".join(lines) + "\n"


def _title(game: Game, phase: Phase) -> str:
    actions = " | ".join(game.actions[number].name for number in phase.actions)
    return f"{phase.name}: {actions}" if actions else phase.name


def _who(phase: Phase) -> str:
    if not phase.actions:
        return "nobody chooses"
    if phase.who is None:
        return "the player in turn"
    return "all together" if phase.who == "together" else "a player whom the rules name"


def _chance(machine: Machine, phase: Phase) -> list[str]:
    """What is drawn or asked in a phase's own blocks and in those of its actions."""
    rules = [f"phase {phase.name}"] + [f"action {machine.game.actions[number].name}," for number in phase.actions]
    found: dict[str, None] = {}
    for node in machine.nodes:
        if node.kind not in ("draw", "deal", "roll", "shuffle", "judge") or node.statement is None:
            continue
        if any(node.rule == rule or node.rule.startswith(rule) for rule in rules):
            s = node.statement
            name = s.data.name if node.kind == "judge" else machine.fields[s.target.var].name if s.target else ""
            found[f"{node.kind} {name}"] = None
    return list(found)


def _id(name: str) -> str:
    return {"start": "[*]", "end": "[*]", "turn": "next_turn", "round": "next_round"}.get(name, f"phase_{name}")
