"""Which accounts may be one person's, by keyed hashes that expire."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from accounts.leaving import delete_account, erase_account
from accounts.traces import (
    MOST_BEHIND,
    Related,
    Trace,
    are_related,
    forget_traces,
    leave_traces,
    network_of,
    related_accounts,
)
from tests.accounts.people import log_in, new_person
from tests.at_once import at_once
from tests.tables import new_user

pytestmark = pytest.mark.django_db

HOME, OFFICE = "203.0.113.7", "198.51.100.20"


def came(*visits: tuple[str, str]) -> int:
    """Somebody who has logged in from these addresses with these browsers."""
    user = new_user()
    for address, device in visits:
        leave_traces(user.pk, address, device)
    return user.pk


class TestLoggingIn:
    def test_two_accounts_in_one_browser_are_related(self, client: Client, settings: Any) -> None:
        anna, anton = new_person("Anna"), new_person("Anton")
        for name in ("Anna", "Anton"):
            assert log_in(client, name, REMOTE_ADDR=HOME).status_code == 302
            del client.cookies[settings.SESSION_COOKIE_NAME]
        assert related_accounts(anna.pk) == [Related(anton.pk, devices=1, addresses=1, shared_by=2)]
        assert related_accounts(anton.pk)[0].is_close

    def test_again_from_the_same_place_is_no_second_trace(
        self, client: Client, settings: Any
    ) -> None:
        new_person("Anna")
        log_in(client, REMOTE_ADDR=HOME)
        Trace.objects.update(last_seen=F("last_seen") - timedelta(days=9))
        before = Trace.objects.values_list("last_seen", flat=True)[0]
        del client.cookies[settings.SESSION_COOKIE_NAME]
        log_in(client, REMOTE_ADDR=HOME)
        assert Trace.objects.count() == 2
        assert all(each > before for each in Trace.objects.values_list("last_seen", flat=True))

    def test_no_address_and_no_name_of_a_browser_is_stored(self, client: Client) -> None:
        new_person("Anna")
        log_in(client, REMOTE_ADDR=HOME)
        stored = str(list(Trace.objects.values()))
        assert "203.0.113" not in stored
        assert {len(each) for each in Trace.objects.values_list("digest", flat=True)} == {64}


class TestRelated:
    def test_a_network_alone_says_little(self) -> None:
        one, other = came((HOME, "a")), came(("203.0.113.99", "b"))
        [found] = related_accounts(one)
        assert (found.user_id, found.is_close, found.shared_by) == (other, False, 2)

    def test_the_closest_come_first(self) -> None:
        one = came((HOME, "a"), (OFFICE, "b"))
        far, near = came((OFFICE, "c")), came((HOME, "a"))
        assert [each.user_id for each in related_accounts(one)] == [near, far]

    def test_a_network_of_many_says_nothing(self) -> None:
        one = came((HOME, "a"))
        for number in range(MOST_BEHIND):
            came((HOME, f"b{number}"))
        assert related_accounts(one) == []

    def test_strangers_are_not_related(self) -> None:
        one, other = came((HOME, "a")), came((OFFICE, "b"))
        assert are_related(one, other) is None

    def test_it_takes_two_queries(self, django_assert_num_queries: Any) -> None:
        one = came((HOME, "a"))
        for _ in range(5):
            came((HOME, "a"))
        with django_assert_num_queries(2):
            assert len(related_accounts(one)) == 5


class TestForgetting:
    def test_180_days_after_the_last_log_in(self) -> None:
        one, other = came((HOME, "a")), came((HOME, "a"))
        Trace.objects.filter(user=other).update(last_seen=F("last_seen") - timedelta(days=179))
        forget_traces()
        assert are_related(one, other)
        Trace.objects.filter(user=other).update(last_seen=F("last_seen") - timedelta(days=2))
        assert not are_related(one, other)
        forget_traces()
        assert set(Trace.objects.values_list("user", flat=True)) == {one}

    def test_with_another_key_of_the_site_nothing_matches(self, settings: Any) -> None:
        one = came((HOME, "a"))
        settings.SECRET_KEY = "another-key-of-the-site"
        assert are_related(one, came((HOME, "a"))) is None

    def test_s13_it_goes_with_what_is_kept_against_abuse(self) -> None:
        one = came((HOME, "a"))
        delete_account(one)
        assert Trace.objects.count() == 2
        erase_account(one)
        assert not Trace.objects.exists()


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.77", "203.0.113.0/24"),
        ("::ffff:203.0.113.77", "203.0.113.0/24"),
        ("2001:db8:7:1::5", "2001:db8:7::/48"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("", ""),
        ("unix:", ""),
    ],
)
def test_as_much_of_an_address_is_hashed(address: str, network: str) -> None:
    assert network_of(address) == network


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_log_ins_at_once_leave_one_trace() -> None:
    user = new_user()
    at_once([lambda: leave_traces(user.pk, HOME, "a")] * 4)
    assert Trace.objects.count() == 2
