"""What the native engine offers besides playing: perft, playouts, threads, chance asked for and scripted, faults."""

from __future__ import annotations

from pathlib import Path

import pytest
from native_engines import QUICK, engine_of, from_text
from native_same import same_games, same_playouts

from rulelang.engine import PlayFault
from rulelang.loading import load
from rulelang.native.engine import NativeEngine
from rulelang.native.passes import ALL
from rulelang.native.playouts import interpreted
from rulelang.proving.perft import Count, count

COUNTER = """rulelang: 1
game: Counter
players: 2
state:
  total: 0..5
define:
  reached(p of Player): total
phases:
  play:
    actions: [add]
    after: |
      next player
actions:
  add:
    rule: |
      choose n in 1..3
      do:
        total += n
rank: reached
limit: {turns: 100}
"""

HOPS = """rulelang: 1
game: Hops
players: [white, black]
types:
  Kind: [frog, toad, newt]
  Piece: {owner: Player, kind: Kind}
board:
  grid: 5x5
tables:
  ahead[p of Player]: {type: set of Direction, is: ["{north, northeast}", "{south, west}"]}
state:
  at[c of Cell]:
    type: Piece or none
    start: {"Piece(white, frog)": rows 1..1, "Piece(white, toad)": "{a2, b2, c2}", "Piece(white, newt)": "{d2}",
            "Piece(black, frog)": rows 5..5, "Piece(black, toad)": "{c4, d4}", "Piece(black, newt)": "{a4, b4}"}
  hopper: Cell or none
define:
  free: "{c in Cell where at[c] is none}"
  mine: "{c in Cell where owner of at[c] = me}"
  theirs: "{c in Cell where owner of at[c] = opponent}"
  ways(c of Cell): orthogonal if kind of at[c] = newt else ahead[owner of at[c]] if kind of at[c] = frog else all_ways
  all_ways: "{north, south, northwest}"
phases:
  play:
    actions: [hop, walk, rest]
    chain: one move
    after: |
      hopper := none
      next player
    stuck: win opponent
actions:
  hop:
    rule: |
      choose from in mine where hopper is none or from = hopper
      choose to in step2(from, ways(from)) where between(from, to) meets theirs and to in free
      do:
        at[to] := at[from]
        at[from] := none
        for each c in between(from, to): at[c] := none
        hopper := to
        again
  walk:
    rule: |
      require hopper is none
      choose from in mine
      choose to in step(from, ways(from)) where to in free
      do:
        at[to] := at[from]
        at[from] := none
  rest:
    rule: |
      require hopper is not none
      do:
        hopper := none
limit: {turns: 80}
"""


@pytest.mark.parametrize(("game", "depth", "nodes"), [
    ("chess", 3, 8902), ("english_draughts", 5, 7361), ("tic_tac_toe", 4, 3024)])
def test_perft(game: str, depth: int, nodes: int, cache: Path) -> None:
    assert engine_of(load(game), None, cache).perft(depth) == nodes


@pytest.mark.parametrize(("game", "depth"), [("kuhn_poker", 4), ("goofspiel", 3), ("pig", 4)])
def test_perft_counts_chance_and_what_is_chosen_together(game: str, depth: int, cache: Path) -> None:
    rules = load(game)
    begin = rules.interpreter().start(seed=0, ask_chance=True)
    assert engine_of(rules, None, cache).perft(depth) == count(begin, depth).nodes


@pytest.mark.parametrize("walked", [1, 2, 3, 9])
@pytest.mark.parametrize(("game", "depth"), [("tic_tac_toe", 4), ("goofspiel", 3), ("kuhn_poker", 4)])
def test_perft_step_by_step(game: str, depth: int, walked: int, cache: Path) -> None:
    rules = load(game)
    begin = rules.interpreter().start(seed=0, ask_chance=True)
    found = count(engine_of(rules, None, cache).start(ask_chance=True), depth, walked=walked)
    assert found.divided == count(begin, depth).divided and found.nodes == sum(found.divided.values())


def test_what_was_counted_before_an_interruption_stands(cache: Path) -> None:
    def stop(so_far: Count) -> None:
        if so_far.nodes > 500:
            raise KeyboardInterrupt

    found = Count(4)
    with pytest.raises(KeyboardInterrupt):
        count(engine_of(load("tic_tac_toe"), None, cache).start(), 4, found, stop)
    assert 500 < found.nodes < 3024 and not found.complete


