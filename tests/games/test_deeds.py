"""How leaving is noted, and what who leaves may still do (promise M2, faults 68, 70, 71)."""

import re
from datetime import timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now

from accounts.models import User
from games.errors import MustWait
from games.leavers import DeedKind
from games.models import Deed, Process, Round, Seat, Series
from games.rules.actions import Resign
from games.rules.options import Options
from games.selectors.repute import repute_of
from games.services.deeds import forget_deeds
from games.services.lobby import LINK, LOBBY, Company, join_table, quick_match, set_table
from games.services.lobby import withdraw_table as withdraw
from games.services.process import LENIENT_FOR, be_alive
from games.services.request import Wish
from games.services.series import Terms, accept_invitation
from games.services.time_out import time_out
from tests.accounts.people import words
from tests.browser import browser
from tests.house import bot_table
from tests.tables import Played, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

PLAIN = Terms(Options())


def see(table: Played, seat: int, ago: timedelta) -> None:
    """A seat's player was last seen so long ago, the other just now."""
    began = Now() - timedelta(hours=1)
    Series.objects.filter(pk=table.series.pk).update(started_at=began)
    seats = Seat.objects.filter(series=table.series)
    seats.update(seen_at=Now())
    seats.filter(number=seat).update(seen_at=Now() - ago)


def abandoned(table: Played) -> User:
    """Who is to act goes away, and the other claims; who went."""
    gone, stays = table.turn_user, table.waiting_user
    see(table, table.state.turn, timedelta(minutes=5))
    assert table.wish(Wish.CLAIM, stays).status == "done"
    return gone


def ran_out(table: Played, *, away: bool) -> User:
    late = table.turn_user
    see(table, table.state.turn, timedelta(minutes=5 if away else 0))
    Round.objects.filter(pk=table.row.pk).update(due_at=Now() - timedelta(seconds=1))
    assert time_out(table.row.pk) is not None
    return late


def deeds(user: User) -> list[str]:
    return list(Deed.objects.filter(user=user).order_by("pk").values_list("kind", flat=True))


def guilty(user: User, times: int) -> User:
    """Somebody who has just left so often."""
    for _ in range(times):
        Deed.objects.create(user=user, kind=DeedKind.LEFT)
    return user


class TestWhatCounts:
    def test_fault_68_a_claimed_series_was_left(self) -> None:
        table = new_table()
        assert deeds(abandoned(table)) == ["left"]
        assert Deed.objects.count() == 1

    def test_running_out_of_time_after_going_away(self) -> None:
        assert deeds(ran_out(new_table(time_control="600+5"), away=True)) == ["ran out"]

    def test_thinking_too_long_is_no_leaving(self) -> None:
        assert deeds(ran_out(new_table(time_control="600+5"), away=False)) == []

    def test_over_days_nobody_need_be_there_in_the_last_moment(self) -> None:
        assert deeds(ran_out(new_table(time_control="3d"), away=False)) == ["ran out"]

    def test_resigning_is_no_leaving(self) -> None:
        table = new_table()
        table.wish(Wish.RESIGN, table.users[0])
        assert not Deed.objects.exists()

    def test_fault_70_each_loss_by_time_counts(self) -> None:
        user, other = new_user(), new_user()
        for _ in range(10):
            series = set_table(user=user, terms=PLAIN, company=LINK)
            accept_invitation(token=series.invitation.token, user=other)
            table = Played(Series.objects.get(pk=series.pk), (user, other))
            abandoned(table)
        assert Deed.objects.filter(kind=DeedKind.LEFT).count() == 10

    def test_a_fair_end_counts_for_who_has_something_to_make_good(self) -> None:
        table = new_table()
        guilty(table.users[0], 2)
        table.play_series()
        assert deeds(table.users[0])[-1:] == ["finished"]
        assert deeds(table.users[1]) == []

    def test_resigning_at_once_makes_nothing_good(self) -> None:
        table = new_table()
        guilty(table.users[0], 2)
        table.wish(Wish.RESIGN, table.users[0])
        assert deeds(table.users[0]) == ["left", "left"]

    def test_but_after_a_round_it_does(self) -> None:
        table = new_table()
        guilty(table.users[0], 2)
        table.act(Resign())
        table.wish(Wish.RESIGN, table.users[0])
        assert deeds(table.users[0])[-1] == "finished"

    def test_nothing_counts_against_a_bot(self) -> None:
        table = bot_table()
        guilty(table.users[0], 1)
        table.act(Resign(), table.users[0])
        table.wish(Wish.RESIGN, table.users[0])
        assert deeds(table.users[0]) == ["left"]


class TestWhoseFault:
    def test_m2_no_penalty_within_ten_minutes_of_a_start(self) -> None:
        be_alive("a process")
        assert deeds(abandoned(new_table())) == []
        earlier = Now() - LENIENT_FOR - timedelta(seconds=1)
        Process.objects.update(started_at=earlier)
        assert deeds(abandoned(new_table())) == ["left"]

    def test_m2_no_penalty_after_an_outage_that_was_credited(self) -> None:
        """The process lived on, but could not reach its database."""
        be_alive("a process")
        Process.objects.update(started_at=Now() - timedelta(days=2))
        Process.objects.update(alive_at=Now() - timedelta(seconds=30))
        assert be_alive("a process") is not None
        assert deeds(ran_out(new_table(time_control="600+5"), away=True)) == []
        Process.objects.update(outage_at=F("outage_at") - LENIENT_FOR)
        assert deeds(ran_out(new_table(time_control="600+5"), away=True)) == ["ran out"]

    def test_what_makes_good_counts_at_any_time(self) -> None:
        table = new_table()
        guilty(table.users[0], 1)
        be_alive("a process")
        table.play_series()
        assert deeds(table.users[0]) == ["left", "finished"]


