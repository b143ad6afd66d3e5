"""The channel layer: Redis's pub/sub, whose absence keeps no socket from opening (fault 99).

Channels makes a channel for each socket before the socket is accepted, and the library's layer
raises where Redis is away: no page could open a socket then, and one opened in between would stay
deaf for ever. Here a subscription that fails is made good when Redis is back; until then the poll
(games.poller) brings what the bells don't.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from channels_redis.pubsub import (
    RedisPubSubChannelLayer,
    RedisPubSubLoopLayer,
    RedisSingleShardConnection,
)
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

ANSWER_WITHIN: Final = 1.0  # seconds; a frozen Redis must not hold a socket
TRY_AGAIN_AFTER: Final = 1.0  # seconds
AWAY: Final = (OSError, RedisError)  # a TimeoutError is an OSError


type Step = Callable[[str], Awaitable[None]]


class Shard(RedisSingleShardConnection):  # type: ignore[misc]
    """A connection to Redis that does later what it can't do now."""

    def __init__(self, host: Any, layer: RedisPubSubLoopLayer) -> None:
        super().__init__(host, layer)
        # By channel, what is to be done about it: the last of joining and leaving counts.
        self._due: dict[str, Step] = {}
        self._trying: asyncio.Task[None] | None = None

    async def subscribe(self, channel: str) -> None:
        await self._now_or_later(channel, super().subscribe)

    async def unsubscribe(self, channel: str) -> None:
        await self._now_or_later(channel, super().unsubscribe)

    async def flush(self) -> None:
        self._due.clear()
        if self._trying is not None:
            self._trying.cancel()
            self._trying = None
        await super().flush()

    async def _now_or_later(self, channel: str, step: Step) -> None:
        self._due[channel] = step
        try:
            await self._take(channel, step)
        except AWAY as error:
            logger.warning("Redis did not answer, it is asked again: %s", type(error).__name__)
        finally:
            # Whoever waits for this may have lost patience first.
            if channel in self._due and self._trying is None:
                self._trying = asyncio.create_task(self._try_again())

    async def _take(self, channel: str, step: Step) -> None:
        async with asyncio.timeout(ANSWER_WITHIN):
            await step(channel)
        if self._due.get(channel) == step:
            del self._due[channel]

    async def _try_again(self) -> None:
        while self._due:
            await asyncio.sleep(TRY_AGAIN_AFTER)
            for channel, step in list(self._due.items()):
                with suppress(*AWAY):
                    await self._take(channel, step)
        self._trying = None


class LoopLayer(RedisPubSubLoopLayer):  # type: ignore[misc]
    """The layer of one event loop, on such connections."""

    _shards: list[RedisSingleShardConnection]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._shards = [Shard(shard.host, self) for shard in self._shards]


class BellLayer(RedisPubSubChannelLayer):  # type: ignore[misc]
    """The layer that the settings name."""

    def _get_layer(self) -> RedisPubSubLoopLayer:
        layer = super()._get_layer()
        if not isinstance(layer, LoopLayer):
            layer = LoopLayer(*self._args, **self._kwargs, channel_layer=self)
            self._layers[asyncio.get_running_loop()] = layer
        return layer