def test_playouts_do_not_depend_on_threads(cache: Path) -> None:
    engine = engine_of(load("connect_four"), None, cache)
    one, two = engine.playouts(games=300, threads=1), engine.playouts(games=300, threads=3)
    assert (one.games, one.plies, one.squares, one.ties, one.wins) == (
        two.games, two.plies, two.squares, two.ties, two.wins)
    assert one.games == 300 == one.ties + one.unfinished + sum(one.wins)


@pytest.mark.parametrize("game", [
    "tic_tac_toe", "go", "goofspiel", "breakthrough", "clobber", "reversi", "english_draughts",
    "nine_mens_morris"])
def test_playouts_are_the_interpreters(game: str, cache: Path) -> None:
    rules = load(game)
    native = engine_of(rules, None, cache).playouts(games=3)
    by_interpreter = interpreted(rules.interpreter(), games=3)
    assert (native.plies, native.squares, native.ties, native.wins) == (
        by_interpreter.plies, by_interpreter.squares, by_interpreter.ties, by_interpreter.wins)


@pytest.mark.parametrize("off", [None, "pairs", "kinds"])
def test_playouts_of_chains_are_the_interpreters(off: str | None, cache: Path, tmp_path: Path) -> None:
    rules = from_text(HOPS, tmp_path)
    engine = NativeEngine(rules.machine(), ALL.without(off) if off else ALL, extra=QUICK, folder=cache)
    engine._interpreter = rules.interpreter()
    native, by_interpreter = engine.playouts(games=40), interpreted(rules.interpreter(), games=40)
    assert (native.plies, native.unfinished, native.wins) == (
        by_interpreter.plies, by_interpreter.unfinished, by_interpreter.wins)
    same_games(engine, games=3, most=60)
    same_playouts(engine, games=3, most=60)


def test_chance_can_be_scripted_and_asked_for(cache: Path) -> None:
    rules = load("pig")
    engine = engine_of(rules, None, cache)
    state = engine.start(chance={"die": [5, 3]})
    for text in ("roll", "roll", "hold"):
        state.play(text)
    assert state.get_value("score", ["player 1"]) == 8
    asked = engine.start(ask_chance=True)
    asked.play("roll")
    assert asked.waits_for == "chance" and len(asked.outcomes()) == 6
    asked.resolve(4)
    assert asked.get_value("total") == 4


def test_copies_live_their_own_lives(cache: Path) -> None:
    state = engine_of(load("chess"), None, cache).start()
    other = state.copy()
    other.play("e2e4")
    assert len(state.moves()) == 20 and state.key() != other.key()
    assert [move.text for move in state.moves()] == [move.text for move in load("chess").start().moves()]
    assert state.view(0).values["at"] == load("chess").start().view(0).values["at"]


def test_a_value_that_leaves_its_range_stops_the_game_at_the_rules_place(cache: Path, tmp_path: Path) -> None:
    rules = from_text(COUNTER, tmp_path)
    engine = engine_of(rules, None, cache)
    faults = []
    for state in (rules.start(), engine.start()):
        state.play("add 3")
        with pytest.raises(PlayFault) as caught:
            state.play("add 3")
        faults.append(caught.value.diagnostic)
    assert faults[0] == faults[1]
    with pytest.raises(PlayFault):
        engine.playouts(games=10)


def test_what_has_not_begun_is_nothing_while_the_start_waits(cache: Path, tmp_path: Path) -> None:
    begins = ("  total: {type: 0..5, start: random}\n  bits[i of 1..2]: {type: switch, start: random}\n"
              "  rest: {type: 0..5, start: 3}")
    rules = from_text(COUNTER.replace("  total: 0..5", begins), tmp_path)
    engine = engine_of(rules, None, cache)
    a, b = engine.interpreter.start(seed=0, ask_chance=True), engine.start(seed=0, ask_chance=True)
    waits = 0
    while a.outcomes():
        assert a.key(history=False) == b.key()
        value = a.outcomes()[-1][0]
        a.resolve(value)
        b.resolve(value)
        waits += 1
    assert waits == 3 and a.key(history=False) == b.key()
