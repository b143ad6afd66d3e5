"""A guest who registers stays who they are: the same row, with their seats."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.adapter import AccountAdapter
from accounts.guests import make_guest
from accounts.models import User
from games.models import Seat
from games.rules.options import Options
from games.services.series import create_series
from tests.accounts.people import PASSWORD, log_in, new_person, user_of, words

pytestmark = pytest.mark.django_db

SIGN_UP = "/account/signup/"


@pytest.fixture
def guest() -> User:
    return make_guest("theme:dark")


@pytest.fixture
def browser(guest: User) -> Client:
    client = Client()
    client.force_login(guest)
    return client


def sign_up(client: Client, name: str = "Anna", **changes: str) -> Any:
    return client.post(SIGN_UP, {"username": name, "password1": PASSWORD, "email": ""} | changes)


def test_they_keep_their_seats_and_preferences(guest: User, browser: Client) -> None:
    series = create_series(user=guest, options=Options())
    page = words(browser.get(SIGN_UP))
    assert f"What you have played as {guest.username} stays yours" in page
    assert sign_up(browser).status_code == 302
    user = User.objects.get()
    assert (user.pk, user.username, user.kind) == (guest.pk, "Anna", User.Kind.PERSON)
    assert user.preferences == "theme:dark"
    assert Seat.objects.get(series=series).user == user
    assert user_of(browser) == "Anna"
    assert browser.get("/account/").status_code == 200


def test_they_log_in_elsewhere_from_then_on(browser: Client) -> None:
    sign_up(browser)
    elsewhere = Client()
    log_in(elsewhere)
    assert user_of(elsewhere) == "Anna"


def test_the_session_of_the_guest_is_good_no_more(guest: User, browser: Client) -> None:
    copy = Client()
    copy.cookies = browser.cookies.copy()
    sign_up(browser)
    assert copy.get("/account/").status_code == 302


@pytest.mark.parametrize("registers", [True, False])
def test_an_account_s_session_is_no_longer_than_any_other(registers: bool) -> None:
    """A guest's lasts, since it is all that they have."""
    new_person("Berta")
    client = Client()
    client.post("/bots/play/", {"bot": "beginner", "preset": "hollywood"})
    if registers:
        sign_up(client)
    else:
        log_in(client, "Berta")
    assert user_of(client) == ("Anna" if registers else "Berta")
    assert client.session.get_expiry_age() <= settings.SESSION_COOKIE_AGE


def test_what_is_refused_leaves_them_a_guest(guest: User, browser: Client) -> None:
    new_person("Anna")
    assert "That name is taken." in words(sign_up(browser))
    assert sign_up(browser, "Bob", password1="x").status_code == 200
    guest.refresh_from_db()
    assert (guest.kind, guest.has_usable_password()) == (User.Kind.GUEST, False)
    assert user_of(browser) == guest.username


def test_two_tabs_make_one_account_of_a_guest(guest: User, browser: Client) -> None:
    other = Client()
    other.force_login(guest)
    sign_up(browser, "Anna")
    sign_up(other, "Bob")
    assert User.objects.get(pk=guest.pk).username == "Anna"
    assert User.objects.filter(username="Bob").exclude(pk=guest.pk).exists()


@pytest.mark.parametrize("kind", [User.Kind.PERSON, User.Kind.BOT])
def test_nobody_else_is_made_anew(kind: str) -> None:
    user = new_person("Clara")
    User.objects.update(kind=kind)
    client = Client()
    client.force_login(user)
    sign_up(client, "Anna")
    assert User.objects.get().username == "Clara"


def test_of_two_at_once_the_second_changes_nothing(
    guest: User, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both found a guest; then the other was faster."""
    found = User.objects.get(pk=guest.pk)
    monkeypatch.setattr(AccountAdapter, "new_user", lambda self, request: found)
    User.objects.filter(pk=guest.pk).update(username="Anna", kind=User.Kind.PERSON)
    browser.post(SIGN_UP, {"username": "Bob", "password1": PASSWORD, "email": ""})
    Client().post(SIGN_UP, {"username": "Bob", "password1": PASSWORD, "email": ""})
    assert User.objects.get().username == "Anna"
