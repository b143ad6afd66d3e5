"""A log in is over, and so are its sockets; what a socket tells to whom (promises S4 and S1)."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models.functions import Now
from django.test import Client

from accounts.live import user_group
from accounts.models import User
from accounts.sessions import session_fingerprint
from games import live, poller
from games.consumers import SESSION_OVER
from games.rules.actions import Draw, Pass
from games.rules.cards import cards_in
from games.rules.state import Phase
from games.threads import in_thread
from tests.fields import action_fields
from tests.site import log_in
from tests.tables import new_table
from tests.visit import Scene, Visit, opened, scene, settled, to_phase

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("empty_house")]


@pytest.fixture
def table() -> Scene:
    return scene(new_table())


class TestTheEndOfALogIn:
    """Promise S4, fault 92."""

    async def test_s4_a_logout_in_another_tab(self, table: Scene) -> None:
        client, page, other = await self._two_tabs(table)
        await in_thread(client.post, "/account/logout/")
        await poller.heal_sockets()
        assert await page.code() == SESSION_OVER
        assert await other.is_quiet()
        await page.leave()
        await other.leave()

    async def test_s4_by_the_bell_alone(self, table: Scene) -> None:
        cookie = await in_thread(log_in, table.users[0])
        page = await Visit(f"/ws{table.series.get_absolute_url()}", cookie).open()
        other = await opened(table, table.users[0])
        session = session_fingerprint(cookie.split("=")[1])
        layer = get_channel_layer()
        message = {"type": "session.over", "session": session}
        await layer.group_send(user_group(table.users[0].pk), message)
        assert await page.code() == SESSION_OVER
        assert await other.is_quiet()
        await layer.group_send(user_group(table.users[0].pk), {**message, "session": None})
        assert await other.code() == SESSION_OVER
        await page.leave()
        await other.leave()

    @pytest.mark.parametrize("how", ["logout", "password", "expiry", "ban", "deleted session"])
    async def test_s4_by_the_poll_alone(self, table: Scene, how: str) -> None:
        cookie = await in_thread(log_in, table.users[0])
        page = await Visit(f"/ws{table.series.get_absolute_url()}", cookie).open()
        other = await opened(table, table.users[1])
        await poller.heal_sockets()
        await page.next()  # the other one has come
        await poller.heal_sockets()
        assert await page.is_quiet()
        await in_thread(_end_log_in, table.users[0], cookie, how)
        await poller.heal_sockets()
        assert await page.code() == SESSION_OVER
        assert await other.is_quiet()
        await page.leave()
        await other.leave()

    @pytest.mark.parametrize("how", ["logout", "expiry"])
    async def test_s4_nothing_more_is_done_where_bell_and_poll_arelost(
        self, table: Scene, how: str
    ) -> None:
        user = table.mover
        cookie = await in_thread(log_in, user)
        page = await Visit(f"/ws{table.series.get_absolute_url()}", cookie).open()
        await in_thread(_end_log_in, user, cookie, how)
        fields = action_fields(await table.now(), Pass())
        assert await page.act(fields) == "session-over"
        assert await page.code() == SESSION_OVER
        assert (await table.now()).ply == 0
        await page.leave()

    async def test_s4_who_is_closed_hears_nothing_more(self, table: Scene) -> None:
        cookie = await in_thread(log_in, table.users[0])
        page = await Visit(f"/ws{table.series.get_absolute_url()}", cookie).open()
        await in_thread(_end_log_in, table.users[0], cookie, "logout")
        await poller.heal_sockets()
        assert await page.code() == SESSION_OVER
        await in_thread(table.act, Pass())
        await live.ring(table.series.pk, 2, talk=9)
        assert await page.is_quiet()
        await page.leave()

    async def test_s4_a_user_who_is_shut_out_comes_in_as_a_spectator(self, table: Scene) -> None:
        def shut_out() -> None:
            User.objects.filter(pk=table.mover.pk).update(is_active=False)

        cookie = await in_thread(log_in, table.mover)
        await in_thread(shut_out)
        page = await Visit(f"/ws{table.series.get_absolute_url()}", cookie).open()
        assert page.page.forms == [] or page.page.form("pass") is None
        row = await table.now()
        assert await page.act(action_fields(row, Pass())) == "session-over"
        await page.leave()

    @staticmethod
    async def _two_tabs(table: Scene) -> tuple[Client, Visit, Visit]:
        client = Client()
        await in_thread(client.force_login, table.users[0])
        cookie = f"{settings.SESSION_COOKIE_NAME}={client.session.session_key}"
        page = await Visit(f"/ws{table.series.get_absolute_url()}", cookie).open()
        return client, page, await opened(table, table.users[0])


class TestSecrets:
    """What travels to one viewer names no card that they can't know (faults 58 to 60)."""

    async def test_fault_58_the_knocker_sees_no_card_of_the_defender(self) -> None:
        table = await in_thread(to_phase, Phase.DEFENCE)
        state = await in_thread(lambda: table.state)
        assert state.knocker is not None
        hidden = state.hands[1 - state.knocker] & ~state.shown[1 - state.knocker]
        for user in (table.users[state.knocker], None):
            page = await opened(table, user)
            await page.ask({"hello": 0, "stamp": ""})
            for card in cards_in(hidden):
                assert f"{card}.svg" not in page.words()
                assert f'"{card}"' not in page.words()
            await page.leave()

    async def test_fault_60_a_drawn_card_is_named_to_nobody_else(self) -> None:
        table = await in_thread(to_phase, Phase.DRAW)
        state = await in_thread(lambda: table.state)
        drawn = state.stock[0]
        others = [
            await opened(table, table.waiter),
            await opened(table),
        ]
        mover = await opened(table, table.mover)
        row = await table.now()
        assert await mover.act(action_fields(row, Draw())) == "done"
        assert f"{drawn}.svg" in mover.texts[-1]
        for page in others:
            text = await page.next()
            assert f"{drawn}.svg" not in text
            assert "drew" in text
            await page.leave()
        await mover.leave()

    async def test_habit_7_a_bell_carries_a_fact_and_numbers(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sent: list[Mapping[str, Any]] = []
        layer = get_channel_layer()

        async def group_send(group: str, message: Mapping[str, Any]) -> None:
            sent.append(message)

        monkeypatch.setattr(layer, "group_send", group_send)
        page = await opened(table, table.mover)
        row = await table.now()
        await page.act(action_fields(row, Pass()))
        await settled()
        [message] = sent
        assert message.keys() == {"type", "series", "version", "talk", "by"}
        assert all(type(message[name]) is int for name in ("series", "version", "talk"))
        await page.leave()


def _end_log_in(user: User, cookie: str, how: str) -> None:
    sessions = Session.objects.filter(session_key=cookie.split("=")[1])
    match how:
        case "expiry":
            sessions.update(expire_date=Now() - timedelta(seconds=1))
        case "password":
            User.objects.filter(pk=user.pk).update(password="another")
        case "ban":
            User.objects.filter(pk=user.pk).update(is_active=False)
        case _:
            sessions.delete()
