"""The whole C text of a game, put together, and what Python must know to talk to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulelang.engine.course import soonest
from rulelang.machine.nodes import Machine
from rulelang.model.ir import E
from rulelang.native.actions import ActionWriter
from rulelang.native.deciding import Decision
from rulelang.native.emitter import Emitter
from rulelang.native.exporting import Exporting
from rulelang.native.layout import Layout, declared
from rulelang.native.nodes import NodeWriter, live_slots
from rulelang.native.passes import ALL, Passes
from rulelang.native.plans import CHOOSE, Plan, going_on, plan
from rulelang.native.positions import position_functions
from rulelang.native.prelude import header, runtime
from rulelang.native.searching import searchable
from rulelang.native.setting import written_setter
from rulelang.native.shapes import Declined, set_shape
from rulelang.native.singles import with_sets
from rulelang.native.starts import template
from rulelang.native.text import Fn, comment
from rulelang.native.ways import Ways
from rulelang.source.diagnostic import Place

STATE = "Game *g UNUSED, const State *s UNUSED, num me UNUSED"


@dataclass(frozen=True)
class Program:
    """A game as C, and the tables that turn its numbers back: faults by number, reasons of ends, how values and choices
    are written as 64-bit numbers."""

    text: str
    faults: tuple[tuple[Place, str, str, Any], ...]
    reasons: tuple[str, ...]
    machine: Machine
    persistent: dict[int, str]
    exported_slots: tuple[int, ...]
    together: bool
    choice_kinds: tuple[tuple[Any, ...], ...]
    exported: int
    outcomes: int
    ranks: int


def generate(machine: Machine, passes: Passes = ALL) -> Program:
    """The C text of a machine. Raises `Declined` where the native engine cannot play it."""
    return _Program(machine, passes).make()


class _Program(Exporting):
    def __init__(self, machine: Machine, passes: Passes) -> None:
        for node in machine.nodes:
            if node.kind == "judge":
                raise Declined("a question for the table stands in its rules")
        self.source = machine
        self.machine, singles = with_sets(machine) if passes.singles else (machine, frozenset[int]())
        self.game = self.machine.game
        self.entries = self.machine.entries
        self.x = Emitter(self.machine, passes)
        for var in singles:
            self.x.stores[var].single = True

    def make(self) -> Program:
        x = self.x
        chancy = [n for n, action in enumerate(self.game.actions) if any(
            c.kind == "do" and x.depends.chancy(c.effects) for c in action.clauses)]
        skipped = {n for phase, dos in enumerate(self.entries.dos) for i, n in enumerate(dos)
                   if self.game.phases[phase].actions[i] not in chancy and self.machine.nodes[n].kind == "run"}
        self.layout = Layout(x, sorted(live_slots(x, chancy, skipped)))
        self.exported_slots, self.together = self.layout.exported_slots, self.layout.together
        self.plans = [plan(x, n) for n in range(len(self.game.actions))]
        self.writers = [ActionWriter(x, made) for made in self.plans]
        self._check_together()
        for writer in self.writers:
            writer.write()
        nodes = NodeWriter(x)
        self._phases()
        self.ways = Ways(x, self.writers)
        x.functions.append(self.ways.functions())
        decisions = [Decision(x, n, self.writers, self._drawn(n), going_on(self.game, n, self.plans))
                     for n in range(len(self.game.phases))]
        run = nodes.write(skipped, decisions)
        self._ranks()
        tail = self._calls(nodes)
        text = "\n".join([*x.functions, *run, *(end.when for end in self.ways.endings)])
        for store in x.stores:
            store.trim(text)
        tail += self.ways.tail({n: [declared(m) for m in self.layout.members(store)] for n, store in enumerate(x.stores)})
        setters = [written_setter(x.stores[var]) for var in sorted(x.set_vars)]
        beginning = ["static void begin_state(State *s) {", "  memset(s, 0, sizeof *s);", "  s->pending = -2; s->phase = -1; "
                     "s->actor = -1; s->result_seat = -1;", *template(x), "}", ""]
        kinds = self._kinds()
        groups = [w.declare_group() for w in (*self.writers, *self.ways.writers.values())]
        structs = self.layout.structs([w.declare() for w in self.writers], [one for one in groups if one])
        text = "\n".join([
            comment("a game's rules as C, written by rulelang"), comment("game " + self.game.title),
            f"typedef {self.layout.number()} num;", runtime(), *x.types.values(), "", *x.tables, "", *structs, header("course.h"),
            *setters, "", *position_functions(x), *x.functions, header("choosing.h"), *self._going_on(), *self._course(), *run, *tail, *beginning,
            *map(header, ("playing.h", "listing.h", "chains.h", "calls.h", "playouts.h", "perft.h")),
            header("search.h") if searchable(self.machine) else ""])
        return Program(text, tuple(x.faults), tuple(nodes.reasons), self.source, dict(x.persistent), self.exported_slots,
                       self.together, kinds, self._exported(), max([1, *(c.most for c in nodes.chances.values())]),
                       len(self._rank_list()))

    # Functions

    def _check_together(self) -> None:
        for phase in self.game.phases:
            if phase.who == "together":
                for n in phase.actions:
                    if self.plans[n].chancy:
                        raise Declined(f"in the phase `{phase.name}` players choose together, and something is drawn")
                if phase.chain:
                    raise Declined(f"in the phase `{phase.name}` players choose chains together")

    def _phases(self) -> None:
        """What is asked by phase: lists, single answers, numbers of nodes."""
        x = self.x
        lists, anys, candidates = [], [], []
        order = soonest(self.source.game)
        for n, phase in enumerate(self.game.phases):
            must = [a for a in phase.must if a in phase.actions]
            rest = [a for a in phase.actions if a not in phase.must]
            calls = [f"list_{self.plans[a].name}(g, s, me);" for a in must]
            if must:
                calls.append("if (g->group_count > from) return;")
            calls += [f"list_{self.plans[a].name}(g, s, me);" for a in rest]
            lists.append(f"    case {n}: {' '.join(calls)} return;")
            asked = " || ".join(f"any_{self.plans[a].name}(g, s, me)" for a in order[n]) or "0"
            anys.append(f"    case {n}: return {asked};")
            if self._drawn(n):
                made = [f"{'candidates' if self.plans[a].drawn else 'list'}_{self.plans[a].name}(g, s, me);" for a in rest]
                candidates.append(f"    case {n}: {' '.join(made)} return;")
        tries = [f"    case {p.number}: return try_{p.name}(g, s, me, m, exit);" for p in self.plans if p.drawn]
        picks = [f"    case {w.plan.number}: {w.pick()} break;" for w in self.writers if w.plan.masked or w.plan.parted or w.plan.tail]
        leaves = []
        for p in self.plans:
            if p.drawn:
                domain = p.choices[-1].domain
                assert domain is not None
                shape = set_shape(domain.type)
                held = f"q->last.{p.name}"
                leaves.append(f"    case {p.number}: {held} = {shape.without(held, shape.bit(shape.nth(held, 'k')))}; break;")
        f = x.functions
        f.append("\n".join([f"static void list_phase({STATE}) {{", "  const int from UNUSED = g->group_count;",
                            "  switch (s->phase) {", *lists, "  }", "}", f"static void candidates_phase({STATE}) {{",
                            "  switch (s->phase) {", *candidates, "  }", "}",
                            f"static int any_phase({STATE}) {{", "  switch (s->phase) {", *anys, "  }", "  return 0;", "}",
                            f"static void pick_last({STATE}, const Group *q UNUSED, int k UNUSED, Move *m) {{", "  switch (m->action) {",
                            *picks, "  }", "}", "static void leave_out(Group *q, int k UNUSED) {", "  switch (q->move.action) {",
                            *leaves, "  }", "}\n"]))
        begins = []
        for writer in self.writers:
            begins += [f"    case {writer.plan.number}: {{", *writer.begin(), "    }"]
        f.append("\n".join(["static int begin(Game *g UNUSED, State *s UNUSED, const Move *m, num me UNUSED) {",
                            "  switch (m->action) {", *begins, "  }", "  return 0;", "}",
                            "UNUSED static int try_choice(Game *g, State *s, num me, const Move *m, int *exit) {",
                            "  switch (m->action) {", *tries, "  }", "  g->work = 0;", "  *exit = begin(g, s, m, me);", "  return 1;", "}\n"]))
        f.append(self._plan_functions())
        for n, phase in enumerate(self.game.phases):
            for i, e in enumerate(phase.best):
                fn = Fn()
                value = x.value(fn, e)
                f.append("\n".join([f"static num best_{n}_{i}({STATE}) {{", *fn.lines, f"  return {value};", "}\n"]))

    def _drawn(self, phase: int) -> bool:
        rules = self.game.phases[phase]
        return not rules.must and not rules.chain and rules.who != "together" and any(
            self.plans[a].drawn for a in rules.actions)

    def _plan_functions(self) -> str:
        if not self.together:
            return ("static void keep_plan(State *s UNUSED, int seat UNUSED, const Move *m UNUSED) {}\n"
                    "static const Move *plan_of(const State *s UNUSED, int seat UNUSED) { return 0; }\n")
        return ("static void keep_plan(State *s, int seat, const Move *m) { s->plan[seat] = *m; s->planned |= 1u << seat; }\n"
                "static const Move *plan_of(const State *s, int seat) { return &s->plan[seat]; }\n")

    def _course(self) -> list[str]:
        """What `run` calls: who acts, whether a chain goes on, the notes of positions."""
        lines: list[str] = []
        for n, phase in enumerate(self.game.phases):
            if phase.who == "together":
                continue
            if isinstance(phase.who, E):
                lines.append(f"INL int actor_{n}(Game *g, const State *s, num *me) {{ *me = s->player; "
                             f"const int seat = (int)who_{n}(g, s, *me); return s->out >> seat & 1 ? next_in(s, seat) : seat; }}")
            else:
                lines.append(f"INL int actor_{n}(Game *g UNUSED, const State *s, num *me UNUSED) {{ return s->player; }}")
            if phase.chain:
                lines += [f"UNUSED static int goes_on_{n}(Game *g, State *s, num me) {{", "  if (SEATS_LEAVE && s->leaving) return 0;",
                          "  const int8_t before = s->player;",
                          "  if (s->pending == -1) s->player = (int8_t)next_in(s, s->player);",
                          "  else if (s->pending != -2) s->player = s->pending;", "  num asked = me;",
                          f"  const int same = actor_{n}(g, s, &asked) == me;",
                          "  if (same) s->pending = -2; else s->player = before;", "  return same;", "}"]
        positions = len(self.game.positions)
        notes = [f"  history_note(&g->history[{n}], s->noted, keys[{n}]);" for n in range(positions)]
        whos = " ".join(f"case {n}: s->actor = {-1 if p.who == 'together' else f'(int8_t)actor_{n}(g, s, &me)'}; break;"
                        for n, p in enumerate(self.game.phases))
        lines += ["UNUSED static void look_ahead(Game *g UNUSED, State *s, int phase) {", "  num me UNUSED = s->me;",
                  "  s->phase = (int8_t)phase;", f"  switch (phase) {{ {whos} }}", "}"]
        lines += ["UNUSED static void keys_of(const State *s UNUSED, num me UNUSED, u64 *keys UNUSED) {",
                  *(f"  keys[{n}] = position_{n}(s, me);" for n in range(positions)), "}",
                  "INL void note_keys(Game *g UNUSED, State *s, const u64 *keys UNUSED) {", *notes, "  s->noted++;", "}",
                  "UNUSED static void note_position(Game *g, State *s, num me) {", "  u64 keys[POSITIONS + 1];",
                  "  keys_of(s, me, keys);", "  note_keys(g, s, keys);", "}",
                  "UNUSED static void note_start(Game *g, State *s) {",
                  "  note_position(g, s, ((s->actor >= 0 ? s->actor : s->player) + SEATS - 1) % SEATS);", "}", ""]
        return lines

    def _going_on(self) -> list[str]:
        """How many nodes each action has gone through when its effects are made; whether a step of a chain may lead to
        another."""
        go_on = []
        for n, phase in enumerate(self.game.phases):
            go_on += [f"  if (phase == {n} && action == {a}) return 1;"
                      for a in phase.actions if a in going_on(self.game, n, self.plans)]
        done = ", ".join(str(made.nodes) for made in self.plans) or "0"
        return [f"static const u8 made_nodes[] = {{{done}}};", "static int may_go_on(int phase UNUSED, int action UNUSED) {", *go_on, "  return 0;", "}"]

    def _rank_list(self) -> list[Any]:
        return [self.game.result] if self.game.result is not None else list(self.game.ranks)

    def _ranks(self) -> None:
        x, cases, signs = self.x, [], []
        for i, rank in enumerate(self._rank_list()):
            fn = Fn()
            fn.env[rank.slot] = "seat"
            value = x.value(fn, rank.value)
            x.functions.append("\n".join([f"static num rank_{i}({STATE}, num seat UNUSED) {{", *fn.lines, f"  return {value};", "}\n"]))
            cases.append(f"    case {i}: return rank_{i}(g, s, me, seat);")
            signs.append("1" if rank.highest else "-1")
        x.functions.append("\n".join([
            f"#define RANKS {len(cases)}", f"static const int rank_sign[] UNUSED = {{{', '.join(signs) or '0'}}};",
            f"static num rank_value({STATE}, num seat UNUSED, int i) {{", "  switch (i) {", *cases, "  }", "  return 0;", "}\n"]))

    def _calls(self, nodes: NodeWriter) -> list[str]:
        """What the calls from outside need of this game."""
        x, e = self.x, self.entries
        stuck = ", ".join(map(str, e.stucks)) or "-1"
        no_move = [x.fault(p.place, "no-move", "no move", p.name) for p in self.game.phases]
        endless = [x.fault(p.place, "endless-chain", "endless", p.name) for p in self.game.phases]
        many = [x.fault(p.place, "too-many-chains", "many", p.name) for p in self.game.phases]
        goes = []
        for n, phase in enumerate(self.game.phases):
            after = self.machine.nodes[e.afters[n]]
            goes.append(f"    case {n}:")
            goes.append("      switch (action) {")
            for i, a in enumerate(phase.actions):
                if e.dos[n][i] >= 0 and self.plans[a].chancy:
                    goes.append(f"        case {a}: return {e.dos[n][i]};")
            goes.append(f"        default: return exit ? {e.settles[n]} : {e.afters[n]};")
            goes.append("      }")
            assert after is not None
        chains = " || ".join(f"phase == {n}" for n, p in enumerate(self.game.phases) if p.chain) or "0"
        best = [f"  if (phase == {n}) {{ {' '.join(f'value[{i}] = best_{n}_{i}(g, s, me);' for i in range(len(p.best)))} }}"
                for n, p in enumerate(self.game.phases) if p.best]
        counts = " ".join(f"case {n}: return {len(p.best)};" for n, p in enumerate(self.game.phases) if p.best)
        drawn = " || ".join(f"phase == {n}" for n in range(len(self.game.phases)) if self._drawn(n)) or "0"
        outcomes = [f"    case {n}: return outcomes_{n}(g, s, me, v, w);" for n in nodes.chances]
        resolves = []
        for n in nodes.chances:
            node = self.machine.nodes[n]
            resolves.append(f"    case {n}: apply_{n}(g, s, me, v);")
            if node.kind in ("roll", "shuffle", "start") and node.slot >= 0:
                slot = f"s->{x.persistent[node.slot]}"
                resolves.append(f"      {slot}++;")
                if node.kind == "shuffle":
                    resolves.append(f"      s->node = outcomes_{n}(g, s, me, ignored, ignored) > 0 ? {n} : {node.next};")
                else:
                    var = node.var if node.kind == "start" else node.statement.target.var  # type: ignore[union-attr]
                    resolves.append(f"      s->node = {slot} < {self.machine.fields[var].length} ? {n} : {node.next};")
            else:
                resolves.append(f"      s->node = {node.next};")
            resolves.append("      break;")
        most = max([1, *(c.most for c in nodes.chances.values())])
        teams = [0] * self.machine.seats
        for seat in range(self.machine.seats):
            team = next((t for t in self.game.teams if seat in t), (seat,))
            teams[seat] = sum(1 << other for other in team)
        times = [f"    case {n}: return history_times(&g->history[{n}], position_{n}(s, s->actor >= 0 ? s->actor : s->me), s->noted);"
                 for n in range(len(self.game.positions))]
        streams = ", ".join(f'"{_bytes(name)}"' for name in self.machine.streams)
        return [
            f"#define OUTCOMES {most}", f"#define START_NODE {e.start}", f"#define STREAM_NAMES {streams}{',' if streams else ''}",
            f"static int stuck_of(int phase) {{ static const int nodes[] = {{{stuck}}}; return nodes[phase]; }}",
            f"static int no_move_of(int phase) {{ static const int f[] = {{{', '.join(map(str, no_move)) or '0'}}}; return f[phase]; }}",
            f"static int too_many_of(int phase, int many) {{ static const int f[][2] = {{"
            f"{', '.join(f'{{{a}, {b}}}' for a, b in zip(endless, many, strict=True)) or '{0, 0}'}}}; return f[phase][many]; }}",
            "static int after_action(int phase, int action UNUSED, int exit) {", "  switch (phase) {", *goes, "  }", "  return 0;", "}",
            f"static int is_chain(int phase UNUSED) {{ return {chains}; }}",
            f"static int is_drawn(int phase UNUSED) {{ return {drawn}; }}",
            f"static void best_values({STATE}, int phase UNUSED, num *value UNUSED) {{", *best, "}",
            f"static int best_count(int phase UNUSED) {{ switch (phase) {{ {counts} }} return 0; }}",
            "static int outcomes_at(Game *g UNUSED, State *s, num me UNUSED, num *v UNUSED, num *w UNUSED) {", "  switch (s->node) {", *outcomes,
            "  }", "  return 0;", "}",
            "static int resolve_at(Game *g, State *s, num me UNUSED, num v UNUSED) {", "  static _Thread_local num ignored[OUTCOMES + 1] UNUSED;",
            "  switch (s->node) {", *resolves, "  }", "  g->nodes = 0;", "  return run(g, s, 0);", "}",
            f"static int same_team(int a, int b) {{ static const u32 teams[] = {{{', '.join(map(str, teams))}}}; "
            "return teams[a] >> b & 1; }",
            "static int times_now(const Game *g UNUSED, const State *s UNUSED, int position) {", "  switch (position) {", *times, "  }",
            "  return 0;", "}", *self._exporter(), *self._choices()]


def _bytes(name: str) -> str:
    """The bytes of a stream's name in a C string: harmless letters as they are, all else as octal."""
    return "".join(chr(b) if (chr(b).isalnum() and b < 128) or chr(b) in "._ " else f"\\{b:03o}" for b in name.encode())


__all__ = ["CHOOSE", "Plan", "Program", "generate"]
