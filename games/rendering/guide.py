"""The guide: one sentence that says what can be done next, and where to look."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from django.utils.translation import gettext as _

from games.rendering.cast import Cast
from games.rendering.words import card_name, meld_word
from games.rules.actions import Action, BigGin, Discard, Knock, Take
from games.rules.cards import NO_CARDS, Card, CardSet, cards_in
from games.rules.melds import Meld, best_arrangement, deadwood_points
from games.rules.state import Phase

if TYPE_CHECKING:
    from games.selectors.table import Table


NOBODY: Final = Cast(("", ""), None)


@dataclass(frozen=True, slots=True)
class GuideContext:
    """What the viewer could do now, told from their own view; nothing for a spectator.

    `first`: it is their first round. `upcard` lies on the pile. `scored`: somebody has won the
    round that lies on the table. `ready`: the viewer has pressed Next round.
    """

    cast: Cast = NOBODY
    on: bool = False
    first: bool = False
    phase: Phase | None = None
    acting: int | None = None
    hand: CardSet = NO_CARDS
    upcard: Card | None = None
    actions: tuple[Action, ...] = ()
    scored: bool = False
    ready: bool = False

    @classmethod
    def of(cls, table: "Table", cast: Cast, choice: str = "first") -> Self:
        """`choice` is the viewer's preference: "on", "off", or "first", the first round only."""
        view = table.play.round if table.play else None
        sits = table.seat is not None and (view is None or view.seat is not None)
        wanted = choice == "on" or (choice != "off" and table.newcomer)
        if not (sits and wanted) or table.status == "over":
            return cls()
        if view is None:
            return cls(cast, on=True, first=table.newcomer)
        return cls(
            cast,
            on=True,
            first=table.newcomer,
            phase=view.phase,
            acting=view.turn,
            hand=view.hand,
            upcard=view.pile[-1] if view.pile else None,
            actions=view.actions if view.turn == view.seat else (),
            scored=view.result is not None and view.result.winner is not None,
            ready=any(chair.ready for chair in table.chairs if chair.seat == table.seat),
        )

    @property
    def at(self) -> str:
        """What the sentence points at: a pile, `card` of the hand, the buttons; else ""."""
        if not self.on or self.ready:
            return ""
        if self.phase is None:
            return "invite"
        if self.phase is Phase.OVER:
            return "actions"
        if self.acting != self.cast.viewer:
            return ""
        if self._takes:
            return "upcard" if self._speaks_of_upcard else "stock"
        if self.phase is Phase.DEFENCE:
            return "hand"
        return "actions" if BigGin() in self.actions else "hand"

    @property
    def card(self) -> Card | None:
        """The card of the hand that the sentence names, where it names one to discard."""
        is_named = self.at == "hand" and self.phase is Phase.DISCARD
        return self._advised if is_named else None

    @property
    def _speaks_of_upcard(self) -> bool:
        if self.upcard is None or Take() not in self.actions:
            return False
        return self.phase is not Phase.DRAW or self._meld_with(self.upcard) is not None

    @property
    def _takes(self) -> bool:
        return self.phase in (Phase.OFFER, Phase.LAST_OFFER, Phase.DRAW)

    @property
    def sentence(self) -> str:
        """What to do next, or what to watch meanwhile."""
        if self.phase is None:
            return _("While you wait: a whole round on one page, in two minutes.")
        if self.phase is Phase.OVER:
            return self._between()
        if self.acting != self.cast.viewer:
            return self._watching()
        return self._taking() if self._takes else self._discarding()

    def _between(self) -> str:
        if self.ready:
            return _("The cards are dealt as soon as both are ready.")
        if not self.scored:
            return _("Nobody has scored. Press Next round to go on.")
        if self.first:
            return _("Your first round! Its points stand on the score pad. Press Next round.")
        return _("The points stand on the score pad. Press Next round.")

    def _watching(self) -> str:
        # Without a name, which may be so long that the line does not fit a small phone.
        match self.phase:
            case Phase.OFFER | Phase.LAST_OFFER:
                return _("They may take the upcard first. Look for melds in your hand.")
            case Phase.DRAW:
                return _("Watch what they take: it tells you what they collect.")
            case Phase.DISCARD:
                return _("Watch what they discard: you may take it next.")
            case _:
                return _("They may now lay off cards on your melds; then both hands count.")

    def _taking(self) -> str:
        if self.upcard is None or Take() not in self.actions:
            return _("Both have passed. Draw the top card of the stock.")
        meld = self._meld_with(self.upcard)
        match self.phase:
            case Phase.LAST_OFFER:
                words = _("Take the %(card)s only to end the round with it; else pass.")
            case Phase.OFFER if meld:
                words = _("The %(card)s makes a %(meld)s with your cards: take it.")
            case Phase.OFFER:
                words = _("Take the %(card)s if it helps a meld, or pass. It makes none yet.")
            case _ if meld:
                words = _("Take the %(card)s: it makes a %(meld)s with your cards.")
            case _:
                words = _("Draw from the stock: the %(card)s makes no meld with your cards.")
        return words % {
            "card": card_name(self.upcard),
            "meld": meld_word(meld) if meld else "",
        }

    def _meld_with(self, card: Card) -> Meld | None:
        """The meld that this card would be part of, if taking it leaves less deadwood."""
        if deadwood_points(self.hand | card.bit) > deadwood_points(self.hand):
            return None
        melds = best_arrangement(self.hand | card.bit).melds
        return next((meld for meld in melds if meld.cards & card.bit), None)

    def _discarding(self) -> str:
        if self.phase is Phase.DEFENCE:
            return _("Tap a marked card to lay it off on the melds above, then confirm.")
        if BigGin() in self.actions:
            return _("All your eleven cards meld: that is big gin. Press Big gin.")
        card = self._advised
        if not self._knocks:
            words = _("Choose what you need least, say the %(card)s, and press Discard.")
        elif not self._leaves(card):
            words = _("You have gin! Choose the %(card)s, then press Gin.")
        else:
            words = _("You may knock with %(points)s: choose the %(card)s, then press Knock.")
        return words % {"card": card_name(card), "points": self._leaves(card)}

    @property
    def _knocks(self) -> list[Card]:
        return [each.card for each in self.actions if isinstance(each, Knock)]

    @property
    def _advised(self) -> Card:
        """What to discard: for the best knock, or what is needed least."""
        if self._knocks:
            return min(self._knocks, key=self._leaves)
        discards = [each.card for each in self.actions if isinstance(each, Discard)]
        return min(discards, key=self._need)

    def _need(self, card: Card) -> tuple[int, int]:
        """How much a card is needed: by what it leaves, and by the cards it might meld with."""
        others = cards_in(self.hand ^ card.bit)
        return self._leaves(card) + 3 * sum(_near(card, each) for each in others), -card.points

    def _leaves(self, card: Card) -> int:
        return deadwood_points(self.hand ^ card.bit)


def _near(card: Card, other: Card) -> bool:
    """Whether one more card could make a meld of the two."""
    in_row = card.suit is other.suit and abs(card.rank - other.rank) <= 2
    return in_row or card.rank == other.rank
