"""Many things of one kind, each carried out by itself: one that fails holds up no other."""

import logging
import time
from collections.abc import Awaitable, Hashable
from typing import Final

from games.errors import database_is_away, log_failure

AGAIN_AFTER: Final = 60.0  # seconds


class OneByOne[Key: Hashable]:
    """Carries them out, and notes in the log what failed; `what` says that of a key, as a `%s`.

    What failed by a fault of ours, and not for want of the database, is set aside for a minute: it
    fills no log, and `aside` keeps it from standing for ever before others that are due as well.
    """

    def __init__(self, logger: logging.Logger, what: str) -> None:
        self._logger, self._what = logger, what
        self._until: dict[Key, float] = {}

    async def do[T](self, key: Key, work: Awaitable[T]) -> T | None:
        """Wait for this work; None where it failed."""
        try:
            return await work
        except Exception as error:
            log_failure(self._logger, self._what % key, error)
            if not database_is_away(error):
                self._until[key] = time.monotonic() + AGAIN_AFTER
            return None

    @property
    def aside(self) -> list[Key]:
        """The keys of what is set aside at present."""
        now = time.monotonic()
        self._until = {key: until for key, until in self._until.items() if until > now}
        return list(self._until)
