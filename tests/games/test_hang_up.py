"""A visitor who hangs up once their request is sent."""

from typing import Any

import pytest

from config.asgi import application

SCOPE: dict[str, Any] = {
    "type": "http",
    "method": "GET",
    "path": "/healthz",
    "query_string": b"",
    "headers": [(b"host", b"testserver")],
    "server": ("testserver", 80),
}


@pytest.mark.django_db(transaction=True)
async def test_a_request_goes_on_when_its_visitor_hangs_up() -> None:
    """Cut half-way, an action's bell was not rung, and at times Django failed in clearing up."""
    received = iter(
        [
            {"type": "http.request", "body": b"", "more_body": True},
            {"type": "http.request", "body": b"", "more_body": False},
            {"type": "http.disconnect"},
        ]
    )
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return next(received)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await application(SCOPE, receive, send)

    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert sent[0]["status"] == 200
