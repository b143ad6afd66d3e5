"""The end of guests: taken along into an account, or erased when they have long gone.

In both cases the rest is as when anybody leaves: what still runs is resigned, the history stays.
"""

from typing import Final

from django.db import transaction
from django.db.models import F

from accounts import leaving
from accounts.models import User
from accounts.sanctions import Sanction, follow
from games.live import Bell
from games.models import Deed, Invitation, Message, Notice, Seat, Series
from games.moderation.services.records import move_records
from games.selectors.guests import idle_guests, series_to_take
from games.selectors.versions import stamps
from games.services.counting import move_counts
from games.services.leaving import delete_account, forget_person

AT_ONCE: Final = 200  # guests that one round of the clock looks after


def take_along(*, guest_id: int, user_id: int) -> list[Bell]:
    """Make a guest's series those of an account, and erase the guest; what to ring.

    Where both sit at one table the guest's seat stays theirs. Repeated, it changes nothing. That
    the two are one person is for the caller to know.
    """
    moved = _move_seats(guest_id, user_id)
    if moved is None:
        return []
    rung = _erase(guest_id)
    now = stamps(moved)
    return [*(Bell(pk, now[pk].version, now[pk].talk) for pk in moved), *rung]


def guests_to_erase(most: int | None = AT_ONCE) -> list[int]:
    """The guests who are to be erased now, so many of them or all."""
    return list(idle_guests().order_by("pk").values_list("pk", flat=True)[:most])


def erase_guest(user_id: int) -> list[Bell]:
    """Erase a guest who has long gone, unless they have come back meanwhile; what to ring."""
    return _erase(user_id) if _give_up(user_id) else []


@transaction.atomic
def _give_up(guest_id: int) -> bool:
    # Of a guest who registers in this moment the row is held, and they are none after that.
    held = User.objects.select_for_update(skip_locked=True, no_key=True).filter(pk=guest_id)
    if not held.exists() or not idle_guests().filter(pk=guest_id).exists():
        return False
    leaving.disable_account(guest_id)
    return True


def _erase(guest_id: int) -> list[Bell]:
    rung = delete_account(guest_id)
    with transaction.atomic():
        leaving.erase_account(guest_id)
        forget_person(guest_id)
    return rung


@transaction.atomic
def _move_seats(guest_id: int, user_id: int) -> list[int] | None:
    """Move what can be moved, and log the guest out; None if somebody was faster."""
    people = User.objects.select_for_update(no_key=True).filter(deleted_at=None, disabled_at=None)
    kinds = dict(people.filter(pk__in=[guest_id, user_id]).order_by("pk").values_list("pk", "kind"))
    if kinds != {guest_id: User.Kind.GUEST, user_id: User.Kind.PERSON}:
        return None
    held = _hold_series(guest_id, user_id)
    # The account may have sat down at one of them while they were waited for.
    moved = list(series_to_take(guest_id, user_id).filter(pk__in=held).values_list("pk", flat=True))
    _hand_over(moved, guest_id, user_id)
    # Whoever takes along what they played takes along what was said and imposed for it.
    if Sanction.objects.filter(user=guest_id).update(user=user_id):
        follow(user_id)
    move_records(left=guest_id, joined=user_id)
    move_counts(moved, left=guest_id, joined=user_id)
    leaving.disable_account(guest_id)
    return moved


def _hold_series(guest_id: int, user_id: int) -> list[int]:
    """Hold what may be moved, and whatever else of these two may end, until it has been counted."""
    running = Series.objects.filter(seats__user=user_id).exclude(status=Series.Status.OVER)
    wanted = [*series_to_take(guest_id, user_id), *running]
    rows = Series.objects.filter(pk__in=[each.pk for each in wanted]).order_by("pk")
    return list(rows.select_for_update().values_list("pk", flat=True))


def _hand_over(series_ids: list[int], guest_id: int, user_id: int) -> None:
    series = Series.objects.filter(pk__in=series_ids)
    series.filter(created_by=guest_id).update(created_by=user_id)
    # What a guest has begun stays casual.
    series.exclude(status=Series.Status.OVER).update(rated=False)
    series.update(talk=F("talk") + 1)
    invitations = Invitation.objects.filter(series__in=series_ids, accepted_by=guest_id)
    invitations.update(accepted_by=user_id)
    seats = Seat.objects.filter(series__in=series_ids)
    seats.filter(user=guest_id).update(user=user_id)
    seats.filter(opponent=guest_id).update(opponent=user_id)
    Message.objects.filter(series__in=series_ids, author=guest_id).update(author=user_id)
    for table in (Deed, Notice):
        table.objects.filter(series__in=series_ids, user=guest_id).update(user=user_id)
