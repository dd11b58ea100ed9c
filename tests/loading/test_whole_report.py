"""One report holds every fault that stands by itself, whichever room finds it."""

from pathlib import Path

import pytest

from rulelang.loading import check

HEAD = """\
rulelang: 1
game: Small
players: 2
state:
  heap: 0..3
  mark[p of Player]: 0..3
"""
TAIL = """\
phases:
  play:
    actions: [take]
    after: next player
actions:
  take: |
    require there: heap > 0 "nothing is there"
    do:
      heap -= 1
      {extra}
limit: {{turns: 9}}
"""


@pytest.mark.parametrize(("define", "extra", "codes"), [
    ("  few: heap < < 2", "mrk[me] += 1", ["syntax", "unknown-name"]),
    ("  few: heap < < 2", "if few: mark[me] += 1", ["syntax"]),              # what was lost is no second fault
    ("  few: hep < 2", "colour := 2", ["unknown-name", "unknown-name"]),
    ("  few(: 2", "mark[me] := 7", ["out-of-range", "syntax"]),
])
def test_faults_of_reading_do_not_hide_faults_of_meaning(
    tmp_path: Path, define: str, extra: str, codes: list[str],
) -> None:
    file = tmp_path / "small.rules"
    file.write_text(HEAD + "define:\n" + define + "\n" + TAIL.format(extra=extra), encoding="utf-8")
    assert sorted(d.code for d in check(file)) == codes
