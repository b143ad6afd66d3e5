"""What goes wrong inside or on the way costs an answer at most, never the socket."""

import itertools
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.db.backends.utils import CursorWrapper
from django.db.models.functions import Now

from games import consumers, live, poller
from games import window as window_module
from games.consumers import TRY_LATER, TableConsumer
from games.doors import FRAMES
from games.models import Seat
from games.rules.actions import Pass, Resign
from games.selectors.audit import differences
from games.services import action as action_service
from games.threads import in_thread
from tests.fields import action_fields
from tests.long import long_or
from tests.page import elements_of
from tests.tables import new_table
from tests.visit import WITHIN, Scene, away, broken, groups, opened, scene, settled

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("empty_house")]


@pytest.fixture
def table() -> Scene:
    return scene(new_table())


class TestTrouble:
    """What goes wrong inside costs a player an answer at most, never the socket (fault 88)."""

    async def test_fault_88_the_rules_raise(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = await opened(table, table.mover)
        row = await table.now()
        fields = action_fields(row, Pass())
        with monkeypatch.context() as patch:
            patch.setattr(action_service, "play", broken)
            assert await page.act(fields) == "busy"
        assert elements_of(page.texts[-1])["notice"].html
        assert await page.act(fields) == "done"
        await page.leave()

    async def test_r16_the_database_refuses(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = await opened(table, table.mover)
        fields = action_fields(await table.now(), Pass())
        with monkeypatch.context() as patch:
            patch.setattr(action_service, "_store", away)
            assert await page.act(fields) == "busy"
        assert "Try again in a moment" in elements_of(page.texts[-1])["notice"].html
        assert page.page.version == 1
        assert await page.act(fields) == "done"
        await page.leave()

    async def test_r16_no_lie_where_the_table_cannot_be_shown_after_the_commit(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = await opened(table, table.mover)
        fields = action_fields(await table.now(), Pass())
        with monkeypatch.context() as patch:
            patch.setattr(window_module, "render_push", broken)
            assert await page.act(fields) == "done"
        assert set(elements_of(page.texts[-1])) == {"ack", "notice"}
        await poller.heal_sockets()
        await page.next()
        assert page.page.version == 2
        fresh = await opened(table, table.mover)
        assert page.shown() == fresh.shown()
        await fresh.leave()
        await page.leave()

    async def test_fault_88_a_push_that_cannot_be_made(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = await opened(table, table.waiter)
        with monkeypatch.context() as patch:
            patch.setattr(window_module, "render_push", broken)
            await in_thread(table.act, Pass())
            await live.ring(table.series.pk, 2, talk=1)
            await poller.heal_sockets()
            assert await page.is_quiet()
        await poller.heal_sockets()
        await page.next()
        assert page.page.version == 2
        row = await table.now()
        assert await page.act(action_fields(row, Pass())) == "done"
        await page.leave()

    async def test_fault_88_the_page_goes_while_it_is_sent_to(
        self, table: Scene, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = await opened(table, table.mover)
        fields = action_fields(await table.now(), Pass())

        async def gone(self: object, text: str) -> None:
            raise OSError("the client has gone")

        monkeypatch.setattr(TableConsumer, "send", gone)
        await page.send(fields)
        await page.send(fields)
        await page.leave()
        assert "Traceback" not in caplog.text
        assert (await table.now()).ply == 1

    async def test_fault_88_a_consumer_that_dies_is_left_in_no_list(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = await opened(table, table.mover)
        assert len(live.sockets) == 1
        monkeypatch.setattr(TableConsumer, "bell", broken)
        await live.ring(table.series.pk, 9, talk=9)
        with pytest.raises(ZeroDivisionError):
            await page.wire.wait(WITHIN)
        assert not live.sockets
        assert not groups()

    async def test_fault_97_many_come_and_go(self, table: Scene) -> None:
        for _ in range(long_or(1000, 30)):
            page = await opened(table, None)
            await page.leave()
        assert not live.sockets
        assert not groups()

    @pytest.mark.parametrize("number", range(1, 17))
    async def test_r15_whichever_statement_the_database_fails_at(
        self, number: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """One action that ends a round: at most one "try again", and the same key then succeeds."""
        table = await in_thread(lambda: scene(new_table()))
        page, other = await opened(table, table.mover), await opened(table, table.waiter)
        fields = action_fields(await table.now(), Resign())
        with monkeypatch.context() as patch:
            patch.setattr(CursorWrapper, "execute", failing_once(number))
            status = await page.act(fields)
        assert status in ("done", "busy")
        assert await page.act(fields) == ("repeat" if status == "done" else "done")
        await settled()
        for visit in (page, other):
            await poller.heal_sockets()
            fresh = await opened(table, table.mover if visit is page else table.waiter)
            while visit.page.stamp != fresh.page.stamp:
                await visit.next()
            assert visit.shown() == fresh.shown()
            await fresh.leave()
        assert await in_thread(lambda: list(differences(table.series))) == []
        await page.leave()
        await other.leave()


def failing_once(number: int) -> Callable[..., Any]:
    """A cursor's `execute` that loses the connection at its so-manieth call."""
    execute, calls = CursorWrapper.execute, itertools.count(1)

    def run(self: CursorWrapper, *arguments: Any) -> Any:
        if next(calls) == number:
            raise OperationalError("server closed the connection unexpectedly")
        return execute(self, *arguments)

    return run


class TestALinkThatIsDead:
    async def test_fault_101_a_page_that_is_silent_is_closed(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = await opened(table, table.users[0])
        await poller.note_presence()
        assert await page.next() == "ping"
        await page.send({"pong": 1})
        monkeypatch.setattr(consumers, "SILENT_FOR", 0.0)
        await poller.note_presence()
        assert await page.code() == TRY_LATER
        await page.leave()

    async def test_r20_who_is_back_has_not_left(self, table: Scene) -> None:
        """The other one could claim the series until the next of the notes every five seconds."""
        seats = Seat.objects.filter(series=table.series, user=table.users[1])
        page = await opened(table, table.users[1])
        await in_thread(seats.update, seen_at=Now() - timedelta(minutes=2))
        await page.send({"hello": 0, "stamp": ""})
        await page.next()
        assert await in_thread(seats.filter(seen_at__gt=Now() - timedelta(minutes=1)).exists)
        await page.leave()

    async def test_s6_a_flood_of_pongs_is_told_to_slow_down(self, table: Scene) -> None:
        page = await opened(table, table.users[0])
        for _ in range(FRAMES):
            await page.send({"pong": 1})
        assert "slow-down" in await page.next()
        await page.leave()

    @pytest.mark.parametrize("frame", [{"pong": "x" * 1000}, {"pong": 1, "more": 2}, {"pong": 2}])
    async def test_s5_nothing_else_is_a_pong(self, table: Scene, frame: dict[str, Any]) -> None:
        page = await opened(table, table.users[0])
        assert "unreadable" in await page.ask(frame)
        await page.leave()

    async def test_a_pong_is_a_sign_of_life_and_not_answered(self, table: Scene) -> None:
        page = await opened(table, table.users[0])
        consumer = next(iter(live.sockets))
        before = consumer.heard_at  # type: ignore[attr-defined]
        await page.send({"pong": 1})
        assert await page.is_quiet()
        assert consumer.heard_at > before  # type: ignore[attr-defined]
        await page.leave()
