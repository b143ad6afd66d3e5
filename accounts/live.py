"""What a user's open sockets are told: that a log in has ended (promise S4), or who is blocked."""

import asyncio
import logging
from typing import Any, Final

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)

WITHIN: Final = 1.0  # seconds; a frozen Redis must not hold a log out


def user_group(user_id: int) -> str:
    """The channel group that all sockets of a user are in."""
    return f"user.{user_id}"


def end_sockets(*, user_id: int, session: str | None = None) -> None:
    """Tell a user's sockets that the log in is over; `session`, a fingerprint, limits it to one.

    A lost message is made good by the poll of every process within two seconds, so a layer that is
    out of reach is logged and no error.
    """
    _tell(user_id, {"type": "session.over", "session": session})


def tell_relations(user_id: int) -> None:
    """Tell a user's sockets that they have blocked somebody, or do so no longer."""
    _tell(user_id, {"type": "relations.changed"})


def _tell(user_id: int, message: dict[str, Any]) -> None:
    try:
        async_to_sync(_send)(user_group(user_id), message)
    except Exception as error:
        logger.warning(
            "the channel layer took no message for user %s: %s", user_id, type(error).__name__
        )


async def _send(group: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    assert layer is not None, "the settings name a channel layer"
    async with asyncio.timeout(WITHIN):
        await layer.group_send(group, message)
