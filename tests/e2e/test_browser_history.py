"""Looking through what one has finished: filtering, going back, by the clocks of the browser."""

from datetime import UTC, datetime, timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from accounts.models import User
from games.models import Seat, Series
from games.services.request import Wish
from tests.e2e.browser import DESK, PHONE, Visit, shoot
from tests.tables import new_table

pytestmark = pytest.mark.browser

AT = datetime(2026, 3, 1, 2, 30, tzinfo=UTC)


def finished(count: int = 1) -> User:
    """A player after a series lost and one won against each of so many, a day apart."""
    tables = [new_table() for _ in range(2 * count)]
    me = tables[0].users[0]
    for number, table in enumerate(tables):
        Seat.objects.filter(series=table.series, number=0).update(user=me)
        table.wish(Wish.RESIGN, table.users[1] if number % 2 else me)
        ended_at = AT - timedelta(days=number)
        Series.objects.filter(pk=table.series.pk).update(ended_at=ended_at)
        Seat.objects.filter(series=table.series).update(ended_at=ended_at)
    return me


def test_fault_112_filter_open_a_series_and_go_back(visit: Visit) -> None:
    me = finished()
    page = visit(me, f"/@{me.username}/series/").page
    rows = page.locator(".series-row.past")
    expect(rows).to_have_count(2)
    page.get_by_label("Result").select_option("won")
    expect(rows).to_have_count(1)
    expect(page.locator("#past-count")).to_have_text("1 series is shown.")
    assert "result=won" in page.url
    filtered = page.url
    rows.click()
    page.wait_for_url("**/series/*/rounds/")
    page.go_back()
    expect(rows).to_have_count(1)
    assert page.url == filtered
    expect(page.get_by_label("Result")).to_have_value("won")
    expect(page.locator("header .wordmark")).to_be_visible()
    page.go_back()
    expect(rows).to_have_count(2)
    expect(page.get_by_label("Result")).to_have_value("")
    expect(page.locator("header .wordmark")).to_be_visible()
    page.reload()
    expect(rows).to_have_count(2)


def test_a_place_in_the_list_is_kept(visit: Visit) -> None:
    me = finished(14)
    page = visit(me, f"/@{me.username}/series/").page
    rows = page.locator(".series-row.past")
    expect(rows).to_have_count(25)
    page.get_by_role("link", name="Older").click()
    expect(rows).to_have_count(3)
    rows.last.click()
    page.wait_for_url("**/series/*/rounds/")
    page.go_back()
    expect(rows).to_have_count(3)
    page.get_by_role("link", name="Newer").click()
    expect(rows).to_have_count(25)


def test_without_javascript(visit: Visit) -> None:
    me = finished()
    page = visit(me, f"/@{me.username}/series/", java_script_enabled=False).page
    page.get_by_label("Result").select_option("lost")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".series-row.past")).to_have_count(1)
    expect(page.get_by_text("Times and months are those of UTC.")).to_be_visible()
    page.get_by_role("button", name="Hide from others").click()
    expect(page.get_by_text("Hidden from others.")).to_be_visible()
    assert "result=lost" in page.url


def test_fault_79_the_first_look_is_by_the_clocks_of_the_browser(visit: Visit) -> None:
    me = finished()
    person = visit(me, f"/@{me.username}/series/", timezone_id="America/New_York")
    expect(person.page.locator("time").first).to_have_text("28 Feb 2026, 21:30")
    expect(person.page.get_by_text("those of America/New York")).to_be_visible()
    person.page.goto("/preferences/")
    person.page.get_by_label("Time zone").select_option("Asia/Kolkata")
    person.page.get_by_role("button", name="Save").click()
    person.page.goto(f"/@{me.username}/series/")
    expect(person.page.locator("time").first).to_have_text("1 Mar 2026, 08:00")


@pytest.mark.parametrize("query", ["", "?opponent=Nobody"])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(visit: Visit, query: str) -> None:
    me = finished()
    page = visit(me, f"/@{me.username}/series/{query}").page
    page.evaluate(Axe().axe_script)
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
            assert [each["id"] for each in found] == [], f"{size} {scheme}"
    shoot(page, f"history-{'none' if query else 'rows'}")
