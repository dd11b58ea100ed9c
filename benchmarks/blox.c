/* Blox by hand: uniform random playouts by the same rules as rules/blox.rules (its options as they start), as a limit
 * for what a compiler can do.
 *
 *   cc -O3 -march=native -o blox blox.c && ./blox [SECONDS [PLAYERS [SEED [GAMES]]]]
 *   limit blox GAMES/S TURNS/S  players N games N turns MEAN SE moves MEAN SE shares A B … tied T unfinished U
 *
 * `turns` is the mean length of a game, `moves` the mean number of legal moves a turn, each with its standard error;
 * a share is how often a seat is first, alone or with some but not all others. GAMES says how many games instead of
 * how long.
 *
 * Every distinct move is equally likely: they are counted, kind by kind, and one number below the count says which.
 * A line (nine rows, nine columns) holds what stands on it in nine bits, so where a figure may come in, how far it
 * moves and what stops it are a few operations on one line. Cards, blocks and towers are four counts in one word,
 * four bits each, so that a payment is one subtraction. Which spaces the rim is linked to is kept, and searched
 * again only where a new tower could part it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <math.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif
typedef uint64_t u64; typedef unsigned __int128 u128; typedef uint32_t u32; typedef uint16_t u16; typedef uint8_t u8;
#define INL static inline __attribute__((always_inline))

enum { CELLS = 81, LINES = 18, HAND = 5, SEVEN = 7, LIMIT = 50000, FIGURES = 4, NOBODY = 0, NEUTRAL = 5 };

/* Chance: splitmix64, and a number below n out of its upper half */
static u64 chance;
INL u32 below(u32 n) {
  u64 z = chance += 0x9E3779B97F4A7C15ull;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull; z = (z ^ z >> 27) * 0x94D049BB133111EBull; z ^= z >> 31;
  return (u32)(((z >> 32) * n) >> 32);
}

/* Sets: of the nine spaces of a line, and of the 81 of the board (space 9 * row + column) */
INL int count(u128 a) { return __builtin_popcountll((u64)a) + __builtin_popcountll((u64)(a >> 64)); }
INL u128 one(int i) { return (u128)1 << i; }
INL int nth64(u64 a, int k) {
#ifdef __BMI2__
  return __builtin_ctzll(_pdep_u64(1ull << k, a));
#else
  while (k--) a &= a - 1;
  return __builtin_ctzll(a);
#endif
}
INL int nth(u128 a, int k) {
  const int low = __builtin_popcountll((u64)a);
  return k < low ? nth64((u64)a, k) : 64 + nth64((u64)(a >> 64), k - low);
}

/* The board */
static const char *const COLORS = "KPWGKWKGP" "WGPGPKPWK" "PKGWGPWKG" "GPKPWKGWW" "PKWGKGWKP" "WWGKWPKPG" "GKWPGWGKP"
                                  "KWPKPGPGW" "PGKWKGWPK";
static const char *const SQUARES = "....1..1." "1.1......" "...2.3.1." "..3.4.2.." "1.......1" "..2.4.3.." ".1.3.2..."
                                   "......1.1" ".1..1....";
static u8 color[CELLS];
static u128 all, not_first, not_last, rim;      /* all spaces; those not in the first column; nor the last; the rim */
static u128 of_colors[16];                      /* the spaces of the colors in a set of colors */
static u128 spread[512];                        /* a line's spaces, as spaces of the first column */
static u16 line_colors[LINES][16];              /* the same on a line: 0..8 the rows, 9..17 the columns */
static u16 from_low[LINES], from_high[LINES];   /* the first space of each color from one end, and from the other */
static u16 first_from[LINES][9];                /* and in both directions from a space, which is not counted itself */
static u8 on_way[LINES][9][9];                  /* the colors strictly between two spaces of a line */
static u8 parts[6][4096];                       /* how many bags of 0..5 things are within a bag (three bits a color) */
static u8 together[256];                        /* of the eight spaces around one: whether all open sides are linked */

INL int space(int line, int at) { return line < 9 ? 9 * line + at : 9 * at + line - 9; }

