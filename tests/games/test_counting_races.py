"""Series that end in the same moment, each counted once; on PostgreSQL, where rows are held."""

from contextlib import suppress
from functools import partial

import pytest
from django.db import OperationalError

from accounts.models import User
from games.models import Series, Tally
from games.rules.options import Options
from games.selectors.audit import tally_differences
from games.services.outcome import Status
from games.services.request import Wish
from games.services.series import accept_invitation, create_series
from tests.at_once import at_once
from tests.house import bot_table
from tests.tables import Played, new_user

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def table_of(one: User, other: User) -> Played:
    series = create_series(user=one, options=Options())
    Series.objects.filter(pk=series.pk).update(rated=True)
    accept_invitation(token=series.invitation.token, user=other)
    return Played(Series.objects.get(pk=series.pk), (one, other))


def give_up(table: Played, user: User) -> Status:
    """Resign a series; whoever waits too long for a row tries again, as their page would."""
    for _ in range(10):
        with suppress(OperationalError):
            return table.wish(Wish.RESIGN, user).status
    raise AssertionError("the rows are never free")


def end_at_once(tables: list[Played]) -> None:
    ends = [partial(give_up, table, table.users[n % 2]) for n, table in enumerate(tables)]
    assert at_once(ends) == ["done"] * len(tables)


def counted(user: User | None) -> int:
    counts = Tally.objects.get(user=user, opponent=None, scope="all").to_domain()
    return counts.series


@pytest.mark.parametrize("known", [False, True])
def test_all_series_of_one_player_end_at_once(known: bool) -> None:
    """`known`: their tallies are there already; else several make the first."""
    one = new_user()
    others = [new_user() for _ in range(8)]
    if known:
        for other in others:
            table_of(one, other).wish(Wish.RESIGN, one)
    end_at_once([table_of(one, other) for other in others])
    assert counted(one) == (16 if known else 8)
    assert list(tally_differences()) == []


def test_all_series_of_one_pair_end_at_once_whoever_made_them() -> None:
    one, other = new_user(), new_user()
    end_at_once([table_of(*((one, other) if n % 2 else (other, one))) for n in range(5)])
    assert counted(one) == counted(other) == 5
    assert list(tally_differences()) == []


def test_all_series_of_one_bot_end_at_once() -> None:
    tables = [bot_table() for _ in range(8)]
    # The person gives up: a bot asks for nothing.
    at_once([partial(give_up, table, table.users[0]) for table in tables])
    assert counted(tables[0].users[1]) == 8
    assert counted(None) == 16
    assert list(tally_differences()) == []


def test_a_series_that_both_end_is_counted_once() -> None:
    one, other = new_user(), new_user()
    table = table_of(one, other)
    at_once([partial(give_up, table, user) for user in (one, other) * 4])
    assert counted(one) == counted(other) == 1
    assert list(tally_differences()) == []
