"""The knocker's spread: the melds chosen, or the automatic choice (docs/rules.md, section 5)."""

from collections.abc import Sequence

from games.rules.cards import CardSet
from games.rules.deadwood import deadwood_points
from games.rules.errors import IllegalAction
from games.rules.melds import Arrangement, Meld, arrangement_with, automatic_spread


def spread_of(hand: CardSet, melds: Sequence[Meld] | None, limit: int) -> Arrangement:
    """Spread the ten cards that a knocker keeps as these melds, or as is best for the knocker.

    A worse spread than the best is allowed as long as its deadwood stays within the limit. Raises
    IllegalAction (`over_limit`; `not_in_hand` and `duplicate_card` for a meld's cards).

    >>> from games.rules.cards import card_set, parse_cards
    >>> hand = card_set(parse_cards("8C 9C TC 7D 7H 7S 2D 2H 2S 4H"))
    >>> spread_of(hand, None, 10).deadwood_points
    4
    >>> spread_of(hand, [Meld.parse("8C 9C TC"), Meld.parse("7D 7H 7S")], 10).deadwood_points
    10
    """
    if melds is None:
        check_limit(deadwood_points(hand), limit)
        return automatic_spread(hand)
    spread = arrangement_with(hand, melds)
    check_limit(spread.deadwood_points, limit)
    return spread


def check_limit(deadwood: int, limit: int) -> None:
    """Refuse to knock with more deadwood than the limit: IllegalAction (`over_limit`)."""
    if deadwood > limit:
        message = f"A deadwood of {deadwood} is over the knock limit of {limit}"
        raise IllegalAction("over_limit", message)