static void prepare(void) {
  const char *letter = "GWPK";
  for (int c = 0; c < CELLS; c++) {
    color[c] = (u8)(strchr(letter, COLORS[c]) - letter);
    all |= one(c);
    if (c % 9) not_first |= one(c);
    if (c % 9 < 8) not_last |= one(c);
    if (c % 9 == 0 || c % 9 == 8 || c < 9 || c >= 72) rim |= one(c);
    for (int set = 0; set < 16; set++) if (set >> color[c] & 1) of_colors[set] |= one(c);
  }
  for (int m = 0; m < 512; m++) for (int i = 0; i < 9; i++) if (m >> i & 1) spread[m] |= one(9 * i);
  for (int l = 0; l < LINES; l++) {
    for (int i = 0; i < 9; i++) {
      for (int set = 0; set < 16; set++) if (set >> color[space(l, i)] & 1) line_colors[l][set] |= 1 << i;
      for (int way = -1; way <= 1; way += 2) {
        int seen = 0;
        for (int j = i + way; j >= 0 && j < 9; j += way) {
          const int k = 1 << color[space(l, j)];
          on_way[l][i][j] = (u8)seen;
          if (!(seen & k)) first_from[l][i] |= 1 << j;
          seen |= k;
        }
      }
    }
    for (int i = 0, low = 0, high = 0; i < 9; i++) {
      const int a = 1 << color[space(l, i)], b = 1 << color[space(l, 8 - i)];
      if (!(low & a)) from_low[l] |= 1 << i;
      if (!(high & b)) from_high[l] |= 1 << (8 - i);
      low |= a; high |= b;
    }
  }
  for (int bag = 0; bag < 4096; bag++)
    for (int a = 0; a <= (bag & 7); a++) for (int b = 0; b <= (bag >> 3 & 7); b++)
      for (int c = 0; c <= (bag >> 6 & 7); c++) for (int d = 0; d <= bag >> 9; d++)
        if (a + b + c + d <= 5) parts[a + b + c + d][bag]++;
  for (int ring = 0; ring < 256; ring++) {        /* even bits are the sides, odd ones the corners between them */
    int runs = 0;
    for (int i = 0; i < 8; i++) if (ring >> i & 1 && !(ring >> (i + 7) % 8 & 1)) {
      int sides = 0;
      for (int j = i; ring >> j % 8 & 1; j++) sides += !(j & 1);
      runs += sides > 0;
    }
    together[ring] = runs <= 1;
  }
}

/* Bags: four counts, four bits each (none exceeds 7 where bags are compared) */
typedef u32 bag;
#define ONE(k) (1u << 4 * (k))
INL int held(bag a) { return (int)((a * 0x1111u >> 12) & 15); }
INL int many(bag a) { return (int)((a & 15) + (a >> 4 & 15) + (a >> 8 & 15) + (a >> 12 & 15)); }
INL int kinds(bag a) { a = (a | a >> 1 | a >> 2 | a >> 3) & 0x1111; return (int)((a | a >> 3 | a >> 6 | a >> 9) & 15); }
INL bag smaller(bag a, bag b) {                                              /* the smaller count of each color */
  const u32 keep = (((a | 0x8888) - b) & 0x8888) >> 3, m = keep * 15;        /* where a has no less: take b */
  return (b & m) | (a & ~m);
}
INL u32 packed(bag a) { return (a & 7) | (a >> 1 & 070) | (a >> 2 & 0700) | (a >> 3 & 07000); }

typedef struct {
  u16 line[LINES];                               /* what stands on each line */
  u128 by_row, by_column;                        /* where a figure may come in along a row, along a column */
  u128 towers, open;                             /* the towers; the spaces without that the rim is linked to */
  u16 tower[CELLS]; u8 figure[CELLS];            /* blocks; 0 nobody, 1..4 the seats, 5 neutral */
  int standing[6];                               /* how many towers of each height */
  u8 at[4][FIGURES]; int figures[4];             /* where a seat's figures are */
  bag hand[4]; u32 blocks[4][4]; int owned[4], joker[4], score[4];
  u8 pile[60], discard[60]; int piled, discarded;
  int players, stage, last_round, starter, me;
} Game;

