"""Choices listed once for each value of a property, sights, looking ahead: in a game of their own, with and without."""

from __future__ import annotations

from pathlib import Path

import pytest
from native_engines import QUICK, from_text
from native_same import same_games, same_playouts

from rulelang.native.engine import NativeEngine
from rulelang.native.passes import ALL

STAMPS = """rulelang: 1
game: Stamps
players: 2
board:
  grid: %s
  letters: {R: red, G: green, B: blue}
  paint:
    color: {type: Color, rows: [%s]}
types:
  Color: [red, green, blue]
components:
  card: {kinds: Color, each: 9}
state:
  mark[c of Cell]: Player or none
  hand[p of Player]: bag of card up to 8
  pile: {type: bag of card, start: one of each}
  wild[p of Player]: {type: switch, start: on}
  points[p of Player]: 0..999
define:
  taken: "{c in Cell where mark[c] is not none}"
  pays(cost of bag of card, w of Color or none): hand[me] holds cost without w and (w is none or wild[me])
setup: |
  for each p in Player: deal 4 from pile to hand[p]
phases:
  act:
    actions: [stamp, jump, take, swap, trade]
    after: |
      deal 4 - count of hand[me] from pile to hand[me]
      next player
actions:
  stamp:
    rule: |
      choose to in Cell where to not in taken
      require near: neighbours(to) meets taken or count of taken < 3 "far from all others"
      choose n in 1..3 where n < 3 or color[to] is not red
      choose w in {color[to]} or none
      require card: pays(copies(n, color[to]), w) "you cannot pay"
      do:
        move copies(n, color[to]) without w from hand[me] to pile
        if w is not none: wild[me] := off
        mark[to] := me
        points[me] += n
  jump:
    rule: |
      choose from in {c in Cell where mark[c] = me}
      choose to in ray(from, %s) where to not in taken
      require clear: not (between(%s) meets taken) "something stands between"
      choose loud in {on} or none where loud is none or color[to] is blue
      require enough: loud is none or points[me] > 0 "too quiet"
      do:
        mark[from] := none
        mark[to] := me
        if loud is on: points[me] -= 1
  take:
    rule: |
      choose from in {c in Cell where mark[c] = me}
      choose to in ray(from, orthogonal) where to in taken and mark[to] is not me
      require clear: not (between(from, to) meets taken) "something stands between"
      require path: no c in between(from, to) has color[c] = color[to] "of its color"
      do:
        mark[from] := none
        mark[to] := me
        points[me] += 2
  swap:
    rule: |
      choose 1..2 from hand[me] as given
      choose wake in ({on} if not wild[me] else empty) or none
      do:
        move given from hand[me] to pile
        if wake is on: wild[me] := on
  trade:
    rule: |
      choose at in {c in Cell where mark[c] = me}
      choose 2..3 from hand[me] as used
      require alike: count of kinds of used = 1 "not of one color"
      choose w in kinds of used or none
      require woken: w is none or wild[me] "it sleeps"
      do:
        move used without w from hand[me] to pile
        if w is not none: wild[me] := off
        mark[at] := none
        points[me] += count of used
      ensure left_over: count of taken > 1 "the last one"
rank: points
limit: {turns: 80}
"""


ROWS = ["RGBRR", "GGBRB", "BRGBG", "RBGRR"]
WIDE = [3 * ROWS[n % 4] for n in range(10)]                     # more than 128 cells


@pytest.mark.parametrize(("ways", "between"), [("orthogonal", "from, to"), ("directions", "to, from")])
def test_they_are_the_interpreters(ways: str, between: str, cache: Path, tmp_path: Path) -> None:
    rules = from_text(STAMPS % ("5x4", ", ".join(ROWS), ways, between), tmp_path)
    whole = NativeEngine(rules.machine(), extra=QUICK, folder=cache)
    for name, mark in (("tails", "tail_"), ("sights", "behind_"), ("ahead", "rest_a")):
        part = NativeEngine(rules.machine(), ALL.without(name), extra=QUICK, folder=cache)
        assert mark in whole.program.text and mark not in part.program.text
        assert same_games(part, games=3, most=90) > 60
    assert same_games(whole, games=8, most=90) > 300
    same_playouts(whole, games=4)


def test_they_work_on_wide_sets(cache: Path, tmp_path: Path) -> None:
    text = STAMPS % ("15x10", ", ".join(WIDE), "orthogonal", "from, to")
    path = '      require path: no c in between(from, to) has color[c] = color[to] "of its color"\n'
    assert path in text                                                     # which is too large a table here
    engine = NativeEngine(from_text(text.replace(path, ""), tmp_path).machine(), extra=QUICK, folder=cache)
    assert same_games(engine, games=2, most=90) > 60
    same_playouts(engine, games=1)
