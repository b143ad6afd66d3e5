"""Handshakes and frames that no page of ours sends (promises S3, S5, S6), on a real server."""

import asyncio
import json
import random
import string
from contextlib import suppress

import pytest
import websockets

from config.handshakes import ABUSE_COUNTS
from games.consumers import ABUSE, FLOOD, GONE, MOST_SOCKETS, TRY_LATER
from games.rules.actions import Pass
from tests.fields import action_fields
from tests.live import Come, StartSite
from tests.long import long_or
from tests.site import Site, in_db, log_in
from tests.sockets import TableSocket
from tests.tables import Played, new_table
from tests.truth import until_true

TOO_BIG = 1009
DEEP = "[" * 10_000 + "]" * 10_000
BAD_FRAMES = (
    *("", "{", "null", "[]", "5", '"x"', "{}", '{"type": 42}', '{"action": 7}', '{"hello": "x"}'),
    *('{"action": "cheat", "round": "1", "ply": "0", "key": "k"}', "\x00", DEEP[:16_000], b"{}"),
)
FUZZED = long_or(10_000, 150)


def socket_to(site: Site, path: str, origin: str | None = None) -> TableSocket:
    server = site.servers[0]
    return TableSocket(f"{server.socket_origin}{path}", server.origin if origin is None else origin)


async def table_and_path(site: Site) -> tuple[Played, str]:
    table = await in_db(new_table)
    return table, f"/ws{table.series.get_absolute_url()}"


@pytest.mark.parametrize(
    "origin",
    [
        *("https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1"),
        *("https://127.0.0.1:{port}", "http://127.0.0.1:{port}.evil.example"),
        *("http://www.127.0.0.1:{port}", "http://evil.example/127.0.0.1:{port}"),
    ],
)
async def test_s3_fault_93_a_foreign_page_opens_no_socket(site: Site, origin: str) -> None:
    _, path = await table_and_path(site)
    socket = socket_to(site, path, origin.format(port=site.servers[0].port))
    with pytest.raises(websockets.InvalidStatus) as refused:
        await socket.open()
    assert refused.value.response.status_code == 403


async def test_s3_fault_93_nor_does_a_program_that_names_no_origin(site: Site) -> None:
    _, path = await table_and_path(site)
    with pytest.raises(websockets.InvalidStatus) as refused:
        await websockets.connect(f"{site.servers[0].socket_origin}{path}")
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("path", ["/ws/series/no-such-table/", "/ws/", "/ws/series/", "/else"])
async def test_where_there_is_no_table_the_socket_says_so(site: Site, path: str) -> None:
    server = site.servers[0]
    async with websockets.connect(f"{server.socket_origin}{path}", origin=server.origin) as socket:
        await socket.wait_closed()
    assert socket.close_code == GONE
    assert site.errors() == []


async def test_s5_fault_89_bad_frames_are_refused_one_by_one_and_the_third_ends_the_socket(
    site: Site, come: Come
) -> None:
    table, path = await table_and_path(site)
    quiet = await come(site, table.series, table.users[0])
    for number, frame in enumerate(BAD_FRAMES):
        socket = socket_to(site, path)
        await socket.open()
        await socket.until_version(1)
        await refuse_three(socket, [frame, *random.Random(number).sample(BAD_FRAMES, 2)])
    await until_true(quiet)
    assert quiet.closes == []
    assert site.errors() == []


async def test_s5_fault_89_a_frame_of_two_megabytes_ends_the_socket(site: Site) -> None:
    _, path = await table_and_path(site)
    socket = socket_to(site, path)
    await socket.open()
    await socket.send("x" * 2_000_000)
    assert await socket.until_closed() == TOO_BIG
    assert site.errors() == []


