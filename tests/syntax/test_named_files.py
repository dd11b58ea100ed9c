"""Files that name other files, to extend them or to include their sections, by the numbers of the rules of merging."""

from __future__ import annotations

from pathlib import Path

import pytest
from documents import at, faults, loaded, names

from rulelang.source.diagnostic import RulesError
from rulelang.syntax.load import load_document


def test_8_6_a_file_cannot_extend_itself(tmp_path: Path) -> None:
    (tmp_path / "base.rules").write_text("extends: over.rules\n", encoding="utf-8")
    (tmp_path / "over.rules").write_text("extends: base.rules\n", encoding="utf-8")
    (code, said), = faults(tmp_path, "extends: over.rules\n", "game: x\n")
    assert code == "circle" and "over.rules" in said
    (code, _), = faults(tmp_path, "extends: base.rules\n")
    assert code == "circle"


NO_FILES = {
    # what is extended, beside house.rules, other.rules and parts/pieces.rules: what is said, and what is suggested
    "hous": ("there is no file `hous` beside this one", "name a file by its way"),
    "othr": ("there is no file `othr` beside this one", "did you mean `other.rules`?"),
    "parts/piece.rules": ("there is no file `parts/piece.rules` beside", "did you mean `parts/pieces.rules`?"),
    "parts/": ("`parts/` is a folder", "name a file, such as `parts/pieces.rules`"),
    "parts": ("`parts` is a folder", "name a file, such as `parts/pieces.rules`"),
    ".": ("`.` is a folder", "name a file, such as `other.rules`"),
    '""': ("no file is named here", "name a file, such as `other.rules`"),
    "a" * 300: ("this file cannot be read", ""),
}


@pytest.mark.parametrize("name", NO_FILES)
def test_8_6_a_file_that_is_missing_is_never_meant_to_be_the_one_that_names_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "parts").mkdir()
    for each in ("other.rules", "parts/pieces.rules"):
        (tmp_path / each).write_text("game: Other\n", encoding="utf-8")
    (tmp_path / "house.rules").write_text(f"extends: {name}\n", encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load_document(tmp_path / "house.rules", lambda name: None)
    (found,) = caught.value.diagnostics
    said, hint = NO_FILES[name]
    assert found.code == "unreadable" and said in found.message and found.hint.startswith(hint)


def test_8_6_a_built_in_game_is_found_by_its_name(tmp_path: Path) -> None:
    document = loaded(tmp_path, "extends: kakuzu\ngame: Mine\n")
    assert at(document, "game").value == "Mine" and "kept" in at(document, "state")


def test_8_6_a_file_beside_comes_before_a_built_in_game(tmp_path: Path) -> None:
    (tmp_path / "kakuzu.rules").write_text("game: Other\n", encoding="utf-8")
    assert "state" not in loaded(tmp_path, "extends: kakuzu\n")


def test_8_6_a_copy_may_extend_the_built_in_game_of_its_name(tmp_path: Path) -> None:
    path = tmp_path / "kakuzu.rules"
    path.write_text("extends: kakuzu\ngame: Mine\n", encoding="utf-8")
    from documents import builtin

    assert "state" in load_document(path, builtin).document


def test_8_6_included_sections(tmp_path: Path) -> None:
    (tmp_path / "board.rules").write_text("grid: 3x3\nnames: numbers\n", encoding="utf-8")
    document = loaded(tmp_path, "include: {board: board.rules}\nboard: {names: letters}\n")
    assert names(at(document, "board")) == ["grid", "names"]
    assert at(document, "board", "names").value == "letters"
    assert at(document, "board", "grid").place.file.endswith("board.rules")


def test_8_6_faults_of_an_included_file_have_its_name(tmp_path: Path) -> None:
    (tmp_path / "board.rules").write_text("gird: 3x3\n", encoding="utf-8")
    (code, _), = faults(tmp_path, "include: {board: board.rules}\n")
    assert code == "unknown-key"


def test_8_6_faulty_names_of_files_are_not_looked_for(tmp_path: Path) -> None:
    assert [code for code, _ in faults(tmp_path, "extends: [a]\ninclude: {board: [b]}\n")] == ["wrong-form"] * 2


def test_8_6_what_cannot_be_included(tmp_path: Path) -> None:
    assert faults(tmp_path, "include: {extends: x.rules}\n")[0][0] == "unknown-key"


def test_8_6_no_more_than_twenty_files(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"f{number}.rules").write_text(f"extends: f{number + 1}\n", encoding="utf-8")
    assert faults(tmp_path, "extends: f0\n")[0][0] == "too-deep"
