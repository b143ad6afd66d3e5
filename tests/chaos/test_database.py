"""A database that goes away, takes no writes, or makes one table wait (R15, R16, R17; fault 91)."""

import asyncio
import random
import time
from collections import Counter

import pytest
import websockets
from django.db import connections
from django.urls import reverse

from accounts.forms import PreferencesForm
from accounts.preferences import Preferences
from games.rules.options import Options
from games.services.series import create_series
from tests.accounts.people import PASSWORD, new_person
from tests.chaos import postgres
from tests.chaos.party import Party
from tests.live import Come
from tests.long import long_or
from tests.players import Player, choose_form
from tests.site import Site, in_db, log_in
from tests.tables import new_table, new_user
from tests.truth import until_true
from tests.visitor import Visitor

pytestmark = pytest.mark.postgres

POOL = 12  # the most connections of a process (config/settings.py)
CUTS = long_or(20, 3)
REFUSED_WITHIN = 9.0  # seconds: three times the figure, on a busy machine
OUTAGE = long_or(70.0, 1.0)  # seconds
BACK_WITHIN = 15.0  # seconds after that
BUSY_WITHIN = 7.5  # seconds: three times the figure


async def test_r15_cut_connections_cost_one_try_at_most_and_no_socket(pair: Site) -> None:
    party = await Party.of(pair, long_or(20, 4))
    async with party.playing(pace=0.2):
        for _ in range(CUTS):
            await asyncio.sleep(2.5)
            assert await asyncio.to_thread(postgres.cut_connections)
        await asyncio.sleep(1)
    assert [code for player in party.players for code in player.closes] == []
    tries = [each for player in party.players for each in player.answers.values()]
    assert all(each.count("busy") <= 1 for each in tries)
    # A connection may be lost between the commit and its answer.
    words = [
        notice for player in party.players for each in player.notices.values() for notice in each
    ]
    assert not [notice for notice in words if "Nothing has changed" in notice]
    await party.settle()
    await in_db(party.check)
    assert await asyncio.to_thread(postgres.count_connections) <= 2 * POOL
    print(f"\n{party.answers}")
    await party.leave()


async def test_r16_nothing_is_announced_that_could_not_be_written(pair: Site, come: Come) -> None:
    table = await in_db(new_table)
    actor = await come(pair, table.series, await in_db(lambda: table.turn_user), at=0)
    other = await come(pair, table.series, await in_db(lambda: table.waiting_user), at=1)
    visitor = Visitor(pair.servers[1], actor.cookie)
    for player in (actor, other):
        await player.until_version(1)
    take, leave = actor.page.form("take"), actor.page.form("pass")
    assert take
    assert leave
    with postgres.read_only():
        assert await actor.socket.submit(take, REFUSED_WITHIN) == "busy"
        assert actor.page.notice
        answer = await visitor.post(actor.path, leave.fields, htmx=True)
        assert (answer.status, 'data-status="busy"' in answer.text) == (503, True)
        page = await visitor.get(actor.path)
        assert page.status == 200
        assert (await in_db(lambda: table.row)).log == "1"
        assert [player.page.version for player in (actor, other)] == [1, 1]
    assert await actor.submit(take.fields) == "done"
    await other.until_version(2)
    for player in (actor, other):
        await until_true(player)
        assert not player.closes


async def test_r16_every_other_door_says_that_nothing_can_be_written(pair: Site) -> None:
    """Theirs was an error page of 500: only the table's own doors knew of this refusal."""
    table, free = await in_db(new_table), await in_db(waiting_table)
    person = await in_db(new_person, "Berta")
    member = Visitor(pair.servers[0], await in_db(log_in, table.users[0]))
    stranger = Visitor(pair.servers[1])
    doors = [
        (stranger, "/account/login/", {"login": person.username, "password": PASSWORD}),
        (stranger, "/account/signup/", {"username": "Otto", "password1": PASSWORD, "email": ""}),
        (stranger, "/bots/play/", {"bot": "beginner", "preset": "hollywood"}),
        (member, "/bots/play/", {"bot": "beginner", "preset": "hollywood"}),
        (member, reverse("create_series"), {"preset": "hollywood", "company": "link"}),
        (member, reverse("invitation", args=[free]), {}),
        (member, reverse("series_chat", args=[table.series.slug]), {"text": "hello", "key": "k1"}),
        (member, reverse("preferences"), await in_db(lambda: chosen(Preferences()))),
    ]
    with postgres.read_only():
        for visitor, path, fields in doors:
            answer = await visitor.post(path, fields)
            assert (path, answer.status) == (path, 503)
            assert "in a moment" in answer.text
    # As soon as it can be written, all of them take the same.
    for visitor, path, fields in doors:
        assert (path, await once_it_is_back(visitor, path, fields)) == (path, 302)


async def once_it_is_back(visitor: Visitor, path: str, fields: dict[str, str]) -> int:
    for _ in range(int(BACK_WITHIN)):
        if (status := (await visitor.post(path, fields)).status) != 503:
            return status
        await asyncio.sleep(1)
    return 503


