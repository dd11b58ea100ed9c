/* What is called from outside: games one by one, and whole playouts and counts. */
#define NO_VALUE INT64_MIN
#define MOST_STUCK 10000

static int together_any(Game *g, State *s) {
  for (int seat = 0; seat < SEATS; seat++)
    if (!(s->planned >> seat & 1) && !(s->out >> seat & 1) && any_phase(g, s, seat)) return 1;
  return 0;
}
/* what ends may ask: how many moves would follow, and whether any */
UNUSED static int count_moves(Game *g, const State *s) {
  const int base = g->group_count;
  int total = 0;
  State now = *s;
  for (int seat = 0; seat < SEATS; seat++) {
    if (s->actor >= 0 ? seat != s->actor : (s->planned >> seat & 1) || (s->out >> seat & 1)) continue;
    total += legal(g, &now, seat, base);
  }
  g->group_count = base;
  return total;
}
UNUSED static int some_move(Game *g, const State *s) {
  if (s->actor >= 0) return any_phase(g, s, s->actor);
  State now = *s;
  return together_any(g, &now);
}
static int stuck_at(Game *g, State *s) {
  const int stuck = stuck_of(s->phase);
  if (stuck < 0) fail(g, no_move_of(s->phase), 0);
  s->node = (int16_t)stuck;
  return run(g, s, 0);
}
/* go on past decisions without a move, to one with a move or to what else is waited for */
static int advance(Game *g, State *s, int what) {
  for (int i = 0; what == WAIT_MOVE; i++) {
    if (i > MOST_STUCK) fail(g, no_move_of(s->phase), 0);
    if (s->actor < 0 ? together_any(g, s) : any_phase(g, s, s->actor)) break;
    what = stuck_at(g, s);
  }
  return what;
}
/* one step of the seat that acts: its effects, and what follows */
static int acted(Game *g, State *s, const Move *m, int exit) {
  s->moving = 1;
  s->chained = 0;
  s->me = s->actor;
  s->node = (int16_t)after_action(s->phase, m->action, exit);
  return run(g, s, exit);
}
static int act(Game *g, State *s, const Move *m) {
  g->work = 0;
  return acted(g, s, m, begin(g, s, m, s->actor));
}
/* all have chosen together */
static int act_together(Game *g, State *s) {
  int exit = 0;
  s->moving = 1;
  g->work = 0;
  for (int seat = 0; seat < SEATS; seat++) {
    if (!(s->planned >> seat & 1)) continue;
    const int taken = begin(g, s, plan_of(s, seat), seat);
    if (taken) exit = taken;
  }
  s->planned = 0;
  s->me = s->player;
  s->node = (int16_t)after_action(s->phase, -1, exit);
  return run(g, s, exit);
}

