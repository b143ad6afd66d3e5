"""A fair deck's distribution of each measure: the table that `python -m games.luck` has made."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import sqrt
from pathlib import Path
from typing import Any, Final

from games.luck.deal import MEASURES, Measure

PATH: Final = Path(__file__).parent / "figures.json"


@dataclass(frozen=True)
class Distribution:
    """How often each figure came up, from 0 on, and how the two players of a deal hang together.

    `between` is the correlation of the two players' figures: who shares a deck shares its cards.
    """

    counts: Sequence[int]
    between: float = 0.0

    @cached_property
    def total(self) -> int:
        """How many hands it was counted on."""
        return sum(self.counts)

    @cached_property
    def mean(self) -> float:
        return sum(n * count for n, count in enumerate(self.counts)) / self.total

    @cached_property
    def deviation(self) -> float:
        """The standard deviation."""
        squares = sum(n * n * count for n, count in enumerate(self.counts)) / self.total
        return sqrt(squares - self.mean**2)

    def below(self, figure: int) -> float:
        """The share of hands with less than this, and half of those with just this.

        >>> Distribution([1, 2, 1]).below(1)
        0.5
        """
        same = self.counts[figure] if figure < len(self.counts) else 0
        return (sum(self.counts[:figure]) + same / 2) / self.total

    def by_tens(self) -> tuple[float, ...]:
        """The share of each ten points: 0 to 9, 10 to 19 … 90 and more."""
        tens = [sum(self.counts[ten : ten + 10]) for ten in range(0, 90, 10)]
        return tuple(count / self.total for count in (*tens, sum(self.counts[90:])))


@dataclass(frozen=True)
class Table:
    """All of it, with how it was made."""

    seed: int
    deals: int
    of: Mapping[Measure, Distribution]


@cache
def fair_table() -> Table:
    """The table that is shipped."""
    told: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    of = {
        measure: Distribution(tuple(told["counts"][measure]), told["between"][measure])
        for measure in MEASURES
    }
    return Table(told["seed"], told["deals"], of)


def fair(measure: Measure) -> Distribution:
    """What a fair deck does, by one measure."""
    return fair_table().of[measure]
