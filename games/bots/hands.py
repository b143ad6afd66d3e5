"""What a hand could become: which cards would improve it, and by how much."""

from typing import Final

from games.rules.cards import ALL_CARDS, NO_CARDS, CardSet, card_set
from games.rules.deadwood import best_discard, deadwood_points
from games.rules.view import SeatView

SUIT: Final[CardSet] = 0x1FFF
EVERY_SUIT: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The aces; a set of ranks times this is all the cards of those ranks."""
_NO_ACES: Final[CardSet] = ALL_CARDS ^ EVERY_SUIT


def unseen_by(view: SeatView) -> CardSet:
    """The cards that the viewer has not seen go anywhere: in the stock, or the other's hand."""
    assert view.seat is not None, "a spectator has no hand"
    seen = view.hand | card_set(view.pile) | view.shown[1 - view.seat]
    return ALL_CARDS & ~(seen | _spread_cards(view))


def _spread_cards(view: SeatView) -> CardSet:
    if view.spread is None:
        return NO_CARDS
    return view.spread.deadwood | sum(meld.cards for meld in view.spread.melds)


def pairs(hand: CardSet) -> CardSet:
    """The ranks, as clubs, of which there are two cards or more."""
    clubs, diamonds = hand & SUIT, hand >> 13 & SUIT
    hearts, spades = hand >> 26 & SUIT, hand >> 39
    return clubs & diamonds | hearts & spades | (clubs | diamonds) & (hearts | spades)


def completing(hand: CardSet) -> CardSet:
    """The cards outside the hand that would make a meld with two or more of its cards.

    >>> from games.rules.cards import format_cards, parse_cards
    >>> format_cards(completing(card_set(parse_cards("5H 6H KS KD 9C JC"))))
    'TC KC 4H 7H KH'
    """
    above = hand << 1 & _NO_ACES
    two_above = above << 1 & _NO_ACES
    below = (hand & _NO_ACES) >> 1
    two_below = (below & _NO_ACES) >> 1
    runs = above & two_above | above & below | below & two_below
    return (runs | pairs(hand) * EVERY_SUIT) & ALL_CARDS & ~hand


def improvements(hand: CardSet, unseen: CardSet) -> tuple[int, int]:
    """Count the unseen cards that would lower a hand's deadwood by melding, and sum by how much.

    >>> from games.rules.cards import parse_cards
    >>> hand = card_set(parse_cards("2C 3C 4C 7D 7H 7S 9H 9S KC KD"))
    >>> improvements(hand, completing(hand))
    (9, 154)
    """
    deadwood = deadwood_points(hand)
    count = total = 0
    left = completing(hand) & unseen
    while left:
        bit = left & -left
        left ^= bit
        gain = deadwood - best_discard(hand | bit)[1]
        if gain > 0:
            count += 1
            total += gain
    return count, total