/* chains of steps: all ways to go on, in order, and what `best` gives at the end of each */
static void emit_chain(Game *g, int depth, const num *value) {
  if (g->chain_count == g->chain_room) {
    g->chain_room = g->chain_room ? 2 * g->chain_room : 64;
    g->chains = (Chain *)realloc(g->chains, sizeof(Chain) * (size_t)g->chain_room);
    if (!g->chains) abort();
  }
  while (g->chained_moves + depth > g->chained_room) {
    g->chained_room = g->chained_room ? 2 * g->chained_room : 256;
    g->chained = (Move *)realloc(g->chained, sizeof(Move) * (size_t)g->chained_room);
    if (!g->chained) abort();
  }
  Chain *c = &g->chains[g->chain_count++];
  c->from = g->chained_moves;
  c->steps = depth;
  memcpy(c->value, value, sizeof c->value);
  memcpy(g->chained + g->chained_moves, g->path, sizeof(Move) * (size_t)depth);
  g->chained_moves += depth;
}
static void chain_ways(Game *g, const State *s, int depth) {
  const int base = g->group_count, phase = s->phase;
  const int total = legal(g, s, s->actor, base);
  num value[BEST_MOST] = {0};
  if (depth + 1 >= MOST_STEPS) fail(g, too_many_of(phase, 0), 0);
  for (int k = 0; k < total; k++) {
    kth(g, s, s->actor, base, k, &g->path[depth]);
    if (!may_go_on(phase, g->path[depth].action)) { emit_chain(g, depth + 1, value); continue; }
    State after = *s;
    const int probe = g->probe;
    g->probe = 1;
    const int what = advance(g, &after, act(g, &after, &g->path[depth]));
    if (what == WAIT_MOVE && after.chained && after.actor >= 0) {
      chain_ways(g, &after, depth + 1);
    } else {
      best_values(g, &after, s->actor, phase, value);
      emit_chain(g, depth + 1, value);
    }
    g->probe = probe;
    if (g->chain_count > MOST_CHAINS) fail(g, too_many_of(phase, 1), 0);
  }
  g->group_count = base;
}
static int best_chains(Game *g, const State *s) {
  g->chain_count = g->chained_moves = 0;
  chain_ways(g, s, 0);
  const int count = best_count(s->phase);
  if (count == 0 || g->chain_count == 0) return g->chain_count;
  const Chain *most = &g->chains[0];
  for (int i = 1; i < g->chain_count; i++)
    for (int j = 0; j < count; j++) {
      if (g->chains[i].value[j] < most->value[j]) break;
      if (g->chains[i].value[j] > most->value[j]) { most = &g->chains[i]; break; }
    }
  const Chain top = *most;
  int kept = 0;
  for (int i = 0; i < g->chain_count; i++)
    if (!memcmp(g->chains[i].value, top.value, sizeof(num) * (size_t)count)) g->chains[kept++] = g->chains[i];
  return g->chain_count = kept;
}
/* how many moves a seat has: chains where the phase has them; `*single` says that they are plain choices */
static int moves_of(Game *g, const State *s, num me, int *single) {
  *single = 1;
  const int total = legal(g, s, me, 0);
  if (!is_chain(s->phase)) return total;
  int simple = best_count(s->phase) == 0;
  for (int i = 0; simple && i < g->group_count; i++) simple = !may_go_on(s->phase, g->groups[i].move.action);
  if (simple) return total;
  *single = 0;
  g->group_count = 0;
  return best_chains(g, s);
}
/* how many best chains go on from here, and what they come to: positions that several orders of steps lead to are
   looked at once. 0 if there is no step. */
