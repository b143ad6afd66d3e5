"""The pages of an account: each is ours, and each has a rule who may see it (S9)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.test import Client
from django.test.signals import template_rendered
from django.urls import get_resolver

from accounts import live
from accounts import sessions as accounts_sessions
from accounts.middleware import PERSONS_ONLY
from accounts.models import User
from tests.accounts.people import ADDRESS, PASSWORD, browser_of, log_in, new_person, with_app, words

pytestmark = pytest.mark.django_db

OURS: Final = str(settings.BASE_DIR / "templates")
LOG_IN: Final = "log in"
HOME: Final = "home"
# What a visitor, a person who has just shown who they are, and a guest get of each page.
RULES: Final[dict[str, tuple[int | str, int | str, int | str]]] = {
    "account/": (LOG_IN, 200, 403),
    "account/profile/": (LOG_IN, 200, 403),
    "account/export/": (LOG_IN, 200, 403),
    "account/standing/": (LOG_IN, 200, 200),
    "account/standing/1/appeal/": (405, 405, 405),
    "account/people/": (LOG_IN, 200, 403),
    "account/notices/": (LOG_IN, 200, 403),
    "account/notices/browsers/": (405, 405, 403),
    "account/notices/browsers/1/remove/": (405, 405, 403),
    "mail/off/x/": (404, 404, 404),
    "account/leave/": (LOG_IN, 200, 403),
    "account/guest/": (LOG_IN, HOME, 403),
    "account/login/": (200, HOME, 200),
    "account/logout/": (HOME, 200, 200),
    "account/inactive/": (200, 200, 200),
    "account/signup/": (200, HOME, 200),
    "account/reauthenticate/": (LOG_IN, 200, 403),
    "account/reauthenticate/code/": (LOG_IN, 403, 403),
    "account/reauthenticate/code/confirm/": (LOG_IN, 403, 403),
    "account/email/": (LOG_IN, 200, 403),
    "account/confirm-email/": (200, 200, 200),
    "account/confirm-email/x:1:y/": (200, 200, 200),
    "account/password/change/": (LOG_IN, 200, 403),
    "account/password/set/": (LOG_IN, "/account/password/change/", 403),
    "account/password/reset/": (200, 200, 200),
    "account/password/reset/done/": (200, 200, 200),
    "account/password/reset/key/1-x/": (200, 200, 200),
    "account/password/reset/key/done/": (200, 200, 200),
    "account/login/code/confirm/": (LOG_IN, HOME, HOME),
    "account/sessions/": (LOG_IN, 200, 403),
    "account/two-factor/": (LOG_IN, 200, 403),
    "account/two-factor/authenticate/": (LOG_IN, HOME, LOG_IN),
    "account/two-factor/reauthenticate/": (LOG_IN, 200, 403),
    "account/two-factor/totp/activate/": (LOG_IN, "/account/two-factor/totp/deactivate/", 403),
    "account/two-factor/totp/deactivate/": (LOG_IN, 200, 403),
    "account/two-factor/recovery-codes/": (LOG_IN, 200, 403),
    "account/two-factor/recovery-codes/generate/": (LOG_IN, 200, 403),
    "account/two-factor/recovery-codes/download/": (LOG_IN, 200, 403),
    "account/two-factor/webauthn/": (LOG_IN, 200, 403),
    "account/two-factor/webauthn/add/": (LOG_IN, 200, 403),
    "account/two-factor/webauthn/reauthenticate/": (LOG_IN, "/account/reauthenticate/", 403),
    "account/two-factor/webauthn/login/": (LOG_IN, HOME, LOG_IN),
    "account/two-factor/webauthn/keys/1/remove/": (LOG_IN, 404, 403),
    "account/two-factor/webauthn/keys/1/edit/": (LOG_IN, 404, 403),
    "preferences/": (200, 200, 200),
    "@Anna/": (200, 200, 200),
    "@Anna/series/": (200, 200, 200),
    "@Anna/series/series.txt": (200, 200, 200),
    "@Anna/series/series.json": (200, 200, 200),
    "@Anna/series/series.csv": (200, 200, 200),
    "@Anna/statistics/": (200, 200, 200),
    "@Guest-1/statistics/": (404, 404, 200),
    "@Anna/against/Guest-1/": (404, 404, 200),
    "@Guest-1/": (404, 404, 404),
    "@Anna/report/": (LOG_IN, 404, 403),
    "@Anna/relation/": (405, 405, 403),
}


def addresses(resolver: Any = None, before: str = "") -> Iterator[str]:
    """Every address that begins as an account's do, as its pattern is written."""
    for entry in (resolver or get_resolver()).url_patterns:
        path = before + str(entry.pattern)
        if hasattr(entry, "url_patterns"):
            yield from addresses(entry, path)
        elif path.startswith(("account/", "mail/", "preferences/", "@")):
            yield path


def as_pattern(path: str) -> str:
    """An address as a regular expression."""
    if "(?P" in path:
        return path.replace("/^", "/").removesuffix("$") + "$"
    return re.sub(r"<\w+:\w+>", r"[^/]+", path) + "$"


def test_s9_every_address_of_an_account_has_a_rule() -> None:
    unruled = [
        path
        for path in addresses()
        if not any(re.match(as_pattern(path), known) for known in RULES)
    ]
    assert unruled == []


