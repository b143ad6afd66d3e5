"""E-mail addresses: one counts once it is confirmed, and no page tells whose is whose (S8)."""

import re
from pathlib import Path
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from tests.accounts.people import (
    ADDRESS,
    PASSWORD,
    browser_of,
    link_in,
    log_in,
    new_person,
    user_of,
    words,
)

pytestmark = pytest.mark.django_db

SIGN_UP, RESET, EMAIL = "/account/signup/", "/account/password/reset/", "/account/email/"
NEW = "another-one-of-mine"


def sign_up(client: Client, name: str, address: str = "") -> Any:
    return client.post(SIGN_UP, {"username": name, "password1": PASSWORD, "email": address})


def confirm(client: Client, message: EmailMessage) -> Any:
    path = link_in(message)
    assert client.get(path).status_code == 200
    return client.post(path)


def seen(response: Any, *own: str) -> tuple[int, str, str]:
    """What somebody is answered, without what they typed themselves."""
    text = words(response)
    for each in own:
        text = text.replace(each, "…")
    return response.status_code, response.headers.get("Location", ""), text


class TestConfirming:
    def test_who_gives_an_address_plays_at_once_and_is_sent_a_link(self, client: Client) -> None:
        assert sign_up(client, "Anna", ADDRESS)["Location"] == "/"
        assert user_of(client) == "Anna"
        [message] = mail.outbox
        assert message.to == [ADDRESS]
        assert "Anna" in message.body
        assert not EmailAddress.objects.get().verified
        assert confirm(client, message)["Location"] == "/account/"
        assert EmailAddress.objects.get().verified

    def test_a_link_that_is_only_looked_at_confirms_nothing(self, client: Client) -> None:
        sign_up(client, "Anna", ADDRESS)
        client.get(link_in(mail.outbox[0]))
        assert not EmailAddress.objects.get().verified

    def test_a_link_is_good_once(self, client: Client) -> None:
        sign_up(client, "Anna", ADDRESS)
        confirm(client, mail.outbox[0])
        assert "does not work any more" in words(client.get(link_in(mail.outbox[0])))

    def test_without_an_address_there_is_no_mail(self, client: Client) -> None:
        sign_up(client, "Anna")
        assert user_of(client) == "Anna"
        assert mail.outbox == []

    def test_an_address_of_two_accounts_is_the_first_s(self) -> None:
        """Somebody gives a stranger's address: it is not theirs, and the stranger is told."""
        new_person("Anna", ADDRESS)
        thief = Client()
        sign_up(thief, "Bob", ADDRESS)
        [message] = mail.outbox
        assert message.subject == "You have an account already"
        assert "Bob" not in message.body
        own = EmailAddress.objects.get(user__username="Bob")
        assert not own.can_set_verified()

    def test_two_who_give_one_address_race_for_it(self) -> None:
        anna, bob = Client(), Client()
        sign_up(anna, "Anna", ADDRESS)
        EmailAddress.objects.all().delete()  # so that the second is mailed within three minutes
        user = User.objects.get(username="Anna")
        first = EmailAddress.objects.create(user=user, email=ADDRESS, primary=True)
        sign_up(bob, "Bob", "bob@example.org")
        second = EmailAddress.objects.get(user__username="Bob")
        EmailAddress.objects.filter(pk=second.pk).update(email=ADDRESS)
        first.set_verified()
        answer = confirm(bob, mail.outbox[-1])
        assert not EmailAddress.objects.get(pk=second.pk).verified
        assert "another account's" in words(bob.get(answer["Location"]))

    def test_a_mail_server_that_is_away_keeps_nobody_out(
        self, client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def away(message: EmailMessage) -> int:
            raise SMTPServerDisconnected(f"no {message.to}")

        monkeypatch.setattr(EmailMessage, "send", away)
        answer = sign_up(client, "Anna", ADDRESS)
        assert user_of(client) == "Anna"
        assert "mail server does not answer" in words(client.get(answer["Location"]))
        assert ADDRESS not in caplog.text
        assert "SMTPServerDisconnected" in caplog.text


class TestWhereAnAddressIsRequired:
    """EMAIL_REQUIRED=1."""

    @pytest.fixture(autouse=True)
    def _required(self, settings: Any) -> None:
        settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
        settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]

    def test_nobody_gets_in_before_it_is_confirmed(self, client: Client) -> None:
        assert sign_up(client, "Anna", ADDRESS)["Location"] == "/account/confirm-email/"
        assert user_of(client) is None
        log_in(client)
        assert user_of(client) is None
        confirm(client, mail.outbox[0])
        log_in(client)
        assert user_of(client) == "Anna"

    def test_who_has_none_from_before_gets_in(self, client: Client) -> None:
        new_person("Anna")
        log_in(client)
        assert user_of(client) == "Anna"

    def test_s8_a_used_address_is_answered_like_a_new_one_and_the_name_is_taken_alike(self) -> None:
        new_person("Anna", ADDRESS)
        used = seen(sign_up(Client(), "Bob", ADDRESS))
        new = seen(sign_up(Client(), "Clara", "clara@example.org"))
        assert used == new
        again = [words(sign_up(Client(), name, "x@example.org")) for name in ("Bob", "Clara")]
        assert all("That name is taken." in each for each in again)