static int chain_step(Game *g, const State *s, State *after, int depth, const Group *q, int k, int across, num *value);
static int chain_best(Game *g, const State *s, int depth, num *value) {
  const int base = g->group_count, best = best_count(s->phase);
  if (depth + 1 >= MOST_STEPS) fail(g, too_many_of(s->phase, 0), 0);
  int found = last_ways(g, s, s->actor, value);
  if (found >= 0) return found;
  found = 0;
  Known *known = 0;
  u64 key = 0;
  if (depth > 1) {
    key = hash_alike(g->search, (const u8 *)s + HOT, (int)(sizeof *s - HOT));
    known = &g->known[key & (KNOWN - 1)];
    if (known->key == key) {
      memcpy(value, known->value, sizeof known->value);
      return known->count;
    }
  }
  list_ways(g, s, s->actor);
  const int end = g->group_count;
  State after;
  num now[BEST_MOST];
  for (int i = base; i < end; i++) {
    const int count = g->groups[i].count, action = g->groups[i].move.action, same = alike(s->phase, action);
    for (int k = 0, many = 1; k < count; k += many) {
      int n = 1;
      if (!may_go_on(s->phase, action)) {
        memset(now, 0, sizeof now);
        n = many = count;
      } else if ((!same || k == 0) && ends_way(g, s, &g->groups[i], k, 1, now)) {
        n = many = same ? count : 1;
      } else {
        n = chain_step(g, s, &after, depth, &g->groups[i], k, 1, now);
        many = 1;
      }
      found = chain_more(found, value, now, n, best);
      if (found > MOST_CHAINS) fail(g, too_many_of(s->phase, 1), 0);
    }
  }
  g->group_count = base;
  if (known) { known->key = key; known->count = found; memcpy(known->value, value, sizeof known->value); }
  return found;
}
/* make the k-th step of a group (one of `list_ways` if `across`) in a copy; whether the chain goes on is in `chained` */
INL int chain_act(Game *g, const State *s, State *after, const Group *q, int k, int across) {
  *after = *s;
  after->moving = 1;
  after->chained = 0;
  after->me = s->actor;
  const int probe = g->probe, action = q->move.action;
  g->probe = 1;
  g->work = 0;
  const int exit = begin_way(g, after, q, k, across, s->actor);
  after->chained = (u8)course_way(g, after, s->actor, s->phase, action, exit);
  g->probe = probe;
  return after->chained;
}
/* how many best chains begin with it; `chained` after: 0 if the step was the end, 1 if others follow, 2 if none can */
static int chain_step(Game *g, const State *s, State *after, int depth, const Group *q, int k, int across, num *value) {
  int found = 0;
  memset(value, 0, sizeof(num) * BEST_MOST);
  after->chained = 0;
  if (!may_go_on(s->phase, q->move.action)) return 1;
  if (chain_act(g, s, after, q, k, across)) {
    found = chain_best(g, after, depth + 1, value);
    if (found) return found;
    const int probe = g->probe;
    g->probe = 1;
    stuck_at(g, after);
    g->probe = probe;
    after->chained = 2;
  }
  best_values(g, after, s->actor, s->phase, value);
  return 1;
}
/* the same from where a move begins, whose steps are listed; what comes of each is kept */
static int chain_root(Game *g, const State *s, num *value) {
  const int end = g->group_count, best = best_count(s->phase);
  int found = 0, way = 0, level = 0;
  State after;
  num now[BEST_MOST];
  g->search++;
  for (int i = 0; i < end; i++)
    for (int k = 0; k < g->groups[i].count; k++) {
      if (way == g->way_room) {
        g->way_room = g->way_room ? 2 * g->way_room : 64;
        g->ways = (Way *)realloc(g->ways, sizeof(Way) * (size_t)g->way_room);
        if (!g->ways) abort();
      }
      const int n = chain_step(g, s, &after, 0, &g->groups[i], k, 0, now);
      const int order = found ? chain_order(now, value, best) : 1;
      if (order > 0) { memcpy(value, now, sizeof now); found = 0; level++; }
      if (order >= 0) found += n;
      g->ways[way].count = n;
      g->ways[way++].level = order < 0 ? 0 : level;
      if (found > MOST_CHAINS) fail(g, too_many_of(s->phase, 1), 0);
    }
  for (int i = 0; i < way; i++) if (g->ways[i].level != level) g->ways[i].count = 0;
  return found;
}
/* the k-th of them: its steps are left in the path; how many they are */
static int chain_kth(Game *g, const State *from, int k, const num *best) {
  State s, after;
  num value[BEST_MOST];
  const int size = best_count(from->phase);
  int way = 0, i = 0;
  while (k >= g->ways[way].count) k -= g->ways[way++].count;
  kth(g, from, from->actor, 0, way, &g->path[0]);
  if (!may_go_on(from->phase, g->path[0].action)) return 1;
  while (way >= g->groups[i].count) way -= g->groups[i++].count;
  if (!chain_act(g, from, &s, &g->groups[i], way, 0)) return 1;
  for (int depth = 1;; depth++) {
    if (!legal(g, &s, s.actor, 0)) return depth;
    const int end = g->group_count;
    int chosen = 0;
    for (i = 0; i < end && !chosen; i++)
      for (int j = 0; j < g->groups[i].count && !chosen; j++) {
        int n = 1;
        after.chained = 0;
        if (!ends_way(g, &s, &g->groups[i], j, 0, value)) n = chain_step(g, &s, &after, depth, &g->groups[i], j, 0, value);
        if (chain_order(value, best, size)) continue;
        if (k >= n) { k -= n; continue; }
        chosen = 1;
        g->path[depth] = g->groups[i].move;
        pick_last(g, &s, s.actor, &g->groups[i], j, &g->path[depth]);
      }
    if (after.chained != 1) return depth + 1;
    s = after;
  }
}
static int act_path(Game *g, State *s, int steps) {
  int what = WAIT_MOVE;
  for (int i = 0; i < steps; i++) {
    const Move m = g->path[i];
    what = act(g, s, &m);
  }
  return what;
}

/* a chain in a random game: one number says which of all chains. A first step without an alternative is made before
   chains are counted, and so on from where it leads (`s->chained`: steps have been made, the number is taken) */
