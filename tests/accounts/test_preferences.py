"""Preferences: what they may be, where they are kept, and what pages show of them."""

import re
from dataclasses import replace

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st

from accounts.forms import PreferencesForm
from accounts.models import User
from accounts.preferences import ALLOWED, COOKIE, LONGEST_TEXT, Preferences, preferences_for

USUAL = Preferences()
DARK = Preferences(theme="dark", cards="large", double_tap="on")
FORM = {name: values[-1] for name, values in ALLOWED.items()}

any_preferences = st.builds(
    Preferences, **{name: st.sampled_from(values) for name, values in ALLOWED.items()}
)


@pytest.fixture
def bob(db):
    return User.objects.create_user("Bob", password="a-long-secret")


def as_text(**changes: str) -> str:
    return str(replace(USUAL, **changes))


# What they are


def test_the_usual_is_the_first_that_is_allowed():
    assert {name: values[0] for name, values in ALLOWED.items()} == {
        name: getattr(USUAL, name) for name in ALLOWED
    }


@how(deadline=None)
@given(any_preferences)
def test_a_text_is_read_as_it_was_written(preferences):
    assert Preferences.parse(str(preferences)) == preferences
    assert len(str(preferences)) <= LONGEST_TEXT


@given(st.text())
def test_no_text_is_an_error(text):
    assert str(Preferences.parse(text))


@pytest.mark.parametrize("text", ["", "theme", "theme:red", "hats:on", "x" * 10_000, '"><script>'])
def test_what_is_not_known_is_left_out(text):
    assert Preferences.parse(text) == USUAL


def test_the_form_offers_what_is_allowed():
    fields = PreferencesForm.base_fields
    assert {name: set(_values(fields[name].choices)) for name in fields} == {
        name: set(values) for name, values in ALLOWED.items()
    }


def _values(choices):
    """Also those that stand in groups."""
    for value, words in choices:
        if isinstance(words, list | tuple):
            yield from _values(words)
        else:
            yield value


def test_attributes_of_the_page():
    assert DARK.attributes == (
        'data-theme="dark" data-contrast="normal" data-deck="two" data-cards="large" '
        'data-sounds="off" data-motion="system" data-keys="on" data-double-tap="on" '
        'data-confirm-discards="off"'
    )


# Where they are kept


