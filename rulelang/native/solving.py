"""`random with …` solved in C: the search of `rulelang.engine.solver`, with the same numbers of the same stream.

Only one thing is done differently, and cannot be seen: an all-different group is looked through again only if one of
its entries has changed since.
"""

from __future__ import annotations

from typing import Any

from rulelang.engine.core import Core
from rulelang.engine.grounding import Grounder
from rulelang.engine.solver import FIRST_FAILURES, MOST_CHOICES, Problem
from rulelang.model.ir import E
from rulelang.model.types import SWITCH, SetOf
from rulelang.native.emitter import Emitter
from rulelang.native.setting import setter
from rulelang.native.shapes import Declined, plain_number, scalar, set_shape, value_text
from rulelang.native.text import Fn, place_comment

MOST_CHECKS = 600


class _Recorder(Grounder):
    """Grounds a condition, and keeps what is asked by checks as expressions."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.asked: list[tuple[tuple[int, ...], E, dict[int, Any]]] = []

    def add_check(self, e: E, env: dict[int, Any], negated: bool) -> None:
        super().add_check(e, env, negated)
        check = self.problem.checks[-1]
        self.asked.append((check.entries, e if not negated else E("not", SWITCH, (e,), None, e.place), dict(env)))


class SolverWriter:
    """Writes the C function that solves for one variable."""

    def __init__(self, x: Emitter, var: int) -> None:
        self.x = x
        self.var = var

    def write(self) -> None:
        """The function `start_N`."""
        x, variable = self.x, self.x.game.variables[self.var]
        assert variable.start.expr is not None
        if x.depends.of(variable.start.expr).reads - {self.var}:
            raise Declined(f"`{variable.name}` begins with what depends on other variables")
        rt = Core(x.machine.size, x.c.slots + 64, x.c.memory.size + 64, len(x.machine.streams), x.machine.seats, 0)
        grounder = _Recorder(x.c, rt, self.var)
        problem = grounder.problem_of()
        if len(problem.values) > 64 or len(problem.checks) > MOST_CHECKS or len(problem.different) > 64:
            raise Declined(f"the start of `{variable.name}` is too large a puzzle")
        if len(problem.checks) != len(grounder.asked):
            raise Declined(f"the start of `{variable.name}` can never be")
        self._checks(grounder)
        x.functions.append(self._text(problem))

    def _checks(self, grounder: _Recorder) -> None:
        x = self.x
        cases = []
        made: dict[Any, str] = {}
        for n, (_, e, env) in enumerate(grounder.asked):
            kinds = {slot: x.slot_types[slot] for slot in env if slot in x.slot_types}
            key = (x.key(e), tuple(sorted(kinds)))
            if key not in made:
                made[key] = f"check_{self.var}_{len(made)}"
                fn = Fn()
                heads = []
                for slot, kind in sorted(kinds.items()):
                    fn.env[slot] = f"p{slot}"
                    heads.append(f"{x.ctype(kind)} p{slot} UNUSED")
                result = x.value(fn, e)
                head = ", ".join(["Game *g UNUSED", "const State *s UNUSED", "num me UNUSED", *heads])
                x.functions.append("\n".join([f"static int {made[key]}({head}) {{", *fn.lines, f"  return {result};", "}\n"]))
            values = []
            for slot, kind in sorted(kinds.items()):
                if scalar(kind):
                    values.append(plain_number(env[slot]))
                elif isinstance(kind, SetOf):
                    values.append(set_shape(kind).const(env[slot]))
                else:
                    raise Declined("a start's condition goes through lists of lists")
            cases.append(f"    case {n}: return {made[key]}({', '.join(['g', 's', 'me', *values])});")
        body = ["  switch (n) {", *cases, "  }", "  return 1;"] if cases else ["  return 1;"]
        x.functions.append("\n".join([
            f"static int check_{self.var}(Game *g UNUSED, const State *s UNUSED, num me UNUSED, int n UNUSED) {{", *body, "}\n"]))

    def _text(self, problem: Problem) -> str:
        x, var = self.x, self.var
        variable, store = x.game.variables[var], x.stores[var]
        n, m = problem.size, len(problem.values)
        word = "u16" if m <= 16 else "u32" if m <= 32 else "u64"
        stream = x.machine.streams.index(f"state.{variable.name}")
        groups_of = [sum(1 << k for k, group in enumerate(problem.full) if i in group) for i in range(n)]
        most = max([1, *map(len, problem.peers)])
        wide = max([1, *map(len, problem.full)])
        peers = ", ".join("{" + ", ".join(map(str, p or (0,))) + "}" for p in problem.peers)
        full = ", ".join("{" + ", ".join(map(str, group)) + "}" for group in problem.full) or "{0}"
        allowed: list[str] = []
        starts = [0]
        for i in range(n):
            for j, masks in problem.allowed[i]:
                allowed.append("{" + f"{j}, {{" + ", ".join(f"{one}ull" for one in masks) + "}}")
            starts.append(len(allowed))
        checks_of: list[int] = []
        check_starts = [0]
        for i in range(n):
            checks_of += [k for k, check in enumerate(problem.checks) if i in check.entries]
            check_starts.append(len(checks_of))
        entries = ", ".join("{" + ", ".join(map(str, [len(c.entries), *c.entries])) + "}" for c in problem.checks) or "{0}"
        most_entries = max([1, *(len(c.entries) for c in problem.checks)])
        number = x.fault(variable.place, "no-start", "unsolved", variable.name)
        kind = store.kind
        write = f"{setter(x, var)}(s, i, {value_text(kind, 'v')})"
        return _SOLVER.format(
            place=place_comment(variable.place, "state " + variable.name), var=var, n=n, m=m, word=word, stream=stream,
            most=most, wide=wide, peers=peers, counts=", ".join(str(len(p)) for p in problem.peers), full=full,
            groups=len(problem.full), groups_of=", ".join(f"{g}ull" for g in groups_of),
            domains=", ".join(f"{d}ull" for d in problem.domains), all=(1 << m) - 1, allowed=", ".join(allowed) or "{0}",
            starts=", ".join(map(str, starts)), checks_of=", ".join(map(str, checks_of or [0])),
            check_starts=", ".join(map(str, check_starts)), entries=entries, most_entries=most_entries + 1,
            first=FIRST_FAILURES, choices=MOST_CHOICES, number=number, write=write, checks=len(problem.checks),
            plain=int(problem.plain))


_SOLVER = """{place}
typedef {word} mask_{var};
static const u16 peers_{var}[{n}][{most}] = {{{peers}}};
static const u16 peer_count_{var}[{n}] = {{{counts}}};
static const u16 full_{var}[][{wide}] = {{{full}}};
static const u64 groups_of_{var}[{n}] = {{{groups_of}}};
static const u64 domains_{var}[{n}] = {{{domains}}};
static const struct {{ int j; u64 masks[{m}]; }} allowed_{var}[] UNUSED = {{{allowed}}};
static const int allowed_from_{var}[] UNUSED = {{{starts}}};
static const u16 checks_of_{var}[] UNUSED = {{{checks_of}}};
static const int checks_from_{var}[] UNUSED = {{{check_starts}}};
static const u16 entries_{var}[][{most_entries}] UNUSED = {{{entries}}};

