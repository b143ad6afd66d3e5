"""Melds, and hands arranged as melds and deadwood. `docs/rules.md`, sections 1 and 5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from games.rules.cards import (
    DECK,
    NO_CARDS,
    Card,
    CardSet,
    card_set,
    cards_in,
    format_cards,
    parse_cards,
    points_of,
)

# Deadwood goes with melds: its functions can be imported from here as well.
from games.rules.deadwood import best_discard as best_discard
from games.rules.deadwood import best_melds
from games.rules.deadwood import deadwood_points as deadwood_points
from games.rules.deadwood import is_big_gin as is_big_gin
from games.rules.deadwood import knock_discards as knock_discards
from games.rules.errors import IllegalAction, UnreadableInput


class MeldKind(StrEnum):
    """The two kinds of meld."""

    SET = "set"
    RUN = "run"


def _set_masks() -> Iterator[CardSet]:
    for rank in range(13):
        four = sum(1 << 13 * suit + rank for suit in range(4))
        yield four
        yield from (four ^ card.bit for card in cards_in(four))


def _run_masks() -> Iterator[CardSet]:
    for suit in range(4):
        for start in range(11):
            for length in range(13 - start, 2, -1):
                yield ((1 << length) - 1) << 13 * suit + start


_KINDS: dict[CardSet, MeldKind] = {
    **dict.fromkeys(_set_masks(), MeldKind.SET),
    **dict.fromkeys(_run_masks(), MeldKind.RUN),
}

# By a meld's cards: the cards of which any one would make it a larger meld.
_FITS: dict[CardSet, CardSet] = dict.fromkeys(_KINDS, NO_CARDS)
for _larger in _KINDS:
    for _card in cards_in(_larger):
        if _larger ^ _card.bit in _FITS:
            _FITS[_larger ^ _card.bit] |= _card.bit

_TEXTS: dict[CardSet, str] = {cards: format_cards(cards) for cards in _KINDS}


@dataclass(frozen=True, slots=True)
class Meld:
    """A set or a run. Making one of other cards raises UnreadableInput (`not_a_meld`).

    >>> meld = Meld.parse("tc 8C 9C")
    >>> str(meld), meld.kind.value, format_cards(meld.fits)
    ('8C 9C TC', 'run', '7C JC')
    """

    cards: CardSet

    def __post_init__(self) -> None:
        if self.cards not in _KINDS:
            raise UnreadableInput("not_a_meld", f"Not a meld: {format_cards(self.cards)}")

    def __str__(self) -> str:
        return _TEXTS[self.cards]

    @property
    def kind(self) -> MeldKind:
        return _KINDS[self.cards]

    @property
    def fits(self) -> CardSet:
        """The cards that could be laid off on this meld at once, whoever holds them."""
        return _FITS[self.cards]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a meld, its cards in any order.

        Raises UnreadableInput (`bad_card`, `duplicate_card`, `not_a_meld`).

        >>> Meld.parse("7H 7D 7D")
        Traceback (most recent call last):
        games.rules.errors.UnreadableInput: 7D is named twice
        """
        return cls(card_set(parse_cards(text)))


MELDS: Mapping[CardSet, Meld] = MappingProxyType({cards: Meld(cards) for cards in _KINDS})
"""Every meld by its cards, those of one first card from the longest to the shortest."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A choice of melds that share no card, and the deadwood they leave."""

    melds: tuple[Meld, ...]
    deadwood: CardSet

    @property
    def deadwood_points(self) -> int:
        return points_of(self.deadwood)


def arrangement_with(hand: CardSet, melds: Sequence[Meld]) -> Arrangement:
    """Arrange a hand as these melds, in the order given, and deadwood.

    Raises IllegalAction (`not_in_hand`; `duplicate_card` for a card in two melds).

    >>> hand = card_set(parse_cards("7H 7D 7C 8C 9C KS"))
    >>> format_cards(arrangement_with(hand, [Meld.parse("7C 8C 9C")]).deadwood)
    '7D 7H KS'
    >>> arrangement_with(hand, [Meld.parse("7H 7D 7C"), Meld.parse("7C 8C 9C")])
    Traceback (most recent call last):
    games.rules.errors.IllegalAction: In two melds: 7C
    """
    used = NO_CARDS
    for meld in melds:
        if missing := meld.cards & ~hand:
            raise IllegalAction("not_in_hand", f"Not in the hand: {format_cards(missing)}")
        if twice := meld.cards & used:
            raise IllegalAction("duplicate_card", f"In two melds: {format_cards(twice)}")
        used |= meld.cards
    return Arrangement(tuple(melds), hand ^ used)


