"""A series that is over is looked at, and what is found becomes a signal (fault 72)."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.db.models.functions import Now

from accounts.models import User
from accounts.traces import leave_traces
from games.leavers import DeedKind
from games.models import Deed, Message, Series
from games.moderation import roles
from games.moderation.alarms import alarm_words
from games.moderation.models import Examination, Signal
from games.moderation.selectors.played import figures_in, lost_lately
from games.moderation.selectors.signals import signals_about
from games.moderation.services import examinations
from games.moderation.services.examinations import examine, waiting
from games.moderation.sign_words import explained
from games.moderation.signs import flood, giving, leaving
from games.poller import look_for_signs
from games.rules.actions import Resign
from games.rules.options import Options
from games.services.chat import say
from games.services.chat_limits import LIMITS
from games.services.request import Wish
from games.services.series import accept_invitation, create_series
from tests.at_once import at_once
from tests.staff import new_moderator
from tests.tables import Played, keen, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


def rated(one: User, other: User) -> Played:
    series = create_series(user=one, options=Options())
    Series.objects.filter(pk=series.pk).update(rated=True)
    accept_invitation(token=series.invitation.token, user=other)
    return Played(Series.objects.get(pk=series.pk), (one, other))


def given(one: User, other: User) -> Played:
    """A series that the first gives away before anything was played."""
    table = rated(one, other)
    table.wish(Wish.RESIGN, one)
    return table


def look() -> None:
    while waiting():
        for series_id in waiting():
            examine(series_id)


def kinds() -> list[str]:
    return list(Signal.objects.order_by("pk").values_list("kind", flat=True))


class TestWhenItIsLookedAt:
    def test_once_after_the_end_and_then_no_more(self) -> None:
        table = new_table()
        assert waiting() == []
        table.wish(Wish.RESIGN, table.users[0])
        assert waiting() == [table.series.pk]
        assert examine(table.series.pk)
        assert not examine(table.series.pk)
        assert not Examination.objects.exists()

    def test_an_honest_series_leaves_no_signal(self) -> None:
        table = rated(new_user(), new_user())
        table.play_series(keen(random.Random(5)))
        look()
        assert kinds() == []
        figures = figures_in(Series.objects.get(pk=table.series.pk))
        assert figures[0].rounds == figures[1].rounds > 0
        assert figures[0].discards > 0

    def test_one_that_cannot_be_read_holds_up_no_other(
        self, monkeypatch: pytest.MonkeyPatch, caplog: Any
    ) -> None:
        first, second = (given(new_user(), new_user()) for _ in range(2))
        real = examinations._look_at

        def look_at(series: Series) -> None:
            if series.pk == first.series.pk:
                raise ValueError("unreadable")
            real(series)

        monkeypatch.setattr(examinations, "_look_at", look_at)
        look()
        assert "could not be examined" in caplog.text
        assert waiting() == []
        assert second.series.pk

    def test_with_the_database_away_it_waits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        table = given(new_user(), new_user())

        def away(series: Series) -> None:
            raise DatabaseError("away")

        monkeypatch.setattr(examinations, "_look_at", away)
        with pytest.raises(DatabaseError):
            examine(table.series.pk)
        assert waiting() == [table.series.pk]

    def test_of_a_series_with_a_bot_nothing_is_noted(self) -> None:
        one, other = new_user(), User.objects.create(username="robot", kind=User.Kind.BOT)
        for user in (one, other):
            leave_traces(user.pk, "203.0.113.7", "browser")
        given(one, other)
        look()
        assert kinds() == []


class TestWhatIsFound:
    def test_fault_72_giving_series_to_one_person(self) -> None:
        one, other = new_user(), new_user()
        for count in range(1, giving.TO_ONE + 2):
            given(one, other)
            look()
            assert kinds() == (["given"] if count >= giving.TO_ONE else [])
        signal = Signal.objects.get()
        assert (signal.user, signal.other, signal.facts) == (one, other, {"given": giving.TO_ONE})

    def test_giving_rounds_away_is_the_same(self) -> None:
        one, other = new_user(), new_user()
        table = rated(one, other)
        while Series.objects.get(pk=table.series.pk).status != Series.Status.OVER:
            table.act(Resign(), one)
            for user in (one, other):
                table.press_next(user)
        [lost] = lost_lately(one.pk)
        assert lost.resigned == lost.rounds > 1
        assert lost.was_given
        assert lost_lately(other.pk) == []

    def test_giving_them_to_whomever_is_sandbagging(self) -> None:
        one = new_user()
        for _ in range(giving.TO_MANY):
            given(one, new_user())
        look()
        assert kinds() == ["sandbag"]
        assert Signal.objects.get().other is None

    def test_what_was_given_long_ago_counts_no_more(self) -> None:
        one, other = new_user(), new_user()
        for _ in range(giving.TO_ONE):
            given(one, other)
        one.seats.update(ended_at=Now() - timedelta(days=31))
        look()
        assert kinds() == []

    def test_casual_series_may_be_given_to_anybody(self) -> None:
        one, other = new_user(), new_user()
        for _ in range(giving.TO_MANY):
            table = rated(one, other)
            Series.objects.filter(pk=table.series.pk).update(rated=False)
            table.wish(Wish.RESIGN, one)
        look()
        assert kinds() == []

    def test_related_accounts_in_a_rated_series(self) -> None:
        one, other = new_user(), new_user()
        for user in (one, other):
            leave_traces(user.pk, "203.0.113.7", "browser")
        given(one, other)
        given(other, one)
        look()
        signal = Signal.objects.get()
        assert signal.kind == "related"
        assert signal.facts == {"devices": 1, "addresses": 1, "shared_by": 2}

    def test_related_accounts_may_play_for_nothing(self) -> None:
        table = new_table()
        for user in table.users:
            leave_traces(user.pk, "203.0.113.7", "browser")
        table.wish(Wish.RESIGN, table.users[0])
        look()
        assert kinds() == []

    def test_m2_who_leaves_again_and_again(self) -> None:
        one, other = new_user(), new_user()
        for count in range(1, 4):
            Deed.objects.create(user=one, kind=DeedKind.LEFT)
            given(new_user(), one)
            look()
            assert kinds() == (["leaving"] if count >= leaving.STEP else [])
        given(new_user(), other)
        look()
        assert Signal.objects.get().user == one


class TestTheChat:
    def test_a_word_of_the_list_is_noted_and_said(self) -> None:
        table = new_table()
        for number in range(2):
            say(series=table.series, user_id=table.users[0].pk, key=f"k{number}", text="b1tch")
        assert Message.objects.count() == 2
        signal = Signal.objects.get()
        assert (signal.kind, signal.user, signal.series) == ("words", table.users[0], table.series)
        assert "b1tch" not in str(signal.facts)

    def test_fault_77_as_many_lines_as_it_takes_are_a_flood(self) -> None:
        table = new_table()
        author = table.users[0]
        User.objects.filter(pk=author.pk).update(date_joined=Now() - timedelta(days=30))
        for number in range(flood.FROM):
            assert kinds() == []
            say(
                series=table.series,
                user_id=author.pk,
                key=f"k{number}",
                text=chr(97 + number % 26) * 3 + str(number),
            )
            Message.objects.update(sent_at=Now() - timedelta(seconds=60))
        assert kinds() == ["flood"]

    def test_the_flood_is_the_limit_of_the_chat(self) -> None:
        assert (flood.FROM, flood.WITHIN) in LIMITS


class TestWords:
    @pytest.mark.parametrize("kind", Signal.Kind)
    def test_each_signal_is_explained(self, kind: Signal.Kind) -> None:
        for words in (explained(Signal(kind=kind, facts={})), alarm_words(kind)):
            assert len(words) > 30
            assert "%(" not in words

    def test_signals_of_a_person_in_one_query(self, django_assert_num_queries: Any) -> None:
        one, other = new_user(), new_user()
        for _ in range(giving.TO_ONE):
            given(one, other)
        look()
        moderator = new_moderator()
        assert moderator.has_perm(roles.HANDLE)  # asked once a request
        with django_assert_num_queries(1):
            [about_one] = signals_about(one.pk, moderator)
        assert about_one.signal.other == other
        assert "3 rated series" in about_one.words
        [about_other] = signals_about(other.pk, moderator)
        assert about_other.signal.user == one


async def test_the_clock_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setattr(examinations, "waiting", lambda: [4, 5])
    monkeypatch.setattr(examinations, "examine", seen.append)
    await look_for_signs()
    assert seen == [4, 5]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_several_processes_one_looks() -> None:
    one, other = new_user(), new_user()
    for _ in range(giving.TO_ONE):
        given(one, other)
    last = waiting()[-1]
    done = at_once([lambda: examine(last)] * 3)
    assert sorted(done) == [False, False, True]
    assert kinds() == ["given"]