static int holds_{var}(Game *g, State *s, num me, const mask_{var} *now, int check) {{
  const u16 *entries = entries_{var}[check];
  for (int k = 1; k <= entries[0]; k++) if (now[entries[k]] & (now[entries[k]] - 1)) return 1;
  for (int k = 1; k <= entries[0]; k++) {{
    const int i = entries[k], v = u64_low(now[i]);
    {write};
  }}
  return check_{var}(g, s, me, check);
}}

static int propagate_{var}(Game *g UNUSED, State *s UNUSED, num me UNUSED, mask_{var} *now, u16 *fresh, int count, u64 dirty) {{
  for (;;) {{
    while (count) {{
      const int i = fresh[--count];
      const mask_{var} bit = now[i];
      for (int k = 0; k < peer_count_{var}[i]; k++) {{
        const int j = peers_{var}[i][k];
        mask_{var} left = now[j];
        if (left & bit) {{
          left ^= bit;
          if (!left) return 0;
          now[j] = left;
          dirty |= groups_of_{var}[j];
          if (!(left & (left - 1))) fresh[count++] = (u16)j;
        }}
      }}
      if (!{plain}) {{
        const int value = u64_low(bit);
        for (int k = allowed_from_{var}[i]; k < allowed_from_{var}[i + 1]; k++) {{
          const int j = allowed_{var}[k].j;
          const mask_{var} left = (mask_{var})(now[j] & allowed_{var}[k].masks[value]);
          if (left != now[j]) {{
            if (!left) return 0;
            now[j] = left;
            dirty |= groups_of_{var}[j];
            if (!(left & (left - 1))) fresh[count++] = (u16)j;
          }}
        }}
        for (int k = checks_from_{var}[i]; k < checks_from_{var}[i + 1]; k++)
          if (!holds_{var}(g, s, me, now, checks_of_{var}[k])) return 0;
      }}
    }}
    for (u64 rest = dirty; rest; rest &= rest - 1) {{
      const int group = u64_low(rest);
      const u16 *entries = full_{var}[group];
      mask_{var} once = 0, several = 0;
      for (int k = 0; k < {wide}; k++) {{ several |= once & now[entries[k]]; once |= now[entries[k]]; }}
      if (once != (mask_{var}){all}ull) return 0;
      dirty &= ~(1ull << group);
      once &= (mask_{var})~several;
      if (once) for (int k = 0; k < {wide}; k++) {{
        const int j = entries[k];
        const mask_{var} left = now[j], only = left & once;
        if (only && only != left) {{
          if (only & (only - 1)) return 0;
          now[j] = only;
          dirty |= groups_of_{var}[j];
          fresh[count++] = (u16)j;
        }}
      }}
    }}
    if (!count) return 1;
  }}
}}

