"""An announcement in a real browser: it comes to an open table, speaks the reader's time, goes."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from urllib.request import urlopen

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Announcement
from tests.e2e.browser import DESK, PHONE, Visit
from tests.e2e.test_browser_preferences import violations
from tests.site import Site
from tests.tables import Played, new_table

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def _nothing_is_left(production: Site) -> Iterator[None]:
    """The process has found out, before another test announces, that nothing is announced."""
    yield
    Announcement.objects.all().delete()
    end = time.monotonic() + 20
    while b'class="announcement' in urlopen(f"{production.servers[0].origin}/rules/").read():
        assert time.monotonic() < end
        time.sleep(0.2)


def announce(text: str, at: datetime | None = None) -> Announcement:
    until = timezone.now() + timedelta(hours=1)
    return Announcement.objects.create(text=text, at=at, shown_until=until)


def overflow(page: Page) -> int:
    """By how much the page is wider than its screen."""
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert isinstance(wide, int)
    return wide


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_it_comes_to_an_open_table_in_the_reader_s_time(visit: Visit, size: dict[str, int]) -> None:
    table: Played = new_table()
    path = table.series.get_absolute_url()
    page = visit(table.turn_user, path, size=size, timezone_id="Asia/Tbilisi").page  # type: ignore[arg-type]
    banner = page.locator(".announcement")
    expect(page.locator("html")).to_have_class("js")
    expect(banner).to_have_count(0)
    one = announce("The site restarts at", datetime(2031, 5, 9, 20, 30, tzinfo=UTC))
    expect(banner).to_be_visible()
    # Half past midnight there, on the next day.
    expect(banner.locator("time")).to_have_text("May 10, 2031, 12:30 AM")
    assert violations(page) == []
    assert overflow(page) == 0
    assert page.locator("#actions").bounding_box()["y"] < size["height"]  # type: ignore[index]
    one.delete()
    expect(banner).to_have_count(0)


def test_it_is_closed_and_stays_closed(visit: Visit) -> None:
    table = new_table()
    announce("A new bot has come.")
    page = visit(table.turn_user, table.series.get_absolute_url()).page
    banner = page.locator(".announcement")
    expect(banner).to_be_visible()
    page.get_by_role("button", name="Close the announcements").click()
    expect(banner).to_have_count(0)
    expect(page.locator("#table")).to_be_visible()
    page.goto("/")
    expect(banner).to_have_count(0)


def test_without_javascript_it_is_told_in_utc(visit: Visit) -> None:
    announce("Restart at", datetime(2031, 5, 9, 20, 30, tzinfo=UTC))
    table = new_table()  # the process has had a moment to find out
    page = visit(None, "/", java_script_enabled=False, timezone_id="Asia/Tbilisi").page
    for path in ("/rules/", table.series.get_absolute_url()):
        page.goto(path)
        if not page.locator(".announcement").count():
            page.wait_for_timeout(3000)
            page.reload()
        expect(page.locator(".announcement time")).to_have_text("9 May, 20:30 UTC")
