"""Several people, or one several times, at the same moment in the lobby; on PostgreSQL."""

from functools import partial

import pytest

from accounts.models import User
from accounts.relations import Relation, relate
from games.errors import SeatTaken, TooManyWaiting
from games.models import Round, Seat, Series
from games.rules.options import Options
from games.services.lobby import (
    LINK,
    LOBBY,
    MOST_WAITING,
    join_table,
    quick_match,
    set_table,
    withdraw_table,
)
from games.services.outcome import Status
from games.services.request import Wish
from games.services.series import Terms
from tests.games.test_races import at_once
from tests.long import long_or
from tests.tables import new_table, new_user

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

PLAIN = Terms(Options())
TIMES = long_or(50, 6)


def joins(slug: str, user: User) -> bool:
    try:
        join_table(slug=slug, user=user)
    except SeatTaken:
        return False
    return True


def test_fault_53_several_sit_down_at_one_table_at_once() -> None:
    for _ in range(TIMES):
        series = set_table(user=new_user(), terms=PLAIN, company=LOBBY)
        calls = [partial(joins, series.slug, new_user()) for _ in range(4)]
        assert sorted(at_once(calls)) == [False, False, False, True]
        assert Seat.objects.filter(series=series).count() == 2
        assert Round.objects.filter(series=series).count() == 1


def test_fault_110_one_sits_down_twice_at_once() -> None:
    series, user = set_table(user=new_user(), terms=PLAIN, company=LOBBY), new_user()
    assert at_once([partial(joins, series.slug, user)] * 6) == [True] * 6
    assert Seat.objects.filter(series=series).count() == 2


def test_two_quick_matches_at_once_meet() -> None:
    for _ in range(TIMES):
        users = [new_user(), new_user()]
        calls = [partial(quick_match, user=user, terms=PLAIN, key=None) for user in users]
        one, other = at_once(calls)
        assert one == other
        assert {seat.user for seat in one.seats.all()} == set(users)


def test_many_quick_matches_at_once_leave_nobody_waiting() -> None:
    users = [new_user() for _ in range(8)]
    at_once([partial(quick_match, user=user, terms=PLAIN, key=None) for user in users])
    assert Series.objects.filter(status=Series.Status.PLAYING).count() == 4
    assert not Series.objects.filter(status=Series.Status.WAITING).exists()


def test_fault_110_a_quick_match_pressed_twice_at_once_is_one() -> None:
    for waiting in (0, 2):
        for _ in range(waiting):
            set_table(user=new_user(), terms=PLAIN, company=LOBBY)
        user = new_user()
        key = f"set-aside-{waiting}"
        found = at_once([partial(quick_match, user=user, terms=PLAIN, key=key)] * 6)
        assert len(set(found)) == 1
        assert Seat.objects.filter(user=user).count() == 1
        Series.objects.filter(status=Series.Status.WAITING).update(status=Series.Status.OVER)


def test_fault_110_two_rematches_at_once_are_one() -> None:
    for _ in range(TIMES):
        table = new_table()
        table.wish(Wish.RESIGN, table.users[0])
        calls = [partial(table.wish, Wish.REMATCH, user) for user in table.users * 3]
        done = at_once(calls)
        assert {each.status for each in done} == {Status.DONE, Status.REPEAT}
        assert sum(each.status is Status.DONE for each in done) == 2
        assert Seat.objects.filter(user__in=table.users).count() == 4
        table.series.refresh_from_db()
        assert table.series.rematch is not None
        assert Round.objects.filter(series=table.series.rematch).count() == 1


def test_a_table_is_taken_back_and_taken_at_once() -> None:
    for _ in range(TIMES):
        host, guest = new_user(), new_user()
        series = set_table(user=host, terms=PLAIN, company=LOBBY)

        def take(slug: str = series.slug, user: User = guest) -> str:
            try:
                join_table(slug=slug, user=user)
            except Exception as refusal:
                return type(refusal).__name__
            return "sits"

        def take_back(slug: str = series.slug, user: User = host) -> str:
            try:
                withdraw_table(slug=slug, user=user)
            except Exception as refusal:
                return type(refusal).__name__
            return "gone"

        done = at_once([take, take_back])
        assert done in (["sits", "HasBegun"], ["NotOffered", "gone"])
        assert Seat.objects.filter(user=guest).count() == (done[0] == "sits")


def test_the_limit_holds_at_once() -> None:
    user = new_user()

    def set_one(number: int) -> bool:
        try:
            set_table(user=user, terms=PLAIN, company=LINK, slug=f"own-{number}")
        except TooManyWaiting:
            return False
        return True

    done = at_once([partial(set_one, number) for number in range(8)])
    assert sum(done) == MOST_WAITING == Series.objects.filter(created_by=user).count()


def test_two_block_each_other_at_once() -> None:
    one, other = new_user(), new_user()
    block = Relation.Kind.BLOCK
    calls = [partial(relate, one.pk, other.pk, block), partial(relate, other.pk, one.pk, block)]
    at_once(calls * 3)
    assert Relation.objects.count() == 2