def test_a_visitor_keeps_them_in_a_cookie(client, db, django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = client.post("/preferences/", FORM)
    assert (answer.status_code, answer["Location"]) == (302, "/preferences/")
    cookie = answer.cookies[COOKIE]
    assert (cookie["samesite"], cookie["httponly"], cookie["path"]) == ("Lax", True, "/")
    with django_assert_num_queries(0):
        page = client.get("/preferences/").content.decode()
    assert 'data-theme="dark"' in page
    assert '<input type="radio" name="theme" value="dark" class="unseen"' in page
    assert re.search(r'value="dark"[^>]* checked>', page)
    assert "Your preferences are saved." in page


def test_an_account_keeps_them_in_its_own_row(client, bob, django_assert_num_queries):
    client.force_login(bob)
    with django_assert_num_queries(3):  # session, user, and the one that stores
        answer = client.post("/preferences/", FORM)
    assert COOKIE not in answer.cookies
    bob.refresh_from_db()
    assert Preferences.parse(bob.preferences) == Preferences(**FORM)
    with django_assert_num_queries(3):  # and whether a moderator has written
        assert 'data-contrast="high"' in client.get("/preferences/").content.decode()


def test_an_account_s_come_before_the_browser_s(bob):
    cookies = {COOKIE: as_text(theme="light")}
    assert preferences_for(bob, cookies).theme == "light"
    bob.preferences = as_text()
    assert preferences_for(bob, cookies).theme == "system"
    assert preferences_for(AnonymousUser(), cookies).theme == "light"


def test_who_signs_up_brings_them_along(client, db):
    client.cookies[COOKIE] = str(DARK)
    fields = {"username": "Clara", "password1": "a-long-secret", "email": ""}
    assert client.post("/account/signup/", fields).status_code == 302
    assert Preferences.parse(User.objects.get(username="Clara").preferences) == DARK


def test_who_signs_up_without_any_has_none(client, db):
    client.post("/account/signup/", {"username": "Clara", "password1": "a-long-secret"})
    assert User.objects.get(username="Clara").preferences == ""


def test_logging_in_does_not_overwrite_an_account_s(client, bob):
    User.objects.update(preferences=as_text(deck="four"))
    client.cookies[COOKIE] = str(DARK)
    client.post("/account/login/", {"login": "Bob", "password": "a-long-secret"})
    bob.refresh_from_db()
    assert bob.preferences == as_text(deck="four")


# The page


def test_what_is_not_offered_is_refused_and_changes_nothing(client, bob):
    client.force_login(bob)
    answer = client.post("/preferences/", {**FORM, "theme": "plaid"})
    assert answer.status_code == 422
    assert "error" in answer.content.decode()
    bob.refresh_from_db()
    assert bob.preferences == ""


def test_saving_leads_back_to_where_somebody_came_from(client, db):
    page = client.get("/preferences/?next=/rules/").content.decode()
    assert '<input type="hidden" name="next" value="/rules/">' in page
    assert client.post("/preferences/", {**FORM, "next": "/rules/"})["Location"] == "/rules/"


@pytest.mark.parametrize(
    "elsewhere",
    ["https://example.org/", "//example.org", "javascript:x", "example", "example.org", "http://["],
)
def test_it_leads_to_no_other_site(client, db, elsewhere):
    assert "example.org" not in client.get(f"/preferences/?next={elsewhere}").content.decode()
    answer = client.post("/preferences/", {**FORM, "next": elsewhere})
    assert answer["Location"] == "/preferences/"


def test_back_is_no_page_that_answered_a_form(client, db):
    """Some addresses only take forms: the way back ended in an error."""
    assert "/preferences/?next=/account/login/" in client.get("/account/login/").content.decode()
    page = client.post("/account/login/", {"login": "nobody", "password": "x"}).content.decode()
    assert 'href="/preferences/"' in page
    assert "/preferences/?next=" not in page


def test_every_page_leads_to_them(client, db):
    assert 'href="/preferences/' in client.get("/").content.decode()


def test_a_page_is_shown_as_preferred(client, db):
    client.cookies[COOKIE] = as_text(theme="light", deck="four")
    page = client.get("/").content.decode()
    assert '<html lang="en" data-theme="light" data-contrast="normal" data-deck="four"' in page
    assert '<meta name="color-scheme" content="light">' in page
    assert "games/four-colours.css" in page


def test_the_deck_of_four_colours_costs_others_nothing(client, db):
    assert "four-colours" not in client.get("/").content.decode()


def test_a_page_without_a_request_is_shown_as_usual():
    assert '<meta name="color-scheme" content="light dark">' in render_to_string("500.html")


def test_a_page_that_shows_none_asks_for_no_user():
    request = RequestFactory().get("/")  # it has no user at all
    assert "<h1>" in render_to_string("404.html", {}, request)


def test_every_face_of_clubs_and_diamonds_has_its_other_colour():
    static = settings.BASE_DIR / "games/static/games"
    css = (static / "four-colours.css").read_text(encoding="utf-8")
    for suit in "CD":
        for rank in "A23456789TJQK":
            assert f'[src*="/cards/{rank}{suit}."]' in css
            assert f'url("cards/four/{rank}{suit}.svg")' in css
            assert (static / f"cards/four/{rank}{suit}.svg").exists()


# The guide is one of them, and has a switch of its own


@pytest.mark.parametrize("choice", ALLOWED["guide"])
def test_the_guide_s_switch_changes_nothing_else(client, bob, choice):
    User.objects.update(preferences=str(DARK))
    client.force_login(bob)
    answer = client.post("/guide/", {"guide": choice, "next": "/rules/"})
    assert answer["Location"] == "/rules/"
    bob.refresh_from_db()
    assert Preferences.parse(bob.preferences) == replace(DARK, guide=choice)


def test_the_guide_s_switch_takes_no_other_word(client, db):
    answer = client.post("/guide/", {"guide": "sometimes", "next": "//example.org"})
    assert answer["Location"] == "/how-to-play/"
    assert COOKIE not in answer.cookies
