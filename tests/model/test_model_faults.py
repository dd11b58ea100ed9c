"""Every fault that the checker can find, at its exact place: the cases are in faults/*.txt."""

import re
from pathlib import Path

import pytest
from model_cases import Case, cases

from rulelang.loading import check
from rulelang.source.diagnostic import Diagnostic


def told(found: tuple[Diagnostic, ...]) -> str:
    """All that was found, in lines."""
    return "\n".join(f"{d.place.line}:{d.place.column}+{d.place.length} {d.severity} {d.code}: {d.message} | {d.hint} "
                     f"{[text for text, _ in d.notes]}" for d in found)


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.topic}: {case.title}")
def test_marked_faults_and_no_others(case: Case, tmp_path: Path) -> None:
    file = tmp_path / "case.rules"
    file.write_text(case.text, encoding="utf-8")
    found = check(file)
    for mark in case.marks:
        assert any(mark.fits(each) for each in found), f"not found: {mark}\nfound:\n{told(found)}"
    errors = [mark for mark in case.marks if mark.severity == "error"]
    assert sum(d.severity == "error" for d in found) == len(errors), told(found)
    for each in found:
        assert re.match(r"[a-z`0-9{-]", each.message) and not each.message.endswith("."), each
        line = case.text.split("\n")[each.place.line - 1]
        assert each.place.column + each.place.length - 1 <= len(line), each
