"""Answering an invitation: as a guest, or, by whom it asks by name, with a no.

Otherwise it is accepted by games.services.series.
"""

import re
from typing import Final

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from accounts.guests import REPEATS_WITHIN, make_guest
from accounts.models import User
from games import access
from games.errors import NotForYou, NotFound, SeatTaken
from games.models import Invitation, Seat, Series
from games.services.series import accept_invitation

SECRET_KEY: Final = re.compile(r"[A-Za-z0-9_-]{20,64}")


def accept_as_guest(
    *, token: str, preferences: str = "", key: str = "", part: str = ""
) -> tuple[User, Series]:
    """A new guest, in the free seat; none is made where the seat can't be taken.

    `part` is what their browser adds to the deal. `key` is the secret of the form as one browser
    was shown it: pressed twice within a moment, it is one guest (fault 110). Raises NotFound,
    SeatTaken or NotForYou.
    """
    try:
        return _new_guest(token, preferences, key, part)
    except SeatTaken:
        seat = _just_taken(token, key)
        if seat is None:
            raise
        return seat.user, seat.series


@transaction.atomic
def _new_guest(token: str, preferences: str, key: str, part: str) -> tuple[User, Series]:
    guest = make_guest(preferences)
    return guest, accept_invitation(token=token, user=guest, key=key, part=part)


def _just_taken(token: str, key: str) -> Seat | None:
    if not SECRET_KEY.fullmatch(key):
        return None
    seats = Seat.objects.select_related("user", "series").filter(
        series__invitation__token=token,
        key=key,
        user__kind=User.Kind.GUEST,
        joined_at__gt=Now() - REPEATS_WITHIN,
    )
    return seats.first()


@transaction.atomic
def decline_invitation(*, token: str, user_id: int) -> Series:
    """Say no; the host is told at the table. A repeat changes nothing.

    Raises NotFound, NotForYou for who was not asked by name, or SeatTaken once it was accepted.
    """
    invitation = access.invitation_for(token)
    series = Series.objects.select_for_update().filter(pk=invitation.series_id).first()
    if series is None:
        raise NotFound  # taken back meanwhile
    invitation.refresh_from_db(fields=["accepted_by", "declined_at"])
    if invitation.invited_id != user_id:
        raise NotForYou
    if invitation.accepted_by_id is not None:
        raise SeatTaken
    if invitation.declined_at is None:
        Invitation.objects.filter(pk=invitation.pk).update(declined_at=Now())
        Series.objects.filter(pk=series.pk).update(talk=F("talk") + 1)
    return series
