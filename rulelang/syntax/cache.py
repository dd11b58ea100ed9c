"""What is slow to make is kept for the next process, in the user's own cache directory, each file behind a checksum."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import source_hash
from pathlib import Path

from rulelang.source.whole import write_whole

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


def digest(data: bytes) -> bytes:
    """64 bits that tell contents apart: enough here, and `hashlib` takes longer to load than what is kept."""
    return source_hash(data)


def read_checked(stored: Path) -> bytes | None:
    """What was kept in a file, if it is whole."""
    try:
        data = stored.read_bytes()
    except OSError:
        return None
    return data[8:] if digest(data[8:]) == data[:8] else None


def write_checked(stored: Path, data: bytes) -> None:
    """Write a file behind its checksum. Raises OSError if that cannot be."""
    write_whole(stored, digest(data) + data)
