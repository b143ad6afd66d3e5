"""Rounds played over sockets, with everything recorded that anybody was sent.

Promise R5: both players, a spectator and the stored log agree after every round.
Promise S2: nobody is sent a card that is not theirs to know, nor is it in Redis or in the logs.
"""

import asyncio
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import msgpack
import pytest
import redis.asyncio

from games.models import Round, Series
from games.rules.cards import DECK, Card
from tests.cards_named import cards_named, could_fit, hidden_from, states_of
from tests.live import Come
from tests.long import long_or
from tests.page import Page
from tests.players import Player, choose_form
from tests.site import Site, in_db
from tests.tables import Played, new_table
from tests.truth import until_true, wrong_in
from tests.visitor import Visitor

ROUNDS = long_or(500, 20)


@dataclass
class Recording:
    """All that left the servers: for each series and seat (None: the spectator), and to Redis."""

    sent: list[tuple[Series, int | None, str]] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    rounds: int = 0


@asynccontextmanager
async def listening_to_redis(pair: Site, recording: Recording) -> AsyncIterator[None]:
    """Keep every message published, and every command that any client of the site sends."""
    url = pair.servers[0].environment["REDIS_URL"]
    tasks = [
        asyncio.create_task(_subscribe(url, pair.prefix, recording)),
        asyncio.create_task(_monitor(url, pair.prefix, recording)),
    ]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _subscribe(url: str, prefix: str, recording: Recording) -> None:
    async with redis.asyncio.from_url(url) as client, client.pubsub() as channel:
        await channel.psubscribe(f"{prefix}*")
        async for message in channel.listen():
            if message["type"] == "pmessage":
                recording.messages.append(msgpack.unpackb(message["data"]))


async def _monitor(url: str, prefix: str, recording: Recording) -> None:
    async with redis.asyncio.from_url(url) as client, client.monitor() as commands:
        async for command in commands.listen():
            if prefix in command["command"]:
                recording.commands.append(_unescaped(command["command"]))


def _unescaped(text: str) -> str:
    # Version 579 is told as "\x02C", which is no two of clubs.
    return re.sub(r"\\x([0-9a-f]{2})", lambda byte: chr(int(byte[1], 16)), text)


class Recorded:
    """A series with its two players and a spectator, each at a process of their own."""

    def __init__(self, table: Played, viewers: list[Player], recording: Recording) -> None:
        self.table, self.viewers, self.recording = table, viewers, recording
        self.players = viewers[:2]
        self.chance = random.Random(table.series.pk)

    @classmethod
    async def begin(cls, pair: Site, come: Come, recording: Recording) -> "Recorded":
        table = await in_db(new_table)
        users = (*table.users, None)
        viewers = [
            await come(pair, table.series, user, at=number) for number, user in enumerate(users)
        ]
        for viewer in viewers:
            await viewer.until_version(1)
        return cls(table, viewers, recording)

    async def play_round(self) -> bool:
        """Play until the round has ended; whether the series goes on."""
        while True:
            actor = next((each for each in self.players if self._form(each)), None)
            if actor is None:
                break
            form = self._form(actor)
            assert form is not None
            if form.action == "next-round":
                break
            await self._act(actor, form.fields)
            await self._catch_up()
        for viewer in self.viewers:
            await until_true(viewer)
            await self._look(viewer)
        self.recording.rounds += 1
        return actor is not None

    def _form(self, player: Player) -> Any:
        return choose_form(player.page, self.chance)

    async def _act(self, actor: Player, fields: dict[str, str]) -> None:
        if self.chance.random() < 0.1:
            await self._look(actor)
            answer = await Visitor(actor.server, actor.cookie).post(actor.path, fields)
            assert answer.status == 200
            self._record(actor, answer.text)
        else:
            assert await actor.submit(fields) == "done"

    async def _catch_up(self) -> None:
        version = (await in_db(lambda: self.table.row)).version
        for viewer in self.viewers:
            await viewer.until_version(version)

    async def _look(self, viewer: Player) -> None:
        """By GET, at the other process."""
        other = viewer.servers[(viewer.at + 1) % len(viewer.servers)]
        page = await Visitor(other, viewer.cookie).get(viewer.path)
        self._record(viewer, page.text)

    def _record(self, viewer: Player, text: str) -> None:
        self.recording.sent.append((self.table.series, self._seat(viewer), text))

    def _seat(self, viewer: Player) -> int | None:
        number = self.viewers.index(viewer)
        return number if number < 2 else None

    async def next_round(self) -> None:
        number = (await in_db(lambda: self.table.row)).number
        for player in self.players:
            press = player.page.form("next-round")
            assert press is not None
            assert await player.submit(press.fields) == "done"
        for viewer in self.viewers:
            await viewer.until(lambda page: shows_round(page, number + 1))

    async def end(self) -> None:
        for viewer in self.viewers:
            assert viewer.page.gaps == 0, "every version reached every viewer"
            await viewer.leave()
            for text in viewer.received:
                self._record(viewer, text)
        assert await in_db(wrong_in, self.table.series) == []


