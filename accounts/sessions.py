"""Is the log in that a socket came with still good? (promise S4)"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from accounts.live import end_sockets
from accounts.models import User
from accounts.subscriptions import end_with_log_in, end_with_log_ins

RENEWED: Final = "renewed"  # in a session: the second in which its time was last begun anew


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a socket's log in rests on: a session, its user, and the password it was made with."""

    session_key: str = field(repr=False)
    user_id: int
    auth_hash: str = field(repr=False)

    @property
    def fingerprint(self) -> str:
        return session_fingerprint(self.session_key)


def session_fingerprint(session_key: str) -> str:
    """Names a session to the channel layer without giving the key away."""
    return hashlib.sha256(session_key.encode()).hexdigest()[:32]


def ticket_for(session: SessionBase, user: User) -> Ticket | None:
    """The ticket of a logged-in visitor's session; None for an anonymous or shut out one."""
    if not user.is_authenticated or session.session_key is None or SESSION_KEY not in session:
        return None
    if user.is_shut_out:
        return None
    return Ticket(session.session_key, user.pk, user.get_session_auth_hash())


def session_runs(ticket: Ticket) -> bool:
    """Whether the session of a ticket still runs; one query, for every action of a socket.

    A changed password or a closed account is found by the bell and by `valid_tickets`.
    """
    sessions = Session.objects.filter(session_key=ticket.session_key, expire_date__gt=Now())
    return sessions.exists()


def valid_tickets(tickets: Iterable[Ticket]) -> frozenset[Ticket]:
    """Those whose session runs and whose user, neither gone nor shut out, has the same password."""
    asked = list(tickets)
    if not asked:
        return frozenset()
    running = set(
        Session.objects.filter(
            session_key__in={ticket.session_key for ticket in asked}, expire_date__gt=Now()
        ).values_list("session_key", flat=True)
    )
    shut_out = Q(shut_out_until__gt=Now())
    users = User.objects.filter(pk__in={ticket.user_id for ticket in asked}, is_active=True)
    hashes = {
        user.pk: user.get_session_auth_hash()
        for user in users.exclude(shut_out).only("pk", "password", "generation")
    }
    return frozenset(
        ticket
        for ticket in asked
        if ticket.session_key in running and hashes.get(ticket.user_id) == ticket.auth_hash
    )


def begin_time(session: SessionBase) -> None:
    """The time of a log in begins now; it is stored with the session."""
    session[RENEWED] = int(timezone.now().timestamp())


def is_half_over(session: SessionBase) -> bool:
    """Whether somebody's log in has run for more than half of the time that it lasts unused.

    An open page asks something every few seconds, so one write in a week is enough.
    """
    if SESSION_KEY not in session:
        return False
    lasts: int = session.get_expiry_age()
    gone: float = timezone.now().timestamp() - session.get(RENEWED, 0)
    return gone > lasts / 2


@transaction.atomic
def forget_ended_sessions() -> None:
    """Delete sessions that have run out, and what was noted of log ins that have ended.

    Of who leaves it is kept until they are erased (accounts.leaving). The browsers of these log ins
    are told no more: nobody's names light up where they are logged out.
    """
    over = Session.objects.filter(expire_date__lt=Now())
    keys = list(over.values_list("session_key", flat=True))
    end_with_log_ins(map(session_fingerprint, keys))
    over.filter(session_key__in=keys).delete()
    running = Session.objects.filter(session_key=OuterRef("session_key"))
    # A log in notes itself a moment before its session is stored.
    noted = UserSession.objects.filter(created_at__lt=Now() - timedelta(hours=1))
    noted.filter(~Exists(running), user__disabled_at=None).delete()


class UserSessionsAdapter(DefaultUserSessionsAdapter):  # type: ignore[misc] # the library has no types
    """Allauth's own; with a session that is ended from another its sockets and its browser go."""

    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        ended = [(each.user_id, session_fingerprint(each.session_key)) for each in sessions]
        super().end_sessions(sessions)
        for user_id, fingerprint in ended:
            end_with_log_in(user_id, fingerprint)
            end_sockets(user_id=user_id, session=fingerprint)