/* Lines */
INL void set_line(Game *s, int l) {
  const u32 on = s->line[l];                                                  /* free from one end, and from the other */
  const u32 low = ((on | 512) & -(on | 512)) - 1, high = ~((1u << (31 - __builtin_clz(on << 1 | 1))) - 1);
  const u32 m = (from_low[l] & low) | (from_high[l] & high);
  if (l < 9) s->by_row = (s->by_row & ~((u128)511 << 9 * l)) | (u128)m << 9 * l;
  else s->by_column = (s->by_column & ~(spread[511] << (l - 9))) | spread[m] << (l - 9);
}
INL void put(Game *s, int c) { const int r = c / 9, k = c % 9; s->line[r] |= 1 << k; s->line[9 + k] |= 1 << r; set_line(s, r); set_line(s, 9 + k); }
INL void lift(Game *s, int c) { const int r = c / 9, k = c % 9; s->line[r] &= ~(1 << k); s->line[9 + k] &= ~(1 << r); set_line(s, r); set_line(s, 9 + k); }

/* What the rim is linked to */
INL u128 wider(u128 a) { return a | (a << 1 & not_first) | (a >> 1 & not_last) | (a << 9 & all) | a >> 9; }
static u128 linked(u128 from, u128 free) {
  for (u128 a = from & free;;) {
    u128 b = wider(a) & free;
    b = wider(b) & free;
    if (b == a) return a;
    a = b;
  }
}
INL int ring(u128 open, int c) {                  /* which of the eight spaces around are open; outside is */
  static const int dr[8] = {-1, -1, 0, 1, 1, 1, 0, -1}, dc[8] = {0, 1, 1, 1, 0, -1, -1, -1};
  const int r = c / 9, k = c % 9;
  int found = 0;
  for (int i = 0; i < 8; i++) {
    const int a = r + dr[i], b = k + dc[i];
    found |= (a < 0 || a > 8 || b < 0 || b > 8 || (int)(open >> (9 * a + b) & 1)) << i;
  }
  return found;
}
/* The open spaces once a tower stands on c; nothing if a tower is walled in then */
INL u128 after_building(const Game *s, int c) {
  if (!(s->open >> c & 1)) return 0;
  const u128 towers = s->towers | one(c);
  const u128 open = together[ring(s->open, c)] ? s->open & ~one(c) : linked(rim, all & ~towers);
  return towers & ~wider(open) ? 0 : open;
}

/* Cards */
INL void draw(Game *s, int p, int n) {
  for (; n && s->piled; n--) {
    const int i = (int)below((u32)s->piled), card = s->pile[i];
    s->pile[i] = s->pile[--s->piled];
    s->hand[p] += ONE(card);
  }
  if (n) {
    memcpy(s->pile, s->discard, sizeof s->pile);
    s->piled = s->discarded; s->discarded = 0;
    draw(s, p, n);
  }
}
INL void pay(Game *s, int me, bag cost) {
  s->hand[me] -= cost;
  for (int k = 0; k < 4; k++) for (int n = (int)(cost >> 4 * k & 15); n; n--) s->discard[s->discarded++] = (u8)k;
}
INL void pay_with(Game *s, int me, bag cost, int wild) {                     /* wild: a color, or -1 */
  if (wild >= 0) { cost -= ONE(wild); s->joker[me] = 0; }
  pay(s, me, cost);
}

static void begin(Game *s, int players) {
  memset(s, 0, sizeof *s);
  s->players = players;
  u8 supply[40];
  int left = 0;
  for (int k = 0; k < 4; k++) for (int n = 0; n < (players > 2 ? 10 : 9); n++) supply[left++] = (u8)k;
  for (int c = 0; c < CELLS; c++) {
    int height = SQUARES[c] == '.' ? 0 : SQUARES[c] - '0';
    if (!height) continue;
    if (players == 2 && height == 1) {
      if (color[c] < 2) height = 2;
      else { s->figure[c] = NEUTRAL; put(s, c); continue; }
    }
    for (int n = 0; n < height; n++) {
      const int i = (int)below((u32)left);
      s->tower[c] += ONE(supply[i]);
      supply[i] = supply[--left];
    }
    s->towers |= one(c); s->standing[height]++;
    put(s, c);
  }
  for (int l = 0; l < LINES; l++) set_line(s, l);
  s->open = linked(rim, all & ~s->towers);
  for (int k = 0; k < 4; k++) for (int n = 0; n < 15; n++) s->pile[s->piled++] = (u8)k;
  for (int p = 0; p < players; p++) { draw(s, p, HAND); s->joker[p] = 1; }
  s->stage = players > 2 ? 1 : 2;
  s->me = s->starter = (int)below((u32)players);
}

