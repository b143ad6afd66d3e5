"""The players' clocks: what each has left, and whose runs."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Self

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

if TYPE_CHECKING:
    from games.selectors.table import Table

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class ClockFace:
    """What a player has left: all of `left`, or, while their clock runs, what is there `until`.

    `live`: minutes, not days, of which nobody watches the seconds.
    """

    left: timedelta
    until: datetime | None = None
    live: bool = True

    @classmethod
    def of(cls, table: "Table", seat: int) -> Self | None:
        """The clock of a board seat; None where nobody's time is limited, or the series is over."""
        view = table.play.round if table.play else None
        if table.banks is None or view is None or table.status != "playing":
            return None
        live = max(table.banks) < _DAY
        if table.runs_out_at is None or view.turn != seat:
            return cls(table.banks[seat], live=live)
        return cls(table.banks[seat], table.runs_out_at, live)

    @property
    def stamp(self) -> str:
        """When it runs out, as a page's script reads it; empty while it stands still."""
        return self.until.isoformat() if self.until and self.live else ""

    @property
    def text(self) -> str:
        """What is left, as a page shows it that can't count down."""
        if self.until is None:
            return span_text(self.left)
        until = self.until.astimezone(UTC)
        if self.live:
            return _("until %(time)s") % {"time": f"{until:%H:%M:%S}"}
        return _("until %(day)s, %(time)s UTC") % {
            "day": date_format(until, "j M"),
            "time": f"{until:%H:%M}",
        }


def span_text(span: timedelta) -> str:
    """A length of time as a clock shows it.

    >>> span_text(timedelta(seconds=605)), span_text(timedelta(hours=1, seconds=5))
    ('10:05', '1:00:05')
    """
    if span >= _DAY:
        days, hours = span // _DAY, span % _DAY // _HOUR
        words = ngettext("%(days)d day %(hours)d h", "%(days)d days %(hours)d h", days)
        return words % {"days": days, "hours": hours}
    seconds = max(0, int(span.total_seconds()))
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
