"""What waits, in every tab and outside of them: title, icon, web push and the page for it."""

import json
import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from accounts.subscriptions import Subscription
from games.rules.actions import Pass
from tests.e2e.browser import Person, Visit, until
from tests.e2e.test_browser_preferences import violations
from tests.tables import Played, new_table, new_user

pytestmark = pytest.mark.browser

NOTICES = "/account/notices/"
# Chromium without a window has no push service: what a browser would say, said by the page.
FAKE = """
const plain = (text) => atob(text.replaceAll("-", "+").replaceAll("_", "/"));
const bytes = (text) => Uint8Array.from(plain(text), (sign) => sign.charCodeAt(0));
const made = (key) => ({
  endpoint: "https://push.example.org/" + key.slice(0, 20),
  options: { applicationServerKey: bytes(key).buffer },
  toJSON: () => ({ endpoint: "https://push.example.org/" + key.slice(0, 20), keys: KEYS }),
  unsubscribe: async () => localStorage.removeItem("made"),
});
const KEYS = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};
PushManager.prototype.getSubscription = async () => {
  const key = localStorage.getItem("made");
  return key && made(key);
};
PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
  localStorage.setItem("made", applicationServerKey);
  return made(applicationServerKey);
};
"""
GRANTED = "Notification.requestPermission = async () => 'granted';"


def icon_of(page: Page) -> str:
    return page.locator('link[rel="icon"]').get_attribute("href") or ""


def waits(page: Page, count: int) -> None:
    """Title and icon say that so many series wait."""
    before = f"({count}) " if count else ""
    expect(page).to_have_title(re.compile("^" + re.escape(before) + r"[^(]"))
    until(lambda: ("favicon-turn" in icon_of(page)) == bool(count) or None, page)


def tables_of(user: User, other: User, count: int) -> list[Played]:
    """Series in which this user is the first to act."""
    tables = []
    for _ in range(count):
        table = new_table()
        table.users = (other, user) if table.state.turn else (user, other)
        for number, each in enumerate(table.users):
            table.series.seats.filter(number=number).update(user=each)
        tables.append(table)
    return tables


def test_fault_80_the_badge_clears_in_every_tab_and_so_does_the_list(visit: Visit) -> None:
    user, other = new_user(), new_user()
    first, _second = tables_of(user, other, 2)
    person: Person = visit(user, "/")
    home, rules = person.page, person.open_tab("/rules/")
    for page in (home, rules):
        waits(page, 2)
    expect(home.locator(".lists .badge.turn")).to_have_count(2)
    table = person.open_tab(first.series.get_absolute_url())
    expect(table).to_have_title(re.compile("^● Your turn"))
    person.linked()
    table.locator('form[data-action="pass"] button').last.click()
    for page in (home, rules):
        waits(page, 1)
    expect(home.locator(".lists .badge.turn")).to_have_count(1)
    expect(table).not_to_have_title(re.compile("^●"))
    assert "favicon-turn" in icon_of(table)  # the other series waits


def test_fault_80_who_comes_back_to_a_tab_finds_it_right(visit: Visit) -> None:
    user, other = new_user(), new_user()
    [table] = tables_of(user, other, 1)
    table.act(Pass())
    page = visit(user, "/").page
    waits(page, 0)
    table.act(Pass())
    page.wait_for_timeout(1_100)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    waits(page, 1)
    expect(page.locator(".lists .badge.turn")).to_have_count(1)


def test_a_turn_that_comes_before_the_first_answer_is_in_the_list(visit: Visit) -> None:
    user, other = new_user(), new_user()
    [table] = tables_of(user, other, 1)
    table.act(Pass())
    page = visit(user, "/rules/").page

    def be_late(route: Route) -> None:
        if table.waiting_user == user:
            assert table.act(Pass()).status == "done"
        route.continue_()

    page.route("**/waiting/", be_late)
    page.goto("/")
    waits(page, 1)
    expect(page.locator(".lists .badge.turn")).to_have_count(1)


def test_a_visitor_s_page_asks_for_nothing(visit: Visit) -> None:
    page = visit(path="/").page
    assert page.locator("link[data-waiting]").count() == 0
    assert page.locator('script[src*="badge"]').count() == 0


# Web push


@pytest.fixture
def anna(db: None) -> User:
    user = new_user()
    address = f"{user.username}@example.org"
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    return user


