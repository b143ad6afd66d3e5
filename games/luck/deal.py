"""The luck of a deal for one of its two players: figures of the deck, whatever they then choose.

A player's own stock cards are those that would come if both drew from the stock only: the first,
third, fifth for the non-dealer; the second, fourth, sixth for the dealer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from games.rules.cards import Card, CardSet, card_set
from games.rules.deadwood import best_discard, deadwood_points

OWN_DRAWS: Final = 5
_UPCARD: Final = 20
_STOCK: Final = 21


class Measure(StrEnum):
    """What is measured of a deal; all in points of deadwood."""

    DEALT = "dealt"
    """The deadwood of the ten cards dealt."""
    UPCARD = "upcard"
    """What taking the upcard would save of it, after the best discard; 0 where it is of no use."""
    FIRST = "first"
    """What the first own stock card would save, after the best discard."""
    FIVE = "five"
    """The deadwood left after five own stock cards, each time with the best discard."""


MEASURES: Final = tuple(Measure)
LESS_IS_LUCKIER: Final = frozenset({Measure.DEALT, Measure.FIVE})


@dataclass(frozen=True, slots=True)
class Luck:
    """The measures of a deal for one player, and their first own stock card."""

    dealt: int
    upcard: int
    first: int
    five: int
    card: Card

    def of(self, measure: Measure) -> int:
        """The figure of a measure."""
        figure: int = getattr(self, measure.value)
        return figure


def luck_of(deck: Sequence[Card], *, is_dealer: bool) -> Luck:
    """The luck of the dealer, or of the non-dealer, with this deck (games.rules.deck).

    >>> from games.rules.cards import DECK
    >>> luck_of(DECK, is_dealer=False)
    Luck(dealt=57, upcard=2, first=1, five=43, card=Card['9D'])
    """
    first = 1 if is_dealer else 0
    hand = card_set(deck[first:_UPCARD:2])
    own = deck[_STOCK + first : _STOCK + 2 * OWN_DRAWS : 2]
    dealt = deadwood_points(hand)
    return Luck(
        dealt=dealt,
        upcard=max(0, dealt - _after(hand, deck[_UPCARD], taken=True)[1]),
        first=dealt - _after(hand, own[0])[1],
        five=_after_all(hand, own),
        card=own[0],
    )


def _after(hand: CardSet, card: Card, *, taken: bool = False) -> tuple[CardSet, int]:
    """The hand after a card has come and the best discard has gone, and its deadwood."""
    eleven = hand | card.bit
    thrown, left = best_discard(eleven, card if taken else None)
    return eleven ^ thrown.bit, left


def _after_all(hand: CardSet, cards: Sequence[Card]) -> int:
    left = 0
    for card in cards:
        hand, left = _after(hand, card)
    return left
