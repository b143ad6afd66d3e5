"""A knock before it is done: how it can be spread, what fits on it, and what it would do."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

from django.utils.translation import gettext as _

from games.rendering.outlook import Outlook
from games.rules.cards import NO_CARDS, Card, CardSet
from games.rules.melds import Arrangement, spreads


@dataclass(frozen=True, slots=True)
class Spread:
    """A way to spread a knock: the form's value (empty: the automatic choice) and its cards.

    `fits` are the cards that could be laid off on it at once and may be in the defender's hand.
    """

    value: str
    arrangement: Arrangement
    fits: CardSet = NO_CARDS

    @property
    def points(self) -> int:
        return self.arrangement.deadwood_points


@dataclass(frozen=True, slots=True)
class Seen:
    """What a player has seen of the cards outside their hand.

    `gone` lie in the pile; `held` were taken from it by the other side, and are there still.
    """

    gone: CardSet = NO_CARDS
    held: CardSet = NO_CARDS


NOTHING_SEEN: Final = Seen()


@dataclass(frozen=True, slots=True)
class KnockChoice:
    """The knock that throws a card: its spreads, the automatic one first.

    With gin there are two kinds: spreads that leave nothing, and those that only knock.
    """

    card: Card
    spreads: tuple[Spread, ...]
    seen: Seen
    outlook: Outlook

    @classmethod
    def all_of(
        cls, hand: CardSet, card: Card, limit: int, seen: Seen, outlook: Outlook
    ) -> Iterator[Self]:
        """The gin and the knock with this discard, where there are such."""
        kept = hand ^ card.bit
        unseen = ~(hand | seen.gone)
        found = tuple(
            # Only the first of all spreads may be left to the server.
            Spread(spread_value(each) if place else "", each, _fits(each) & unseen)
            for place, each in enumerate(spreads(kept, limit))
        )
        for gin in (True, False):
            some = tuple(each for each in found if bool(each.points) is not gin)
            if some:
                yield cls(card, some, seen, outlook)

    @property
    def is_gin(self) -> bool:
        return not self.points

    @property
    def name(self) -> str:
        return "gin" if self.is_gin else "knock"

    @property
    def points(self) -> int:
        return self.spreads[0].points

    @property
    def has_rivals(self) -> bool:
        """Whether more than one spread leaves the least deadwood, and can be laid off on."""
        return not self.is_gin and len(self.spreads) > 1 and self.spreads[1].points == self.points

    @property
    def question(self) -> str:
        """Why it matters how the cards are spread; empty where there is no choice."""
        if len(self.spreads) == 1:
            return ""
        if self.has_rivals:
            return _(
                "Your opponent can lay off on these: choose the spread that gives them "
                "fewest places."
            )
        if self.is_gin:
            return _("Nothing can be laid off on gin: spread it as you like.")
        return _("The other spreads leave more deadwood, and other places to lay off.")


def _fits(spread: Arrangement) -> CardSet:
    fits = NO_CARDS
    for meld in spread.melds:
        fits |= meld.fits
    return fits


def spread_value(spread: Arrangement) -> str:
    """Write a spread as the form's field `spread` does.

    >>> from games.rules.cards import card_set, parse_cards
    >>> from games.rules.melds import best_arrangement
    >>> spread_value(best_arrangement(card_set(parse_cards("8C 9C TC 7H 7D 7S"))))
    '8C9CTC/7D7H7S'
    """
    return "/".join(str(meld).replace(" ", "") for meld in spread.melds)
