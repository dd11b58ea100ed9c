"""The native engine of one machine: what the compiled library can do, in terms of Python.

A library is loaded by ctypes, which lets go of the interpreter's lock while C runs: threads play side by side, each
with a game of its own.
"""

from __future__ import annotations

import ctypes
import pickle
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulelang.engine.faults import PlayFault
from rulelang.engine.legal import MOST_STEPS
from rulelang.machine.nodes import Machine
from rulelang.native import compiling
from rulelang.native.faults import play_fault
from rulelang.native.passes import ALL, Passes
from rulelang.native.program import Program, generate
from rulelang.native.shapes import Declined
from rulelang.source.whole import write_whole

if TYPE_CHECKING:
    from rulelang.engine.interpreter import Interpreter
    from rulelang.native.state import NativeState

NO_VALUE = -(1 << 63)
MOST_STACK = 2 << 20                    # bytes that copies of a state may take of a thread's stack
COPIES = 16                             # of a state at one time, but for chains
CHAIN_COPIES = 3                        # for each step of a chain
MOST_SECONDS = 0.1                      # about how long C plays on before Python may hear of Ctrl-C
_I64 = ctypes.c_int64
_BUFFER = ctypes.POINTER(_I64)


@dataclass
class Playouts:
    """What random playouts came to. `wins`: by seat, shared wins of some but not all seats counted for each; `squares`:
    the sum of the squares of the games' plies, which tells how far games differ in length."""

    games: int = 0
    plies: int = 0
    squares: int = 0
    unfinished: int = 0
    ties: int = 0
    wins: list[int] = field(default_factory=list)
    seconds: float = 0.0


