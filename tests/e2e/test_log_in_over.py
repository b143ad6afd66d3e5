"""Promise S4: when a log in is over, so are its sockets, and nothing more is done for it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils.timezone import now

from accounts.leaving import disable_account
from accounts.models import Sanction, User
from accounts.sanctions import impose
from games.consumers import SESSION_OVER
from games.models import Series
from games.services.leaving import leave_tables
from tests.live import Come
from tests.players import Player
from tests.site import Site, in_db
from tests.tables import Played, new_table
from tests.visitor import Visitor

PASS = {"action": "pass", "round": "1", "ply": "0", "key": "after"}


def expire(player: Player) -> None:
    key = player.cookie.split("=")[1]
    Session.objects.filter(session_key=key).update(expire_date=now() - timedelta(seconds=1))


def delete_session(player: Player) -> None:
    Session.objects.filter(session_key=player.cookie.split("=")[1]).delete()


def change_password(player: Player) -> None:
    user = User.objects.get(pk=player.user.pk)
    user.set_password("another one, and a long one")
    user.save()


def ban(player: Player) -> None:
    User.objects.filter(pk=player.user.pk).update(is_active=False)


def leave_the_site(player: Player) -> None:
    disable_account(player.user.pk)


async def at_turn(site: Site, come: Come, **where: int) -> tuple[Played, Player]:
    table = await in_db(new_table)
    player = await come(site, table.series, await in_db(lambda: table.turn_user), **where)
    await player.until_version(1)
    return table, player


async def nothing_is_done_for(player: Player, table: Played) -> None:
    """With the old cookie, by either door."""
    answer = await Visitor(player.server, player.cookie).post(player.path, PASS, htmx=True)
    assert answer.status in (401, 403)
    await player.leave()
    await player.arrive()
    assert await player.submit(PASS) in ("session-over", "not-seated")
    assert (await in_db(lambda: table.row)).log == "1"


@pytest.mark.parametrize("end", [expire, delete_session, change_password, ban, leave_the_site])
async def test_s4_a_log_in_that_ends_by_itself_closes_its_sockets(
    site: Site, come: Come, end: Callable[[Player], None]
) -> None:
    table, player = await at_turn(site, come)
    await in_db(end, player)
    assert await player.socket.until_closed() == SESSION_OVER
    await nothing_is_done_for(player, table)


# A ban or a new password is noticed within a second; an ended session by the very next action.
@pytest.mark.parametrize("end", [expire, delete_session])
async def test_fault_92_the_action_that_comes_before_the_socket_is_closed_is_refused(
    site: Site, come: Come, end: Callable[[Player], None]
) -> None:
    table, player = await at_turn(site, come)
    await in_db(end, player)
    await player.socket.send(PASS)
    assert await player.socket.until_closed() == SESSION_OVER
    assert player.page.acks.get("after") in (None, "session-over")
    assert (await in_db(lambda: table.row)).log == "1"


@pytest.mark.postgres
async def test_s4_the_log_out_page_closes_the_socket_at_the_other_process(
    pair: Site, come: Come
) -> None:
    table, player = await at_turn(pair, come, at=1)
    other_device = await come(pair, table.series, player.user, at=1)
    answer = await Visitor(pair.servers[0], player.cookie).post("/account/logout/", {})
    assert answer.status == 302
    assert await player.socket.until_closed() == SESSION_OVER
    await nothing_is_done_for(player, table)
    assert await other_device.submit(PASS | {"key": "other"}) == "done"


def suspend(player: Player) -> None:
    until = now() + timedelta(days=3)
    suspension = Sanction.Kind.SUSPENSION
    impose(user_id=player.user.pk, kind=suspension, rule="respect", text="Enough.", until=until)


async def test_s4_who_is_suspended_is_out_at_once_and_their_series_is_resigned(
    site: Site, come: Come
) -> None:
    table, player = await at_turn(site, come)
    other = await come(site, table.series, await in_db(lambda: table.waiting_user))
    await in_db(suspend, player)
    assert await player.socket.until_closed() == SESSION_OVER
    visitor = Visitor(player.server, player.cookie)
    for answer in (await visitor.post(player.path, PASS), await visitor.get(player.path)):
        assert (answer.status, answer.headers["location"]) == (302, "/account/standing/")
    await in_db(leave_tables, player.user.pk)  # as the moderators' page does
    await other.until(
        lambda page: any("resigned" in region.text for region in page.regions.values())
    )
    series = await in_db(lambda: Series.objects.get(pk=table.series.pk))
    assert (series.status, series.ending) == ("over", "resigned")
