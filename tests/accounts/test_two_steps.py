"""The second step: an app's codes, recovery codes, and who must show that it is them."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.core import mail
from django.test import Client

from accounts.mfa import SEALED
from accounts.models import User
from accounts.templatetags.account_pages import square
from tests.accounts.people import (
    ADDRESS,
    PASSWORD,
    browser_of,
    code_of,
    log_in,
    new_person,
    user_of,
    with_app,
    words,
)

pytestmark = pytest.mark.django_db

TOTP_ON, TOTP_OFF = "/account/two-factor/totp/activate/", "/account/two-factor/totp/deactivate/"
STEP, CODES = "/account/two-factor/authenticate/", "/account/two-factor/recovery-codes/"


@pytest.fixture
def anna() -> User:
    return new_person("Anna", ADDRESS)


def secret_on(page: Any) -> str:
    """The letters to type, as the page shows them."""
    return re.findall(r"<code>([A-Z2-7 ]+)</code>", page.content.decode())[0].replace(" ", "")


class TestTurningItOn:
    @pytest.mark.django_db(transaction=True)  # it is told of once it is stored
    def test_an_app_is_set_up_by_its_code_and_brings_recovery_codes(self, anna: User) -> None:
        browser = browser_of(anna)
        secret = secret_on(browser.get(TOTP_ON))
        answer = browser.post(TOTP_ON, {"code": code_of(secret)})
        assert answer["Location"] == CODES
        kinds = set(Authenticator.objects.filter(user=anna).values_list("type", flat=True))
        assert kinds == {"totp", "recovery_codes"}
        assert len(re.findall(r"<code>\d{8}</code>", browser.get(CODES).content.decode())) == 10
        assert "The second step is on" in [each.subject for each in mail.outbox]

    def test_a_wrong_code_turns_nothing_on(self, anna: User) -> None:
        browser = browser_of(anna)
        browser.get(TOTP_ON)
        assert browser.post(TOTP_ON, {"code": "000000"}).status_code == 200
        assert not Authenticator.objects.exists()

    def test_the_square_is_markup_of_a_path_and_names_no_address(self, anna: User) -> None:
        page = browser_of(anna).get(TOTP_ON).content.decode()
        [svg] = re.findall(r'<div class="square"[^>]*>(.*?)</div>', page)
        assert square(svg) == svg
        assert "data:" not in page
        assert ADDRESS not in page
        with pytest.raises(AssertionError):
            square('<svg a="b"><script>1</script></svg>')

    @pytest.mark.parametrize(
        "path", [TOTP_ON, CODES + "generate/", "/account/two-factor/webauthn/add/"]
    )
    def test_only_who_has_just_shown_who_they_are_comes_there(self, anna: User, path: str) -> None:
        client = Client()
        log_in(client)
        assert client.get(path)["Location"].startswith("/account/reauthenticate/")

    def test_an_account_without_an_address_may_too(self) -> None:
        browser = browser_of(new_person("Bob"))
        secret = secret_on(browser.get(TOTP_ON))
        browser.post(TOTP_ON, {"code": code_of(secret)})
        assert Authenticator.objects.filter(type="totp").exists()


class TestLoggingIn:
    def test_the_password_alone_does_not_open(self, client: Client, anna: User) -> None:
        with_app(anna)
        assert log_in(client)["Location"] == STEP
        assert user_of(client) is None
        assert client.get("/account/")["Location"].startswith("/account/login/")

    def test_password_and_code_do(self, client: Client, anna: User) -> None:
        secret = with_app(anna)
        log_in(client)
        client.post(STEP, {"code": code_of(secret)})
        assert user_of(client) == "Anna"

    def test_a_code_is_good_once(self, anna: User) -> None:
        secret = with_app(anna)
        code = code_of(secret)
        for expected in ("Anna", None):
            client = Client()
            log_in(client)
            client.post(STEP, {"code": code})
            assert user_of(client) == expected

    def test_a_recovery_code_is_good_once(self, anna: User) -> None:
        with_app(anna)
        code = RecoveryCodes.activate(anna).get_unused_codes()[0]
        for expected in ("Anna", None):
            client = Client()
            log_in(client)
            client.post(STEP, {"code": code})
            assert user_of(client) == expected

    def test_s7_codes_can_t_be_tried_out(self, anna: User) -> None:
        secret = with_app(anna)
        client = Client()
        log_in(client)
        for number in range(12):
            client.post(STEP, {"code": f"{number:06}"})
        client.post(STEP, {"code": code_of(secret)})
        assert user_of(client) is None

    def test_who_had_left_is_back_after_both_steps_and_not_before(
        self, client: Client, anna: User
    ) -> None:
        from accounts.leaving import disable_account

        secret = with_app(anna)
        disable_account(anna.pk)
        log_in(client)
        anna.refresh_from_db()
        assert anna.disabled_at is not None
        client.post(STEP, {"code": code_of(secret)})
        anna.refresh_from_db()
        assert (anna.disabled_at, user_of(client)) == (None, "Anna")

    def test_a_new_password_by_mail_does_not_go_round_it(self, client: Client, anna: User) -> None:
        with_app(anna)
        client.post("/account/password/reset/", {"email": ADDRESS})
        [path] = re.findall(r"https?://[^/\s]+(/\S+/)\s", mail.outbox[-1].body)
        page = client.get(path, follow=True)
        new = {"password1": "another-one-of-mine", "password2": "another-one-of-mine"}
        client.post(page.request["PATH_INFO"], new)
        log_in(client, password="another-one-of-mine")
        assert user_of(client) is None

    def test_the_admin_asks_for_it_as_well(self, client: Client, anna: User) -> None:
        User.objects.update(is_staff=True, is_superuser=True)
        with_app(anna)
        answer = client.get("/admin/", follow=True)
        assert answer.request["PATH_INFO"] == "/account/login/"
        client.post("/admin/login/", {"username": "Anna", "password": PASSWORD})
        assert user_of(client) is None


def test_turning_it_off_asks_who_one_is_and_tells_by_mail(anna: User) -> None:
    with_app(anna)
    client = Client()
    log_in(client)
    client.post(STEP, {"code": code_of("JBSWY3DPEHPK3PXP")})
    assert client.post(TOTP_OFF)["Location"].startswith("/account/reauthenticate/")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    client.post(TOTP_OFF)
    assert not Authenticator.objects.filter(type="totp").exists()
    assert mail.outbox[-1].subject == "The authenticator app is off"


def test_a_passkey_that_is_none_is_refused_in_words(client: Client) -> None:
    answer = client.post("/account/two-factor/webauthn/login/", {"credential": "{}"}, follow=True)
    assert answer.request["PATH_INFO"] == "/account/login/"
    assert user_of(client) is None
    assert "Log in" in words(answer)


def test_the_page_asks_for_a_passkey_of_this_site(client: Client) -> None:
    json = {"accept": "application/json"}
    answer = client.get("/account/two-factor/webauthn/login/", headers=json).json()
    assert answer["request_options"]["publicKey"]["rpId"] == "testserver"


class TestWhatIsStored:
    """Whoever had a copy of the database could make everybody's codes."""

    def log_in_by(self, user: User, code: str) -> str | None:
        client = Client()
        log_in(client, user.username)
        client.post(STEP, {"code": code})
        return user_of(client)

    def codes_of(self, user: User) -> list[str]:
        return RecoveryCodes(user.authenticator_set.get(type="recovery_codes")).get_unused_codes()

    def test_it_is_sealed(self, anna: User) -> None:
        secret = with_app(anna)
        RecoveryCodes.activate(anna)
        rows = [each.data for each in Authenticator.objects.all()]
        assert secret not in str(rows)
        sealed = [each.get("secret") or each.get("seed") for each in rows]
        assert all(each.startswith(SEALED) for each in sealed)
        assert len(set(self.codes_of(anna))) == 10
        assert self.log_in_by(anna, code_of(secret)) == "Anna"
        assert self.log_in_by(anna, self.codes_of(anna)[0]) == "Anna"

    def test_what_is_from_before_counts(self, anna: User) -> None:
        Authenticator.objects.create(user=anna, type="totp", data={"secret": "JBSWY3DPEHPK3PXP"})
        assert self.log_in_by(anna, code_of("JBSWY3DPEHPK3PXP")) == "Anna"

    def test_an_earlier_key_opens_it_and_another_does_not(self, anna: User, settings: Any) -> None:
        secret = with_app(anna)
        RecoveryCodes.activate(anna)
        codes = self.codes_of(anna)
        earlier, settings.SECRET_KEY = settings.SECRET_KEY, "another key of the site" * 3
        settings.SECRET_KEY_FALLBACKS = [earlier]
        assert self.codes_of(anna) == codes
        settings.SECRET_KEY_FALLBACKS = []
        assert not set(self.codes_of(anna)) & set(codes)
        assert self.log_in_by(anna, code_of(secret)) is None
        settings.SECRET_KEY_FALLBACKS = [earlier]
        assert self.log_in_by(anna, code_of(secret)) == "Anna"
