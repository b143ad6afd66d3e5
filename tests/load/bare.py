"""The yardstick: a consumer that reads a frame and answers it, with no database and no template."""

import json
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter, URLRouter
from django.urls import re_path

ANSWER = '<div id="ack" data-key="{}"></div>' + "x" * 2500


class Bare(AsyncWebsocketConsumer):
    """Answers each frame with as many bytes as a table's push has."""

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        frame: dict[str, Any] = json.loads(text_data or "{}")
        await self.send(ANSWER.format(frame.get("key", "")))


_bare: Any = Bare.as_asgi()
application = ProtocolTypeRouter({"websocket": URLRouter([re_path(r"", _bare)])})
