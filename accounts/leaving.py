"""How somebody leaves, in three steps: disabled, deleted, erased.

*Disabled*: logged out everywhere and hidden; a log in within 30 days undoes it. *Deleted*: the
name, the address, the password and the profile are gone, others read "deleted player". *Erased*: 30
days after that, what was kept against abuse goes as well: from where and with what they logged in.
Series are the business of `games.services.leaving`, which calls these.
"""

from datetime import timedelta
from enum import StrEnum
from typing import Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from accounts.live import end_sockets
from accounts.models import NameTaken, Profile, Sanction, Trace, User
from accounts.relations import Relation
from accounts.sanctions import keep_bars
from accounts.subscriptions import end_with_log_in
from accounts.turn_mail import TurnMail

MAY_COME_BACK: Final = timedelta(days=30)
KEPT_AGAINST_ABUSE: Final = timedelta(days=30)
AT_ONCE: Final = 50  # accounts that one round of the clock looks after


class Step(StrEnum):
    """What is due for somebody who leaves."""

    DELETE = "delete"
    ERASE = "erase"


@transaction.atomic
def disable_account(user_id: int) -> None:
    """Log somebody out everywhere and hide them; repeated, it changes nothing."""
    here = User.objects.filter(pk=user_id, disabled_at=None)
    if here.update(disabled_at=Now(), generation=F("generation") + 1):
        _end_log_ins(user_id)


@transaction.atomic
def come_back(user_id: int) -> bool:
    """Undo it, as a log in does; False if there is nothing to undo, or no way back."""
    away = User.objects.filter(pk=user_id, disabled_at__isnull=False, deleted_at=None)
    return bool(away.update(disabled_at=None))


@transaction.atomic
def delete_account(user_id: int) -> bool:
    """Take away what says who somebody is, for good; False if that was done before."""
    user = User.objects.select_for_update().get(pk=user_id)
    if user.deleted_at is not None:
        return False
    if user.kind != User.Kind.GUEST:  # theirs are numbers, and there are only so many
        NameTaken.keep(user.username)
    keep_bars(user_id)
    User.objects.filter(pk=user_id).update(
        username=f"deleted-{user_id}",
        email="",
        preferences="",
        password=make_password(None),
        is_active=False,
        is_staff=False,
        is_superuser=False,
        generation=F("generation") + 1,
        disabled_at=user.disabled_at or Now(),
        deleted_at=Now(),
    )
    user.groups.clear()
    user.user_permissions.clear()
    for table in (EmailAddress, Authenticator, Profile, TurnMail):
        table.objects.filter(user=user_id).delete()
    Relation.objects.filter(Q(user=user_id) | Q(other=user_id)).delete()
    _end_log_ins(user_id)
    return True


@transaction.atomic
def erase_account(user_id: int) -> bool:
    """Take away what was kept against abuse; False if that was done before."""
    deleted = User.objects.filter(pk=user_id, deleted_at__isnull=False, erased_at=None)
    if not deleted.update(erased_at=Now(), last_login=None):
        return False
    UserSession.objects.filter(user=user_id).delete()
    Sanction.objects.filter(user=user_id).delete()
    Trace.objects.filter(user=user_id).delete()
    return True


def steps_due() -> list[tuple[int, Step]]:
    """Who is to be taken the next step, and which; who waits longest comes first."""
    leaving = User.objects.filter(disabled_at__isnull=False, erased_at=None)
    disabled = leaving.filter(deleted_at=None, disabled_at__lte=Now() - MAY_COME_BACK)
    deleted = leaving.filter(deleted_at__lte=Now() - KEPT_AGAINST_ABUSE)
    return [
        (pk, step)
        for people, step in ((disabled, Step.DELETE), (deleted, Step.ERASE))
        for pk in people.order_by("disabled_at").values_list("pk", flat=True)[:AT_ONCE]
    ]


@transaction.atomic
def carry_out(user_id: int, step: Step) -> bool:
    """Do what is due, unless it has been done, or they have come back meanwhile."""
    due = User.objects.select_for_update(skip_locked=True).filter(pk=user_id)
    if step is Step.ERASE:
        return due.exists() and erase_account(user_id)
    still_away = due.filter(disabled_at__lte=Now() - MAY_COME_BACK, deleted_at=None)
    return still_away.first() is not None and delete_account(user_id)


def _end_log_ins(user_id: int) -> None:
    """The generation has ended them; this tidies up, and closes the sockets that are open."""
    end_with_log_in(user_id)
    keys = UserSession.objects.filter(user=user_id).values("session_key")
    Session.objects.filter(session_key__in=keys).delete()
    transaction.on_commit(lambda: end_sockets(user_id=user_id))
