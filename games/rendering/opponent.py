"""The bar of the player at the upper edge of the table."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.house import mark_of
from games.rendering.cast import Cast, chair_at
from games.rendering.clocks import ClockFace
from games.rendering.lobby import rating_words
from games.rules.state import Phase

if TYPE_CHECKING:
    from games.glicko import Rating as Strength
    from games.selectors.table import Table


@dataclass(frozen=True, slots=True)
class OpponentContext:
    """Who sits opposite, whether they are there, how many cards they hold, and if it is their turn.

    `name` is empty while nobody has sat down. `ready`: has pressed Next round. `bot`: which one.
    `strength`: how strong they are, in a rated series.
    """

    name: str
    bot: str
    present: bool
    cards: int
    acting: bool
    ready: bool
    over: bool
    clock: ClockFace | None = None
    strength: "Strength | None" = None

    @classmethod
    def of(cls, table: "Table", cast: Cast) -> Self:
        view = table.play.round if table.play else None
        chair = chair_at(table, cast.far)
        open_hands = view is not None and (view.phase is Phase.OVER or view.knocker == cast.far)
        return cls(
            name=cast.name(cast.far),
            bot=chair.bot if chair is not None else "",
            present=chair is not None and chair.present,
            cards=view.hand_sizes[cast.far] if view and not open_hands else 0,
            acting=view is not None and view.turn == cast.far,
            ready=chair is not None and chair.ready,
            over=table.status == "over" or (view is not None and view.phase is Phase.OVER),
            clock=ClockFace.of(table, cast.far),
            strength=chair.strength if chair is not None else None,
        )

    @property
    def initial(self) -> str:
        return self.name[:1].upper()

    @property
    def rating(self) -> str:
        return rating_words(self.strength) if self.strength is not None else ""

    @property
    def mark(self) -> str:
        """A bot's face, as a static file."""
        return mark_of(self.bot)

    @property
    def backs(self) -> str:
        """One letter for each card held, so that a template can loop: a back has no identity."""
        return "x" * self.cards

    @property
    def told(self) -> str:
        """What a page tells those who listen, once it has changed."""
        words = _("%(name)s is here.") if self.present else _("%(name)s is away.")
        return words % {"name": self.name} if self.name else ""

    @property
    def state(self) -> str:
        """What they are doing, in words."""
        if not self.present:
            return _("away; the cards wait") if self.acting else _("away")
        if self.over:
            return _("ready for the next round") if self.ready else _("here")
        return _("to play") if self.acting else _("waiting")

    @property
    def card_count(self) -> str:
        return ngettext("%(count)s card", "%(count)s cards", self.cards) % {"count": self.cards}
