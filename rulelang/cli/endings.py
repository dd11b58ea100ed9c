"""How a command ends when something goes wrong: which words, which exit code. A traceback never reaches a person."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import Any

from rulelang.cli import exits


class Refused(Exception):
    """A plain no: what was asked cannot be done, in words for the person who asked."""

    def __init__(self, message: str, hint: str = "", data: dict[str, Any] | None = None) -> None:
        self.message, self.hint, self.data = message, hint, data or {}
        super().__init__(message)


def end_with(error: BaseException, as_json: bool = False) -> int:
    """Tell of an error; the exit code."""
    from rulelang.cli.arguments import UsageError
    from rulelang.source.diagnostic import RulelangError, RulesError

    if isinstance(error, KeyboardInterrupt):
        print("\ninterrupted", file=sys.stderr)
        return exits.INTERRUPTED
    if isinstance(error, UsageError):
        data = {"hint": error.hint} if error.hint else {}
        return _tell(error.message, error.hint, data, as_json, exits.USAGE)
    if isinstance(error, Refused):
        return _tell(error.message, error.hint, error.data, as_json, exits.NO)
    if isinstance(error, RulesError):
        return _tell_faults(error.diagnostics, as_json)
    if isinstance(error, RulelangError):
        return _tell_refusal(error, as_json)
    if isinstance(error, OSError):
        sys.stdout.flush()      # if it was this that failed, it fails again, and is told as such
        name = f"{error.filename}: " if error.filename else ""
        return _tell(f"{name}{error.strerror or error}", "", {}, as_json, exits.NO)
    return _own_fault(error, as_json)


def unwritten(error: OSError) -> int:
    """The end where what was printed cannot be written; the exit code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # Python flushes once more on its way out; there must be something to flush to.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    if isinstance(error, BrokenPipeError):
        return exits.PIPE_CLOSED
    with suppress(OSError):
        print(f"rulelang: the output cannot be written: {error.strerror or error}", file=sys.stderr)
    return exits.NO


def _tell(message: str, hint: str, data: dict[str, Any], as_json: bool, code: int) -> int:
    if as_json:
        print(json.dumps({"error": {**data, "message": message}}, ensure_ascii=False))
        return code
    print(f"rulelang: {message}", file=sys.stderr)
    for line in hint.splitlines():
        print(f"   {line}", file=sys.stderr)
    return code


def _tell_refusal(error: Exception, as_json: bool) -> int:
    """A no of rulelang's own: a fault in play at its place, a move that is refused with what refuses it."""
    from rulelang.engine import MoveError
    from rulelang.table.explaining import refusal_data, refusal_lines

    # What is told of a saved game or an example that cannot be played has its cause: the move, or the fault.
    cause = getattr(error, "cause", None) or error
    diagnostic = getattr(cause, "diagnostic", None)
    if diagnostic is not None:
        if cause is not error and not as_json:
            print(f"rulelang: {error}", file=sys.stderr)
        return _tell_faults((diagnostic,), as_json)
    refused = cause if isinstance(cause, MoveError) else None
    hint = "\n".join(refusal_lines(refused)) if refused is not None else ""
    return _tell(str(error), hint, refusal_data(refused) if refused is not None else {}, as_json, exits.NO)


def _tell_faults(found: tuple[Any, ...], as_json: bool) -> int:
    from rulelang.cli.report import as_data, ordered, report

    if as_json:
        print(json.dumps({"error": {"message": "the rules have faults",
                                    "diagnostics": [as_data(d) for d in ordered(found)]}}, ensure_ascii=False))
    else:
        report(found, sys.stderr)
    return exits.NO


def _own_fault(error: BaseException, as_json: bool) -> int:
    if os.environ.get("RULELANG_DEBUG"):
        import traceback

        traceback.print_exception(error)
        return exits.NO
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    return _tell(
        f"this is a fault in rulelang itself, not in your rules ({what})",
        "run it again with RULELANG_DEBUG=1 set to see where, and report it with the rules file",
        {}, as_json, exits.NO,
    )
