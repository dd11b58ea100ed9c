/* What every generated game stands on: sets as words, the generator of chance, faults. */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t i64;
typedef unsigned __int128 u128;

#define NONE ((num)1 << (8 * sizeof(num) - 2))
#define W2(lo, hi) ((u128)(hi) << 64 | (lo))
#define INL static inline __attribute__((always_inline, unused))
#define UNUSED __attribute__((unused))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define GOLDEN 0x9E3779B97F4A7C15ull

/* sets of up to 64 and of up to 128 values */
INL int u64_count(u64 a) { return __builtin_popcountll(a); }
INL int u64_low(u64 a) { return __builtin_ctzll(a); }
INL int u64_high(u64 a) { return 63 - __builtin_clzll(a); }
#ifdef __BMI2__
#include <immintrin.h>
INL int u64_nth(u64 a, int k) { return __builtin_ctzll(_pdep_u64(1ull << k, a)); }
#else
INL int u64_nth(u64 a, int k) { while (k--) a &= a - 1; return __builtin_ctzll(a); }
#endif
INL int u128_count(u128 a) { return u64_count((u64)a) + u64_count((u64)(a >> 64)); }
INL int u128_low(u128 a) { u64 x = (u64)a; return x ? u64_low(x) : 64 + u64_low((u64)(a >> 64)); }
INL int u128_high(u128 a) { u64 x = (u64)(a >> 64); return x ? 64 + u64_high(x) : u64_high((u64)a); }
INL int u128_test(u128 a, int i) { return (int)((i < 64 ? (u64)a : (u64)(a >> 64)) >> (i & 63) & 1); }
INL int u128_nth(u128 a, int k) {
  int n = u64_count((u64)a);
  return k < n ? u64_nth((u64)a, k) : 64 + u64_nth((u64)(a >> 64), k - n);
}
#define ONES16 0x0001000100010001ull                                /* one in each lane of 16 bits */
INL u64 u64_moved(u64 a, int k) { return k >= 0 ? a << k : a >> -k; }
/* first to last where `turn`: a jump that is guessed well, where a processor left to itself would always do both */
INL u64 u64_turned(u64 a, int turn) {
  if (!turn) return a;
  a = __builtin_bswap64(a);
  a = (a >> 4 & 0x0F0F0F0F0F0F0F0Full) | (a & 0x0F0F0F0F0F0F0F0Full) << 4;
  a = (a >> 2 & 0x3333333333333333ull) | (a & 0x3333333333333333ull) << 2;
  a = (a >> 1 & 0x5555555555555555ull) | (a & 0x5555555555555555ull) << 1;
  __asm__("" : "+r"(a));
  return a;
}
INL u64 u64_upto(u64 o) { return o ^ (o - 1); }                   /* all up to the lowest bit; all if there is none */
INL u64 u64_downto(u64 o) { return ~0ull << u64_high(o | 1); }    /* all from the highest bit on; all if there is none */
INL u128 u128_upto(u128 o) { return o ^ (o - 1); }
INL u128 u128_downto(u128 o) { return ~(u128)0 << u128_high(o | 1); }

