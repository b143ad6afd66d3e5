"""Guests who have gone, and what one brings along who logs in to an account."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from allauth.usersessions.models import UserSession
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts.models import User
from games.models import Round, Seat, Series

IDLE_FOR: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Luggage:
    """What a guest has played: how many series may be taken along, and how many of them run.

    `shared` are those at which the account sits too, which stay behind.
    """

    name: str
    series: int
    running: int
    shared: int


def idle_guests() -> QuerySet[User]:
    """The guests of whom nothing was seen for so long, and those who were given up already.

    Not one in a series over days while a time runs in it: the turn ends it, not the idleness.
    """
    since = Now() - IDLE_FOR
    seats = Seat.objects.filter(user=OuterRef("pk"))
    visits = UserSession.objects.filter(user=OuterRef("pk"), last_seen_at__gt=since)
    over_days = Round.objects.filter(
        Q(first_seat__user=OuterRef("pk")) | Q(second_seat__user=OuterRef("pk")),
        series__time_control__endswith="d",
        due_at__isnull=False,
    )
    guests = User.objects.filter(kind=User.Kind.GUEST, deleted_at=None)
    silent = Q(date_joined__lte=since) & (Q(last_login=None) | Q(last_login__lte=since))
    here = Exists(seats.filter(Q(seen_at__gt=since) | Q(joined_at__gt=since))) | Exists(visits)
    return guests.filter(Q(disabled_at__isnull=False) | silent & ~here & ~Q(Exists(over_days)))


def series_to_take(guest_id: int, user_id: int) -> QuerySet[Series]:
    """The series of a guest at which this account does not sit itself."""
    own = Seat.objects.filter(series=OuterRef("pk"), user=user_id)
    return Series.objects.filter(seats__user=guest_id).exclude(Exists(own))


def luggage_of(guest: User, user_id: int) -> Luggage | None:
    """What this guest may bring along into an account; None where it is nothing."""
    found = series_to_take(guest.pk, user_id)
    count, every = found.count(), Seat.objects.filter(user=guest).count()
    if not every:
        return None
    running = found.exclude(status=Series.Status.OVER).count()
    return Luggage(guest.username, count, running, every - count)
