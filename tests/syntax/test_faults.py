"""Every fault that reading can find, at its exact place: the cases are in faults/*.txt."""

from pathlib import Path

import pytest
from fault_cases import Case, cases

from rulelang.source.diagnostic import RulesError
from rulelang.syntax.load import load_document


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.topic}: {case.title}")
def test_marked_faults_and_no_others(case: Case, tmp_path: Path) -> None:
    file = tmp_path / "case.rules"
    file.write_text(case.text, encoding="utf-8")
    assert case.marks, "a case marks its faults"
    with pytest.raises(RulesError) as caught:
        load_document(file, lambda name: None)
    found = list(caught.value.diagnostics)
    told = "\n".join(f"{each.place.line}:{each.place.column}+{each.place.length} {each.code}: {each.message}"
                     for each in found)
    for mark in case.marks:
        assert any(mark.fits(each) for each in found), f"not found: {mark}\nfound:\n{told}"
    assert len(found) == len(case.marks), told


def test_every_fault_says_what_to_do_or_what_is_expected(tmp_path: Path) -> None:
    for case in cases():
        file = tmp_path / "case.rules"
        file.write_text(case.text, encoding="utf-8")
        with pytest.raises(RulesError) as caught:
            load_document(file, lambda name: None)
        for each in caught.value.diagnostics:
            assert each.hint or "expected" in each.message or each.code in ("too-deep", "syntax"), each
            assert each.message[0].islower() or each.message[0] in "`{", each.message
            assert not each.message.endswith("."), each.message
