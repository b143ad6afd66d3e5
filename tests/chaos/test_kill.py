"""Promise R1: an acknowledged action is never lost, whichever process dies."""

import asyncio
import random

import pytest

from tests.chaos.party import Party
from tests.live import StartSite
from tests.long import long_or
from tests.site import in_db

TABLES = long_or(100, 6)
KILLS = long_or(12, 3)
EVERY = long_or(10.0, 1.5)  # seconds
PACE = long_or(4.0, 0.3)  # seconds to think: 20 actions a second in the long form


@pytest.mark.postgres
async def test_r1_whatever_is_acknowledged_is_stored_though_processes_are_killed(
    start_site: StartSite,
) -> None:
    site = await asyncio.to_thread(start_site, 2)
    party = await Party.of(site, TABLES)
    chance = random.Random(1)
    async with party.playing(pace=PACE):
        for _ in range(KILLS):
            await asyncio.sleep(EVERY)
            server = chance.choice(site.servers)
            await asyncio.to_thread(server.kill)
            await asyncio.sleep(EVERY / 3)
            await asyncio.to_thread(server.restart)
    await party.settle()
    await in_db(party.check)
    closes = [code for player in party.players for code in player.closes]
    assert len(closes) >= KILLS
    print(f"\n{party.answers}, closes {len(closes)}")
    await party.leave()
