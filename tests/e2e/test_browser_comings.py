"""Guests who become somebody, and players whom the site must not wait for."""

import re
from datetime import timedelta

import pytest
from django.db.models.functions import Now
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.models import Round, Seat, Series
from games.rules.options import Options
from games.services.lobby import LINK, set_table
from games.services.presence import AWAY_AFTER
from games.services.series import Terms
from games.time_control import PRESENT_FOR
from tests.accounts.people import PASSWORD, new_person
from tests.e2e.browser import DESK, Person, Visit, shoot, until
from tests.tables import Played, new_table, new_user

pytestmark = pytest.mark.browser


def guest_of(visit: Visit, host: User) -> tuple[Person, Series]:
    """A visitor who has followed the host's link and sat down."""
    series = set_table(user=host, terms=Terms(Options()), company=LINK)
    guest = visit(path=f"/invitation/{series.invitation.token}/", allowed=("status of 401",))
    guest.page.get_by_role("button", name="Play as a guest").click()
    expect(guest.table.part("#hand .face")).to_have_count(10)
    return guest, series


def fill_in(page: Page, name: str) -> None:
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)


def test_a_guest_becomes_an_account_and_plays_on(visit: Visit) -> None:
    host = new_user()
    guest, series = guest_of(visit, host)
    hand = guest.table.hand
    page = guest.page
    page.goto("/")
    page.get_by_role("link", name="Register, and they stay yours").click()
    fill_in(page, "Namedatlast")
    page.get_by_role("button", name="Register").click()
    expect(page.locator(".who .name")).to_have_text("Namedatlast")
    page.locator(".series-row", has_text=host.username).click()
    expect(guest.table.part("#hand .face")).to_have_count(10)
    assert sorted(guest.table.hand) == sorted(hand)
    other = visit(host, series.get_absolute_url()).linked()
    expect(other.table.part("#opponent .name")).to_have_text("Namedatlast")
    assert not User.objects.filter(kind=User.Kind.GUEST, seats__series=series).exists()


def test_a_guest_who_logs_in_takes_their_series_along(visit: Visit) -> None:
    new_person("Herebefore")
    guest, series = guest_of(visit, new_user())
    page = guest.page
    page.goto("/account/login/")
    fill_in(page, "Herebefore")
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Take your series along?")
    shoot(page, "take-along")
    page.get_by_role("button", name="Take along").click()
    expect(page.locator(".who .name")).to_have_text("Herebefore")
    page.goto(series.get_absolute_url())
    expect(guest.table.part("#hand .face")).to_have_count(10)


def goes_away(person: Person) -> None:
    """The browser is closed."""
    person.context.close()


def test_r19_time_runs_out_while_both_browsers_are_closed(visit: Visit) -> None:
    table = new_table(time_control="600+5")
    path = table.series.get_absolute_url()
    late, other = table.turn_user, table.waiting_user
    for user in (late, other):
        goes_away(visit(user, path).linked())
    Round.objects.filter(pk=table.row.pk).update(due_at=Now())
    back = visit(other, "/", size=DESK).page
    until(lambda: is_over(table) or None, back)
    back.goto(path)
    expect(verdict(back)).to_contain_text(f"{late.username} has run out of time: you win")
    shoot(back, "ran-out")
    found = visit(late, path).page
    expect(verdict(found)).to_contain_text("Your time has run out")
    expect(found.locator("form[data-action=rematch]")).to_have_count(1)


def verdict(page: Page) -> Locator:
    """What the table says of how the series ended."""
    return page.locator(".slip h2")


AN_HOUR_WRONG = "const now = Date.now; Date.now = () => now() {} 3_600_000;"


@pytest.mark.parametrize("way", ["+", "-"])
def test_r19_what_is_left_is_shown_by_the_server_s_clock(visit: Visit, way: str) -> None:
    table = new_table(time_control="600+5")
    path, script = table.series.get_absolute_url(), AN_HOUR_WRONG.replace("{}", way)
    person = visit(table.turn_user, path, script=script).linked()
    Round.objects.filter(pk=table.row.pk).update(due_at=Now() + timedelta(seconds=300))
    person.page.reload()
    expect(person.page.locator("#actions [data-clock]")).to_have_text(re.compile(r"^4:\d\d$"))


def last_seen(user: User, seconds: float, page: Page) -> None:
    """The player's page, just closed, was last heard of so long ago; `page` is somebody else's."""
    noted = Seat.objects.filter(user=user, seen_at__lt=Now() - (PRESENT_FOR - 1.3 * AWAY_AFTER))
    until(lambda: noted.exists() or None, page)  # what is on its way would be the last word
    Seat.objects.filter(user=user).update(seen_at=Now() - timedelta(seconds=seconds))


def test_r20_who_waits_sees_the_time_run_and_claims_what_was_left(visit: Visit) -> None:
    table = new_table()
    began = Now() - timedelta(hours=1)
    Series.objects.filter(pk=table.series.pk).update(started_at=began)
    path = table.series.get_absolute_url()
    waits = visit(table.waiting_user, path).linked()
    goes_away(visit(table.turn_user, path).linked())
    last_seen(table.turn_user, 20, waits.page)
    claim = waits.page.locator("#button-claim")
    expect(claim).to_have_text(re.compile(r"Claim the series in 0:\d\d"))
    shoot(waits.page, "away")
    claim.click()
    ask = waits.table.dialog
    expect(ask).to_contain_text("The rounds that were played stay on the sheet")
    shoot(waits.page, "claim")
    ask.get_by_role("button", name="Not yet").click()
    assert not waits.sent_actions()
    claim.click()
    ask.get_by_role("button", name="Claim the series").click()
    expect(waits.table.notice).to_contain_text("unless they come back")
    expect(ask).to_have_count(0)  # the answer can be read
    back = visit(table.turn_user, path).linked()
    expect(claim).to_have_count(0)
    goes_away(back)
    last_seen(table.turn_user, 58, waits.page)
    expect(claim).to_have_text(re.compile("Claim the series now"))
    claim.click()
    ask.get_by_role("button", name="Claim the series").click()
    expect(verdict(waits.page)).to_contain_text("has left: you win the series")


def is_over(table: Played) -> bool:
    return Series.objects.get(pk=table.series.pk).status == Series.Status.OVER


def test_s13_who_deletes_their_account_leaves_the_table_to_the_other(visit: Visit) -> None:
    table = new_table()
    host, leaver = table.users
    leaver.set_password(PASSWORD)
    leaver.save()
    name, path = leaver.username, table.series.get_absolute_url()
    stays = visit(host, path).linked()
    page = visit(path="/account/login/").page
    fill_in(page, name)
    page.get_by_role("button", name="Log in", exact=True).click()
    page.wait_for_url(lambda url: "login" not in url)
    page.goto("/account/leave/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Yes, delete it for good.").check()
    page.get_by_role("button", name="Delete my account").click()
    expect(page.locator(".toast")).to_contain_text("Your account is deleted")
    expect(verdict(stays.page)).to_contain_text("deleted player has resigned: you win")
    expect(stays.page.get_by_text(name)).to_have_count(0)
    expect(stays.page.locator("form[data-action=rematch]")).to_have_count(0)
    stays.page.goto("/")
    expect(stays.page.locator(".series-row")).to_contain_text("deleted player")
