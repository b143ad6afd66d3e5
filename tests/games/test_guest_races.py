"""A guest's seats are taken along while others act, on PostgreSQL where rows are really held."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from accounts.adapter import _still_a_guest
from accounts.guests import make_guest
from accounts.models import User
from games.models import Seat
from games.rules.options import Options
from games.selectors.audit import differences
from games.services.guests import erase_guest, take_along
from games.services.series import accept_invitation, create_series
from tests.at_once import at_once
from tests.games.test_guests import is_erased, long_gone, stored, table_of
from tests.tables import Played, hasty, new_user

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_fault_110_pressed_several_times_at_once_it_is_done_once() -> None:
    guest, user = make_guest(), new_user()
    tables = [table_of(new_user(), guest) for _ in range(3)]
    rung = at_once([partial(take_along, guest_id=guest.pk, user_id=user.pk)] * 6)
    assert sorted(map(len, rung)) == [0, 0, 0, 0, 0, 3]
    assert is_erased(guest)
    for table in tables:
        assert {seat.user for seat in table.series.seats.all()} == {table.users[0], user}


def test_of_two_accounts_one_gets_them_all() -> None:
    guest, users = make_guest(), [new_user(), new_user()]
    for _ in range(4):
        table_of(new_user(), guest)
    at_once([partial(take_along, guest_id=guest.pk, user_id=user.pk) for user in users])
    assert sorted(Seat.objects.filter(user=user).count() for user in users) == [0, 4]


def test_the_account_sits_down_at_the_same_moment() -> None:
    """Then it sits at one table with the guest, whose seat stays; or came too late for it."""
    for _ in range(8):
        guest, user = make_guest(), new_user()
        series = create_series(user=guest, options=Options())
        sits_down = partial(_quietly, accept_invitation, token=series.invitation.token, user=user)
        at_once([partial(take_along, guest_id=guest.pk, user_id=user.pk), sits_down])
        assert is_erased(guest)
        seats = set(Seat.objects.filter(series=series.pk).values_list("user", flat=True))
        assert seats in ({user.pk}, {guest.pk, user.pk})


def test_a_series_goes_on_while_it_changes_hands() -> None:
    for _ in range(4):
        host, guest, user = new_user(), make_guest(), new_user()
        table = table_of(host, guest)

        def play(table: Played = table) -> None:
            choose = hasty(random.Random(1))
            for _ in range(12):
                if table.row.kind:
                    return
                table.act(choose(table.state))

        at_once([partial(take_along, guest_id=guest.pk, user_id=user.pk), play])
        assert list(differences(stored(table))) == []
        assert Seat.objects.get(series=table.series, number=1).user == user


def test_a_guest_who_registers_in_the_moment_of_being_erased_is_one_or_the_other() -> None:
    for _ in range(8):
        guest = long_gone(make_guest())

        def register(user: User = guest) -> None:
            with transaction.atomic():
                _still_a_guest(user)
                User.objects.filter(pk=user.pk).update(
                    kind=User.Kind.PERSON, username=f"Person{user.pk}"
                )

        at_once([partial(_quietly, register), partial(erase_guest, guest.pk)])
        guest.refresh_from_db()
        assert (guest.kind == User.Kind.PERSON) == (guest.deleted_at is None)


def _quietly(call: Callable[..., Any], **arguments: Any) -> None:
    try:
        call(**arguments)
    except Exception as refusal:  # whatever the other was too fast for
        print(f"refused: {refusal}")
