"""A game played by the native engine, with the face of the interpreter's `State`.

What decides a game (moves, play, chance) is done in C; what tells of it to people (texts of moves, views, texts of
outcomes) is done by the interpreter on the same position. Events are not recorded, and how often a position stood is
known to C alone (`times`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rulelang.engine.core import Core, Steps
from rulelang.engine.faults import ChanceError, PlayError
from rulelang.engine.moves import Listing, Move
from rulelang.engine.parse import parse_value
from rulelang.engine.results import Result
from rulelang.engine.rng import stream_key
from rulelang.engine.views import View
from rulelang.model.types import Switch
from rulelang.native.numbers import MASK, NO_VALUE, held_value, ranked, read_choice, typed, written

if TYPE_CHECKING:
    from rulelang.native.engine import NativeEngine

_WAITS = {1: "move", 2: "chance", 3: "over"}
REGISTERS = ("node", "me", "player", "pending", "leaving", "out", "phase", "actor", "ending", "moving", "chained",
             "turns", "rounds", "noted", "planned", "result", "result_seat", "reason")


class _Namer:
    """Gives moves their texts: those of the interpreter's moves in the same position."""

    def __init__(self, state: NativeState, seat: int) -> None:
        self.interpreter, self.core, self.seed, self.seat = state.engine.interpreter, state.core, state.seed, seat

    def texts(self, moves: Sequence[Move]) -> None:
        """Set the text of all these moves."""
        from rulelang.engine.state import State

        listed = {move.steps: move for move in State(self.interpreter, self.core.copy(), self.seed).moves(self.seat)}
        for move in moves:
            move.named(listed[move.steps].text)


