"""The record of a game: what is written is what is read, whatever cut it off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulelang.table.log import Header, Log, LogError, is_log, read

HEADER = Header("x.rules", "X", "00", ("one",), {"size": "3"}, 2, 7, ("human", "random"))


def write(path: Path, *lines: dict[str, object]) -> Path:
    log = Log.create(path, HEADER)
    for line in lines:
        log.write(line)
    log.close()
    return path


def test_what_is_written_is_read(tmp_path: Path) -> None:
    saved = read(write(tmp_path / "a.game", {"seat": 1, "move": "é 1"}, {"answer": "yes"}, {"clock": 2}))
    assert saved.header == HEADER
    assert saved.happenings == [{"seat": 1, "move": "é 1"}, {"answer": "yes"}, {"clock": 2}]
    assert not saved.torn and not saved.ended and saved.seats == ("human", "random")


def test_taking_back_cuts_what_happened(tmp_path: Path) -> None:
    moves: list[dict[str, object]] = [{"seat": 1, "move": text} for text in "abc"]
    saved = read(write(tmp_path / "a.game", *moves, {"end": {}}, {"back": 1, "seat": 1}, {"seat": 1, "move": "d"}))
    assert [line["move"] for line in saved.happenings] == ["a", "d"]
    assert not saved.ended


def test_seats_may_change(tmp_path: Path) -> None:
    assert read(write(tmp_path / "a.game", {"seats": ["random", "greedy"]})).seats == ("random", "greedy")


@given(cut=st.integers(1, 60))
def test_a_torn_last_line_is_dropped_and_cut_away(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = write(tmp_path_factory.mktemp("torn") / "a.game", {"seat": 1, "move": "a"}, {"seat": 2, "move": "b" * 40})
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rpartition(b"\n")[2]
    cut = min(cut, len(last))
    path.write_bytes(whole[: -1 - len(last) + cut])
    saved = read(path)
    assert [line["move"] for line in saved.happenings] == ["a"]
    assert saved.torn
    log = Log.go_on(path, saved)
    log.write({"seat": 2, "move": "c"})
    log.close()
    assert [line["move"] for line in read(path).happenings] == ["a", "c"]
    assert path.read_bytes().count(b"\n") == 3


def test_another_game_at_the_same_place_is_kept_beside_it(tmp_path: Path) -> None:
    path = write(tmp_path / "a.game", {"seat": 1, "move": "old"})
    write(path, {"seat": 1, "move": "new"})
    assert read(path).happenings[0]["move"] == "new"
    assert read(tmp_path / "a.game~").happenings[0]["move"] == "old"


def test_a_copy_keeps_beside_it_what_was_there(tmp_path: Path) -> None:
    write(tmp_path / "b.game", {"seat": 1, "move": "old"})
    log = Log.create(tmp_path / "a.game", HEADER)
    assert log.copy_to(tmp_path / "b.game") == tmp_path / "b.game~"
    assert read(tmp_path / "b.game").happenings == []
    assert read(tmp_path / "b.game~").happenings[0]["move"] == "old"


def test_a_copy_never_takes_the_place_of_its_own_record(tmp_path: Path) -> None:
    write(tmp_path / "b.game", {"seat": 1, "move": "old"})
    log = Log.create(tmp_path / "b.game~", HEADER)
    with pytest.raises(LogError, match="is the record of this game"):
        log.copy_to(tmp_path / "b.game")
    assert read(tmp_path / "b.game").happenings[0]["move"] == "old" and read(tmp_path / "b.game~").happenings == []


def test_a_file_that_is_no_record_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("dear", encoding="utf-8")
    with pytest.raises(LogError, match="left as it is"):
        write(path)
    log = Log.create(tmp_path / "a.game", HEADER)
    with pytest.raises(LogError, match="left as it is"):
        log.copy_to(path)
    assert path.read_text(encoding="utf-8") == "dear"
    assert not is_log(path) and is_log(tmp_path / "a.game")


def test_a_copy_reads_like_the_record(tmp_path: Path) -> None:
    log = Log.create(tmp_path / "a.game", HEADER)
    log.write({"seat": 1, "move": "a"})
    log.copy_to(tmp_path / "b.game")
    log.copy_to(tmp_path / "a.game")
    with pytest.raises(OSError, match="there is no such folder"):
        log.copy_to(tmp_path / "deep" / "b.game")
    assert read(tmp_path / "b.game") == read(tmp_path / "a.game")


FIRST = json.dumps(HEADER.as_data())
BROKEN = {
    "empty": (b"", "not a saved game"),
    "binary": (b"\x00\xff\xfe\n", "not a saved game"),
    "another json": (b"[1, 2]\n", "not a saved game"),
    "a rules file": (b"rulelang: 1\n", "not a saved game"),
    "no seats": (b'{"log": 1, "file": "x"}\n', "not a saved game"),
    "another version": (FIRST.replace('"log": 1', '"log": 9').encode() + b"\n", "another version"),
    "torn first line": (FIRST.encode(), "breaks off in its first line"),
    "broken line": (f"{FIRST}\n{{\n".encode(), ":2: this line .* cannot be read"),
    "a list": (f"{FIRST}\n[]\n".encode(), ":2: this line .* cannot be read"),
    "senseless line": (f'{FIRST}\n{{"x": 1}}\n'.encode(), ":2: this line .* makes no sense"),
    "back to the future": (f'{FIRST}\n{{"back": 4}}\n'.encode(), ":2: this line .* makes no sense"),
    "deep": (b"[" * 100_000 + b"\n", "not a saved game"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_no_record_is_refused_in_words(tmp_path: Path, case: str) -> None:
    content, message = BROKEN[case]
    path = tmp_path / "a.game"
    path.write_bytes(content)
    with pytest.raises(LogError, match=message):
        read(path)


def test_a_missing_file_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="No such file"):
        read(tmp_path / "none.game")
