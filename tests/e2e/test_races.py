"""Requests that arrive at once, by both doors and at two processes (promises R2 and R3)."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable

import pytest

from accounts.models import User
from games.rules.actions import Pass
from games.rules.state import Phase
from games.services.outcome import Status
from games.views.series import HTTP_STATUS
from tests.live import Come
from tests.long import long_or
from tests.page import Form, Page
from tests.players import Player, choose_form
from tests.site import Site, in_db
from tests.tables import Played, hasty, new_table
from tests.truth import shown_by, stored_for
from tests.visitor import Visitor

ROUNDS = long_or(50, 4)
AT_ONCE = 12


class Doors:
    """One player's ways in: six sockets and POST, at both processes."""

    def __init__(self, sockets: list[Player], visitors: list[Visitor]) -> None:
        self.sockets, self.visitors = sockets, visitors

    @classmethod
    async def of(cls, table: Played, user: User, pair: Site, come: Come) -> "Doors":
        first = await come(pair, table.series, user)
        rest = [
            await come(pair, table.series, user, at=number, cookie=first.cookie)
            for number in range(1, AT_ONCE // 2)
        ]
        return cls([first, *rest], [Visitor(server, first.cookie) for server in pair.servers])

    @property
    def page(self) -> Page:
        return self.sockets[0].page

    async def until_version(self, version: int) -> None:
        for player in self.sockets:
            await player.until_version(version)

    async def at_once(self, requests: list[dict[str, str]]) -> list[tuple[str, Page]]:
        """Send each of these by another door: their statuses, and the pages they left."""
        ways: list[Awaitable[tuple[str, Page]]] = []
        for number, fields in enumerate(requests):
            if number % 2:
                ways.append(self._send(self.sockets[number // 2], fields))
            else:
                ways.append(self._post(self.visitors[number // 2 % 2], fields))
        return await asyncio.gather(*ways)

    async def _send(self, player: Player, fields: dict[str, str]) -> tuple[str, Page]:
        assert player.socket is not None
        player.page.acks.pop(fields["key"], None)
        await player.socket.send(fields)
        status = await player.socket.until(lambda: player.page.acks.get(fields["key"]))
        return status, player.page

    async def _post(self, visitor: Visitor, fields: dict[str, str]) -> tuple[str, Page]:
        answer = await visitor.post(self.sockets[0].path, fields, htmx=True)
        page = Page()
        assert page.apply(answer.text), "a whole table has no gap before it"
        status = page.acks[fields["key"]]
        assert answer.status == HTTP_STATUS[Status(status)]
        return status, page


async def both(table: Played, pair: Site, come: Come) -> list[Doors]:
    return [await Doors.of(table, user, pair, come) for user in table.users]


async def on_turn(table: Played, doors: list[Doors]) -> tuple[Doors, int]:
    """Whose turn it is, on pages that show it, and the version."""
    row = await in_db(lambda: table.row)
    for each in doors:
        await each.until_version(row.version)
    if row.kind:
        return doors[0 if doors[0].page.form("next-round") else 1], row.version
    return doors[(await in_db(lambda: table.state)).turn], row.version


@pytest.mark.postgres
async def test_r2_a_request_counts_once_however_often_and_wherever_it_comes(
    pair: Site, come: Come
) -> None:
    table = await in_db(new_table)
    doors = await both(table, pair, come)
    chance = random.Random(2)
    for _ in range(ROUNDS):
        actor, version = await on_turn(table, doors)
        form = choose_form(actor.page, chance)
        assert form is not None
        answers = await actor.at_once([form.fields] * AT_ONCE)
        assert Counter(status for status, _ in answers) == {"done": 1, "repeat": AT_ONCE - 1}
        later = await in_db(lambda: table.row)
        gained = later.version - version
        assert gained == 1 or (gained == 0 and form.action == "next-round")
        truth = await in_db(stored_for, table.series, actor.sockets[0].user.pk)
        assert all(shown_by(page)["piles"] == truth["piles"] for _, page in answers)
        assert await again_after_all_that(actor, form) == {"repeat"}
        assert (await in_db(lambda: table.row)).version == later.version
    assert not pair.errors()


async def again_after_all_that(actor: Doors, form: Form) -> set[str]:
    """The same request after its answer, and after a reconnect to the other process."""
    player = actor.sockets[0]
    statuses = {await player.submit(form.fields)}
    await player.return_to_the_next()
    statuses.add(await player.submit(form.fields))
    return statuses


@pytest.mark.postgres
async def test_r3_of_several_actions_for_one_ply_one_counts_and_the_others_are_told(
    pair: Site, come: Come
) -> None:
    table = await in_db(new_table)
    doors = await both(table, pair, come)
    chance = random.Random(3)
    for _ in range(ROUNDS):
        await in_db(play_until_discard, table)
        actor, version = await on_turn(table, doors)
        forms = [form for form in actor.page.forms if form.card and form.method == "post"]
        requests = [form.fields for form in chance.sample(forms, min(len(forms), AT_ONCE))]
        answers = await actor.at_once(requests)
        counted = Counter(status for status, _ in answers)
        assert counted == {"done": 1, "stale": len(requests) - 1} or (
            # The one that counted ended the round.
            counted == {"done": 1, "over": len(requests) - 1}
        )
        assert (await in_db(lambda: table.row)).version == version + 1
    assert not pair.errors()


def play_until_discard(table: Played) -> None:
    """Until somebody holds eleven cards."""
    choose = hasty(random.Random(table.row.ply))
    while table.row.kind or table.state.phase is not Phase.DISCARD:
        if table.row.kind:
            for user in table.users:
                table.press_next(user)
        else:
            table.act(choose(table.state))


async def test_fault_49_the_second_of_two_quick_actions_is_told_and_the_words_stay(
    site: Site, come: Come
) -> None:
    table = await in_db(new_table)
    player = await come(site, table.series, await in_db(lambda: table.turn_user))
    await player.until_version(1)
    first, second = player.page.form("pass"), player.page.form("take")
    assert first
    assert second
    assert await asyncio.gather(player.submit(first.fields), player.submit(second.fields)) == [
        "done",
        "stale",
    ]
    words = player.page.notice
    assert words
    await in_db(table.act, Pass())
    await player.until_version(3)
    assert player.page.notice == words, "a push leaves the message where it is"


async def test_fault_50_twenty_draws_at_once_draw_one_card(site: Site, come: Come) -> None:
    table = await in_db(new_table)
    await in_db(lambda: [table.act(Pass()), table.act(Pass())])
    player = await come(site, table.series, await in_db(lambda: table.turn_user))
    await player.until_version(3)
    draw = player.page.form("draw")
    assert draw
    requests = [draw.fields | {"key": f"draw.{number}"} for number in range(20)]
    answers = Counter(await asyncio.gather(*(player.submit(fields) for fields in requests)))
    assert answers == {"done": 1, "stale": 19}
    row = await in_db(lambda: table.row)
    assert row.log == "1 p p d"


async def test_fault_50_an_action_before_its_time_is_never_carried_out(
    site: Site, come: Come
) -> None:
    table = await in_db(new_table)
    waiting = await come(site, table.series, await in_db(lambda: table.waiting_user))
    await waiting.until_version(1)
    early = {"action": "pass", "round": "1", "ply": "0", "key": "early"}
    assert await waiting.submit(early) == "illegal"
    await in_db(table.act, Pass())
    await waiting.until_version(2)
    assert await waiting.submit(early) == "stale"
    assert (await in_db(lambda: table.row)).log == "1 p"
