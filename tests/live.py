"""Fixtures of tests on real processes, one set a module: starting them is what costs.

`tests/e2e/conftest.py` and `tests/chaos/conftest.py` bring them in.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from games.models import Series
from tests.players import Player
from tests.site import Site, in_db


@pytest.fixture(scope="module")
def db(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """The database for a whole module: what is stored is committed, and removed at the end.

    In place of pytest-django's fixture, whose rows no other process sees. Its marks would empty the
    tables after each test, under the servers.
    """
    with django_db_blocker.unblock():
        yield
        call_command("flush", verbosity=0, interactive=False)


type StartSite = Callable[..., Site]


@pytest.fixture(scope="module")
def start_site(db: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartSite]:
    """Start more sites: `start_site(processes, **environment)`; all are stopped after."""
    sites: list[Site] = []

    def start(processes: int = 1, **environment: str) -> Site:
        folder: Path = tmp_path_factory.mktemp("site")
        settings = {"DEBUG": "0", "DJANGO_SETTINGS_MODULE": "tests.server_settings"}
        site = Site(folder, processes, **settings | environment)
        sites.append(site)
        return site.start()

    yield start
    for site in sites:
        site.stop()
        print(site.logs())  # shown where a test has failed


@pytest.fixture(scope="module")
def site(start_site: StartSite) -> Site:
    """One process."""
    return start_site()


@pytest.fixture(scope="module")
def pair(start_site: StartSite) -> Site:
    """Two processes; the test needs the mark `postgres`."""
    return start_site(2)


type Come = Callable[..., Awaitable[Player]]


@pytest.fixture
async def come() -> AsyncIterator[Come]:
    """Open a page of a series: `await come(site, series, user, at=1)`; all are closed after."""
    players: list[Player] = []

    async def open_page(site: Site, series: Series, user: User | None, **values: Any) -> Player:
        player = await in_db(Player(series, user, site.servers, **values).log_in)
        players.append(player)
        return await player.arrive()

    yield open_page
    for player in players:
        await player.leave()
