"""Addresses of sockets."""

from typing import Any, Final

from django.urls import path, re_path

from games.consumers import NoSuchSocket, TableConsumer

_table: Any = TableConsumer.as_asgi()
_nothing: Any = NoSuchSocket.as_asgi()

websocket_urlpatterns: Final[list[Any]] = [
    path("ws/series/<slug:slug>/", _table),
    # Without this an unknown path would be an error 500 and a traceback.
    re_path(r"", _nothing),
]