/* the generator of chance: see rulelang/engine/rng.py */
INL u64 mix(u64 z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
UNUSED static u64 name_hash(const char *name) {
  u64 h = 0xCBF29CE484222325ull;
  for (; *name; name++) h = (h ^ (u8)*name) * 0x100000001B3ull;
  return h;
}
INL u64 stream_key(u64 seed, u64 hash) { return mix(mix(seed + GOLDEN) ^ hash); }
INL u64 stream_below(u64 key, u64 n, u64 k) { return (u64)((u128)mix(key + (n + 1) * GOLDEN) * k >> 64); }

/* the history of a position: its keys in order, and a filter of which may have been seen */
typedef struct { u64 *keys; int count, room; u64 seen[64]; } History;

INL void history_note(History *h, int at, u64 key) {
  if (at >= h->room) {
    h->room = h->room ? 2 * h->room : 256;
    h->keys = (u64 *)realloc(h->keys, sizeof(u64) * (size_t)h->room);
    if (!h->keys) abort();
  }
  h->keys[at] = key;
  h->count = at + 1;
  h->seen[key >> 6 & 63] |= 1ull << (key & 63);
}
INL int history_times(const History *h, u64 key, int count) {
  if (!(h->seen[key >> 6 & 63] >> (key & 63) & 1)) return 0;
  int n = 0;
  for (int i = 0; i < count; i++) n += h->keys[i] == key;
  return n;
}
INL u64 hash_bytes(u64 h, const void *data, int length) {
  const u8 *p = (const u8 *)data;
  u64 x, y, other = h ^ 0xD6E8FEB86659FD93ull;
  for (; length >= 16; length -= 16, p += 16) {
    memcpy(&x, p, 8);
    memcpy(&y, p + 8, 8);
    h = (h ^ x) * 0x9FB21C651E98DF25ull;
    other = (other ^ y) * 0xC2B2AE3D27D4EB4Full;
    h ^= h >> 29;
    other ^= other >> 31;
  }
  h ^= other * 0x9E3779B97F4A7C15ull;
  for (; length > 0; length -= 8, p += 8) {
    x = 0;
    memcpy(&x, p, length < 8 ? (size_t)length : 8);
    h = (h ^ x) * 0x9FB21C651E98DF25ull;
    h ^= h >> 29;
  }
  return h;
}

/* the same of a fixed length, with no product that waits for another */
INL u64 hash_alike(u64 h, const u8 *p, int length) {
  u64 k = GOLDEN, x, y, found = h * GOLDEN;
  for (; length >= 16; length -= 16, p += 16, k += 0xD1342543DE82EF96ull) {
    memcpy(&x, p, 8);
    memcpy(&y, p + 8, 8);
    const u128 product = (u128)(x ^ k) * (y ^ (k >> 7 | 1ull << 63));
    found += (u64)product ^ (u64)(product >> 64);
  }
  x = y = 0;
  memcpy(&x, p, (size_t)(length < 8 ? length : 8));
  if (length > 8) memcpy(&y, p + 8, (size_t)(length - 8));
  const u128 product = (u128)(x ^ k ^ h) * (y ^ 0x8EBC6AF09C88C6E3ull);
  return mix(found + ((u64)product ^ (u64)(product >> 64)));
}

/* a list with room for so many */
UNUSED static void *roomy(void *list, int *room, int wanted, size_t size) {
  if (wanted <= *room) return list;
  while (*room < wanted) *room = *room ? 2 * *room : 1024;
  list = realloc(list, size * (size_t)*room);
  if (!list) abort();
  return list;
}

/* k of n places, in order */
UNUSED static int combination_first(int *at, int k, int n) {
  if (k > n) return 0;
  for (int i = 0; i < k; i++) at[i] = i;
  return 1;
}
UNUSED static int combination_next(int *at, int k, int n) {
  int i = k - 1;
  while (i >= 0 && at[i] == n - k + i) i--;
  if (i < 0) return 0;
  at[i]++;
  for (int j = i + 1; j < k; j++) at[j] = at[j - 1] + 1;
  return 1;
}

/* in how many ways low to high of n can be taken; -1 if in too many. And of the k-th way, which are taken */
INL i64 choose_of(int n, int k) {
  i64 c = 1;
  if (k > n) return 0;
  for (int i = 1; i <= k; i++) { c = c * (n - k + i) / i; if (c > 1 << 28) return 1 << 28; }
  return c;
}
UNUSED static int combinations(int n, i64 low, i64 high) {
  i64 total = 0;
  for (i64 k = low > 0 ? low : 0; k <= high && k <= n; k++) total += choose_of(n, (int)k);
  return total < 1 << 28 ? (int)total : -1;
}
UNUSED static int combination_kth(int *at, int n, i64 low, i64 k) {
  int size = low > 0 ? (int)low : 0, next = 0;
  while (k >= choose_of(n, size)) k -= choose_of(n, size++);
  for (int i = 0; i < size; i++) {
    while (k >= choose_of(n - next - 1, size - i - 1)) k -= choose_of(n - next++ - 1, size - i - 1);
    at[i] = next++;
  }
  return size;
}

/* numbers: whole division as in the rules, rounded down */
#define floor_div(a, b) ((a) / (b) - (((a) % (b) != 0) && (((a) < 0) != ((b) < 0))))
#define floor_mod(a, b) ((a) % (b) + ((((a) % (b) != 0) && (((a) < 0) != ((b) < 0))) ? (b) : 0))
