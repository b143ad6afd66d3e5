"""The cache, whose Redis may be away: then nothing is counted, and nobody is turned away for it."""

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

LEFT_ALONE_FOR: Final = 5.0  # seconds; each try may cost a visitor one


class MayBeAway(RedisCache):
    """A Redis cache that is empty while its server is away, as is asked of it here.

    What allauth and `accounts.limits` use: the other methods raise what Redis raises.
    """

    away_until = 0.0

    def _ask[T](self, call: Callable[[], T], otherwise: T) -> T:
        if time.monotonic() < MayBeAway.away_until:
            return otherwise
        try:
            return call()
        except RedisError as error:
            MayBeAway.away_until = time.monotonic() + LEFT_ALONE_FOR
            logger.warning("limits are not counted: %s", type(error).__name__)
            return otherwise

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return self._ask(partial(super().add, *args, **kwargs), True)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._ask(partial(super().get, key, default, version), default)

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._ask(partial(super().set, *args, **kwargs), None)

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        return self._ask(partial(super().delete, *args, **kwargs), False)

    def incr(self, *args: Any, **kwargs: Any) -> int:
        """Raises ValueError where there is nothing to count on, as while the server is away."""
        count = self._ask(partial(super().incr, *args, **kwargs), 0)
        if not count:
            raise ValueError("nothing is counted")
        return count