/* The ways to pay for a bag: plain, or with the joker for one of its kinds */
INL int ways(bag hand, bag cost, int joker) {
  const u32 d = (hand | 0x8888) - cost, lacking = ~d & 0x8888;
  if (!lacking) return joker ? 1 + __builtin_popcount(kinds(cost)) : 1;
  if (!joker || lacking & (lacking - 1)) return 0;
  return (d >> __builtin_ctz(lacking) / 4 * 4 & 15) == 7;                     /* one card of one color */
}
/* The k-th of them: the joker's color, or -1 */
INL int way(bag hand, bag cost, int k) {
  const u32 d = (hand | 0x8888) - cost, lacking = ~d & 0x8888;
  if (lacking) return __builtin_ctz(lacking) / 4;
  return k ? nth64((u64)kinds(cost), k - 1) : -1;
}

typedef struct { u8 from, to; int ways; } Stop;   /* a figure that comes to a tower, or to another figure */

/* One turn: how many moves there were, one of them made. */
static int turn(Game *s) {
  const int me = s->me, joker = s->joker[me], n_mine = s->figures[me];
  const bag hand = s->hand[me];
  const int cards = kinds(hand);                                              /* the colors of cards in the hand */
  /* place */
  int place_card = 0, place_joker = 0;
  u128 places = 0;
  if (n_mine < FIGURES) {
    places = s->by_row | s->by_column;
    place_card = count(places & of_colors[cards]);
    place_joker = joker ? count(places) : 0;
  }
  /* move, destroy, knock */
  struct { u16 to, by_card; } lane[2 * FIGURES];
  int moves = 0, n_destroy = 0, n_knock = 0, destroys = 0, knocks = 0;
  Stop destroy[4 * FIGURES], knock[4 * FIGURES];
  const int may_destroy = s->owned[me] < SEVEN;
  for (int f = 0; f < n_mine; f++) {
    const int c = s->at[me][f], r = c / 9, k = c % 9;
    for (int side = 0; side < 2; side++) {
      const int l = side ? 9 + k : r, at = side ? r : k;
      const u32 on = s->line[l], under = on & ((1u << at) - 1), over = (on >> at >> 1) << at << 1;
      const int a = under ? 31 - __builtin_clz(under) : -1, b = over ? __builtin_ctz(over) : 9;
      const u32 to = first_from[l][at] & ((1u << b) - (1u << (a + 1)));
      const u32 by_card = to & line_colors[l][cards];
      lane[2 * f + side].to = (u16)to; lane[2 * f + side].by_card = (u16)by_card;
      moves += __builtin_popcount(by_card) + (joker ? __builtin_popcount(to) : 0);
      for (int end = 0; end < 2; end++) {
        const int e = end ? b : a;
        if (e < 0 || e > 8) continue;
        const int c2 = space(l, e), way_colors = on_way[l][at][e];
        const bag tower = s->tower[c2];
        if (tower) {
          if (!may_destroy || many(tower) > s->stage || way_colors & kinds(tower)) continue;
          const int w = ways(hand, tower, joker);
          if (w) { destroy[n_destroy++] = (Stop){(u8)c, (u8)c2, w}; destroys += w; }
        } else {
          if (s->figure[c2] == me + 1 || way_colors >> color[c2] & 1) continue;
          const int have = (int)(hand >> 4 * color[c2] & 15);
          const int w = (have > 2 ? have - 2 : 0) + (joker && have > 1 ? have - 1 : 0);
          if (w) { knock[n_knock++] = (Stop){(u8)c, (u8)c2, w}; knocks += w; }
        }
      }
    }
  }
  /* build */
  const int height = s->stage + 1;
  int plain = 0, with[4] = {0}, options = 0, n_sites = 0;
  bag stock = 0;
  u8 sites[FIGURES];
  if (n_mine && s->owned[me] >= height) {
    for (int k = 0; k < 4; k++) stock += (s->blocks[me][k] > 6 ? 6 : s->blocks[me][k]) * ONE(k);  /* more can't be paid */
    plain = parts[height][packed(smaller(stock, hand))];
    options = plain;
    if (joker) for (int k = 0; k < 4; k++) if (stock >> 4 * k & 15) {
      with[k] = parts[height - 1][packed(smaller(stock - ONE(k), hand))];
      options += with[k];
    }
    if (options) for (int f = 0; f < n_mine; f++) if (after_building(s, s->at[me][f])) sites[n_sites++] = (u8)f;
  }
  const int builds = options * n_sites;
  /* exchange */
  const int given = (int)(((hand & 15) + 1) * ((hand >> 4 & 15) + 1) * ((hand >> 8 & 15) + 1) * ((hand >> 12) + 1)) - 1;
  const int exchanges = given * (joker ? 1 : 2);

  const int found = place_card + place_joker + moves + destroys + knocks + builds + exchanges;
  int k = (int)below((u32)found);
  if (k < place_card + place_joker) {
    const int by_card = k < place_card, c = by_card ? nth(places & of_colors[cards], k) : nth(places, k - place_card);
    pay_with(s, me, ONE(color[c]), by_card ? -1 : color[c]);
    s->at[me][s->figures[me]++] = (u8)c; s->figure[c] = (u8)(me + 1);
    put(s, c);
  } else if ((k -= place_card + place_joker) < moves) {
    for (int i = 0;; i++) {
      const int by_card = __builtin_popcount(lane[i].by_card), by_joker = joker ? __builtin_popcount(lane[i].to) : 0;
      if (k < by_card + by_joker) {
        const int from = s->at[me][i / 2], l = i & 1 ? 9 + from % 9 : from / 9;
        const int c = space(l, k < by_card ? nth64(lane[i].by_card, k) : nth64(lane[i].to, k - by_card));
        pay_with(s, me, ONE(color[c]), k < by_card ? -1 : color[c]);
        s->figure[from] = NOBODY; s->figure[c] = (u8)(me + 1); s->at[me][i / 2] = (u8)c;
        lift(s, from); put(s, c);
        break;
      }
      k -= by_card + by_joker;
    }
  } else if ((k -= moves) < destroys + knocks) {
    const int down = k < destroys;
    Stop *q = down ? destroy : knock;
    if (!down) k -= destroys;
    while (k >= q->ways) k -= (q++)->ways;
    const int from = q->from, to = q->to;
    if (down) {
      const bag tower = s->tower[to];
      const int high = many(tower);
      pay_with(s, me, tower, way(hand, tower, k));
      s->score[me] += high;
      for (int i = 0; i < 4; i++) s->blocks[me][i] += tower >> 4 * i & 15;
      s->owned[me] += high; s->standing[high]--;
      s->tower[to] = 0; s->towers &= ~one(to);
      if (wider(one(to)) & (s->open | (rim & one(to)))) s->open = linked(s->open | one(to), all & ~s->towers);
    } else {
      const int x = color[to], have = (int)(hand >> 4 * x & 15), without = have > 2 ? have - 2 : 0;
      const int n = 3 + (k < without ? k : k - without);
      pay_with(s, me, (bag)n * ONE(x), k < without ? -1 : x);
      s->score[me] += n;
      if (s->figure[to] != NEUTRAL) {
        const int p = s->figure[to] - 1;
        int f = 0;
        while (s->at[p][f] != to) f++;
        s->at[p][f] = s->at[p][--s->figures[p]];
      }
    }
    int f = 0;
    while (s->at[me][f] != from) f++;
    s->at[me][f] = (u8)to;
    s->figure[from] = NOBODY; s->figure[to] = (u8)(me + 1);
    lift(s, from);
  } else if ((k -= destroys + knocks) < builds) {
    const int f = sites[k / options], c = s->at[me][f];
    k %= options;
    int wild = -1, size = height;
    bag most = smaller(stock, hand);
    if (k >= plain) {
      k -= plain;
      for (wild = 0; k >= with[wild]; wild++) k -= with[wild];
      most = smaller(stock - ONE(wild), hand);
      size--;
    }
    bag used = 0, rest = most;                     /* the k-th bag of `size` within `most` */
    for (int i = 0; i < 4; i++) {
      const int there = (int)(most >> 4 * i & 15);
      rest &= ~(15u << 4 * i);
      for (int n = 0; n <= there && n <= size; n++) {
        const int w = parts[size - n][packed(rest)];
        if (k < w) { used += (bag)n * ONE(i); size -= n; break; }
        k -= w;
      }
    }
    if (wild >= 0) used += ONE(wild);
    pay_with(s, me, used, wild);
    s->open = after_building(s, c);
    for (int i = 0; i < 4; i++) s->blocks[me][i] -= used >> 4 * i & 15;
    s->owned[me] -= height; s->standing[height]++; s->score[me] += height;
    s->tower[c] = (u16)used; s->towers |= one(c); s->figure[c] = NOBODY;
    s->at[me][f] = s->at[me][--s->figures[me]];
  } else {
    k -= builds;
    if (k >= given) { k -= given; s->joker[me] = 1; }
    k++;                                           /* not the empty bag */
    bag cost = 0;
    for (int i = 0; i < 4; i++) {
      const int there = (int)(hand >> 4 * i & 15) + 1;
      cost += (bag)(k % there) * ONE(i);
      k /= there;
    }
    pay(s, me, cost);
  }
  draw(s, me, HAND - many(s->hand[me]));
  return found;
}

