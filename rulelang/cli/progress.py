"""Telling how far a long work is: on standard error, only in a terminal, only after a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType


class Progress:
    """A line that is written over itself and taken away at the end."""

    def __init__(self, *, wait: float = 1.0, every: float = 0.2) -> None:
        self._on = sys.stderr.isatty()
        self._every = every
        self._next = time.monotonic() + wait
        self._shown = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._write("")

    def say(self, text: str) -> None:
        """How far it is, if it is time to say so again."""
        if self._on and time.monotonic() >= self._next:
            self._next = time.monotonic() + self._every
            self._write(text)

    def clear(self) -> None:
        """Take the line away, since something else is to be printed."""
        self._write("")

    def _write(self, text: str) -> None:
        if self._on and (text or self._shown):
            sys.stderr.write(f"\r{text:<{self._shown}}" if text else f"\r{' ' * self._shown}\r")
            sys.stderr.flush()
            self._shown = len(text)
