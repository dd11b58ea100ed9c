/* One move made, and on to where the game waits again. */
#define NO_VALUE INT64_MIN

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
  while (what == WAIT_MOVE) {
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
  g->nodes = made_nodes[m->action];
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
  g->nodes = 0;
  return run(g, s, exit);
}
