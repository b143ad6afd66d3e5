"""The round that a series has come to."""

from collections.abc import Iterable

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now

from games.models import Round, Series


def last_round(series: Series, **also: Q) -> Round | None:
    """The last round of a series, None before the first deal; `also` is noted of it."""
    rounds = _rounds().annotate(**also).filter(series=series)
    return rounds.order_by("-number", "-board").first()


def last_rounds(series_ids: Iterable[int]) -> dict[int, Round]:
    """The last round of each of these series that are played, and no other row."""
    of_same = Round.objects.filter(series=OuterRef("series"))
    last = Subquery(of_same.order_by("-number").values("number")[:1])
    rows = _rounds().filter(
        series__in=list(series_ids), series__status=Series.Status.PLAYING, number=last
    )
    return {row.series_id: row for row in rows.order_by("board")}


def _rounds() -> QuerySet[Round]:
    """With their seats, and the time it is to the database (`now`)."""
    return Round.objects.select_related("series", "first_seat", "second_seat").annotate(now=Now())