async def test_s5_whatever_frames_come_nothing_breaks(site: Site, come: Come) -> None:
    table, path = await table_and_path(site)
    quiet = await come(site, table.series, table.users[0])
    chance = random.Random(5)
    for _ in range(FUZZED // 3):
        socket = socket_to(site, path)
        await socket.open()
        await refuse_three(socket, [nonsense(chance) for _ in range(3)])
    await until_true(quiet)
    assert (await in_db(lambda: table.row)).log == "1"
    assert site.errors() == []


async def test_s6_a_flood_of_frames_ends_the_socket_and_the_table_plays_on(
    site: Site, come: Come
) -> None:
    table, path = await table_and_path(site)
    quiet = await come(site, table.series, await in_db(lambda: table.turn_user))
    socket = socket_to(site, path)
    await socket.open()
    await socket.until_version(1)
    for _ in range(FLOOD):
        await socket.send({"hello": 1, "stamp": "x"})
    fields = await in_db(lambda: action_fields(table.row, Pass()))
    assert await quiet.submit(fields) == "done"
    for _ in range(2 * FLOOD):
        with suppress(websockets.ConnectionClosed):
            await socket.send({"hello": 1, "stamp": "x"})
    assert await socket.until_closed() == ABUSE
    assert len(socket.received) <= 2 * FLOOD
    assert quiet.closes == []
    assert site.errors() == []


async def test_s6_of_one_user_s_sockets_so_many_stay_open(site: Site, come: Come) -> None:
    table, path = await table_and_path(site)
    quiet = await come(site, table.series, table.users[1])
    cookie = await in_db(log_in, table.users[0])
    server = site.servers[0]
    url = f"{server.socket_origin}{path}"
    crowd = [TableSocket(url, server.origin, cookie) for _ in range(50)]
    await asyncio.gather(*(each.open() for each in crowd), return_exceptions=True)
    await asyncio.gather(*(is_settled(each) for each in crowd))
    assert sum(each.is_open for each in crowd) == MOST_SOCKETS
    assert {each.closed for each in crowd if not each.is_open} == {TRY_LATER}
    await until_true(quiet)
    for each in crowd:
        await each.close()
    again = TableSocket(url, server.origin, cookie)
    await again.open()
    await again.until_version(1)
    await again.close()
    assert site.errors() == []


async def test_s6_a_flood_of_handshakes_is_refused_and_others_play_on(
    start_site: StartSite, come: Come
) -> None:
    site = start_site(HANDSHAKES="20")
    table, path = await table_and_path(site)
    quiet = await come(site, table.series, await in_db(lambda: table.turn_user))
    server = site.servers[0]

    async def code() -> int:
        """101 where the socket opens."""
        try:
            async with websockets.connect(f"{server.socket_origin}{path}", origin=server.origin):
                return 101
        except websockets.InvalidStatus as refused:
            return refused.response.status_code

    codes = [await code() for _ in range(60)]
    # Ten seconds may have ended in between.
    assert set(codes) == {101, 403}
    assert codes.count(101) <= 40
    fields = await in_db(lambda: action_fields(table.row, Pass()))
    assert await quiet.submit(fields) == "done"
    assert quiet.closes == []
    assert site.errors() == []


async def test_s6_a_flood_does_not_go_on_by_the_next_socket(start_site: StartSite) -> None:
    site = start_site(HANDSHAKES="300")
    _, path = await table_and_path(site)
    opened, abuses = 0, 300 // ABUSE_COUNTS
    with suppress(websockets.InvalidStatus):
        while opened <= 2 * abuses:  # ten seconds may end in between
            socket = socket_to(site, path)
            await socket.open()
            opened += 1
            await refuse_three(socket, ["nonsense"] * 3)
    assert 1 <= opened <= abuses
    assert site.errors() == []


async def is_settled(socket: TableSocket) -> None:
    """Shown the table, or turned away."""
    with suppress(ConnectionError):
        await socket.until_version(1)


async def refuse_three(socket: TableSocket, frames: list[str | bytes]) -> None:
    for frame in frames:
        await socket.send(frame)
    assert await socket.until_closed() == ABUSE
    answers = [text for text in socket.received if 'data-status="unreadable"' in text]
    assert len(answers) == 3


def nonsense(chance: random.Random) -> str:
    """A frame that might be an action, but for one thing."""
    frame: dict[str, object] = {"action": "discard", "card": "9D", "round": "1", "ply": "0"}
    frame["key"] = "".join(chance.choices(string.ascii_letters, k=8))
    name = chance.choice([*frame.keys() - {"card"}])
    frame[name] = chance.choice(
        [None, 1.5, [], {}, "", "x" * 5_000, "\ud800", "<script>", "- 1", "9" * 80, True, [["x"]]]
    )
    if chance.random() < 0.2:
        return json.dumps(frame)[: chance.randrange(1, 60)]
    return json.dumps(frame)
