"""Writing a file so that others see it whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write beside and rename, whoever else is writing it. Raises OSError if that cannot be, leaving nothing."""
    handle, made = tempfile.mkstemp(prefix=f"{path.stem}-", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(made, path)
    except OSError:
        with suppress(OSError):
            os.unlink(made)
        raise