def shown(page: Page) -> list[str]:
    found = page.locator("#push [data-for]:visible")
    return [str(each) for each in found.evaluate_all("all => all.map(each => each.dataset.for)")]


def test_a_browser_is_told_as_long_as_the_last_log_in(visit: Visit, anna: User) -> None:
    """It stayed with the one that had asked for it, and went on after the next log out."""
    page = visit(anna, NOTICES, script=FAKE + GRANTED, permissions=["notifications"]).page
    page.get_by_role("button", name="Tell me in this browser").click()
    expect(page.locator('[data-for="on"]')).to_be_visible()
    first = Subscription.objects.get(user=anna)
    Subscription.objects.filter(pk=first.pk).update(session="of an earlier log in")
    page.reload()
    expect(page.locator('[data-for="on"]')).to_be_visible()
    again = Subscription.objects.get(user=anna)
    assert (again.pk, again.session) == (first.pk, first.session)


def test_somebody_is_told_in_this_browser_and_no_longer(visit: Visit, anna: User) -> None:
    page = visit(anna, NOTICES, script=FAKE + GRANTED, permissions=["notifications"]).page
    page.get_by_role("button", name="Tell me in this browser").click()
    expect(page.locator('[data-for="on"]')).to_be_visible()
    kept = Subscription.objects.get(user=anna)
    assert kept.endpoint.startswith("https://push.example.org/")
    expect(page.locator(".things .badge")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("button", name="No longer").click()
    expect(page.get_by_role("button", name="Tell me in this browser")).to_be_visible()
    assert not Subscription.objects.filter(user=anna).exists()
    assert page.evaluate("localStorage.getItem('made')") is None


@pytest.mark.parametrize(
    ("script", "state"),
    [
        ("Object.defineProperty(window, 'isSecureContext', { value: false });", "insecure"),
        ("delete window.PushManager;", "unable"),
        ("Object.defineProperty(Notification, 'permission', { value: 'denied' });", "denied"),
    ],
)
def test_what_can_t_be_is_said_kindly(visit: Visit, anna: User, script: str, state: str) -> None:
    page = visit(anna, NOTICES, script=script).page
    until(lambda: shown(page) == [state] or None, page)
    assert violations(page) == []


def test_where_the_push_service_is_away_it_can_be_tried_again(visit: Visit, anna: User) -> None:
    fails = "PushManager.prototype.subscribe = async () => { throw new Error('away'); };"
    page = visit(anna, NOTICES, script=FAKE + GRANTED + fails, permissions=["notifications"]).page
    page.get_by_role("button", name="Tell me in this browser").click()
    until(lambda: shown(page) == ["failed", "off"] or None, page)


def test_the_mail_is_turned_off_without_a_script(visit: Visit, anna: User) -> None:
    page = visit(anna, NOTICES, java_script_enabled=False).page
    page.get_by_text("Off", exact=True).click()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_have_text("That is saved.")
    assert page.locator('input[value="off"]').is_checked()


def test_the_worker_shows_what_comes_and_a_click_leads_to_the_table(
    visit: Visit, anna: User
) -> None:
    person = visit(anna, "/", permissions=["notifications"])
    page = person.page
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    message = {"title": "Your turn against Bob", "body": "You have 2 days.", "url": "/rules/"}
    _deliver(person, message | {"tag": "abc"})
    found = until(lambda: _notices(page) or None, page)
    assert found == [{"title": "Your turn against Bob", "body": "You have 2 days.", "tag": "abc"}]
    _deliver(person, message | {"tag": "abc", "title": "Your time against Bob runs out"})
    until(lambda: _notices(page)[0]["title"].startswith("Your time") or None, page)
    assert len(_notices(page)) == 1


def _deliver(person: Person, message: dict[str, str]) -> None:
    """As a push service would."""
    devtools = person.context.new_cdp_session(person.page)
    workers: list[dict[str, Any]] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: workers.extend(event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    worker = until(lambda: workers[0] if workers else None, person.page)
    origin = worker["scopeURL"].rstrip("/")
    told = {"origin": origin, "registrationId": worker["registrationId"]}
    devtools.send("ServiceWorker.deliverPushMessage", {**told, "data": json.dumps(message)})


def _notices(page: Page) -> list[dict[str, str]]:
    found: list[dict[str, str]] = page.evaluate(
        """async () => {
          const worker = await navigator.serviceWorker.ready;
          const all = await worker.getNotifications();
          return all.map(({ title, body, tag }) => ({ title, body, tag }));
        }"""
    )
    return found
