"""How many there are may be seen where what they are may not."""

from pathlib import Path

import pytest

from rulelang.engine import HIDDEN
from rulelang.loading import load

RULES = """players: 2
state:
  hand[p of Player]: {{type: bag of 1..3 up to 3, start: one of each, seen: viewer = p{sizes}}}
phases:
  play: {{actions: [drop], after: next player, stuck: finish}}
actions:
  drop: |
    choose n in kinds of hand[me]
    do:
      hand[me] -= n
limit: {{turns: 9}}
"""


@pytest.mark.parametrize(("sizes", "told"), [
    ("", (None, 3)), (", size seen: on", (3, 3)), (", size seen: off", (None, 3)),
    (", size seen: p = player 1", (3, 3)), (", size seen: p = player 2", (None, 3)),
])
def test_sizes_are_told_to_whom_the_rules_say(tmp_path: Path, sizes: str, told: tuple[int | None, int]) -> None:
    path = tmp_path / "hand.rules"
    path.write_text(RULES.format(sizes=sizes), encoding="utf-8")
    view = load(path).start(2).view(1)
    assert view.values["hand"][0] is HIDDEN
    assert view.sizes["hand"] == told
