"""Faults 96 and 97: visitors who have gone are kept nowhere."""

import asyncio
import json

from games.rules.actions import Pass
from tests.live import Come
from tests.long import long_or
from tests.players import Player
from tests.site import Site, in_db
from tests.tables import new_table
from tests.visitor import Visitor

VISITS = long_or(5_000, 200)
AT_ONCE = 10
LEVEL_WITHIN = 30.0  # seconds


async def kept(site: Site) -> dict[str, int]:
    answer = await Visitor(site.servers[0]).get("/inspect")
    counts: dict[str, int] = json.loads(answer.text)
    return counts


async def test_faults_96_and_97_everything_is_level_after_many_visits(
    site: Site, come: Come
) -> None:
    table = await in_db(new_table)
    stays = await come(site, table.series, table.users[0])
    await stays.until_version(1)
    visitors = [
        Player(table.series, table.users[0], site.servers, cookie=stays.cookie)
        for _ in range(AT_ONCE)
    ]
    await visit(visitors, 2)  # what a process makes once
    before = await kept(site)
    for _ in range(VISITS // AT_ONCE // 10):
        await visit(visitors, 10)
    await in_db(table.act, Pass())
    await stays.until_version(2)
    async with asyncio.timeout(LEVEL_WITHIN):
        while not level(await kept(site), before):  # noqa: ASYNC110 (the server has no event)
            await asyncio.sleep(0.2)
    assert site.errors() == []


def level(now: dict[str, int], before: dict[str, int]) -> bool:
    exact = ("sockets", "channels", "groups", "members")
    return all(now[name] <= before[name] for name in exact) and all(
        now[name] <= before[name] + 4 for name in ("tasks", "threads", "files")
    )


async def visit(visitors: list[Player], times: int) -> None:
    """Come and go, half of them without a word."""
    for number in range(times):
        await asyncio.gather(*(visitor.arrive() for visitor in visitors))
        for visitor in visitors[number % 2 :: 2]:
            visitor.socket.connection.transport.abort()
        await asyncio.gather(*(visitor.leave() for visitor in visitors))
