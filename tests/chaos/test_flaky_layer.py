"""Promise R7: bells that are lost, doubled or late heal by themselves."""

import asyncio

import pytest

from tests.chaos.party import Party
from tests.live import Come, StartSite
from tests.long import long_or
from tests.site import in_db
from tests.truth import until_true

SECONDS = long_or(30.0, 3.0)
HEALED_WITHIN = 18.0  # seconds: three times the figure, on a busy machine


@pytest.mark.postgres
@pytest.mark.parametrize("flaws", ["drop=0.2,double=0.5,shuffle=0.4", "drop=1"])
async def test_r7_every_page_is_right_whatever_becomes_of_the_bells(
    start_site: StartSite, come: Come, flaws: str
) -> None:
    site = await asyncio.to_thread(start_site, 2, FLAKY=flaws)
    party = await Party.of(site, long_or(20, 3))
    spectators = [
        await come(site, each.series, None, at=at) for at, each in enumerate(party.tables)
    ]
    async with party.playing(pace=0.1):
        await asyncio.sleep(SECONDS)
    for viewer in (*party.players, *spectators):
        await until_true(viewer, HEALED_WITHIN)
    await in_db(party.check)
    assert party.answers["done"] > len(party.tables)
    assert set(party.answers) <= {"done", "stale"}
    assert [code for player in party.players for code in player.closes] == []
    assert site.errors() == []
    await party.leave()
