"""Guests: made for a visitor, safe against a crowd, one for a double press."""

import re
import secrets
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from accounts import guests
from accounts.guests import GUESTS_AN_HOUR, make_guest, may_make_guest
from accounts.models import User
from accounts.preferences import COOKIE
from config.cache import MayBeAway
from games.house import USUAL_BOT
from games.models import Round, Series
from tests.test_cache import NOBODY_THERE

pytestmark = pytest.mark.django_db
PLAY = "/bots/play/"


@pytest.fixture(autouse=True)
def _nobody_has_come_yet(settings: Any) -> None:
    """The count per address starts anew; other tests may use the same cache meanwhile."""
    default = {**settings.CACHES["default"], "KEY_PREFIX": secrets.token_hex(4)}
    settings.CACHES = {**settings.CACHES, "default": default}


def form_of(client: Client) -> dict[str, str]:
    """The form of the first page, as this browser is shown it."""
    form = client.get(reverse("home")).context["home"].bot_form
    return {name: form[name].value() for name in form.fields}


def user_of(client: Client) -> User | None:
    key = client.session.get("_auth_user_id")
    return User.objects.get(pk=key) if key else None


class TestMaking:
    def test_a_guest_has_a_name_and_no_password(self) -> None:
        guest = make_guest("theme:dark")
        assert re.fullmatch(r"Guest-\d{4}", guest.username)
        assert guest.kind == User.Kind.GUEST
        assert not guest.has_usable_password()
        assert guest.preferences == "theme:dark"

    def test_nobody_else_may_take_such_a_name(self) -> None:
        with pytest.raises(ValidationError):
            User(username="Guest-4821", password="x").full_clean()

    def test_a_name_that_is_taken_is_passed_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        numbers = iter([0, 0, 0, 1])
        monkeypatch.setattr(guests.secrets, "randbelow", lambda below: next(numbers))
        assert [make_guest().username for _ in range(2)] == ["Guest-1000", "Guest-1000"[:-1] + "1"]

    def test_where_the_short_names_are_taken_they_grow(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(guests.secrets, "randbelow", lambda below: 0)
        assert [len(make_guest().username) for _ in range(5)] == [10, 11, 12, 14, 16]
        with pytest.raises(IntegrityError):
            make_guest()

    def test_one_address_makes_so_many_in_an_hour(self) -> None:
        allowed = [may_make_guest("192.0.2.1") for _ in range(GUESTS_AN_HOUR + 3)]
        assert allowed == [True] * GUESTS_AN_HOUR + [False] * 3
        assert may_make_guest("192.0.2.2")

    def test_without_the_cache_they_are_let_in(
        self, monkeypatch: pytest.MonkeyPatch, settings: Any
    ) -> None:
        monkeypatch.setattr(MayBeAway, "away_until", 0.0)
        settings.CACHES = NOBODY_THERE
        assert all(may_make_guest("192.0.2.1") for _ in range(GUESTS_AN_HOUR + 3))


class TestOneClick:
    def test_a_visitor_sits_down_at_once(self, client: Client) -> None:
        response = client.post(PLAY, form_of(client))
        series = Series.objects.get()
        assert response["Location"] == series.get_absolute_url()
        guest = user_of(client)
        assert guest is not None
        assert (guest.kind, series.created_by) == (User.Kind.GUEST, guest)
        page = client.get(series.get_absolute_url()).content.decode()
        assert "Chester" in page
        assert Round.objects.filter(series=series).count() == 1

    def test_a_guest_plays_on_as_the_same_one(self, client: Client) -> None:
        for _ in range(2):
            client.post(PLAY, form_of(client))
        assert User.objects.filter(kind=User.Kind.GUEST).count() == 1
        assert Series.objects.filter(created_by=user_of(client)).count() == 2

    def test_a_guest_who_comes_back_after_weeks_is_the_same_one(self, client: Client) -> None:
        """The session is all that they have, and ended 14 days after it was made."""
        client.post(PLAY, form_of(client))
        guest = user_of(client)
        weeks = timedelta(days=30).total_seconds()
        assert client.session.get_expiry_age() > weeks
        assert int(client.cookies[settings.SESSION_COOKIE_NAME]["max-age"]) > weeks
        for _ in range(2):
            client.post(PLAY, form_of(client))
        assert user_of(client) == guest
        assert client.session.get_expiry_age() > weeks

    def test_the_first_page_says_who_one_is(self, client: Client) -> None:
        client.post(PLAY, form_of(client))
        guest = user_of(client)
        assert guest is not None
        page = client.get(reverse("home")).content.decode()
        assert f"You play as {guest.username}, in this browser only" in page

    def test_what_the_browser_has_kept_comes_along(self, client: Client) -> None:
        client.cookies[COOKIE] = "theme:dark"
        client.post(PLAY, form_of(client))
        guest = user_of(client)
        assert guest is not None
        assert "theme:dark" in guest.preferences

    def test_the_preset_and_the_bot_are_chosen(self, client: Client) -> None:
        chosen = {"bot": "beginner", "preset": "oklahoma"}
        client.post(PLAY, form_of(client) | chosen)
        series = Series.objects.get()
        assert series.options.preset == "oklahoma"
        assert series.seats.get(number=1).bot == "beginner"

    @pytest.mark.parametrize("change", [{"bot": "nobody"}, {"preset": "chess"}, {"bot": ""}])
    def test_what_there_is_not_makes_nobody(self, client: Client, change: dict[str, str]) -> None:
        assert client.post(PLAY, form_of(client) | change).status_code == 422
        assert not User.objects.exists()

    def test_not_by_a_link_and_not_from_another_site(self, client: Client) -> None:
        assert client.get(PLAY).status_code == 405
        strict = Client(enforce_csrf_checks=True)
        assert strict.post(PLAY, form_of(client)).status_code == 403
        assert not User.objects.exists()

    def test_a_crowd_from_one_address_is_told_so(self, client: Client) -> None:
        for _ in range(GUESTS_AN_HOUR):
            may_make_guest("127.0.0.1")
        response = client.post(PLAY, form_of(client))
        assert response.status_code == 429
        assert "Register, or try again in an hour" in response.content.decode()
        assert not User.objects.exists()

    def test_an_account_plays_as_itself(self, client: Client) -> None:
        anna = User.objects.create(username="Anna")
        client.force_login(anna)
        client.post(PLAY, form_of(client))
        assert Series.objects.get().created_by == anna
        assert not User.objects.filter(kind=User.Kind.GUEST).exists()


class TestFault110:
    """Both presses leave before the first is answered, so the browser's cookies are the same."""

    def test_one_guest_and_one_series(self, client: Client) -> None:
        form = form_of(client)
        cookies = client.cookies.copy()
        answers = []
        for _ in range(2):
            client.cookies = cookies.copy()
            answers.append(client.post(PLAY, form))
        assert answers[0]["Location"] == answers[1]["Location"]
        guest = User.objects.get(kind=User.Kind.GUEST)
        assert Series.objects.get().created_by == guest
        assert user_of(client) == guest

    def test_another_browser_gets_nobody_s_seat_by_a_form_it_has_seen(self, client: Client) -> None:
        form = form_of(client)
        client.post(PLAY, form)
        thief = Client()
        form_of(thief)
        thief.post(PLAY, form)
        assert user_of(thief) != user_of(client)
        assert Series.objects.count() == 2

    def test_a_form_of_long_ago_is_another_guest_s(self, client: Client) -> None:
        form = form_of(client)
        cookies = client.cookies.copy()
        client.post(PLAY, form)
        first = user_of(client)
        Series.objects.update(created_at="2026-01-01T00:00Z")
        client.cookies = cookies
        client.post(PLAY, form)
        assert user_of(client) != first
        assert Series.objects.count() == 2


def test_the_usual_bot_is_chosen_on_the_first_page(client: Client) -> None:
    assert form_of(client)["bot"] == USUAL_BOT


def test_who_logs_out_as_a_guest_was_told_that_all_stays(client: Client) -> None:
    client.post(PLAY, form_of(client))
    page = client.get(reverse("account_logout")).content.decode().partition("<main")[2]
    assert "Your series stay" not in page
    assert "give up your seats" in page
    assert reverse("account_signup") in page
