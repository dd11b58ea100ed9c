"""The interpreter: the reference for what the rules mean."""

from rulelang.engine.coverage import Coverage, Part
from rulelang.engine.events import Event
from rulelang.engine.explain import ClauseOutcome, Explanation
from rulelang.engine.faults import (
    AmbiguousMove,
    ChanceError,
    IllegalMove,
    MoveError,
    PlayError,
    PlayFault,
    UnreadableMove,
    quoted,
)
from rulelang.engine.interpreter import Interpreter
from rulelang.engine.moves import Move
from rulelang.engine.question import Question
from rulelang.engine.results import Result
from rulelang.engine.rng import Stream
from rulelang.engine.state import State
from rulelang.engine.trace import TraceEntry
from rulelang.engine.views import HIDDEN, View

__all__ = [
    "HIDDEN", "AmbiguousMove", "ChanceError", "ClauseOutcome", "Coverage", "Event", "Explanation", "IllegalMove",
    "Interpreter", "Move", "MoveError", "Part", "PlayError", "PlayFault", "Question", "Result", "State", "Stream",
    "TraceEntry", "UnreadableMove", "View", "quoted",
]
