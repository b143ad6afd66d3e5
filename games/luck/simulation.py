"""Dealing very often, to see what a fair deck does."""

import random
from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from games.luck.deal import MEASURES, Luck, Measure, luck_of
from games.rules.cards import DECK


@dataclass
class Simulation:
    """What was counted on so many deals, both players of each."""

    seed: int
    deals: int = 0
    counts: dict[Measure, Counter[int]] = field(
        default_factory=lambda: {measure: Counter() for measure in MEASURES}
    )
    products: Counter[Measure] = field(default_factory=Counter)

    def add(self, one: Luck, other: Luck) -> None:
        """Count a deal."""
        self.deals += 1
        for measure in MEASURES:
            figures = one.of(measure), other.of(measure)
            self.counts[measure].update(figures)
            self.products[measure] += figures[0] * figures[1]

    def to_mapping(self) -> dict[str, Any]:
        """As `games.luck.fair` reads it."""
        return {
            "seed": self.seed,
            "deals": self.deals,
            "between": {measure: self._between(measure) for measure in MEASURES},
            "counts": {
                measure: [self.counts[measure][n] for n in range(max(self.counts[measure]) + 1)]
                for measure in MEASURES
            },
        }

    def _between(self, measure: Measure) -> float:
        counted = self.counts[measure]
        hands = 2 * self.deals
        mean = sum(n * count for n, count in counted.items()) / hands
        variance = sum(n * n * count for n, count in counted.items()) / hands - mean**2
        return round((self.products[measure] / self.deals - mean**2) / sqrt(variance) ** 2, 4)


def simulate(seed: int, deals: int) -> Simulation:
    """Shuffle and deal so often, the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311 (a table of figures, no deal that is played)
    simulation, deck = Simulation(seed), list(DECK)
    for _ in range(deals):
        chance.shuffle(deck)
        simulation.add(luck_of(deck, is_dealer=False), luck_of(deck, is_dealer=True))
    return simulation
