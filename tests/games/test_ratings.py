"""Which series are rated, once, and what the leaderboards say."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.db.models.functions import Now

from accounts.models import User
from games.formats import FORMATS, Format
from games.models import Rating, RatingChange, Round, Series
from games.moderation.models import Signal
from games.rendering.cast import Cast
from games.rendering.opponent import OpponentContext
from games.rules.actions import Resign
from games.rules.options import Options
from games.selectors.leaderboard import LEAST_SERIES, leaderboard, ratings_of
from games.selectors.table import Sitting, Table, load_sitting, table_for
from games.services.rating import PAIR_LIMIT
from games.services.request import Wish
from games.services.series import accept_invitation, create_series
from games.services.time_out import time_out
from games.time_control import TimeControl
from tests.tables import Played, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


def rated_table(options: Options | None = None, time_control: str = "") -> Played:
    table = new_table(options, time_control)
    Series.objects.filter(pk=table.series.pk).update(rated=True)
    return table


def again(one: User, other: User) -> Played:
    series = create_series(user=one, options=Options())
    Series.objects.filter(pk=series.pk).update(rated=True)
    accept_invitation(token=series.invitation.token, user=other)
    return Played(Series.objects.get(pk=series.pk), (one, other))


def values(table: Played) -> list[float | None]:
    found = dict(Rating.objects.values_list("user", "value"))
    return [found.get(user.pk) for user in table.users]


def test_a_rated_series_moves_both_once_at_its_end() -> None:
    table = rated_table(Options(target=100))
    table.act(Resign())
    assert values(table) == [None, None]
    table.wish(Wish.RESIGN, table.users[0])
    low, high = values(table)
    assert low is not None
    assert high is not None
    assert low < 1500 < high
    assert 1500 - low == pytest.approx(high - 1500)
    changes = RatingChange.objects.filter(series=table.series).order_by("user")
    assert [(each.before, each.score) for each in changes] == [(1500, 0), (1500, 1)]
    table.wish(Wish.RESIGN, table.users[0])
    assert values(table) == [low, high]


def test_the_rating_of_who_sits_opposite_is_shown_where_it_counts(
    django_assert_num_queries: Any,
) -> None:
    table, casual, guest = rated_table(), new_table(), rated_table()
    User.objects.filter(pk=guest.users[1].pk).update(kind=User.Kind.GUEST)
    for each in (table, casual):
        user = each.users[1]
        for at, value in (("hollywood live", 1612.4), ("hollywood days", 1700)):
            known = {"deviation": 60, "volatility": 0.06, "rated_at": Now()}
            Rating.objects.create(user=user, format=at, value=value, **known)

    def seen(played: Played, viewer: User | None) -> str:
        with django_assert_num_queries(3):
            sitting = load_sitting(played.series)
        return OpponentContext.of(*cast_for(sitting, viewer)).rating

    table.series.refresh_from_db()
    guest.series.refresh_from_db()
    assert seen(table, table.users[0]) == seen(table, None) == "1612"
    assert seen(table, table.users[1]) == "1500?"
    assert seen(casual, casual.users[0]) == seen(guest, guest.users[0]) == ""


def cast_for(sitting: Sitting, viewer: User | None) -> tuple[Table, Cast]:
    table = table_for(sitting, viewer.pk if viewer else None)
    return table, Cast.of(table)


def test_a_series_played_out_is_rated_by_its_sheet() -> None:
    table = rated_table(Options(target=100))
    series = table.play_series()
    low_high = values(table)
    assert series.winner_side is not None
    assert max(low_high) == low_high[series.winner_side]  # type: ignore[type-var]


def test_fault_70_running_out_of_time_counts_as_losing() -> None:
    table = rated_table(time_control="600+5")
    late = table.state.turn
    Round.objects.filter(pk=table.row.pk).update(due_at=Now() - timedelta(seconds=1))
    assert time_out(table.row.pk)
    now = values(table)
    assert now[late] is not None
    assert now[late] < 1500  # type: ignore[operator]


def test_what_is_not_rated() -> None:
    casual = new_table()
    agreed = rated_table()
    other_rules = rated_table(Options(undercut=25))
    short = rated_table(Options(target=50))
    guest = rated_table()
    User.objects.filter(pk=guest.users[1].pk).update(kind=User.Kind.GUEST)
    for table in (casual, other_rules, short, guest):
        table.wish(Wish.RESIGN, table.users[0])
    for user in agreed.users:
        agreed.wish(Wish.OFFER_END, user)
    assert not Rating.objects.exists()


def test_fault_72_a_pair_is_rated_so_often_a_day_and_no_more() -> None:
    one, other = new_user(), new_user()
    for _ in range(PAIR_LIMIT + 2):
        again(one, other).wish(Wish.RESIGN, one)
    assert Rating.objects.get(user=one).series_count == PAIR_LIMIT
    again(one, new_user()).wish(Wish.RESIGN, one)
    assert Rating.objects.get(user=one).series_count == PAIR_LIMIT + 1
    RatingChange.objects.update(rated_at=F("rated_at") - timedelta(days=1))
    again(one, other).wish(Wish.RESIGN, one)
    assert Rating.objects.get(user=one).series_count == PAIR_LIMIT + 2


def test_fault_72_going_on_beyond_that_makes_one_signal_a_pair_and_day() -> None:
    one, other = new_user(), new_user()
    for _ in range(PAIR_LIMIT):
        again(one, other).wish(Wish.RESIGN, one)
    assert not Signal.objects.exists()
    beyond = again(one, other)
    for table in (beyond, again(other, one), *(again(one, other) for _ in range(23))):
        table.wish(Wish.RESIGN, other)
    signal = Signal.objects.get()
    assert {signal.user, signal.other} == {one, other}
    assert (signal.kind, signal.series) == ("pair", beyond.series)
    assert signal.facts == {"rated": PAIR_LIMIT}
    assert Rating.objects.get(user=one).series_count == PAIR_LIMIT


def test_fault_72_what_was_rated_can_be_taken_back() -> None:
    """Each change says what it did, so that it can be undone, or all be worked out anew."""
    one, other = new_user(), new_user()
    for _ in range(3):
        again(one, other).wish(Wish.RESIGN, other)
    changes = RatingChange.objects.filter(user=one).order_by("pk")
    gained = sum(each.after - each.before for each in changes)
    assert Rating.objects.get(user=one).value == pytest.approx(1500 + gained)
    mirrored = RatingChange.objects.filter(user=other).order_by("pk")
    for mine, theirs in zip(changes, mirrored, strict=True):
        assert mine.opponent_value == theirs.before
        assert mine.opponent_deviation is not None
        assert mine.score == 1 - theirs.score


def test_who_has_not_played_for_long_is_known_less_well() -> None:
    one, other = new_user(), new_user()
    again(one, other).wish(Wish.RESIGN, one)
    known = Rating.objects.get(user=one).deviation
    Rating.objects.update(deviation=60.0, rated_at=F("rated_at") - timedelta(days=700))
    RatingChange.objects.update(rated_at=F("rated_at") - timedelta(days=700))
    again(one, other).wish(Wish.RESIGN, other)
    assert 60 < Rating.objects.get(user=one).deviation < known


@pytest.mark.parametrize("format_", FORMATS)
def test_a_format_is_read_as_it_is_written(format_: Format) -> None:
    assert Format.parse(str(format_)) == format_
    assert len(str(format_)) <= 32


@pytest.mark.parametrize("text", ["", "hollywood", "hollywood slow", "bridge live", "x" * 1000])
def test_what_is_no_format(text: str) -> None:
    with pytest.raises(ValueError, match="no such format"):
        Format.parse(text)


def test_live_and_days_are_two_formats() -> None:
    live = Format.of(Options(), TimeControl.parse("600+5"))
    days = Format.of(Options(), TimeControl.parse("3d"))
    assert (str(live), str(days)) == ("hollywood live", "hollywood days")
    assert Format.of(Options(), TimeControl()) == live
    assert Format.of(Options(target=150), TimeControl()) == live
    assert Format.of(Options(target=151), TimeControl()) is None


class TestLeaderboards:
    def rate(self, value: float, **changes: object) -> Rating:
        fields = {
            "format": "hollywood live",
            "deviation": 60,
            "volatility": 0.06,
            "series_count": LEAST_SERIES,
            "rated_at": Now(),
            **changes,
        }
        return Rating.objects.create(user=new_user(), value=value, **fields)

    def board(self, period: str = "month") -> list[tuple[int, int]]:
        found = leaderboard(Format("hollywood"), period)
        return [(each.place, each.value) for each in found]

    def test_the_best_come_first_and_equals_share_a_place(self) -> None:
        for value in (1600.2, 1710, 1599.8, 1500):
            self.rate(value)
        assert self.board() == [(1, 1710), (2, 1600), (2, 1600), (4, 1500)]

    def test_honest_minimums(self) -> None:
        self.rate(1900, series_count=LEAST_SERIES - 1)
        self.rate(1900, deviation=200)
        self.rate(1900, format="hollywood days")
        self.rate(1900, rated_at=Now() - timedelta(days=31))
        assert self.board() == []
        assert self.board("year") == [(1, 1900)]

    def test_a_player_s_own_ratings(self) -> None:
        row = self.rate(1600)
        assert ratings_of(row.user_id) == [row]
