"""The one place that rings a table's bell, and the list of this process's sockets.

A bell says "this series has this version now", never a card and never HTML (docs/architecture.md,
One action's way). It may be lost: every process asks the database once a second what its sockets
missed.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from accounts.sessions import Ticket

logger = logging.getLogger(__name__)

RING_TIMEOUT: Final = 1.0  # seconds; a frozen Redis must not hold the process
_tasks: set[asyncio.Task[None]] = set()


class Bell(NamedTuple):
    """What is to be rung, once it is stored: the series, and the version and talk it has now."""

    series_id: int
    version: int
    talk: int


@dataclass(frozen=True, slots=True)
class Stamp:
    """All that can change on a table, as numbers: its version, its talk, and who is present."""

    version: int
    talk: int
    present: frozenset[int] = frozenset()

    def __str__(self) -> str:
        """The stamp as a page carries it; it only compares it."""
        return ".".join(map(str, (self.version, self.talk, *sorted(self.present))))


class Socket(Protocol):
    """What the poller needs of a consumer; nothing here waits for the socket's other end."""

    @property
    def series_id(self) -> int: ...
    @property
    def seat_id(self) -> int | None: ...
    @property
    def user_id(self) -> int | None: ...
    @property
    def ticket(self) -> Ticket | None: ...
    @property
    def stamp(self) -> Stamp: ...

    def catch_up_soon(self, stamp: Stamp) -> None: ...
    def ping_soon(self) -> None: ...
    def end_session_soon(self) -> None: ...
    def announce_soon(self) -> None: ...


sockets: Final[set[Socket]] = set()
"""The open sockets of this process."""


def sockets_of(user_id: int) -> int:
    """How many sockets a user has open in this process."""
    return sum(each.user_id == user_id for each in sockets)


def series_group(series_id: int) -> str:
    """The channel group of everybody who looks at a series."""
    return f"series.{series_id}"


async def ring(series_id: int, version: int, *, talk: int, by: str = "") -> None:
    """Tell all viewers of a series, in every process, that it changed.

    `by` is the channel that caused it and has its answer already. The layer may be out of reach:
    that is logged and no error, since the change is stored.
    """
    message = {
        "type": "bell",
        "series": series_id,
        "version": version,
        "talk": talk,
        "by": by,
    }
    layer = get_channel_layer()
    assert layer is not None, "the settings name a channel layer"
    await guarded(layer.group_send, series_group(series_id), message)


def ring_soon(series_id: int, version: int, *, talk: int, by: str = "") -> None:
    """Ring from a consumer, which need not wait for it."""
    soon(ring(series_id, version, talk=talk, by=by))


def ring_now(series_id: int, version: int, *, talk: int) -> None:
    """Ring from a view or a command."""
    async_to_sync(ring)(series_id, version, talk=talk)


def ring_all(bells: Iterable[Bell]) -> None:
    """Ring several, from a view or a command."""
    for bell in bells:
        ring_now(bell.series_id, bell.version, talk=bell.talk)


def soon(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Start work that nobody waits for, and keep it from being collected meanwhile."""
    task = asyncio.get_running_loop().create_task(work)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
    return task


async def guarded[**P](
    call: Callable[P, Awaitable[None]], /, *args: P.args, **kwargs: P.kwargs
) -> bool:
    """Use the channel layer for at most a second; False, and a line in the log, if that failed."""
    try:
        async with asyncio.timeout(RING_TIMEOUT):
            await call(*args, **kwargs)
    except Exception as error:
        # Whatever the layer raises when its server is away: the poll makes it good.
        logger.warning("the channel layer did not answer: %s", type(error).__name__)
        return False
    return True
