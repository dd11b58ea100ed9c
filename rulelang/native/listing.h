/* Chains of steps as moves: listed as rulelang/engine/legal.py lists them. */
/* From one position the same ways go on: each is looked at once, and keeps its first steps, of which only those are left
   that come to the most of what `best` asks. */
static int spot_place(const Game *g, u64 key) {
  int at = (int)(key & (u64)(g->place_count - 1));
  while (g->places[at] && g->spots[g->places[at] - 1].key != key) at = (at + 1) & (g->place_count - 1);
  return at;
}
static int new_spot(Game *g, const Spot *found) {
  g->spots = (Spot *)roomy(g->spots, &g->spot_room, g->spot_count + 1, sizeof(Spot));
  g->spots[g->spot_count++] = *found;
  if (2 * g->spot_count > g->place_count) {
    g->place_count *= 2;
    g->places = (int *)roomy(g->places, &g->place_room, g->place_count, sizeof(int));
    memset(g->places, 0, sizeof(int) * (size_t)g->place_count);
    for (int i = 0; i < g->spot_count; i++) g->places[spot_place(g, g->spots[i].key)] = i + 1;
  } else {
    g->places[spot_place(g, found->key)] = g->spot_count;
  }
  return g->spot_count - 1;
}
static int chain_spot(Game *g, const State *s, int depth) {
  const int base = g->group_count, phase = s->phase, best = best_count(phase);
  if (depth > MOST_STEPS) fail(g, too_many_of(phase, 0), 0);
  Spot found = {.key = hash_alike(0, (const u8 *)s + HOT, (int)(sizeof *s - HOT)), .first = -1};
  const int known = g->places[spot_place(g, found.key)] - 1;
  if (known >= 0) return known;
  const int total = legal(g, s, s->actor, base);
  int listed = 0, last = -1;
  for (int k = 0; k < total; k++) {
    Step step = {.to = -1, .next = -1};
    num value[BEST_MOST] = {0};
    int count = 1;
    kth(g, s, s->actor, base, k, &step.move);
    if (may_go_on(phase, step.move.action)) {
      State after = *s;
      const int probe = g->probe;
      g->probe = 1;
      const int what = advance(g, &after, act(g, &after, &step.move));
      if (what == WAIT_MOVE && after.chained && after.actor >= 0) {
        step.to = chain_spot(g, &after, depth + 1);
        count = g->spots[step.to].count;
        memcpy(value, g->spots[step.to].value, sizeof value);
      } else {
        best_values(g, &after, s->actor, phase, value);
      }
      g->probe = probe;
    }
    if ((listed += count) > MOST_CHAINS) fail(g, too_many_of(phase, 1), 0);
    const int order = found.count ? chain_order(value, found.value, best) : 1;
    if (order < 0) continue;
    g->steps = (Step *)roomy(g->steps, &g->step_room, g->step_count + 1, sizeof(Step));
    if (order > 0) {
      memcpy(found.value, value, sizeof value);
      found.count = 0;
      found.first = g->step_count;
    } else {
      g->steps[last].next = g->step_count;
    }
    found.count += count;
    last = g->step_count;
    g->steps[g->step_count++] = step;
  }
  g->group_count = base;
  return new_spot(g, &found);
}
static void chains_from(Game *g, int spot, int depth) {
  g->path = (Move *)roomy(g->path, &g->path_room, depth + 1, sizeof(Move));
  for (int i = g->spots[spot].first; i >= 0; i = g->steps[i].next) {
    g->path[depth] = g->steps[i].move;
    if (g->steps[i].to >= 0) { chains_from(g, g->steps[i].to, depth + 1); continue; }
    g->chains = (Chain *)roomy(g->chains, &g->chain_room, g->chain_count + 1, sizeof(Chain));
    g->chained = (Move *)roomy(g->chained, &g->chained_room, g->chained_moves + depth + 1, sizeof(Move));
    g->chains[g->chain_count++] = (Chain){g->chained_moves, depth + 1};
    memcpy(g->chained + g->chained_moves, g->path, sizeof(Move) * (size_t)(depth + 1));
    g->chained_moves += depth + 1;
  }
}
/* the chains that are moves, in order: how many they are */
static int best_chains(Game *g, const State *s) {
  g->chain_count = g->chained_moves = g->spot_count = g->step_count = 0;
  g->place_count = 64;
  g->places = (int *)roomy(g->places, &g->place_room, g->place_count, sizeof(int));
  memset(g->places, 0, sizeof(int) * (size_t)g->place_count);
  chains_from(g, chain_spot(g, s, 0), 0);
  return g->chain_count;
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
