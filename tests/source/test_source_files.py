"""What is let in as a text, and what is refused at the door."""

from pathlib import Path

import pytest

from rulelang.source.diagnostic import Diagnostic, RulesError
from rulelang.source.files import MAX_BYTES, read_text


def refused(path: Path) -> Diagnostic:
    with pytest.raises(RulesError) as caught:
        read_text(path)
    assert len(caught.value.diagnostics) == 1
    return caught.value.diagnostics[0]


def written(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "a.rules"
    path.write_bytes(data)
    return path


def test_text_comes_as_it_is(tmp_path: Path) -> None:
    assert read_text(written(tmp_path, "gäme: 𝄞\n".encode())) == "gäme: 𝄞\n"


def test_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    assert read_text(written(tmp_path, b"\xef\xbb\xbfgame: x\n")) == "game: x\n"


def test_windows_line_ends_become_one(tmp_path: Path) -> None:
    assert read_text(written(tmp_path, b"a: 1\r\nb: 2\r\n")) == "a: 1\nb: 2\n"


def test_missing_file_names_its_neighbour(tmp_path: Path) -> None:
    written(tmp_path, b"a: 1\n").rename(tmp_path / "chess.rules")
    fault = refused(tmp_path / "ches.rules")
    assert (fault.code, fault.hint) == ("unreadable", "did you mean `chess.rules`?")


def test_directory(tmp_path: Path) -> None:
    assert "directory" in refused(tmp_path).message


def test_name_that_no_system_takes(tmp_path: Path) -> None:
    assert refused(tmp_path / "a\0b").code == "unreadable"


def test_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    assert refused(written(tmp_path, b"# a\n" * (MAX_BYTES // 4 + 1))).code == "too-large"
    read_text(written(tmp_path, b"# a\n" * (MAX_BYTES // 4)))


def test_binary(tmp_path: Path) -> None:
    fault = refused(written(tmp_path, b"a: 1\n\x00\x01"))
    assert (fault.code, fault.place.line) == ("not-text", 2)


def test_other_encodings_say_the_line(tmp_path: Path) -> None:
    fault = refused(written(tmp_path, b"a: 1\nb\xc3\xb6: \xe4\n"))
    assert (fault.code, fault.place.line, fault.place.column) == ("not-text", 2, 5)
    assert "0xe4" in fault.message


def test_other_encodings_behind_a_byte_order_mark(tmp_path: Path) -> None:
    fault = refused(written(tmp_path, b"\xef\xbb\xbfab\xe4\n"))
    assert (fault.place.line, fault.place.column) == (1, 3)


@pytest.mark.parametrize("character", ["\x85", "\u2028", "\u2029", "\r", "\x07", "\u200b", "\u202e"])
def test_characters_that_mislead(tmp_path: Path, character: str) -> None:
    fault = refused(written(tmp_path, f"a: 1\nb: x{character}y\n".encode()))
    assert (fault.code, fault.place.line, fault.place.column) == ("odd-character", 2, 5)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"  \n"])
def test_empty(tmp_path: Path, data: bytes) -> None:
    assert refused(written(tmp_path, data)).code == "empty-file"
