"""How often somebody may do something, counted in the cache."""

import logging

from django.core.cache import cache

logger = logging.getLogger(__name__)


def may_again(key: str, *, times: int, seconds: int) -> bool:
    """Count one more under this key; False once it was more than `times` within so many seconds.

    Without its cache the site lets people go on: it is no reason to turn them away.
    """
    try:
        cache.add(key, 0, seconds)
        return cache.incr(key) <= times
    except ValueError:
        return True  # it ran out between the two calls
    except Exception as error:
        # Whatever the cache raises when its server is away.
        logger.warning("%s was not counted: %s", key.partition(".")[0], type(error).__name__)
        return True
