"""Promise R6: reconnecting gives what was missed, and nothing more (faults 46, 56)."""

import random
from collections.abc import Callable
from functools import partial

import pytest

from games.models import Series
from games.rules.actions import Action, Discard, Draw, Pass
from games.rules.round import RoundState, legal_actions
from tests.live import Come
from tests.page import Page, elements_of
from tests.players import Player
from tests.site import Site, in_db
from tests.tables import Chooser, Played, new_table, new_user
from tests.truth import shown_by, until_true
from tests.visitor import Visitor


def patient(chance: random.Random) -> Chooser:
    """Never knocks and leaves the discards, so that a round lasts."""

    def choose(state: RoundState) -> Action:
        actions = legal_actions(state, state.turn)
        for action in (Pass(), Draw()):
            if action in actions:
                return action
        return chance.choice([a for a in actions if isinstance(a, Discard)] or list(actions))

    return choose


def play_on(table: Played, plies: int) -> int:
    """Play so many versions further, by the services alone; the version then."""
    choose = patient(random.Random(plies))
    for _ in range(plies):
        if table.row.kind:
            for user in table.users:
                table.press_next(user)
        else:
            assert table.act(choose(table.state)).status == "done"
    return table.row.version


def next_round(table: Played) -> int:
    """End the round and begin the next; the version then."""
    table.play_round()
    for user in table.users:
        table.press_next(user)
    return table.row.version


async def comes_back(
    table: Played, pair: Site, come: Come, meanwhile: Callable[[Played], int]
) -> Player:
    """A player's page after a while without a connection, at the other process."""
    player = await come(pair, table.series, table.users[0])
    await player.until_version(1)
    await player.leave()
    version = await in_db(meanwhile, table)
    player.received.clear()
    player.at = 1
    await player.arrive()
    await player.until_version(version)
    return player


@pytest.mark.postgres
@pytest.mark.parametrize(
    "meanwhile",
    [partial(play_on, plies=plies) for plies in (0, 1, 5, 60)] + [next_round],
    ids=["nothing", "1 version", "5 versions", "60 versions", "a new round"],
)
async def test_r6_a_page_that_comes_back_to_the_other_process_has_all(
    pair: Site, come: Come, meanwhile: Callable[[Played], int]
) -> None:
    table = await in_db(new_table)
    player = await comes_back(table, pair, come, meanwhile)
    html = (await Visitor(pair.servers[1], player.cookie).get(player.path)).text
    assert shown_by(player.page) == shown_by(Page.loaded(html))
    await until_true(player)


@pytest.mark.postgres
async def test_r6_who_missed_nothing_is_sent_nothing(pair: Site, come: Come) -> None:
    table = await in_db(new_table)
    spectator = await come(pair, table.series, None)  # whose presence changes nothing
    await spectator.until_version(1)
    await spectator.leave()
    spectator.received.clear()
    await spectator.arrive()
    await spectator.until_received(1)
    assert set(elements_of(spectator.received[0])) == {"pulse"}


async def test_fault_56_the_seat_is_the_persons_whatever_they_close_and_open(
    site: Site, come: Come
) -> None:
    table = await in_db(new_table)
    players = [await come(site, table.series, user) for user in table.users]
    for player in (*players, *reversed(players), players[0]):
        await player.leave()
        await player.arrive()
        await player.until_version(1)
    third = await come(site, table.series, await in_db(new_user))
    await third.until_version(1)
    assert await in_db(seats_of, table.series) == {(0, table.users[0].pk), (1, table.users[1].pk)}
    for player in (*players, third):
        await until_true(player)
    assert not third.page.forms
    assert [bool(player.page.form("pass")) for player in players].count(True) == 1


def seats_of(series: Series) -> set[tuple[int, int]]:
    return set(series.seats.values_list("number", "user_id"))


async def test_fault_47_one_lost_push_is_noticed_and_made_good(site: Site, come: Come) -> None:
    table = await in_db(new_table)
    viewers = [await come(site, table.series, user) for user in (*table.users, None)]
    for viewer in viewers:
        await viewer.until_version(1)
        viewer.socket.lose = ' data-version="2" data-talk='
    await in_db(table.act, Pass())
    for viewer in viewers:
        await viewer.until(lambda page, socket=viewer.socket: socket.lost > 0)
        assert viewer.page.version == 1
    await in_db(table.act, Pass())
    for viewer in viewers:
        await viewer.until_version(3)
        await until_true(viewer)
        assert viewer.page.gaps == 1
