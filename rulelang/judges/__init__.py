"""Judges: models that answer a rules file's questions in place of the table. Found by entry point, never by a path."""
