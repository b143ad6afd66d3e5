"""Ratings after a series: one outcome, at its end, in the transaction that ends it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count
from django.db.models.functions import Now

from accounts.models import User
from games.formats import Format
from games.glicko import Rating as Strength
from games.glicko import Result, idle, rated
from games.models import Rating, RatingChange, Seat, Series
from games.moderation.models import Signal
from games.moderation.services.signals import note_signal

PERIOD: Final = timedelta(days=7)  # how long it takes to become a little less sure
PAIR_LIMIT: Final = 5  # rated series of one pair within a day; more are played unrated (fault 72)
PAIR_WINDOW: Final = timedelta(days=1)

_UNRATED: Final = frozenset({Series.Ending.AGREED.value, ""})


@dataclass(frozen=True, slots=True)
class Rater:
    """A player of a series with their rating before it."""

    seat: Seat
    row: Rating
    strength: Strength


def rate_series(series: Series) -> bool:
    """Rate a series that has just ended, if it counts; whether it did.

    Every way of losing counts alike: who lets the time run out has lost (fault 70). The caller
    holds the series' row.
    """
    format_ = format_to_rate(series)
    if format_ is None:
        return False
    seats = list(series.seats.select_related("user").order_by("user"))
    if not _may_be_rated(seats):
        return False
    if (met := _met_today(seats, series)) >= PAIR_LIMIT:
        _signal(seats, series, met)
        return False
    now = series.ended_at
    assert now is not None, "only a series that has ended is rated"
    # In the order of users: two series of one pair that end at once don't wait for each other.
    raters = [_rater(seat, str(format_), now) for seat in seats]
    for one, other in (raters, raters[::-1]):
        _store(series, one, other, now)
    return True


def format_to_rate(series: Series) -> Format | None:
    """The format in which a series counts; None where it was agreed not to, or can't."""
    if not series.rated or series.ending in _UNRATED or series.source != Series.Source.PLAYED:
        return None
    if series.options.players != 2:
        return None
    return Format.of(series.options, series.control)


def _may_be_rated(seats: list[Seat]) -> bool:
    return len(seats) == 2 and all(seat.user.kind == User.Kind.PERSON for seat in seats)


def _met_today(seats: list[Seat], series: Series) -> int:
    """How many rated series these two had within the last day."""
    one, other = seats
    met = (
        RatingChange.objects.filter(user__in=[one.user_id, other.user_id])
        .filter(rated_at__gt=Now() - PAIR_WINDOW)
        .exclude(series=series)
        .values("series")
        .annotate(both=Count("pk"))
        .filter(both=2)
    )
    return met.count()


def _signal(seats: list[Seat], series: Series, met: int) -> None:
    """Tell the moderators once a day of a pair that goes on beyond the limit (fault 72)."""
    assert series.ended_at is not None, "only a series that has ended is rated"
    one, other = (seat.user_id for seat in seats)
    note_signal(
        Signal.Kind.PAIR,
        f"pair:{one}:{other}:{series.ended_at:%Y-%m-%d}",
        one,
        other_id=other,
        series_id=series.pk,
        facts={"rated": met},
    )


def _rater(seat: Seat, format_: str, now: datetime) -> Rater:
    new = Strength()
    row, _is_new = Rating.objects.select_for_update().get_or_create(
        user=seat.user,
        format=format_,
        defaults={
            "value": new.value,
            "deviation": new.deviation,
            "volatility": new.volatility,
            "rated_at": now,
        },
    )
    waited = max((now - row.rated_at) / PERIOD, 0.0)
    return Rater(seat, row, idle(row.to_domain(), waited))


def _store(series: Series, one: Rater, other: Rater, now: datetime) -> None:
    score = 0.5 if series.winner_side not in (0, 1) else float(series.winner_side == one.seat.side)
    after = rated(one.strength, [Result(other.strength, score)])
    Rating.objects.filter(pk=one.row.pk).update(
        value=after.value,
        deviation=after.deviation,
        volatility=after.volatility,
        series_count=one.row.series_count + 1,
        rated_at=now,
    )
    RatingChange.objects.create(
        series=series,
        user=one.seat.user,
        format=one.row.format,
        opponent_value=other.strength.value,
        opponent_deviation=other.strength.deviation,
        score=score,
        before=one.strength.value,
        after=after.value,
        deviation_after=after.deviation,
        rated_at=now,
    )
