"""Telling people that a series waits for them: noted with what makes it so, done a little later.

A notice stands in the database with its due time, in the transaction of the turn or the offer that
it is about. Whichever process comes first takes it, looks whether it is still so, and makes a mail
and pushes due; those are sent outside of any transaction (games.messenger). Each is taken by
removing it, so that two processes never tell the same, and one that dies tells less, never twice.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import User
from accounts.subscriptions import Subscription, forget
from accounts.turn_mail import confirmed_address, mail_goes, mail_soon, take_mail
from games.models import Notice, Push, Seat, Series
from games.selectors.waiting import Waiting, what_waits
from games.time_control import reminder_before

# Who looks at the table by then knows already. A live table can't wait as long as a turn of days.
TURN_AFTER: Final = timedelta(minutes=2)
OFFER_AFTER: Final = timedelta(seconds=20)
FIRST_RETRY: Final = timedelta(minutes=1)  # then two minutes, four, …
MOST_TRIES: Final = 8
AT_ONCE: Final = 50


# What the other services say


def turn_begins(series: Series, seat: Seat) -> None:
    """It is this seat's turn from now on, or the result waits for it. Told for days a turn only."""
    days = series.control.days
    if days is None or seat.bot:
        return
    full = timedelta(days=days)
    _note(seat.user_id, series, Notice.Kind.TURN, TURN_AFTER)
    _note(seat.user_id, series, Notice.Kind.REMINDER, full - reminder_before(series.control))


def round_ends(series: Series, *, by: Seat, other: Seat) -> None:
    """The result waits for both, and who has ended the round knows it."""
    if series.control.days is None:
        return
    Notice.objects.filter(user=by.user_id, series=series, kind=Notice.Kind.TURN).delete()
    turn_begins(series, other)


def table_begins(series: Series, user_id: int) -> None:
    """Somebody has sat down opposite this user, who may be elsewhere."""
    _note(user_id, series, Notice.Kind.BEGUN, OFFER_AFTER)


def asked_by_name(series: Series, user_id: int) -> None:
    """This user is invited to a table."""
    _note(user_id, series, Notice.Kind.INVITATION, OFFER_AFTER)


def rematch_offered(series: Series, seat: Seat) -> None:
    """The player of this seat is asked for a rematch."""
    _note(seat.user_id, series, Notice.Kind.REMATCH, OFFER_AFTER)


def _note(user_id: int, series: Series, kind: Notice.Kind, after: timedelta) -> None:
    notice = Notice(user_id=user_id, series=series, kind=kind, due_at=Now() + after)
    Notice.objects.bulk_create(
        [notice],
        update_conflicts=True,
        unique_fields=["user", "series", "kind"],
        update_fields=["due_at"],
    )


# What the clock finds


def notices_due() -> list[int]:
    """The notices that are due, the one that waits longest first."""
    due = Notice.objects.filter(due_at__lte=Now()).order_by("due_at")
    return list(due.values_list("pk", flat=True)[:AT_ONCE])


@transaction.atomic
def fall_due(notice_id: int) -> None:
    """Pass a notice on to mail and browsers, if it is still so and its reader is not looking."""
    locked = Notice.objects.select_for_update(skip_locked=True, of=("self",))
    due = locked.select_related("user", "series").filter(pk=notice_id, due_at__lte=Now())
    notice = due.first()
    if notice is None:
        return
    waiting = _still(notice.user_id, notice.series_id, notice.kind)
    if waiting is not None and notice.kind == Notice.Kind.REMINDER and not waiting.is_short:
        _put_off(notice, waiting)
        return
    notice.delete()
    if waiting is None or waiting.present or not _is_here(notice.user):
        return
    _push_soon(notice)
    mail_soon(notice.user_id)


def _still(user_id: int, series_id: int, kind: str) -> Waiting | None:
    found = (each for each in what_waits(user_id) if each.is_of(series_id, kind))
    return next(found, None)


