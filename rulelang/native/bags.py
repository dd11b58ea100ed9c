"""Writers for bags: a count for each kind, in a small struct.

Counts are lanes of 16 bits in words of 64 (little-endian), and single counts are changed in one piece with the others, or
with their word where there are many kinds: what was written in part is slow to read as a whole right after.
"""

from __future__ import annotations

from rulelang.model.ir import E
from rulelang.model.types import BagOf, Maybe, SetOf, is_scalar, size_of
from rulelang.native.emitter import Emitter, element_of, writes
from rulelang.native.lengths import roomy
from rulelang.native.shapes import bag_size, index_text, set_shape
from rulelang.native.text import Fn

MOST_UNITS = 16             # kinds of which a bag of one each stands in a table
MOST_IN_PART = 255          # as many may be chosen at once where the ways are counted

_DECLARED = """typedef int16_t lanes{n} __attribute__((vector_size({bytes}), aligned(8)));
typedef union {{ lanes{n} v; int16_t c[{lanes}]; u64 w[{words}]; }} bag{n};
#define EACHKIND{n} for (int i = 0; i < {n}; i++)
INL int bag{n}_some(lanes{n} v) {{ bag{n} a; u64 x = 0; a.v = v; for (int i = 0; i < {words}; i++) x |= a.w[i]; return x != 0; }}
INL int bag{n}_equal(bag{n} a, bag{n} b) {{ return !bag{n}_some((lanes{n})(a.v != b.v)); }}
INL int bag{n}_holds(bag{n} a, bag{n} b) {{ return !bag{n}_some((lanes{n})(a.v < b.v)); }}
INL int bag{n}_count(bag{n} a) {{
  u64 x = 0;
  for (int i = 0; i < {words}; i++) x += a.w[i];
  return (int)(x * ONES16 >> 48);                   /* right up to 65,535: two bags with all that they have room for */
}}
INL int bag{n}_kind(bag{n} a, int k) {{
  int i = 0, s;
  while (i < {words} - 1 && k >= (s = (int16_t)(a.w[i] * ONES16 >> 48))) {{ k -= s; i++; }}
  const u64 upto = a.w[i] * ONES16, high = ONES16 << 15;                    /* lane by lane: how many up to it */
  return 4 * i + __builtin_popcountll((((u64)k * ONES16 | high) - upto) & high);
}}
INL int bag{n}_negative(bag{n} a) {{ return bag{n}_some((lanes{n})(a.v < 0)); }}
INL bag{n} bag{n}_plus(bag{n} a, bag{n} b) {{ a.v += b.v; return a; }}
INL bag{n} bag{n}_less(bag{n} a, bag{n} b) {{ a.v -= b.v; return a; }}
INL bag{n} bag{n}_minus(bag{n} a, bag{n} b) {{ a.v -= b.v; a.v &= (lanes{n})(a.v > 0); return a; }}
INL bag{n} bag{n}_both(bag{n} a, bag{n} b) {{ const lanes{n} m = (lanes{n})(a.v < b.v); a.v = (a.v & m) | (b.v & ~m); return a; }}
{units}INL bag{n} bag{n}_add(bag{n} a, int k, int m) {{ {add} return a; }}
INL bag{n} bag{n}_drop(bag{n} a, int k, int m) {{ {drop} return a; }}
INL bag{n} bag{n}_one(int k, int m) {{ bag{n} a = {{{{0}}}}; return k >= 0 ? bag{n}_add(a, k, m) : a; }}
INL u64 bag{n}_kinds(bag{n} a) {{                                            /* of the first 64 kinds, which there are */
  bag{n} there;
  u64 found = 0;
  there.v = (lanes{n})(a.v > 0);
  for (int i = 0; i < {words} && i < 16; i++) found |= ((there.w[i] & ONES16) * 0x0001000200040008ull >> 48) << 4 * i;
  return found;
}}
/* in how many ways low to high can be taken, and the k-th way in the order of the next two */
UNUSED static void bag{n}_ways(bag{n} held, int high, i64 ways[{n} + 1][{most} + 1]) {{
  for (int a = 0; a <= high; a++) ways[{n}][a] = a == 0;
  for (int i = {n} - 1; i >= 0; i--)
    for (int a = 0; a <= high; a++) {{
      i64 w = 0;
      for (int t = 0; t <= held.c[i] && t <= a; t++) w += ways[i + 1][a - t];
      ways[i][a] = w < 1ll << 40 ? w : 1ll << 40;   /* more than can be taken */
    }}
}}
UNUSED static int bag{n}_parts(bag{n} held, num low, num high) {{
  i64 ways[{n} + 1][{most} + 1], total = 0;
  const int all = bag{n}_count(held);
  if (high > all) high = all;
  if (high < 0) return 0;
  if (low <= 1 && high == all) {{
    total = 1;
    for (int i = 0; i < {n} && total < 1 << 28; i++) total *= held.c[i] + 1;
    total -= low == 1;
    return total < 1 << 28 ? (int)total : -1;
  }}
  bag{n}_ways(held, (int)high, ways);
  for (num a = low > 0 ? low : 0; a <= high; a++) total += ways[0][a];
  return total < 1 << 28 ? (int)total : -1;
}}
UNUSED static bag{n} bag{n}_part(bag{n} held, num low, num high, int k) {{
  i64 ways[{n} + 1][{most} + 1];
  bag{n} part = {{{{0}}}};
  const int all = bag{n}_count(held);
  if (high > all) high = all;
  bag{n}_ways(held, (int)high, ways);
  int a = low > 0 ? (int)low : 0;
  while (k >= ways[0][a]) k -= (int)ways[0][a++];
  EACHKIND{n} {{
    int t = held.c[i] < a ? held.c[i] : a;
    while (k >= ways[i + 1][a - t]) {{ k -= (int)ways[i + 1][a - t]; t--; }}
    part.c[i] = (int16_t)t;
    a -= t;
  }}
  return part;
}}
/* the parts of a bag with so many in all, early kinds first: the first of them, and the next */
UNUSED static int bag{n}_first(bag{n} held, int amount, bag{n} *part) {{
  part->v = (lanes{n}){{0}};
  EACHKIND{n} {{ int t = held.c[i] < amount ? held.c[i] : amount; part->c[i] = (int16_t)t; amount -= t; }}
  return amount == 0;
}}
UNUSED static int bag{n}_next(bag{n} held, bag{n} *part) {{
  int after = 0, room = 0;
  for (int i = {n} - 1; i >= 0; i--) {{
    if (part->c[i] > 0 && room > 0) {{
      part->c[i]--;
      after++;
      for (int j = i + 1; j < {n}; j++) {{ int t = held.c[j] < after ? held.c[j] : after; part->c[j] = (int16_t)t; after -= t; }}
      return 1;
    }}
    after += part->c[i];
    room += held.c[i] - part->c[i];
  }}
  return 0;
}}"""