static int chain_move(Game *g, State *s) {
  num value[BEST_MOST];
  int taken = s->chained;
  for (;;) {
    int total = legal(g, s, s->actor, 0);
    if (!total) return stuck_at(g, s);
    if (!taken) { g->plies++; g->drawn++; }
    taken = 1;
    int single = best_count(s->phase) == 0;
    for (int i = 0; single && i < g->group_count; i++) single = !may_go_on(s->phase, g->groups[i].move.action);
    if (total > 1 && !single) {
      total = chain_root(g, s, value);
      const int k = (int)stream_below(g->choice_key, g->drawn - 1, (u64)total);
      return act_path(g, s, chain_kth(g, s, k, value));
    }
    Move m;
    kth(g, s, s->actor, 0, (int)stream_below(g->choice_key, g->drawn - 1, (u64)total), &m);
    const int what = act(g, s, &m);
    if (what != WAIT_MOVE || !s->chained) return what;
  }
}

/* a random game to its end. Each move is drawn by one number of the stream "playout" of the game's seed. Where drawing
   is cheaper than listing, numbers are drawn until one hits a candidate that is legal. */
static int playout_step(Game *g, State *s) {
  int single, total;
  if (s->actor < 0) {
    for (int seat = 0; seat < SEATS; seat++) {
      if ((s->planned >> seat & 1) || (s->out >> seat & 1)) continue;
      total = moves_of(g, s, seat, &single);
      if (!total) continue;
      Move m;
      kth(g, s, seat, 0, (int)stream_below(g->choice_key, g->drawn++, (u64)total), &m);
      keep_plan(s, seat, &m);
      g->plies++;
    }
    if (!s->planned) return stuck_at(g, s);
    return act_together(g, s);
  }
  if (is_drawn(s->phase)) {
    Move m;
    int exit = 0;
    if (!draw_move(g, s, s->actor, &m, &exit)) return stuck_at(g, s);
    g->plies++;
    return acted(g, s, &m, exit);
  }
  if (is_chain(s->phase)) return chain_move(g, s);
  total = legal(g, s, s->actor, 0);
  if (!total) return stuck_at(g, s);
  Move m;
  kth(g, s, s->actor, 0, (int)stream_below(g->choice_key, g->drawn++, (u64)total), &m);
  g->plies++;
  return act(g, s, &m);
}

/* games */
static u64 stream_hashes[STREAMS + 1];
static State beginning;
static u64 playout_hash;

void rl_prepare(void) {
  static const char *const names[] = {STREAM_NAMES 0};
  for (int i = 0; i < STREAMS; i++) stream_hashes[i] = name_hash(names[i]);
  playout_hash = name_hash("playout");
  begin_state(&beginning);
}
Game *rl_new(void) { return (Game *)calloc(1, sizeof(Game)); }
void rl_free(Game *g) {
  for (int i = 0; i < POSITIONS; i++) free(g->history[i].keys);
  free(g->groups); free(g->chains); free(g->chained); free(g->ways); free(g);
}
Game *rl_copy(const Game *from) {
  Game *g = rl_new();
  g->state = from->state;
  memcpy(g->keys, from->keys, sizeof g->keys);
  g->ask = from->ask;
  for (int i = 0; i < POSITIONS; i++) {
    const History *h = &from->history[i];
    g->history[i] = *h;
    g->history[i].keys = h->room ? (u64 *)malloc(sizeof(u64) * (size_t)h->room) : 0;
    if (h->count) memcpy(g->history[i].keys, h->keys, sizeof(u64) * (size_t)h->count);
  }
  return g;
}
static int start_game(Game *g, u64 seed) {
  g->state = beginning;
  g->work = 0;
  for (int i = 0; i < STREAMS; i++) g->keys[i] = stream_key(seed, stream_hashes[i]);
  for (int i = 0; i < POSITIONS; i++) { g->history[i].count = 0; memset(g->history[i].seen, 0, sizeof g->history[i].seen); }
  g->state.node = START_NODE;
  return run(g, &g->state, 0);
}
#define GUARD if (setjmp(g->jump)) { g->probe = 0; return -g->fault; }

int rl_start(Game *g, u64 seed, int ask) {
  g->ask = ask;
  GUARD
  return advance(g, &g->state, start_game(g, seed));
}
i64 rl_value(const Game *g) { return g->value; }
int rl_sizes(int what) { return what == 0 ? (int)sizeof(State) : what == 1 ? (int)sizeof(Game) : (int)sizeof(Move); }

/* the moves of a seat, each as (steps, then for each step its action and its choices); how many numbers were written,
   or how many there would be if there is no room */
