"""What the operator announces: on every page, at open tables within seconds, until it is closed."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import announcements, poller
from games.announcements import COOKIE, MOST_CLOSED, Announcements, numbers_in
from games.models import Announcement
from games.threads import in_thread
from tests.browser import browser, text
from tests.staff import new_boss
from tests.tables import Played, new_table
from tests.visit import Visit

PAYLOAD = '<script>alert(1)</script><b hx-get="/x">{{ user }}'


@pytest.fixture(autouse=True)
def _nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcements, "_known", ())


def announce(words: str, *, begins: int = -60, ends: int = 60, **values: Any) -> Announcement:
    """Let this be said from so many seconds from now, until so many."""
    now = timezone.now()
    times = {"shown_from": now + timedelta(seconds=begins)}
    times["shown_until"] = now + timedelta(seconds=ends)
    return Announcement.objects.create(text=words, **times, **values)


def shown(client: Client, path: str = "/") -> list[str]:
    """The announcements on a page."""
    return re.findall(
        r'<p class="announcement.*?<span dir="auto">(.*?)</span>', text(client.get(path))
    )


@pytest.mark.django_db
class TestOnAPage:
    def test_it_stands_on_every_page_while_it_is_time(self) -> None:
        announce("Not yet.", begins=30)
        announce("No more.", begins=-60, ends=-1)
        announce("We are here.")
        announcements.look()
        pages = ["/", "/lobby/", "/rules/", "/account/login/", "/nowhere/", "/privacy/"]
        pages.append(new_table().series.get_absolute_url())
        assert [shown(browser(), path) for path in pages] == [["We are here."]] * len(pages)

    def test_warnings_come_first_and_say_that_they_are(self) -> None:
        announce("A new bot.")
        announce("Restart.", level=Announcement.Level.WARNING)
        announcements.look()
        assert shown(browser()) == ["Restart.", "A new bot."]
        assert text(browser().get("/")).count("Important:") == 1

    def test_a_time_is_told_so_that_a_reader_s_zone_can_be_used(self) -> None:
        announce("Restart at", at=datetime(2026, 11, 30, 21, 5, tzinfo=UTC))
        announcements.look()
        html = text(browser().get("/"))
        assert (
            '<time datetime="2026-11-30T21:05:00+00:00" data-local>30 Nov, 21:05 UTC</time>' in html
        )
        assert "games/times" in html

    def test_s11_it_is_text_and_nothing_else(self) -> None:
        announce(PAYLOAD)
        announcements.look()
        [words] = shown(browser())
        assert words == PAYLOAD.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")

    def test_pages_ask_nothing_for_it(self, django_assert_num_queries: Any) -> None:
        announce("We are here.")
        announcements.look()
        with django_assert_num_queries(0):
            assert shown(browser(), "/privacy/") == ["We are here."]

    def test_where_nothing_is_announced_nothing_is_loaded(self) -> None:
        html = text(browser().get("/rules/"))
        assert "games/times" not in html
        assert 'class="announcements"' not in html

    def test_it_ends_after_it_began(self) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            announce("Never.", begins=10, ends=10)

    def test_the_operator_makes_one_in_the_admin(self) -> None:
        client = browser(new_boss("boss"))
        path = reverse("admin:games_announcement_add")
        fields = {"text": "Hello.", "level": "note", "shown_from_0": "2026-01-01"}
        fields |= {"shown_from_1": "10:00", "shown_until_0": "2026-01-01", "shown_until_1": "09:00"}
        assert "It would end before it begins." in text(client.post(path, fields))
        assert client.post(path, fields | {"shown_until_0": "2199-01-01"}).status_code == 302
        announcements.look()
        assert shown(browser()) == ["Hello."]

    @time_machine.travel(datetime(2031, 5, 9, 20, 30, tzinfo=UTC), tick=False)
    def test_a_new_one_is_shown_from_now_on_unless_the_operator_says_otherwise(self) -> None:
        client = browser(new_boss("boss"))
        html = text(client.get(reverse("admin:games_announcement_add")))
        said = re.findall(r'name="shown_from_[01]" value="([^"]*)"', html)
        assert said == ["2031-05-09", "20:30:00"]


@pytest.mark.django_db
class TestClosing:
    def test_a_reader_closes_what_they_have_seen(self) -> None:
        first = announce("First.")
        announce("Stays.", closable=False)
        announcements.look()
        client = browser()
        client.get("/")
        announce("Second.")
        announcements.look()
        fields = {"announcement": [first.pk], "next": "/rules/"}
        assert client.post(reverse("close_announcements"), fields)["Location"] == "/rules/"
        assert shown(client) == ["Stays.", "Second."]
        assert shown(browser()) == ["First.", "Stays.", "Second."]

    def test_what_can_t_be_closed_stays(self) -> None:
        one = announce("Stays.", closable=False)
        announcements.look()
        client = browser()
        assert f'value="{one.pk}" form="close-announcements"' not in text(client.get("/"))
        client.post(reverse("close_announcements"), {"announcement": one.pk})
        assert shown(client) == ["Stays."]

    def test_the_form_needs_its_token_and_leads_to_our_pages_only(self) -> None:
        path = reverse("close_announcements")
        assert Client(enforce_csrf_checks=True).post(path).status_code == 403
        assert browser().get(path).status_code == 405
        assert browser().post(path, {"next": "https://evil.example/"})["Location"] == "/"

    @pytest.mark.parametrize("said", ["", "x", "9" * 5000, "-1.²", ".".join(map(str, range(999)))])
    def test_whatever_a_cookie_says_little_is_kept(self, said: str) -> None:
        one = announce("First.")
        client = browser()
        client.cookies[COOKIE] = said
        response = client.post(reverse("close_announcements"), {"announcement": ["y", one.pk]})
        kept = response.cookies[COOKIE].value.split(".")
        assert kept[-1] == str(one.pk)
        assert len(kept) <= MOST_CLOSED

    def test_numbers_are_read_once_each(self) -> None:
        assert numbers_in(["3", "x", "3", "12"]) == (3, 12)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("empty_house")
class TestAtATable:
    @pytest.fixture
    async def table(self) -> Played:
        return await sync_to_async(new_table)()

    @pytest.fixture
    async def page(self, table: Played) -> AsyncIterator[Visit]:
        visit = await Visit(f"/ws{table.series.get_absolute_url()}").open()
        yield visit
        await visit.leave()

    async def test_an_open_page_is_told_when_it_begins_and_when_it_ends(self, page: Visit) -> None:
        await poller.announce()
        assert await page.is_quiet()
        one = await in_thread(announce, PAYLOAD)
        await poller.announce()
        told = await page.next()
        assert 'id="announcements"' in told
        assert 'hx-swap-oob="true"' in told
        assert "&lt;script&gt;alert(1)" in told
        await poller.announce()
        assert await page.is_quiet(), "it is told once"
        await in_thread(one.delete)
        await poller.announce()
        assert "announcement " not in (await page.next())

    async def test_r6_a_page_that_comes_back_is_told_what_it_lacks_and_no_more(
        self, page: Visit
    ) -> None:
        await in_thread(announce, "We are here.")
        await in_thread(announcements.look)
        stamp = announcements.announcements_for({}).stamp
        hello = {"hello": page.page.version, "stamp": page.page.stamp}
        await page.ask(hello | {"announced": stamp})
        await poller.announce()
        assert await page.is_quiet()
        await page.ask(hello | {"announced": "of yesterday"})
        await poller.announce()
        assert "We are here." in await page.next()

    async def test_who_has_closed_it_is_told_nothing(self, table: Played) -> None:
        one = await in_thread(announce, "We are here.")
        path = f"/ws{table.series.get_absolute_url()}"
        visit = await Visit(path, cookie=f"{COOKIE}={one.pk}").open()
        await poller.announce()
        assert await visit.is_quiet()
        await visit.leave()


def test_a_page_without_any_has_no_stamp() -> None:
    assert Announcements().stamp == ""
