"""Tickets: what a socket's log in rests on, and when it is over (promise S4)."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db.models.functions import Now
from django.test import Client

from accounts import live, receivers
from accounts.models import User
from accounts.sessions import (
    Ticket,
    session_fingerprint,
    session_runs,
    ticket_for,
    valid_tickets,
)

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
