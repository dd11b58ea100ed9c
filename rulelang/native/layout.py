"""The state as a C struct: what its members are, in which order, and the other types that a game's calls share."""

from __future__ import annotations

from typing import Any

from rulelang.engine.effects import writes
from rulelang.engine.legal import MOST_CHAINS, MOST_STEPS
from rulelang.model.game import Block
from rulelang.model.ir import E
from rulelang.model.types import BagOf, DeckOf, Line, ListOf, Number, SetOf
from rulelang.native.emitter import Emitter, element_of, expressions
from rulelang.native.lengths import cap, size_of_domain
from rulelang.native.shapes import Declined
from rulelang.native.storage import Store
from rulelang.native.text import ident


class Layout:
    """The members of a game's state. `exported_slots`: the locals in it that are single values."""

    def __init__(self, x: Emitter, slots: list[int]) -> None:
        self.x = x
        self.machine, self.game = x.machine, x.game
        self.together = any(phase.who == "together" for phase in self.game.phases)
        self._persist(slots)

    def number(self) -> str:
        """32 bits, unless the rules come to larger numbers, be it on the way; half of what there is stays for none."""
        most = 0
        for kind in (*(f.type for f in self.machine.fields), *(e.type for e in expressions(self.machine))):
            inner = getattr(kind, "of", kind)
            if isinstance(inner, Number):
                most = max(most, abs(inner.high), abs(inner.low))
        if most >= 1 << 61:
            raise Declined("its numbers are too large")
        return "int" if most < 1 << 29 else "__INT64_TYPE__"

    def _persist(self, slots: list[int]) -> None:
        """The locals that live in the state, declared."""
        x = self.x
        self._lengths()
        self.slot_ctypes: list[str] = []
        exported = []
        domains = {node.slot: node for node in self.machine.nodes if node.kind == "each"}
        for slot in slots:
            name = ident(f"x{slot}", self.machine.slot_names[slot] if slot < len(self.machine.slot_names) else "")
            if slot in domains:
                domain = domains[slot].domain
                assert domain is not None
                if isinstance(domain.type, SetOf):
                    ctype = x.ctype(domain.type)
                else:
                    ctype = x.list_type(x.element_ctype(element_of(domain.type)), size_of_domain(x, domain))
            elif slot in x.caps:
                ctype = x.list_type(x.element_ctype(element_of(x.slot_types[slot])), x.caps[slot])
            elif slot in x.slot_types:
                ctype = x.ctype(x.slot_types[slot])
            else:
                ctype = "num"
            x.persistent[slot] = name
            self.slot_ctypes.append(f"{ctype} {name};")
            if ctype == "num":
                exported.append(slot)
        self.exported_slots = tuple(exported)

    def _lengths(self) -> None:
        """Note how long the lists can be that a `let` names."""
        found: dict[int, E] = {}

        def look(block: Block) -> None:
            for s in block:
                if s.op == "let":
                    found[s.data] = s.args[0]
                look(s.body)
                look(s.orelse)

        for node in self.machine.nodes:
            look(node.body)
        for action in self.game.actions:
            for clause in action.clauses:
                if clause.kind == "let" and clause.value is not None:
                    found[clause.slot] = clause.value
                look(clause.effects)
        for slot in sorted(found):                        # a list may be made of one that was named before
            if isinstance(found[slot].type, (Line, ListOf, DeckOf)):
                self.x.caps[slot] = cap(self.x, found[slot])

    def structs(self, unions: list[str], groups: list[str]) -> list[str]:
        """Moves and groups of moves, with what each action has in them; the state; the game."""
        x, seats = self.x, self.machine.seats
        members = [member for store in x.stores for member in self.members(store)]
        members += self.slot_ctypes
        members.append(f"u32 counts[{max(1, len(self.machine.streams))}];")
        members += ["int turns, rounds, noted;", "u32 out, leaving, planned;", "int exit_to;", "int16_t node, reason;",
                    "int8_t me, player, pending, phase, actor, result_seat;", "u8 ending, moving, chained, result, spilled;"]
        if self.together:
            members.append(f"Move plan[{seats}];")
        first = self._still_first(members)
        best = max([1, *(len(phase.best) for phase in self.game.phases)])
        return [
            f"#define SEATS {seats}", f"#define SEATS_LEAVE {int(leaves(self.game))}", f"#define STREAMS {len(self.machine.streams)}",
            f"#define POSITIONS {len(self.game.positions)}", f"#define BEST_MOST {best}", f"#define MOST_CHAINS {MOST_CHAINS}",
            f"#define MOST_STEPS {MOST_STEPS}", "typedef struct {", "  int action;", "  union {",
            *("    " + one for one in unions), "    char nothing;", "  } of;", "} Move;", "typedef struct {", "  union {",
            *("    " + one for one in groups), "    char nothing;", "  } last;",
            "  Move move;", "  int count, low, high;", "  u64 ways;", "} Group;",
            "typedef struct { int from, steps; } Chain;", "typedef struct { Move move; int to, next; } Step;",
            "typedef struct { u64 key; int first, count; num value[BEST_MOST]; } Spot;", f"#define HOT __builtin_offsetof(State, {first})", "#define KNOWN 1024",
            "typedef struct { int count, level; } Way;",
            "typedef struct { u64 key; int count; num value[BEST_MOST]; } Known;", "typedef struct {",
            *("  " + m for m in members), "} State;", "typedef struct Game {", "  State state;", "  u64 keys[STREAMS + 1];",
            "  History history[POSITIONS + 1];", "  jmp_buf jump;", "  int fault; num value;", "  int ask, probe, bulk, nodes;", "  i64 work, plies;", "  u64 choice_key, drawn;",
            "  Group *groups; int group_count, group_room;", "  Chain *chains; int chain_count, chain_room;",
            "  Move *chained; int chained_moves, chained_room;", "  Move *path; int path_room;", "  Spot *spots; int spot_count, spot_room;",
            "  Step *steps; int step_count, step_room;", "  int *places; int place_count, place_room;", "  Way *ways; int way_room;",
            "  int forced; u64 search, not_last; Known known[KNOWN];", "} Game;", ""]

    def members(self, store: Store) -> list[str]:
        """What holds a variable."""
        x = self.x
        if isinstance(store.kind, (SetOf, BagOf, DeckOf)):
            some = [f"{x.set_type(store.shape)} {store.name}_some;"] if store.filled else []
            return [f"{x.ctype(store.kind)} {store.name}[{store.field.length}];", *some]
        if store.boards:
            x.set_type(store.shape)
        return store.declare()

    def _still_first(self, members: list[str]) -> str:
        """Sort the members of the state: first what no step of a chain changes, so that positions within a turn are told
        apart by the rest. The name of the first member of the rest."""
        x, blocks = self.x, list[Block]()
        for phase in self.game.phases:
            if phase.chain:
                blocks += [c.effects for a in phase.actions for c in self.game.actions[a].clauses if c.kind == "do"]
                blocks += [phase.after or (), phase.stuck or ()]
        if not blocks:
            members.sort(key=_size_order)
            return declared(members[0])
        changed = {var for block in blocks for var in writes(x.depends, block)}
        still = {"counts", "turns", "plan"}
        if not any(map(x.depends.chancy, blocks)):
            still |= set(x.persistent.values())
        for n, store in enumerate(x.stores):
            names = [declared(member) for member in self.members(store)]
            still |= set(names) if n not in changed else {name for name in names if store.array and name != store.name}
        rest = [member for member in members if declared(member) not in still]
        members.sort(key=lambda member: (member in rest, _size_order(member)))
        return declared(next(member for member in members if member in rest))


def declared(member: str) -> str:
    """The name of the first thing that a member of a struct declares."""
    return member.split(" ", 1)[1].split("[")[0].split(",")[0].split(";")[0]


def leaves(game: Any) -> bool:
    """Whether a seat may ever go out."""
    from rulelang.model.material import blocks

    def somewhere(block: Any) -> bool:
        return any(s.op == "out" or somewhere(s.body) or somewhere(s.orelse) for s in block)

    return any(somewhere(block) for block in blocks(game))


def _size_order(member: str) -> int:
    for i, name in enumerate(("u128", "set", "u64", "i64", "list", "Move", "num", "int ", "u32", "bag", "int16", "u16")):
        if member.startswith(name):
            return i
    return 20
