"""The page that says how somebody is told, the browsers, and the link in a mail."""

import base64
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import Client

from accounts.models import User
from accounts.sessions import session_fingerprint
from accounts.subscriptions import MOST, Subscription, subscribe
from accounts.turn_mail import TurnMail, off_path, wants_mail
from tests.accounts.people import ADDRESS, PASSWORD, browser_of, new_person, words

pytestmark = pytest.mark.django_db

PAGE, ADD = "/account/notices/", "/account/notices/browsers/"


def text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def fields(**changed: str) -> dict[str, str]:
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    endpoint = "https://push.example.org/anna"
    usual = {"endpoint": endpoint, "browser_key": text(point), "browser_secret": text(b"s" * 16)}
    return usual | changed


@pytest.fixture
def anna() -> User:
    return new_person("Anna", ADDRESS)


class TestMail:
    def test_it_is_on_until_it_is_turned_off(self, anna: User) -> None:
        browser = browser_of(anna)
        assert 'value="on" checked' in browser.get(PAGE).content.decode()
        assert browser.post(PAGE, {"mail": "off"})["Location"] == PAGE
        assert not wants_mail(anna.pk)
        assert 'value="off" checked' in browser.get(PAGE).content.decode()
        browser.post(PAGE, {"mail": "on"})
        assert wants_mail(anna.pk)

    def test_what_it_is_not_asked_is_refused(self, anna: User) -> None:
        assert browser_of(anna).post(PAGE, {"mail": "perhaps"}).status_code == 422

    def test_without_a_confirmed_address_the_page_says_so(self) -> None:
        browser = browser_of(new_person("Bob", "bob@example.org", confirmed=False))
        page = browser.get(PAGE)
        assert "no address that is confirmed" in words(page)
        assert 'name="mail"' not in page.content.decode()


class TestTheLinkInAMail:
    def test_it_needs_no_log_in_and_one_press(self, anna: User, client: Client) -> None:
        link = off_path(anna.pk)
        assert "Turn them off" in words(client.get(link))
        assert wants_mail(anna.pk)  # programs look at links before their owner does
        assert "You get no mail any more" in words(client.post(link))
        assert not wants_mail(anna.pk)

    def test_a_program_that_reads_mail_turns_it_off_in_one_request(self, anna: User) -> None:
        program = Client(enforce_csrf_checks=True)
        answer = program.post(off_path(anna.pk), {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        assert not wants_mail(anna.pk)

    def test_what_is_due_is_not_sent_any_more(self, anna: User, client: Client) -> None:
        TurnMail.objects.create(user=anna, due_at="2026-01-01T00:00Z")
        client.post(off_path(anna.pk))
        assert TurnMail.objects.get().due_at is None

    @pytest.mark.parametrize("change", [lambda t: t[:-1], lambda t: "9" + t, lambda t: "x"])
    def test_a_link_that_we_have_not_made_is_no_good(
        self, anna: User, client: Client, change: Any
    ) -> None:
        token = off_path(anna.pk).split("/")[-2]
        answer = client.post(f"/mail/off/{change(token)}/")
        assert answer.status_code == 404
        assert "This link does not work" in words(answer)
        assert wants_mail(anna.pk)

    def test_it_is_good_for_nothing_else(self, anna: User, client: Client) -> None:
        client.post(off_path(anna.pk))
        assert client.get(PAGE).status_code == 302


class TestBrowsers:
    def test_one_is_kept_and_shown(self, anna: User) -> None:
        browser = browser_of(anna)
        answer = browser.post(ADD, fields(), headers={"User-Agent": "Firefox/140 Linux"})
        assert answer.status_code == 204
        kept = Subscription.objects.get()
        assert (kept.user, kept.user_agent) == (anna, "Firefox/140 Linux")
        assert kept.session == session_fingerprint(browser.session.session_key or "")
        assert "Firefox, Linux" in words(browser.get(PAGE))

    def test_the_same_one_again_is_the_same(self, anna: User) -> None:
        browser, same = browser_of(anna), fields()
        for _ in range(2):
            assert browser.post(ADD, same).status_code == 204
        assert Subscription.objects.count() == 1

    @pytest.mark.parametrize(
        "wrong",
        [
            {"endpoint": "http://push.example.org/"},
            {"endpoint": "https://127.0.0.1/"},
            {"endpoint": ""},
            {"endpoint": "https://push.example.org/" + "x" * 1000},
            {"browser_key": "x"},
            {"browser_key": text(b"\x04" + b"x" * 64)},
            {"browser_secret": text(b"short")},
            {"browser_secret": "ключ"},
        ],
        ids=str,
    )
    def test_ssrf_what_no_browser_says_is_refused(self, anna: User, wrong: dict[str, str]) -> None:
        assert browser_of(anna).post(ADD, fields(**wrong)).status_code == 422
        assert not Subscription.objects.exists()

    def test_somebody_removes_their_own_only(self, anna: User) -> None:
        browser = browser_of(anna)
        browser.post(ADD, fields())
        pk = Subscription.objects.get().pk
        stranger = browser_of(new_person("Bob"))
        assert stranger.post(f"{ADD}{pk}/remove/").status_code == 302
        assert Subscription.objects.exists()
        browser.post(f"{ADD}{pk}/remove/")
        assert not Subscription.objects.exists()

    def test_it_ends_with_its_log_in(self, anna: User) -> None:
        one, other = browser_of(anna), browser_of(anna)
        one.post(ADD, fields(endpoint="https://push.example.org/one"))
        other.post(ADD, fields(endpoint="https://push.example.org/other"))
        one.post("/account/logout/")
        assert Subscription.objects.get().endpoint.endswith("/other")
        third = browser_of(anna)
        third.post("/account/sessions/")  # log out everywhere else
        assert not Subscription.objects.exists()

    def test_a_new_password_ends_them_all(self, anna: User) -> None:
        browser = browser_of(anna)
        browser.post(ADD, fields())
        new = "another-one-of-mine"
        answer = browser.post(
            "/account/password/change/",
            {"oldpassword": PASSWORD, "password1": new, "password2": new},
        )
        assert answer.status_code == 302
        assert not Subscription.objects.exists()

    def test_the_oldest_gives_way(self, anna: User) -> None:
        for number in range(MOST + 2):
            subscribe(
                user_id=anna.pk,
                **fields(endpoint=f"https://push.example.org/{number}"),
            )
        kept = Subscription.objects.order_by("pk")
        assert kept.count() == MOST
        assert kept[0].endpoint.endswith("/2")