@pytest.fixture
def anna() -> User:
    user = new_person("Anna", ADDRESS)
    RecoveryCodes.activate(user)
    with_app(user)
    return user


@pytest.fixture
def person(anna: User) -> Client:
    """Anna's browser, after both steps and a question who she is."""
    client = Client()
    Authenticator.objects.filter(user=anna).update(user=new_person("Keeper"))
    client = browser_of(anna)
    Authenticator.objects.update(user=anna)
    return client


@pytest.fixture
def guest(db: None) -> Client:
    client = Client()
    guest = User.objects.create_user("Guest-1", kind=User.Kind.GUEST)
    client.force_login(guest)
    return client


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The files of the templates that are rendered."""
    files: set[str] = set()

    def note(sender: Any, template: Any, **kwargs: Any) -> None:
        files.add(str(template.origin.name))

    template_rendered.connect(note)
    yield files
    template_rendered.disconnect(note)


def is_ruled(answer: Any, rule: int | str) -> bool:
    if isinstance(rule, int):
        return bool(answer.status_code == rule)
    target = {LOG_IN: "/account/login/", HOME: "/"}.get(rule, rule)
    return answer.status_code == 302 and answer["Location"].partition("?")[0] == target


@pytest.mark.parametrize("path", RULES)
def test_s9_who_sees_what(
    path: str, anna: User, person: Client, guest: Client, used: set[str]
) -> None:
    answers = [client.get(f"/{path}", follow=False) for client in (Client(), person, guest)]
    wrong = [
        (answer.status_code, answer.headers.get("Location"), rule)
        for answer, rule in zip(answers, RULES[path], strict=True)
        if not is_ruled(answer, rule)
    ]
    assert wrong == []
    theirs = [
        file
        for file in used
        if not file.startswith(OURS) and "/forms/" not in file and not file.endswith("download.txt")
    ]
    assert theirs == [], "a page of the library's own"
    for answer in answers:
        if answer.status_code == 200 and "html" in answer["Content-Type"]:
            html = answer.content.decode()
            assert "site.css" in html
            assert len(re.findall("<h1", html)) == 1
            assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]* src=)", html)
            ids = re.findall(r'\sid="([^"]+)"', html)
            assert len(ids) == len(set(ids))


def test_a_guest_is_invited_to_register(guest: Client) -> None:
    answer = guest.get("/account/")
    assert "If you register" in words(answer)
    assert 'href="/account/signup/"' in answer.content.decode()


def test_a_guest_gives_itself_no_password(guest: Client) -> None:
    new = {"password1": "three-games-at-once", "password2": "three-games-at-once"}
    assert guest.post("/account/password/set/", new).status_code == 403
    assert not User.objects.get(username="Guest-1").has_usable_password()


def test_the_names_of_pages_for_persons_exist() -> None:
    names = set(get_resolver().reverse_dict)
    assert {name for name in PERSONS_ONLY if name not in names} == set()


class TestWhereOneIsLoggedIn:
    def test_each_log_in_is_listed(self) -> None:
        anna = new_person("Anna")
        firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
        log_in(Client(headers={"user-agent": firefox}), REMOTE_ADDR="203.0.113.7")
        page = words(browser_of(anna).get("/account/sessions/"))
        assert "Firefox, Linux" in page
        assert "203.0.113.7" in page
        assert page.count("this one") == 1

    def test_s4_the_others_are_ended_with_their_sockets(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[tuple[int, str | None]] = []

        def end_sockets(*, user_id: int, session: str | None = None) -> None:
            told.append((user_id, session))

        monkeypatch.setattr(accounts_sessions, "end_sockets", end_sockets)
        anna = new_person("Anna")
        here, there = browser_of(anna), browser_of(anna)
        key = there.session.session_key or ""
        here.post("/account/sessions/")
        assert there.get("/account/").status_code == 302
        assert here.get("/account/").status_code == 200
        assert told == [(anna.pk, accounts_sessions.session_fingerprint(key))]
        assert UserSession.objects.count() == 1

    def test_nobody_sees_or_ends_another_s(self) -> None:
        bob = browser_of(new_person("Bob"))
        anna = browser_of(new_person("Anna"))
        anna.post("/account/sessions/")
        assert bob.get("/account/").status_code == 200
        assert words(anna.get("/account/sessions/")).count("Since") == 1


@pytest.mark.parametrize("way", ["abc", "http://[", "//[", "\x00", "//evil.example"])
def test_a_way_back_that_is_none_is_no_error(client: Client, way: str) -> None:
    """Of a library too, which read it as an address."""
    anna = new_person("Anna")
    for path in ("/account/login/", "/account/signup/", "/admin/login/"):
        assert client.get(path, {"next": way}).status_code < 400
    browser = browser_of(anna)
    for path in ("/preferences/", "/account/reauthenticate/", "/account/logout/"):
        answer = browser.post(path, {"next": way, "password": PASSWORD})
        assert answer.status_code < 500
        assert "evil" not in answer.get("Location", "")


def test_scripts_of_the_library_are_there() -> None:
    folder = Path(live.__file__).parent / "static" / "accounts"
    assert {each.name for each in folder.iterdir()} == {
        *("account.css", "notices.js", "passkeys.js")
    }
