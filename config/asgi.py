"""The site as one ASGI application: pages, sockets, and a lifespan that runs the poller."""

import asyncio
import contextlib
import logging
import os
from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.db import DatabaseError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
pages = get_asgi_application()

from config.handshakes import NotTooManyHandshakes  # noqa: E402 (Django must be set up first)
from config.origins import normal_origin  # noqa: E402 (Django must be set up first)
from games.errors import log_failure  # noqa: E402
from games.poller import begin, run_poller  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402

logger = logging.getLogger(__name__)


class FinishedOnceBegun:
    """A visitor who hangs up does not cut their request short.

    Django would cancel it half-way: an action would be stored and its bell never rung, and the
    thread that carries it may be left in a state in which the next call fails. All our requests
    are short, so each goes on to its end; what is sent to nobody is dropped by the server.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        body_read = False

        async def receive_body() -> Any:
            nonlocal body_read
            if body_read:
                # Cancelled by Django when the answer is out.
                await asyncio.Event().wait()
            message = await receive()
            body_read = not message.get("more_body", False)
            return message

        return await self.application(scope, receive_body, send)


class OwnOriginOnly:
    """Sockets are opened by our own pages only (promise S3; faults 93 and 94).

    A browser always sends the origin, so a handshake without one is refused as well.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin1")
        if normal_origin(origin) in settings.SITE_ORIGINS:
            return await self.application(scope, receive, send)
        logger.warning("socket refused: origin %r is none of %s", origin, settings.SITE_ORIGINS)
        return await WebsocketDenier()(scope, receive, send)


class DatabaseMayBeAway:
    """A log in that can't be looked up is no error of ours: the page tries again by itself."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        try:
            return await self.application(scope, receive, send)
        except DatabaseError as error:
            log_failure(logger, "socket refused", error)
            return await WebsocketDenier()(scope, receive, send)


async def lifespan(scope: Any, receive: Any, send: Any) -> None:
    """Run the poller as long as the process serves."""
    assert (await receive())["type"] == "lifespan.startup"
    await begin()
    poller = asyncio.create_task(run_poller())
    await send({"type": "lifespan.startup.complete"})
    assert (await receive())["type"] == "lifespan.shutdown"
    poller.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await poller
    await send({"type": "lifespan.shutdown.complete"})


application = ProtocolTypeRouter(
    {
        "http": FinishedOnceBegun(pages),
        "websocket": NotTooManyHandshakes(
            OwnOriginOnly(DatabaseMayBeAway(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))))
        ),
        "lifespan": lifespan,
    }
)
