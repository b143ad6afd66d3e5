"""Pages that read slowly, and pages that come and go (faults 86 and 87)."""

import asyncio

import pytest

from tests.chaos.party import Party
from tests.live import Come
from tests.long import long_or
from tests.players import Player
from tests.site import Site
from tests.truth import until_true

ACTIONS = long_or(150, 40)
SECONDS = long_or(60.0, 4.0)


@pytest.mark.postgres
async def test_fault_86_who_stops_reading_ends_with_the_right_table(pair: Site, come: Come) -> None:
    party = await Party.of(pair, 1)
    table = party.tables[0]
    slow = [await come(pair, table.series, user) for user in (table.users[1], None)]
    for viewer in slow:
        await viewer.until_version(1)
        viewer.socket.reading.clear()
    async with party.playing(pace=0.1):
        async with asyncio.timeout(120):
            while party.answers["done"] < ACTIONS:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
    for viewer in slow:
        assert viewer.page.version <= 2
        viewer.socket.reading.set()
    for viewer in slow:
        await until_true(viewer, 45)
        assert viewer.closes == []
    await party.settle()
    await party.leave()


@pytest.mark.postgres
async def test_fault_87_nothing_is_missed_while_others_come_and_go(pair: Site, come: Come) -> None:
    party = await Party.of(pair, 2)
    restless = [
        await come(pair, party.tables[number % 2].series, None, at=number) for number in range(3)
    ]
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for viewer in restless:
            group.create_task(come_and_go(viewer, stop))
        async with party.playing(pace=0.1):
            await asyncio.sleep(SECONDS)
        stop.set()
    for viewer in (*party.players, *restless):
        await until_true(viewer)
    assert all(player.page.gaps == 0 for player in party.players)
    assert pair.errors() == []
    await party.leave()


async def come_and_go(viewer: Player, stop: asyncio.Event) -> None:
    while not stop.is_set():
        await viewer.leave()
        await viewer.arrive()
        await asyncio.sleep(0.1)
