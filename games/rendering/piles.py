"""The middle of the table: stock, discard pile, knock limit, and the round's number."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from django.utils.translation import gettext as _

from games.rendering.cast import Cast
from games.rules.actions import Draw, Take
from games.rules.cards import Card
from games.rules.state import Phase

if TYPE_CHECKING:
    from games.selectors.table import Table


@dataclass(frozen=True, slots=True)
class PilesContext:
    """The two piles as everybody sees them, and which of them the viewer may use now.

    `open` is False where there is nothing to draw from: before the deal and from a knock on.
    While nobody has sat down opposite, `waiting`, its place holds the `invitation`, which only
    the one who waits is given: for `asked`, where somebody is by name; `declined`: they said no.
    `listed`: the lobby offers the free seat.
    """

    cast: Cast
    open: bool = False
    waiting: bool = False
    invitation: str = ""
    asked: str = ""
    declined: bool = False
    listed: bool = False
    round: int = 0
    dealer: int = 0
    knock_limit: int = 0
    multiplier: int = 1
    stock_size: int = 0
    pile: tuple[Card, ...] = ()
    may_draw: bool = False
    may_take: bool = False
    may_discard: bool = False

    @classmethod
    def of(cls, table: "Table", cast: Cast) -> Self:
        view = table.play.round if table.play else None
        if table.play is None or view is None or view.phase in (Phase.DEFENCE, Phase.OVER):
            return cls(
                cast,
                waiting=table.status == "waiting",
                invitation=table.invitation or "",
                asked=table.asked,
                declined=bool(table.declined_by),
                listed=bool(table.offered),
            )
        mine = view.seat is not None and view.turn == view.seat
        return cls(
            cast,
            open=True,
            round=table.play.number,
            dealer=view.dealer,
            knock_limit=view.knock_limit,
            multiplier=view.multiplier,
            stock_size=view.stock_size,
            pile=view.pile,
            may_draw=Draw() in view.actions,
            may_take=Take() in view.actions,
            may_discard=mine and view.phase is Phase.DISCARD,
        )

    @property
    def upcard(self) -> Card | None:
        return self.pile[-1] if self.pile else None

    @property
    def beneath(self) -> Card | None:
        """The card under the upcard, of which a corner shows."""
        return self.pile[-2] if len(self.pile) > 1 else None

    @property
    def latest_first(self) -> tuple[Card, ...]:
        return self.pile[::-1]

    @property
    def dealer_words(self) -> str:
        return self.cast.say(self.dealer, _("You dealt"), _("%(name)s dealt"))