i64 rl_moves(Game *g, int seat, i64 *out, i64 room) {
  GUARD
  int single;
  const int total = moves_of(g, &g->state, seat, &single);
  i64 n = 0;
  for (int k = 0; k < total; k++) {
    Move one;
    const Move *steps = &one;
    int count = 1;
    if (single) kth(g, &g->state, seat, 0, k, &one);
    else { steps = g->chained + g->chains[k].from; count = g->chains[k].steps; }
    if (n + 1 + (i64)count * (1 + CHOICE_NUMBERS) > room) return room + 1;
    out[n++] = count;
    for (int i = 0; i < count; i++) { out[n++] = steps[i].action; n += write_choice(&steps[i], out + n); }
  }
  return n;
}
int rl_any(Game *g, int seat) { GUARD return any_phase(g, &g->state, seat); }

int rl_play(Game *g, int seat, const i64 *in, int count) {
  State *s = &g->state;
  const State before = *s;
  if (setjmp(g->jump)) { *s = before; g->probe = 0; return -g->fault; }
  int what = WAIT_MOVE;
  for (int i = 0; i < count; i++) {
    Move m;
    memset(&m, 0, sizeof m);
    m.action = (int)*in++;
    in += read_choice(&m, in);
    if (s->actor < 0) {
      keep_plan(s, seat, &m);
      if (together_any(g, s)) return WAIT_MOVE;
      what = advance(g, s, act_together(g, s));
    } else {
      what = advance(g, s, act(g, s, &m));
    }
  }
  return what;
}
int rl_outcomes(Game *g, i64 *values, i64 *weights) {
  GUARD
  static _Thread_local num v[OUTCOMES + 1], w[OUTCOMES + 1];
  const int n = outcomes_at(g, &g->state, g->state.me, v, w);
  for (int i = 0; i < n; i++) { values[i] = v[i] == NONE ? NO_VALUE : v[i]; weights[i] = w[i]; }
  return n;
}
int rl_resolve(Game *g, i64 value) {
  const State before = g->state;
  if (setjmp(g->jump)) { g->state = before; return -g->fault; }
  return advance(g, &g->state, resolve_at(g, &g->state, g->state.me, value == NO_VALUE ? NONE : (num)value));
}
int rl_export(const Game *g, i64 *out) { return export_state(&g->state, out); }
int rl_times(Game *g, int position) { GUARD return times_now(g, &g->state, position); }
int rl_result(Game *g, i64 *out) {
  const State *s = &g->state;
  GUARD
  out[0] = s->result; out[1] = s->result_seat; out[2] = s->reason;
  if (!s->result) return 0;
  for (int seat = 0; seat < SEATS; seat++)
    for (int i = 0; i < RANKS; i++) {
      const num v = rank_value(g, s, s->me, seat, i);
      out[3 + seat * RANKS + i] = v == NONE ? NO_VALUE : v;
    }
  return 1;
}

/* the ranks of the seats at the end: 1 is best */
static void ranks_of(Game *g, const State *s, int *ranks) {
  num keys[SEATS][RANKS + 1];
  for (int seat = 0; seat < SEATS; seat++) ranks[seat] = 1;
  const int mine = s->result_seat;
  int size = 0;
  if (s->result == 2 || s->result == 3) {
    for (int seat = 0; seat < SEATS; seat++) size += same_team(seat, mine);
    for (int seat = 0; seat < SEATS; seat++) {
      if (s->result == 2) ranks[seat] = same_team(seat, mine) ? 1 : 1 + size;
      else ranks[seat] = same_team(seat, mine) ? 1 + SEATS - size : 1;
    }
  }
  if (s->result != 1) return;
  for (int seat = 0; seat < SEATS; seat++) {
    if (RANKS == 0) keys[seat][0] = s->out >> seat & 1 ? 0 : 1;
    for (int i = 0; i < RANKS; i++) {
      const num v = rank_value(g, s, s->me, seat, i);
      keys[seat][i] = v == NONE ? 0 : rank_sign[i] * v;
    }
  }
  for (int seat = 0; seat < SEATS; seat++)
    for (int other = 0; other < SEATS; other++)
      for (int i = 0; i < (RANKS ? RANKS : 1); i++) {
        if (keys[other][i] > keys[seat][i]) { ranks[seat]++; break; }
        if (keys[other][i] < keys[seat][i]) break;
      }
}

