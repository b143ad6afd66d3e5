"""People who play by themselves on real sockets, as their pages would have them."""

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import websockets

from accounts.models import User
from games.models import Series
from games.services.request import Wish
from tests.page import Form, Page
from tests.site import ServerProcess, log_in
from tests.sockets import TableSocket

RESEND_AFTER = 3.0  # seconds, as the page
TRIES = 40
PATIENT = ("busy", "slow-down")  # answers after which the page tries again
GIVING_UP = frozenset({"resign", *Wish})
LOST = (OSError, websockets.WebSocketException)  # TimeoutError and ConnectionError are OSErrors


def choose_form(page: Page, chance: random.Random) -> Form | None:
    """A form to submit, None where there is nothing to do: mostly knocks as soon as it can."""
    offered = [f for f in page.forms if f.method == "post" and f.action not in GIVING_UP]
    endings = [f for f in offered if f.action in ("gin", "big-gin", "knock", "defend")]
    if endings and chance.random() < 0.8:
        return chance.choice(endings)
    discards = [f for f in offered if f.action == "discard"]
    if discards:
        return min(discards, key=lambda f: (_leaves(f), f.card))
    return chance.choice(offered) if offered else None


def _leaves(form: Form) -> int:
    """The deadwood that a discard leaves, as its button says."""
    return int(form.words.split()[-1])


@dataclass
class Player:
    """A person with a page of a series open, at one of several processes.

    The page never gives up: when the socket is lost it goes on to the next process, and what was
    not acknowledged is sent again with the same key. `sent`, `answers` and `notices` go by
    the key.
    """

    series: Series
    user: User | None
    servers: Sequence[ServerProcess]
    at: int = 0
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    cookie: str = ""
    page: Page = field(default_factory=Page)
    sent: dict[str, dict[str, str]] = field(default_factory=dict)
    answers: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    notices: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    closes: list[int] = field(default_factory=list)
    received: list[str] = field(default_factory=list)
    socket: TableSocket | None = None

    def log_in(self) -> "Player":
        """Get a session; uses the database."""
        if self.user is not None:
            self.cookie = log_in(self.user)
        return self

    @property
    def server(self) -> ServerProcess:
        return self.servers[self.at % len(self.servers)]

    @property
    def path(self) -> str:
        return self.series.get_absolute_url()

    async def arrive(self) -> "Player":
        """Open the socket at this process, with the page as it is."""
        self.socket = TableSocket(
            url=f"{self.server.socket_origin}/ws{self.path}",
            origin=self.server.origin,
            cookie=self.cookie,
            page=self.page,
            received=self.received,
        )
        await self.socket.open()
        return self

    async def leave(self) -> None:
        if self.socket is not None:
            await self.socket.close()
            self.socket = None

    async def return_to_the_next(self) -> None:
        """Reconnect as the page does: somewhere else, after a moment of its own."""
        if self.socket is not None and self.socket.closed is not None:
            self.closes.append(self.socket.closed)
        await self.leave()
        for attempt in range(TRIES):
            self.at += 1
            with suppress(*LOST):
                await self.arrive()
                return
            await asyncio.sleep(self.chance.random() * min(2.0, 0.1 * 2**attempt))
        raise AssertionError("no process takes the socket")

    async def submit(self, fields: dict[str, str]) -> str:
        """Send until there is a definite answer; the status."""
        key = fields["key"]
        self.sent[key] = fields
        for _ in range(TRIES):
            status = await self._try(fields)
            if status is None:
                await asyncio.sleep(0.05)  # so that the socket can find out that it is closed
                continue
            self.answers[key].append(status)
            self.notices[key].append(self.page.notice)
            if status not in PATIENT:
                return status
            await asyncio.sleep(1.0 if status == "slow-down" else 0.1)
        raise AssertionError(f"no answer to {fields}: {self.answers[key]}")

    async def _try(self, fields: dict[str, str]) -> str | None:
        self.page.acks.pop(fields["key"], None)
        try:
            if self.socket is None or not self.socket.is_open:
                await self.return_to_the_next()
            assert self.socket is not None
            await self.socket.send(fields)
            status: str = await self.socket.until(
                lambda: self.page.acks.get(fields["key"]), RESEND_AFTER
            )
        except LOST:
            return None
        return status

    async def play(self, stop: asyncio.Event, *, pace: float = 0.0) -> None:
        """Play until told to stop; `pace` is the mean time in seconds to think."""
        while not stop.is_set():
            if self.socket is None or not self.socket.is_open:
                await self.return_to_the_next()
                continue
            form = choose_form(self.page, self.chance)
            if form is None:
                with suppress(*LOST):
                    await self.socket.until_news(0.5)
                continue
            await self.submit(form.fields)
            await asyncio.sleep(pace * 2 * self.chance.random())

    async def until(self, condition: Callable[[Page], Any], within: float = 20.0) -> Any:
        """Wait until a condition on the page holds; its value."""
        assert self.socket is not None, "not at the table"
        return await self.socket.until(lambda: condition(self.page), within)

    async def until_version(self, version: int, within: float = 20.0) -> None:
        assert self.socket is not None, "not at the table"
        await self.socket.until_version(version, within)

    async def until_received(self, count: int, within: float = 20.0) -> None:
        """Wait until so many texts have come since the list was cleared."""
        assert self.socket is not None, "not at the table"
        await self.socket.until(lambda: len(self.received) >= count, within)