def _put_off(notice: Notice, waiting: Waiting) -> None:
    """The time was moved meanwhile, since an outage was credited: so is the reminder."""
    assert waiting.left is not None, "who is reminded has time that runs"
    later = waiting.left - reminder_before(waiting.series.control)
    Notice.objects.filter(pk=notice.pk).update(due_at=Now() + later)


def _is_here(user: User) -> bool:
    """Whether somebody can be told at all: guests and bots can't, who has left is left alone."""
    return user.kind == User.Kind.PERSON and user.is_active and user.disabled_at is None


def _push_soon(notice: Notice) -> None:
    browsers = Subscription.objects.filter(user=notice.user_id)
    Push.objects.bulk_create(
        [
            Push(subscription=each, series=notice.series, kind=notice.kind, due_at=Now())
            for each in browsers
        ],
        update_conflicts=True,
        unique_fields=["subscription", "series"],
        update_fields=["kind", "due_at", "tries"],
    )


def forget_notices(user_id: int) -> None:
    """Tell somebody nothing any more: they leave."""
    Notice.objects.filter(user=user_id).delete()


# Pushes


@dataclass(frozen=True, slots=True)
class TakenPush:
    """A push that this process has taken on: to which browser, and what waits."""

    subscription: Subscription
    kind: Notice.Kind
    waiting: Waiting
    tries: int


def pushes_due() -> list[int]:
    """The pushes that are due, the one that waits longest first."""
    due = Push.objects.filter(due_at__lte=Now()).order_by("due_at")
    return list(due.values_list("pk", flat=True)[:AT_ONCE])


@transaction.atomic
def take_push(push_id: int) -> TakenPush | None:
    """Take on a push; None where another process has, or where nothing waits any more."""
    locked = Push.objects.select_for_update(skip_locked=True, of=("self",))
    due = locked.select_related("subscription__user").filter(pk=push_id, due_at__lte=Now())
    push = due.first()
    if push is None:
        return None
    Push.objects.filter(pk=push.pk).delete()
    browser = push.subscription
    waiting = _still(browser.user_id, push.series_id, push.kind)
    if waiting is None or waiting.present or not _is_here(browser.user):
        return None
    return TakenPush(browser, Notice.Kind(push.kind), waiting, push.tries)


@transaction.atomic
def push_again(taken: TakenPush) -> None:
    """Let a push that did not arrive be due again, later each time, and in the end no more."""
    if taken.tries + 1 >= MOST_TRIES:
        return
    # Held, so that its owner can't remove it in between.
    kept = Subscription.objects.select_for_update(no_key=True).filter(pk=taken.subscription.pk)
    if not kept.exists():
        return
    Push.objects.bulk_create(
        [
            Push(
                subscription=taken.subscription,
                series=taken.waiting.series,
                kind=taken.kind,
                due_at=Now() + FIRST_RETRY * 2**taken.tries,
                tries=taken.tries + 1,
            )
        ],
        ignore_conflicts=True,  # there is a newer one
    )


def forget_browser(taken: TakenPush) -> None:
    """Its push service says that there is nobody any more."""
    forget(Subscription.objects.filter(pk=taken.subscription.pk))


# Mail


@dataclass(frozen=True, slots=True)
class TakenMail:
    """A mail that this process has taken on: to whom, and what it lists."""

    user: User
    address: str
    waiting: tuple[Waiting, ...]


@transaction.atomic
def take_waiting_mail(user_id: int) -> TakenMail | None:
    """Take on the mail that is due to somebody; None where another has, or nothing waits."""
    if not take_mail(user_id):
        return None
    user = User.objects.get(pk=user_id)
    address = confirmed_address(user_id)
    waiting = tuple(each for each in what_waits(user_id) if not each.present)
    if not waiting or not address or not _is_here(user):
        return None
    mail_goes(user_id)
    return TakenMail(user, address, waiting)
