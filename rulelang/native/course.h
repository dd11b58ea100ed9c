/* The course of a game: see rulelang/engine/course.py. */
#define WAIT_MOVE 1
#define WAIT_CHANCE 2
#define WAIT_OVER 3
_Noreturn static void fail(Game *g, int fault, num value) {
  g->fault = fault + 1;
  g->value = value;
  longjmp(g->jump, 1);
}
INL u64 below(Game *g, State *s, int stream, u64 k) { return stream_below(g->keys[stream], s->counts[stream]++, k); }

INL int next_in(const State *s, int seat) {
  if (!SEATS_LEAVE) return seat + 1 == SEATS ? 0 : seat + 1;
  for (int step = 1; step <= SEATS; step++) {
    const int other = (seat + step) % SEATS;
    if (!(s->out >> other & 1)) return other;
  }
  return seat;
}
INL void change_player(State *s) {
  int player = s->pending == -1 ? next_in(s, s->player) : s->pending;
  if (SEATS_LEAVE && (s->out >> player & 1)) player = next_in(s, player);
  s->pending = -2;
  s->player = (int8_t)player;
  s->turns++;
}
INL int leave(State *s) {
  s->out |= s->leaving;
  s->leaving = 0;
  const int left = SEATS - __builtin_popcount(s->out);
  return left == 0 || (left == 1 && SEATS > 1);
}
INL void over(Game *g UNUSED, State *s, num me, int kind, int seat, int reason) {
  s->result = (u8)kind;
  s->result_seat = (int8_t)seat;
  s->reason = (int16_t)reason;
  s->pending = -2;
  s->actor = -1;
  s->me = (int8_t)me;
}
static int count_moves(Game *g, const State *s);
static int some_move(Game *g, const State *s);
INL Group *new_group(Game *g) {
  if (unlikely(g->group_count == g->group_room)) {
    g->group_room = g->group_room ? 2 * g->group_room : 64;
    g->groups = (Group *)realloc(g->groups, sizeof(Group) * (size_t)g->group_room);
    if (!g->groups) abort();
  }
  return &g->groups[g->group_count++];
}
