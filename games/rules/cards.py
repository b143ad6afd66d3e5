"""Cards, and sets of cards as integers. `docs/rules.md`, section 1."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from games.rules.errors import UnreadableInput, quoted

RANKS = "A23456789TJQK"
SUITS = "CDHS"

type CardSet = int
"""A set of cards: bit n stands for `Card(n)`. Union `|`, intersection `&`, size `.bit_count()`."""

NO_CARDS: CardSet = 0


class Suit(IntEnum):
    """A suit, in the order in which cards are sorted."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3


class Card(IntEnum):
    """A card, named by rank and suit; its value is 13 × suit + rank, the ace low.

    >>> card = Card["TD"]
    >>> str(card), card.value, card.rank, card.suit.name, card.points
    ('TD', 22, 9, 'DIAMONDS', 10)
    """

    # A name such as 8C can't be written as a class attribute, so the members are made in a loop.
    _ignore_ = "members number"
    members = vars()
    for number in range(52):
        members[RANKS[number % 13] + SUITS[number // 13]] = number

    def __str__(self) -> str:
        return self._name_

    def __repr__(self) -> str:
        return f"Card[{self._name_!r}]"

    def __bool__(self) -> bool:
        # The ace of clubs is 0, and must not be taken for no card.
        return True

    @property
    def rank(self) -> int:
        """0 for the ace … 12 for the king."""
        return self % 13

    @property
    def suit(self) -> Suit:
        return Suit(self // 13)

    @property
    def points(self) -> int:
        """What the card counts as deadwood: ace 1, court cards 10."""
        return min(self % 13 + 1, 10)

    @property
    def bit(self) -> CardSet:
        """The set that holds this card only."""
        return 1 << self


DECK: tuple[Card, ...] = tuple(Card)
"""All 52 cards in text order: suit C D H S, then rank."""

ALL_CARDS: CardSet = (1 << 52) - 1

# A card's points in binary: by each power of two, the cards whose points contain it.
_ONE, _TWO, _FOUR, _EIGHT = (
    sum(card.bit for card in DECK if card.points & power) for power in (1, 2, 4, 8)
)


def card_set(cards: Iterable[Card]) -> CardSet:
    """The set of these cards.

    >>> card_set([Card["AC"], Card["3C"]])
    5
    """
    result = NO_CARDS
    for card in cards:
        result |= 1 << card
    return result


def cards_in(cards: CardSet) -> tuple[Card, ...]:
    """The cards of a set in text order.

    >>> [str(card) for card in cards_in(5)]
    ['AC', '3C']
    """
    result = []
    while cards:
        lowest = cards & -cards
        result.append(DECK[lowest.bit_length() - 1])
        cards ^= lowest
    return tuple(result)


def points_of(cards: CardSet) -> int:
    """The total value of a set of cards.

    >>> points_of(card_set(parse_cards("AS 7D KH")))
    18
    """
    return (
        (cards & _ONE).bit_count()
        + 2 * (cards & _TWO).bit_count()
        + 4 * (cards & _FOUR).bit_count()
        + 8 * (cards & _EIGHT).bit_count()
    )


def parse_card(text: str) -> Card:
    """Read one card; letters may be lower case.

    Raises UnreadableInput (`bad_card`).

    >>> str(parse_card("td"))
    'TD'
    """
    # ASCII first: upper() would turn other letters into cards (ſ into S).
    if isinstance(text, str) and len(text) == 2 and text.isascii():
        card = Card.__members__.get(text.upper())
        if card is not None:
            return card
    raise UnreadableInput("bad_card", f"No such card: {quoted(text)}")


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards divided by spaces and keep their order.

    Raises UnreadableInput (`bad_card`, `duplicate_card`).

    >>> format_cards(parse_cards("kh AS 7d"))
    'KH AS 7D'
    """
    if not isinstance(text, str):
        raise UnreadableInput("bad_card", f"Not a list of cards: {quoted(text)}")
    # One word more than the deck has is enough to refuse, however long the text is.
    cards = tuple(parse_card(word) for word in text.split(maxsplit=53))
    for index, card in enumerate(cards):
        if card in cards[:index]:
            raise UnreadableInput("duplicate_card", f"{card} is named twice")
    return cards


def format_cards(cards: CardSet | Iterable[Card]) -> str:
    """Write cards: a set in text order, other cards in the order given.

    >>> format_cards(card_set(parse_cards("TC 8C 9C")))
    '8C 9C TC'
    """
    return " ".join(map(str, cards_in(cards) if isinstance(cards, int) else cards))