class NativeState:
    """A game at one moment."""

    def __init__(self, engine: NativeEngine, game: Any, seed: int, what: int, plans: tuple[Steps | None, ...],
                 script: dict[str, tuple[Any, ...]] | None) -> None:
        self.engine = engine
        self.seed = seed
        self._game = game
        self._what = what
        self._plans = plans
        self._script = script
        self._core: Core | None = None
        self._registers: dict[str, int] | None = None
        self._listed: dict[int, list[Move]] = {}

    @classmethod
    def new(cls, engine: NativeEngine, seed: int, chance: Mapping[str, Sequence[Any]] | None, ask_chance: bool) -> NativeState:
        """A new game; scripted chance is resolved draw by draw."""
        game = engine.library.rl_new()
        ask = bool(chance) or ask_chance
        what = engine.library.rl_start(game, seed & MASK, int(ask))
        script = {name: tuple(values) for name, values in chance.items()} if chance else None
        state = cls(engine, game, seed, what, (None,) * engine.machine.seats, script)
        state._settled()
        return state

    def __del__(self) -> None:
        if self._game is not None:
            self.engine.library.rl_free(self._game)
            self._game = None

    @property
    def handle(self) -> Any:
        """The game in C, for calls of the library."""
        return self._game

    @property
    def waiting(self) -> int:
        """What it waits for, as C says it."""
        return self._what

    # What it is

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._what == 3

    @property
    def waits_for(self) -> str:
        """What the game waits for: move, chance, or over."""
        return _WAITS[self._what]

    @property
    def registers(self) -> dict[str, int]:
        """Who is to move and where in its course the game is, by name."""
        self._export()
        assert self._registers is not None
        return self._registers

    @property
    def player(self) -> int:
        """The seat whose turn it is."""
        return self.registers["player"]

    @property
    def phase(self) -> str:
        """The name of the phase."""
        number = self.registers["phase"]
        return self.engine.machine.game.phases[number].name if number >= 0 else ""

    @property
    def turns(self) -> int:
        """How often the turn has passed."""
        return self.registers["turns"]

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must choose now."""
        if self._what != 1:
            return ()
        now = self.registers
        if now["actor"] >= 0:
            return (now["actor"],)
        return tuple(seat for seat in range(self.engine.machine.seats)
                     if not (now["planned"] | now["out"]) >> seat & 1 and self._ask(self.engine.library.rl_any(self._game, seat)))

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it runs."""
        if self._what != 3:
            return None
        seats, ranks = self.engine.machine.seats, self.engine.program.ranks
        out = (ctypes.c_int64 * (3 + seats * max(1, ranks)))()
        known = self.engine.library.rl_result(self._game, out) >= 0
        kind, seat = out[0], out[1]
        scores: tuple[tuple[Any, ...], ...] = ((),) * seats
        if known:
            kinds = self._rank_switches()
            scores = tuple(tuple(ranked(out[3 + s * ranks + i], kinds[i]) for i in range(ranks)) for s in range(seats))
        return self._made(kind, seat, scores, self.engine.program.reasons[out[2]])

    def _rank_switches(self) -> list[bool]:
        game = self.engine.machine.game
        ranks = [game.result] if game.result is not None else list(game.ranks)
        return [isinstance(rank.value.type, Switch) for rank in ranks]

    def _made(self, kind: int, seat: int, scores: tuple[tuple[Any, ...], ...], reason: str) -> Result:
        results = self.engine.interpreter.results
        seats = self.engine.machine.seats
        if kind == 5:
            return Result(scores, (1,) * seats, (), False, True, reason)
        if kind == 4:
            return results._made(scores, (1,) * seats, reason)
        if kind in (2, 3):
            team = results._team(seat)
            if kind == 2:
                return results._made(scores, tuple(1 if s in team else 1 + len(team) for s in range(seats)), reason)
            others = seats - len(team)
            made = results._made(scores, tuple(1 + others if s in team else 1 for s in range(seats)), reason)
            return Result(made.scores, (1,), (), False, False, reason) if seats == 1 else made
        keys: Sequence[tuple[Any, ...]] = results.compared(scores)
        if not results.values:
            keys = [(0 if self.registers["out"] >> s & 1 else 1,) for s in range(seats)]
        return results._made(scores, tuple(1 + sum(other > key for other in keys) for key in keys), reason)

    # Moves

    def moves(self, seat: int | None = None) -> list[Move]:
        """The legal moves of a seat, in the interpreter's order; without a seat of all who must choose now."""
        if seat is None:
            return [move for one in self.to_act for move in self.moves(one)]
        if seat not in self._listed:
            if seat not in self.to_act:
                return []
            self._listed[seat] = self._list(seat)
        return self._listed[seat][:]

    def _list(self, seat: int) -> list[Move]:
        listing = Listing(_Namer(self, seat))
        listing.moves = [Move(seat, steps, None, listing) for steps in self.steps(seat)]
        return listing.moves

    def steps(self, seat: int) -> list[Steps]:
        """The legal moves of a seat as (action, choices)."""
        room = 1 << 14
        while True:
            out = (ctypes.c_int64 * room)()
            n = int(self._ask(self.engine.library.rl_moves(self._game, seat, out, room)))
            if n <= room:
                break
            room *= 8
        found: list[Steps] = []
        at, kinds, actions = 0, self.engine.program.choice_kinds, self.engine.machine.game.actions
        while at < n:
            count, at = out[at], at + 1
            steps = []
            for _ in range(count):
                action, at = out[at], at + 1
                clauses = [c for c in actions[action].clauses if c.kind in ("choose", "choose_some")]
                values = []
                for kind, clause in zip(kinds[action], clauses, strict=True):
                    value, at = read_choice(kind, out, at)
                    assert clause.type is not None
                    values.append(typed(value, clause.domain.type if clause.domain is not None else clause.type, kind))
                steps.append((action, tuple(values)))
            found.append(tuple(steps))
        return found

    def play(self, move: Move | str, seat: int | None = None) -> Move:
        """Make a legal move, given itself or as text."""
        if self._what != 1:
            raise PlayError("no move can be made now")
        if isinstance(move, str):
            from rulelang.engine.state import State

            waiting = self.to_act
            state = State(self.engine.interpreter, self.core, self.seed)
            move = self.engine.interpreter.notation.read(state, move, waiting[0] if seat is None else seat)
        elif move not in self.moves(move.seat):
            raise PlayError(f"that move cannot be made now: {move!r}")
        self.make(move)
        return move

    def make(self, move: Move) -> None:
        """Make a move that is known to be legal."""
        numbers: list[int] = []
        for action, values in move.steps:
            numbers.append(action)
            for kind, value in zip(self.engine.program.choice_kinds[action], values, strict=True):
                numbers += written(kind, value)
        together = self.registers["actor"] < 0
        data = (ctypes.c_int64 * len(numbers))(*(n - (1 << 64) if n > (1 << 63) - 1 else n for n in numbers))
        self._what = self.engine.library.rl_play(self._game, move.seat, data, len(move.steps))
        self._changed()
        if together:
            plans = list(self._plans)
            plans[move.seat] = move.steps
            planned = self.registers["planned"] if self._what > 0 else 0
            self._plans = tuple(p if planned >> s & 1 else None for s, p in enumerate(plans))
            self._changed()
        self._settled()

    def playout_step(self, seed: int, drawn: int) -> int:
        """One step of the random playout with a seed, of whose numbers so many were drawn; how many are drawn then."""
        count = ctypes.c_int64(drawn)
        self._what = self.engine.library.rl_playout_step(self._game, seed & MASK, ctypes.byref(count))
        self._changed()
        self._settled()
        return count.value

    # Chance

    def outcomes(self) -> list[tuple[Any, Fraction]]:
        """What chance may give where it is waited for, each with its probability."""
        if self._what != 2:
            return []
        flow = self.engine.interpreter.flow
        return flow.chances.outcomes(self.core, flow.draws[self.core.node])

    def outcome_text(self, value: Any) -> str:
        """One of `outcomes` as text."""
        from rulelang.engine.state import State

        return State(self.engine.interpreter, self.core, self.seed).outcome_text(value)

    def resolve(self, value: Any) -> None:
        """Let one of `outcomes` come."""
        if self._what != 2 or value not in [one for one, _ in self.outcomes()]:
            raise ChanceError(f"`{value}` cannot come here")
        self._what = self.engine.library.rl_resolve(self._game, NO_VALUE if value is None else int(value))
        self._changed()
        self._settled()

    def _settled(self) -> None:
        """Raise what went wrong; answer chance that is scripted."""
        while True:
            if self._what < 0:
                code, self._what = self._what, 1
                raise self.engine.fault(code, self._game)
            if self._what != 2 or self._script is None:
                return
            self._changed()
            rt, flow = self.core, self.engine.interpreter.flow
            draw = flow.draws[rt.node]
            rt.script = self._script
            value = flow.chances.pick(rt, draw)
            self._script = {name: tuple(values) for name, values in rt.script.items()}
            self._what = self.engine.library.rl_resolve(self._game, NO_VALUE if value is None else int(value))
            self._changed()

    # Looking at it

    @property
    def core(self) -> Core:
        """The position as the interpreter holds it."""
        self._export()
        assert self._core is not None
        return self._core

    def key(self) -> tuple[Any, ...]:
        """The position as one value, without how often which position stood."""
        from rulelang.engine.state import State

        return State(self.engine.interpreter, self.core, self.seed).key(history=False)

    def view(self, seat: int | None) -> View:
        """What a seat sees, or an onlooker (None)."""
        from rulelang.engine.state import State

        state = State(self.engine.interpreter, self.core, self.seed)
        return self.engine.interpreter.views.view(state, seat)

    def get_value(self, name: str, indices: Sequence[Any] = ()) -> Any:
        """An entry of the state."""
        for at in self.engine.machine.fields:
            if at.name == name:
                return self.core.v[at.place_of([parse_value(kind, x) if isinstance(x, str) else x
                                                for kind, x in zip(at.index_types, indices, strict=True)])]
        raise KeyError(name)

    def times(self, position: int) -> int:
        """How often the position now stood after earlier moves."""
        return int(self._ask(self.engine.library.rl_times(self._game, position)))

    def perft(self, depth: int) -> int:
        """How many ways there are to go on for so many steps."""
        return self._ask(self.engine.library.rl_perft(self._game, self._what, depth))

    def copy(self) -> NativeState:
        """An independent copy."""
        return NativeState(self.engine, self.engine.library.rl_copy(self._game), self.seed, self._what, self._plans, self._script)

    def _ask(self, code: int) -> int:
        if code < 0:
            raise self.engine.fault(code, self._game)
        return code

    def _changed(self) -> None:
        self._core = self._registers = None
        self._listed = {}

    def _export(self) -> None:
        if self._core is not None:
            return
        engine, program, machine = self.engine, self.engine.program, self.engine.machine
        out = (ctypes.c_int64 * program.exported)()
        engine.library.rl_export(self._game, out)
        rt = engine.interpreter.core(self.seed)
        at = 0
        for one in machine.fields:
            for i in range(one.length):
                rt.v[one.offset + i], at = held_value(one.type, out, at)
        for slot in program.exported_slots:
            rt.s[slot], at = (None if out[at] == NO_VALUE else out[at]), at + 1
        names = {}
        for name in REGISTERS:
            names[name], at = out[at], at + 1
        rt.counts = [out[at + i] for i in range(len(machine.streams))]
        rt.keys = tuple(stream_key(self.seed, name) for name in machine.streams)
        for name in ("node", "me", "player", "pending", "leaving", "out", "phase", "actor", "turns", "rounds"):
            setattr(rt, name, names[name])
        for name in ("ending", "moving", "chained"):
            setattr(rt, name, bool(names[name]))
        rt.plans = self._plans
        rt.ask = True
        waiting = machine.nodes[rt.node]
        rt.live = waiting.live if self._what == 2 else ()
        if self._what == 2 and waiting.kind == "start":             # what comes later has not begun
            begun = machine.fields[waiting.var].offset + rt.s[waiting.slot]
            rt.v[begun:] = [None] * (len(rt.v) - begun)
        self._registers, self._core = names, rt
        rt.result = self.result
