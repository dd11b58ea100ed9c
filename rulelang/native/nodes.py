"""The machine's nodes as one C function: `run` goes from node to node until the game waits.

Each node is a label; what follows is a jump. Nodes are counted as the interpreter counts them, on past decisions without
a move (`Game.nodes`), so that what never comes to a decision stops at the same place. The order of things at the end of a block is that of
`rulelang.engine.course`, with what cannot happen left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.engine.flow import MOST_NODES
from rulelang.machine.nodes import Node
from rulelang.model.game import Block, Game
from rulelang.model.ir import TRUE, E
from rulelang.model.types import SetOf
from rulelang.native.chance import ChanceWriter
from rulelang.native.deciding import Decision
from rulelang.native.effects import EXITS, block_function
from rulelang.native.emitter import Emitter, element_of
from rulelang.native.sequences import each
from rulelang.native.shapes import Declined, scalar, set_shape, value_text
from rulelang.native.starts import StartWriter
from rulelang.native.text import Fn, place_comment

RESULTS = {"finish": 1, "win": 2, "lose": 3, "tie": 4, "unfinished": 5}


class NodeWriter:
    """Writes `run`."""

    def __init__(self, x: Emitter) -> None:
        self.x = x
        self.machine = x.machine
        self.game = x.game
        self.entries = x.machine.entries
        self.reasons: list[str] = []
        self.chances: dict[int, ChanceWriter] = {}
        self.skipped: set[int] = set()

    def write(self, action_dos: set[int], decisions: Sequence[Decision]) -> list[str]:
        """The lines of `run`; functions of nodes go to the emitter. `action_dos`: nodes that `begin` runs itself."""
        self.decisions = decisions
        self.skipped = action_dos
        self.counting = any(_counts_moves(end.when) for end in self.game.ends)
        if self.counting and any(phase.chain for phase in self.game.phases):
            raise Declined("an end counts moves that are chains")
        for i, end in enumerate(self.game.ends):
            self._condition(f"end_{i}", end.when, "keys" if self.game.positions else "")
        if self.game.limit is not None:
            self._number("limit", self.game.limit[0])
        for phase, rules in enumerate(self.game.phases):
            if isinstance(rules.who, E):
                self._number(f"who_{phase}", rules.who)
        parts, endless = [], self._may_be_endless()
        for number, node in enumerate(self.machine.nodes):
            if number in self.skipped:
                continue
            parts.append(f"N{number}: {place_comment(node.place, node.kind + ' ' + node.rule)}")
            if endless:
                place = self.x.fault(node.place, "never-decides", "work")
                parts.append(f"  if (unlikely(++steps > {MOST_NODES})) fail(g, {place}, 0);")
            parts += ["  " + line for line in getattr(self, f"_{node.kind}")(number, node)]
        starts = [n for n in range(len(self.machine.nodes)) if n not in self.skipped]
        switch = [f"    case {n}: goto N{n};" for n in starts]
        return ["static int run(Game *g, State *s, int exit) {", "  num me = s->me;", "  int steps = g->nodes, exit_to UNUSED;",
                "  switch (s->node) {", *switch, "  }", "  return 0;", *parts, "}", ""]

    def _may_be_endless(self) -> bool:
        """Whether the game may come back to a node before a decision; else nodes need not be counted."""
        left = {n: self._leads_to(n) for n in range(len(self.machine.nodes))}
        while True:
            ends = {n for n, goals in left.items() if not goals & left.keys()}
            if not ends:
                return bool(left) or len(self.machine.nodes) > MOST_NODES
            left = {n: goals for n, goals in left.items() if n not in ends}

    def _leads_to(self, number: int) -> set[int]:
        """The nodes that may follow one without a decision between, and perhaps some more."""
        node, e = self.machine.nodes[number], self.entries
        found = {node.next, node.other}
        if node.kind == "pass":
            found |= {e.round_begin, e.turn_begin, e.limit}
        elif node.kind == "settle":
            exits = self._exits_to(number)
            found |= {*e.ends, e.limit}
            if "go" in exits:
                found |= set(e.phases)
            if "again" in exits or node.block == "clock":
                found |= set(e.waits)
            if exits & {"end_turn", "end_round"} or node.block == "turn_end":
                found |= {e.turn_end, e.round_end}
        return found - {-1}

    # Pieces

    def _condition(self, name: str, e: E, keys: str = "") -> str:
        fn = Fn()
        fn.keys = keys
        result = self.x.value(fn, e)
        self.x.functions.append("\n".join([
            place_comment(e.place, name),
            f"static int {name}(Game *g UNUSED, const State *s UNUSED, num me UNUSED{keys and f', const u64 *{keys} UNUSED'}) {{",
            *fn.lines, f"  return {result};", "}\n"]))
        return name

    def _number(self, name: str, e: E) -> str:
        fn = Fn()
        result = self.x.value(fn, e)
        self.x.functions.append("\n".join([
            place_comment(e.place, name),
            f"static num {name}(Game *g UNUSED, const State *s UNUSED, num me UNUSED) {{", *fn.lines,
            f"  return {result};", "}\n"]))
        return name

    def _body(self, number: int, body: Block) -> str:
        block_function(self.x, f"run_{number}", body)
        return f"run_{number}(g, s, me)"

    def _wait_here(self, number: int, what: int) -> str:
        return f"s->node = {number}; s->me = (int8_t)me; g->nodes = steps; return {what};"

    def _reason(self, text: str) -> int:
        if text not in self.reasons:
            self.reasons.append(text)
        return self.reasons.index(text)

    def _over_with(self, kind: str, seat: str, reason: str) -> str:
        return f"{{ over(g, s, me, {RESULTS[kind]}, {seat}, {self._reason(reason)}); goto N{self.entries.over}; }}"

    # Blocks

    def _start(self, number: int, node: Node) -> list[str]:
        variable = self.game.variables[node.var]
        if variable.start.kind != "random":
            StartWriter(self.x, node.var).write()
            call = [] if variable.start.kind == "value" else [f"start_{node.var}(g, s, me);"]
            return [*call, f"goto N{node.next};"]
        slot = f"s->{self.x.persistent[node.slot]}"
        self._chance(number, node)
        return [f"while ({slot} < {self.machine.fields[node.var].length}) {{",
                f"  if (draw_{number}(g, s, me)) {{ s->me = (int8_t)me; return 2; }}", f"  {slot}++;", "}",
                f"goto N{node.next};"]

    def _block(self, number: int, node: Node) -> list[str]:
        keep = [] if node.keeps_me else ["me = s->player;"]
        return [*keep, "exit = 0;", f"goto N{node.next};"]

    def _run(self, number: int, node: Node) -> list[str]:
        call = self._body(number, node.body)
        other = f"if (exit) goto N{node.other};" if node.other >= 0 else ""
        return [f"exit = {call};", other, f"goto N{node.next};"]

    def _test(self, number: int, node: Node) -> list[str]:
        assert node.test is not None
        name = self._condition(f"test_{number}", node.test)
        return [f"if ({name}(g, s, me)) goto N{node.next}; else goto N{node.other};"]

    def _each(self, number: int, node: Node) -> list[str]:
        x = self.x
        assert node.domain is not None
        fn = Fn()
        slot = f"s->{x.persistent[node.slot]}"
        if isinstance(node.domain.type, SetOf):
            fn.line(f"{slot} = {x.value(fn, node.domain)};")
        else:
            fn.line(f"{slot}.n = 0;")
            with each(x, fn, node.domain) as value:
                fn.line(f"{slot}.v[{slot}.n++] = {value};")
            fn.line(f"for (int i = 0, j = {slot}.n - 1; i < j; i++, j--) "
                    f"{{ {x.element_ctype(element_of(node.domain.type))} t = {slot}.v[i]; {slot}.v[i] = {slot}.v[j]; {slot}.v[j] = t; }}")
        x.functions.append("\n".join([f"static void each_{number}(Game *g UNUSED, State *s, num me UNUSED) {{", *fn.lines, "}\n"]))
        return [f"each_{number}(g, s, me);", f"goto N{node.next};"]

    def _more(self, number: int, node: Node) -> list[str]:
        x = self.x
        slot, element = f"s->{x.persistent[node.slot]}", f"s->{x.persistent[node.element]}"
        test = node.test or TRUE
        name = self._condition(f"more_test_{number}", test)
        domain = next(n.domain for n in self.machine.nodes if n.kind == "each" and n.slot == node.slot)
        assert domain is not None
        if isinstance(domain.type, SetOf):
            shape = set_shape(domain.type)
            low = value_text(domain.type.of, shape.low(slot))
            take = [f"{element} = {low};", f"{slot} = {shape.without(slot, shape.bit(shape.low(slot)))};"]
            some = shape.some(slot)
        else:
            take, some = [f"{element} = {slot}.v[--{slot}.n];"], f"{slot}.n > 0"
        return [f"while ({some}) {{", *("  " + line for line in take), f"  if ({name}(g, s, me)) goto N{node.next};", "}",
                f"goto N{node.other};"]

    def _times(self, number: int, node: Node) -> list[str]:
        assert node.test is not None
        name = self._number(f"amount_{number}", node.test)
        return [f"s->{self.x.persistent[node.slot]} = {name}(g, s, me);", f"goto N{node.next};"]

    def _count(self, number: int, node: Node) -> list[str]:
        slot = f"s->{self.x.persistent[node.slot]}"
        lines = [f"if ({slot} <= 0) goto N{node.other};", f"{slot}--;"]
        if node.next >= 0 and self.machine.nodes[node.next].kind == "deal":
            self._chance(node.next, self.machine.nodes[node.next])
            lines.append(f"if (!more_{node.next}(g, s, me)) goto N{node.other};")
        return [*lines, f"goto N{node.next};"]

    # Chance

    def _chance(self, number: int, node: Node) -> ChanceWriter:
        if number not in self.chances:
            self.chances[number] = ChanceWriter(self.x, number, node)
            self.chances[number].write()
        return self.chances[number]

    def _draw(self, number: int, node: Node) -> list[str]:
        self._chance(number, node)
        return [f"if (draw_{number}(g, s, me)) {{ s->me = (int8_t)me; return 2; }}", f"goto N{node.next};"]

    _deal = _draw

    def _roll(self, number: int, node: Node) -> list[str]:
        self._chance(number, node)
        s = node.statement
        assert s is not None and s.target is not None
        lines = [f"if (draw_{number}(g, s, me)) {{ s->me = (int8_t)me; return 2; }}"]
        if s.target.whole:
            slot = f"s->{self.x.persistent[node.slot]}"
            lines = ["do {", *lines, f"}} while (++{slot} < {self.machine.fields[s.target.var].length});"]
        return [*lines, f"goto N{node.next};"]

    def _shuffle(self, number: int, node: Node) -> list[str]:
        self._chance(number, node)
        return ["for (;;) {", f"  const int how = draw_{number}(g, s, me);", "  if (how == 1) { s->me = (int8_t)me; return 2; }",
                "  if (how == 2) break;", "}", f"goto N{node.next};"]

    # The course of a game

    def _enter(self, number: int, node: Node) -> list[str]:
        return [f"s->phase = {node.phase};", "s->chained = 0;", f"goto N{node.next};"]

    def _over(self, number: int, node: Node) -> list[str]:
        return [self._wait_here(number, 3)]

    def _pass(self, number: int, node: Node) -> list[str]:
        entries = self.entries
        return ["if (s->pending == -2) s->pending = -1;", "change_player(s);", *self._limit(), "if (s->ending) {",
                f"  s->ending = 0; goto N{entries.round_begin};", "}", f"goto N{entries.turn_begin};"]

    def _limit(self) -> list[str]:
        if self.game.limit is None:
            return []
        if self.entries.limit >= 0:
            stop = f"goto N{self.entries.limit};"
        else:
            stop = self._over_with("unfinished", "-1", "limit")
        ending = "s->ending = 0; " if False else ""
        return [f"if ((num)s->turns >= limit(g, s, me)) {{ {ending}{stop} }}"]

    def _wait(self, number: int, node: Node) -> list[str]:
        phase = node.phase
        rules = self.game.phases[phase]
        lines = [f"s->phase = {phase};"]
        if rules.who == "together":
            lines.append("s->actor = -1;")
        else:
            lines.append(f"s->actor = (int8_t)actor_{phase}(g, s, &me);")
        lines.append("if (!s->chained) s->moving = 0;")
        if self.game.positions:
            lines.append("if (s->noted == 0) note_start(g, s);")
        if rules.who != "together":
            lines.append("me = s->actor;")
            lines += self.decisions[phase].lines()
        return [*lines, self._wait_here(number, 1)]

    def _settle(self, number: int, node: Node) -> list[str]:
        kind, phase, entries = node.block, node.phase, self.entries
        chain = kind == "move" and self.game.phases[phase].chain
        name = node.rule
        lines = ["exit_to = s->exit_to;"]
        if chain:
            lines += [f"if (exit == {EXITS['again']} && goes_on_{phase}(g, s, me)) {{ s->chained = 1; exit = 0; goto N{node.next}; }}"]
        lines.append("s->chained = 0;")
        if kind == "move":
            lines += ["if (unlikely(g->probe)) { s->me = (int8_t)me; return 4; }", *self._material(node)]
        elif kind == "stuck":
            lines += ["const int moved = s->moving;",
                      "if (unlikely(g->probe) && moved) { s->me = (int8_t)me; return 4; }"]
            check = self._material(node)
            if check:
                lines += ["if (moved) {", *check, "}"]
        lines.append("s->moving = 0;")
        may = self._exits_to(number)
        for result in ("win", "lose"):
            if result in may:
                lines.append(f"if (exit == {EXITS[result]}) {self._over_with(result, 'exit_to', name)}")
        for result in ("tie", "finish"):
            if result in may:
                lines.append(f"if (exit == {EXITS[result]}) {self._over_with(result, '-1', name)}")
        if kind in ("limit", "end"):
            return [*lines, self._over_with("finish", "-1", name)]
        lines.append(f"if (SEATS_LEAVE && s->leaving && leave(s)) {self._over_with('finish', '-1', 'all others are out')}")
        may_pass = kind not in ("turn_end", "round_end")
        if may_pass:
            lines += ["int passed = 0;", f"if (exit != {EXITS['end_turn']} && exit != {EXITS['end_round']}) {{",
                      "  if (SEATS_LEAVE && s->pending == -2 && (s->out >> s->player & 1)) s->pending = -1;",
                      "  if (s->pending != -2) { change_player(s); passed = 1; }", "}"]
        if self.counting:
            lines.append(f"look_ahead(g, s, exit == {EXITS['go']} ? exit_to : s->phase);")
        noting = bool(self.game.positions)
        if noting and (self.game.ends or kind in ("move", "stuck")):
            lines += ["u64 keys[POSITIONS];", "keys_of(s, me, keys);"]
        for i, end in enumerate(self.game.ends):
            then = entries.ends[i]
            goal = f"goto N{then};" if then >= 0 else self._over_with("finish", "-1", f"end {end.name}")
            lines.append(f"if (end_{i}(g, s, me{', keys' if noting else ''})) {goal}")
        if noting and kind in ("move", "stuck"):
            lines.append("note_keys(g, s, keys);" if kind == "move" else "if (moved) note_keys(g, s, keys);")
        if may_pass and self.game.limit is not None:
            lines += ["if (passed) {", *self._limit(), "}"]
        lines.append("switch (exit) {")
        if kind == "clock":
            lines.append("  case 0: goto wait_phase;")
        elif kind == "turn_end":
            lines.append(f"  case 0: if (s->ending) goto N{entries.round_end}; goto N{node.next};")
        else:
            lines.append(f"  case 0: goto N{node.next};")
        if not may & {"go", "again", "end_turn", "end_round"}:
            return ["{", *lines[:-2], lines[-1].strip().removeprefix("case 0: "), "}"]
        lines.append(f"  case {EXITS['go']}: s->ending = 0; exit = 0; switch (exit_to) {{ "
                     + " ".join(f"case {i}: goto N{n};" for i, n in enumerate(entries.phases)) + " default: return 0; }")
        lines.append(f"  case {EXITS['again']}: exit = 0; switch (s->phase) {{ "
                     + " ".join(f"case {i}: goto N{n};" for i, n in enumerate(entries.waits)) + " default: return 0; }")
        if kind == "clock":
            lines = [line.replace("goto wait_phase;", "switch (s->phase) { " + " ".join(
                f"case {i}: goto N{n};" for i, n in enumerate(entries.waits)) + " default: return 0; }") for line in lines]
        round_end, turn_end = entries.round_end, entries.turn_end
        if kind == "turn_end":
            lines.append(f"  case {EXITS['end_round']}: s->ending = 1; s->rounds++; exit = 0; goto N{round_end};")
            lines.append(f"  default: s->ending = 0; exit = 0; goto N{node.next};")
        else:
            after_round = turn_end if self.game.turn_end is not None else round_end
            lines.append(f"  case {EXITS['end_round']}: s->ending = 1; s->rounds++; exit = 0; goto N{after_round};")
            lines.append(f"  default: s->ending = 0; exit = 0; goto N{turn_end};")
        lines.append("}")
        return ["{", *lines, "}"]

    def _exits_to(self, settle: int) -> set[str]:
        """The exits that the blocks before a settle node may take."""
        found: set[str] = set()
        for node in self.machine.nodes:
            if node.kind == "run" and node.other == settle:
                found |= exits_of(self.game, node.body)
        return found

    def _material(self, node: Node) -> list[str]:
        from rulelang.native.material import check_function

        name = check_function(self.x)
        return [] if name is None else [f"{name}(g, s, {self.x.fault(node.place, 'not-conserved', 'material')});"]


def exits_of(game: Game, block: Block) -> set[str]:
    """The exits that a block may take, through steps too."""
    found: set[str] = set()
    for s in block:
        if s.op in EXITS:
            found.add(s.op)
        found |= exits_of(game, s.body) | exits_of(game, s.orelse)
        if s.op == "step":
            found |= exits_of(game, game.steps[s.data].body)
    return found


def _counts_moves(e: E) -> bool:
    return e.op == "legal_moves" or any(map(_counts_moves, e.args))


def live_slots(x: Emitter, chancy_actions: list[int], skipped: set[int]) -> set[int]:
    """The locals that are read in another C function than the one that sets them, and so live in the state."""
    found: set[int] = set()
    for n, node in enumerate(x.machine.nodes):
        if n in skipped:
            continue
        found |= set(node.live)
        for slot in (node.slot, node.element):
            if slot >= 0:
                found.add(slot)
    for number in chancy_actions:
        found |= {clause.slot for clause in x.game.actions[number].clauses if clause.slot in x.slot_types}
    return found


__all__ = ["NodeWriter", "live_slots", "scalar"]
