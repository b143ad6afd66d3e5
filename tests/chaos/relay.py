"""A TCP relay that can fall silent: it takes what is sent, passes nothing on, closes nothing."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field


@dataclass
class Relay:
    """Stands between a client and a server's port."""

    target: int
    port: int = 0
    silent: bool = False
    dropped_by_server: asyncio.Event = field(default_factory=asyncio.Event)
    _server: asyncio.Server | None = None
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def __aenter__(self) -> "Relay":
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None, "not started"
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(asyncio.create_task(self._join(reader, writer)))

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.target)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pass_on(reader, up_writer))
                group.create_task(self._pass_on(up_reader, writer))
                group.create_task(self._notice_end(up_reader))
        finally:
            for each in (writer, up_writer):
                each.close()
                with suppress(OSError):
                    await each.wait_closed()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if not self.silent:
                writer.write(data)
                await writer.drain()
        if not self.silent:
            writer.write_eof()

    async def _notice_end(self, reader: asyncio.StreamReader) -> None:
        while not reader.at_eof():  # noqa: ASYNC110 (a stream has no event for it)
            await asyncio.sleep(0.05)
        self.dropped_by_server.set()
