"""The part of the C text that is the same for every game: `runtime.h`, and sets of more than two words."""

from __future__ import annotations

from importlib import resources

from rulelang.native.shapes import VECTOR

_WIDE = """
typedef struct {{ u64 w[{n}]; }} set{n};
#define EACH{n} _Pragma("GCC unroll {n}") for (int i = 0; i < {n}; i++)
INL set{n} set{n}_and(set{n} a, set{n} b) {{ EACH{n} a.w[i] &= b.w[i]; return a; }}
INL set{n} set{n}_or(set{n} a, set{n} b) {{ EACH{n} a.w[i] |= b.w[i]; return a; }}
INL set{n} set{n}_without(set{n} a, set{n} b) {{ EACH{n} a.w[i] &= ~b.w[i]; return a; }}
INL set{n} set{n}_not(set{n} a) {{ EACH{n} a.w[i] = ~a.w[i]; return a; }}
INL int set{n}_some(set{n} a) {{ u64 x = 0; EACH{n} x |= a.w[i]; return x != 0; }}
INL int set{n}_equal(set{n} a, set{n} b) {{ u64 x = 0; EACH{n} x |= a.w[i] ^ b.w[i]; return x == 0; }}
INL int set{n}_count(set{n} a) {{ int c = 0; EACH{n} c += u64_count(a.w[i]); return c; }}
INL int set{n}_test(set{n} a, int i) {{ return (int)(a.w[i >> 6] >> (i & 63) & 1); }}
INL set{n} set{n}_bit(int k) {{ set{n} a; EACH{n} a.w[i] = (k >> 6) == i ? 1ull << (k & 63) : 0; return a; }}
INL int set{n}_low(set{n} a) {{ for (int i = 0; i < {n}; i++) if (a.w[i]) return 64 * i + u64_low(a.w[i]); return -1; }}
INL int set{n}_high(set{n} a) {{ for (int i = {n} - 1; i >= 0; i--) if (a.w[i]) return 64 * i + u64_high(a.w[i]); return -1; }}
INL int set{n}_nth(set{n} a, int k) {{
  int before[{n} + 1], w = 0;
  before[0] = 0;
  EACH{n} before[i + 1] = before[i] + u64_count(a.w[i]);
  EACH{n} w += i + 1 < {n} && k >= before[i + 1];
  return 64 * w + u64_nth(a.w[w], k - before[w]);
}}
INL set{n} set{n}_up(set{n} a, int k) {{
  set{n} r; const int q = k >> 6, b = k & 63;
  EACH{n} r.w[i] = i < q ? 0 : a.w[i - q < 0 ? 0 : i - q] << b | (b && i - q - 1 >= 0 ? a.w[i - q - 1] >> (64 - b) : 0);
  return r;
}}
INL set{n} set{n}_down(set{n} a, int k) {{
  set{n} r; const int q = k >> 6, b = k & 63;
  EACH{n} r.w[i] = i + q >= {n} ? 0 : a.w[i + q >= {n} ? 0 : i + q] >> b | (b && i + q + 1 < {n} ? a.w[i + q + 1] << (64 - b) : 0);
  return r;
}}
INL set{n} set{n}_upto(set{n} o) {{
  u64 open = ~0ull;
  EACH{n} {{ u64 x = o.w[i]; o.w[i] = open & (x ? x ^ (x - 1) : ~0ull); open = x ? 0 : open; }}
  return o;
}}
INL set{n} set{n}_downto(set{n} o) {{
  u64 open = ~0ull;
  _Pragma("GCC unroll {n}") for (int i = {n} - 1; i >= 0; i--) {{
    u64 x = o.w[i]; o.w[i] = open & (x ? ~0ull << u64_high(x) : ~0ull); open = x ? 0 : open;
  }}
  return o;
}}
"""


def runtime() -> str:
    """The header that every game begins with."""
    return resources.files("rulelang.native").joinpath("runtime.h").read_text(encoding="utf-8")


def wide_sets(words: int) -> str:
    """Sets of so many 64-bit words."""
    return header("wide.h") if words == VECTOR else _WIDE.format(n=words)


def header(name: str) -> str:
    """Another part of the C text that is the same for every game."""
    return resources.files("rulelang.native").joinpath(name).read_text(encoding="utf-8")
