/* Legal choices as groups: how many, and the k-th. */
/* the legal choices of a seat, as groups from `base` on; how many there are */
static int legal(Game *g, const State *s, num me, int base) {
  g->group_count = base;
  list_phase(g, s, me);
  int total = 0;
  for (int i = base; i < g->group_count; i++) total += g->groups[i].count;
  return total;
}
/* the k-th of the legal choices */
static void kth(Game *g, const State *s, num me, int base, int k, Move *m) {
  const Group *q = g->groups + base;
  while (k >= q->count) k -= q++->count;
  *m = q->move;
  pick_last(g, s, me, q, k, m);
}
/* what chains come to: so many more that come to `now`, beside `found` that come to the best so far */
INL int chain_order(const num *a, const num *b, int best) {
  for (int i = 0; i < best; i++) if (a[i] != b[i]) return a[i] > b[i] ? 1 : -1;
  return 0;
}
INL int chain_more(int found, num *value, const num *now, int more, int best) {
  const int order = found ? chain_order(now, value, best) : 1;
  if (order > 0) for (int i = 0; i < best; i++) value[i] = now[i];
  return order > 0 ? more : order == 0 ? found + more : found;
}
/* a move drawn from candidates, each of which is tried when it is drawn, and made; 0 if none is legal */
UNUSED static int draw_move(Game *g, State *s, num me, Move *m, int *exit) {
  g->group_count = 0;
  candidates_phase(g, s, me);
  int total = 0;
  for (int i = 0; i < g->group_count; i++) total += g->groups[i].count;
  while (total) {
    int k = (int)stream_below(g->choice_key, g->drawn++, (u64)total);
    Group *q = g->groups;
    while (k >= q->count) k -= q++->count;
    *m = q->move;
    pick_last(g, s, me, q, k, m);
    if (try_choice(g, s, me, m, exit)) return 1;
    leave_out(q, k);
    q->count--;
    total--;
  }
  return 0;
}
