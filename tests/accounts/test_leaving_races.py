"""Leaving while others act: names, returns and series, on PostgreSQL where rows are really held."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from accounts.adapter import AccountAdapter
from accounts.leaving import delete_account, disable_account
from accounts.models import NameTaken, User
from games.models import Series
from games.selectors.audit import differences
from games.services.leaving import close_account
from tests.accounts.people import PASSWORD, log_in, new_person, user_of
from tests.tables import hasty, new_table

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def in_thread(work: Any, *args: Any) -> Any:
    """Work with a connection of its own, which is given back."""
    try:
        return work(*args)
    finally:
        connection.close()


def test_a_sign_up_that_waits_for_a_deletion_does_not_get_the_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its form was looked at before; its row then waits for the one that has the name."""
    monkeypatch.setattr(AccountAdapter, "clean_username", lambda self, username: username)
    anna = new_person("Anna")
    asked, may_end = threading.Event(), threading.Event()

    def delete() -> None:
        with transaction.atomic():
            delete_account(anna.pk)
            asked.set()
            may_end.wait(20)

    def sign_up() -> Any:
        client = Client()
        fields = {"username": "Anna", "password1": PASSWORD}
        asked.wait(20)
        threading.Timer(0.5, may_end.set).start()
        client.post("/account/signup/", fields)
        return user_of(client)

    with ThreadPoolExecutor(2) as threads:
        deleting = threads.submit(in_thread, delete)
        signing_up = threads.submit(in_thread, sign_up)
        assert signing_up.result(30) is None
        deleting.result(30)
    assert NameTaken.holds("Anna")
    assert not User.objects.filter(username__iexact="anna").exists()


def test_a_log_in_beside_the_closing_leaves_one_of_the_two() -> None:
    for number in range(3):
        user = new_person(f"Anna{number}")
        start = threading.Barrier(2)

        def close(user: User = user, start: threading.Barrier = start) -> None:
            start.wait(20)
            disable_account(user.pk)

        def come(user: User = user, start: threading.Barrier = start) -> Client:
            client = Client()
            start.wait(20)
            log_in(client, user.username)
            return client

        with ThreadPoolExecutor(2) as threads:
            closing = threads.submit(in_thread, close)
            client = threads.submit(in_thread, come).result(30)
            closing.result(30)
        user.refresh_from_db()
        is_in = client.get("/account/").status_code == 200
        assert is_in == (user.disabled_at is None)


def test_who_leaves_while_the_other_plays_loses_and_nothing_is_torn() -> None:
    for _ in range(3):
        table = new_table()
        start = threading.Barrier(2)

        def close(table: Any = table, start: threading.Barrier = start) -> None:
            start.wait(20)
            close_account(table.users[0].pk)

        def play(table: Any = table, start: threading.Barrier = start) -> None:
            choose = hasty(random.Random(1))
            start.wait(20)
            for _ in range(6):
                if (state := table.state).result is None:
                    table.act(choose(state))

        with ThreadPoolExecutor(2) as threads:
            for done in [threads.submit(in_thread, close), threads.submit(in_thread, play)]:
                done.result(30)
        series = Series.objects.get(pk=table.series.pk)
        assert (series.status, series.winner_side) == (Series.Status.OVER, 1)
        assert list(differences(series)) == []
