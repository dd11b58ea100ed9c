"""Small games whose outcome is known, solved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulelang.loading import load
from rulelang.proving.solve import Solution, SolveError, solve

ROOT = Path(__file__).parents[2]
DRAFTS = ROOT / "tests" / "drafts"


ENGINES = pytest.mark.parametrize("engine", ["interpreter", "native"])
SLOW = pytest.mark.slow


def solved(file: str, engine: str, **options: int) -> Solution:
    """A game with options, solved."""
    rules = load(ROOT / file, options=options)
    return solve(rules.start(), engine=rules.native() if engine == "native" else None)


def by_both(*cases: tuple[int, ...], native: tuple[tuple[int, ...], ...] = ()) -> list[Any]:
    """Cases for both engines, and those that only the native one does in short time."""
    return [*(("interpreter", *case) for case in cases), *(("native", *case) for case in cases + native),
            *(pytest.param("interpreter", *case, marks=SLOW) for case in native[:2])]


@ENGINES
def test_noughts_and_crosses_is_a_draw(engine: str) -> None:
    found = solved("rules/tic_tac_toe.rules", engine)
    assert (found.value, found.winner, len(found.line)) == (0, "", 9)
    assert solved("examples/misere_tic_tac_toe.rules", engine).value == 0


@pytest.mark.parametrize(("engine", "size"), by_both((2,), (3,), native=((4,),)))
def test_the_first_player_wins_hex(engine: str, size: int) -> None:
    """As John Nash proved for every size."""
    found = solved("rules/hex.rules", engine, size=size)
    assert found.winner == "red" and len(found.line) % 2 == 1


def test_the_second_player_wins_hex_with_taking_over() -> None:
    assert solve(load(ROOT / "rules/hex.rules", options={"size": 3, "swap": "on"}).start()).winner == "blue"


@pytest.mark.parametrize(("engine", "wide", "high", "value"), by_both(
    (4, 4, 0), native=((5, 4, 0), (4, 5, 0), (4, 6, 0), (6, 4, -1))))
def test_connect_four_on_small_frames(engine: str, wide: int, high: int, value: int) -> None:
    """J. Tromp's table of solved frames."""
    assert solved("rules/connect_four.rules", engine, wide=wide, high=high).value == value


@SLOW
@pytest.mark.parametrize(("wide", "high", "value"), [(5, 5, 0), (7, 4, 0), (5, 6, 0)])
def test_connect_four_on_larger_frames(wide: int, high: int, value: int) -> None:
    """The same table."""
    assert solved("rules/connect_four.rules", "native", wide=wide, high=high).value == value


KALAH = {1: "DLWLWD", 2: "WLLLWW", 3: "DWWWWL"}     # by pits and seeds: what the first player can reach


@pytest.mark.parametrize(("engine", "pits", "seeds"), by_both(
    *((1, n) for n in range(1, 7)), *((2, n) for n in range(1, 7)), (3, 1), (3, 2),
    native=((3, 3), (3, 4), (3, 5), (3, 6))))
def test_kalah(engine: str, pits: int, seeds: int) -> None:
    """G. Irving, J. Donkers, J. Uiterwijk, Solving Kalah, 2000, table 2."""
    assert solved("rules/kalah.rules", engine, pits=pits, seeds=seeds).value == "LDW".index(KALAH[pits][seeds - 1]) - 1


@pytest.mark.parametrize(("file", "options"), [
    ("rules/hex.rules", {"size": 3}), ("rules/kalah.rules", {"pits": 2, "seeds": 3}), ("rules/tic_tac_toe.rules", {})])
def test_both_engines_agree_on_every_first_move(file: str, options: dict[str, int]) -> None:
    rules = load(ROOT / file, options=options)
    one, other = (solve(rules.start(), every_move=True, engine=engine) for engine in (None, rules.native()))
    assert one.moves == other.moves and one.value == other.value and one.line == other.line


def test_what_each_first_move_is_worth() -> None:
    found = solve(load(ROOT / "rules/hex.rules", options={"size": 2}).start(), every_move=True)
    assert found.moves == {"a1": -1, "b1": 1, "a2": 1, "b2": -1}


@pytest.mark.parametrize(("file", "why"), [
    (DRAFTS / "kakuzu.rules", "chance"), (ROOT / "rules/backgammon.rules", "chance"),
    (DRAFTS / "goofspiel.rules", "at once"), (DRAFTS / "hearts.rules", "4"),
])
def test_other_games_are_refused(file: Path, why: str) -> None:
    with pytest.raises(SolveError, match=why):
        solve(load(file).start())


CIRCLE = """\
rulelang: 1
players: 2
state:
  n: 0..2
  enough: switch
phases:
  play:
    actions: [step]
    after: next player
actions:
  step: |
    choose k in 0..2 where k != n
    do:
      n := k
      enough := off
end:
  never: {when: enough, then: tie}
"""


def test_a_game_that_goes_in_a_circle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "circle.rules"
    path.write_text(CIRCLE, encoding="utf-8")
    rules = load(path)
    for engine in (None, rules.native()):
        with pytest.raises(SolveError, match="come back to a position"):
            solve(rules.start(), engine=engine)