def shows_round(page: Page, number: int) -> bool:
    return page.regions["news"].attributes["data-round"] == str(number)


async def play_series(pair: Site, come: Come, recording: Recording) -> None:
    """Series after series, until there are enough rounds."""
    while recording.rounds < ROUNDS:
        party = await Recorded.begin(pair, come, recording)
        while await party.play_round() and recording.rounds < ROUNDS:
            await party.next_round()
        await party.end()


@pytest.fixture
async def recording(pair: Site, come: Come) -> Recording:
    recording = Recording()
    async with listening_to_redis(pair, recording), asyncio.TaskGroup() as tables:
        # Side by side, since nobody may act ten times a second.
        for _ in range(4):
            tables.create_task(play_series(pair, come, recording))
    return recording


@pytest.mark.postgres
async def test_r5_s2_all_agree_after_every_round_and_nobody_is_sent_a_hidden_card(
    pair: Site, recording: Recording
) -> None:
    assert recording.rounds >= ROUNDS
    assert len(recording.sent) > 50 * ROUNDS
    assert await in_db(leaks, recording.sent) == []
    swapped = [
        (series, 1 - seat, text) for series, seat, text in recording.sent if seat is not None
    ]
    assert len(await in_db(leaks, swapped)) > ROUNDS, "what would be a leak is seen"
    assert_bells_only(recording)
    # Without its name: EXISTS ends like the ten of spades.
    assert cards_in_lines([each.partition(" ")[2] for each in recording.commands]) == []
    assert cards_in_lines(pair.logs().splitlines()) == []
    assert pair.errors() == []


def leaks(sent: list[tuple[Series, int | None, str]]) -> list[str]:
    """Whatever somebody was sent that they can't know at that version."""
    found: list[str] = []
    known = {series: Hidden(series) for series in {series for series, *_ in sent}}
    for series, seat, text in sent:
        found.extend(known[series].in_text(seat, text))
    return found


_PULSE = re.compile(r'<div id="pulse"[^>]* data-version="(\d+)"')
# What would fit on the viewer's own knock, wherever it lies.
_FITS = re.compile(r'<(p|span) class="fits">.*?(?:</p>|</span></span></label>)', re.DOTALL)
# An answer bears the key that its own viewer sent, which may name a card of theirs.
_OWN_KEY = re.compile(r'(<div id="ack"[^>]*) data-key="[^"]*"')


class Hidden:
    """What is hidden from whom at each version of a series."""

    def __init__(self, series: Series) -> None:
        self.at: dict[tuple[int, int | None], set[Card]] = {}
        self.fitting: dict[tuple[int, int | None], set[Card]] = {}
        self.secret_until: dict[str, int] = {bytes(series.next_secret).hex(): 10**9}
        for row in Round.objects.filter(series=series).select_related("series").order_by("number"):
            for ply, state in enumerate(states_of(row)):
                for seat in (0, 1, None):
                    version = row.version_before + 1 + ply
                    self.at[version, seat] = hidden_from(state, seat)
                    self.fitting[version, seat] = could_fit(state, seat)
            ended = row.version if row.kind else 10**9
            self.secret_until[bytes(row.secret).hex()] = ended

    def in_text(self, seat: int | None, text: str) -> list[str]:
        pulse = _PULSE.search(text)
        version = int(pulse[1]) if pulse else -1
        # Without a pulse it is a mere refusal, which names no card at all.
        text = _OWN_KEY.sub(r"\1", text)
        fits = "".join(found[0] for found in _FITS.finditer(text))
        seen = cards_named(_FITS.sub("", text)) & self.at.get((version, seat), set(DECK))
        seen |= cards_named(fits) - self.fitting.get((version, seat), set())
        found = [f"seat {seat} at {version} was sent {sorted(map(str, seen))}"] if seen else []
        found += [
            f"seat {seat} at {version} was sent a secret"
            for secret, ended in self.secret_until.items()
            if version < ended and secret in text.lower()
        ]
        if len(set(re.findall(r'<i class="back[^>]*>', text))) > 1:
            found.append("backs differ")
        return found


def assert_bells_only(recording: Recording) -> None:
    """A message is a name, numbers, and the channel that caused it."""
    assert recording.messages
    for message in recording.messages:
        assert message.keys() == {"type", "series", "version", "talk", "by"}
        assert message["type"] == "bell"
        assert all(type(message[name]) is int for name in ("series", "version", "talk"))
        assert re.fullmatch(r"(test-[0-9a-f]{8}specific\.[0-9a-f]{32})?", message["by"])


def cards_in_lines(lines: list[str]) -> list[str]:
    return [line for line in lines if cards_named(line)]
