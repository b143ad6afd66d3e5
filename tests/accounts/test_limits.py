"""Log ins can't be ground down, nor people kept out by others' tries (S7)."""

import re
from contextlib import suppress
from typing import Any
from unittest.mock import AsyncMock

import pytest
from asgiref.sync import async_to_sync
from channels.exceptions import StopConsumer
from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory

from accounts import devices
from accounts.guests import GUESTS_AN_HOUR, may_make_guest
from accounts.models import User
from config.handshakes import NotTooManyHandshakes
from games.views.records import caller_of
from games.views.replay import _caller
from tests.accounts.people import PASSWORD, log_in, new_person, user_of, words
from tests.staff import new_boss

pytestmark = pytest.mark.django_db

THERE = {"REMOTE_ADDR": "203.0.113.7"}


def addresses() -> Any:
    """Somebody with an address of their own for each try."""
    return ({"REMOTE_ADDR": f"198.51.100.{number}"} for number in range(1, 250))


def test_s7_twenty_wrong_tries_on_one_name_from_anywhere_are_limited() -> None:
    new_person("Anna")
    for address in list(addresses())[:20]:
        log_in(Client(), "Anna", "not-this-one", **address)
    client = Client()
    answer = log_in(client, "Anna", **THERE)
    assert user_of(client) is None
    assert "Too many wrong tries" in words(answer)


@pytest.mark.parametrize("name", ["anna", "ANNA"])
def test_s7_in_whatever_case(name: str) -> None:
    new_person("Anna")
    for address in list(addresses())[:10]:
        log_in(Client(), name, "not-this-one", **address)
    client = Client()
    log_in(client, "Anna", **THERE)
    assert user_of(client) is None


def test_s7_a_hundred_names_from_one_address_are_limited() -> None:
    new_person("Anna")
    answers = [log_in(Client(), f"name{n}", "x", **THERE) for n in range(100)]
    assert sum(each.status_code == 200 for each in answers) <= 30
    client = Client()
    log_in(client, "Anna", **THERE)
    assert user_of(client) is None
    elsewhere = Client()
    log_in(elsewhere, "Anna")
    assert user_of(elsewhere) == "Anna"


def test_s7_the_owner_gets_in_from_a_device_they_know() -> None:
    new_person("Anna")
    own = Client()
    log_in(own, **THERE)
    own.post("/account/logout/")
    for address in list(addresses())[:20]:
        log_in(Client(), "Anna", "not-this-one", **address)
    for _ in range(12):
        log_in(Client(), "Anna", "not-this-one", **THERE)
    log_in(own, **THERE)
    assert user_of(own) == "Anna"


def test_s7_a_known_device_has_its_limit_too() -> None:
    new_person("Anna")
    own = Client()
    log_in(own)
    own.post("/account/logout/")
    for _ in range(8):
        log_in(own, "Anna", "not-this-one")
    log_in(own)
    assert user_of(own) is None


def test_s7_a_device_is_known_for_its_own_people_only() -> None:
    new_person("Anna")
    new_person("Eve")
    eve = Client()
    log_in(eve, "Eve")
    eve.post("/account/logout/")
    for _ in range(12):
        log_in(eve, "Anna", "not-this-one")
    log_in(eve, "Anna")
    assert user_of(eve) is None


@pytest.mark.parametrize("value", ["", "x", "WyJkIiwiYW5uYSJd:1abc:forged", "\u00e9"])
def test_a_cookie_that_we_did_not_sign_makes_no_device(value: str) -> None:
    new_person("Anna")
    for address in list(addresses())[:10]:
        log_in(Client(), "Anna", "not-this-one", **address)
    client = Client()
    client.cookies[devices.COOKIE] = value
    log_in(client, **THERE)
    assert user_of(client) is None


def test_the_cookie_is_of_the_account_s_pages_and_out_of_reach_of_scripts() -> None:
    new_person("Anna")
    cookie = log_in(Client()).cookies[devices.COOKIE]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/account/", True, "Lax")
    assert str(User.objects.get().pk) not in re.split(r"\W", cookie.value)


def test_s7_the_admin_has_no_door_of_its_own() -> None:
    """Its page would know no limit: it sends to ours, and takes no password."""
    User.objects.create_superuser("root1", password=PASSWORD)
    client = Client()
    assert client.get("/admin/login/")["Location"].startswith("/account/login/?")
    answer = client.post("/admin/login/", {"username": "root1", "password": PASSWORD})
    assert answer["Location"].startswith("/account/login/?")
    assert user_of(client) is None
    log_in(client, "root1")
    assert client.get("/admin/").status_code == 302


def test_s7_staff_are_let_in_with_a_second_factor_only() -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("root1"))
    answer = client.get("/admin/", follow=True)
    assert answer.request["PATH_INFO"] == "/account/two-factor/"
    assert "set one up first" in answer.content.decode()
    client.force_login(new_boss("root2"))
    assert client.get("/admin/").status_code == 200


def test_the_admin_s_door_is_closed_to_players() -> None:
    new_person("Anna")
    client = Client()
    log_in(client)
    assert client.get("/admin/", follow=True).status_code == 403


def test_who_is_too_fast_is_told_so_on_a_page_of_ours() -> None:
    answer = [log_in(Client(), f"name{n}", "x", **THERE) for n in range(40)][-1]
    assert answer.status_code == 429
    assert "A little slower" in words(answer)
    assert "site.css" in answer.content.decode()


def test_resets_of_one_address_are_limited() -> None:
    reset = "/account/password/reset/"
    statuses = [
        Client().post(reset, {"email": "anna@example.org"}, **address).status_code
        for address, _ in zip(addresses(), range(6), strict=False)
    ]
    assert statuses[:3] == [302, 302, 302]
    assert statuses[-1] == 429


class TestAWholeNetworkIsOne:
    """Of the new addresses everybody has more than anybody can count (S6, S7)."""

    def addresses(self) -> Any:
        return ({"REMOTE_ADDR": f"2001:db8:7:1:{n:x}::{n:x}"} for n in range(1, 250))

    def test_s7_a_hundred_names(self) -> None:
        new_person("Anna")
        for number, address in enumerate(list(self.addresses())[:100]):
            log_in(Client(), f"name{number}", "x", **address)
        client = Client()
        log_in(client, "Anna", REMOTE_ADDR="2001:db8:7:1::1")
        assert user_of(client) is None
        log_in(client, "Anna", REMOTE_ADDR="2001:db8:7:2::1")
        assert user_of(client) == "Anna"

    def test_guests(self) -> None:
        some = [each["REMOTE_ADDR"] for each in self.addresses()]
        assert [may_make_guest(each) for each in some].count(True) == GUESTS_AN_HOUR
        assert may_make_guest("2001:db8:7:2::1")

    def test_s6_sockets(self) -> None:
        guard = NotTooManyHandshakes(let_in := AsyncMock())
        for each in self.addresses():
            scope = {"type": "websocket", "client": (each["REMOTE_ADDR"], 1)}
            come = AsyncMock(side_effect=[{"type": "websocket.connect"}, StopConsumer])
            with suppress(StopConsumer):
                async_to_sync(guard)(scope, come, AsyncMock())
        assert let_in.await_count < 100 < len(list(self.addresses()))

    def test_pictures_and_archives(self) -> None:
        ways = (RequestFactory().get("/", **each) for each in self.addresses())
        requests = [(caller_of(_nobody(each)), _caller(each)) for each in ways]
        assert len(set(requests)) == 1


def _nobody(request: Any) -> Any:
    request.user = AnonymousUser()
    return request