static void start_{var}(Game *g, State *s, num me) {{
  typedef struct {{ mask_{var} now[{n}]; int entry; mask_{var} bit; u64 dirty; }} Level;
  static _Thread_local Level levels[{n} + 2];
  u16 fresh[{n} * {m} + {n}];
  mask_{var} start[{n}];
  int count = 0, depth, choices = 0, failures = {first};
  for (int i = 0; i < {n}; i++) {{ start[i] = (mask_{var})domains_{var}[i]; if (!start[i]) fail(g, {number}, 0); }}
  for (int k = 0; k < {checks}; k++) if (entries_{var}[k][0] == 0 && !check_{var}(g, s, me, k)) fail(g, {number}, 0);
  for (int i = 0; i < {n}; i++) if (!(start[i] & (start[i] - 1))) fresh[count++] = (u16)i;
  if (!propagate_{var}(g, s, me, start, fresh, count, (u64)(((u128)1 << {groups}) - 1))) fail(g, {number}, 0);
  for (;;) {{
    int left = failures;
    depth = 0;
    memcpy(levels[0].now, start, sizeof start);
    levels[0].dirty = 0;
    for (;;) {{
      Level *const level = &levels[depth];
      int entry = -1, least = 1 << 30;
      for (int i = 0; i < {n}; i++) {{
        const mask_{var} mask = level->now[i];
        if (mask & (mask - 1)) {{
          const int many = u64_count(mask);
          if (many < least) {{ entry = i; least = many; if (many == 2) break; }}
        }}
      }}
      if (entry < 0) {{
        for (int i = 0; i < {n}; i++) {{ const int v = u64_low(level->now[i]); {write}; }}
        return;
      }}
      choices++;
      const mask_{var} bit = (mask_{var})(1ull << u64_nth(level->now[entry], (int)below(g, s, {stream}, (u64)u64_count(level->now[entry]))));
      level->entry = entry;
      level->bit = bit;
      Level *const after = &levels[depth + 1];
      memcpy(after->now, level->now, sizeof level->now);
      after->now[entry] = bit;
      after->dirty = 0;
      fresh[0] = (u16)entry;
      depth++;
      if (propagate_{var}(g, s, me, after->now, fresh, 1, level->dirty | groups_of_{var}[entry])) continue;
      int stop = 0;
      for (;;) {{
        left--;
        if (depth == 0) fail(g, {number}, 0);
        if (left < 0 || choices > {choices}) {{ stop = 1; break; }}
        depth--;
        Level *const back = &levels[depth];
        back->now[back->entry] &= (mask_{var})~back->bit;
        const mask_{var} rest = back->now[back->entry];
        fresh[0] = (u16)back->entry;
        back->dirty |= groups_of_{var}[back->entry];
        if (rest && (rest & (rest - 1))) break;
        if (rest && propagate_{var}(g, s, me, back->now, fresh, 1, back->dirty)) {{ back->dirty = 0; break; }}
      }}
      if (stop) break;
    }}
    if (choices > {choices}) fail(g, {number}, 0);
    failures += failures / 2;
  }}
}}
"""
