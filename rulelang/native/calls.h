/* What is called from outside: games one by one. */
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
  free(g->groups); free(g->chains); free(g->chained); free(g->path); free(g->spots);
  free(g->steps); free(g->places); free(g->ways); free(g);
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
  g->work = g->nodes = 0;
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
