"""What can go wrong in play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.source.diagnostic import Diagnostic, Place, RulelangError

if TYPE_CHECKING:
    from rulelang.engine.explain import Explanation

_LONGEST = 120  # characters of what was typed


class PlayFault(RulelangError):
    """The rules led to something impossible in play; `diagnostic` names the rule's place."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic
        super().__init__(f"{diagnostic.place}: {diagnostic.message}")

    def __reduce__(self) -> tuple[type[PlayFault], tuple[Diagnostic]]:
        return type(self), (self.diagnostic,)


def fault(place: Place, code: str, message: str, hint: str = "") -> PlayFault:
    """A fault in play at a rule's place."""
    return PlayFault(Diagnostic(place, code, message, hint))


class ChanceError(RulelangError):
    """Scripted or chosen chance that cannot be."""


class PlayError(RulelangError):
    """A call that does not fit what the game is waiting for."""


class MoveError(RulelangError):
    """A move that cannot be made."""


def quoted(text: str) -> str:
    """What was typed, for a message; of a long text its beginning."""
    return f"`{text}`" if len(text) <= _LONGEST else f"`{text[:_LONGEST]}…`"


class UnreadableMove(MoveError):
    """A text that is no move. `suggestions` are legal moves that look like it."""

    def __init__(self, text: str, suggestions: tuple[str, ...] = ()) -> None:
        self.text = text
        self.suggestions = suggestions
        hint = f"; did you mean `{'` or `'.join(suggestions)}`?" if suggestions else ""
        super().__init__(f"{quoted(text)} is not a move here{hint}")


class IllegalMove(MoveError):
    """A move that the rules refuse; `explanation` says by which clause."""

    def __init__(self, text: str, explanation: Explanation) -> None:
        self.text = text
        self.explanation = explanation
        super().__init__(f"{quoted(text)} is not legal: {explanation.reason}")


class AmbiguousMove(MoveError):
    """A text that several legal moves answer to; `candidates` are their full texts."""

    def __init__(self, text: str, candidates: tuple[str, ...]) -> None:
        self.text = text
        self.candidates = candidates
        shown = "`, `".join(candidates[:6]) + ("`, …" if len(candidates) > 6 else "`")
        super().__init__(f"{quoted(text)} could be `{shown}")
