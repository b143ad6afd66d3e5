"""A visitor without JavaScript: GET and POST, with a session's cookie."""

import asyncio
import http.client
from dataclasses import dataclass, field
from urllib.parse import urlencode

from tests.site import ServerProcess

TOKEN = "c" * 32  # any will do: the cookie and the field must agree
ANSWER_WITHIN = 30.0  # seconds


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Visitor:
    """Asks one server; every answer is kept."""

    server: ServerProcess
    cookie: str = ""
    answers: list[Answer] = field(default_factory=list)

    async def get(self, path: str) -> Answer:
        return await asyncio.to_thread(self._ask, "GET", path, None, {})

    async def post(self, path: str, fields: dict[str, str], *, htmx: bool = False) -> Answer:
        """Submit a form, as a browser does or as htmx does."""
        headers = {"Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": TOKEN}
        if htmx:
            headers["HX-Request"] = "true"
        return await asyncio.to_thread(self._ask, "POST", path, urlencode(fields), headers)

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        cookie = "; ".join(filter(None, (self.cookie, f"csrf={TOKEN}")))
        headers = {"Cookie": cookie, "Origin": self.server.origin, **headers}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, ANSWER_WITHIN)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            answer = Answer(
                response.status,
                {name.lower(): value for name, value in response.getheaders()},
                response.read().decode(),
            )
        finally:
            connection.close()
        self.answers.append(answer)
        return answer