def waiting_table() -> str:
    """The token of the invitation to a new one."""
    return str(create_series(user=new_user(), options=Options()).invitation.token)


def chosen(preferences: Preferences) -> dict[str, str]:
    form = PreferencesForm.showing(preferences)
    return {name: str(form[name].value()) for name in form.fields}


async def test_r16_while_the_database_is_away_everybody_is_told_in_words(
    pair: Site, come: Come
) -> None:
    table = await in_db(new_table)
    actor = await come(pair, table.series, await in_db(lambda: table.turn_user))
    await actor.until_version(1)
    action = actor.page.form("pass")
    assert action
    visitor = Visitor(pair.servers[0], actor.cookie)
    await in_db(connections.close_all)
    with postgres.away():
        assert await actor.socket.submit(action, REFUSED_WITHIN) == "busy"
        fragments = await visitor.post(actor.path, action.fields, htmx=True)
        page = await visitor.get(actor.path)
        with pytest.raises(websockets.InvalidStatus):
            await come(pair, table.series, actor.user, cookie=actor.cookie, at=1)
        await asyncio.sleep(OUTAGE)
    assert (fragments.status, page.status) == (503, 503)
    assert 'data-status="busy"' in fragments.text
    assert "in a moment" in page.text
    assert actor.socket.closed is None
    async with asyncio.timeout(BACK_WITHIN):
        assert await actor.submit(action.fields) == "done"
    await until_true(actor)


async def test_r17_a_table_that_is_stuck_is_told_so_and_holds_up_no_other(
    pair: Site, come: Come
) -> None:
    stuck, free = await in_db(new_table), await in_db(new_table)
    waiting = await come(pair, stuck.series, await in_db(lambda: stuck.turn_user))
    players = [await come(pair, free.series, user) for user in free.users]
    for player in (waiting, *players):
        await player.until_version(1)
    action = waiting.page.form("pass")
    assert action
    alone = [await timed_action(players) for _ in range(10)]
    row = await in_db(lambda: stuck.row)
    beside: list[float] = []
    with postgres.row_locked("games_round", row.pk):
        busy = asyncio.create_task(waiting.socket.submit(action, BUSY_WITHIN))
        await asyncio.sleep(0)
        while not busy.done():
            beside.append(await timed_action(players))
            await asyncio.sleep(0.1)  # nobody may act ten times a second
        assert await busy == "busy"
    assert len(beside) > 2, "the other table went on meanwhile"
    assert await waiting.submit(action.fields) == "done"
    print(f"\n{len(beside)} answers meanwhile, {sum(beside) / len(beside):.3f} s each,")
    print(f"{sum(alone) / len(alone):.3f} s on the unloaded site")


async def timed_action(players: list[Player]) -> float:
    """Let whoever can act do so; how long the answer took."""
    chance = random.Random(1)
    for player in players:
        await player.until_version(max(each.page.version for each in players))
    player = next(each for each in players if choose_form(each.page, chance))
    form = choose_form(player.page, chance)
    started = time.perf_counter()
    assert await player.submit(form.fields) == "done"
    return time.perf_counter() - started


async def test_fault_91_connections_stay_within_the_pool(pair: Site, come: Come) -> None:
    table = await in_db(new_table)
    first = await come(pair, table.series, table.users[0])
    others = [
        await come(pair, table.series, table.users[0], at=number, cookie=first.cookie)
        for number in range(long_or(300, 40))
    ]
    visitors = [Visitor(server, first.cookie) for server in pair.servers]
    pages = [visitor.get(first.path) for visitor in visitors for _ in range(long_or(50, 15))]
    answers = await asyncio.gather(*pages, *(each.submit(unreadable(each)) for each in others))
    assert await asyncio.to_thread(postgres.count_connections) <= 2 * POOL
    assert Counter(str(getattr(each, "status", each)) for each in answers) == {
        "200": len(pages),
        "illegal": len(others),
    }


async def test_fault_91_a_page_that_goes_in_the_middle_of_a_query_keeps_no_connection(
    pair: Site, come: Come
) -> None:
    table = await in_db(new_table)
    user = await in_db(lambda: table.turn_user)
    players = [await come(pair, table.series, user, at=number) for number in range(20)]
    row = await in_db(lambda: table.row)
    with postgres.row_locked("games_round", row.pk):
        for number, player in enumerate(players):
            await player.until_version(1)
            await player.socket.send(
                {"action": "pass", "round": "1", "ply": "0", "key": str(number)}
            )
        for player in players:
            await player.leave()
        await asyncio.sleep(0.5)
    assert await asyncio.to_thread(postgres.count_connections) <= 2 * POOL
    back = await come(pair, table.series, user)
    await until_true(back)
    answer = await back.submit({"action": "pass", "round": "1", "ply": "0", "key": "back"})
    assert answer in ("done", "stale")
    assert (await in_db(lambda: table.row)).log == "1 p"


def unreadable(player: Player) -> dict[str, str]:
    return {"action": "discard", "card": "1X", "round": "1", "ply": "0", "key": str(id(player))}
