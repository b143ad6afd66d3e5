"""How long a player may think, fixed when a series is created; numbers only, no clock.

Written shortly, as it is stored: `` (nothing) for no limit, `600+5` for a bank of 600 seconds and 5
more with every action, `600+60r` for 60 more with every round, `3d` for three days a turn.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal, Self

from games.rules.errors import UnreadableInput, quoted

type Per = Literal["action", "round"]

BANKS: Final = range(60, 3 * 3600 + 1)  # seconds
INCREMENTS: Final = range(181)  # seconds
DAYS: Final = range(1, 15)

_LIVE = re.compile(r"([0-9]{1,5})\+([0-9]{1,3})(r?)")
_DAYS = re.compile(r"([0-9]{1,2})d")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """No limit, a bank that an increment fills again, or days for each turn."""

    bank: timedelta | None = None
    increment: timedelta = timedelta()
    per: Per = "action"
    days: int | None = None

    def __str__(self) -> str:
        if self.days is not None:
            return f"{self.days}d"
        if self.bank is None:
            return ""
        r = "r" if self.per == "round" else ""
        return f"{_seconds(self.bank)}+{_seconds(self.increment)}{r}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read it as it is written. Raises UnreadableInput (`bad_request`).

        >>> TimeControl.parse("600+5").increment
        datetime.timedelta(seconds=5)
        """
        if not text:
            return cls()
        if (found := _DAYS.fullmatch(text)) and int(found[1]) in DAYS:
            return cls(days=int(found[1]))
        found = _LIVE.fullmatch(text)
        if not found or int(found[1]) not in BANKS or int(found[2]) not in INCREMENTS:
            raise UnreadableInput("bad_request", f"No such time control: {quoted(text)}")
        return cls(
            bank=timedelta(seconds=int(found[1])),
            increment=timedelta(seconds=int(found[2])),
            per="round" if found[3] else "action",
        )

    @property
    def is_limited(self) -> bool:
        """Whether time can run out."""
        return self.bank is not None or self.days is not None

    @property
    def is_live(self) -> bool:
        """Whether the players sit at the table together: all but days a turn."""
        return self.days is None


@dataclass(frozen=True, slots=True)
class Clocks:
    """What each board seat has left while the other one thinks; days a turn are not saved up."""

    control: TimeControl
    banks: tuple[timedelta, timedelta]

    @classmethod
    def full(cls, control: TimeControl) -> Self:
        """The clocks at the start of a series.

        >>> Clocks.full(TimeControl.parse("3d")).banks[0]
        datetime.timedelta(days=3)
        """
        left = control.bank or timedelta(days=control.days or 0)
        return cls(control, (left, left))

    def at_deal(self) -> Self:
        """The clocks at the next deal."""
        if self.control.days is not None:
            return type(self).full(self.control)
        if self.control.per == "action":
            return self
        first, second = self.banks
        return replace(
            self, banks=(first + self.control.increment, second + self.control.increment)
        )

    def acted(self, seat: int, left: timedelta, *, goes_on: bool) -> Self:
        """The clocks after an action of this seat, which had so much left when it came.

        `goes_on`: the same seat acts next. It goes on with what it has; of days, a turn is one.
        """
        if self.control.days is not None:
            after = left if goes_on else timedelta(days=self.control.days)
        elif self.control.per == "action":
            after = left + self.control.increment
        else:
            after = left
        banks = (self.banks[0], after) if seat else (after, self.banks[1])
        return replace(self, banks=banks)


CLAIM_AFTER: Final = timedelta(seconds=60)


REMIND_AT_MOST: Final = timedelta(hours=12)


def reminder_before(control: TimeControl) -> timedelta:
    """How long before the end of a turn of days its player is reminded: a quarter, or half a day.

    >>> reminder_before(TimeControl(days=1)), reminder_before(TimeControl(days=7))
    (datetime.timedelta(seconds=21600), datetime.timedelta(seconds=43200))
    """
    return min(timedelta(days=control.days or 0) / 4, REMIND_AT_MOST)


PRESENT_FOR: Final = timedelta(seconds=12)  # a seat is present that was seen this long ago
TIME_TO_COME: Final = timedelta(minutes=5)


def time_to_come(seen_at: datetime, began_at: datetime, now: datetime) -> timedelta:
    """How long a player is still given to come, of whom nothing was seen since a series began.

    It may begin while its host is away, when somebody follows the link. Their clock stands that
    long, and until then nobody can say that they have left.
    """
    if seen_at >= began_at - PRESENT_FOR:
        return timedelta()
    return max(began_at + TIME_TO_COME - now, timedelta())


def claim_time(seen_at: datetime, began_at: datetime) -> datetime:
    """From when on a player who was last seen then, and is waited for, can be said to have left."""
    return max(seen_at + CLAIM_AFTER, began_at + time_to_come(seen_at, began_at, began_at))


def _seconds(span: timedelta) -> int:
    return int(span.total_seconds())