/* playouts of the games with the seeds first, first + 1, … : how many of each end.
   out: games, plies, unfinished, ties, wins of each seat; the moves' texts are never made */
int rl_playouts(Game *g, u64 first, i64 games, i64 *out, const volatile int *stop) {
  g->ask = 0;
  g->plies = 0;
  if (setjmp(g->jump)) { g->probe = g->bulk = 0; out[1] += g->plies; return -g->fault; }
  g->bulk = 1;
  for (i64 n = 0; n < games && !(stop && *stop); n++) {
    g->choice_key = stream_key(first + (u64)n, playout_hash);
    g->drawn = 0;
    int what = start_game(g, first + (u64)n);
    State *s = &g->state;
    while (what == WAIT_MOVE) what = playout_step(g, s);
    out[0]++;
    if (s->result == 5) { out[2]++; continue; }
    int ranks[SEATS], best = 0;
    ranks_of(g, s, ranks);
    for (int seat = 0; seat < SEATS; seat++) best += ranks[seat] == 1;
    if (SEATS > 1 && best == SEATS) out[3]++;
    else for (int seat = 0; seat < SEATS; seat++) out[4 + seat] += ranks[seat] == 1;
  }
  g->bulk = 0;
  out[1] += g->plies;
  return 0;
}
/* one playout step of a running game, for comparing engines: the move is left in the game */
int rl_playout_step(Game *g, u64 seed, i64 *drawn) {
  GUARD
  g->choice_key = stream_key(seed, playout_hash);
  g->drawn = (u64)*drawn;
  const int what = advance(g, &g->state, playout_step(g, &g->state));
  *drawn = (i64)g->drawn;
  return what;
}

/* perft: how many ways a game can go in so many steps; a step is a move, a value of chance, or a seat's choice */
static i64 perft(Game *g, const State *s, int what, int depth) {
  if (depth == 0) return 1;
  if (what == WAIT_OVER) return 0;
  i64 found = 0;
  if (what == WAIT_CHANCE) {
    num *const v = (num *)malloc(2 * sizeof(num) * (OUTCOMES + 1));
    State at = *s;
    const int n = outcomes_at(g, &at, s->me, v, v + OUTCOMES + 1);
    if (depth == 1) { free(v); return n; }
    for (int k = 0; k < n; k++) {
      State after = *s;
      const int next = advance(g, &after, resolve_at(g, &after, s->me, v[k]));
      found += perft(g, &after, next, depth - 1);
    }
    free(v);
    return found;
  }
  int seat = s->actor;
  if (seat < 0) {
    seat = 0;
    while ((s->planned >> seat & 1) || (s->out >> seat & 1) || !any_phase(g, s, seat)) seat++;
  }
  int single = 1, total;
  const int base = g->group_count;
  if (is_chain(s->phase)) {
    total = best_chains(g, s);
    single = 0;
  } else {
    total = legal(g, s, seat, base);
  }
  if (depth == 1) { g->group_count = base; return total; }
  Chain *chains = 0;
  Move *moves = 0;
  if (!single) {
    chains = (Chain *)malloc(sizeof(Chain) * (size_t)(total + 1));
    moves = (Move *)malloc(sizeof(Move) * (size_t)(g->chained_moves + 1));
    memcpy(chains, g->chains, sizeof(Chain) * (size_t)total);
    memcpy(moves, g->chained, sizeof(Move) * (size_t)g->chained_moves);
  }
  for (int k = 0; k < total; k++) {
    State after = *s;
    int next = WAIT_MOVE;
    if (!single) {
      for (int i = 0; i < chains[k].steps; i++) next = advance(g, &after, act(g, &after, &moves[chains[k].from + i]));
    } else {
      Move m;
      kth(g, s, seat, base, k, &m);
      if (s->actor < 0) {
        keep_plan(&after, seat, &m);
        next = together_any(g, &after) ? WAIT_MOVE : advance(g, &after, act_together(g, &after));
      } else {
        const int kept = g->group_count;
        next = advance(g, &after, act(g, &after, &m));
        g->group_count = kept;
      }
    }
    found += perft(g, &after, next, depth - 1);
  }
  free(chains);
  free(moves);
  g->group_count = base;
  return found;
}
i64 rl_perft(Game *g, int what, int depth) {
  GUARD
  const State s = g->state;
  g->group_count = 0;
  return perft(g, &s, what, depth);
}
