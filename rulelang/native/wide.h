/* sets of 129 to 256 values: four words in one vector, which a processor of today works on at once. The vector is aligned
   like its words, since states lie anywhere; without such a processor the compiler takes it apart. */
typedef u64 set4 __attribute__((vector_size(32), aligned(8)));
#if defined(__clang__)
#define WORDS_OF(a, i, j, k, l) __builtin_shufflevector(a, (set4){0}, i, j, k, l)
#else
#define WORDS_OF(a, i, j, k, l) __builtin_shuffle(a, (set4){0}, (set4){i, j, k, l})
#endif
#define EACH4 _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++)
INL set4 set4_and(set4 a, set4 b) { return a & b; }
INL set4 set4_or(set4 a, set4 b) { return a | b; }
INL set4 set4_without(set4 a, set4 b) { return a & ~b; }
INL set4 set4_not(set4 a) { return ~a; }
#ifdef __AVX2__
#include <immintrin.h>
INL int set4_some(set4 a) { return !_mm256_testz_si256((__m256i)a, (__m256i)a); }
#else
INL int set4_some(set4 a) { return (a[0] | a[1] | a[2] | a[3]) != 0; }
#endif
INL int set4_equal(set4 a, set4 b) { return !set4_some(a ^ b); }
INL int set4_count(set4 a) { return u64_count(a[0]) + u64_count(a[1]) + u64_count(a[2]) + u64_count(a[3]); }
INL int set4_test(set4 a, int i) { return (int)(a[i >> 6] >> (i & 63) & 1); }
INL set4 set4_all(u64 w) { return (set4){w, w, w, w}; }
INL set4 set4_bit(int k) {
  return (set4)((set4){0, 1, 2, 3} == set4_all((u64)(k >> 6))) & set4_all(1ull << (k & 63));
}
INL int set4_low(set4 a) { EACH4 if (a[i]) return 64 * i + u64_low(a[i]); return -1; }
INL int set4_high(set4 a) {
  _Pragma("GCC unroll 4") for (int i = 3; i >= 0; i--) if (a[i]) return 64 * i + u64_high(a[i]);
  return -1;
}
INL int set4_nth(set4 a, int k) {
  const int one = u64_count(a[0]), two = one + u64_count(a[1]), three = two + u64_count(a[2]);
  const int w = (k >= one) + (k >= two) + (k >= three);
  return 64 * w + u64_nth(a[w], k - (k >= three ? three : k >= two ? two : k >= one ? one : 0));
}
INL set4 set4_words_up(set4 a, int q) {
  switch (q) {
    case 0: return a;
    case 1: return WORDS_OF(a, 4, 0, 1, 2);
    case 2: return WORDS_OF(a, 4, 5, 0, 1);
    case 3: return WORDS_OF(a, 4, 5, 6, 0);
  }
  return (set4){0};
}
INL set4 set4_words_down(set4 a, int q) {
  switch (q) {
    case 0: return a;
    case 1: return WORDS_OF(a, 1, 2, 3, 4);
    case 2: return WORDS_OF(a, 2, 3, 4, 5);
    case 3: return WORDS_OF(a, 3, 4, 5, 6);
  }
  return (set4){0};
}
INL set4 set4_up(set4 a, int k) {
  const int q = k >> 6, b = k & 63;
  if (!b) return set4_words_up(a, q);
  return set4_words_up(a, q) << set4_all((u64)b) | set4_words_up(a, q + 1) >> set4_all((u64)(64 - b));
}
INL set4 set4_down(set4 a, int k) {
  const int q = k >> 6, b = k & 63;
  if (!b) return set4_words_down(a, q);
  return set4_words_down(a, q) >> set4_all((u64)b) | set4_words_down(a, q + 1) << set4_all((u64)(64 - b));
}
INL set4 set4_upto(set4 o) {
  u64 open = ~0ull;
  EACH4 { u64 x = o[i]; o[i] = open & (x ? x ^ (x - 1) : ~0ull); open = x ? 0 : open; }
  return o;
}
INL set4 set4_downto(set4 o) {
  u64 open = ~0ull;
  _Pragma("GCC unroll 4") for (int i = 3; i >= 0; i--) {
    u64 x = o[i]; o[i] = open & (x ? ~0ull << u64_high(x) : ~0ull); open = x ? 0 : open;
  }
  return o;
}