class NativeEngine:
    """Plays one machine by compiled code. Raises `Declined` where it cannot, `NoCompiler` where it can't be made."""

    def __init__(self, machine: Machine, passes: Passes = ALL, extra: tuple[str, ...] = (), fingerprint: str | None = None,
                 folder: Path | None = None) -> None:
        begin = time.perf_counter()
        self.machine = machine
        self.program, path = _program(machine, passes, extra, fingerprint, folder)
        self.path = path
        self.library = ctypes.CDLL(str(path))
        _declare(self.library)
        self._fits()
        self.library.rl_prepare()
        self.compile_seconds = time.perf_counter() - begin
        self._interpreter: Interpreter | None = None

    def _fits(self) -> None:
        """Decline a state of which there is no room on the stack for as many copies as a move may need."""
        chains = any(phase.chain for phase in self.machine.game.phases)
        copies = COPIES + (CHAIN_COPIES * MOST_STEPS if chains else 0)
        if self.state_bytes * copies > MOST_STACK:
            steps = f", and a move of {MOST_STEPS} steps needs {copies} copies of it" if chains else ""
            raise Declined(f"its state is too large: {self.state_bytes:,} bytes{steps}")

    @property
    def interpreter(self) -> Interpreter:
        """The interpreter of the same machine, for what is told to people."""
        if self._interpreter is None:
            from rulelang.engine.interpreter import Interpreter

            self._interpreter = Interpreter(self.machine)
        return self._interpreter

    @property
    def state_bytes(self) -> int:
        """The size of a state, without the history of positions."""
        return int(self.library.rl_sizes(0))

    def start(self, seed: int = 0, chance: Mapping[str, Sequence[Any]] | None = None, ask_chance: bool = False) -> NativeState:
        """A new game."""
        from rulelang.native.state import NativeState

        return NativeState.new(self, seed, chance, ask_chance)

    def fault(self, code: int, game: Any) -> PlayFault:
        """The fault behind a negative answer."""
        return play_fault(self.program.faults[-code - 1], int(self.library.rl_value(game)))

    def perft(self, depth: int, seed: int = 0, ask_chance: bool = True) -> int:
        """How many ways a game can go in so many steps."""
        return self.start(seed, ask_chance=ask_chance).perft(depth)

    def playouts(self, games: int | None = None, seconds: float | None = None, seed: int = 0, threads: int = 1) -> Playouts:
        """Random playouts: the games with the seeds `seed`, `seed` + 1, …, so many or as many as the time allows."""
        found = Playouts(wins=[0] * self.machine.seats)
        lock, faults = threading.Lock(), list[PlayFault]()
        stop = ctypes.c_int(0)
        begin = time.perf_counter()
        chunk = 64 if games is None else max(1, min(4096, games // (8 * threads) or 1))
        counter = [0]

        def work() -> None:
            game = self.library.rl_new()
            out = (_I64 * (5 + self.machine.seats))()
            size = 1 if games is None else chunk
            try:
                while not stop.value:
                    with lock:
                        first = counter[0]
                        amount = size if games is None else min(size, games - first)
                        if amount <= 0:
                            break
                        counter[0] += amount
                    t = time.perf_counter()
                    code = self.library.rl_playouts(game, (seed + first) & (1 << 64) - 1, amount, out, ctypes.byref(stop))
                    if code < 0:
                        with lock:
                            faults.append(self.fault(code, game))
                        stop.value = 1
                    if games is None and seconds is not None:
                        spent = time.perf_counter() - t
                        if spent < min(seconds / 50, MOST_SECONDS):
                            size *= 2
                        if time.perf_counter() - begin >= seconds:
                            break
            finally:
                self.library.rl_free(game)
                with lock:
                    found.games += out[0]
                    found.plies += out[1]
                    found.unfinished += out[2]
                    found.ties += out[3]
                    for seat in range(self.machine.seats):
                        found.wins[seat] += out[4 + seat]
                    found.squares += out[4 + self.machine.seats]

        if threads <= 1:
            work()
        else:
            workers = [threading.Thread(target=work) for _ in range(threads)]
            for worker in workers:
                worker.start()
            try:
                for worker in workers:
                    worker.join()
            finally:
                stop.value = 1              # after Ctrl-C the threads end with the game that each is playing
                for worker in workers:
                    worker.join()
        found.seconds = time.perf_counter() - begin
        if faults:
            raise faults[0]
        return found


def _program(machine: Machine, passes: Passes, extra: tuple[str, ...], fingerprint: str | None,
             folder: Path | None) -> tuple[Program, Path]:
    """The program and its library; both from the cache if the rules are known by a fingerprint."""
    kept = folder or compiling.cache_folder()
    known: Path | None = None
    if fingerprint is not None:
        name = compiling.hashed(fingerprint, compiling.code_hash(), repr(passes), *extra, *compiling.compiler(),
                                compiling.processor())
        known = kept / f"{name}.program"
        try:
            with open(known, "rb") as file:
                path_name, values = pickle.load(file)
            if (kept / path_name).exists():
                return Program(machine=machine, **values), kept / path_name
        except (OSError, pickle.UnpicklingError, EOFError, TypeError, AttributeError, ValueError):
            pass
    program = generate(machine, passes)
    path = compiling.library(program.text, extra, folder)
    if known is not None:
        values = {name: getattr(program, name) for name in program.__dataclass_fields__ if name not in ("machine", "text")}
        write_whole(known, pickle.dumps((path.name, {**values, "text": ""})))
    return program, path


def _declare(library: ctypes.CDLL) -> None:
    """The types of the library's calls."""
    game, i64 = ctypes.c_void_p, _I64
    calls: dict[str, tuple[Any, list[Any]]] = {
        "rl_prepare": (None, []), "rl_new": (game, []), "rl_free": (None, [game]), "rl_copy": (game, [game]),
        "rl_start": (ctypes.c_int, [game, ctypes.c_uint64, ctypes.c_int]), "rl_value": (i64, [game]),
        "rl_sizes": (ctypes.c_int, [ctypes.c_int]), "rl_moves": (i64, [game, ctypes.c_int, _BUFFER, i64]),
        "rl_any": (ctypes.c_int, [game, ctypes.c_int]), "rl_play": (ctypes.c_int, [game, ctypes.c_int, _BUFFER, ctypes.c_int]),
        "rl_outcomes": (ctypes.c_int, [game, _BUFFER, _BUFFER]), "rl_resolve": (ctypes.c_int, [game, i64]),
        "rl_export": (ctypes.c_int, [game, _BUFFER]), "rl_times": (ctypes.c_int, [game, ctypes.c_int]),
        "rl_result": (ctypes.c_int, [game, _BUFFER]),
        "rl_playouts": (ctypes.c_int, [game, ctypes.c_uint64, i64, _BUFFER, ctypes.POINTER(ctypes.c_int)]),
        "rl_playout_step": (ctypes.c_int, [game, ctypes.c_uint64, _BUFFER]),
        "rl_perft": (i64, [game, ctypes.c_int, ctypes.c_int]),
    }
    for name, (result, arguments) in calls.items():
        call = getattr(library, name)
        call.restype = result
        call.argtypes = arguments


__all__ = ["Declined", "NativeEngine", "Playouts"]
