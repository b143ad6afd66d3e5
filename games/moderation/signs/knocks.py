"""Unusual timing of knocks: gin, or an early end, more often than cards and skill explain.

Who sees hidden cards, or is handed them, ends rounds so. And the other way: whoever holds gin and
does not show it plays to lose.
"""

from typing import Final

from games.moderation.signs.figures import Figures, chance_of

GIN_RATE: Final = 0.15
EARLY_RATE: Final = 0.12
"""Of the rounds that somebody plays: more than the honest players who do it most
(docs/moderation.md)."""

LET_GO_FROM: Final = 3


def gins(figures: Figures) -> float:
    """How likely so much gin is in honest play; below `RARE` it is a signal."""
    return chance_of(figures.gins, figures.rounds, GIN_RATE)


def early_ends(figures: Figures) -> float:
    """How likely so many rounds ended by the third turn are; below `RARE` it is a signal."""
    return chance_of(figures.early, figures.rounds, EARLY_RATE)


def let_go(figures: Figures) -> int:
    """How often they held gin and played on; from `LET_GO_FROM` on it is a signal."""
    return figures.let_go
