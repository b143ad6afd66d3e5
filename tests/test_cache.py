"""The cache whose Redis is away (config/cache.py): nobody is turned away for it."""

from collections.abc import Iterator

import pytest
from django.core.cache import caches
from django.test import Client, override_settings
from django.urls import reverse

from accounts.limits import may_again
from config.cache import MayBeAway
from tests.accounts.people import PASSWORD, new_person

NOBODY_THERE = {
    "default": {
        "BACKEND": "config.cache.MayBeAway",
        "LOCATION": "redis://127.0.0.1:1/0",
        "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
    }
}


@pytest.fixture
def away() -> Iterator[None]:
    with override_settings(CACHES=NOBODY_THERE):
        MayBeAway.away_until = 0.0
        yield
        MayBeAway.away_until = 0.0


@pytest.mark.usefixtures("away")
def test_without_its_server_it_is_empty_and_counts_nothing() -> None:
    cache = caches["default"]
    assert cache.add("a", 1)
    cache.set("a", 1)
    assert cache.get("a", "nothing") == "nothing"
    assert not cache.delete("a")
    assert all(may_again("a", times=1, seconds=60) for _ in range(3))


@pytest.mark.usefixtures("away")
def test_its_server_is_left_alone_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = caches["default"]
    cache.get("a")
    asked: list[str] = []
    monkeypatch.setattr("django.core.cache.backends.redis.RedisCache.get", asked.append)
    cache.get("a")
    assert asked == []


@pytest.mark.django_db
@pytest.mark.usefixtures("away")
def test_r13_without_it_people_log_in_register_and_ask_for_a_password(client: Client) -> None:
    person = new_person()
    fields = {"login": person.username, "password": PASSWORD}
    assert client.post(reverse("account_login"), fields).status_code == 302
    assert Client().get(reverse("account_signup")).status_code == 200
    asked = Client().post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    assert asked.status_code == 302
