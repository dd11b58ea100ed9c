"""Coverage by clause."""

from __future__ import annotations

from pathlib import Path

from rulelang.loading import load
from rulelang.proving.coverage import Covered, random_games

GAMES = Path(__file__).parent.parent / "table" / "games"


def covered(name: str, games: int) -> Covered:
    found = Covered()
    random_games(load(GAMES / f"{name}.rules"), found, games, 1)
    return found


def test_what_random_games_use_is_counted() -> None:
    found = covered("hands", 10)
    counts = {name: by for name, _, by in found.rows()}
    assert found.games == 10 and not found.stopped
    assert counts["action play, c"]["held"] > 0
    assert all(by.get("ran", 1) for name, by in counts.items() if name != "clock, out")


def test_what_made_no_difference_is_named_once_with_its_place() -> None:
    silent = covered("dice", 10).silent()
    assert len({(place, name) for name, place, _ in silent}) == len(silent)
    assert ("action roll, early", "never failed") in [(name, what) for name, _, what in silent]
    assert all(place.file.endswith("dice.rules") for _, place, _ in silent)


def test_the_same_seed_counts_the_same() -> None:
    assert covered("dice", 5).rows() == covered("dice", 5).rows()


def test_games_that_a_fault_stops_are_told() -> None:
    found = covered("broken", 3)
    assert (found.games, found.stopped) == (3, 3)
    assert found.fault is not None and found.fault.diagnostic.place.line == 14


def test_each_number_of_players_has_its_turn() -> None:
    calls: list[int] = []
    random_games(load(GAMES / "hands.rules"), Covered(), 4, 1, calls.append)
    assert calls == [1, 2, 3, 4]
