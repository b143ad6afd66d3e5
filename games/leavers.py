"""What leaving costs, and how it fades: the exact terms, in numbers only, with no clock.

What somebody has done is kept as deeds; where they stand is the fold of these. It decides when they
may sit down with strangers again (quick match, the lobby); friends and bots are always there.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Self


class DeedKind(StrEnum):
    """What counts. Stored; never changed."""

    FINISHED = "finished"  # a series with a person came to a fair end: a step back
    LEFT = "left"  # was away, and the other has claimed the series: a step
    RAN_OUT = "ran out"  # went away and let the time run out: a step
    WITHDREW = "withdrew"  # took back a table that stood in the lobby: ten in an hour are a step


LADDER: Final = (
    timedelta(),
    timedelta(),  # a friendly word
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(days=1),
)
"""How long to wait before the next stranger, after the deed that led to this step."""

FADES_AFTER: Final = timedelta(days=7)  # a step back, for each so long without another one
WITHDRAWALS: Final = 10
WITHDRAWALS_WITHIN: Final = timedelta(hours=1)
REMEMBERED_FOR: Final = FADES_AFTER * (len(LADDER) - 1)  # then even the last step has faded

type Deed = tuple[DeedKind, datetime]


@dataclass(frozen=True, slots=True)
class Repute:
    """Where somebody stands: the step, when and by what they came to it, until when they wait.

    `withdrawn` are the tables taken back within the last hour that are no step yet.
    """

    step: int = 0
    since: datetime | None = None
    why: DeedKind | None = None
    until: datetime | None = None
    withdrawn: tuple[datetime, ...] = ()

    @property
    def next_wait(self) -> timedelta:
        """How long they would wait after one more."""
        return LADDER[min(self.step + 1, len(LADDER) - 1)]

    def wait(self, now: datetime) -> timedelta:
        """How long they have to wait yet."""
        return max(self.until - now, timedelta()) if self.until else timedelta()

    def after(self, deed: Deed) -> Self:
        """Where they stand after one more deed."""
        kind, at = deed
        faded = self.faded(at)
        if kind is DeedKind.FINISHED:
            return replace(faded, step=max(faded.step - 1, 0))
        if kind is not DeedKind.WITHDREW:
            return faded._climbed(kind, at)
        lately = (*(each for each in faded.withdrawn if at - each < WITHDRAWALS_WITHIN), at)
        if len(lately) < WITHDRAWALS:
            return replace(faded, withdrawn=lately)
        return replace(faded, withdrawn=())._climbed(kind, at)

    def faded(self, now: datetime) -> Self:
        """Where they stand when some time has passed; a wait that was set runs on."""
        if self.since is None or now - self.since < FADES_AFTER:
            return self
        steps = (now - self.since) // FADES_AFTER
        return replace(self, step=max(self.step - steps, 0), since=self.since + steps * FADES_AFTER)

    def _climbed(self, why: DeedKind, at: datetime) -> Self:
        step = min(self.step + 1, len(LADDER) - 1)
        until = at + LADDER[step]
        return replace(self, step=step, since=at, why=why, until=max(self.until or until, until))


def repute_after(deeds: Iterable[Deed], now: datetime) -> Repute:
    """Where somebody stands now, after these deeds in the order in which they were done.

    >>> repute_after([], datetime(2026, 1, 1)).step
    0
    """
    repute = Repute()
    for deed in deeds:
        repute = repute.after(deed)
    return repute.faded(now)
