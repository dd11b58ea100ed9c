/* Chains of steps as moves: counted, and the k-th worked out, for random games. */
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
static int chain_best(Game *g, const State *s, int depth, num *value);
INL int chain_step(Game *g, const State *s, State *after, int depth, const Group *q, int k, int across, num *value) {
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
/* how many best chains go on from here, and what they come to: positions that several orders of steps lead to are
   looked at once. Whether a step is the last mostly hangs on how many were made: in one search, depths at which one was
   not are not asked again for all last steps at once. 0 if there is no step. */
static int chain_best(Game *g, const State *s, int depth, num *value) {
  const int base = g->group_count, best = best_count(s->phase);
  if (unlikely(g->forced + depth > MOST_STEPS) && any_phase(g, s, s->actor)) fail(g, too_many_of(s->phase, 0), 0);
  int found = 0, listed = 0;
  if (depth >= 64 || !(g->not_last >> depth & 1)) {
    found = last_ways(g, s, s->actor, value);
    if (found >= 0) return found;
    found = 0;
    if (depth < 64) g->not_last |= 1ull << depth;
  }
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
      if ((listed += n) > MOST_CHAINS) fail(g, too_many_of(s->phase, 1), 0);
    }
  }
  g->group_count = base;
  if (known) { known->key = key; known->count = found; memcpy(known->value, value, sizeof known->value); }
  return found;
}
/* the same from where a move begins, whose steps are listed; what comes of each is kept */
static int chain_root(Game *g, const State *s, num *value) {
  const int end = g->group_count, best = best_count(s->phase);
  int found = 0, listed = 0, way = 0, level = 0;
  State after;
  num now[BEST_MOST];
  g->search++;
  g->not_last = 0;
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
      if ((listed += n) > MOST_CHAINS) fail(g, too_many_of(s->phase, 1), 0);
    }
  for (int i = 0; i < way; i++) if (g->ways[i].level != level) g->ways[i].count = 0;
  return found;
}
/* the k-th of them: the state becomes the one before its last step, which is left in `last` */
static void chain_kth(Game *g, State *from, int k, const num *best, Move *last) {
  State s, after;
  num value[BEST_MOST];
  const int size = best_count(from->phase);
  int way = 0, i = 0;
  while (k >= g->ways[way].count) k -= g->ways[way++].count;
  kth(g, from, from->actor, 0, way, last);
  if (!may_go_on(from->phase, last->action)) return;
  while (way >= g->groups[i].count) way -= g->groups[i++].count;
  if (!chain_act(g, from, &s, &g->groups[i], way, 0)) return;
  for (int depth = 1; legal(g, &s, s.actor, 0); depth++) {
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
        *last = g->groups[i].move;
        pick_last(g, &s, s.actor, &g->groups[i], j, last);
      }
    *from = s;
    if (after.chained != 1) return;
    s = after;
  }
}

/* a chain in a random game: one number says which of all chains. A first step without an alternative is made before
   chains are counted, and so on from where it leads (`s->chained`: steps have been made, the number is taken) */
static int chain_move(Game *g, State *s) {
  num value[BEST_MOST];
  int taken = s->chained;
  for (g->forced = taken;; g->forced++) {
    int total = legal(g, s, s->actor, 0);
    if (!total) return stuck_at(g, s);
    if (unlikely(g->forced > MOST_STEPS)) fail(g, too_many_of(s->phase, 0), 0);
    if (!taken) { g->plies++; g->drawn++; }
    taken = 1;
    int single = best_count(s->phase) == 0;
    for (int i = 0; single && i < g->group_count; i++) single = !may_go_on(s->phase, g->groups[i].move.action);
    if (total > 1 && !single) {
      total = chain_root(g, s, value);
      const int k = (int)stream_below(g->choice_key, g->drawn - 1, (u64)total);
      Move last;
      chain_kth(g, s, k, value, &last);
      return act(g, s, &last);
    }
    Move m;
    kth(g, s, s->actor, 0, (int)stream_below(g->choice_key, g->drawn - 1, (u64)total), &m);
    const int what = act(g, s, &m);
    if (what != WAIT_MOVE || !s->chained) return what;
  }
}
