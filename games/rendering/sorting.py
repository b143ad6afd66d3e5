"""Ways to sort a hand. A player's own order is their browser's, and never comes here."""

from dataclasses import dataclass
from typing import Final, Literal

from django.utils.translation import gettext as _

from games.rules.cards import Card, CardSet, cards_in

type Sort = Literal["melds", "suit", "rank"]

SORTS: Final[tuple[Sort, ...]] = ("melds", "suit", "rank")


def by_rank(cards: CardSet) -> tuple[Card, ...]:
    """The cards by rank, then suit: neighbours that could become melds lie together."""
    return tuple(sorted(cards_in(cards), key=lambda card: (card.rank, card.suit)))


def sorted_cards(cards: CardSet, sort: Sort) -> tuple[Card, ...]:
    """The cards in one row: by rank, or else by suit.

    >>> from games.rules.cards import card_set, parse_cards
    >>> hand = card_set(parse_cards("9S KD 3S 9D"))
    >>> [str(card) for card in sorted_cards(hand, "suit")]
    ['9D', 'KD', '3S', '9S']
    >>> [str(card) for card in sorted_cards(hand, "rank")]
    ['3S', '9D', '9S', 'KD']
    """
    return by_rank(cards) if sort == "rank" else cards_in(cards)


def sort_query(sort: Sort) -> str:
    """What follows the table's address so that it stays so: "?sort=suit"; usually nothing."""
    return "" if sort == SORTS[0] else f"?sort={sort}"


@dataclass(frozen=True, slots=True)
class Sorting:
    """How a hand is sorted, and the link that sorts it in the next way.

    `lay` is a draft of lay-offs, which the link must not lose.
    """

    sort: Sort = SORTS[0]
    lay: str = ""

    @property
    def words(self) -> str:
        """The ways by name, as the script reads them; the last is the player's own."""
        names = {"melds": _("by melds"), "suit": _("by suit"), "rank": _("by rank")}
        return "|".join((*(names[sort] for sort in SORTS), _("in my own order")))

    @property
    def name(self) -> str:
        return self.words.split("|")[SORTS.index(self.sort)]

    @property
    def link(self) -> str:
        """The address of the next way, for a page without JavaScript."""
        following = SORTS[(SORTS.index(self.sort) + 1) % len(SORTS)]
        return f"?sort={following}" + (f"&lay={self.lay}" if self.lay else "")
