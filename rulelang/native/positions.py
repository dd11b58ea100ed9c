"""Keys of positions: what repetition is told by.

The key of a position is a hash of the variables that `positions:` names, and of who acts if it says so. A layer is hashed as
its sets, where these are there and take less room than the array beside them: of each value the set but of the last,
which the others leave. Each key is computed once a move, for the ends that ask how often the position stood and for the
history alike.
"""

from __future__ import annotations

from rulelang.model.types import DeckOf, Record
from rulelang.native.emitter import Emitter
from rulelang.native.storage import Store


def position_functions(x: Emitter) -> list[str]:
    """The C functions that give the key of each position; when it is known which sets there are."""
    found = []
    for n, position in enumerate(x.game.positions):
        lines = [f"  u64 h = {0x51ED270B + n}ull{' ^ ((u64)me + 1) * GOLDEN' if position.with_me else ''};"]
        for var in position.variables:
            lines += _hashed(x.stores[var])
        found.append("\n".join([f"static u64 position_{n}(const State *s, num me UNUSED) {{", *lines, "  return mix(h);", "}\n"]))
    return found


def _hashed(store: Store) -> list[str]:
    held = f"s->{store.name}"
    if store.boards and not store.array:
        return [f"  h = hash_bytes(h, &{held}_on, sizeof {held}_on);"]
    if isinstance(store.kind, DeckOf):
        return [f"  for (int i = 0; i < {store.field.length}; i++) {{",
                f"    h = hash_bytes(h, &{held}[i].n, sizeof(int));",
                f"    h = hash_bytes(h, {held}[i].v, (int)sizeof(num) * {held}[i].n);", "  }"]
    sets = _sets(store)
    room = sum(n for _, n in sets) * 8 * store.shape.words
    if sets and room < store.field.length:
        return [f"  h = hash_bytes(h, {held}_{suffix}, {n} * (int)sizeof(*{held}_{suffix}));" for suffix, n in sets]
    return [f"  h = hash_bytes(h, {held}, sizeof {held});"]


def _sets(store: Store) -> list[tuple[str, int]]:
    """The sets that tell a layer's values apart: how many of which."""
    if not store.boards:
        return []
    if not isinstance(store.inner, Record):
        return [("is", store.values + store.maybe - 1)]
    if len(store.parts) < len(store.inner.fields):
        return []
    return [(suffix, size if store.maybe and not i else size - 1) for i, (suffix, _, size) in enumerate(store.parts)
            if size > 1 or (store.maybe and not i)]


__all__ = ["position_functions"]
