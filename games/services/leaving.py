"""How somebody leaves the site: their series end fairly (docs/rules.md, section 14), then they go.

The account comes first, so that nobody sits down to another series meanwhile; what a process that
dies in between leaves undone, the next round of the clock finds.
"""

from typing import Final

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts import leaving
from accounts.models import User
from games.live import Bell
from games.models import Seat, Series
from games.moderation.services.records import forget_records
from games.services.by_hand import close_by_hand, forget_absent
from games.services.chat import forget_chat
from games.services.imports import forget_imports
from games.services.notices import forget_notices
from games.services.outcome import Status
from games.services.request import SeriesRequest, Wish
from games.services.series import take_back
from games.services.stopping import grant_wish

TRIES: Final = 10  # an action of the other side may come between, each time


def close_account(user_id: int) -> list[Bell]:
    """Disable an account and end its series; what to ring. A log in undoes the first only."""
    leaving.disable_account(user_id)
    return leave_tables(user_id)


def delete_account(user_id: int) -> list[Bell]:
    """Delete an account for good, and end its series; what to ring."""
    rung = close_account(user_id)
    leaving.delete_account(user_id)
    return rung


def take_step(user_id: int, step: leaving.Step) -> bool:
    """Take somebody who leaves the next step; False if it was not due any more.

    Their lines in chats are hidden with the name, and go with what is kept against abuse.
    """
    with transaction.atomic():
        done = leaving.carry_out(user_id, step)
        if done and step is leaving.Step.ERASE:
            forget_person(user_id)
    return done


def forget_person(user_id: int) -> None:
    """Take away what was kept against abuse, when an account is erased, in its transaction."""
    forget_chat(user_id)
    forget_absent(user_id)
    forget_imports(user_id)
    forget_records(user_id)


def leave_tables(user_id: int) -> list[Bell]:
    """Resign all that somebody plays, and take back what nobody has joined; what to ring.

    What they enter by hand ends where it stands: nobody has lost it.
    """
    seats = Seat.objects.filter(user=user_id).exclude(series__status=Series.Status.OVER)
    rung = []
    rows = seats.values_list("series", "series__status", "series__source")
    for series_id, status, source in rows:
        if status == Series.Status.WAITING and take_back(series_id):
            continue
        if source == Series.Source.ENTERED:
            close_by_hand(series_id)
            continue
        if ended := _resign(series_id, user_id):
            rung.append(ended)
    forget_notices(user_id)
    return rung


def left_behind() -> list[int]:
    """Who has left or was shut out, and still sits somewhere."""
    gone = Q(user__disabled_at__isnull=False, user__erased_at=None)
    seats = Seat.objects.filter(gone | Q(user__shut_out_until__gt=Now()))
    open_seats = seats.exclude(series__status=Series.Status.OVER)
    return list(open_seats.values_list("user", flat=True).distinct())


def running_series(user: User) -> int:
    """How many series somebody would lose by leaving."""
    return Seat.objects.filter(user=user, series__status=Series.Status.PLAYING).count()


def _resign(series_id: int, user_id: int) -> Bell | None:
    request = SeriesRequest(Wish.RESIGN, round=0, key="")
    for _ in range(TRIES):
        outcome = grant_wish(series_id=series_id, user_id=user_id, request=request)
        if outcome.status is not Status.STALE:
            break
    return Bell(series_id, outcome.version, outcome.talk) if outcome.rings else None
