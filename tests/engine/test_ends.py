"""What ends a game: conditions that are tested after each move."""

from __future__ import annotations

from pathlib import Path

from rulelang.loading import check, load

GAME = """\
rulelang: 1
players: 2
state:
  heap: {type: 0..9, start: 3}
  made: 0..9
phases:
  play:
    actions: [take]
    after: |
      if heap = 1: go resting
      next player
    stuck: win opponent
  resting:
    actions: [wait]
    after: |
      next player
      go play
actions:
  take: |
    choose n in 1..2 where n <= heap
    do:
      heap -= n
      made += 1
  wait: |
    do:
      made += 0
end:
  counted: {when: made >= 2 and count of moves > 0, then: tie}
limit: {turns: 20}
"""


def test_moves_are_counted_of_whoever_is_next(tmp_path: Path) -> None:
    path = tmp_path / "heap.rules"
    path.write_text(GAME, encoding="utf-8")
    assert not check(path)
    stuck = load(path).start()
    stuck.play("take 1")
    stuck.play("take 2")                     # nothing is left: what `stuck` says comes first
    assert stuck.result is not None and stuck.result.winners == (1,)
    counted = load(path).start()
    counted.play("take 2")                   # goes to another phase, where there is a move
    assert not counted.over and counted.phase == "resting"
    counted.play("wait")
    assert not counted.over
    counted.play("take 1")
    assert counted.result is not None and counted.result.winners == (1,)


def test_moves_are_counted_in_ends_only(tmp_path: Path) -> None:
    path = tmp_path / "heap.rules"
    path.write_text(GAME.replace("n <= heap", "n <= count of moves"), encoding="utf-8")
    assert [d.code for d in check(path)] == ["wrong-form"]


