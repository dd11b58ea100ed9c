"""Intervals against SciPy's, and against how often they hold what they are about."""

from __future__ import annotations

import random
import statistics

import pytest
from scipy.stats import binomtest

from rulelang.proving.intervals import of_mean, of_share


@pytest.mark.parametrize("hits, games", [(0, 1), (1, 1), (0, 50), (50, 50), (3, 10), (4999, 10000), (1, 1_000_000)])
def test_shares_as_scipy_has_them(hits: int, games: int) -> None:
    theirs = binomtest(hits, games).proportion_ci(0.95, method="wilson")
    assert of_share(hits, games) == pytest.approx((theirs.low, theirs.high), abs=1e-6)


def test_nothing_is_known_of_no_games() -> None:
    assert of_share(0, 0) == (0.0, 1.0)
    assert of_mean(0, 0, 0) is None and of_mean(5, 25, 1) is None


def test_means_by_the_standard_deviation() -> None:
    pick = random.Random(1)
    values = [pick.randrange(20, 200) for _ in range(400)]
    low, high = of_mean(sum(values), sum(v * v for v in values), len(values)) or (0, 0)
    assert (low + high) / 2 == pytest.approx(statistics.mean(values))
    assert high - low == pytest.approx(2 * 1.959964 * statistics.stdev(values) / 20)
    assert of_mean(3 * 81, 3 * 81 * 81, 3) == (81, 81)


def test_they_hold_what_they_are_about_in_19_of_20_cases() -> None:
    chance, pick, held = 0.3, random.Random(7), 0
    for _ in range(2000):
        low, high = of_share(sum(pick.random() < chance for _ in range(100)), 100)
        held += low <= chance <= high
    assert 0.93 < held / 2000 < 0.97
