"""`manage.py serve` and the address it speaks of."""

import os
import sys

import pytest
from django.core.management import call_command
from django.db import connection

from games.management.commands.serve import patience


class Replaced(Exception):
    """Stands for the process having become another."""


def test_another_port_is_the_address_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[tuple[str, list[str]]] = []

    def become(path: str, arguments: list[str]) -> None:
        called.append((path, arguments))
        raise Replaced

    monkeypatch.delenv("SITE_URL", raising=False)
    monkeypatch.setattr("os.execv", become)
    with pytest.raises(Replaced):
        call_command("serve", port=8055)
    assert os.environ.pop("SITE_URL") == "http://127.0.0.1:8055"
    assert called == [(sys.executable, sys.orig_argv)]


def limits() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('statement_timeout'), current_setting('lock_timeout')"
        )
        return list(cursor.fetchone())


@pytest.mark.postgres
@pytest.mark.django_db
def test_the_migration_before_it_serves_takes_the_time_it_takes() -> None:
    before = limits()
    with patience():
        assert limits() == ["0", "0"]
    assert limits() == before
    assert before[1] == "2s"


@pytest.mark.django_db
def test_so_it_is_with_any_database() -> None:
    with patience():
        assert connection.is_usable()
