"""`python -m tests.load.flood frames|handshakes`: one address that floods a server (promise S6).

500 frames a second that each ask for the whole table, by the next socket as soon as one is closed;
or 300 handshakes a second. What becomes of the others is what tests.load measures.
"""

import argparse
import asyncio
import time
from contextlib import suppress

import websockets
from websockets import Origin

FRAMES = 500  # a second
HANDSHAKES = 300  # a second


class Flooder:
    """Somebody without an account, at one table; `until` is when it ends."""

    def __init__(self, port: int, path: str, seconds: float) -> None:
        self.address = f"ws://127.0.0.1:{port}/ws{path}"
        self.origin = Origin(f"http://127.0.0.1:{port}")
        self.began = time.perf_counter()
        self.until = self.began + seconds

    def goes_on(self) -> bool:
        return time.perf_counter() < self.until

    async def pace(self, count: int, rate: int) -> None:
        """Wait until it is time for the next one."""
        await asyncio.sleep(self.began + count / rate - time.perf_counter())

    async def frames(self) -> None:
        sent = 0
        while self.goes_on():
            with suppress(OSError, websockets.WebSocketException):
                async with websockets.connect(self.address, origin=self.origin) as line:
                    while self.goes_on():
                        await line.send('{"hello": 1, "stamp": "x"}')
                        sent += 1
                        await self.pace(sent, FRAMES)

    async def handshakes(self) -> None:
        asked: set[asyncio.Task[None]] = set()
        while self.goes_on():
            asked.add(asyncio.create_task(self._ask()))
            await self.pace(len(asked), HANDSHAKES)
        await asyncio.gather(*asked)

    async def _ask(self) -> None:
        with suppress(OSError, websockets.WebSocketException, TimeoutError):
            async with websockets.connect(self.address, origin=self.origin):
                await asyncio.sleep(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("frames", "handshakes"))
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--path", required=True)
    parser.add_argument("--seconds", type=float, required=True)
    options = parser.parse_args()
    flooder = Flooder(options.port, options.path, options.seconds)
    asyncio.run(flooder.frames() if options.kind == "frames" else flooder.handshakes())


if __name__ == "__main__":
    main()
