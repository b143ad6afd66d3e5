"""Once more: what is shown of it when a series is over."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from django.utils.translation import gettext as _

from games.rendering.cast import Cast

if TYPE_CHECKING:
    from games.selectors.table import Table


@dataclass(frozen=True, slots=True)
class RematchPart:
    """`url` is where the players went on, "" until then; `mine` and `theirs`: who has offered it.

    `sits`: the viewer is one of the players. `name`: of the other one, and whether they are `gone`.
    """

    url: str
    sits: bool
    mine: bool
    theirs: bool
    name: str
    gone: bool = False

    @classmethod
    def of(cls, table: "Table", cast: Cast) -> Self | None:
        """None while the series is not over."""
        if table.status != "over":
            return None
        return cls(
            url=table.rematch_url,
            sits=table.seat is not None,
            mine=table.seat in table.rematch_wanted,
            theirs=bool(table.rematch_wanted - {table.seat}),
            name=cast.name(cast.far),
            gone=any(chair.gone for chair in table.chairs if chair.seat != table.seat),
        )

    @property
    def can_offer(self) -> bool:
        return self.sits and not self.url and not self.gone and (self.theirs or not self.mine)

    @property
    def waits(self) -> bool:
        """Whether the viewer's offer has no answer yet."""
        return self.mine and not self.url and not self.gone

    @property
    def label(self) -> str:
        return _("Accept the rematch") if self.theirs else _("Rematch")

    @property
    def told(self) -> str:
        """How it stands, in a sentence; "" while nobody has asked."""
        if self.url:
            return _("It goes on at another table.")
        if not self.sits:
            return ""
        if self.gone:
            return _("The other player has left the site.")
        if self.theirs:
            return _("%(name)s would like a rematch.") % {"name": self.name}
        if self.mine:
            return _("You have offered a rematch; %(name)s is asked.") % {"name": self.name}
        return ""
