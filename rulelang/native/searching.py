"""Exact search in C: what a position is worth if both sides play as well as can be (`search.h`).

For games of two seats without chance, secrets or choices at once, in which no rule asks how often a position stood.
Positions that were looked at stay known for as long as a `Search` lives, up to `ROOM` of them; then old ones give way.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulelang.machine.nodes import Machine

if TYPE_CHECKING:
    from rulelang.native.engine import NativeEngine
    from rulelang.native.state import NativeState

ROOM = 1 << 25                          # positions, of 16 bytes each
STACK = 128 << 20                       # bytes: the search goes as deep as a game is long
TELL = 0.1                              # seconds
_ENDLESS, _TOO_DEEP = 4, 5


class CannotSearch(Exception):
    """A position from which this search has no answer; the text says why."""


def searchable(machine: Machine) -> bool:
    """Whether a game is of the kind that is searched."""
    game = machine.game
    return machine.seats == 2 and not machine.streams and not game.positions and all(
        phase.who != "together" for phase in game.phases)


class Search:
    """A search of one game, with what it knows. `turns` and `rounds`: whether positions differ by their numbers."""

    def __init__(self, engine: NativeEngine, turns: bool, rounds: bool) -> None:
        if not searchable(engine.machine):
            raise ValueError("this game is not of the kind that is searched")
        self._library = engine.library
        self._engine = engine
        calls: dict[str, tuple[Any, list[Any]]] = {
            "rl_search_new": (ctypes.c_void_p, [ctypes.c_int, ctypes.c_int, ctypes.c_uint64]),
            "rl_search_free": (None, [ctypes.c_void_p]), "rl_search_positions": (ctypes.c_int64, [ctypes.c_void_p]),
            "rl_search": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int,
                                         ctypes.POINTER(ctypes.c_int)]),
        }
        for name, (result, arguments) in calls.items():
            call = getattr(self._library, name)
            call.restype, call.argtypes = result, arguments
        self._search = self._library.rl_search_new(int(turns), int(rounds), ROOM)

    def __del__(self) -> None:
        if getattr(self, "_search", None) is not None:
            self._library.rl_search_free(self._search)
            self._search = None

    @property
    def positions(self) -> int:
        """How many positions were looked at, all in all."""
        return int(self._library.rl_search_positions(self._search))

    def value(self, state: NativeState, low: int, high: int, tick: Callable[[], None] | None = None) -> int:
        """The first seat's worth of a position, -1 to 1: exact if it is between low and high, else a bound beyond them.
        It runs in a thread of its own, so that Ctrl-C is heard; `tick` is called now and then. Raises `CannotSearch`,
        or the fault of a rule."""
        stop, found = ctypes.c_int(0), list[int]()

        def work() -> None:
            found.append(self._library.rl_search(self._search, state.handle, state.waiting, low, high, ctypes.byref(stop)))

        before = threading.stack_size(STACK)
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        threading.stack_size(before)
        try:
            while thread.is_alive():
                thread.join(TELL)
                if tick is not None:
                    tick()
        finally:
            stop.value = 1
            thread.join()
        code = found[0]
        if code < 0:
            raise self._engine.fault(code, state.handle)
        if code == _ENDLESS:
            raise CannotSearch("it can come back to a position, and go on for ever")
        if code == _TOO_DEEP:
            raise CannotSearch("it goes on for too long")
        return code - 2


__all__ = ["CannotSearch", "Search", "searchable"]
