"""Two fixed players that the others are measured against; they never change."""

from games.bots.bot import Choice, RandomSource, Reason, ReasonCode
from games.bots.moments import (
    at_first_chance,
    best_defence,
    discards,
    draw_or_leave,
    round_to_act,
)
from games.rules.actions import Defend, Discard, Take
from games.rules.cards import Card, CardSet
from games.rules.deadwood import deadwood_points
from games.rules.melds import MELDS, best_arrangement
from games.rules.state import Phase
from games.rules.view import SeatView, TableView


class Simple:
    """Throws its highest loose card, knocks at the first chance, never lays off.

    Takes the pile's card if that allows a knock or belongs to its best melds.
    """

    name = "simple"

    def choose(self, view: TableView, source: RandomSource) -> Choice:
        """Choose for the seat to act; see `Bot`. The source isn't used."""
        seen = round_to_act(view)
        match seen.phase:
            case Phase.DISCARD:
                return at_first_chance(seen) or _throw_highest_loose(seen)
            case Phase.DEFENCE:
                return Choice(Defend(()), Reason(ReasonCode.NO_DEFENCE))
            case _:
                return take_for_best_melds(seen) or draw_or_leave(seen)


class Eaai:
    """The simple player of the EAAI 2021 gin rummy challenge.

    Takes the pile's card if it belongs to any meld, throws by chance one of the cards that leave
    the least deadwood, knocks at the first chance, lays off as is best.
    """

    name = "eaai"

    def choose(self, view: TableView, source: RandomSource) -> Choice:
        """Choose for the seat to act; see `Bot`."""
        seen = round_to_act(view)
        match seen.phase:
            case Phase.DISCARD:
                return at_first_chance(seen) or _throw_for_least(seen, source)
            case Phase.DEFENCE:
                return best_defence(seen)
            case _:
                return take_for_any_meld(seen) or draw_or_leave(seen)


def belongs_to_a_meld(card: Card, hand: CardSet) -> bool:
    """Tell whether the card and cards of the hand make a meld.

    >>> from games.rules.cards import card_set, parse_cards
    >>> belongs_to_a_meld(Card["7H"], card_set(parse_cards("5H 6H KS")))
    True
    """
    both = hand | card.bit
    return any(cards & card.bit and cards & both == cards for cards in MELDS)


def take_for_any_meld(view: SeatView) -> Choice | None:
    """Take the pile's card where it belongs to a meld, or is offered as the last."""
    if Take() not in view.actions:
        return None
    card = view.pile[-1]
    if view.phase is Phase.LAST_OFFER:  # offered only to who can knock with it
        return Choice(Take(), Reason(ReasonCode.TAKES_TO_KNOCK, card))
    if belongs_to_a_meld(card, view.hand):
        return Choice(Take(), Reason(ReasonCode.MELDS, card))
    return None


def _throw_highest_loose(view: SeatView) -> Choice:
    loose = view.arrangement.deadwood
    card = max(discards(view), key=lambda card: (bool(loose & card.bit), card.points, card))
    deadwood = deadwood_points(view.hand ^ card.bit)
    return Choice(Discard(card), Reason(ReasonCode.HIGHEST_LOOSE, card, deadwood))


def take_for_best_melds(view: SeatView) -> Choice | None:
    """Take the pile's card where it allows a knock or belongs to the best melds."""
    if Take() not in view.actions:
        return None
    card = view.pile[-1]
    both = view.hand | card.bit
    # Whatever card is thrown then, it isn't the one that was taken.
    least = min(deadwood_points(both ^ bit) for bit in _bits(view.hand))
    if least <= view.knock_limit:
        return Choice(Take(), Reason(ReasonCode.TAKES_TO_KNOCK, card, least))
    if not best_arrangement(both).deadwood & card.bit:
        return Choice(Take(), Reason(ReasonCode.MELDS, card))
    return None


def _throw_for_least(view: SeatView, source: RandomSource) -> Choice:
    left = {card: deadwood_points(view.hand ^ card.bit) for card in discards(view)}
    least = min(left.values())
    card = source.choice([card for card in left if left[card] == least])
    return Choice(Discard(card), Reason(ReasonCode.LEAST_DEADWOOD, card, least))


def _bits(cards: CardSet) -> list[CardSet]:
    bits = []
    while cards:
        bits.append(cards & -cards)
        cards &= cards - 1
    return bits
