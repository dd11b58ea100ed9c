"""How diagnostics are printed."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from rulelang.cli.report import Paint, as_data, closing, path_of, report
from rulelang.source.diagnostic import NOWHERE, Diagnostic, Place, RulesError
from rulelang.source.files import read_text


def printed(*found: Diagnostic) -> str:
    out = io.StringIO()
    report(found, out)
    return out.getvalue()


def test_a_diagnostic_shows_place_line_marks_and_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "my.rules"
    file.write_text("game: X\n      kepp[me] += 1\n", encoding="utf-8")
    found = Diagnostic(
        Place(str(file), 2, 7, 4), "unknown-name", "unknown name `kepp`", "did you mean `kept`?",
        (("declared here", Place(str(file), 1, 1, 4)), ("found with 3 players", None)),
    )
    assert printed(found) == (
        "my.rules:2:7: unknown name `kepp` [unknown-name]\n"
        "    2 |       kepp[me] += 1\n"
        "      |       ^^^^\n"
        "   did you mean `kept`?\n"
        "   declared here (my.rules:1:1)\n"
        "   found with 3 players\n"
        "1 error in 1 file\n"
    )


LINES = {
    # line, column, length: what stands under the line
    "plain": ("abcdef", 3, 2, "  ^^"),
    "tabs stay tabs": ("a\tbc", 3, 2, " \t^^"),
    "wide letters": ("棋盘 x", 4, 1, "     ^"),
    "wide letters marked": ("棋盘 x", 1, 2, "^^^^"),
    "combining letters": ("e\u0301 x", 4, 1, "  ^"),
    "past the end": ("ab", 9, 3, "  ^"),
    "length zero": ("ab", 2, 0, " ^"),
    "longer than the line": ("abc", 2, 90, " ^^"),
}


@pytest.mark.parametrize("case", LINES)
def test_marks_stand_under_the_words(tmp_path: Path, case: str) -> None:
    line, column, length, marks = LINES[case]
    file = tmp_path / "a.rules"
    file.write_text(line + "\n", encoding="utf-8")
    text = printed(Diagnostic(Place(str(file), 1, column, length), "x", "m"))
    assert text.splitlines()[2] == f"      | {marks}"


def test_a_long_line_is_cut_round_the_mark(tmp_path: Path) -> None:
    file = tmp_path / "a.rules"
    file.write_text("x" * 1000 + "HERE" + "y" * 1000, encoding="utf-8")
    _, line, marks, *_ = printed(Diagnostic(Place(str(file), 1, 1001, 4), "x", "m")).splitlines()
    assert len(line) < 200
    assert line[marks.index("^") : marks.index("^") + 4] == "HERE"


def test_diagnostics_are_sorted_and_told_once(tmp_path: Path) -> None:
    made = [Diagnostic(Place(str(tmp_path / name), line, 1), "x", "m") for name in "ba" for line in (10, 9, 10)]
    heads = [line.rpartition("/")[2].partition(": ")[0] for line in printed(*made).splitlines()[:-1]]
    assert heads == ["a:9:1", "a:10:1", "b:9:1", "b:10:1"]


def test_closing_counts() -> None:
    error = Diagnostic(Place("a", 1, 1), "x", "m")
    warning = Diagnostic(Place("b", 1, 1), "x", "m", severity="warning")
    assert closing([error]) == "1 error in 1 file"
    assert closing([error, error, warning]) == "2 errors and 1 warning in 2 files"


def test_a_place_without_a_file_is_told_without_a_line() -> None:
    assert printed(Diagnostic(NOWHERE, "x", "m")) == "<rulelang>:1:1: m [x]\n1 error in 1 file\n"


def test_paths_are_told_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    assert path_of(str(tmp_path / "deep" / "a.rules")) == "a.rules"
    assert path_of(str(tmp_path / "a.rules")) == "../a.rules"
    assert path_of("<command line>") == "<command line>"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_only_in_a_terminal_and_not_where_none_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Paint(Terminal())("x", "\033[1m") == "\033[1mx\033[0m"
    assert Paint(io.StringIO())("x", "\033[1m") == "x"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Paint(Terminal())("x", "\033[1m") == "x"


def test_data_for_machines_has_every_part() -> None:
    found = as_data(Diagnostic(Place("a", 1, 2, 3), "x", "m", "h", (("n", None), ("o", Place("b", 4, 5)))))
    assert found == {
        "file": "a", "line": 1, "column": 2, "length": 3, "severity": "error", "code": "x", "message": "m", "hint": "h",
        "notes": [{"message": "n"}, {"message": "o", "file": "b", "line": 4, "column": 5}],
    }


@pytest.mark.parametrize(("data", "shown"), [(b"\x7fELF\x00\x01\x02" * 99, False), (b"game: J\xe4nner\n", True)])
def test_what_is_no_text_is_not_shown(tmp_path: Path, data: bytes, shown: bool) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes(data)
    with pytest.raises(RulesError) as caught:
        read_text(path)
    assert (" | " in printed(*caught.value.diagnostics)) == shown
