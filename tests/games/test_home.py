"""The first page and profiles: to sit down by one press, who plays now, what is worth a look."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from accounts.preferences import Preferences
from accounts.relations import Relation, relate
from games.models import Rating, Seat, Series
from games.rules.actions import Resign
from games.rules.cards import cards_in
from games.selectors.boards import followed_at_play, series_to_look_at
from games.services.history import hide_series
from games.services.request import Wish
from tests.browser import browser, text
from tests.house import bot_table
from tests.page import forms_of
from tests.tables import Played, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


def at_play(name: str = "", other: str = "", *, seen: int = 0) -> Played:
    """A table at which both are there, or have been so many seconds ago."""
    table = new_table()
    for user, wanted in zip(table.users, (name, other), strict=True):
        if wanted:
            User.objects.filter(pk=user.pk).update(username=wanted)
            user.username = wanted
    Seat.objects.filter(series=table.series).update(seen_at=Now() - timedelta(seconds=seen))
    return table


def rate(user: User, value: float) -> None:
    known = {"deviation": 60, "volatility": 0.06, "series_count": 20, "rated_at": Now()}
    Rating.objects.create(user=user, format="hollywood days", value=value, **known)


def rated_at_play(name: str, other: str, value: float) -> Played:
    table = at_play(name, other)
    Series.objects.filter(pk=table.series.pk).update(time_control="3d")
    for user in table.users:
        rate(user, value)
    return table


def home(client: Client) -> str:
    return text(client.get(reverse("home")))


def boards(html: str) -> list[str]:
    return re.findall(r'<article class="board" data-series="([^"]*)"', html)


class TestSittingDown:
    """Each by one press, and a second press leads to the same table."""

    def forms(self, html: str) -> dict[str, Any]:
        return {form.action: form for form in forms_of(html)}

    def sit(self, client: Client, name: str) -> str:
        html = home(client)
        address = re.search(rf'action="([^"]*)" data-action="{name}"', html)
        assert address
        fields = self.forms(html)[name].fields
        ways = {client.post(address[1], fields)["Location"] for _ in range(2)}
        assert len(ways) == 1
        return ways.pop()

    def test_with_the_next_free_player(self) -> None:
        one, other = new_user(), new_user()
        assert self.sit(browser(one), "quick-match") == self.sit(browser(other), "quick-match")
        assert Series.objects.get().status == Series.Status.PLAYING

    def test_with_the_bot_that_was_played_last(self) -> None:
        table = bot_table("beginner")
        html = home(browser(table.users[0]))
        assert "Mabel, a bot" in html
        assert self.sit(browser(table.users[0]), "sit-with-bot").startswith("/series/")
        assert Seat.objects.filter(bot="beginner").count() == 2

    def test_with_somebody_who_gets_a_link(self) -> None:
        path = self.sit(browser(new_user()), "invite")
        assert Series.objects.get().get_absolute_url() == path

    def test_a_guest_is_not_offered_what_is_for_accounts(self) -> None:
        guest = User.objects.create(username="Guest-4", kind=User.Kind.GUEST)
        assert set(self.forms(home(browser(guest)))) >= {"sit-with-bot", "invite"}
        assert "quick-match" not in self.forms(home(browser(guest)))


class TestWhatWaits:
    def test_what_waits_for_me_stands_before_the_rest(self) -> None:
        table = new_table()
        mine, theirs = (home(browser(u)) for u in (table.turn_user, table.waiting_user))
        assert "Waiting for you" in mine
        assert "Your series" not in mine
        assert "Waiting for you" not in theirs
        assert table.series.slug in theirs.partition("Your series")[2]


class TestPeopleIFollow:
    def test_who_plays_now(self) -> None:
        me = new_user()
        here, away, private, own = at_play(), at_play(seen=60), at_play(), at_play()
        Series.objects.filter(pk=private.series.pk).update(is_private=True)
        for table in (here, away, private, own):
            relate(me.pk, table.users[0].pk, Relation.Kind.FOLLOW)
        Seat.objects.filter(series=own.series, number=1).update(user=me)
        assert followed_at_play(me.pk) == [here.series]
        assert here.series.slug in home(browser(me)).partition("People you follow")[2]
        assert followed_at_play(here.users[0].pk) == []

    def test_two_at_one_table_are_one(self) -> None:
        me, table = new_user(), at_play()
        for user in table.users:
            relate(me.pk, user.pk, Relation.Kind.FOLLOW)
        assert boards(home(browser(me))) == [table.series.slug]

    def test_who_follows_nobody_is_not_told_so(self) -> None:
        assert "People you follow" not in home(browser(new_user()))


class TestWorthALook:
    def test_a_visitor_is_shown_the_best_rated_series(self) -> None:
        rated_at_play("Ann", "Ben", 1600)
        best = rated_at_play("Cleo", "Dan", 1900)
        at_play()
        html = home(browser())
        assert boards(html) == [best.series.slug]
        assert 'Cleo <span class="kind">1900</span>' in html

    def test_people_come_before_bots(self) -> None:
        people = at_play()
        table = bot_table()
        Seat.objects.filter(series=table.series, number=0).update(seen_at=Now())
        assert series_to_look_at(None) == people.series
        Seat.objects.filter(series=people.series).update(seen_at=None)
        assert series_to_look_at(None) == table.series
        assert 'Chester<span class="kind">, bot</span>' in home(browser())

    def test_not_what_is_private_nor_played_by_nobody_just_now(self) -> None:
        at_play(seen=60)
        private = at_play()
        Series.objects.filter(pk=private.series.pk).update(is_private=True)
        assert series_to_look_at(None) is None
        assert "Played just now" not in home(browser())

    def test_not_my_own_nor_of_whom_i_am_kept_apart_from(self) -> None:
        table = at_play()
        me = new_user()
        assert series_to_look_at(table.users[0].pk) is None
        relate(table.users[1].pk, me.pk, Relation.Kind.BLOCK)
        assert series_to_look_at(me.pk) is None

    def test_it_shows_the_totals_and_no_card(self) -> None:
        table = at_play()
        table.act(Resign())
        for user in table.users:
            table.press_next(user)
        points = table.series.entries.values_list("points", flat=True)
        html = home(browser()).partition('<article class="board"')[2].partition("</article>")[0]
        assert "round 2" in html
        assert all(f">{each}" in html for each in points)  # with a star where it ends a game
        hands = [card for hand in table.state.hands for card in cards_in(hand)]
        assert not [card for card in hands if f"{card}." in html]


class TestAProfile:
    def path(self, user: User) -> str:
        return reverse("profile", args=[user.username])

    def test_it_lists_what_is_played_and_what_was(self) -> None:
        over, running = new_table(), new_table()
        over.wish(Wish.RESIGN, over.users[1])
        Seat.objects.filter(series=running.series, number=0).update(user=over.users[0])
        html = text(browser().get(self.path(over.users[0])))
        being, _, played = html.partition("Played last")
        assert running.series.get_absolute_url() in being
        assert over.series.get_absolute_url() in played
        assert ">won</span>" in played
        assert ">lost</span>" in text(browser().get(self.path(over.users[1])))
        assert "your turn" not in html

    def test_s9_not_what_is_private(self) -> None:
        over, running = new_table(), at_play()
        over.wish(Wish.RESIGN, over.users[1])
        Series.objects.update(is_private=True)
        for table in (over, running):
            html = text(browser().get(self.path(table.users[0])))
            assert table.series.slug not in html
            assert "No series of theirs has ended yet." in html
            assert "at the table" not in html

    def test_what_somebody_keeps_to_themselves_is_told_to_them_only(self) -> None:
        table = new_table()
        table.wish(Wish.RESIGN, table.users[1])
        user = table.users[0]
        User.objects.filter(pk=user.pk).update(preferences=str(Preferences(history="me")))
        html = text(browser().get(self.path(user)))
        assert table.series.slug not in html
        assert "keeps this to themselves" in html
        assert table.series.slug in text(browser(user).get(self.path(user)))

    def test_what_one_of_the_two_has_hidden_is_not_listed(self) -> None:
        table = new_table()
        table.wish(Wish.RESIGN, table.users[1])
        hide_series(series_id=table.series.pk, user_id=table.users[1].pk, is_hidden=True)
        assert table.series.slug not in text(browser().get(self.path(table.users[0])))

    def test_it_says_who_is_at_a_table_now(self) -> None:
        here, gone = at_play(), at_play(seen=60)
        html = text(browser().get(self.path(here.users[0])))
        assert "at the table" in html
        assert f'<a href="{here.series.get_absolute_url()}">Watch</a>' in html
        assert "at the table" not in text(browser().get(self.path(gone.users[0])))

    def test_a_player_who_has_gone_is_not_named(self) -> None:
        table = new_table()
        table.wish(Wish.RESIGN, table.users[1])
        User.objects.filter(pk=table.users[1].pk).update(deleted_at=Now(), is_active=False)
        html = text(browser().get(self.path(table.users[0])))
        assert "deleted player" in html
        assert f">{table.users[1].username}<" not in html


class TestHowMuchIsAsked:
    def many(self, me: User, count: int) -> None:
        for number in range(count):
            table = at_play()
            relate(me.pk, table.users[0].pk, Relation.Kind.FOLLOW)
            mine = at_play()
            Seat.objects.filter(series=mine.series, number=number % 2).update(user=me)
            ended = new_table()
            ended.wish(Wish.RESIGN, ended.users[0])
            Seat.objects.filter(series=ended.series, number=1).update(user=me)

    @pytest.mark.parametrize("path", ["home", "profile"])
    def test_as_much_for_many_series_as_for_few(self, path: str) -> None:
        me = new_user()
        address = reverse(path, args=[me.username] if path == "profile" else [])
        counts = []
        for _ in range(2):
            self.many(me, 3)
            client = browser(me)
            client.get(address)
            with CaptureQueriesContext(connection) as asked:
                client.get(address)
            counts.append(len(asked))
        assert counts[0] == counts[1] <= 22
