"""A flood: as many lines as the chat takes at all (games.services.chat_limits)."""

from datetime import timedelta
from typing import Final

FROM: Final = 30
WITHIN: Final = timedelta(minutes=5)


def is_flood(said_lately: int) -> bool:
    """Whether so many lines of one person within that time are a signal."""
    return said_lately >= FROM
