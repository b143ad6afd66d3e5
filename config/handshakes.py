"""No address opens sockets by the hundred (promise S6)."""

import logging
import time
from collections import Counter
from typing import Any, Final

from channels.security.websocket import WebsocketDenier
from django.conf import settings

logger = logging.getLogger(__name__)

WITHIN: Final = 10.0  # seconds
ABUSE: Final = 1008  # the code by which a table's socket ends a flood
ABUSES: Final = 5  # of them use up what an address may ask for


class NotTooManyHandshakes:
    """Refuse the sockets that an address asks for beyond `settings.HANDSHAKES` in ten seconds.

    A page opens one, and waits longer after each that is refused. Counted before anything is asked
    of the database, and in memory: a process protects itself. A socket that ended as an abuse
    counts as many, so that a flood does not go on by the next. Where the server knows no address,
    as behind a Unix socket, nothing is counted.
    """

    def __init__(self, application: Any) -> None:
        self.application = application
        self.counted: Counter[str] = Counter()
        self.until = 0.0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        address, _ = scope.get("client") or (None, None)
        if address is None:
            return await self.application(scope, receive, send)
        if not self._may_come(address):
            return await WebsocketDenier()(scope, receive, send)

        async def send_and_count(message: Any) -> None:
            if message["type"] == "websocket.close" and message.get("code") == ABUSE:
                self.counted[address] += int(settings.HANDSHAKES) // ABUSES
            await send(message)

        return await self.application(scope, receive, send_and_count)

    def _may_come(self, address: str) -> bool:
        now, most = time.monotonic(), int(settings.HANDSHAKES)
        if now >= self.until:
            self.counted.clear()
            self.until = now + WITHIN
        self.counted[address] += 1
        if self.counted[address] == most + 1:
            logger.warning("sockets refused: an address asked for more than %s", most)
        return self.counted[address] <= most
