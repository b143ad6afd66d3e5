"""What players keep of a series that is over: where it stands in their lists, and for whom."""

from dataclasses import asdict

from django.db import transaction

from games import access
from games.errors import NotFound
from games.models import Seat, Series
from games.rules.series import SeriesState
from games.selectors.seat_end import seat_ends
from games.selectors.standing import finished_rounds, series_state


def store_seat_ends(series: Series, state: SeriesState | None) -> None:
    """Write with each seat how its series ended, for the lists; repeated, it changes nothing.

    The caller holds the series' row, and has rated it.
    """
    for seat, end in seat_ends(series, list(series.seats.all()), state):
        Seat.objects.filter(pk=seat.pk).update(**asdict(end))


@transaction.atomic
def mend_seat_ends(series_id: int) -> None:
    """Write it again, from the rounds that are stored."""
    series = Series.objects.select_for_update().get(pk=series_id)
    has_begun = series.first_dealer is not None
    store_seat_ends(series, series_state(series, finished_rounds(series)) if has_begun else None)


@transaction.atomic
def hide_series(*, series_id: int, user_id: int | None, is_hidden: bool) -> None:
    """Keep an own series out of the lists that others see, or let it in again.

    It is listed only while none of its players hides it. Raises NotSeated, or NotFound of one that
    was deleted meanwhile; of a series that is not over nothing is listed, and nothing changes.
    """
    series = Series.objects.select_for_update().filter(pk=series_id).first()
    if series is None:
        raise NotFound
    own = access.own_seat(series_id, user_id)
    if series.status != Series.Status.OVER:
        return
    Seat.objects.filter(pk=own.pk).update(is_hidden=is_hidden)
    seats = Seat.objects.filter(series=series)
    hidden = seats.filter(is_hidden=True).exists()
    seats.update(is_listed=not (series.is_private or hidden))
