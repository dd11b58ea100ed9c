/* perft: how many ways a game can go in so many steps; a step is a move, a value of chance, or a seat's choice */
static State *state_copy(const State *s) {
  State *const found = (State *)malloc(sizeof(State));
  if (!found) abort();
  *found = *s;
  return found;
}
static i64 perft(Game *g, const State *s, int what, int depth) {
  if (depth == 0) return 1;
  if (what == WAIT_OVER) return 0;
  i64 found = 0;
  if (what == WAIT_CHANCE) {
    num *const v = (num *)malloc(2 * sizeof(num) * (OUTCOMES + 1));
    State *const after = state_copy(s);
    const int n = outcomes_at(g, after, s->me, v, v + OUTCOMES + 1);
    for (int k = 0; k < n && depth > 1; k++) {
      *after = *s;
      const int next = advance(g, after, resolve_at(g, after, s->me, v[k]));
      found += perft(g, after, next, depth - 1);
    }
    free(v);
    free(after);
    return depth == 1 ? n : found;
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
  State *const after = state_copy(s);
  for (int k = 0; k < total; k++) {
    *after = *s;
    int next = WAIT_MOVE;
    if (!single) {
      for (int i = 0; i < chains[k].steps; i++) next = advance(g, after, act(g, after, &moves[chains[k].from + i]));
    } else {
      Move m;
      kth(g, s, seat, base, k, &m);
      if (s->actor < 0) {
        keep_plan(after, seat, &m);
        next = together_any(g, after) ? WAIT_MOVE : advance(g, after, act_together(g, after));
      } else {
        const int kept = g->group_count;
        next = advance(g, after, act(g, after, &m));
        g->group_count = kept;
      }
    }
    found += perft(g, after, next, depth - 1);
  }
  free(after);
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
