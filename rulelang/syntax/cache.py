"""Where what is slow to make is kept for the next process: the user's own cache directory."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

GRAMMAR = Path(__file__).with_name("grammar.lark")


@cache
def directory() -> Path | None:
    """The user's cache directory, if it can be had and nobody else can write to it."""
    from platformdirs import user_cache_dir

    try:
        folder = Path(user_cache_dir("rulelang", appauthor=False))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.stat()
    except (OSError, RuntimeError, ValueError):
        return None
    if hasattr(os, "getuid") and (state.st_uid != os.getuid() or state.st_mode & 0o022):
        return None
    return folder
