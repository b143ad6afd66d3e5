"""The library signals we listen to.

A log in begins its time; the end of one closes its sockets and forgets its browser; who signs up
brings along a visitor's preferences; who had left and logs in again, by whatever door, is back; of
a guest who logs in to an account the session keeps who they were; an address is told that it was
removed, and a confirmed one brings along what was imposed on it.
"""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.signals import (
    email_confirmed,
    email_removed,
    password_changed,
    password_reset,
    password_set,
    user_signed_up,
)
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.guests import remember_guest
from accounts.leaving import come_back
from accounts.live import end_sockets
from accounts.models import User
from accounts.preferences import COOKIE, Preferences
from accounts.sanctions import carry_over_bars
from accounts.sessions import begin_time, session_fingerprint
from accounts.subscriptions import end_with_log_in


@receiver(user_logged_in)
def begin_time_of_log_in(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    begin_time(request.session)


@receiver(user_logged_out)
def close_sockets_of_session(
    sender: Any, request: HttpRequest, user: User | None, **kwargs: Any
) -> None:
    if user is not None and request.session.session_key:
        session = session_fingerprint(request.session.session_key)
        end_with_log_in(user.pk, session)
        end_sockets(user_id=user.pk, session=session)


@receiver([password_changed, password_reset, password_set])
def close_all_sockets(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    end_with_log_in(user.pk)
    end_sockets(user_id=user.pk)


@receiver(user_signed_up)
def take_over_preferences(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    text = request.COOKIES.get(COOKIE, "")
    if text and not user.preferences:
        user.preferences = str(Preferences.parse(text))
        user.save(update_fields=["preferences"])


@receiver(user_logged_in)
def return_of_who_had_left(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    if user.disabled_at is not None and come_back(user.pk):
        words = _("Welcome back. Your account is as it was.")
        messages.success(request, words, fail_silently=True)


@receiver(email_confirmed)
def bring_along_what_was_imposed(
    sender: Any, request: HttpRequest, email_address: EmailAddress, **kwargs: Any
) -> None:
    carry_over_bars(email_address.user_id, email_address.email)


@receiver(user_logged_in)
def keep_who_they_were(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    guest = getattr(request, "guest", None)
    if guest is not None and guest.pk != user.pk:
        remember_guest(request.session, guest)


@receiver(email_removed)
def tell_the_removed_address(
    sender: Any, request: HttpRequest, user: User, email_address: EmailAddress, **kwargs: Any
) -> None:
    """Allauth tells the address that is left, and with one address none is."""
    if email_address.verified:
        told = {"deleted_email": email_address.email}
        adapter = get_adapter(request)
        adapter.send_notification_mail(
            "account/email/email_deleted", user, told, email=email_address.email
        )
