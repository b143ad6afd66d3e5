"""Accounts in a browser: registering, a forgotten password, two steps, passkeys, leaving."""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from accounts.models import Profile, User
from accounts.preferences import COOKIE, Preferences
from tests.accounts.people import PASSWORD, code_of, new_person
from tests.e2e.browser import DESK, PHONE, Person, Visit, shoot
from tests.postbox import PostBox, open_postbox
from tests.site import Site
from tests.tables import new_table

pytestmark = pytest.mark.browser

NEW = "another-one-of-mine"


@dataclass(frozen=True)
class Mailing:
    """A site that sends mail, and where it comes in."""

    site: Site
    box: PostBox

    @property
    def origin(self) -> str:
        """By its name: passkeys are of a name, never of a number."""
        return f"http://localhost:{self.site.servers[0].port}"


@pytest.fixture(scope="module")
def mailing(
    db: None, collected: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mailing]:
    folder = tmp_path_factory.mktemp("mailing")
    shutil.copytree(collected / "static", folder / "static")
    with open_postbox() as box:
        site = Site(folder, DEBUG="0", EMAIL_URL=box.url)
        for server in site.servers:
            server.environment["SITE_HOSTS"] += f",localhost:{server.port}"
        site.start()
        yield Mailing(site, box)
        errors = site.errors()
        site.stop()
        assert errors == []


type Come = Callable[..., Person]


@pytest.fixture
def arrive(visit: Visit, mailing: Mailing) -> Come:
    """Open a browser at the site that sends mail."""

    def open_browser(user: User | None = None, path: str = "/", **options: Any) -> Person:
        person: Person = visit(user, path, site=mailing.site, origin=mailing.origin, **options)
        return person

    return open_browser


def link_in(mail: Any) -> str:
    [link] = re.findall(r"https?://\S+", mail.get_content())
    return str(link)


def register(page: Page, name: str, address: str = "") -> None:
    page.goto("/account/signup/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("E-mail address").fill(address)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Register").click()
    page.wait_for_url(re.compile(r":\d+/$"))


def log_in(page: Page, name: str, password: str = PASSWORD) -> None:
    page.goto("/account/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in", exact=True).click()


def log_out(page: Page) -> None:
    page.goto("/account/logout/")
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url(re.compile(r":\d+/$"))


def show_who(page: Page) -> None:
    """Where it is asked whether it is them."""
    expect(page.get_by_role("heading", level=1)).to_have_text("Is it you?")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()


def test_registering_with_an_address_and_confirming_it(arrive: Come, mailing: Mailing) -> None:
    page = arrive().page
    register(page, "Alexandra", "alexandra@example.org")
    expect(page.locator(".toast")).to_contain_text("We have sent a link")
    page.goto(link_in(mailing.box.mail_to("alexandra@example.org")))
    shoot(page, "account-confirm")
    page.get_by_role("button", name="Yes, confirm").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The account of Alexandra")
    expect(page.get_by_role("main")).to_contain_text("alexandra@example.org")
    assert EmailAddress.objects.get(email="alexandra@example.org").verified


def test_a_forgotten_password(arrive: Come, mailing: Mailing) -> None:
    new_person("Forgetful", "forgetful@example.org")
    page = arrive(path="/account/login/").page
    page.get_by_role("link", name=re.compile("Forgot")).click()
    page.get_by_label("E-mail address").fill("forgetful@example.org")
    page.get_by_role("button", name="Send me a link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check your mail")
    page.goto(link_in(mailing.box.mail_to("forgetful@example.org")))
    page.get_by_label("New Password", exact=True).fill(NEW)
    page.get_by_label("New Password (again)").fill(NEW)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("main").get_by_role("link", name="Log in").click()
    log_in(page, "Forgetful", NEW)
    page.wait_for_url(re.compile(r":\d+/$"))
    expect(page.locator(".who .name")).to_have_text("Forgetful")


def test_two_steps_without_a_script(arrive: Come) -> None:
    new_person("Careful")
    page = arrive(path="/", java_script_enabled=False).page
    log_in(page, "Careful")
    page.goto("/account/two-factor/")
    page.get_by_role("link", name="Set it up").click()
    show_who(page)
    secret = page.locator(".letters code").inner_text().replace(" ", "")
    page.get_by_label(re.compile("code", re.IGNORECASE)).fill(code_of(secret))
    page.get_by_role("button", name="Turn it on").click()
    expect(page.locator(".codes code")).to_have_count(10)
    code = page.locator(".codes code").first.inner_text()
    log_out(page)
    log_in(page, "Careful")
    expect(page.get_by_role("heading", level=1)).to_have_text("The second step")
    page.get_by_label(re.compile("code", re.IGNORECASE)).fill(code)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.locator(".who .name")).to_have_text("Careful")


