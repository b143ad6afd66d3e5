"""A bot's turn is played whichever process dies over it (promises R1 and R12), and by one only."""

import asyncio
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import psutil
import pytest

from games.models import Round
from games.rules.options import Options
from games.services.bot_series import bot_user, play_bot
from tests.chaos.party import entries_of, missing
from tests.live import Come, StartSite
from tests.long import long_or
from tests.players import Player
from tests.site import ROOT, Site, in_db
from tests.tables import Played, new_user
from tests.truth import until_true, wrong_in

pytestmark = pytest.mark.postgres

TABLES = long_or(30, 4)
KILLS = long_or(12, 3)
EVERY = long_or(10.0, 1.5)  # seconds
WITHIN = 60.0  # seconds, on a busy machine; a turn that is left lying is due again after 8


def bot_table(bot: str) -> Played:
    user = new_user()
    series = play_bot(user=user, bot=bot, options=Options())
    series.refresh_from_db()
    return Played(series, (user, bot_user(bot)))


async def sit_down(come: Come, site: Site, tables: int) -> list[tuple[Played, Player]]:
    bots = ("beginner", "club", "strong", "expert")
    made = await in_db(lambda: [bot_table(bots[number % 4]) for number in range(tables)])
    players = [
        await come(site, table.series, table.users[0], at=number, chance=random.Random(number))
        for number, table in enumerate(made)
    ]
    return list(zip(made, players, strict=True))


@asynccontextmanager
async def playing(players: list[Player]) -> AsyncIterator[None]:
    """All play while the block runs, and leave their pages open."""
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for player in players:
            group.create_task(player.play(stop, pace=0.05))
        try:
            yield
        finally:
            stop.set()


def plies(table: Played) -> int:
    """How far a series has come."""
    return table.row.version


async def until_it_is_the_person_s(table: Played) -> None:
    """Wait until the bot has done all that it has to."""
    for _ in range(int(WITHIN * 10)):
        row = await in_db(lambda: table.row)
        if row.bot_due_at is None:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"a turn was left lying: {row.bot_due_at}")


async def until_it_goes_on(table: Played, before: int) -> None:
    for _ in range(int(WITHIN * 10)):
        if await in_db(plies, table) > before:
            return
        await asyncio.sleep(0.1)
    raise AssertionError("nobody plays for the bot")


def seats_took_turns(table: Played) -> None:
    """Nothing that was played twice, or by the wrong seat, would be a legal log."""
    assert wrong_in(table.series) == []
    assert any(entry.seat == 1 for entry in entries_of(table).values())
    for row in Round.objects.filter(series=table.series):
        plies_told = [line.partition("|")[0] for line in row.reasons.splitlines()]
        assert len(plies_told) == len(set(plies_told))


async def check(seated: list[tuple[Played, Player]]) -> None:
    for table, player in seated:
        await until_it_is_the_person_s(table)
        if player.socket is None or not player.socket.is_open:
            await player.return_to_the_next()
        await until_true(player, within=WITHIN)
        assert await in_db(missing, table, [player]) == []
        await in_db(seats_took_turns, table)


async def until_gone(processes: list[psutil.Process]) -> None:
    for _ in range(int(WITHIN * 10)):
        if not any(each.is_running() and each.status() != "zombie" for each in processes):
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"orphans: {processes}")


async def test_r1_bots_play_on_though_the_processes_that_think_are_killed(
    start_site: StartSite, come: Come
) -> None:
    site = await asyncio.to_thread(start_site, 2, BOT_PACE="0.05")
    seated = await sit_down(come, site, TABLES)
    orphans: list[psutil.Process] = []
    async with playing([player for _, player in seated]):
        for kill in range(KILLS):
            await asyncio.sleep(EVERY)
            server = site.servers[kill % 2]
            orphans += psutil.Process(server.pid).children(recursive=True)
            await asyncio.to_thread(server.kill)
            await asyncio.sleep(EVERY / 3)
            await asyncio.to_thread(server.restart)
    assert orphans, "somebody was thinking"
    await until_gone(orphans)
    await check(seated)
    assert all([await in_db(plies, table) > 6 for table, _ in seated])
    assert site.errors() == []


@contextmanager
def working(site: Site) -> Iterator[subprocess.Popen[bytes]]:
    """`manage.py work` beside the site; killed at the end if it still runs."""
    command = [sys.executable, "manage.py", "work"]
    environment = site.servers[0].environment
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert b"at their tables" in process.stdout.readline()
            yield process
        finally:
            process.kill()


async def test_r12_workers_come_and_go_and_no_web_process_thinks(
    start_site: StartSite, come: Come
) -> None:
    site = await asyncio.to_thread(start_site, 2, BOT_WORKER="work", BOT_PACE="0")
    seated = await sit_down(come, site, TABLES)
    async with playing([player for _, player in seated]):
        with working(site) as first, working(site):
            await asyncio.sleep(EVERY)
            first.kill()
            await asyncio.sleep(EVERY)
        # Nobody plays for the bots now; people wait, and go on when somebody does.
        await asyncio.sleep(EVERY)
        before = {table.series.pk: await in_db(plies, table) for table, _ in seated}
        with working(site) as last:
            for table, _ in seated:
                await until_it_goes_on(table, before[table.series.pk])
            last.terminate()
            assert await asyncio.to_thread(last.wait, WITHIN) == 0
    assert [psutil.Process(server.pid).children() for server in site.servers] == [[], []]
    with working(site):
        await check(seated)
    assert site.errors() == []
