"""Long work that is interrupted by Ctrl-C ends with 130, and says what it has."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Soon = Callable[[str, str, int], None]
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
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    words = [sys.executable, "-m", "rulelang.cli.main", "bench", "tic_tac_toe", "--threads", threads, "--seconds"]
    subprocess.run([*words, "0.1"], cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    process = subprocess.Popen([*words, "3000"], cwd=ROOT, text=True, start_new_session=True, env=environment,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err.strip()) in [(130, ""), (130, "interrupted")]
