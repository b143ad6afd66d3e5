"""Running out of time with nobody connected, in whichever process is left (promise R19)."""

import asyncio
import time
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now

from games.models import Round, Series
from games.selectors.audit import differences
from tests.live import Come, StartSite
from tests.site import in_db
from tests.tables import Played, new_table

PROMISED = 2.0  # seconds after its time
AT_MOST = 3 * PROMISED


def timed_table() -> Played:
    return new_table(time_control="600+5")


def runs_out(table: Played, seconds: float) -> None:
    """So many seconds are left to whose turn it is."""
    Round.objects.filter(pk=table.row.pk).update(due_at=Now() + timedelta(seconds=seconds))


def series_of(table: Played) -> Series:
    return Series.objects.get(pk=table.series.pk)


async def until_over(table: Played) -> Series:
    return await asyncio.to_thread(_await_end, table)


def _await_end(table: Played) -> Series:
    last = time.monotonic() + AT_MOST + 1
    try:
        while (series := series_of(table)).status != Series.Status.OVER:
            assert time.monotonic() < last, "nobody ended it"
            time.sleep(0.1)
        return series
    finally:
        connection.close()


def seat_to_act(table: Played) -> int:
    return table.state.turn


def wrong(series: Series) -> list[str]:
    return list(differences(series))


@pytest.mark.postgres
async def test_r19_time_runs_out_with_nobody_there_and_a_process_dead(
    start_site: StartSite,
) -> None:
    site = await asyncio.to_thread(start_site, 2)
    for dead in (0, 1):
        table = await in_db(timed_table)
        turn = await in_db(seat_to_act, table)
        await asyncio.to_thread(site.servers[dead].kill)
        await in_db(runs_out, table, 1)
        series = await until_over(table)
        assert (series.ending, series.winner_side) == ("time", 1 - turn)
        assert await in_db(wrong, series) == []
        await asyncio.to_thread(site.servers[dead].restart)
    assert site.errors() == []


async def test_r19_both_pages_are_told(start_site: StartSite, come: Come) -> None:
    site = await asyncio.to_thread(start_site)
    table = await in_db(timed_table)
    viewers = [await come(site, table.series, user) for user in (*table.users, None)]
    for viewer in viewers:
        await viewer.until_version(1)
    await in_db(runs_out, table, 0)
    await until_over(table)
    for viewer in viewers:
        await viewer.until_version(2)
    assert site.errors() == []