def key_in(page: Page) -> None:
    """Put a security key into this browser, whose owner always agrees."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey_is_made_shown_and_logged_in_with(arrive: Come) -> None:
    user = new_person("Keyholder")
    page = arrive(size=DESK).page
    key_in(page)
    log_in(page, "Keyholder")
    page.wait_for_url(re.compile(r":\d+/$"))
    page.goto("/account/two-factor/webauthn/add/")
    show_who(page)
    page.get_by_label("Log in with it alone").check()
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".codes code")).to_have_count(10)
    assert Authenticator.objects.filter(user=user, type="webauthn").count() == 1
    log_out(page)
    page.goto("/account/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.locator(".who .name")).to_have_text("Keyholder")
    log_out(page)
    log_in(page, "Keyholder")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.locator(".who .name")).to_have_text("Keyholder")


def test_where_a_passkey_does_not_work_it_is_said_in_words(arrive: Come) -> None:
    page = arrive(path="/account/login/", allowed=("ERR_FAILED",)).page
    page.route("**/webauthn/login/", lambda route: route.abort())
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("That did not work")


def test_leaving_for_good(arrive: Come) -> None:
    user = new_person("Leaver")
    page = arrive(allowed=(r"status of 422",)).page
    log_in(page, "Leaver")
    page.wait_for_url(re.compile(r":\d+/$"))
    page.goto("/account/")
    page.get_by_role("link", name="Leave").click()
    show_who(page)
    page.get_by_role("button", name="Delete my account").click()
    expect(page.get_by_role("alert")).to_contain_text("Say that you are sure")
    page.get_by_label("Yes, delete it for good.").check()
    page.get_by_role("button", name="Delete my account").click()
    expect(page.locator(".toast")).to_contain_text("Your account is deleted")
    log_in(page, "Leaver")
    expect(page.get_by_role("alert")).to_contain_text("do not belong together")
    user.refresh_from_db()
    assert user.deleted_at is not None


def test_coming_back(arrive: Come) -> None:
    new_person("Returner")
    page = arrive().page
    log_in(page, "Returner")
    page.wait_for_url(re.compile(r":\d+/$"))
    page.goto("/account/leave/")
    show_who(page)
    page.get_by_role("button", name="Close my account").click()
    expect(page.locator(".toast")).to_contain_text("Log in within 30 days")
    log_in(page, "Returner")
    expect(page.locator(".toast")).to_contain_text("Welcome back")


def test_all_data_comes_as_a_file(arrive: Come) -> None:
    new_person("Packer")
    page = arrive().page
    log_in(page, "Packer")
    page.wait_for_url(re.compile(r":\d+/$"))
    page.goto("/account/export/")
    show_who(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "hollywood-gin-Packer.zip"


def test_s4_log_ins_elsewhere_end_with_their_table(arrive: Come) -> None:
    table = new_table()
    user = table.users[0]
    user.set_password(PASSWORD)
    user.save()
    there = arrive(user, table.series.get_absolute_url()).linked()
    here = arrive()
    log_in(here.page, user.username)
    here.page.wait_for_url(re.compile(r":\d+/$"))
    here.page.goto("/account/leave/")
    show_who(here.page)
    here.page.get_by_role("button", name="Close my account").click()
    expect(there.page.get_by_text("You are logged out.")).to_be_visible()


# What everybody can use

VISITOR_PAGES = (
    "/account/login/",
    "/account/signup/",
    "/account/password/reset/",
    "/account/password/reset/done/",
    "/account/password/reset/key/1-x/",
    "/account/inactive/",
    "/account/confirm-email/",
    "/@Everybody/",
)
PERSON_PAGES = (
    "/account/",
    "/account/profile/",
    "/account/email/",
    "/account/password/change/",
    "/account/sessions/",
    "/account/two-factor/",
    "/account/two-factor/totp/activate/",
    "/account/two-factor/recovery-codes/",
    "/account/two-factor/recovery-codes/generate/",
    "/account/two-factor/webauthn/",
    "/account/two-factor/webauthn/add/",
    "/account/export/",
    "/account/leave/",
    "/account/reauthenticate/",
    "/account/two-factor/reauthenticate/",
    "/@Everybody/",
)
LOOKS = (Preferences(theme="light"), Preferences(theme="dark", contrast="high"))


def wrong_on(page: Page) -> list[str]:
    page.evaluate(Axe().axe_script)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    said = [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]]
    if page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
        said.append("wider than a small phone")
    return said


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.theme)
def test_axe_finds_nothing_and_a_small_phone_is_wide_enough(
    arrive: Come, look: Preferences
) -> None:
    User.objects.filter(username="Everybody").delete()
    user = new_person("Everybody", "somebody-with-a-long-name@a-long-domain.example.org")
    EmailAddress.objects.create(user=user, email="another-long-name@a-long-domain.example.org")
    Profile.objects.create(user=user, about="Hello\n" + "x" * 200, country="VN")
    person = arrive(allowed=(r"status of 404",))
    value = {"name": COOKIE, "value": str(look), "url": person.page.url}
    person.context.add_cookies([value])
    page = person.page
    for path in VISITOR_PAGES:
        page.goto(path)
        assert "\n".join(wrong_on(page)) == "", path
    log_in(page, "Everybody")
    page.wait_for_url(re.compile(r":\d+/$"))
    page.goto("/account/email/")
    page.goto("/account/leave/")
    show_who(page)
    RecoveryCodes.activate(user)
    for path in PERSON_PAGES:
        page.goto(path)
        assert page.url.endswith(path), path
        assert "\n".join(wrong_on(page)) == "", path
        shoot(page, "account" + path.replace("/", "-").rstrip("-") + f"-{look.theme}")
    webauthn = {"name": "A key with a rather long name of mine", "credential": {}}
    Authenticator.objects.create(user=user, type="webauthn", data=webauthn)
    for path in ("/account/two-factor/", "/account/two-factor/webauthn/"):
        page.goto(path)
        assert "\n".join(wrong_on(page)) == "", path
