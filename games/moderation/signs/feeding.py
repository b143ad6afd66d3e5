"""Discards that feed: more of them go into the other's melds than honest play explains."""

from typing import Final

from games.moderation.signs.figures import Figures, chance_of

RATE: Final = 0.21
"""The share of open discards that go straight into a meld of the other, among the honest players
who do it most (docs/moderation.md)."""


def feeding(figures: Figures) -> float:
    """How likely it is in honest play to feed the other so much; below `RARE` it is a signal."""
    return chance_of(figures.fed, figures.discards, RATE)
