"""No address opens sockets by the hundred (promise S6)."""

import logging
import time
from typing import Any, Final

from channels.security.websocket import WebsocketDenier
from django.conf import settings

from accounts.limits import party_at
from games.consumers import ABUSE

logger = logging.getLogger(__name__)

WITHIN: Final = 10.0  # seconds
AT_ONCE: Final = 10  # this part of them may come at once
ABUSE_COUNTS: Final = 60  # handshakes, wherever so many may be asked for


class NotTooManyHandshakes:
    """Refuse the sockets that an address asks for beyond `settings.HANDSHAKES` in ten seconds.

    A tenth of them may come at once, the others as time goes by: to open one costs as much as
    several actions. A page opens one, and waits longer after each that is refused. Counted before
    anything is asked of the database, and in memory: a process protects itself. A socket that ended
    as an abuse counts as many, so that a flood does not go on by the next. Where the server knows
    no address, as behind a Unix socket, nothing is counted.
    """

    def __init__(self, application: Any) -> None:
        self.application = application
        # By address: how many count against it, and since when they have not been taken off again.
        self.counted: dict[str, tuple[float, float]] = {}
        self.tidied_at = 0.0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        client = scope.get("client")
        if client is None:
            return await self.application(scope, receive, send)
        address = party_at(client[0])
        if not self._may_come(address):
            return await WebsocketDenier()(scope, receive, send)

        async def send_and_count(message: Any) -> None:
            if message["type"] == "websocket.close" and message.get("code") == ABUSE:
                self._count(address, ABUSE_COUNTS)
            await send(message)

        return await self.application(scope, receive, send_and_count)

    def _may_come(self, address: str) -> bool:
        most = settings.HANDSHAKES / AT_ONCE
        if self._count(address, 0) >= most:
            return False
        if self._count(address, 1) >= most:
            logger.warning("sockets refused: an address asked for more than %d at once", most)
        return True

    def _count(self, address: str, more: float) -> float:
        """Add so many; return what counts against the address now."""
        now = time.monotonic()
        if now - self.tidied_at > WITHIN:
            self.tidied_at = now
            self.counted = {each: old for each, old in self.counted.items() if _left(old, now)}
        count = _left(self.counted.get(address, (0, now)), now) + more
        self.counted[address] = count, now
        return count


def _left(counted: tuple[float, float], now: float) -> float:
    count, since = counted
    return max(0.0, count - (now - since) * float(settings.HANDSHAKES) / WITHIN)
