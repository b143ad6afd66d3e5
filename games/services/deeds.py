"""What is kept of how people leave (games.leavers), in the transaction of what they did."""

from django.db.models.functions import Now

from accounts.models import User
from games.leavers import REMEMBERED_FOR, DeedKind
from games.models import Deed, Seat, Series
from games.rules.scoring import Ending
from games.selectors.repute import repute_of
from games.selectors.versions import present_seats
from games.services.process import is_lenient


def note_end(series: Series) -> None:
    """Keep what each player of a series that has just ended did for it, if it counts.

    Nothing does against a bot or away from this site, and nobody is blamed while the site may be at
    fault. The caller holds the series' row.
    """
    if series.source != Series.Source.PLAYED:
        return
    seats = list(series.seats.select_related("user").order_by("number"))
    if any(seat.bot for seat in seats):
        return
    for seat in seats:
        kind = _deed(series, seat)
        if kind is DeedKind.FINISHED and repute_of(seat.user_id) is None:
            continue  # nothing to make good
        if kind is None or (kind is not DeedKind.FINISHED and is_lenient()):
            continue
        Deed.objects.create(user=seat.user, kind=kind, series=series)


def note_withdrawal(user_id: int) -> None:
    """Keep that somebody took a table back from the lobby."""
    if not is_lenient():
        Deed.objects.create(user=User(pk=user_id), kind=DeedKind.WITHDREW)


def forget_deeds() -> None:
    """Forget what can't count any more."""
    Deed.objects.filter(done_at__lt=Now() - REMEMBERED_FOR).delete()


def _deed(series: Series, seat: Seat) -> DeedKind | None:
    if series.ended_by_side == seat.side:
        if series.ending == Series.Ending.ABANDONED:
            return DeedKind.LEFT
        if series.ending == Series.Ending.TIME:
            return DeedKind.RAN_OUT if _is_away(series, seat) else None
    if series.ending == Series.Ending.AGREED:
        return None
    # Who resigns at once, again and again, works off nothing.
    was_played = series.rounds.exclude(kind__in=("", Ending.VOID)).exists()
    return DeedKind.FINISHED if was_played else None


def _is_away(series: Series, seat: Seat) -> bool:
    """Over days, who lets the others wait until the time is out was away long enough."""
    if not series.control.is_live:
        return True
    return seat.number not in present_seats([series.pk]).get(series.pk, frozenset())
