"""The figures of the day, for those who run the place: so many queries, however much there is."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Final

from django.db.models import Count, Min, Q
from django.utils import timezone

from games.models import ErrorDay, Seat, Series
from games.moderation.models import Appeal, Case, Report

ANSWERS_OF: Final = timedelta(days=30)
MOST_ANSWERS: Final = 1000


@dataclass(frozen=True, slots=True)
class Today:
    """What has happened since midnight, UTC, and what waits.

    `answer_time` is the median from the opening of a case to its end, of the last 30 days; None
    where none was closed. `waiting_since`: of the oldest open case.
    """

    players: int
    begun: int
    finished: int
    running: int
    reports: int
    cases_open: int
    waiting_since: datetime | None
    answer_time: timedelta | None
    appeals_open: int
    errors: int


def today() -> Today:
    """Ask for all of it."""
    now = timezone.now()
    since = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    here = Series.objects.exclude(source=Series.Source.IMPORTED)
    series = here.aggregate(
        begun=Count("pk", filter=Q(started_at__gte=since)),
        finished=Count("pk", filter=Q(ended_at__gte=since)),
        running=Count("pk", filter=Q(status=Series.Status.PLAYING)),
    )
    lately = Q(series__status=Series.Status.PLAYING) | Q(series__ended_at__gte=since)
    players = Seat.objects.filter(lately, bot="", seen_at__gte=since)
    cases = Case.objects.filter(closed_at=None).aggregate(count=Count("pk"), first=Min("opened_at"))
    errors = ErrorDay.objects.filter(day=since.date()).values_list("count", flat=True).first()
    return Today(
        **series,
        players=players.aggregate(count=Count("user", distinct=True))["count"],
        reports=Report.objects.filter(made_at__gte=since).count(),
        cases_open=cases["count"],
        waiting_since=cases["first"],
        answer_time=median_answer(now - ANSWERS_OF),
        appeals_open=Appeal.objects.filter(answered_at=None).count(),
        errors=errors or 0,
    )


def median_answer(since: datetime) -> timedelta | None:
    """How long cases have waited that were closed since then: the median of the last ones."""
    closed = Case.objects.filter(closed_at__gte=since).order_by("-closed_at")
    times = closed.values_list("opened_at", "closed_at")[:MOST_ANSWERS]
    spans = [(end - start).total_seconds() for start, end in times if end is not None]
    return timedelta(seconds=median(spans)) if spans else None
