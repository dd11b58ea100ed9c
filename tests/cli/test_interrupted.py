"""Long work that is interrupted by Ctrl-C ends with 130, and says what it has."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Soon = Callable[[str, str, int], None]
ROOT = Path(__file__).parents[2]


def _hears() -> None:
    """Ctrl-C is heard, also where the tests run in the background of a shell, which has it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def started(*words: str, cache: Path) -> Iterator[subprocess.Popen[str]]:
    """A command that runs; it does not outlive its test."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rulelang.cli.main", *words], cwd=ROOT, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=_hears,
        env={**os.environ, "XDG_CACHE_HOME": str(cache)})
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def interrupted(until: str, folder: Path, *words: str) -> tuple[int, str, str]:
    """A command that is interrupted when a line of its output begins like that; its code and what it wrote."""
    with started(*words, cache=folder) as process:
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


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> Soon:
    """`soon(module, name, n)`: Ctrl-C comes when that function is called for the nth time."""
    def prepare(module: str, name: str, number: int) -> None:
        right, calls = getattr(import_module(module), name), count(1)

        def called(*args: object, **more: object) -> object:
            if next(calls) == number:
                raise KeyboardInterrupt
            return right(*args, **more)

        monkeypatch.setattr(f"{module}.{name}", called)

    return prepare


def test_checking_tells_of_the_files_that_were_checked(run: Run, games: Path, soon: Soon) -> None:
    soon("rulelang.loading", "check", 3)
    files = [games / "dice.rules", games / "hands.rules", games / "dice.rules"]
    ran = run("check", *files)
    assert ran.code == 130
    assert "no mistakes in 2 files" in ran.out and "interrupted; 2 of 3 files were checked" in ran.out
    soon("rulelang.loading", "check", 2)
    ran = run("check", *files, "--json")
    assert (ran.code, len(ran.data["files"]), ran.data["interrupted"]) == (130, 1, True)


def test_testing_tells_of_the_games_that_were_played(run: Run, soon: Soon) -> None:
    soon("rulelang.proving.coverage", "_play_on", 6)
    ran = run("test", "tic_tac_toe", "--coverage", "--games", 1000)
    assert ran.code == 130
    assert "and 5 random games" in ran.out and ran.out.splitlines()[-1].startswith("interrupted; until then ")
    soon("rulelang.proving.examples", "run_example", 2)
    ran = run("test", "tic_tac_toe", "kuhn_poker", "--json")
    assert ran.code == 130 and [len(one["examples"]) for one in ran.data["files"]] == [1, 0]


def test_measuring_tells_of_the_games_that_were_played(run: Run, soon: Soon) -> None:
    soon("rulelang.native.playouts", "interpreted", 2)
    ran = run("bench", "tic_tac_toe", "--engine", "interpreter", "--seconds", 100)
    assert ran.code == 130
    assert "playouts a second" in ran.out and "of 100 seconds" in ran.out.splitlines()[-1]
    soon("rulelang.native.playouts", "interpreted", 1)
    assert run("bench", "tic_tac_toe", "--engine", "interpreter").code == 130


@pytest.mark.parametrize("threads", ["1", "2"])
def test_measuring_in_compiled_code_hears_of_it(threads: str, tmp_path: Path) -> None:
    with started("bench", "tic_tac_toe", "--threads", threads, "--seconds", "3000", cache=tmp_path) as process:
        time.sleep(6)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err.strip()) in [(130, ""), (130, "interrupted")]


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_solving_says_what_it_knows(engine: str, tmp_path: Path) -> None:
    with started("solve", "connect_four", "--engine", engine, cache=tmp_path) as process:
        time.sleep(6)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out.startswith("interrupted after") and "not known who wins" in out