class TestWhatFollows:
    def test_the_first_time_has_a_word_and_no_wait(self) -> None:
        user = guilty(new_user(), 1)
        assert "Please stay until the end" in words(browser(user).get("/lobby/"))
        quick_match(user=user, terms=PLAIN, key=None)

    def test_strangers_are_to_be_waited_for(self) -> None:
        user = guilty(new_user(), 3)
        listed = set_table(user=new_user(), terms=PLAIN, company=LOBBY)
        with pytest.raises(MustWait, match=r"again in 30 minutes: on \d+ \w+, \d\d:\d\d \(UTC\)"):
            quick_match(user=user, terms=PLAIN, key=None)
        with pytest.raises(MustWait):
            set_table(user=user, terms=PLAIN, company=LOBBY)
        with pytest.raises(MustWait):
            join_table(slug=listed.slug, user=user)
        assert Seat.objects.filter(user=user).count() == 0

    def test_friends_and_bots_are_there(self) -> None:
        user, friend = guilty(new_user(), 6), new_user()
        linked = set_table(user=user, terms=PLAIN, company=LINK)
        accept_invitation(token=linked.invitation.token, user=friend)
        asked = set_table(user=friend, terms=PLAIN, company=Company(invited=user.pk))
        accept_invitation(token=asked.invitation.token, user=user)
        assert Seat.objects.filter(user=user, series__status="playing").count() == 2

    def test_they_are_told_what_why_and_how_long(self) -> None:
        set_table(user=new_user(), terms=PLAIN, company=LOBBY)
        page = words(browser(guilty(new_user(), 2)).get("/lobby/"))
        # Once it told an hour of UTC, of no day.
        when = r"strangers again in 5 minutes: on \d{1,2} \w+, \d\d:\d\d \(UTC\)"
        assert re.search(f"You can sit down with {when}", page)
        assert "You left a series, and the other player waited in vain." in page
        assert "Each series with somebody that you stay in until its end" in page
        assert "Find an opponent" not in page
        assert "Sit down –" not in page

    def test_each_door_says_it_once(self) -> None:
        client = browser(guilty(new_user(), 2))
        listed = set_table(user=new_user(), terms=PLAIN, company=LOBBY)
        terms = {"preset": "hollywood", "target": "100", "time": "", "rated": "casual"}
        answers = [
            client.post("/lobby/quick/", terms),
            client.post(f"/lobby/{listed.slug}/join/"),
            client.post("/new/", {**terms, "company": "lobby"}),
        ]
        assert [answer.status_code for answer in answers] == [429, 409, 429]
        for answer in answers:
            assert words(answer).count("with strangers again") == 1

    def test_what_was_pressed_twice_is_found_though_a_wait_came_between(self) -> None:
        user = new_user()
        made = quick_match(user=user, terms=PLAIN, key="set-aside")
        guilty(user, 2)
        assert quick_match(user=user, terms=PLAIN, key="set-aside") == made

    def test_it_is_over_when_its_time_is_over(self) -> None:
        user = guilty(new_user(), 2)
        Deed.objects.filter(user=user).update(done_at=F("done_at") - timedelta(minutes=5))
        repute = repute_of(user.pk)
        assert repute is not None
        assert not repute.waits
        quick_match(user=user, terms=PLAIN, key=None)

    def test_what_can_t_count_any_more_is_forgotten(self) -> None:
        old, new = guilty(new_user(), 2), guilty(new_user(), 1)
        Deed.objects.filter(user=old).update(done_at=F("done_at") - timedelta(days=36))
        assert repute_of(old.pk) is None
        forget_deeds()
        assert (deeds(old), deeds(new)) == ([], ["left"])


class TestWithdrawing:
    def test_fault_71_once_is_harmless_again_and_again_is_not(self) -> None:
        user = new_user()
        for number in range(1, 21):
            series = set_table(user=user, terms=PLAIN, company=LOBBY)
            withdraw(slug=series.slug, user=user)
            repute = repute_of(user.pk)
            assert (repute.repute.step if repute else 0) == number // 10
        with pytest.raises(MustWait):
            set_table(user=user, terms=PLAIN, company=LOBBY)

    def test_a_table_for_a_friend_may_be_taken_back(self) -> None:
        user = new_user()
        for _ in range(30):
            withdraw(slug=set_table(user=user, terms=PLAIN, company=LINK).slug, user=user)
        assert not Deed.objects.exists()

    def test_pressed_twice_it_counts_once(self) -> None:
        user = new_user()
        series = set_table(user=user, terms=PLAIN, company=LOBBY)
        assert withdraw(slug=series.slug, user=user) is not None
        assert withdraw(slug=series.slug, user=user) is None
        assert deeds(user) == ["withdrew"]
