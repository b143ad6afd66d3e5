"""What was imposed on somebody: a warning, a mute, and so on, each with its rule and its term.

Here they are data, and what follows from them at once; who may impose one, and why, is the
business of `games.moderation`. A term ends by itself: nothing has to be done for it.
"""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, ClassVar, Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts import keyed
from accounts.live import end_sockets

FOR_GOOD: Final = datetime(9999, 1, 1, tzinfo=UTC)


class Sanction(models.Model):
    """One of them. `until` is None for good; a warning lasts until it is acknowledged."""

    class Kind(models.TextChoices):
        WARNING = "warning", _("warning")
        MUTE = "mute", _("no chat")
        UNRATED = "unrated", _("no rated series")
        TIMEOUT = "timeout", _("no new series")
        SUSPENSION = "suspension", _("suspended")
        CLOSING = "closing", _("account closed")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sanctions"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    rule = models.CharField(max_length=32, help_text=_("The rule of conduct, by its code."))
    text = models.CharField(
        max_length=1000,
        blank=True,
        help_text=_("What the person is told; empty where it goes on from a deleted account."),
    )
    since = models.DateTimeField(db_default=Now(), editable=False)
    until = models.DateTimeField(null=True, blank=True)
    imposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    case_id = models.BigIntegerField(null=True, help_text=_("The case it came from."))
    acknowledged_at = models.DateTimeField(null=True, blank=True)
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [
            # Most have ended: what every page of a person asks stays tiny.
            models.Index(fields=["user"], condition=Q(lifted_at=None), name="sanctions_not_lifted"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.user_id}"


class KeptBar(models.Model):
    """That an address may not come back before this time, after its account was deleted.

    Kept as a hash with the site's key, and no longer than the term.
    """

    digest = models.CharField(max_length=64, db_index=True)
    kind = models.CharField(max_length=10, choices=Sanction.Kind)
    rule = models.CharField(max_length=32)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return self.digest[:12]


SHUT_OUT: Final = (Sanction.Kind.SUSPENSION, Sanction.Kind.CLOSING)
HELD_BACK: Final = (Sanction.Kind.TIMEOUT, Sanction.Kind.WARNING, *SHUT_OUT)
"""What keeps somebody from new series; a warning only until it is acknowledged."""


def in_force() -> Q:
    """Sanctions whose term runs by the database's clock; a warning runs until acknowledged."""
    warning = Q(kind=Sanction.Kind.WARNING)
    term = ~warning & (Q(until=None) | Q(until__gt=Now()))
    return Q(lifted_at=None) & (term | (warning & Q(acknowledged_at=None)))


def standing() -> Q:
    """Sanctions that can be taken back: those in force, and warnings, which stay on record."""
    return in_force() | Q(lifted_at=None, kind=Sanction.Kind.WARNING)


def sanction_on(user_id: int | None, *kinds: Sanction.Kind) -> Sanction | None:
    """The sanction of one of these kinds that somebody is under, the longest; None without one."""
    if user_id is None:
        return None
    found = Sanction.objects.filter(in_force(), user=user_id, kind__in=kinds)
    return found.order_by(models.F("until").desc(nulls_first=True)).first()


def free_of(user_ids: Collection[int], *kinds: Sanction.Kind) -> bool:
    """Whether none of these people is under a sanction of these kinds."""
    return not Sanction.objects.filter(in_force(), user__in=user_ids, kind__in=kinds).exists()


def under(*kinds: Sanction.Kind) -> models.QuerySet[Sanction, Any]:
    """The users who are under a sanction of these kinds, for a query."""
    return Sanction.objects.filter(in_force(), kind__in=kinds).values("user")


@transaction.atomic
def impose(
    *,
    user_id: int,
    kind: Sanction.Kind,
    rule: str,
    text: str,
    until: datetime | None = None,
    imposed_by_id: int | None = None,
    case_id: int | None = None,
) -> Sanction:
    """Put somebody under a sanction; it holds from the commit on, in open sockets too."""
    made = Sanction.objects.create(
        user_id=user_id,
        kind=kind,
        rule=rule,
        text=text,
        until=until,
        imposed_by_id=imposed_by_id,
        case_id=case_id,
    )
    follow(user_id)
    return made


@transaction.atomic
def lift(sanction: Sanction) -> bool:
    """End it before its term; False if it had ended. A warning can be taken back at any time."""
    if not Sanction.objects.filter(standing(), pk=sanction.pk).update(lifted_at=Now()):
        return False
    follow(sanction.user_id)
    return True


def acknowledge(sanction_id: int, user_id: int) -> None:
    """Note that its person has read it."""
    own = Sanction.objects.filter(pk=sanction_id, user=user_id, acknowledged_at=None)
    own.update(acknowledged_at=Now())


def follow(user_id: int) -> None:
    """Keep in the user's row until when they are shut out, and close the sockets of who is.

    The row is held first: of two that come at once the second looks when the first is done.
    """
    held = get_user_model().objects.select_for_update(no_key=True).filter(pk=user_id)
    held.values_list("pk").first()
    shut_out = sanction_on(user_id, *SHUT_OUT)
    until = (shut_out.until or FOR_GOOD) if shut_out else None
    get_user_model().objects.filter(pk=user_id).update(shut_out_until=until)
    if until is not None:
        transaction.on_commit(lambda: end_sockets(user_id=user_id))


def keep_bars(user_id: int) -> None:
    """Before an account is deleted: note by its addresses how long they are shut out."""
    shut_out = sanction_on(user_id, *SHUT_OUT)
    if shut_out is None:
        return
    confirmed = EmailAddress.objects.filter(user=user_id, verified=True)
    KeptBar.objects.bulk_create(
        KeptBar(
            digest=_digests(address)[0],
            kind=shut_out.kind,
            rule=shut_out.rule,
            until=shut_out.until or FOR_GOOD,
        )
        for address in confirmed.values_list("email", flat=True)
    )


@transaction.atomic
def carry_over_bars(user_id: int, address: str) -> None:
    """A newly confirmed address brings along what was imposed on it before its account went."""
    for bar in KeptBar.objects.filter(digest__in=_digests(address), until__gt=Now()):
        until = None if bar.until == FOR_GOOD else bar.until
        impose(user_id=user_id, kind=Sanction.Kind(bar.kind), rule=bar.rule, text="", until=until)


def forget_bars() -> None:
    """Delete what has run its term."""
    KeptBar.objects.filter(until__lte=Now()).delete()


def _digests(address: str) -> list[str]:
    return keyed.digests("accounts.bars", address.strip().lower())
