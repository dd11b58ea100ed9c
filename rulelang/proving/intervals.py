"""How sure a figure from random games is: 95 % intervals."""

from __future__ import annotations

from math import sqrt

Z = 1.959964                            # a normal variable lies within so many standard deviations 19 times out of 20


def of_share(hits: int, games: int) -> tuple[float, float]:
    """Where the chance lies of what came up in so many of the games: Wilson's interval (E. B. Wilson, Probable
    inference, the law of succession, and statistical inference, 1927)."""
    if games == 0:
        return 0.0, 1.0
    share, more = hits / games, Z * Z / games
    middle, reach = share + more / 2, Z * sqrt(share * (1 - share) / games + more / games / 4)
    return max(0.0, (middle - reach) / (1 + more)), min(1.0, (middle + reach) / (1 + more))


def of_mean(total: int, squares: int, games: int) -> tuple[float, float] | None:
    """Where the mean lies, by the sum of the values and of their squares; None for fewer than two."""
    if games < 2:
        return None
    mean = total / games
    reach = Z * sqrt(max(0.0, (squares - total * mean) / (games - 1) / games))
    return mean - reach, mean + reach
