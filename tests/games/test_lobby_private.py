"""A private series is shown to its players and, by every door, to nobody else; one that was taken
back to nobody at all."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import access, live
from games.consumers import GONE
from games.doors import answer_request
from games.errors import NotFound
from games.models import Series
from games.poller import heal_sockets
from games.rules.options import Options
from games.services.lobby import LOBBY, Company, set_table, withdraw_table
from games.services.outcome import Status
from games.services.series import Terms, accept_invitation
from games.threads import in_thread
from games.window import Window
from tests.browser import browser, text
from tests.tables import Played, new_user
from tests.visit import Visit, visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("empty_house")]


@pytest.fixture
def table() -> Played:
    users = new_user(), new_user()
    series = set_table(user=users[0], terms=Terms(Options(), is_private=True), company=Company())
    return Played(accept_invitation(token=series.invitation.token, user=users[1]), users)


def strangers() -> list[User | None]:
    boss = User.objects.create_superuser("boss")
    guest = User.objects.create(username="Guest-55", kind=User.Kind.GUEST)
    return [None, new_user(), guest, boss]


def doors(series: Series) -> list[str]:
    return [
        series.get_absolute_url(),
        f"{series.get_absolute_url()}?card=AS",
        reverse("series_draft", args=[series.slug]),
        reverse("series_rules", args=[series.slug]),
    ]


def test_s9_its_pages_are_none_to_strangers(table: Played) -> None:
    for user in strangers():
        client: Client = browser(user)
        for path in doors(table.series):
            assert client.get(path).status_code == 404
        fields = {"action": "draw", "round": "1", "ply": "0", "key": "k"}
        assert client.post(table.series.get_absolute_url(), fields).status_code == 404
    for user in table.users:
        assert [browser(user).get(path).status_code for path in doors(table.series)] == [200] * 4


async def test_s9_nor_does_its_socket_open_to_them(table: Played) -> None:
    for user in await in_thread(strangers):
        guest: Visit = await in_thread(visit, table, user)
        assert await guest.knock()
        assert await guest.code() == GONE
        await guest.leave()
    for user in table.users:
        player: Visit = await in_thread(visit, table, user)
        await player.open()
        await player.leave()


def test_s9_it_is_as_if_there_were_none(table: Played) -> None:
    for user in strangers():
        user_id = user.pk if user is not None else None
        with pytest.raises(NotFound):
            access.series_to_watch(table.series.slug, user_id)
        with pytest.raises(NotFound):
            Window(table.series.slug, user_id, None, "dev")


def test_its_invitation_leads_nobody_to_it_once_the_seat_is_taken(table: Played) -> None:
    page = text(
        browser(new_user()).get(reverse("invitation", args=[table.series.invitation.token]))
    )
    assert "The seat is taken." in page
    assert table.series.slug not in page


def test_it_is_no_place_of_the_lobby(table: Played) -> None:
    for user in (new_user(), table.users[0]):
        assert table.series.slug not in text(browser(user).get(reverse("lobby")))


def test_before_anybody_sits_down_its_maker_sees_it_alone() -> None:
    user = new_user()
    series = set_table(user=user, terms=Terms(Options(), is_private=True), company=Company())
    assert browser(user).get(series.get_absolute_url()).status_code == 200
    assert browser(new_user()).get(series.get_absolute_url()).status_code == 404


# Taken back


def waiting() -> Series:
    return set_table(user=new_user(), terms=Terms(Options()), company=LOBBY)


@pytest.mark.parametrize("bell", [True, False])
async def test_an_open_page_of_a_table_that_was_taken_back_hears_of_it(bell: bool) -> None:
    series = await in_thread(waiting)
    page: Visit = await in_thread(
        lambda: visit(Played(series, (series.created_by, series.created_by)), series.created_by)
    )
    await page.open()
    await in_thread(lambda: withdraw_table(slug=series.slug, user=series.created_by))
    if bell:
        await live.ring(series.pk, 0, talk=series.talk + 1)
    else:
        await heal_sockets()
    assert await page.code() == GONE
    await page.leave()


def test_nor_does_it_take_any_action() -> None:
    series = waiting()
    withdraw_table(slug=series.slug, user=series.created_by)
    fields = {"action": "rematch", "round": "1", "ply": "0", "key": "k"}
    outcome = answer_request(
        series_id=series.pk, user_id=series.created_by_id, ticket=None, fields=fields
    )
    assert outcome.status is Status.OVER
    assert browser(series.created_by).get(series.get_absolute_url()).status_code == 404
