"""A Redis that restarts, goes away or cuts its connections (faults 99 and 100)."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from games.live import series_group
from tests.chaos.own_redis import OwnRedis
from tests.chaos.party import Party
from tests.live import Come, StartSite
from tests.players import Player
from tests.site import ROOT, Site, in_db
from tests.tables import new_table
from tests.truth import until_true
from tests.visitor import Visitor

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def own_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnRedis]:
    redis = OwnRedis(tmp_path_factory.mktemp("redis")).start()
    yield redis
    redis.stop()


@pytest.fixture(scope="module")
def pair(start_site: StartSite, own_redis: OwnRedis) -> Site:
    """Two processes on that Redis."""
    return start_site(2, REDIS_URL=own_redis.url)


def cut_subscriptions(redis: OwnRedis) -> None:
    with redis.client() as client:
        client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")


def cut_everything(redis: OwnRedis) -> None:
    with redis.client() as client:
        client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")


def restart(redis: OwnRedis) -> None:
    redis.stop()
    time.sleep(1)
    redis.start()


@pytest.mark.parametrize("trouble", [cut_subscriptions, cut_everything, restart])
async def test_fault_99_no_table_stays_deaf(
    pair: Site, own_redis: OwnRedis, come: Come, trouble: Callable[[OwnRedis], None]
) -> None:
    party = await Party.of(pair, 3)
    spectator = await come(pair, party.tables[0].series, None)
    async with party.playing(pace=0.2):
        await asyncio.sleep(1)
        await asyncio.to_thread(trouble, own_redis)
        await asyncio.sleep(2)
    for viewer in (*party.players, spectator):
        await until_true(viewer, 45)
        assert viewer.closes == []
    await until_hearing(own_redis, group_of(pair, spectator), 2)
    await in_db(party.check)
    await party.leave()


def group_of(site: Site, viewer: Player) -> str:
    return f"{site.prefix}__group__{series_group(viewer.series.pk)}"


async def until_hearing(redis: OwnRedis, group: str, processes: int) -> None:
    async with asyncio.timeout(45):
        while await asyncio.to_thread(redis.subscribers, group) != processes:  # noqa: ASYNC110
            await asyncio.sleep(0.2)


async def test_r13_without_redis_people_come_play_and_see(
    pair: Site, own_redis: OwnRedis, come: Come
) -> None:
    """Bells are missing; the poll does their work."""
    table = await in_db(new_table)
    user, other = await in_db(lambda: (table.turn_user, table.waiting_user))
    before = await come(pair, table.series, user)
    leaves = await come(pair, (await in_db(new_table)).series, None)
    for viewer in (before, leaves):
        await viewer.until_version(1)
    await asyncio.to_thread(own_redis.stop)
    try:
        page = await Visitor(pair.servers[0], before.cookie).get(before.path)
        assert page.status == 200
        assert await before.submit(before.page.form("pass").fields) == "done"
        await leaves.leave()
        newcomer = await come(pair, table.series, other, at=1)
        await newcomer.until_version(2)
        form = newcomer.page.form("pass")
        assert await newcomer.submit(form.fields) == "done"
        await before.until_version(3)
    finally:
        await asyncio.to_thread(own_redis.start)
    await until_true(before)
    assert before.closes == []
    await until_hearing(own_redis, group_of(pair, before), 2)
    await until_hearing(own_redis, group_of(pair, leaves), 0)


def test_fault_100_a_thousand_bells_from_a_command_take_a_handful_of_connections(
    pair: Site, own_redis: OwnRedis
) -> None:
    before = own_redis.connections()
    most = before
    program = "from games import live\nfor n in range(1000): live.ring_now(1, n, talk=0)"
    command = subprocess.Popen(
        [sys.executable, "manage.py", "shell", "--command", program],
        cwd=ROOT,
        env=pair.servers[0].environment,
    )
    while command.poll() is None:
        most = max(most, own_redis.connections())
        time.sleep(0.02)
    assert command.returncode == 0
    assert most - before <= 5
    assert own_redis.connections() <= before + 1
