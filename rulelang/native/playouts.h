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

/* playouts of the games with the seeds first, first + 1, … : how many of each end.
   out: games, plies, unfinished, ties, wins of each seat, the squares of lengths; the moves' texts are never made */
int rl_playouts(Game *g, u64 first, i64 games, i64 *out, const volatile int *stop) {
  g->ask = 0;
  g->plies = 0;
  if (setjmp(g->jump)) { g->probe = g->bulk = 0; out[1] += g->plies; return -g->fault; }
  g->bulk = 1;
  for (i64 n = 0; n < games && !(stop && *stop); n++) {
    g->choice_key = stream_key(first + (u64)n, playout_hash);
    g->drawn = 0;
    const i64 before = g->plies;
    int what = start_game(g, first + (u64)n);
    State *s = &g->state;
    while (what == WAIT_MOVE) what = playout_step(g, s);
    out[0]++;
    out[4 + SEATS] += (g->plies - before) * (g->plies - before);
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