def declared(n: int) -> str:
    """The C type of bags of n kinds, and what works on them."""
    lanes = 4
    while lanes < n:
        lanes *= 2
    if 4 < n <= MOST_UNITS:
        rows = ", ".join("{{" + ", ".join("1" if i == k else "0" for i in range(lanes)) + "}}" for k in range(n))
        units = f"static const bag{n} bag{n}_unit[{n}] UNUSED = {{{rows}}};\n"
        add, drop = (f"a.v {sign}= bag{n}_unit[k].v * (int16_t)m;" for sign in "+-")
    else:
        units, word = "", "k >> 2" if lanes > 4 else "0"
        add, drop = (f"a.w[{word}] {sign}= (u64)(u16)m << 16 * (k & 3);" for sign in "+-")
    return _DECLARED.format(n=n, most=MOST_IN_PART, lanes=lanes, words=lanes // 4, bytes=2 * lanes, units=units, add=add, drop=drop)


def single(e: E) -> E | None:
    """The one value of which a bag is made, if it is of one that is there."""
    if e.op in ("bag_of", "one_bag") and len(e.args) == 1 and is_scalar(e.args[0].type) and not isinstance(e.args[0].type, Maybe):
        return e.args[0]
    return None


@writes("plus", "minus", "bag_both")
def _joined(x: Emitter, fn: Fn, e: E) -> str:
    name = {"plus": "plus", "minus": "minus", "bag_both": "both"}[e.op]
    roomy(x, e)
    a = x.value(fn, e.args[0])
    return f"{x.bag_type(e.type)}_{name}({a}, {x.value(fn, e.args[1])})"


@writes("holds")
def _holds(x: Emitter, fn: Fn, e: E) -> str:
    a = x.value(fn, e.args[0])
    return f"{x.bag_type(e.args[0].type)}_holds({a}, {x.value(fn, e.args[1])})"


@writes("in_bag")
def _in_bag(x: Emitter, fn: Fn, e: E) -> str:
    bag = fn.atom(x.ctype_of(e.args[1]), x.value(fn, e.args[1]))
    value = fn.atom("num", x.value(fn, e.args[0]))
    of = element_of(e.args[1].type)
    at = fn.atom("num", index_text(of, value))
    return f"({value} != NONE && (u64)(i64){at} < {size_of(of)}u && {bag}.c[{at}] > 0)"


def _counted(x: Emitter, fn: Fn, e: E, values: list[E]) -> str:
    of = element_of(e.type)
    name = fn.name("b")
    fn.line(f"{x.bag_type(e.type)} {name} = {{{{0}}}};")
    for a in values:
        value = fn.atom("num", x.value(fn, a))
        test = f"if ({value} != NONE) " if not is_scalar(a.type) or "Maybe" in type(a.type).__name__ else ""
        fn.line(f"{test}{name} = {x.bag_type(e.type)}_add({name}, {index_text(of, value)}, 1);")
    return name


@writes("bag_of", "one_bag")
def _bag_of(x: Emitter, fn: Fn, e: E) -> str:
    roomy(x, e)
    return _counted(x, fn, e, list(e.args))


@writes("copies")
def _copies(x: Emitter, fn: Fn, e: E) -> str:
    roomy(x, e)
    amount = fn.atom("num", x.value(fn, e.args[0]))
    value = fn.atom("num", x.value(fn, e.args[1]))
    at = index_text(element_of(e.type), value)
    return f"{x.bag_type(e.type)}_one({value} == NONE ? -1 : {at}, {amount} > 0 ? {amount} : 0)"


@writes("as_bag")
def _as_bag(x: Emitter, fn: Fn, e: E) -> str:
    shape = set_shape(e.args[0].type)
    held = fn.atom(shape.ctype, x.value(fn, e.args[0]))
    name = fn.name("b")
    n = bag_size(e.type)
    fn.line(f"{x.bag_type(e.type)} {name} = {{{{0}}}};")
    fn.line(f"for (int i = 0; i < {n}; i++) {name}.c[i] = (int16_t){shape.test(held, 'i')};")
    return name


@writes("kinds")
def _kinds(x: Emitter, fn: Fn, e: E) -> str:
    shape = set_shape(e.type)
    assert isinstance(e.args[0].type, BagOf)
    bag = fn.atom(x.ctype_of(e.args[0]), x.value(fn, e.args[0]))
    if shape.words == 1:
        return f"{x.bag_type(e.args[0].type)}_kinds({bag})"
    name = fn.name("m")
    fn.line(f"{shape.ctype} {name} = {shape.zero};")
    fn.line(f"for (int i = 0; i < {bag_size(e.args[0].type)}; i++) "
            f"if ({bag}.c[i]) {name} = {shape.union(name, shape.bit('i'))};")
    return name


@writes("list_bag")
def _list_bag(x: Emitter, fn: Fn, e: E) -> str:
    from rulelang.native.sequences import each

    roomy(x, e)
    of = element_of(e.type)
    name = fn.name("b")
    fn.line(f"{x.bag_type(e.type)} {name} = {{{{0}}}};")
    with each(x, fn, e.args[0]) as value:
        fn.line(f"if ({value} != NONE) {name} = {x.bag_type(e.type)}_add({name}, {index_text(of, value)}, 1);")
    return name


__all__ = ["SetOf", "declared"]
