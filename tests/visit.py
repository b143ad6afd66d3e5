"""A visit to a table: the socket of one page through the whole ASGI application, in process."""

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator
from django.db import DatabaseError

from accounts.models import User
from config.asgi import application
from games import live
from games.models import Round
from games.rules.state import Phase
from games.threads import in_thread
from tests.page import Page
from tests.site import log_in
from tests.tables import Played, keen, new_table

WITHIN = 20.0  # seconds, on a busy machine
QUIET = 0.05  # seconds: what would come, has come
OURS = "http://127.0.0.1:8000"


@pytest.fixture
async def empty_house() -> AsyncIterator[None]:
    """No socket is left behind by any test, in no list and no group (faults 96 and 97)."""
    live.sockets.clear()
    getattr(get_channel_layer(), "groups", {}).clear()
    yield
    for _ in range(100):
        if not live.sockets and not live._tasks:
            break
        await asyncio.sleep(0.01)
    assert not live.sockets
    assert not groups()


def groups() -> dict[str, Any]:
    """The groups of the channel layer that have members, where it tells."""
    return dict(getattr(get_channel_layer(), "groups", {}))


class Wire(WebsocketCommunicator):
    """Channels' own, but database connections go back to their pool as they do on the site."""

    send_input = ApplicationCommunicator.send_input
    receive_output = ApplicationCommunicator.receive_output


@dataclass
class Visit:
    """One open page: a socket and what it shows."""

    path: str
    cookie: str = ""
    origin: str | None = OURS
    page: Page = field(default_factory=Page)
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        headers = [(b"host", b"127.0.0.1:8000")]
        if self.origin is not None:
            headers.append((b"origin", self.origin.encode()))
        if self.cookie:
            headers.append((b"cookie", self.cookie.encode()))
        self.wire = Wire(application, self.path, headers=headers)

    async def knock(self) -> bool:
        """Shake hands; False where it was refused."""
        return bool((await self.wire.connect(WITHIN))[0])

    async def open(self) -> "Visit":
        assert await self.knock()
        await self.ask({"hello": self.page.version, "stamp": self.page.stamp})
        return self

    async def send(self, frame: object) -> None:
        text = frame if isinstance(frame, str) else json.dumps(frame)
        await self.wire.send_input({"type": "websocket.receive", "text": text})

    async def next(self) -> str:
        """The next text, taken as the page takes it."""
        message = await self.wire.receive_output(WITHIN)
        assert message["type"] == "websocket.send", message
        text = str(message["text"])
        text.encode()  # a lone surrogate could not be sent
        if text != "ping":
            self.texts.append(text)
            assert self.page.apply(text), "a gap"
        return text

    async def ask(self, frame: object) -> str:
        await self.send(frame)
        return await self.next()

    async def act(self, fields: Mapping[str, object]) -> str:
        """Send a form; its status."""
        await self.ask(fields)
        return self.page.acks[str(fields["key"])]

    async def is_quiet(self) -> bool:
        return bool(await self.wire.receive_nothing(QUIET, QUIET / 5))

    async def code(self) -> int:
        """The code that the server closes with; what comes before it is passed over."""
        while True:
            message = await self.wire.receive_output(WITHIN)
            if message["type"] == "websocket.close":
                return int(message["code"])

    async def leave(self) -> None:
        await self.wire.disconnect(timeout=WITHIN)

    def shown(self) -> dict[str, str]:
        """The regions, without what differs from one rendering to the next."""
        return {name: plain(element.html) for name, element in self.page.regions.items()}

    def words(self) -> str:
        return "\n".join(self.texts)


def visit(table: Played, user: User | None = None, **changes: Any) -> Visit:
    cookie = log_in(user) if user is not None else ""
    return Visit(f"/ws{table.series.get_absolute_url()}", cookie, **changes)


async def opened(table: Played, user: User | None = None) -> Visit:
    return await (await in_thread(visit, table, user)).open()


@dataclass
class Scene(Played):
    """A table, and who is to move on it as the test begins."""

    mover: User
    waiter: User

    async def now(self) -> Round:
        """The round as it is stored."""
        return await in_thread(lambda: self.row)


def scene(table: Played) -> Scene:
    return Scene(table.series, table.users, table.turn_user, table.waiting_user)


def to_phase(phase: Phase) -> Scene:
    """A table that has come to a phase by keen play."""
    chance = random.Random(4)
    for _ in range(60):
        table = new_table()
        while not table.row.kind:
            if table.state.phase is phase:
                return scene(table)
            table.act(keen(chance)(table.state))
    raise AssertionError(f"no table came to {phase}")


def plain(html: str) -> str:
    """Without what differs from one rendering to the next."""
    html = re.sub(r' data-version="\d+" data-talk="\d+"| hx-swap-oob="true"', "", html)
    return re.sub(r'name="key" value="[^"]*"', "", html)


async def settled() -> None:
    while live._tasks:
        await asyncio.gather(*live._tasks)


async def lost(*arguments: object, **named: object) -> None:
    """A bell that nobody hears."""


def away(*arguments: object, **named: object) -> Any:
    raise DatabaseError("the database is away")


def broken(*arguments: object, **named: object) -> Any:
    raise ZeroDivisionError("a fault of ours")
