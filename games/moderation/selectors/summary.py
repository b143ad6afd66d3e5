"""What moderation has come to, month by month, in counts only: for everybody to read."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Final

from django.db.models import Count
from django.db.models.functions import TruncMonth

from accounts.models import Sanction
from games.moderation.models import AuditRow, Case, Report

MONTHS: Final = 12


@dataclass(frozen=True, slots=True)
class Month:
    """A month by UTC. `actions` are the codes of the audit trail with how often each was done.

    `answer_time` is the median from the opening of a case to its end; None where none was closed.
    """

    start: datetime
    reports: int
    actions: dict[str, int]
    answer_time: timedelta | None

    @property
    def sanctions(self) -> dict[str, int]:
        """How many were imposed of each kind."""
        return {kind: self.actions.get(f"sanction.{kind}", 0) for kind in Sanction.Kind.values}

    def count(self, action: str) -> int:
        return self.actions.get(action, 0)

    @property
    def is_empty(self) -> bool:
        return not (self.reports or self.actions)


def months_until(now: datetime) -> list[Month]:
    """The last months, this one first, back to the first in which anything happened."""
    starts = _starts(now.astimezone(UTC))
    since = starts[-1]
    month = TruncMonth("made_at", tzinfo=UTC)
    reports = Report.objects.filter(made_at__gte=since).annotate(month=month).order_by()
    counts = dict(reports.values_list("month").annotate(count=Count("pk")))
    done = AuditRow.objects.filter(at__gte=since).annotate(month=TruncMonth("at", tzinfo=UTC))
    actions: dict[datetime, dict[str, int]] = defaultdict(dict)
    rows = done.order_by().values_list("month", "action").annotate(count=Count("pk"))
    for start, action, count in rows.filter(action__regex=_TOLD):
        actions[start][action] = count
    spans = _spans(since)
    made = [
        Month(start, counts.get(start, 0), actions.get(start, {}), _median(spans.get(start, [])))
        for start in starts
    ]
    while len(made) > 1 and made[-1].is_empty:
        made.pop()
    return made


_TOLD: Final = r"^(sanction|appeal|series|rating|person|line|profile)\.|^case\.(acted|dismissed)$"


def _starts(now: datetime) -> list[datetime]:
    """The first moments of the last months, the newest first."""
    counted = now.year * 12 + now.month - 1
    return [
        datetime(each // 12, each % 12 + 1, 1, tzinfo=UTC)
        for each in range(counted, counted - MONTHS, -1)
    ]


def _spans(since: datetime) -> dict[datetime, list[float]]:
    found: dict[datetime, list[float]] = defaultdict(list)
    closed = Case.objects.filter(closed_at__gte=since).values_list("opened_at", "closed_at")
    for start, end in closed:
        assert end is not None, "it was closed"
        utc = end.astimezone(UTC)
        month = datetime(utc.year, utc.month, 1, tzinfo=UTC)
        found[month].append((end - start).total_seconds())
    return found


def _median(spans: list[float]) -> timedelta | None:
    return timedelta(seconds=median(spans)) if spans else None
