"""Promise R9, the server's side (fault 101): a link that is dead without a word is noticed."""

import asyncio
import json

from tests.chaos.relay import Relay
from tests.live import Come, StartSite
from tests.long import LONG, long_or
from tests.players import Player
from tests.site import Site, in_db
from tests.sockets import TableSocket
from tests.tables import Played, new_table
from tests.visitor import Visitor

DROPPED_WITHIN = long_or(105.0, 30.0)  # seconds: three times the figure, on a busy machine


async def test_r9_fault_101_a_ghost_is_dropped_and_the_other_player_is_told(
    start_site: StartSite, come: Come
) -> None:
    settings = {} if LONG else {"HASTY": "1"}
    site = await asyncio.to_thread(start_site, 1, **settings)
    table = await in_db(new_table)
    other = await come(site, table.series, table.users[1])
    await other.until_version(1)
    async with Relay(site.servers[0].port) as relay:
        ghost = await through(relay, site, table)
        await other.until(lambda page: "away" not in page.regions["opponent"].text)
        assert await sockets_at(site) == 2
        relay.silent = True
        async with asyncio.timeout(DROPPED_WITHIN):
            await relay.dropped_by_server.wait()
            while await sockets_at(site) > 1:  # noqa: ASYNC110 (the server has no event for it)
                await asyncio.sleep(0.1)
    await other.until(lambda page: "away" in page.regions["opponent"].text, DROPPED_WITHIN)
    assert not other.socket.closed
    await ghost.close()
    assert site.errors() == []


async def through(relay: Relay, site: Site, table: Played) -> TableSocket:
    player = await in_db(Player(table.series, table.users[0], site.servers).log_in)
    socket = TableSocket(
        url=f"ws://127.0.0.1:{relay.port}/ws{player.path}",
        origin=site.servers[0].origin,
        cookie=player.cookie,
    )
    await socket.open()
    await socket.until_version(1)
    return socket


async def sockets_at(site: Site) -> int:
    answer = await Visitor(site.servers[0]).get("/inspect")
    return int(json.loads(answer.text)["sockets"])
