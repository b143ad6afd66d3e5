"""Who has a page of the table open."""

import logging
from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Now

from games.errors import log_failure
from games.models import Seat
from games.selectors.versions import PRESENT_FOR

logger = logging.getLogger(__name__)

# A player whose page was closed counts as away this much later: a reload takes less.
AWAY_AFTER: Final = timedelta(seconds=5)
# A page without a socket gives no sign of life while its player thinks: it counts a minute longer.
PAGE_COUNTS_FOR: Final = timedelta(minutes=1)


def see_page(seat: Seat | None, *, thinks: bool) -> None:
    """Note that the player of a seat has fetched the page, which is shown if that fails too.

    Only somebody who plays may sit before it without a word: a page that waits for an opponent asks
    again every five seconds, and who has left it is not to be found at a table whose clock runs.
    """
    _see(seat, PAGE_COUNTS_FOR if thinks else timedelta())


def see_socket(seat: Seat | None) -> None:
    """Note that they have a socket again: who is back has not left, from the first moment on."""
    _see(seat, timedelta())


def _see(seat: Seat | None, ahead: timedelta) -> None:
    if seat is None:
        return
    try:
        see_seats([seat.pk], ahead=ahead)
    except DatabaseError as error:
        log_failure(logger, "a presence could not be noted", error)


def leave_seat(seat_id: int) -> None:
    """Note that the last page of a seat in this process was closed.

    If no other one gives a sign of life, its player is away five seconds from now.
    """
    seen_at = Now() - PRESENT_FOR + AWAY_AFTER
    try:
        _note(Seat.objects.filter(pk=seat_id, seen_at__gt=seen_at), seen_at)
    except DatabaseError as error:
        log_failure(logger, "an absence could not be noted", error)


def see_seats(seat_ids: Collection[int], *, ahead: timedelta = timedelta()) -> None:
    """Note that the users of these seats are here, by the database's clock, in one UPDATE.

    A page with a socket says so every five seconds and is believed no longer; `ahead` is for those
    that can't.
    """
    if seat_ids:
        _note(Seat.objects.filter(pk__in=seat_ids), Now() + ahead)


def _note(seats: QuerySet[Seat], seen_at: Combinable) -> None:
    # A seat that somebody else is writing is passed over till the next time: waiting for it, in
    # whatever order, could hold up all others, or the end of a series.
    with transaction.atomic():
        free = seats.select_for_update(skip_locked=True, no_key=True)
        Seat.objects.filter(pk__in=free).update(seen_at=seen_at)
