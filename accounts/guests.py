"""Guests: users who were made for a visitor, so that they can play at once.

A guest has no password and lives in one browser's session. What they play is kept like everybody's.
They become a person by registering, or log in to an account that they have: then the session of the
log in remembers whose it was, and their seats may be taken along.
"""

import secrets
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.backends.base import SessionBase
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from accounts.limits import may_again, party_at
from accounts.models import User
from accounts.names import guest_name

GUESTS_AN_HOUR: Final = 30  # from one address: a whole club room may sit behind it
AN_HOUR: Final = 3600  # seconds
SESSION_LASTS: Final = timedelta(days=365)
REPEATS_WITHIN: Final = timedelta(minutes=1)  # a second press is the same guest's
CAME_AS: Final = "came_as"  # in the session of somebody who logged in while being a guest
_DIGITS: Final = (4, 4, 4, 4, 5, 6, 8, 10)  # more of them where the short names are taken


def make_guest(preferences: str = "") -> User:
    """A new guest under a free name, with the preferences that the visitor's browser kept."""
    for digits in _DIGITS:
        name = guest_name(secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1))
        try:
            with transaction.atomic():
                return User.objects.create(
                    username=name,
                    kind=User.Kind.GUEST,
                    password=make_password(None),
                    preferences=preferences,
                )
        except IntegrityError:
            continue
    raise IntegrityError("no free name for a guest")


def may_make_guest(address: str) -> bool:
    """Count a guest from this address; False where it has made enough of them."""
    return may_again(f"guests.{party_at(address)}", times=GUESTS_AN_HOUR, seconds=AN_HOUR)


def log_in_guest(request: HttpRequest, guest: User) -> None:
    """Let the visitor's session be this guest's.

    It is all that they have, and lasts: who comes back is not to be a stranger to their own seats.
    Registered or logged in elsewhere they get a session of the usual length.
    """
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    request.session.set_expiry(SESSION_LASTS)


def remember_guest(session: SessionBase, guest: User) -> None:
    """Note in the session of a new log in that this guest's session was the one that logged in."""
    session[CAME_AS] = [guest.pk, guest.get_session_auth_hash()]


def remembered_guest(session: SessionBase) -> User | None:
    """The guest that this session was, while they are one and their log in would still hold."""
    user_id, auth_hash = session.get(CAME_AS, (None, ""))
    here = User.objects.filter(kind=User.Kind.GUEST, disabled_at=None, deleted_at=None)
    guest = here.filter(pk=user_id).first()
    if guest is None or not constant_time_compare(auth_hash, guest.get_session_auth_hash()):
        return None
    return guest