/* A whole game: its turns and the sum of its legal moves; 1 if it was stopped */
static int playout(Game *s, int players, int *turns, u64 *moves) {
  begin(s, players);
  *turns = 0; *moves = 0;
  for (;;) {
    *moves += (u64)turn(s);
    ++*turns;
    while (s->stage < 4 && s->standing[s->stage] <= 1) s->stage++;
    if (s->stage == 4 && s->standing[4] <= 1) s->last_round = 1;
    s->me = s->me + 1 == players ? 0 : s->me + 1;
    if (s->last_round && s->me == s->starter) return 0;
    if (*turns >= LIMIT) return 1;
  }
}

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec; }

int main(int n, char **word) {
  const double seconds = n > 1 ? atof(word[1]) : 3;
  const int players = n > 2 ? atoi(word[2]) : 2;
  chance = n > 3 ? strtoull(word[3], 0, 10) : 1;
  const u64 most = n > 4 ? strtoull(word[4], 0, 10) : 0;
  if (players < 2 || players > 4) { fprintf(stderr, "2 to 4 players\n"); return 2; }
  prepare();
  static Game s;
  u64 games = 0, first[4] = {0}, tied = 0, unfinished = 0;
  double t, t0 = now(), a = 0, b = 0, aa = 0, bb = 0, ab = 0;                 /* turns, moves, and their products */
  do {
    int turns;
    u64 moves;
    games++;
    if (playout(&s, players, &turns, &moves)) unfinished++;
    else {
      u64 best = 0;
      int seats = 0;
#define RANK(p) ((u64)s.score[p] << 32 | (u64)s.owned[p])
      for (int p = 0; p < players; p++) if (RANK(p) > best) best = RANK(p);
      for (int p = 0; p < players; p++) seats += RANK(p) == best;
      if (seats == players) tied++;
      else for (int p = 0; p < players; p++) first[p] += RANK(p) == best;
    }
    const double x = turns, y = (double)moves;
    a += x; b += y; aa += x * x; bb += y * y; ab += x * y;
    t = now() - t0;
  } while (most ? games < most : t < seconds);
  const double m = (double)games, ratio = b / a;
  printf("limit blox %.1f %.0f  players %d games %llu turns %.2f %.2f moves %.4f %.4f shares", m / t, a / t, players,
         (unsigned long long)games, a / m, sqrt((aa - a * a / m) / m / m), ratio,
         sqrt((bb - 2 * ratio * ab + ratio * ratio * aa) / m / m) * m / a);
  for (int p = 0; p < players; p++) printf(" %.4f", (double)first[p] / m);
  printf(" tied %.4f unfinished %.4f\n", (double)tied / m, (double)unfinished / m);
  return 0;
}
