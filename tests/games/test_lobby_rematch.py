"""Once more: two offers at the table are a rematch, and everybody finds the way."""

from typing import Any

import pytest
from django.db.models.functions import Now

from accounts.models import User
from accounts.relations import Relation, relate
from games.models import Round, Seat, Series
from games.rules.actions import Resign
from games.rules.options import Options
from games.services.bot_series import play_bot
from games.services.outcome import Status
from games.services.request import SeriesRequest, Wish
from games.services.series import Terms, accept_invitation, create_by_terms
from games.services.stopping import grant_wish
from games.time_control import TimeControl
from tests.browser import browser, text
from tests.page import Page
from tests.tables import Played, new_table, new_user, next_key

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

OPTIONS = Options.from_mapping({"preset": "oklahoma", "target": 50})


def over(terms: Terms | None = None) -> Played:
    """A series that has just been resigned."""
    users = new_user(), new_user()
    series = create_by_terms(user=users[0], terms=terms or Terms(OPTIONS))
    table = Played(accept_invitation(token=series.invitation.token, user=users[1]), users)
    table.wish(Wish.RESIGN, users[0])
    table.series.refresh_from_db()
    assert table.series.status == Series.Status.OVER
    return table


def rematch_of(table: Played) -> Series | None:
    table.series.refresh_from_db()
    return table.series.rematch


def page_of(table: Played, user: User | None) -> Page:
    return Page.loaded(text(browser(user).get(table.series.get_absolute_url())))


def html_of(table: Played, user: User | None) -> str:
    return page_of(table, user).regions["actions"].html


def fields() -> dict[str, str]:
    return {"action": "rematch", "round": "1", "ply": "0", "key": next_key()}


class TestTwoOffers:
    def test_make_a_series_on_the_same_terms_with_the_seats_swapped(self) -> None:
        terms = Terms(OPTIONS, TimeControl.parse("3d"), rated=True, is_private=True)
        table = over(terms)
        one, other = table.users
        first = table.wish(Wish.REMATCH, one)
        assert (first.status, first.rings) == (Status.DONE, True)
        assert rematch_of(table) is None
        second = table.wish(Wish.REMATCH, other)
        assert (second.status, second.rings) == (Status.DONE, True)
        new = rematch_of(table)
        assert new is not None
        assert Terms.of(new) == terms
        assert [seat.user for seat in new.seats.order_by("number")] == [other, one]
        assert Round.objects.filter(series=new).count() == 1

    def test_repeated_they_change_nothing(self) -> None:
        table = over()
        for user in table.users:
            assert table.wish(Wish.REMATCH, user).status is Status.DONE
            assert table.wish(Wish.REMATCH, user).status is Status.REPEAT
        assert Series.objects.count() == 2

    def test_talk_moves_so_that_all_pages_hear_of_it(self) -> None:
        table = over()
        for user in table.users:
            before = table.series.talk
            outcome = table.wish(Wish.REMATCH, user)
            table.series.refresh_from_db()
            assert outcome.talk == table.series.talk == before + 1
            assert outcome.version == table.row.version


class TestARefusal:
    def test_while_the_series_is_played(self) -> None:
        table = new_table()
        assert table.wish(Wish.REMATCH, table.users[0]).status is Status.ILLEGAL
        assert not Seat.objects.filter(wants_rematch=True).exists()

    def test_to_who_only_watches(self) -> None:
        table = over()
        assert table.wish(Wish.REMATCH, new_user()).status is Status.NOT_SEATED

    @pytest.mark.parametrize("kind", [Relation.Kind.BLOCK, Relation.Kind.AVOID])
    def test_where_either_is_kept_apart(self, kind: Relation.Kind) -> None:
        table = over()
        table.wish(Wish.REMATCH, table.users[0])
        relate(table.users[0].pk, table.users[1].pk, kind)
        assert table.wish(Wish.REMATCH, table.users[1]).status is Status.ILLEGAL
        assert rematch_of(table) is None

    def test_where_the_other_has_left_the_site(self) -> None:
        table = over()
        user, path = table.users[0], table.series.get_absolute_url()
        assert 'data-action="rematch"' in text(browser(user).get(path))
        User.objects.filter(pk=table.users[1].pk).update(disabled_at=Now())
        page = text(browser(user).get(path))
        assert 'data-action="rematch"' not in page
        assert "The other player has left the site." in page
        assert table.wish(Wish.REMATCH, user).status is Status.ILLEGAL

    def test_no_clock_runs_for_who_has_offered_and_gone(self) -> None:
        table = over(Terms(OPTIONS, TimeControl.parse("600+5")))
        one, other = table.users
        table.wish(Wish.REMATCH, one)
        table.wish(Wish.REMATCH, other)
        assert rematch_of(table) is None
        Seat.objects.filter(series=table.series).update(seen_at=Now())
        table.wish(Wish.REMATCH, one)  # back again, and still wanted
        assert rematch_of(table) is not None


class TestWithABot:
    def test_it_says_yes_at_once(self) -> None:
        user = new_user()
        series = play_bot(user=user, bot="beginner", options=OPTIONS)
        for number in (1, 2):
            _end(series, user)
            series = rematch_of(Played(series, (user, user))) or series
            bots = dict(series.seats.values_list("number", "bot"))
            assert bots == ({0: "beginner", 1: ""} if number == 1 else {0: "", 1: "beginner"})
            assert Round.objects.filter(series=series).count() == 1
        assert Series.objects.count() == 3


def _end(series: Series, user: User) -> None:
    for wish in (Wish.RESIGN, Wish.REMATCH):
        request = SeriesRequest(wish, 1, next_key())
        outcome = grant_wish(series_id=series.pk, user_id=user.pk, request=request)
        assert outcome.status is Status.DONE


class TestTheTable:
    def test_by_its_buttons_and_without_javascript(self, rung: list[Any]) -> None:
        table = over()
        one, other = table.users
        path = table.series.get_absolute_url()
        form = next(f for f in page_of(table, one).forms if f.action == "rematch")
        assert browser(one).post(path, form.fields).status_code == 200
        assert "You have offered a rematch" in html_of(table, one)
        assert "rematch" not in {f.action for f in page_of(table, one).forms}
        assert 'http-equiv="refresh"' in text(browser(one).get(path))
        assert "would like a rematch" in html_of(table, other)
        assert "Accept the rematch" in html_of(table, other)
        form = next(f for f in page_of(table, other).forms if f.action == "rematch")
        assert browser(other).post(path, form.fields).status_code == 200
        assert [each[0] for each in rung] == [table.series.pk] * 2

    def test_players_and_spectators_find_the_way_on(self) -> None:
        table = over()
        for user in table.users:
            table.wish(Wish.REMATCH, user)
        new = rematch_of(table)
        assert new is not None
        for user in (*table.users, new_user(), None):
            assert f'href="{new.get_absolute_url()}"' in html_of(table, user)
            assert "rematch" not in {f.action for f in page_of(table, user).forms}

    def test_a_spectator_is_offered_none(self) -> None:
        table = over()
        table.wish(Wish.REMATCH, table.users[0])
        html = html_of(table, None)
        assert "would like" not in html
        assert "rematch" not in {f.action for f in page_of(table, None).forms}

    def test_nor_anybody_while_it_is_played(self) -> None:
        table = new_table()
        table.act(Resign())
        for user in (*table.users, None):
            assert "rematch" not in {f.action for f in page_of(table, user).forms}
