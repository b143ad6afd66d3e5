"""Tickets: what a socket's log in rests on, and when it is over (promise S4)."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from accounts import live, receivers
from accounts.models import User
from accounts.sessions import (
    RENEWED,
    Ticket,
    forget_ended_sessions,
    session_fingerprint,
    session_runs,
    ticket_for,
    valid_tickets,
)
from accounts.subscriptions import Subscription

pytestmark = pytest.mark.django_db

PASSWORD = "three-games-at-once"


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("Anna", password=PASSWORD)


@pytest.fixture
def client(anna: User) -> Client:
    client = Client()
    client.force_login(anna)
    return client


@pytest.fixture
def ticket(client: Client, anna: User) -> Ticket:
    found = ticket_for(client.session, anna)
    assert found is not None
    return found


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str | None]]:
    """The users, and sessions, whose sockets were told to end."""
    told: list[tuple[int, str | None]] = []

    def end_sockets(*, user_id: int, session: str | None = None) -> None:
        told.append((user_id, session))

    monkeypatch.setattr(receivers, "end_sockets", end_sockets)
    return told


def test_a_visitor_has_none() -> None:
    assert ticket_for(SessionStore(), AnonymousUser()) is None  # type: ignore[arg-type]


def test_nor_has_a_session_of_nobody(anna: User) -> None:
    session = SessionStore()
    session.create()
    assert ticket_for(session, anna) is None


def test_a_log_in_that_runs_is_valid(ticket: Ticket) -> None:
    assert session_runs(ticket)
    assert valid_tickets([ticket, ticket]) == {ticket}
    assert valid_tickets([]) == frozenset()


def _expire(ticket: Ticket) -> None:
    sessions = Session.objects.filter(session_key=ticket.session_key)
    sessions.update(expire_date=Now() - timedelta(seconds=1))


def _log_out(ticket: Ticket) -> None:
    Session.objects.filter(session_key=ticket.session_key).delete()


def _ban(ticket: Ticket) -> None:
    User.objects.filter(pk=ticket.user_id).update(is_active=False)


def _another_password(ticket: Ticket) -> None:
    user = User.objects.get(pk=ticket.user_id)
    user.set_password("another-one-of-mine")
    user.save()


def _delete(ticket: Ticket) -> None:
    User.objects.filter(pk=ticket.user_id).delete()


@pytest.mark.parametrize("end", [_expire, _log_out, _ban, _another_password, _delete])
def test_s4_and_is_over_after(ticket: Ticket, end: Any) -> None:
    other = User.objects.create(username="Bob")
    client = Client()
    client.force_login(other)
    theirs = ticket_for(client.session, other)
    assert theirs
    end(ticket)
    assert valid_tickets([ticket, theirs]) == {theirs}
    if end in (_expire, _log_out):
        assert not session_runs(ticket)


def test_s4_a_log_out_ends_the_sockets_of_its_session(
    client: Client, ticket: Ticket, ended: list[Any]
) -> None:
    client.post("/account/logout/")
    assert ended == [(ticket.user_id, ticket.fingerprint)]


def test_s4_another_password_ends_all(client: Client, ticket: Ticket, ended: list[Any]) -> None:
    new = "another-one-of-mine"
    fields = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    response = client.post("/account/password/change/", fields)
    assert response.status_code == 302
    assert ended == [(ticket.user_id, None)]
    assert valid_tickets([ticket]) == frozenset()
    assert client.session.get("_auth_user_id") == str(ticket.user_id)


def test_a_visitor_who_logs_out_ends_nothing(ended: list[Any]) -> None:
    Client().post("/account/logout/")
    assert ended == []


def test_a_ticket_shows_no_key(ticket: Ticket) -> None:
    """It may come into a log or an error page."""
    assert ticket.session_key not in repr(ticket)
    assert ticket.auth_hash not in repr(ticket)
    assert ticket.session_key not in ticket.fingerprint
    assert ticket.fingerprint == session_fingerprint(ticket.session_key)


def test_r13_a_layer_that_does_not_answer_holds_up_no_log_out(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Away:
        async def group_send(self, group: str, message: object) -> None:
            raise ConnectionError("redis://:password@host is away")

    monkeypatch.setattr(live, "get_channel_layer", Away)
    assert client.post("/account/logout/").status_code == 302
    assert client.session.get("_auth_user_id") is None
    assert caplog.records
    assert "password" not in caplog.text


def test_r13_nor_does_one_that_is_frozen(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Frozen:
        async def group_send(self, group: str, message: object) -> None:
            await asyncio.Event().wait()

    monkeypatch.setattr(live, "get_channel_layer", Frozen)
    monkeypatch.setattr(live, "WITHIN", 0.05)
    assert client.post("/account/logout/").status_code == 302
    assert caplog.records


class TestTime:
    """Everybody was logged out 14 days after they had logged in, whatever they did meanwhile."""

    DAY = 86_400

    def age(self, client: Client, days: float, lasts: int = 14) -> Ticket:
        """Let a log in be so old, and unused for as long."""
        session = client.session
        session[RENEWED] -= int(days * self.DAY)
        session.set_expiry(lasts * self.DAY)
        session.save()
        left = timedelta(days=lasts - days)
        Session.objects.update(expire_date=Now() + left)
        return ticket_for(session, User.objects.get(username="Anna"))  # type: ignore[return-value]

    def days_left(self) -> float:
        span = Session.objects.get().expire_date - timezone.now()
        return span.total_seconds() / self.DAY

    @pytest.mark.parametrize(
        ("days", "lasts", "left"), [(6.9, 14, 7.1), (7.1, 14, 14), (180, 365, 185), (190, 365, 365)]
    )
    def test_it_begins_anew_when_half_of_it_is_over(
        self, client: Client, days: float, lasts: int, left: float
    ) -> None:
        ticket = self.age(client, days, lasts)
        answer = client.get("/waiting/")
        assert self.days_left() == pytest.approx(left, abs=0.01)
        assert session_runs(ticket)
        is_new = left == lasts
        assert (settings.SESSION_COOKIE_NAME in answer.cookies) == is_new
        assert not is_new or answer.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == left * (
            self.DAY
        )
        assert settings.SESSION_COOKIE_NAME not in client.get("/waiting/").cookies

    def test_of_who_was_logged_in_before_it_was_counted(self, client: Client) -> None:
        session = client.session
        del session[RENEWED]
        session.save()
        Session.objects.update(expire_date=Now() + timedelta(days=1))
        client.get("/waiting/")
        assert self.days_left() == pytest.approx(14, abs=0.01)

    def test_r16_without_a_write_the_page_is_shown(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.age(client, 8)

        def read_only(*_: object, **__: object) -> None:
            raise OperationalError("cannot execute UPDATE in a read-only transaction")

        monkeypatch.setattr(SessionStore, "save", read_only)
        assert client.get("/waiting/").status_code == 200
        assert self.days_left() == pytest.approx(6, abs=0.01)

    def test_once_it_is_over_its_browser_is_told_nothing(self, ticket: Ticket, anna: User) -> None:
        for endpoint, session in (("one", ticket.fingerprint), ("two", "of another log in")):
            Subscription.objects.create(user=anna, endpoint=endpoint, session=session)
        forget_ended_sessions()
        assert Subscription.objects.count() == 2
        _expire(ticket)
        forget_ended_sessions()
        assert Subscription.objects.get().endpoint == "two"
