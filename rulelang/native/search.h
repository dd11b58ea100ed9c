/* Exact search: what a position is worth to the first seat (1, 0, -1) if both play as well as can be. Alpha-beta with
   the bounds of positions that were looked at before, moves that cut off elsewhere first: see rulelang/proving/solve.py.
   For two seats, without chance. A position is known by 96 bits of two hashes. */
#define DEEPEST (sizeof(State) < 8192 ? 5000 : (int)((96 << 20) / (2 * sizeof(State) + 4096)))
#define ORDERS 65536
#define WAYS 4

typedef struct { u64 key; u32 check; int8_t least, most, used; } Bound;
typedef struct { u32 good; int k; } Order;
typedef struct Search {
  Bound *bounds; u64 size, used, most;                              /* size: a power of two, in groups of WAYS */
  History path;
  Order *order; int order_count, order_room;
  Chain *chains; int chain_count, chain_room;
  Move *steps; int step_count, step_room;
  int turns, rounds;                                                /* whether they make positions different */
  i64 positions;
  const volatile int *stop;
  int answer;
  u32 good[ORDERS];
} Search;
enum { STOPPED = 0, ENDLESS = 4, TOO_DEEP = 5 };

_Noreturn static void give_up(Game *g, Search *q, int answer) {
  q->answer = answer;
  g->fault = 0;
  longjmp(g->jump, 1);
}
static Bound *bound_of(Search *q, u64 key, u32 check) {
  Bound *group = &q->bounds[key & (q->size - 1) & ~(u64)(WAYS - 1)];
  for (int i = 0; i < WAYS; i++)
    if (group[i].used && group[i].key == key && group[i].check == check) return &group[i];
  return 0;
}
static void keep_bound(Search *q, Bound b) {
  Bound *known = bound_of(q, b.key, b.check);
  if (known) { *known = b; return; }
  Bound *group = &q->bounds[b.key & (q->size - 1) & ~(u64)(WAYS - 1)];
  for (int i = 0; i < WAYS; i++)
    if (!group[i].used) { group[i] = b; q->used++; return; }
  group[b.check % WAYS] = b;
}
/* a larger table, as long as there may be one; then old bounds give way to new ones */
static void grow(Search *q) {
  if (q->used * 2 < q->size || q->size >= q->most) return;
  Bound *old = q->bounds;
  const u64 size = q->size;
  Bound *larger = (Bound *)calloc((size_t)(2 * size), sizeof(Bound));
  if (!larger) { q->most = size; return; }
  q->bounds = larger;
  q->size = 2 * size;
  q->used = 0;
  for (u64 i = 0; i < size; i++) if (old[i].used) keep_bound(q, old[i]);
  free(old);
}
static int worth(Game *g, const State *s) {
  int ranks[SEATS];
  if (s->result == 5) return 0;
  ranks_of(g, s, ranks);
  return (ranks[0] == 1) - (ranks[SEATS - 1] == 1);
}
/* the moves of the seat that acts, those that cut off most first; *chains tells where its chains begin, or is -1 */
static int ordered(Game *g, Search *q, const State *s, int base, int *first, int *chains) {
  int total;
  *chains = -1;
  if (is_chain(s->phase)) {
    total = best_chains(g, s);
    *chains = q->chain_count;
    q->chains = (Chain *)roomy(q->chains, &q->chain_room, q->chain_count + total, sizeof(Chain));
    q->steps = (Move *)roomy(q->steps, &q->step_room, q->step_count + g->chained_moves, sizeof(Move));
    memcpy(q->steps + q->step_count, g->chained, sizeof(Move) * (size_t)g->chained_moves);
    for (int k = 0; k < total; k++) {
      Chain c = g->chains[k];
      c.from += q->step_count;
      q->chains[q->chain_count++] = c;
    }
    q->step_count += g->chained_moves;
  } else {
    total = legal(g, s, s->actor, base);
  }
  *first = q->order_count;
  q->order = (Order *)roomy(q->order, &q->order_room, q->order_count + total, sizeof(Order));
  for (int k = 0; k < total; k++) {
    Move m;
    if (*chains >= 0) m = q->steps[q->chains[*chains + k].from]; else kth(g, s, s->actor, base, k, &m);
    i64 numbers[CHOICE_NUMBERS + 1];
    const int n = write_choice(&m, numbers);
    const u64 h = hash_bytes((u64)m.action + 7 * (u64)s->actor, numbers, n * (int)sizeof(i64));
    const Order now = {q->good[mix(h) & (ORDERS - 1)], k};
    int at = q->order_count++;
    for (; at > *first && q->order[at - 1].good < now.good; at--) q->order[at] = q->order[at - 1];
    q->order[at] = now;
  }
  return total;
}
static void cuts(Search *q, const State *s, const Move *m) {
  i64 numbers[CHOICE_NUMBERS + 1];
  const int n = write_choice(m, numbers);
  q->good[mix(hash_bytes((u64)m->action + 7 * (u64)s->actor, numbers, n * (int)sizeof(i64))) & (ORDERS - 1)]++;
}
static int search(Game *g, Search *q, const State *s, int what, int low, int high, int depth) {
  if (what == WAIT_OVER) return worth(g, s);
  State bare = *s;
  if (!q->turns) bare.turns = 0;
  if (!q->rounds) bare.rounds = 0;
  Bound now = {mix(hash_bytes(GOLDEN, &bare, sizeof bare)), (u32)hash_bytes(0xA5A5A5A5ull, &bare, sizeof bare), -1, 1, 1};
  const Bound *known = bound_of(q, now.key, now.check);
  if (known) now = *known;
  if (now.least >= high || now.least == now.most) return now.least;
  if (now.most <= low) return now.most;
  if (history_times(&q->path, now.key, depth)) give_up(g, q, ENDLESS);
  if (depth >= DEEPEST) give_up(g, q, TOO_DEEP);
  if (*q->stop) give_up(g, q, STOPPED);
  history_note(&q->path, depth, now.key);
  q->positions++;
  grow(q);
  low = low > now.least ? low : now.least;
  high = high < now.most ? high : now.most;
  const int lowest = low, highest = high;
  const int base = g->group_count, orders = q->order_count, chain_base = q->chain_count, step_base = q->step_count;
  int first, chains;
  const int total = ordered(g, q, s, base, &first, &chains), maximal = s->actor == 0;
  int best = maximal ? -1 : 1;
  for (int i = 0; i < total; i++) {
    const int k = q->order[first + i].k;
    State after = *s;
    int next = WAIT_MOVE;
    Move m;
    if (chains >= 0) {
      const Chain c = q->chains[chains + k];
      m = q->steps[c.from];
      for (int j = 0; j < c.steps; j++) {
        const Move step = q->steps[c.from + j];
        next = advance(g, &after, act(g, &after, &step));
      }
    } else {
      kth(g, s, s->actor, base, k, &m);
      const int kept = g->group_count;
      next = advance(g, &after, act(g, &after, &m));
      g->group_count = kept;
    }
    const int value = search(g, q, &after, next, low, high, depth + 1);
    if (maximal) { if (value > best) best = value; if (best > low) low = best; }
    else { if (value < best) best = value; if (best < high) high = best; }
    if (low >= high) { cuts(q, s, &m); break; }
  }
  g->group_count = base;
  q->order_count = orders;
  q->chain_count = chain_base;
  q->step_count = step_base;
  if (best > lowest) now.least = (int8_t)best;
  if (best < highest) now.most = (int8_t)best;
  keep_bound(q, now);
  return best;
}

Search *rl_search_new(int turns, int rounds, u64 most) {
  Search *q = (Search *)calloc(1, sizeof(Search));
  q->size = 1 << 16;
  q->most = most;
  q->bounds = (Bound *)calloc((size_t)q->size, sizeof(Bound));
  q->turns = turns;
  q->rounds = rounds;
  return q;
}
void rl_search_free(Search *q) {
  free(q->bounds); free(q->path.keys); free(q->order); free(q->chains); free(q->steps); free(q);
}
i64 rl_search_positions(const Search *q) { return q->positions; }
/* the worth plus 2; or 0: stopped, 4: it can come back to a position, 5: too deep; or a fault */
int rl_search(Search *q, Game *g, int what, int low, int high, const volatile int *stop) {
  q->stop = stop;
  q->order_count = q->chain_count = q->step_count = 0;
  g->group_count = 0;
  if (setjmp(g->jump)) { g->probe = 0; return g->fault ? -g->fault : q->answer; }
  const State s = g->state;
  return 2 + search(g, q, &s, what, low, high, 0);
}
