"""A player or spectator on a real socket."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import websockets

from tests.page import Form, Page

ANSWER_WITHIN = 15.0  # seconds; three times and more what is promised, on a busy machine


@dataclass
class TableSocket:
    """One open page: it says hello, answers pings and keeps what it is told.

    Messages with the text `lose` in them are lost on their way. While `reading` is cleared it takes
    nothing from the network.
    """

    url: str
    origin: str
    cookie: str = ""
    page: Page = field(default_factory=Page)
    received: list[str] = field(default_factory=list)
    connection: Any = None
    closed: int | None = None
    lose: str = ""
    lost: int = 0
    reading: asyncio.Event = field(default_factory=asyncio.Event)
    _reader: asyncio.Task[None] | None = None
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def open(self) -> "TableSocket":
        headers = {"Cookie": self.cookie} if self.cookie else {}
        self.connection = await websockets.connect(
            self.url,
            origin=self.origin,  # type: ignore[arg-type]
            additional_headers=headers,
            compression=None,
            max_size=None,
            max_queue=1,
        )
        self.closed = None
        self.reading.set()
        self._reader = asyncio.create_task(self._read())
        await self.hello()
        return self

    async def hello(self) -> None:
        await self.send({"hello": self.page.version, "stamp": self.page.stamp})

    async def send(self, frame: object) -> None:
        text = frame if isinstance(frame, str | bytes) else json.dumps(frame)
        await self.connection.send(text)

    async def _read(self) -> None:
        try:
            async for text in self.connection:
                if text == "ping":
                    await self.send({"pong": 1})
                    continue
                await self.reading.wait()
                if self.lose and self.lose in text:
                    self.lost += 1
                    self._news.set()
                    continue
                self.received.append(text)
                if not self.page.apply(text):
                    await self.hello()
                self._news.set()
        except websockets.ConnectionClosed:
            pass
        finally:
            self.closed = self.connection.close_code or 1006
            self._news.set()

    @property
    def is_open(self) -> bool:
        return self.connection is not None and self.closed is None

    async def until(self, condition: Callable[[], Any], within: float = ANSWER_WITHIN) -> Any:
        """Wait until a condition on what is shown holds; its value.

        Raises ConnectionError where the socket is closed before that, TimeoutError where it stays
        open in vain.
        """
        async with asyncio.timeout(within):
            while not (found := condition()):
                if self.closed is not None:
                    raise ConnectionError(f"closed with {self.closed}")
                self._news.clear()
                await self._news.wait()
            return found

    async def until_news(self, within: float) -> None:
        """Wait for whatever comes next, if only for so long."""
        self._news.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), within)

    async def until_closed(self, within: float = ANSWER_WITHIN) -> int:
        """Wait for the end of the connection; its code."""
        async with asyncio.timeout(within):
            while self.closed is None:
                self._news.clear()
                await self._news.wait()
            return self.closed

    async def until_version(self, version: int, within: float = ANSWER_WITHIN) -> None:
        await self.until(lambda: self.page.version >= version, within)

    async def submit(self, form: Form, within: float = ANSWER_WITHIN, **changes: str) -> str:
        """Send a form and wait for its answer: the status."""
        fields = form.fields | changes
        await self.send(fields)
        status: str = await self.until(lambda: self.page.acks.get(fields["key"]), within)
        return status

    async def close(self) -> None:
        if self.connection is not None:
            await self.connection.close()
        if self._reader is not None:
            await self._reader
