"""Storing how many errors this process has logged."""

from datetime import date

from django.db import DatabaseError, transaction
from django.db.models import F

from games.error_counter import put_back, take_counts
from games.models import ErrorDay


def store_error_counts() -> None:
    """Add what was counted to its days; where the database is away it waits for the next time."""
    counts = take_counts()
    try:
        while counts:
            day = min(counts)
            _add(day, counts[day])
            del counts[day]
    except DatabaseError:
        put_back(counts)
        raise


@transaction.atomic
def _add(day: date, count: int) -> None:
    ErrorDay.objects.bulk_create([ErrorDay(day=day)], ignore_conflicts=True)
    ErrorDay.objects.filter(day=day).update(count=F("count") + count)
