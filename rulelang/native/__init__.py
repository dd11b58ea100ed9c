"""The native engine: a game's state machine as C text, compiled once and called without copying."""
