"""Whose account is new: they may do some things less often, until they have played a little."""

from datetime import timedelta
from typing import Final

from django.utils import timezone

from accounts.models import User
from games.models import Seat, Series

FIRST_HOUR: Final = timedelta(hours=1)
FIRST_WEEK: Final = timedelta(days=7)
FIRST_SERIES: Final = 3


def is_new(user: User) -> bool:
    """Whether this is their first hour; or their first week, with few finished series as yet."""
    age = timezone.now() - user.date_joined
    if age >= FIRST_WEEK:
        return False
    if age < FIRST_HOUR:
        return True
    # Played here: anybody can enter or import as many as they like.
    played = Seat.objects.filter(user=user, series__source=Series.Source.PLAYED)
    finished = played.filter(ended_at__isnull=False)
    return finished[:FIRST_SERIES].count() < FIRST_SERIES
