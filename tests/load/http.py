"""As much of an HTTP client as the POST door needs: one connection kept alive."""

import asyncio
from urllib.parse import urlencode


class Poster:
    """Posts forms with a session, as htmx does."""

    def __init__(self, port: int, cookie: str, csrf: str) -> None:
        self.port = port
        self.headers = (
            f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            f"Cookie: {cookie}; csrf={csrf}\r\nX-CSRFToken: {csrf}\r\nHX-Request: true\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
        )
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, fields: dict[str, str]) -> tuple[int, str]:
        """Post a form; the status and the body.

        A connection that the server has closed for being idle is opened again; the key of the form
        makes a second sending harmless.
        """
        try:
            return await self._post(path, urlencode(fields).encode())
        except (asyncio.IncompleteReadError, ConnectionError):
            self.streams = None
            return await self._post(path, urlencode(fields).encode())

    async def _post(self, path: str, body: bytes) -> tuple[int, str]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        head = f"POST {path} HTTP/1.1\r\n{self.headers}Content-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        length = next(line for line in lines if line.lower().startswith("content-length:"))
        answer = await reader.readexactly(int(length.split(":")[1]))
        return int(lines[0].split()[1]), answer.decode()
