"""What was seen against what a fair deck would do, honestly.

An interval is the normal approximation with the table's own variance, wide enough that of a page
with `LOOKS` of them all hold the true value in 19 of 20 cases (Bonferroni). Under `LEAST_DEALS`
deals nothing is claimed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Final

from games.luck.deal import LESS_IS_LUCKIER, MEASURES, Measure
from games.luck.fair import fair

LEAST_DEALS: Final = 30
LEAST_EXPECTED: Final = 5
"""A count of cards by kind says something from so many of each kind on."""

LOOKS: Final = len(MEASURES) + 2
"""What a page asks at once: each measure, and whether ranks and suits come evenly."""


def sureness(looks: int = LOOKS) -> float:
    """How many standard errors an interval reaches to each side, of so many on one page.

    >>> round(sureness(1), 2), round(sureness(), 2)
    (1.96, 2.64)
    """
    return NormalDist().inv_cdf(1 - 0.05 / (2 * looks))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A mean that was seen, what a fair deck's would be, and half the width of the interval."""

    measure: Measure
    deals: int
    seen: float
    fair: float
    margin: float

    @property
    def is_enough(self) -> bool:
        """Whether anything may be said."""
        return self.deals >= LEAST_DEALS

    @property
    def is_fair(self) -> bool:
        """Whether the fair value is within the interval."""
        return abs(self.seen - self.fair) <= self.margin

    @property
    def is_lucky(self) -> bool:
        """Whether it is on the better side of fair."""
        return (self.seen < self.fair) == (self.measure in LESS_IS_LUCKIER)


def compare(
    measure: Measure, *, total: int, deals: int, both_seats: bool = False, looks: int = LOOKS
) -> Comparison:
    """Compare a sum over so many hands, as one of so many looks.

    `both_seats`: they are both hands of each deal.
    """
    known = fair(measure)
    if not deals:
        return Comparison(measure, 0, known.mean, known.mean, 0.0)
    # The hands of one deal are not independent, and the table itself is a sample.
    shared = 1 + known.between if both_seats else 1.0
    error = known.deviation * sqrt(shared / deals + 1 / known.total)
    return Comparison(measure, deals, total / deals, known.mean, sureness(looks) * error)


@dataclass(frozen=True, slots=True)
class Evenness:
    """Whether cards of each kind came equally often; `z` as of a normal value, great if not."""

    counts: tuple[int, ...]
    z: float

    @property
    def is_enough(self) -> bool:
        """Whether anything may be said."""
        return sum(self.counts) >= LEAST_EXPECTED * len(self.counts)

    @property
    def is_fair(self) -> bool:
        """Whether chance alone does so often enough."""
        return self.z <= NormalDist().inv_cdf(1 - 0.05 / LOOKS)


def evenness(counts: Sequence[int]) -> Evenness:
    """Chi-square against equal shares, made a normal value by Wilson and Hilferty.

    >>> round(evenness([25, 25, 25, 25]).z, 1), round(evenness([40, 20, 20, 20]).z, 1)
    (-3.4, 2.4)
    """
    total, degrees = sum(counts), len(counts) - 1
    expected = total / len(counts)
    square = sum((count - expected) ** 2 for count in counts) / expected if total else 0.0
    scale = 2 / (9 * degrees)
    return Evenness(tuple(counts), ((square / degrees) ** (1 / 3) - (1 - scale)) / sqrt(scale))
