"""Ending the series early: what the menu of the action bar offers, and how such an end is told."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Self

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rendering.cast import Cast

if TYPE_CHECKING:
    from games.selectors.table import Table


@dataclass(frozen=True, slots=True)
class Stopping:
    """What a player can ask of a running series as a whole.

    `offered`: has offered to stop in this round; `asked`: the other has. `claim_at` is from when on
    the absent other, whose turn it is, can be declared to have left. `report` is where the other is
    reported, "" for a bot.
    """

    other: str
    offered: bool
    asked: bool
    declined: bool
    claim_at: datetime | None
    report: str = ""

    @classmethod
    def of(cls, table: "Table", cast: Cast) -> Self | None:
        """What the viewer can ask; None for a spectator, and unless the series runs."""
        if table.status != "playing" or table.seat is None or cast.viewer is None:
            return None
        return cls(
            other=cast.name(cast.far),
            offered=table.seat in table.end_offered_by,
            asked=bool(table.end_offered_by - {table.seat}),
            declined=table.seat in table.end_declined,
            claim_at=table.claim_at,
            report="" if cast.far in cast.bots else f"{table.url}report/",
        )

    @property
    def can_offer(self) -> bool:
        return not (self.offered or self.asked or self.declined)

    @property
    def told(self) -> str:
        """What the other asks, in a sentence; empty unless they do."""
        if not self.asked:
            return ""
        return _("%(name)s would like to stop here, without a winner.") % {"name": self.other}

    @property
    def hint(self) -> str:
        """What to know of offers, without a name, so that it stays in one line on a phone."""
        if self.asked:
            return _("You are asked to stop here.")
        return _("You have offered to stop.") if self.offered else ""

    @property
    def claim_time(self) -> str:
        """From when on that can be done, as a clock shows it."""
        return f"{self.claim_at.astimezone(UTC):%H:%M:%S} UTC" if self.claim_at else ""

    @property
    def claim_stamp(self) -> str:
        """The same as a page's script reads it."""
        return self.claim_at.isoformat() if self.claim_at else ""


def ending_words(table: "Table") -> str:
    """How a series ended before its sheet said so; empty where it was played out, or runs."""
    if table.ending == "agreed":
        return _("Both agreed to stop: nobody has won the series.")
    side = table.ended_by_side
    if side is None or table.ending not in _STOPPED:
        return ""
    sides, (by_you, by_them, watched) = Cast.of_sides(table), _STOPPED[table.ending]
    if sides.viewer is None:
        return watched % {"name": sides.name(side)}
    return (by_you if sides.is_you(side) else by_them) % {"name": sides.name(1 - sides.near)}


# Said to whom it was, to the other, and to who only watches.
_STOPPED: Final = {
    "resigned": (
        gettext_lazy("You have resigned: %(name)s wins the series."),
        gettext_lazy("%(name)s has resigned: you win the series."),
        gettext_lazy("%(name)s has resigned the series."),
    ),
    "time": (
        gettext_lazy("Your time has run out: %(name)s wins the series."),
        gettext_lazy("%(name)s has run out of time: you win the series."),
        gettext_lazy("%(name)s has run out of time and lost the series."),
    ),
    "abandoned": (
        gettext_lazy("You were away too long: %(name)s wins the series."),
        gettext_lazy("%(name)s has left: you win the series."),
        gettext_lazy("%(name)s has left and lost the series."),
    ),
}
