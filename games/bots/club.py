"""The club player: counts deadwood, and the cards that could still improve its hand."""

from games.bots.bot import Choice, RandomSource, Reason, ReasonCode
from games.bots.hands import improvements, unseen_by
from games.bots.moments import (
    at_first_chance,
    best_defence,
    discards,
    draw_or_leave,
    round_to_act,
)
from games.bots.yardsticks import take_for_best_melds
from games.rules.actions import Discard
from games.rules.cards import Card, CardSet
from games.rules.deadwood import deadwood_points
from games.rules.state import Phase
from games.rules.view import SeatView, TableView

_DRAWS = 3
"""How many draws ahead an improving card is counted for."""


class Club:
    """Keeps the hand of least deadwood after a few more draws; knocks at the first chance."""

    name = "club"

    def choose(self, view: TableView, source: RandomSource) -> Choice:
        """Choose for the seat to act; see `Bot`."""
        seen = round_to_act(view)
        match seen.phase:
            case Phase.DISCARD:
                return at_first_chance(seen) or _throw(seen, source)
            case Phase.DEFENCE:
                return best_defence(seen)
            case _:
                return take_for_best_melds(seen) or draw_or_leave(seen)


def _throw(view: SeatView, source: RandomSource) -> Choice:
    unseen = unseen_by(view)
    worth = {card: _prospect(view.hand ^ card.bit, unseen) for card in discards(view)}
    least = min(worth.values())
    card = source.choice([card for card in worth if worth[card] == least])
    return Choice(Discard(card), _reason(view.hand, card, unseen))


def _prospect(hand: CardSet, unseen: CardSet) -> float:
    _, gained = improvements(hand, unseen)
    return deadwood_points(hand) - _DRAWS * gained / unseen.bit_count()


def _reason(hand: CardSet, card: Card, unseen: CardSet) -> Reason:
    kept = hand ^ card.bit
    outs, _ = improvements(kept, unseen)
    return Reason(ReasonCode.KEEPS_CHANCES, card, deadwood_points(kept), outs)
