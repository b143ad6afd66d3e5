"""The beginner: sees its own melds, and not much else."""

from games.bots.bot import Choice, RandomSource, Reason, ReasonCode
from games.bots.moments import (
    at_first_chance,
    best_defence,
    discards,
    draw_or_leave,
    round_to_act,
)
from games.bots.yardsticks import take_for_any_meld
from games.rules.actions import Discard
from games.rules.deadwood import deadwood_points
from games.rules.state import Phase
from games.rules.view import SeatView, TableView

_SLIP = 0.25
"""How often it throws any loose card, and not its highest."""


class Beginner:
    """Takes what melds, throws its highest loose card or, now and then, any; knocks at once."""

    name = "beginner"

    def choose(self, view: TableView, source: RandomSource) -> Choice:
        """Choose for the seat to act; see `Bot`."""
        seen = round_to_act(view)
        match seen.phase:
            case Phase.DISCARD:
                return at_first_chance(seen) or _throw(seen, source)
            case Phase.DEFENCE:
                return best_defence(seen)
            case _:
                return take_for_any_meld(seen) or draw_or_leave(seen)


def _throw(view: SeatView, source: RandomSource) -> Choice:
    possible = discards(view)
    loose = [card for card in possible if view.arrangement.deadwood & card.bit] or possible
    slips = source.random() < _SLIP
    card = source.choice(loose) if slips else max(loose, key=lambda card: (card.points, card))
    code = ReasonCode.OVERLOOKED if slips else ReasonCode.HIGHEST_LOOSE
    return Choice(Discard(card), Reason(code, card, deadwood_points(view.hand ^ card.bit)))
