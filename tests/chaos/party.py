"""Tables full of people who play by themselves, and what must be true of them afterwards."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from games.forms.action import parse_request
from games.models import Round
from games.rules.log import Entry
from games.services.request import ActionRequest
from tests.players import Player
from tests.site import Site, in_db
from tests.tables import Played, new_table
from tests.truth import until_true, wrong_in


@dataclass
class Party:
    """Some tables on a site, each with its two players, at different processes."""

    tables: list[Played]
    players: list[Player]
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    async def of(cls, site: Site, tables: int) -> "Party":
        made = await in_db(lambda: [new_table() for _ in range(tables)])
        players = [
            Player(table.series, user, site.servers, at=number + seat, chance=random.Random(number))
            for number, table in enumerate(made)
            for seat, user in enumerate(table.users)
        ]
        await in_db(lambda: [player.log_in() for player in players])
        for player in players:
            await player.arrive()
        return cls(made, players)

    @asynccontextmanager
    async def playing(self, *, pace: float):  # type: ignore[no-untyped-def]
        """All play while the block runs; at its end each has the answer it waits for."""
        self.stop.clear()
        async with asyncio.TaskGroup() as group:
            for player in self.players:
                group.create_task(player.play(self.stop, pace=pace))
            try:
                yield
            finally:
                self.stop.set()

    async def leave(self) -> None:
        for player in self.players:
            await player.leave()

    async def settle(self) -> None:
        """Until every page shows what is stored."""
        for player in self.players:
            if player.socket is None or not player.socket.is_open:
                await player.return_to_the_next()
            await until_true(player, within=60)

    @property
    def answers(self) -> Counter[str]:
        """How often each status was answered, over all players."""
        return Counter(
            s for player in self.players for each in player.answers.values() for s in each
        )

    def check(self) -> None:
        """Nothing acknowledged is lost, nothing is stored that nobody sent, and no log is wrong."""
        for table in self.tables:
            players = [each for each in self.players if each.series == table.series]
            assert missing(table, players) == []
            assert unsent(table, players) == []
            assert wrong_in(table.series) == []


def missing(table: Played, players: Iterable[Player]) -> list[str]:
    """Acknowledged actions that are not in the log at their ply."""
    logs = entries_of(table)
    return [
        f"seat {seat} was told {player.answers[key]} for {fields}"
        for seat, player in enumerate(players)
        for key, fields in player.sent.items()
        if {"done", "repeat"} & set(player.answers[key])
        and isinstance(request := parse_request(fields), ActionRequest)
        and logs.get((request.round, request.ply)) != Entry(seat, request.action)
    ]


def unsent(table: Played, players: Iterable[Player]) -> list[str]:
    """Entries of the log that no player sent."""
    sent = {
        (request.round, request.ply, seat, request.action)
        for seat, player in enumerate(players)
        for fields in player.sent.values()
        if isinstance(request := parse_request(fields), ActionRequest)
    }
    return [
        f"round {number}, ply {ply}: {entry}"
        for (number, ply), entry in entries_of(table).items()
        if (number, ply, entry.seat, entry.action) not in sent
    ]


def entries_of(table: Played) -> dict[tuple[int, int], Entry]:
    return dict(_entries(table))


def _entries(table: Played) -> Iterator[tuple[tuple[int, int], Entry]]:
    for row in Round.objects.filter(series=table.series).select_related("series"):
        for ply, entry in enumerate(row.folded().entries):
            yield (row.number, ply), entry
