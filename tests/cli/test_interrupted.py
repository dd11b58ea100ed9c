"""Long work that is interrupted by Ctrl-C ends with 130, and says what it has."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def interrupted(until: str, folder: Path, *words: str) -> tuple[int, str, str]:
    """A command that is interrupted when a line of its output begins like that; its code and what it wrote."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rulelang.cli.main", *words], cwd=ROOT, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "XDG_CACHE_HOME": str(folder)})
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.lstrip().startswith(until):
            process.send_signal(signal.SIGINT)
            break
    out, err = process.communicate(timeout=60)
    return process.returncode, "".join(lines) + out, err


def test_counting_by_compiled_code(tmp_path: Path) -> None:
    code, out, err = interrupted("5 ", tmp_path, "perft", "chess", "9")
    assert (code, err) == (130, "")
    assert "4,865,609" in out and out.splitlines()[-1].startswith("interrupted in depth 6, ")


def test_counting_by_the_interpreter(tmp_path: Path) -> None:
    code, out, err = interrupted("2 ", tmp_path, "perft", "chess", "4", "--engine", "interpreter")
    assert (code, err) == (130, "")
    assert out.splitlines()[-1].startswith("interrupted in depth 3, ")
