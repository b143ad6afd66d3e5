"""The draft of a defence: what is laid off on the page so far, and what it would leave."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from django.utils.translation import gettext as _

from games.rendering.draft import Draft, format_lay_offs
from games.rendering.words import card_names, meld_word
from games.rules.actions import Defend
from games.rules.cards import Card, CardSet, cards_in
from games.rules.errors import IllegalAction
from games.rules.lay_offs import (
    LayOff,
    best_defence,
    defence_with,
    extended_melds,
    next_lay_offs,
)
from games.rules.melds import Arrangement, Meld

if TYPE_CHECKING:
    from games.rules.view import SeatView


@dataclass(frozen=True, slots=True)
class DefenceDraft:
    """A defender's hand, the knocker's melds, and the lay-offs chosen so far."""

    hand: CardSet
    melds: tuple[Meld, ...]
    done: tuple[LayOff, ...]

    @classmethod
    def of(cls, view: "SeatView | None", draft: Draft) -> Self | None:
        """The draft where the viewer has a knock to answer; one that can't be is begun anew."""
        if view is None or view.spread is None or Defend() not in view.actions:
            return None
        chosen = draft.lay_offs or ()
        try:
            defence_with(view.hand, view.spread.melds, chosen)
        except IllegalAction:
            chosen = ()
        return cls(view.hand, view.spread.melds, chosen)

    @property
    def kept(self) -> Arrangement:
        return defence_with(self.hand, self.melds, self.done).arrangement

    @property
    def points(self) -> int:
        return self.kept.deadwood_points

    @property
    def best_points(self) -> int:
        return best_defence(self.hand, self.melds, gin=False).deadwood_points

    @property
    def is_best(self) -> bool:
        return self.points == self.best_points

    @property
    def value(self) -> str:
        """The draft as the address and the field `lay_offs` write it."""
        return format_lay_offs(self.done)

    @property
    def best_value(self) -> str:
        return format_lay_offs(best_defence(self.hand, self.melds, gin=False).lay_offs)

    @property
    def table(self) -> tuple[Meld, ...]:
        """The knocker's melds with the draft's lay-offs on them."""
        return extended_melds(self.melds, self.done)

    def toggled(self, card: Card) -> str | None:
        """The draft after a tap on this card; None where the tap can do nothing.

        A card that fits two melds goes to the first, then to the second, then back.
        """
        now = next((each.meld for each in self.done if each.card == card), None)
        without = self._legal(tuple(each for each in self.done if each.card != card))
        places = [each for each in self._next(without) if each.card == card]
        later = [each for each in places if now is None or each.meld > now]
        if now is None and not later:
            return None
        return format_lay_offs((*without, *later[:1]))

    def words(self, card: Card) -> str:
        """What a tap on this card does, for those who don't see it."""
        for lay_off in self._next(self.done):
            if lay_off.card == card:
                meld = self.table[lay_off.meld]
                return _("lay off on the %(meld)s: %(cards)s") % {
                    "meld": meld_word(meld),
                    "cards": card_names(cards_in(meld.cards)),
                }
        return ""

    def _next(self, done: tuple[LayOff, ...]) -> tuple[LayOff, ...]:
        return next_lay_offs(self.hand, self.melds, done)

    def _legal(self, lay_offs: tuple[LayOff, ...]) -> tuple[LayOff, ...]:
        # What was laid off on top of a card that is taken back comes back with it.
        kept: tuple[LayOff, ...] = ()
        for lay_off in lay_offs:
            if lay_off in self._next(kept):
                kept = (*kept, lay_off)
        return kept
