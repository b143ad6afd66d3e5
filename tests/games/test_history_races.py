"""Both players hide and show one series at once, or while it is mended."""

from functools import partial

import pytest

from games.models import Seat, Series
from games.selectors.audit import differences
from games.services.history import hide_series, mend_seat_ends
from games.services.request import Wish
from tests.at_once import at_once
from tests.long import long_or
from tests.tables import new_table

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

TIMES = long_or(50, 6)


def test_it_is_listed_exactly_if_nobody_hides_it() -> None:
    table = new_table()
    table.wish(Wish.RESIGN, table.users[0])
    one, other = (
        partial(hide_series, series_id=table.series.pk, user_id=u.pk) for u in table.users
    )
    for number in range(TIMES):
        calls = [
            partial(one, is_hidden=number % 2 == 0),
            partial(other, is_hidden=number % 3 == 0),
            partial(mend_seat_ends, table.series.pk),
        ]
        at_once(calls)
        assert not list(differences(Series.objects.get(pk=table.series.pk)))
        seats = Seat.objects.filter(series=table.series)
        assert set(seats.values_list("is_listed", flat=True)) == {
            number % 2 != 0 and number % 3 != 0
        }
