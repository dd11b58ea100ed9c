"""Turns of several steps, counted without making every step: the same as the interpreter counts, faults too."""

from __future__ import annotations

from pathlib import Path

import pytest
from native_engines import QUICK, from_text
from native_same import same_playouts

from rulelang.engine import PlayFault
from rulelang.loading import load
from rulelang.native.engine import NativeEngine
from rulelang.native.passes import ALL, Passes
from rulelang.native.playouts import Player

RACE = """rulelang: 1
game: Race
players: 2
types:
  Die: 1..3
board:
  track: 8
state:
  men[p of Player, c of Cell]: {type: 0..%d, start: {player 1: {8: 2, 6: 2, 5: 1}, player 2: {1: 2, 3: 2, 4: 1}}}
  home[p of Player]: 0..5
  hits[p of Player]: 0..2
  dice: bag of Die up to 4
  used: 0..4
  rolled[i of 1..2]: Die
define:
  point(p of Player, n of 1..8): n if p = player 1 else 9 - n
  free(n of 1..8): men[opponent, point(me, n)] < 2
phases:
  rolling:
    begin: |
      roll rolled
      dice := {rolled[1], rolled[2]}
      if rolled[1] = rolled[2]: dice := copies(4, rolled[1])
      used := 0
      go moving
  moving:
    actions: [move, leave]
    chain: one move
    best: [used]
    after: |
      if dice is empty: end turn
      again
    stuck: end turn
turn:
  starts: rolling
actions:
  move:
    rule: |
      choose n in 1..8 where men[me, point(me, n)] > 0
      choose d in kinds of dice where d < n
      require free: free(n - d)
      do:
        men[me, point(me, n)] -= 1
        men[me, point(me, n - d)] += 1
        if men[opponent, point(me, n - d)] = 1:
          men[opponent, point(me, n - d)] := 0
          men[opponent, point(opponent, 8)] += 1
          hits[me] += 1
        spend(d)
  leave:
    rule: |
      require late: no k in 4..8 has men[me, point(me, k)] > 0
      choose n in 1..3 where men[me, point(me, n)] > 0
      choose d in kinds of dice where d >= n
      do:
        men[me, point(me, n)] -= 1
        home[me] += 1
        spend(d)
        if home[me] = 5: finish
steps:
  spend(d of Die): |
    dice -= {d}
    used += 1
rank: home
limit: {turns: 60}
"""


def playouts_with_faults(engine: NativeEngine, games: int) -> int:
    """Random playouts by both engines, each to its end or its fault; how many ended with a fault."""
    player, faults = Player(engine.interpreter), 0
    for seed in range(games):
        state, stream, native = engine.interpreter.start(seed=seed), Player.stream(seed), engine.start(seed=seed)
        drawn = 0
        while not state.over:
            assert state.key(history=False) == native.key()
            try:
                state.play(player.choose(state, stream))
            except PlayFault as fault:
                with pytest.raises(PlayFault) as caught:
                    native.playout_step(seed, drawn)
                assert caught.value.diagnostic.code == fault.diagnostic.code
                faults += 1
                break
            drawn = native.playout_step(seed, drawn)
    return faults


@pytest.mark.parametrize("passes", [ALL, ALL.without("ways"), ALL.without("bounds")], ids=["all", "steps", "entries"])
@pytest.mark.parametrize("most", [5, 2])
def test_turns_are_counted_alike_and_steps_that_are_faults_are_made(
        most: int, passes: Passes, cache: Path, tmp_path: Path) -> None:
    rules = from_text(RACE % most, tmp_path)
    engine = NativeEngine(rules.machine(), passes, extra=QUICK, folder=cache)
    engine._interpreter = rules.interpreter()
    assert playouts_with_faults(engine, 15) > 0


@pytest.mark.parametrize("name", ["ways", "bounds"])
@pytest.mark.parametrize("game", ["backgammon", "kalah"])
def test_games_without_these_passes(game: str, name: str, cache: Path) -> None:
    rules = load(game)
    engine = NativeEngine(rules.machine(), ALL.without(name), extra=QUICK, folder=cache)
    engine._interpreter = rules.interpreter()
    same_playouts(engine, games=1, most=12)