def best_arrangement(hand: CardSet) -> Arrangement:
    """An arrangement of least deadwood, always the same one; its melds by first card.

    >>> arrangement = best_arrangement(card_set(parse_cards("8S 8H 8D 8C 9C TC 2D 4H KS AH")))
    >>> [str(meld) for meld in arrangement.melds], format_cards(arrangement.deadwood)
    (['8C 9C TC', '8D 8H 8S'], '2D AH 4H KS')
    """
    melds = best_melds(hand)
    return Arrangement(tuple([MELDS[cards] for cards in melds]), hand ^ sum(melds))


# By a card: the melds of which it is the first card.
_MELDS_FROM: dict[Card, list[Meld]] = {card: [] for card in DECK}
for _meld in MELDS.values():
    _MELDS_FROM[cards_in(_meld.cards)[0]].append(_meld)


def _arrangements(hand: CardSet, limit: int) -> Iterator[Arrangement]:
    if not hand:
        yield Arrangement((), NO_CARDS)
    if not hand or deadwood_points(hand) > limit:
        return
    # The first card begins a meld or is loose, so that each arrangement is found once.
    first = DECK[(hand & -hand).bit_length() - 1]
    for meld in _MELDS_FROM[first]:
        if meld.cards & hand == meld.cards:
            for rest in _arrangements(hand ^ meld.cards, limit):
                yield Arrangement((meld, *rest.melds), rest.deadwood)
    for rest in _arrangements(hand ^ first.bit, limit - first.points):
        yield Arrangement(rest.melds, rest.deadwood | first.bit)


def _text_order(arrangement: Arrangement) -> list[str]:
    return sorted(map(str, arrangement.melds))


def arrangements(hand: CardSet, limit: int) -> tuple[Arrangement, ...]:
    """Every choice of melds that leaves at most so much deadwood; least first, then by text.

    >>> hand = card_set(parse_cards("2H 3H 4H 5H 5S 5D KC"))
    >>> [[str(meld) for meld in each.melds] for each in arrangements(hand, 12)]
    [['5D 5H 5S', '2H 3H 4H']]
    """
    found = _arrangements(hand, limit)
    return tuple(sorted(found, key=lambda each: (each.deadwood_points, _text_order(each))))


def automatic_spread(hand: CardSet) -> Arrangement:
    """The spread chosen for a knocker who chooses none. `docs/rules.md`, section 5.

    Of those with least deadwood the one that the fewest cards outside the hand fit at once, then
    those of the lowest total, then that with the fewest melds, then the first in text order.

    >>> hand = card_set(parse_cards("7H 8H 9H TH JH QH 7S 8S 9S JS"))
    >>> [str(meld) for meld in automatic_spread(hand).melds]
    ['7H 8H 9H TH JH QH', '7S 8S 9S']
    """

    def gift(spread: Arrangement) -> tuple[int, int, int, list[str]]:
        fits = _fits_any(spread.melds) & ~hand
        return fits.bit_count(), points_of(fits), len(spread.melds), _text_order(spread)

    return min(arrangements(hand, deadwood_points(hand)), key=gift)


def _fits_any(melds: Sequence[Meld]) -> CardSet:
    fits = NO_CARDS
    for meld in melds:
        fits |= meld.fits
    return fits


def spreads(hand: CardSet, limit: int) -> tuple[Arrangement, ...]:
    """Every spread within the knock limit: the automatic one, then least deadwood first.

    >>> hand = card_set(parse_cards("2C 3C 4C 5C 7D 7H 7S KC KD KS"))
    >>> [[str(meld) for meld in each.melds] for each in spreads(hand, 5)]
    [['2C 3C 4C 5C', 'KC KD KS', '7D 7H 7S'], ['3C 4C 5C', 'KC KD KS', '7D 7H 7S'],
     ['2C 3C 4C', 'KC KD KS', '7D 7H 7S']]
    """
    found = arrangements(hand, limit)
    if not found:
        return ()
    automatic = automatic_spread(hand)
    return automatic, *(each for each in found if each != automatic)
