"""Expressions as explanations show them: in words of the language, not in the names of operations."""

from __future__ import annotations

import re
from pathlib import Path

from rulelang.engine.render import render
from rulelang.loading import load

GAME = """\
rulelang: 1
players: 2
board: {grid: 3x3}
types:
  Kind: [man, king]
  Piece: {owner: Player, kind: Kind}
state:
  at[c of Cell]: Piece or none
  n: 0..9
phases:
  play: {actions: [wait], after: next player}
actions:
  wait: |
    do:
      n += 1
end:
  none: {when: n > 8 and count of moves > 0, then: tie}
invariants:
  a: "{a1, (first c in Cell where n > 3)} within {c in Cell where row of c in n..3}"
  b: at[a1] = Piece(player 1, king) or ray(b2, orthogonal) meets neighbours(a2)
  c: -n < 3 and mirror(b1) = a2
"""


def test_operations_are_shown_in_words_of_the_language(tmp_path: Path) -> None:
    path = tmp_path / "shown.rules"
    path.write_text(GAME, encoding="utf-8")
    game = load(path).model()
    shown = [render(game, e) for _, e in game.invariants] + [render(game, end.when) for end in game.ends]
    assert not re.search(r"[a-z]_[a-z]|rays|neg\(", " ".join(shown)), shown
    assert shown[-1].endswith("count of moves > 0")
    assert "ray(" in shown[1]
