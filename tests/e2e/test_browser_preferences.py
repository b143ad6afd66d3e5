"""Preferences, how pages look by them, and the page for when there is no line."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.preferences import COOKIE, Preferences
from games.rules.actions import Knock
from tests.e2e.browser import DESK, PHONE, Person, Visit, until
from tests.e2e.dealing import dealt_table, may_knock, plain_action, play_until
from tests.tables import new_user

pytestmark = pytest.mark.browser

PAGES = ("/", "/account/login/", "/account/signup/", "/preferences/", "/how-to-play/", "/nowhere/")
HASHED = re.compile(r"/static/(games|django_htmx)/[\w/.-]+\.[0-9a-f]{12}\.(css|js|svg|png)")
LOOKS = (
    Preferences(theme="light", contrast="high"),
    Preferences(theme="dark", contrast="high"),
    Preferences(theme="light", deck="four", cards="large"),
    Preferences(theme="dark", motion="off"),
)


def prefer(person: Person, preferences: Preferences, origin: str) -> Page:
    person.context.add_cookies([{"name": COOKIE, "value": str(preferences), "url": origin}])
    return person.page


def violations(page: Page) -> list[str]:
    page.evaluate(Axe().axe_script)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_axe_finds_nothing_however_pages_are_preferred(visit: Visit, look: Preferences) -> None:
    person = visit(path="/", allowed=(r"status of 404",))
    # Against the device's choice, so that the preference is what counts.
    page = prefer(person, look, person.page.url)
    page.emulate_media(color_scheme="dark" if look.theme == "light" else "light")
    for path in PAGES:
        page.goto(path)
        assert page.evaluate("document.documentElement.dataset.theme") == look.theme
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], path


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_a_table_fits_a_small_phone_however_it_is_preferred(
    visit: Visit, look: Preferences
) -> None:
    table = play_until(dealt_table(lambda story: True), may_knock)
    action = plain_action(table.state)
    assert isinstance(action, Knock)
    User.objects.filter(pk=table.turn_user.pk).update(preferences=str(look))
    page = visit(table.turn_user, f"{table.series.get_absolute_url()}?card={action.card}").page
    assert page.evaluate("document.documentElement.dataset.contrast") == look.contrast
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    bottom = page.evaluate("document.getElementById('actions').getBoundingClientRect().bottom")
    assert bottom <= PHONE["height"]
    assert violations(page) == []


def ground(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_a_choice_is_shown_at_once_and_kept_when_saved(visit: Visit) -> None:
    page = visit(path="/preferences/", size=DESK, color_scheme="dark").page
    dark = ground(page)
    page.get_by_text("Light", exact=True).click()
    light = ground(page)
    assert light != dark
    page.get_by_text("Four colours", exact=True).click()
    queen = page.locator('.sample img[src*="/QD."]')
    assert "/four/QD." in queen.evaluate("img => getComputedStyle(img).backgroundImage")
    page.goto("/rules/")
    assert ground(page) == dark
    page.goto("/preferences/")
    page.get_by_text("Light", exact=True).click()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_have_text("Your preferences are saved.")
    page.goto("/rules/")
    assert ground(page) == light


def test_they_are_found_and_changed_by_keyboard_and_without_a_script(visit: Visit) -> None:
    user = new_user()
    page = visit(user, "/rules/", size=DESK, java_script_enabled=False).page
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.locator(":focus").inner_text() == "Preferences":
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/preferences/**")
    page.locator("input[name=contrast]:checked").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r":\d+/rules/$"))
    assert page.locator("html").get_attribute("data-contrast") == "high"
    user.refresh_from_db()
    assert Preferences.parse(user.preferences) == Preferences(contrast="high")


def test_on_a_phone_they_stand_in_the_menu(visit: Visit) -> None:
    page = visit(path="/").page
    link = page.get_by_role("link", name="Preferences")
    expect(link).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(link).to_be_visible()
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()


# Without a line


def test_without_a_line_a_page_says_so_and_shows_no_table(visit: Visit) -> None:
    person = visit(new_user(), "/", allowed=(r"ERR_INTERNET_DISCONNECTED", r"Failed to fetch"))
    page = person.page
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.goto("/rules/")
    until(lambda: page.evaluate("navigator.serviceWorker.controller !== null") or None, page)
    person.context.set_offline(True)
    page.goto("/how-to-play/")
    expect(page.get_by_role("heading")).to_have_text("No connection")
    assert violations(page) == []
    assert ground(page) not in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)")  # it has its style
    kept = page.evaluate(
        """async () => {
          const names = await caches.keys();
          const stores = await Promise.all(names.map((name) => caches.open(name)));
          const requests = await Promise.all(stores.map((store) => store.keys()));
          return requests.flat().map((request) => new URL(request.url).pathname);
        }"""
    )
    assert [path for path in kept if not path.startswith("/static/")] == ["/offline/"]
    assert all(
        path.split(".")[-2].isalnum() and len(path.split(".")[-2]) == 12 for path in kept[1:]
    )
    person.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("No connection")
