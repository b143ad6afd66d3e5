"""The socket of the table: the handshake, the hello, actions and bells."""

import asyncio
import random
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.db.models import F

from config.origins import origins_of
from games import live, poller
from games import window as window_module
from games.consumers import GONE, SESSION_OVER, TRY_LATER
from games.models import Round, Seat
from games.rendering import REGIONS
from games.rules.actions import Draw, Pass, Resign
from games.rules.state import Phase
from games.selectors.versions import present_seats
from games.services import action as action_service
from games.threads import in_thread
from tests.fields import action_fields, next_round_fields
from tests.page import elements_of
from tests.tables import keen, new_table, new_user
from tests.visit import (
    OURS,
    Scene,
    Visit,
    away,
    lost,
    opened,
    scene,
    settled,
    to_phase,
    visit,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("empty_house")]


@pytest.fixture
def table() -> Scene:
    return scene(new_table())


class TestTheHandshake:
    """Promise S3, faults 93 and 94."""

    @pytest.mark.parametrize(
        "origin",
        [
            "http://evil.example",
            "null",
            "http://127.0.0.1:8000.evil.example",
            "http://127.0.0.1.evil.example:8000",
            "http://evil.example/127.0.0.1:8000",
            "http://127.0.0.1:8000@evil.example",
            "https://127.0.0.1:8000",
            "ws://127.0.0.1:8000",
            "http://127.0.0.1",
            "http://127.0.0.1:8001",
            "http://127.0.0.1:80000",
            "http://www.127.0.0.1:8000",
            "http://0.0.0.0:8000",
            "http://localhost:8001",
            "127.0.0.1:8000",
            "file://",
            "",
            None,
        ],
    )
    async def test_s3_a_foreign_origin_is_refused(
        self, table: Scene, origin: str | None, caplog: pytest.LogCaptureFixture
    ) -> None:
        stranger = await in_thread(visit, table, table.users[0], origin=origin)
        assert not await stranger.knock()
        assert repr(origin or "") in caplog.text
        assert OURS in caplog.text
        assert not live.sockets

    @pytest.mark.parametrize("origin", [OURS, "HTTP://127.0.0.1:8000", "http://localhost:8000"])
    async def test_s3_ours_is_let_in(self, table: Scene, origin: str) -> None:
        ours = await in_thread(visit, table, table.users[0], origin=origin)
        assert await ours.knock()
        await ours.leave()

    @pytest.mark.parametrize(
        ("site", "origin"),
        [
            ("https://gin.example", "https://gin.example"),
            ("https://gin.example", "https://gin.example:443"),
            ("https://gin.example:8443", "https://gin.example:8443"),
            ("https://www.gin.example", "https://www.gin.example"),
            ("http://[::1]:8000", "http://[::1]:8000"),
        ],
    )
    async def test_fault_94_our_own_addresses_connect(
        self, table: Scene, settings: Any, site: str, origin: str
    ) -> None:
        settings.SITE_ORIGINS = origins_of(site, [])
        ours = await in_thread(visit, table, table.users[0], origin=origin)
        assert await ours.knock()
        await ours.leave()

    @pytest.mark.parametrize(
        ("site", "origin"),
        [
            ("https://gin.example", "http://gin.example"),
            ("https://gin.example", "https://www.gin.example"),
            ("https://gin.example", "https://gin.example:8443"),
            ("https://gin.example", "https://agin.example"),
            ("https://gin.example", "https://gin.example.evil.example"),
        ],
    )
    async def test_s3_no_relative_of_ours(
        self, table: Scene, settings: Any, site: str, origin: str
    ) -> None:
        settings.SITE_ORIGINS = origins_of(site, [])
        stranger = await in_thread(visit, table, table.users[0], origin=origin)
        assert not await stranger.knock()

    @pytest.mark.parametrize(
        "path", ["/ws/series/nothing-here/", "/ws/", "/ws/series/a/b/", "/", "/ws/series/%00/"]
    )
    async def test_fault_109_where_there_is_no_table_the_page_is_told_not_to_retry(
        self, path: str
    ) -> None:
        nowhere = Visit(path)
        assert await nowhere.knock()
        assert await nowhere.code() == GONE
        await nowhere.leave()

    async def test_the_database_isaway(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def broken(*arguments: object) -> None:
            raise OperationalError("away")

        monkeypatch.setattr(window_module, "load_sitting", broken)
        page = await in_thread(visit, table, table.users[0])
        assert await page.knock()
        assert await page.code() == TRY_LATER
        await page.leave()
        assert "Traceback" not in caplog.text


class TestHello:
    async def test_a_fresh_page_is_sent_everything(self, table: Scene) -> None:
        page = await opened(table, table.users[0])
        assert set(page.page.regions) == set(REGIONS)
        assert page.page.version == 1
        await page.leave()

    async def test_a_page_that_has_everything_is_told_so(self, table: Scene) -> None:
        page = await opened(table, table.users[0])
        again = await page.ask({"hello": page.page.version, "stamp": page.page.stamp})
        assert set(elements_of(again)) == {"pulse"}
        await page.leave()

    async def test_fault_104_it_may_be_said_any_number_of_times(self, table: Scene) -> None:
        page = await opened(table, table.users[0])
        said = [await page.ask({"hello": 0, "stamp": ""}) for _ in range(5)]
        assert len({tuple(sorted(elements_of(text))) for text in said}) == 1
        assert (await table.now()).log == "1"
        assert await page.act(action_fields(await table.now(), Resign())) == "done"
        await page.leave()

    async def test_fault_46_what_was_missed_comes_with_the_next_hello(self, table: Scene) -> None:
        page = await opened(table, table.users[0])
        await page.leave()
        await in_thread(table.act, Pass())
        await in_thread(table.act, Pass())
        back = await in_thread(visit, table, table.users[0])
        back.page = page.page
        await back.open()
        assert back.page.version == 3
        fresh = await opened(table, table.users[0])
        assert back.shown() == fresh.shown()
        await back.leave()
        await fresh.leave()

    async def test_r6_after_sixty_plies_and_a_new_round_too(self, table: Scene) -> None:
        page = await opened(table, table.users[1])
        await page.leave()

        def play_on() -> None:
            table.play_round(keen(random.Random(6)))
            for user in table.users:
                table.press_next(user)
            table.act(Pass())

        await in_thread(play_on)
        back = await in_thread(visit, table, table.users[1])
        back.page = page.page
        await back.open()
        fresh = await opened(table, table.users[1])
        assert back.shown() == fresh.shown()
        await back.leave()
        await fresh.leave()

    async def test_r15_a_hello_that_fails_is_made_good_by_the_poll(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = await in_thread(visit, table, table.users[0])
        assert await page.knock()
        with monkeypatch.context() as patch:
            patch.setattr(window_module, "reload_sitting", away)
            refused = await page.ask({"hello": 0, "stamp": ""})
        assert "busy" in refused
        await poller.heal_sockets()
        await page.next()
        assert set(page.page.regions) == set(REGIONS)
        await page.leave()

    @pytest.mark.parametrize("version", [None, "1", 1.5, True, [], {}, -1, 10**30, "x"])
    async def test_s5_a_hello_with_a_strange_version(self, table: Scene, version: object) -> None:
        page = await in_thread(visit, table, table.users[0])
        assert await page.knock()
        text = await page.ask({"hello": version, "stamp": ""})
        assert set(elements_of(text)) <= {"ack", "notice"}
        assert page.page.acks == {"": "unreadable"}
        await page.leave()

    @pytest.mark.parametrize("stamp", [None, 5, {}, "x" * 5000, "\ud800", "1.1.9"])
    async def test_a_strange_stamp_is_that_of_an_old_page(
        self, table: Scene, stamp: object
    ) -> None:
        page = await in_thread(visit, table, table.users[0])
        assert await page.knock()
        await page.ask({"hello": 0, "stamp": stamp})
        assert set(page.page.regions) == set(REGIONS)
        await page.leave()


class TestActing:
    async def test_the_mover_is_answered_and_all_others_are_told(self, table: Scene) -> None:
        mover, other, spectator = [
            await opened(table, user) for user in (table.mover, table.waiter, None)
        ]
        row = await table.now()
        assert await mover.act(action_fields(row, Pass(), "a-key")) == "done"
        for page in (other, spectator):
            text = await page.next()
            assert "ack" not in elements_of(text)
            assert "a-key" not in text
        assert {page.page.version for page in (mover, other, spectator)} == {2}
        assert all([await page.is_quiet() for page in (mover, other, spectator)])
        for page in (mover, other, spectator):
            await page.leave()

    async def test_a_second_tab_of_the_mover_is_told_too(self, table: Scene) -> None:
        tabs = [await opened(table, table.mover) for _ in range(2)]
        row = await table.now()
        assert await tabs[0].act(action_fields(row, Pass())) == "done"
        await tabs[1].next()
        assert tabs[1].page.version == 2
        for tab in tabs:
            await tab.leave()

    async def test_only_what_changed_is_sent(self, table: Scene) -> None:
        page = await opened(table, table.mover)
        row = await table.now()
        await page.act(action_fields(row, Pass()))
        sent = set(elements_of(page.texts[-1])) & set(REGIONS)
        assert "actions" in sent
        assert not sent & {"sheet", "deal", "rounds"}
        await page.leave()

    async def test_before_the_hello_an_action_is_answered_alone(self, table: Scene) -> None:
        page = await in_thread(visit, table, table.mover)
        assert await page.knock()
        row = await table.now()
        await page.act(action_fields(row, Pass()))
        assert set(elements_of(page.texts[-1])) == {"ack", "notice"}
        await page.leave()

    async def test_fault_48_a_request_sent_again_after_a_reconnect_is_a_repeat(
        self, table: Scene
    ) -> None:
        page = await opened(table, table.mover)
        fields = action_fields(await table.now(), Pass())
        await page.send(fields)
        while (await table.now()).ply == 0:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await page.leave()
        again = await opened(table, table.mover)
        assert await again.act(fields) == "repeat"
        assert elements_of(again.texts[-1])["notice"].html.endswith("></div>")
        assert (await table.now()).ply == 1
        await again.leave()

    async def test_fault_49_the_second_of_two_quick_actions_is_told(self, table: Scene) -> None:
        page = await opened(table, table.mover)
        row = await table.now()
        first, second = action_fields(row, Pass()), action_fields(row, Resign())
        await page.send(first)
        await page.send(second)
        await page.next()
        text = await page.next()
        assert page.page.acks == {first["key"]: "done", second["key"]: "stale"}
        assert "moved on" in elements_of(text)["notice"].html
        await page.leave()

    async def test_fault_50_twenty_draws_in_one_burst_draw_one_card(self) -> None:
        table = await in_thread(to_phase, Phase.DRAW)
        page = await opened(table, table.mover)
        row = await table.now()
        sent = [action_fields(row, Draw()) for _ in range(20)]
        for fields in sent:
            await page.send(fields)
        for _ in sent:
            await page.next()
        statuses = [page.page.acks[fields["key"]] for fields in sent]
        assert statuses == ["done"] + ["stale"] * 19
        assert (await table.now()).ply == row.ply + 1
        await page.leave()

    async def test_fault_50_an_early_action_is_never_carried_out_later(self, table: Scene) -> None:
        early = await opened(table, table.waiter)
        row = await table.now()
        fields = action_fields(row, Pass())
        assert await early.act(fields) == "illegal"
        await in_thread(table.act, Pass())
        assert await early.act(fields) == "stale"
        assert (await table.now()).log == "1 p"
        await early.leave()

    async def test_fault_108_what_was_queued_offline_does_no_damage(self, table: Scene) -> None:
        page = await opened(table, table.mover)
        fields = [action_fields(await table.now(), Pass()) for _ in range(3)]

        def go_on() -> None:
            table.play_round(keen(random.Random(1)))

        await in_thread(go_on)
        assert [await page.act(each) for each in fields] == ["over"] * 3
        await page.leave()

    async def test_a_spectator_is_told_so(self, table: Scene) -> None:
        page = await opened(table, await in_thread(new_user))
        row = await table.now()
        assert await page.act(action_fields(row, Pass())) == "not-seated"
        await page.leave()

    async def test_a_visitor_who_is_not_logged_in_is_sent_to_log_in(self, table: Scene) -> None:
        page = await opened(table)
        row = await table.now()
        assert await page.act(action_fields(row, Pass())) == "session-over"
        assert await page.code() == SESSION_OVER
        await page.leave()

    async def test_the_next_round_comes_to_both(self, table: Scene) -> None:
        pages = [await opened(table, user) for user in table.users]
        await in_thread(table.act, Resign())
        await poller.heal_sockets()
        for page in pages:
            await page.next()
        row = await table.now()
        assert await pages[0].act(next_round_fields(row)) == "done"
        await pages[1].next()
        assert pages[1].page.form("next-round")
        assert await pages[1].act(next_round_fields(row)) == "done"
        await pages[0].next()
        new = await table.now()
        assert new.number == 2
        assert {page.page.version for page in pages} == {new.version}
        for page in pages:
            await page.leave()


class TestBells:
    async def test_fault_47_a_lost_bell_is_healed_by_the_poll(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        mover, other = [await opened(table, user) for user in (table.mover, table.waiter)]
        monkeypatch.setattr(live, "ring", lost)
        row = await table.now()
        assert await mover.act(action_fields(row, Pass())) == "done"
        assert await other.is_quiet()
        await poller.heal_sockets()
        await other.next()
        assert other.page.version == 2
        await mover.next()  # the other one has come
        await poller.heal_sockets()
        assert await other.is_quiet()
        assert await mover.is_quiet()
        await mover.leave()
        await other.leave()

    async def test_r7_doubled_and_late_bells_change_nothing(self, table: Scene) -> None:
        page = await opened(table, table.users[0])
        await in_thread(table.act, Pass())
        await in_thread(table.act, Pass())
        talk = page.page.stamp.split(".")[1]
        for version in (3, 3, 2, 3, 1):
            await live.ring(table.series.pk, version, talk=int(talk))
        await page.next()
        assert page.page.version == 3
        assert await page.is_quiet()
        await page.leave()

    async def test_fault_86_a_page_that_missed_150_bells_catches_up(self, table: Scene) -> None:
        page = await opened(table, table.users[0])
        consumer = next(iter(live.sockets))
        async with consumer.lock:  # type: ignore[attr-defined]
            for version in range(2, 152):
                await live.ring(table.series.pk, version, talk=1)
            await in_thread(table.act, Pass())
        await page.next()
        await poller.heal_sockets()
        with suppress(TimeoutError):
            while not await page.is_quiet():
                await page.next()
        assert page.page.version == 2
        fresh = await opened(table, table.users[0])
        assert page.shown() == fresh.shown()
        await page.leave()
        await fresh.leave()

    async def test_fault_90_a_bell_rings_after_the_commit_only(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen: list[tuple[int, int]] = []

        async def ring(series_id: int, version: int, *, talk: int, by: str = "") -> None:
            # Read by a thread of its own, that is, by another connection.
            row = await in_thread(Round.objects.get, series=series_id)
            seen.append((version, row.version))

        monkeypatch.setattr(live, "ring", ring)
        page = await opened(table, table.mover)
        row = await table.now()
        await page.act(action_fields(row, Pass()))
        await settled()
        assert seen == [(2, 2)]
        await page.leave()

    async def test_fault_90_what_was_rolled_back_rings_nothing(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = await opened(table, table.waiter)
        page = await opened(table, table.mover)
        monkeypatch.setattr(action_service, "enter_result", away)
        row = await table.now()
        assert await page.act(action_fields(row, Resign())) == "busy"
        assert await other.is_quiet()
        assert page.page.version == 1
        assert (await table.now()).log == "1"
        await page.leave()
        await other.leave()

    async def test_fault_80_presence_is_told_once(self, table: Scene) -> None:
        page = await opened(table, table.users[1])
        other = await opened(table, table.users[0])
        await poller.heal_sockets()
        await page.next()
        await poller.note_presence()
        for each in (page, other):
            assert await each.next() == "ping"
        for _ in range(3):
            await poller.heal_sockets()
        for each in (page, other):
            assert await each.is_quiet()
            await each.leave()

    async def test_r20_a_closed_page_is_away_five_seconds_later_and_a_reload_is_not(
        self, table: Scene
    ) -> None:
        pages = [await opened(table, table.users[0]) for _ in range(2)]
        await poller.note_presence()
        await pages[0].leave()  # one of two tabs
        assert await in_thread(passes, table, seconds=6) == {0}
        await poller.note_presence()
        await pages[1].leave()
        assert await in_thread(passes, table, seconds=4) == {0}
        assert await in_thread(passes, table, seconds=2) == set()
        again = await opened(table, table.users[0])
        await poller.note_presence()
        assert await in_thread(passes, table, seconds=0) == {0}
        await again.leave()


def passes(table: Scene, *, seconds: float) -> set[int]:
    """Let time pass; who is present then."""
    seats = Seat.objects.filter(series=table.series)
    seats.update(seen_at=F("seen_at") - timedelta(seconds=seconds))
    return set(present_seats([table.series.pk]).get(table.series.pk, ()))
