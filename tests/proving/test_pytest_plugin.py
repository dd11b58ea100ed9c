"""pytest collects the examples of rules files that are meant, and only those."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

GAMES = Path(__file__).parent.parent / "table" / "games"
EXAMPLES = """examples:
  good:
    then: goal = 6
  bad:
    then: goal = 7
"""


def pytest_of(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    # the plugin by its module, not by the entry point, which an installation that is older may not have
    plugins = ["-p", "no:rulelang", "-p", "rulelang.proving.pytest_plugin", "-p", "no:cacheprovider"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, *words], cwd=folder, capture_output=True, text=True, timeout=120,
        check=False,
    )


def write(folder: Path, text: str = EXAMPLES) -> Path:
    path = folder / "rules" / "mine.rules"
    path.parent.mkdir(exist_ok=True)
    path.write_text((GAMES / "dice.rules").read_text(encoding="utf-8") + text, encoding="utf-8")
    return path


def test_a_named_file_is_collected(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    ran = pytest_of(tmp_path, "rules/mine.rules", "-v")
    assert "1 failed, 1 passed" in ran.stdout
    assert "mine.rules::good PASSED" in ran.stdout
    assert "fails  goal = 7" in ran.stdout and "Traceback" not in ran.stdout
    assert "1 passed" in pytest_of(tmp_path, "rules/mine.rules::good").stdout


def test_a_file_that_merely_lies_there_is_left_alone(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    assert "no tests ran" in pytest_of(tmp_path).stdout


def test_a_configured_folder_is_collected(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nrulelang_examples = rules\n", encoding="utf-8")
    assert "1 failed, 1 passed" in pytest_of(tmp_path).stdout


def test_a_faulty_file_is_told_in_its_own_words(tmp_path: Path) -> None:
    write(tmp_path, "examples:\n  bad:\n    then: gaol = 7\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    ran = pytest_of(tmp_path, "rules/mine.rules")
    assert "gaol" in ran.stdout and "mine.rules:45:11" in ran.stdout and "Traceback" not in ran.stdout
