"""One mistake in a whole game is told once: what was declared wrongly is there, and nothing follows from it."""

import shutil
from pathlib import Path

import pytest

from rulelang.loading import builtin_folder, check

# a game, what is written in it instead of what, and the codes of all that is told
COLORS, KEPT = "Color: [gray, white, purple, black]", "kept[p of Player]: 0..81"
MISTAKES = [
    ("blox", COLORS, "Color: [gray, white, purple, black, gray]", ["twice-named"]),
    ("blox", COLORS, "Color: [gray, white, purple, black, 7up]", ["not-a-name"]),
    ("blox", COLORS, "Color: [gray, white, purple, black, joker]", ["name-taken"]),
    ("blox", COLORS, "Color: gray, white, purple, black", ["syntax"]),
    ("blox", "include:", "incldue:", ["unknown-key"]),
    ("blox", "{board: parts", "{bord: parts", ["unknown-key"]),
    ("blox", "blox_board.rules}", "other.rules}", ["unreadable"]),
    ("blox", "types:", "typs:", ["unknown-key"]),
    ("blox", "seen: viewer = p", "seen: me = p", ["no-me"]),
    ("blox", "seen: viewer = p", "seen: me", ["no-me"]),
    ("kakuzu", "grid: 9x9", "grid: 10*10", ["wrong-board"]),
    ("kakuzu", "grid: 9x9", "grid: 99x9", ["wrong-board"]),
    ("kakuzu", "grid: 9x9", "grid: 9x9x", ["syntax"]),
    ("kakuzu", "grid: 9x9", "grd: 9x9", ["unknown-key"]),
    ("kakuzu", "grid: 9x9", "grid: 9x9\n  spaces: row = x", ["unknown-name"]),
    ("kakuzu", "areas: {boxes", "area: {boxes", ["unknown-key"]),
    ("kakuzu", KEPT, "kept[p Player]: 0..81", ["syntax"]),
    ("kakuzu", KEPT, "kept[p of Playr]: 0..81", ["unknown-type"]),
    ("kakuzu", KEPT, "kpet[p of Player]: 0..81", ["unknown-name"]),
    ("kakuzu", "Digit: 1..9", "Digt: 1..9", ["unknown-type"]),
    ("kakuzu", "state:", "stte:", ["unknown-key"]),
    ("kakuzu", "define:", "things:", ["unknown-key"]),
    ("kakuzu", "go picking", "go pikcing", ["unknown-name", "unknown-name"]),
    ("chess", "board:", "bord:", ["unknown-key"]),
    ("chess", "grid: 8x8", "grid: 8*8", ["wrong-board"]),
    ("chess", "grid: 8x8", "hexes: 8x8 rombus", ["wrong-board"]),
]


@pytest.mark.parametrize(("game", "old", "new", "codes"), MISTAKES, ids=[f"{m[0]}: {m[2]}" for m in MISTAKES])
def test_nothing_follows_from_a_mistake(tmp_path: Path, game: str, old: str, new: str, codes: list[str]) -> None:
    folder = builtin_folder()
    assert folder is not None
    shutil.copytree(folder / "parts", tmp_path / "parts")
    text = (folder / f"{game}.rules").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "it.rules").write_text(text.replace(old, new), encoding="utf-8")
    found = check(tmp_path / "it.rules")
    assert [d.code for d in found] == codes, "\n".join(f"{d.place}: {d.message}" for d in found)


def test_a_name_that_nothing_has_is_told_once_with_its_other_lines(tmp_path: Path) -> None:
    (tmp_path / "it.rules").write_text("""\
players: 2
state: {kpet: 0..9}
phases: {play: {actions: [add]}}
actions:
  add: |
    require kept < 9
    do:
      kept += 1
      if kept = 5: finish
      if kept = 6: kept := kept + 2
""", encoding="utf-8")
    (first,) = [d for d in check(tmp_path / "it.rules") if d.code == "unknown-name"]
    assert (first.place.line, first.place.column) == (6, 13)
    assert first.notes == (("it stands in 5 other places, in lines 8, 9, 10", None),)
