"""The table at which a game is played: its record, its undo and its clock, and how it is shown in a terminal."""
