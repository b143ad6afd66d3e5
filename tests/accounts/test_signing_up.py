"""Registering, logging in and out, through the pages of django-allauth."""

import re
import secrets
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.accounts.test_names import LOOK_ALIKES, TAKEN

PASSWORD = "three-games-at-once"
SIGN_UP, LOG_IN, LOG_OUT = "/account/signup/", "/account/login/", "/account/logout/"


@pytest.fixture(autouse=True)
def _nobody_has_tried_yet(settings: Any) -> None:
    """The limits per address and name start anew; other tests may use the same cache meanwhile."""
    default = {**settings.CACHES["default"], "KEY_PREFIX": secrets.token_hex(4)}
    settings.CACHES = {**settings.CACHES, "default": default}


def sign_up(client: Client, name: str, **changes: str) -> Any:
    return client.post(SIGN_UP, {"username": name, "password1": PASSWORD} | changes)


def log_in(client: Client, name: str, password: str = PASSWORD) -> Any:
    return client.post(LOG_IN, {"login": name, "password": password})


def words(response: Any) -> str:
    return re.sub(r"<[^>]*>", " ", response.content.decode())


def user_of(client: Client) -> str | None:
    """Who a browser is logged in as."""
    key = client.session.get("_auth_user_id")
    return User.objects.get(pk=key).username if key else None


@pytest.mark.django_db
class TestSigningUp:
    def test_a_name_and_a_password_make_an_account(self, client: Client) -> None:
        response = sign_up(client, "Alexandra")
        assert response["Location"] == reverse("home")
        user = User.objects.get()
        assert (user.username, user.email, user.kind) == ("Alexandra", "", User.Kind.PERSON)
        assert (user.is_staff, user.is_superuser) == (False, False)
        assert user.password.startswith("argon2")
        assert user_of(client) == "Alexandra"

    def test_an_address_is_optional_and_kept(self, client: Client) -> None:
        sign_up(client, "Alexandra", email="a@example.org")
        assert User.objects.get().email == "a@example.org"

    @pytest.mark.parametrize("field", ["is_staff", "is_superuser", "kind", "id", "preferences"])
    def test_nobody_gives_themselves_more(self, client: Client, field: str) -> None:
        sign_up(client, "Alexandra", **{field: "1"})
        user = User.objects.get()
        assert (user.is_staff, user.is_superuser) == (False, False)
        assert (user.kind, user.preferences) == (User.Kind.PERSON, "")

    @pytest.mark.parametrize("name", LOOK_ALIKES)
    def test_fault_74_a_name_that_looks_like_another_is_refused(
        self, client: Client, name: str
    ) -> None:
        for taken in TAKEN:
            User.objects.create(username=taken)
        response = sign_up(client, name)
        if name == name.strip():
            assert response.status_code == 200
        assert User.objects.count() == len(TAKEN)
        assert user_of(client) is None

    @pytest.mark.parametrize("name", ["admin", "Moderator", "you", "guest12", "HOST", "r00t"])
    def test_no_name_speaks_for_the_site(self, client: Client, name: str) -> None:
        assert "kept for the site" in words(sign_up(client, name))
        assert not User.objects.exists()

    def test_a_refusal_names_its_reason_and_keeps_what_was_typed(self, client: Client) -> None:
        User.objects.create(username="Alexandra")
        response = sign_up(client, "alexandra")
        assert "That name is taken." in words(response)
        assert 'value="alexandra"' in response.content.decode()
        assert PASSWORD not in response.content.decode()

    @pytest.mark.parametrize("password", ["", "short", "12345678901", "password1", "alexandra1"])
    def test_no_weak_password(self, client: Client, password: str) -> None:
        assert sign_up(client, "alexandra1", password1=password).status_code == 200
        assert not User.objects.exists()

    @pytest.mark.parametrize("name", ["<b>x</b>", '"><b id="hand">', "x" * 21, "\0x", ""])
    def test_fault_78_what_is_no_name_comes_back_as_text(self, client: Client, name: str) -> None:
        response = sign_up(client, name)
        assert response.status_code == 200
        assert "<b>x</b>" not in response.content.decode()
        assert not User.objects.exists()

    def test_twenty_from_one_address_in_a_minute_are_enough(self, client: Client) -> None:
        statuses = [sign_up(Client(), "admin").status_code for _ in range(25)]
        assert statuses[0] == 200
        assert statuses[-1] == 429


@pytest.mark.django_db
class TestLoggingIn:
    @pytest.fixture(autouse=True)
    def anna(self) -> User:
        return User.objects.create_user("Anna", password=PASSWORD)

    @pytest.mark.parametrize("name", ["Anna", "anna", "ANNA"])
    def test_the_name_has_no_case(self, client: Client, name: str) -> None:
        assert log_in(client, name)["Location"] == reverse("home")
        assert user_of(client) == "Anna"

    def test_s8_a_wrong_password_and_an_unknown_name_are_answered_alike(self) -> None:
        wrong = log_in(Client(), "Anna", "not-this-one")
        unknown = log_in(Client(), "Anno", "not-this-one")
        assert (wrong.status_code, unknown.status_code) == (200, 200)
        seen = [re.sub(r"Ann[ao]|\s+", " ", words(each)) for each in (wrong, unknown)]
        assert seen[0] == seen[1]

    def test_s7_wrong_tries_on_one_name_are_limited(self, client: Client) -> None:
        for _ in range(12):
            log_in(Client(), "Anna", "not-this-one")
        assert user_of(client) is None
        log_in(client, "Anna")
        assert user_of(client) is None

    def test_who_is_shut_out_does_not_come_in(self, client: Client, anna: User) -> None:
        User.objects.filter(pk=anna.pk).update(is_active=False)
        log_in(client, "Anna")
        assert user_of(client) is None

    def test_a_log_in_gives_the_session_another_key(self, client: Client) -> None:
        client.get(reverse("home"))
        session = client.session
        session["before"] = 1
        session.save()
        before = session.session_key
        log_in(client, "Anna")
        assert client.session.session_key != before

    def test_it_stays_over_the_end_of_the_browser(self, client: Client) -> None:
        log_in(client, "Anna")
        assert not client.session.get_expire_at_browser_close()


@pytest.mark.django_db
class TestLoggingOut:
    def test_by_the_form_and_not_by_a_link(self, client: Client) -> None:
        client.force_login(User.objects.create(username="Anna"))
        assert client.get(LOG_OUT).status_code == 200
        assert user_of(client) == "Anna"
        assert client.post(LOG_OUT)["Location"] == reverse("home")
        assert user_of(client) is None

    def test_not_from_another_site(self) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(User.objects.create(username="Anna"))
        assert client.post(LOG_OUT).status_code == 403
        assert user_of(client) == "Anna"


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_s8_of_twenty_who_take_one_name_at_once_one_gets_it() -> None:
    count = 10
    for number in range(2):
        start = threading.Barrier(count)

        def race(name: str, start: threading.Barrier = start) -> Any:
            client = Client()
            try:
                client.get(SIGN_UP)
                start.wait(20)
                return sign_up(client, name)
            finally:
                connection.close()

        connection.close()
        tries = [f"anna{number}", f"ANNA{number}"] * (count // 2)
        with ThreadPoolExecutor(count) as threads:
            answers = list(threads.map(race, tries))
        assert User.objects.count() == number + 1
        assert sorted({each.status_code for each in answers}) in ([200, 302], [302])
        homes = [each for each in answers if each.headers.get("Location") == reverse("home")]
        assert len(homes) == 1
