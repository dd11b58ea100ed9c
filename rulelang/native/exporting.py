"""How a state and a move's choices are written as rows of 64-bit numbers, in C (`numbers` is Python's side)."""

from __future__ import annotations

from typing import Any

from rulelang.machine.nodes import Machine
from rulelang.model.types import BagOf, DeckOf, SetOf
from rulelang.native.emitter import Emitter
from rulelang.native.plans import Plan
from rulelang.native.shapes import Declined, bag_size, scalar, set_shape


class Exporting:
    """The part of a program that speaks to Python."""

    x: Emitter
    machine: Machine
    plans: list[Plan]
    exported_slots: tuple[int, ...]

    # Values as numbers

    def _exporter(self) -> list[str]:
        x = self.x
        lines = []
        for store in x.stores:
            lines += _export(x, store)
        for slot in self.exported_slots:
            name = x.persistent[slot]
            lines.append(f"  out[n++] = s->{name} == NONE ? INT64_MIN : s->{name};")
        registers = ("node", "me", "player", "pending", "leaving", "out", "phase", "actor", "ending", "moving", "chained",
                     "turns", "rounds", "noted", "planned", "result", "result_seat", "reason")
        lines += [f"  out[n++] = s->{name};" for name in registers]
        lines += [f"  out[n++] = s->counts[{i}];" for i in range(len(self.machine.streams))]
        return ["static int export_state(const State *s, i64 *out) {", "  int n = 0;", *lines, "  return n;", "}"]

    def _exported(self) -> int:
        total = 64 + len(self.exported_slots) + len(self.machine.streams)
        for store in self.x.stores:
            each = 1
            if isinstance(store.kind, SetOf):
                each = store.shape.size if store.single else store.shape.words
            elif isinstance(store.kind, BagOf):
                each = bag_size(store.kind)
            elif isinstance(store.kind, DeckOf):
                each = store.kind.most + 1
            total += each * store.field.length
        return total

    def _kinds(self) -> tuple[tuple[Any, ...], ...]:
        found = []
        for made in self.plans:
            kinds: list[Any] = []
            for clause, ctype in zip(made.choices, made.ctypes, strict=True):
                assert clause.domain is not None
                kind = clause.domain.type
                if ctype != "num" and clause.kind == "choose":
                    kind = kind.of  # type: ignore[attr-defined]
                kinds.append("num" if ctype == "num" else kind)
            found.append(tuple(kinds))
        return tuple(found)

    def _choices(self) -> list[str]:
        """How a move's choices are written to and read from 64-bit numbers."""
        writes, reads, most = [], [], 1
        for made, kinds in zip(self.plans, self._kinds(), strict=True):
            out, back, total = [], [], 0
            for name, kind in zip(made.fields, kinds, strict=True):
                held = f"m->of.{made.name}.{name}"
                n = _numbers(kind)
                total += n
                if kind == "num":
                    out.append(f"out[n++] = {held} == NONE ? INT64_MIN : {held};")
                    back.append(f"{held} = in[n] == INT64_MIN ? NONE : (num)in[n]; n++;")
                elif isinstance(kind, BagOf):
                    out.append(f"for (int i = 0; i < {n}; i++) out[n++] = {held}.c[i];")
                    back.append(f"for (int i = 0; i < {n}; i++) {held}.c[i] = (int16_t)in[n++];")
                else:
                    out.append(f"memcpy(out + n, &{held}, {8 * n}); n += {n};")
                    back.append(f"memcpy(&{held}, in + n, {8 * n}); n += {n};")
            most = max(most, total)
            writes.append(f"    case {made.number}: {' '.join(out)} break;")
            reads.append(f"    case {made.number}: {' '.join(back)} break;")
        return [f"#define CHOICE_NUMBERS {most}", "static int write_choice(const Move *m, i64 *out UNUSED) {", "  int n = 0;",
                "  switch (m->action) {", *writes, "  }", "  return n;", "}",
                "static int read_choice(Move *m, const i64 *in UNUSED) {", "  int n = 0;", "  switch (m->action) {", *reads,
                "  }", "  return n;", "}"]


def _numbers(kind: Any) -> int:
    """How many 64-bit numbers a choice is written as."""
    if kind == "num":
        return 1
    return bag_size(kind) if isinstance(kind, BagOf) else set_shape(kind).words


def _export(x: Emitter, store: Any) -> list[str]:
    kind, held, length = store.kind, f"s->{store.name}", store.field.length
    loop = f"  for (int i = 0; i < {length}; i++)"
    if store.single:
        return [f"{loop} for (int k = 0; k < {store.shape.size}; k++) out[n++] = {store.shape.test(f'{held}[i]', 'k')};"]
    if isinstance(kind, SetOf):
        words = store.shape.words
        return [f"{loop} {{ memcpy(out + n, &{held}[i], {8 * words}); n += {words}; }}"]
    if isinstance(kind, BagOf):
        return [f"{loop} for (int j = 0; j < {bag_size(kind)}; j++) out[n++] = {held}[i].c[j];"]
    if isinstance(kind, DeckOf):
        return [f"{loop} {{ out[n++] = {held}[i].n; for (int j = 0; j < {kind.most}; j++) out[n++] = {held}[i].v[j]; }}"]
    if not scalar(kind):
        raise Declined("a variable that cannot be exported")
    if store.boards and not store.array:
        return [f"{loop} out[n++] = {store.shape.test(held + '_on', 'i')};"]
    if store.maybe:
        return [f"{loop} out[n++] = {held}[i] == {store.none} ? INT64_MIN : {held}[i];"]
    return [f"{loop} out[n++] = {held}[i];"]
