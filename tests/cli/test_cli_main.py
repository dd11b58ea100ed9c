"""The command as a whole: help, wrong command lines, endings, and how little it costs to start."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rulelang.cli.arguments import spread
from rulelang.cli.main import VERBS, main

Run = Callable[..., Any]
ROOT = Path(__file__).parents[2]


def test_help_names_every_verb_and_the_exit_codes(run: Run) -> None:
    ran = run("--help")
    assert ran.code == 0
    assert all(f"\n  {verb} " in ran.out for verb in VERBS)
    assert "130  interrupted" in ran.out


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_examples_and_exit_codes(run: Run, verb: str) -> None:
    ran = run(verb, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"usage: rulelang {verb}")
    assert f"examples:\n  rulelang {verb}" in ran.out or f"| rulelang {verb}" in ran.out
    assert "exit codes:" in ran.out
    assert run("help", verb).out == ran.out


WRONG = {
    # command line: what standard error says
    "": "",
    "rnu x.rules": "did you mean `rulelang run`?",
    "x.rules": "`x.rules` is a file, say what to do with it\n   for example `rulelang run x.rules`",
    "bake x.rules": "`rulelang --help` lists the verbs",
    "run": "which game?",
    "check": "the following arguments are required: FILE",
    "run x.rules --plyers 3": "did you mean `--players`?",
    "run x.rules --players none": "`none` is not a number of players",
    "run x.rules --players 0": "`0` is not a number of players",
    "perft x.rules many": "is no whole number",
    "show x.rules --machine --format svg": "the machine can be shown as text and mermaid, not as svg",
    "test x.rules --games 3": "--games goes with --coverage",
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_command_line_is_told_with_exit_code_2(run: Run, line: str) -> None:
    ran = run(*line.split())
    assert ran.code == 2
    assert WRONG[line] in ran.err


@pytest.mark.parametrize("line", [line for line in WRONG if line])
def test_a_wrong_command_line_is_an_object_where_one_is_wanted(run: Run, line: str) -> None:
    ran = run(*line.split(), "--json")
    assert (ran.code, ran.err) == (2, "")
    error = ran.data["error"]
    told = [error["message"], *error.get("hint", "").split("\n")]
    assert all(any(part.strip() in each for each in told) for part in WRONG[line].split("\n"))


def test_the_version_is_told(run: Run) -> None:
    assert run("--version").out.startswith("rulelang 0.")


SPREAD = {
    "--set a=1 b=2 file.rules": "--set a=1 --set b=2 file.rules",
    "--set a=1 file.rules b=2": "--set a=1 file.rules b=2",
    "--seat 1=human 2=random --seed 3": "--seat 1=human --seat 2=random --seed 3",
    "--set a=1 --set b=2": "--set a=1 --set b=2",
    "--set a=1 x/y=z": "--set a=1 x/y=z",
    "file a=1": "file a=1",
}


@pytest.mark.parametrize("line", SPREAD)
def test_several_settings_may_follow_one_word(line: str) -> None:
    assert " ".join(spread(line.split(), ("--set", "--seat"))) == SPREAD[line]


@pytest.mark.parametrize("debug", [False, True])
def test_a_fault_of_rulelang_itself_is_said_to_be_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], debug: bool
) -> None:
    def broken(args: object) -> int:
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr(import_module("rulelang.cli.verbs.list"), "run", broken)
    monkeypatch.setenv("RULELANG_DEBUG", "1" if debug else "")
    assert main(["list"]) == 1
    err = capsys.readouterr().err
    assert ("Traceback" in err) == debug
    if not debug:
        assert "this is a fault in rulelang itself, not in your rules (ZeroDivisionError: oh)" in err
        assert "RULELANG_DEBUG=1" in err


def test_ctrl_c_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(args: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("rulelang.cli.verbs.list"), "run", interrupted)
    assert main(["list"]) == 130


# what is done to the output of a command; its exit code, and what else is said
GONE = {
    "rl schema | head -1 >/dev/null": (141, ""),
    "rl check --help | true": (141, ""),
    "rl --help | true": (141, ""),
    "rl list --json | true": (141, ""),
    "rl check nofile --json | true": (141, ""),
    "rl run nofile --json | true": (141, ""),
    "rl test nofile 2>&1 | true": (141, ""),
    "rl frob 2>&1 | true": (141, ""),
    "rl list >&-": (0, ""),
    "rl check nofile >/dev/null 2>&-": (1, ""),
    "rl run tic_tac_toe --json --seed 1 --save game <&- >/dev/null": (0, ""),
    "rl list >/dev/full": (1, "No space left on device"),
    "rl check nofile --json >/dev/full": (1, "the output cannot be written: No space left on device"),
    "rl run nofile 2>/dev/full": (1, ""),
}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("line", GONE)
def test_an_output_that_goes_nowhere_is_no_fault(line: str, unbuffered: str, tmp_path: Path) -> None:
    code, words = GONE[line]
    # a moment later whoever reads nothing is gone for sure
    script = f'rl() {{ sleep 0.1; {shlex.quote(sys.executable)} -m rulelang.cli.main "$@"; }}\n{line}'
    ran = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script], capture_output=True, text=True, timeout=60, cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered,
             "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])})
    assert (ran.returncode, ran.stdout) == (code, "")
    assert words in ran.stderr if words else not ran.stderr


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from rulelang.cli.main import main; main(['--help']); "
        "heavy = {'yaml', 'lark', 'networkx', 'rich', 'prompt_toolkit', 'jsonschema', 'rulelang.engine'}; "
        "print(sorted(set(sys.modules) & heavy))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_help_starts_within_six_bare_starts() -> None:
    def fastest(*argv: str) -> float:
        times = []
        for _ in range(7):
            began = time.perf_counter()
            subprocess.run([sys.executable, *argv], stdout=subprocess.DEVNULL, check=True, env=dict(os.environ))
            times.append(time.perf_counter() - began)
        return min(times)

    assert fastest("-m", "rulelang.cli.main", "--help") < 6 * fastest("-c", "pass")
