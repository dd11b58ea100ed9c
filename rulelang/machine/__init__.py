"""The state machine that a checked game is compiled to."""

from rulelang.machine.build import build
from rulelang.machine.layout import Field
from rulelang.machine.nodes import Entries, Machine, Node

__all__ = ["Entries", "Field", "Machine", "Node", "build"]
