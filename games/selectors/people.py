"""Whom a player has met at a table, and who has asked them to one."""

from typing import Final

from django.db.models import Max

from accounts.models import User
from accounts.people import people_to_meet
from accounts.relations import kept_apart
from games.models import Invitation, Seat, Series

RECENT: Final = 10


def recent_opponents(user_id: int) -> list[User]:
    """Whom somebody played last and may find, the last one first; no guests and no bots."""
    met = (
        people_to_meet(user_id)
        .filter(seats__series__in=Seat.objects.filter(user=user_id).values("series"))
        .annotate(last=Max("seats__series"))
        .exclude(pk__in=kept_apart(user_id))
    )
    return list(met.order_by("-last")[:RECENT])


def invitations_for(user_id: int) -> list[Invitation]:
    """The tables to which somebody was asked by name and has not answered, newest first."""
    asked = (
        Invitation.objects.filter(
            invited=user_id,
            accepted_by=None,
            declined_at=None,
            series__status=Series.Status.WAITING,
        )
        .exclude(series__created_by__in=kept_apart(user_id))
        .select_related("series__created_by")
    )
    return list(asked.order_by("-pk"))
