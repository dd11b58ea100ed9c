"""The whole report of a file with ten different mistakes, as it is printed: it stands in mistakes.txt."""

from io import StringIO
from pathlib import Path

import pytest

from rulelang.cli.report import report
from rulelang.loading import check

ROOT = Path(__file__).parents[2]
REPORT = (Path(__file__).parent / "mistakes.txt").read_text(encoding="utf-8")


def test_ten_mistakes_of_ten_kinds() -> None:
    found = check(ROOT / "examples" / "mistakes.rules")
    assert len(found) == len({d.code for d in found}) == 10
    assert all(d.severity == "error" for d in found)


def test_the_whole_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    printed = StringIO()
    report(check("examples/mistakes.rules"), printed)
    assert printed.getvalue() == REPORT
