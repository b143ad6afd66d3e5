"""The mail that lists what waits for somebody: whether they want it, and when the next one is due.

It goes to a confirmed address, at most once an hour. A link in it turns it off without a log in.
"""

from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.db import models, transaction
from django.db.models.functions import Now
from django.urls import reverse

AT_MOST_EVERY: Final = timedelta(hours=1)
AFTER: Final = timedelta(minutes=5)  # who comes by meanwhile needs no mail
FIRST_RETRY: Final = timedelta(minutes=1)  # then two minutes, four, …
MOST_TRIES: Final = 10
_SALT: Final = "accounts.turn_mail"


class TurnMail(models.Model):
    """One row a person, made when it is first asked for. No row says: on, and none is due."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="turn_mail"
    )
    is_on = models.BooleanField(default=True)
    due_at = models.DateTimeField(null=True, blank=True, db_index=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(
        default=0, help_text="how often the mail server has refused the one that is due"
    )

    def __str__(self) -> str:
        return f"mail to {self.user_id}"


def wants_mail(user_id: int) -> bool:
    """Whether the mail is on, which it is unless somebody has turned it off."""
    return not TurnMail.objects.filter(user=user_id, is_on=False).exists()


def switch_mail(user_id: int, *, on: bool) -> None:
    """Turn the mail on or off; off, one that is due is not sent."""
    fields = {"is_on": on} if on else {"is_on": on, "due_at": None}
    TurnMail.objects.update_or_create(user_id=user_id, defaults=fields)


def confirmed_address(user_id: int) -> str:
    """Where mail to somebody goes; "" where there is no address that they have confirmed."""
    found = EmailAddress.objects.filter(user=user_id, verified=True).order_by("-primary", "pk")
    return found.values_list("email", flat=True).first() or ""


@transaction.atomic
def mail_soon(user_id: int) -> None:
    """Let a mail be due in a few minutes, or an hour after the last; one that is due comes first.

    Without effect for who has no confirmed address, or has turned it off.
    """
    if not confirmed_address(user_id):
        return
    TurnMail.objects.get_or_create(user_id=user_id)
    row = _locked(user_id)
    if row is None or not row.is_on or row.due_at is not None:
        return
    earliest = [_now_of(row) + AFTER]
    if row.sent_at is not None:
        earliest.append(row.sent_at + AT_MOST_EVERY)
    TurnMail.objects.filter(pk=row.pk).update(due_at=max(earliest), tries=0)


def mails_due() -> list[int]:
    """To whom a mail is due, the one who waits longest first."""
    due = TurnMail.objects.filter(due_at__lte=Now()).order_by("due_at")
    return list(due.values_list("user", flat=True)[:50])


def take_mail(user_id: int) -> bool:
    """Take on the mail that is due to somebody; False where another process has.

    Taken, it is not due any more: a process that dies over it sends none, and no two do.
    """
    due = TurnMail.objects.filter(user=user_id, due_at__lte=Now(), is_on=True)
    return bool(due.update(due_at=None))


def mail_goes(user_id: int) -> None:
    """Note, before it is sent, that this hour has its mail."""
    TurnMail.objects.filter(user=user_id).update(sent_at=Now())


@transaction.atomic
def try_again(user_id: int) -> None:
    """Let a mail that could not be sent be due again, later each time, and in the end no more."""
    row = _locked(user_id)
    if row is None or row.due_at is not None or not row.is_on:
        return
    tries = row.tries + 1
    later = Now() + FIRST_RETRY * 2 ** (tries - 1)
    due = later if tries < MOST_TRIES else None
    TurnMail.objects.filter(pk=row.pk).update(due_at=due, tries=tries % MOST_TRIES)


def arrived(user_id: int) -> None:
    """Note that the mail server has taken it."""
    TurnMail.objects.filter(user=user_id).update(tries=0)


def off_token(user_id: int) -> str:
    """What the link in a mail says instead of a log in; good for turning these mails off only."""
    return signing.Signer(salt=_SALT).sign(str(user_id)).replace(":", "~")


def off_path(user_id: int) -> str:
    """The address that turns these mails off."""
    return reverse("turn_mail_off", args=[off_token(user_id)])


def user_of_token(token: str) -> int | None:
    """Whose link it is; None for one that we have not made."""
    try:
        return int(signing.Signer(salt=_SALT).unsign(token.replace("~", ":")))
    except (signing.BadSignature, ValueError):
        return None


def _locked(user_id: int) -> TurnMail | None:
    rows = TurnMail.objects.select_for_update(of=("self",)).filter(user=user_id)
    return rows.annotate(now=Now()).first()


def _now_of(row: TurnMail) -> datetime:
    now: datetime = row.now  # type: ignore[attr-defined] # annotated
    return now
