"""Several processes that find the same notices due: each is told once. On PostgreSQL."""

from functools import partial
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db.models.functions import Now

from accounts.models import User
from accounts.subscriptions import Subscription, unsubscribe
from accounts.turn_mail import TurnMail, mail_soon, mails_due
from games.models import Notice, Push, Round
from games.rules.actions import Pass, Resign
from games.services.notices import (
    fall_due,
    notices_due,
    push_again,
    pushes_due,
    take_push,
    take_waiting_mail,
)
from games.services.request import Wish
from tests.at_once import at_once
from tests.long import long_or
from tests.tables import Played, new_table

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

TIMES = long_or(50, 8)


def waiting_table() -> tuple[Played, User]:
    """A turn of days that is due to be told, and whose it is."""
    table = new_table(time_control="3d")
    user = table.turn_user
    Notice.objects.exclude(user=user, kind=Notice.Kind.TURN).delete()
    Notice.objects.update(due_at=Now())
    return table, user


def with_address(user: User) -> None:
    address = f"{user.username}@example.org"
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)


def taken(results: list[Any]) -> int:
    return sum(each is not None for each in results)


def test_two_workers_that_find_one_notice_make_one_push_and_one_mail() -> None:
    for _ in range(TIMES):
        _table, user = waiting_table()
        with_address(user)
        Subscription.objects.create(user=user, endpoint=f"https://push.example.org/{user.pk}")
        [notice] = notices_due()
        at_once([partial(fall_due, notice)] * 4)
        assert Notice.objects.count() == 0
        assert Push.objects.filter(subscription__user=user).count() == 1
        assert TurnMail.objects.filter(user=user, due_at__isnull=False).count() == 1
        Push.objects.all().delete()


def test_two_workers_that_find_one_push_send_it_once() -> None:
    for _ in range(TIMES):
        table, user = waiting_table()
        browser = Subscription.objects.create(
            user=user, endpoint=f"https://push.example.org/{user.pk}"
        )
        Push.objects.create(
            subscription=browser, series=table.series, kind=Notice.Kind.TURN, due_at=Now()
        )
        [push] = pushes_due()
        assert taken(at_once([partial(take_push, push)] * 4)) == 1
        assert pushes_due() == []


def test_two_workers_that_find_one_mail_send_it_once() -> None:
    for _ in range(TIMES):
        _table, user = waiting_table()
        with_address(user)
        TurnMail.objects.create(user=user, due_at=Now())
        assert user.pk in mails_due()
        assert taken(at_once([partial(take_waiting_mail, user.pk)] * 4)) == 1
        # At most one an hour, however many notices fall due at once.
        at_once([partial(mail_soon, user.pk)] * 4)
        row = TurnMail.objects.get(user=user)
        assert row.due_at is not None
        assert row.sent_at is not None
        assert (row.due_at - row.sent_at).total_seconds() == 3600


def test_a_browser_that_is_removed_while_its_push_fails_stays_removed() -> None:
    for _ in range(TIMES):
        table, user = waiting_table()
        browser = Subscription.objects.create(
            user=user, endpoint=f"https://push.example.org/{user.pk}"
        )
        push = Push.objects.create(
            subscription=browser, series=table.series, kind=Notice.Kind.TURN, due_at=Now()
        )
        found = take_push(push.pk)
        assert found is not None
        at_once(
            [
                partial(push_again, found),
                partial(unsubscribe, user_id=user.pk, pk=browser.pk),
            ]
        )
        assert not Subscription.objects.filter(pk=browser.pk).exists()
        assert not Push.objects.filter(subscription=browser.pk).exists()


def test_a_turn_that_passes_while_the_last_one_is_told_is_told_too() -> None:
    for _ in range(TIMES):
        table, _user = waiting_table()
        [notice] = notices_due()
        other = table.waiting_user
        at_once([partial(fall_due, notice), partial(table.act, Pass())])
        kinds = Notice.objects.filter(user=other).values_list("kind", flat=True)
        assert sorted(kinds) == [Notice.Kind.REMINDER, Notice.Kind.TURN]
        Notice.objects.all().delete()


def test_acting_and_ending_a_series_of_days_at_once_blocks_nobody() -> None:
    """The notice of a turn points at the series, which the end of the series holds."""
    for number in range(TIMES):
        table = new_table(time_control="3d")
        action = Resign() if number % 2 else Pass()
        outcomes = at_once(
            [
                partial(table.act, action, table.turn_user),
                partial(table.wish, Wish.RESIGN, table.waiting_user),
                partial(table.wish, Wish.OFFER_END, table.turn_user),
            ]
        )
        assert {str(each.status) for each in outcomes} <= {"done", "stale", "over", "illegal"}
        assert Round.objects.filter(series=table.series).exists()
    assert mail.outbox == []
