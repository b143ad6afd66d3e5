"""What a round scores, and how it ended (docs/rules.md, sections 6, 11, 13 and 14)."""

from dataclasses import dataclass
from enum import StrEnum

from games.rules.cards import Card
from games.rules.options import Options


class Ending(StrEnum):
    """How a round ended."""

    GIN = "gin"
    BIG_GIN = "big gin"
    KNOCK = "knock"
    UNDERCUT = "undercut"
    DRAWN = "drawn"
    RESIGNED = "resigned"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How a round ended, who scores, and the sum: `(bonus + difference) * multiplier == points`.

    `winner` and `knocker` are seats. The deadwood is what was counted: the knocker's as spread,
    the defender's after lay-offs; both are None where nobody knocked, or where it was not told of a
    round that was entered by hand.
    """

    kind: Ending
    winner: int | None = None
    bonus: int = 0
    difference: int = 0
    multiplier: int = 1
    knocker: int | None = None
    knocker_deadwood: int | None = None
    defender_deadwood: int | None = None

    @property
    def points(self) -> int:
        """What the winner scores; 0 where nobody does."""
        return (self.bonus + self.difference) * self.multiplier


DRAWN_ROUND = RoundResult(Ending.DRAWN)
"""Nobody scores: the stock or the take limit has run out."""

VOID_ROUND = RoundResult(Ending.VOID)
"""Broken off because the series ended; it counts for nothing (section 14)."""


def score_knock(
    options: Options, upcard: Card, *, knocker: int, knocker_deadwood: int, defender_deadwood: int
) -> RoundResult:
    """Score a knock: gin where k is 0, an undercut where the defender has no more than k.

    `upcard` is the first upcard of the round, for the options that look at it.

    >>> from games.rules.cards import Card
    >>> score_knock(
    ...     Options(), Card["KD"], knocker=0, knocker_deadwood=8, defender_deadwood=3
    ... ).points
    15
    """
    if knocker_deadwood == 0:
        kind, winner, bonus = Ending.GIN, knocker, options.gin
    elif knocker_deadwood < defender_deadwood:
        kind, winner, bonus = Ending.KNOCK, knocker, 0
    else:
        kind, winner, bonus = Ending.UNDERCUT, 1 - knocker, options.undercut
    return RoundResult(
        kind,
        winner,
        bonus,
        abs(defender_deadwood - knocker_deadwood),
        options.multiplier_for(upcard),
        knocker,
        knocker_deadwood,
        defender_deadwood,
    )


def score_big_gin(
    options: Options, upcard: Card, *, knocker: int, defender_deadwood: int
) -> RoundResult:
    """Score eleven melded cards: the big gin bonus in place of the gin bonus (section 13)."""
    return RoundResult(
        Ending.BIG_GIN,
        knocker,
        options.big_gin,
        defender_deadwood,
        options.multiplier_for(upcard),
        knocker,
        0,
        defender_deadwood,
    )


def score_resignation(
    options: Options, upcard: Card, *, resigner: int, deadwood: int
) -> RoundResult:
    """Score a resigned round: the gin bonus and the resigner's least deadwood (section 14)."""
    return RoundResult(
        Ending.RESIGNED,
        1 - resigner,
        options.gin,
        deadwood,
        options.multiplier_for(upcard),
    )
