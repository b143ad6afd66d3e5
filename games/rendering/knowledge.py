"""What a player knew at a moment of a round: where each of the 52 cards lay, as far as they saw."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rendering.words import card_sign, is_red
from games.rules.cards import ALL_CARDS, DECK, Card, CardSet, card_set, cards_in
from games.rules.view import SeatView

OWN, THEIRS, GONE, UNSEEN = "own", "theirs", "gone", "covered"
_RANKS: Final = 13


@dataclass(frozen=True, slots=True)
class Spot:
    """A card of the strip, and where its player knew it to be."""

    card: Card
    where: str

    @property
    def rank(self) -> str:
        """Its rank alone, written short; the row tells its suit."""
        return card_sign(self.card)[:-1]


@dataclass(frozen=True, slots=True)
class DeckRow:
    """A suit of the strip, from ace to king."""

    sign: str
    is_red: bool
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What this seat's view holds; `name` is the player's."""

    view: SeatView
    name: str

    @property
    def theirs(self) -> CardSet:
        """The cards that were seen to go into the other hand and are there, or lie open."""
        assert self.view.seat is not None, "a spectator knows no hand"
        other = 1 - self.view.seat
        if self.view.hands is not None:
            return self.view.hands[other]
        spread = self.view.spread
        if spread is None or self.view.knocker != other:
            return self.view.shown[other]
        return spread.deadwood | sum(meld.cards for meld in spread.melds)

    @property
    def gone(self) -> CardSet:
        """The discards; the knocker's too once it lies open."""
        thrown = self.view.knock_card
        return card_set(self.view.pile) | (0 if thrown is None else thrown.bit)

    @property
    def unseen(self) -> CardSet:
        return ALL_CARDS & ~(self.view.hand | self.theirs | self.gone)

    @property
    def rows(self) -> tuple[DeckRow, ...]:
        """The deck in four rows, a suit each."""
        suits = (DECK[start : start + _RANKS] for start in range(0, len(DECK), _RANKS))
        return tuple(
            DeckRow(
                sign=card_sign(suit[0])[-1],
                is_red=is_red(suit[0]),
                spots=tuple(Spot(card, self._where(card)) for card in suit),
            )
            for suit in suits
        )

    def _where(self, card: Card) -> str:
        for cards, where in ((self.view.hand, OWN), (self.theirs, THEIRS), (self.gone, GONE)):
            if cards & card.bit:
                return where
        return UNSEEN

    @property
    def lines(self) -> tuple[tuple[str, str, str], ...]:
        """The same in words: a kind, what it is called, and its cards or their number."""
        return tuple(self._lines())

    def _lines(self) -> Iterator[tuple[str, str, str]]:
        own = self.view.hand.bit_count()
        yield OWN, _("in this hand"), _cards(own)
        yield THEIRS, _("in the other hand"), _signs(self.theirs)
        yield GONE, _("thrown"), _signs(self.gone)
        yield UNSEEN, _("not seen"), _cards(self.unseen.bit_count())


def _cards(count: int) -> str:
    return ngettext("%(count)s card", "%(count)s cards", count) % {"count": count}


def _signs(cards: CardSet) -> str:
    return " ".join(card_sign(card) for card in cards_in(cards)) or "–"
