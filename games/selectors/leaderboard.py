"""The best players of a format, among those of whom enough is known."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import F
from django.db.models.functions import Now

from accounts.models import User
from games.formats import Format
from games.glicko import SURE_BELOW
from games.models import Rating

LEAST_SERIES: Final = 10
PLACES: Final = 50
PERIODS: Final = {"week": 7, "month": 30, "year": 365}
"""Who has played a rated series within so many days is listed."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a leaderboard; equal ratings share a place."""

    place: int
    user: User
    value: int
    deviation: int
    series_count: int


def leaderboard(format_: Format, period: str = "month") -> list[Place]:
    """The first `PLACES` players of a format who have played in this period."""
    rows = (
        Rating.objects.filter(
            format=str(format_),
            series_count__gte=LEAST_SERIES,
            deviation__lt=SURE_BELOW,
            rated_at__gt=Now() - timedelta(days=PERIODS[period]),
            user__is_active=True,
        )
        .select_related("user")
        .order_by(F("value").desc(), "user")[:PLACES]
    )
    places: list[Place] = []
    for number, row in enumerate(rows, start=1):
        value = round(row.value)
        shared = bool(places) and places[-1].value == value
        place = places[-1].place if shared else number
        places.append(Place(place, row.user, value, round(row.deviation), row.series_count))
    return places


def ratings_of(user_id: int) -> list[Rating]:
    """The ratings of a player, most played first."""
    return list(Rating.objects.filter(user=user_id).order_by("-series_count", "format"))
