"""What a player has chosen on the page and not yet done: it is in the address and nowhere else."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from games.rendering.sorting import SORTS, Sort
from games.rules.actions import Defend, parse_action
from games.rules.cards import Card, parse_card
from games.rules.errors import RulesError
from games.rules.lay_offs import LayOff


@dataclass(frozen=True, slots=True)
class Draft:
    """A card picked from the hand (`?card=9C`), lay-offs not confirmed (`?lay=9S0,TS0`).

    `sort` is how the hand is shown to a page without JavaScript (`?sort=suit`); it goes along
    with every form, so that it outlives the action.
    """

    card: Card | None = None
    lay_offs: tuple[LayOff, ...] | None = None
    sort: Sort = SORTS[0]

    @classmethod
    def parse(cls, query: Mapping[str, str]) -> Self:
        """Read a query; what can't be read is as if it were not there."""
        sort = next((each for each in SORTS if each == query.get("sort")), SORTS[0])
        return cls(_card(query.get("card", "")), _lay_offs(query.get("lay")), sort)


NO_DRAFT: Final = Draft()


def _card(text: str) -> Card | None:
    try:
        return parse_card(text)
    except RulesError:
        return None


def _lay_offs(text: str | None) -> tuple[LayOff, ...] | None:
    if text is None or len(text) > 60:
        return None
    try:
        action = parse_action(f"l={text}")
    except RulesError:
        return None
    return action.lay_offs if isinstance(action, Defend) else None


def format_lay_offs(lay_offs: tuple[LayOff, ...]) -> str:
    """Write lay-offs as the address and the form's field `lay_offs` do.

    >>> format_lay_offs((LayOff(Card["9S"], 0), LayOff(Card["TS"], 0)))
    '9S0,TS0'
    """
    return ",".join(f"{lay_off.card}{lay_off.meld}" for lay_off in lay_offs)
