"""Glicko-2: how strong a player is, how sure that is, and how steady (Glickman, 2013).

Pure numbers, no clock and no database. The scale is the familiar one: 1500 for who is new, a
deviation of 350, and two thirds of all results within one deviation. The paper rates a player's
results of a period together; here every series is a period of its own, and the time that passes
without one is counted in periods (`idle`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

SCALE: Final = 173.7178  # points of the familiar scale in one of the paper's
TAU: Final = 0.5  # how fast the volatility may change; the paper suggests 0.3 to 1.2
SMALL: Final = 1e-6  # the paper's tolerance for the new volatility

LEAST_DEVIATION: Final = 45.0
MOST_DEVIATION: Final = 350.0
SURE_BELOW: Final = 110.0  # a rating less sure than this is provisional


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength, its standard deviation, and how much it wavers."""

    value: float = 1500.0
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known to compare it with others."""
        return self.deviation >= SURE_BELOW


@dataclass(frozen=True, slots=True)
class Result:
    """What a player did against an opponent: 1 for a win, 0 for a loss, ½ for a shared series."""

    opponent: Rating
    score: float


def idle(rating: Rating, periods: float) -> Rating:
    """The rating after so many periods without a result: the same, but less sure.

    >>> round(idle(Rating(1500, 50, 0.06), 100).deviation, 1)
    115.6
    """
    spread = math.hypot(rating.deviation / SCALE, rating.volatility * math.sqrt(periods))
    return Rating(rating.value, min(spread * SCALE, MOST_DEVIATION), rating.volatility)


def rated(rating: Rating, results: Sequence[Result]) -> Rating:
    """The rating after a period with these results (the paper's steps 3 to 8).

    >>> after = rated(Rating(1500, 200, 0.06), [Result(Rating(1400, 30), 1.0)])
    >>> round(after.value), round(after.deviation)
    (1564, 175)
    """
    if not results:
        return idle(rating, 1)
    here, deviation = (rating.value - 1500) / SCALE, rating.deviation / SCALE
    information = surprise = 0.0
    for result in results:
        weight = _weight(result.opponent.deviation / SCALE)
        chance = _chance(here - (result.opponent.value - 1500) / SCALE, weight)
        information += weight * weight * chance * (1 - chance)
        surprise += weight * (result.score - chance)
    variance = 1 / information
    volatility = _volatility(rating.volatility, deviation, variance, variance * surprise)
    before = deviation * deviation + volatility * volatility
    after = 1 / math.sqrt(1 / before + information)
    return Rating(
        value=(here + after * after * surprise) * SCALE + 1500,
        deviation=min(max(after * SCALE, LEAST_DEVIATION), MOST_DEVIATION),
        volatility=volatility,
    )


def expected_score(rating: Rating, opponent: Rating) -> float:
    """The chance that the first wins against the second, with both deviations counted.

    >>> round(expected_score(Rating(1700, 60), Rating(1500, 60)), 2)
    0.75
    """
    weight = _weight(math.hypot(rating.deviation, opponent.deviation) / SCALE)
    return _chance((rating.value - opponent.value) / SCALE, weight)


def _weight(deviation: float) -> float:
    """The paper's g: how much a result against somebody of this deviation says."""
    return 1 / math.sqrt(1 + 3 * deviation * deviation / (math.pi * math.pi))


def _chance(lead: float, weight: float) -> float:
    """The paper's E."""
    return 1 / (1 + math.exp(-weight * lead))


def _volatility(old: float, deviation: float, variance: float, improvement: float) -> float:
    """The paper's step 5: the root of its f, by the Illinois method."""
    start = math.log(old * old)

    def f(x: float) -> float:
        spread = deviation * deviation + variance + math.exp(x)
        gain = math.exp(x) * (improvement * improvement - spread)
        return gain / (2 * spread * spread) - (x - start) / (TAU * TAU)

    low = start
    if improvement * improvement > deviation * deviation + variance:
        high = math.log(improvement * improvement - deviation * deviation - variance)
    else:
        steps = 1
        while f(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > SMALL:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