class TestNoEnumeration:
    def test_s8_signing_up_with_a_used_address_is_answered_like_with_a_new_one(self) -> None:
        new_person("Anna", ADDRESS)
        pages = []
        for name, address in (("Bob", ADDRESS), ("Bea", "bea@example.org")):
            client = Client()
            answer = sign_up(client, name, address)
            pages += [seen(answer), seen(client.get("/"), name, address)]
        assert pages[:2] == pages[2:]
        assert len(mail.outbox) == 2

    def test_s8_a_reset_for_an_unknown_address_is_answered_like_for_a_known_one(self) -> None:
        new_person("Anna", ADDRESS)
        pages = []
        for address in (ADDRESS, "nobody@example.org"):
            client = Client()
            answer = client.post(RESET, {"email": address})
            pages += [seen(answer), seen(client.get(answer["Location"]), address)]
        assert pages[:2] == pages[2:]
        assert [message.to for message in mail.outbox] == [[ADDRESS], ["nobody@example.org"]]

    def test_s8_nor_does_changing_one_s_own_address_tell(self) -> None:
        new_person("Bob", "bob@example.org")
        anna = browser_of(new_person("Anna"))
        pages = []
        for address in ("bob@example.org", "free@example.org"):
            answer = anna.post(EMAIL, {"email": address, "action_add": ""})
            pages += [seen(answer), seen(anna.get(EMAIL), address)]
        assert pages[:2] == pages[2:]


class TestForgottenPassword:
    def ask(self, client: Client, address: str = ADDRESS) -> EmailMessage:
        client.post(RESET, {"email": address})
        return mail.outbox[-1]

    def choose(self, client: Client, message: EmailMessage) -> Any:
        answer = client.get(link_in(message), follow=True)
        return client.post(answer.request["PATH_INFO"], {"password1": NEW, "password2": NEW})

    def test_a_link_leads_to_a_new_password(self, client: Client) -> None:
        new_person("Anna", ADDRESS)
        elsewhere = Client()
        log_in(elsewhere)
        message = self.ask(client)
        assert "Anna" in message.body
        assert self.choose(client, message).status_code == 302
        assert user_of(client) is None
        log_in(client, password=NEW)
        assert user_of(client) == "Anna"
        assert elsewhere.get("/account/").status_code == 302
        assert mail.outbox[-1].subject == "Your password was changed"

    def test_a_link_is_good_once(self, client: Client) -> None:
        new_person("Anna", ADDRESS)
        message = self.ask(client)
        self.choose(client, message)
        assert "does not work any more" in words(Client().get(link_in(message), follow=True))

    @pytest.mark.parametrize("case", [str.upper, str.title, str.lower])
    def test_an_address_has_no_case(self, client: Client, case: Any) -> None:
        new_person("Anna", ADDRESS)
        assert "Choose a new password" in self.ask(client, case(ADDRESS)).subject

    def test_an_address_that_was_never_confirmed_opens_no_account(self, client: Client) -> None:
        """It may be mistyped, and be a stranger's."""
        new_person("Anna", ADDRESS, confirmed=False)
        message = self.ask(client)
        assert message.subject == "There is no account with this address"
        assert "password/reset/key" not in message.body

    def test_an_account_that_is_shut_out_gets_no_link(self, client: Client) -> None:
        new_person("Anna", ADDRESS)
        User.objects.update(is_active=False)
        assert "no account" in self.ask(client).subject

    def test_a_link_is_of_the_site_s_own_host(self, client: Client) -> None:
        new_person("Anna", ADDRESS)
        answer = client.post(RESET, {"email": ADDRESS}, headers={"host": "evil.example"})
        assert answer.status_code == 400
        assert mail.outbox == []


class TestChangingIt:
    def test_the_new_address_counts_from_its_confirmation_on(self) -> None:
        anna = browser_of(new_person("Anna", ADDRESS))
        anna.post(EMAIL, {"email": "new@example.org", "action_add": ""})
        assert EmailAddress.objects.filter(verified=True).get().email == ADDRESS
        confirm(anna, next(each for each in mail.outbox if each.to == ["new@example.org"]))
        [address] = EmailAddress.objects.all()
        assert (address.email, address.verified) == ("new@example.org", True)
        assert User.objects.get().email == "new@example.org"
        [told] = [each for each in mail.outbox if each.to == [ADDRESS]]
        assert told.subject == "Your e-mail address was changed"

    def test_it_can_be_removed(self) -> None:
        anna = browser_of(new_person("Anna", ADDRESS))
        anna.post(EMAIL, {"email": ADDRESS, "action_remove": ""})
        assert not EmailAddress.objects.exists()
        assert User.objects.get().email == ""
        assert mail.outbox[-1].to == [ADDRESS]

    def test_it_is_asked_whether_it_is_them(self, client: Client) -> None:
        new_person("Anna", ADDRESS)
        log_in(client)
        answer = client.post(EMAIL, {"email": "thief@example.org", "action_add": ""})
        assert answer["Location"].startswith("/account/reauthenticate/")
        assert EmailAddress.objects.count() == 1


def test_mails_are_plain_texts_in_our_words(client: Client) -> None:
    new_person("Anna", ADDRESS)
    client.post(RESET, {"email": ADDRESS})
    client.post(RESET, {"email": "nobody@example.org"})
    sign_up(Client(), "Bob", "bob@example.org")
    for message in mail.outbox:
        assert message.body.startswith("Hello,\n\n")
        assert (
            message.body.endswith("--\nHollywood Gin\ntestserver") or "testserver" in message.body
        )
        assert not re.search(r"[<>]|&\w+;|{[{%]", message.body)
        assert not getattr(message, "alternatives", [])
        assert max(map(len, message.body.splitlines())) <= 120 or "http" in message.body


def test_mails_began_with_a_small_letter() -> None:
    folder = Path(__file__).parents[2] / "templates"
    first = re.compile(r"(?:content|message) %}{% autoescape off %}{% blocktranslate %}(\w)")
    mails = {*folder.glob("*/email/*_message.txt")} - {folder / "account/email/base_message.txt"}
    found = {path: first.search(path.read_text(encoding="utf-8")) for path in mails}
    assert len(found) > 15
    assert [path.name for path, word in found.items() if not word or word[1].islower()] == []
