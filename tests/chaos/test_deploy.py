"""Promise R12: a deploy with running clocks costs nobody time, a series, or a mark as a leaver."""

import asyncio
import time
from datetime import datetime, timedelta

import pytest
from django.db.models.functions import Now

from games.models import Deed, Round, Series
from tests.live import Come, StartSite
from tests.long import long_or
from tests.site import in_db
from tests.tables import Played, new_table

TABLES = long_or(100, 3)
LEFT = 20.0  # seconds on the clock of whose turn it is
AWAY = long_or(60.0, 24.0)  # seconds for which no process runs: longer than that


def timed_tables() -> list[Played]:
    return [new_table(time_control="600+5") for _ in range(TABLES)]


def run_low() -> None:
    Round.objects.update(due_at=Now() + timedelta(seconds=LEFT))


def standing() -> tuple[set[str], list[datetime], int]:
    """How the series stand, until when each clock runs, and how many deeds were noted."""
    dues = Round.objects.order_by("pk").values_list("due_at", flat=True)
    statuses = set(Series.objects.values_list("status", flat=True))
    return statuses, [due for due in dues if due is not None], Deed.objects.count()


@pytest.mark.postgres
async def test_r12_a_deploy_with_running_clocks_credits_them_and_blames_nobody(
    start_site: StartSite, come: Come
) -> None:
    site = await asyncio.to_thread(start_site, 2)
    tables = await in_db(timed_tables)
    players = [
        await come(site, table.series, user, at=seat)
        for table in tables
        for seat, user in enumerate(table.users)
    ]
    for player in players:
        await player.until_version(1)
    await in_db(run_low)
    _statuses, before, _deeds = await in_db(standing)
    stopped_at = time.monotonic()
    await asyncio.to_thread(site.stop)
    await asyncio.sleep(max(0.0, AWAY - (time.monotonic() - stopped_at)))
    for server in site.servers:
        await asyncio.to_thread(server.restart)
    statuses, after, deeds = await in_db(standing)
    assert (statuses, deeds) == ({"playing"}, 0)
    assert len(after) == TABLES
    for old, new in zip(before, after, strict=True):
        assert new - old > timedelta(seconds=AWAY - 3)
    for player in players:
        await player.return_to_the_next()
        assert player.closes[-1] == 1012
    assert site.errors() == []
